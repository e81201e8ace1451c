/*
 * streams/values.hpp - values from C++ types, and C++ types from values.
 *
 * The rules at the top of streams.hpp hold here too.
 */

#ifndef STREAMS_VALUES_HPP
#define STREAMS_VALUES_HPP

#include "handles.hpp"

#include <functional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace streams {

class value;

/*
 * How a C++ type becomes a value, and how a value becomes that type. conversions.hpp has it for bool,
 * integers, enumerations, doubles, text, bytes, lists, arrays of numbers, tuples, optionals and null; any
 * other type is carried as an object, which is copied by reference. Specialize it for a type of yours that
 * should be a value that other languages understand:
 *
 *     template <> struct streams::value_traits<celsius> {
 *         static value make(celsius c) { return c.degrees; }
 *         static celsius read(const streams_value &raw) { return { value_view(raw).get<double>() }; }
 *     };
 *
 * read throws bad_value for a value of another kind.
 */
template <typename T, typename Enable = void> struct value_traits;

/* A value that is lent, as in a callback: valid for the length of the call. To keep it make a value of it. */
class value_view {
public:
    value_view(const streams_value &raw) noexcept : raw_(&raw) {}
    value_view(const value &owned) noexcept;

    const streams_value &raw() const noexcept { return *raw_; }
    streams_value_kind kind() const noexcept { return static_cast<streams_value_kind>(raw_->kind); }
    bool is_null() const noexcept { return kind() == STREAMS_VALUE_NULL; }
    /* The length of text, bytes, a list or an array. */
    std::size_t size() const noexcept { return raw_->size; }

    /* What it is as a C++ type; throws bad_value if it is of another. A string_view or a reference to an
     * object stays valid for as long as the value. */
    template <typename T> decltype(auto) get() const { return value_traits<T>::read(*raw_); }

    /* An item of a list; throws bad_value if there is none. */
    value_view operator[](std::size_t index) const;

    /* The value as text, as print shows it. */
    std::string describe() const {
        return detail::text_of([this](char *buffer, std::size_t capacity, std::size_t *needed) {
            return streams_value_describe(raw_, buffer, capacity, needed);
        });
    }

private:
    const streams_value *raw_;
};

/* Thrown where a value is not of the type that is read. In a callback it fails the stream. */
class [[gnu::visibility("default")]] bad_value : public error {
public:
    bad_value(const std::string &expected, value_view found)
        : error(STREAMS_INVALID_VALUE, "expected " + expected + ", not " + shown(found)) {}

private:
    static std::string shown(value_view found) {
        static const char *const kinds[] = { "null", "the bool", "the integer", "the double", "the text",
            "bytes:", "the list", "the object", "integers:", "doubles:" };
        const auto kind = static_cast<std::size_t>(found.kind());
        if (kind == 0 || kind >= sizeof kinds / sizeof *kinds)
            return kind == 0 ? "null" : "a value of no kind";
        char text[100] = "";
        (void)streams_value_describe(&found.raw(), text, sizeof text, nullptr);
        return std::string(kinds[kind]) + " " + text;
    }
};

/*
 * A value of its own: null, or what any C++ value becomes by its value_traits. Functions that take a value
 * take whatever becomes one: subject.send(3), just("text"), sequence({ 1, 2.5, "three" }). A copy shares
 * text, lists and objects, so it is cheap.
 */
class value {
public:
    value() noexcept : raw_(streams_null()) {}
    value(value_view lent) : raw_(lent.raw()) {
        if (is_plain()) return;
        const streams_value from = std::exchange(raw_, streams_null());
        detail::check(streams_value_copy(&from, &raw_));
    }
    template <typename T, typename = std::enable_if_t<!std::is_base_of_v<value, std::decay_t<T>> &&
                                                      !std::is_same_v<value_view, std::decay_t<T>>>>
    value(T &&from) : value(value_traits<std::decay_t<T>>::make(std::forward<T>(from))) {}
    value(const value &other) : value(value_view(other)) {}
    value(value &&other) noexcept : raw_(other.release()) {}
    value &operator=(value other) noexcept {
        std::swap(raw_, other.raw_);
        return *this;
    }
    ~value() {
        if (raw_.owner != nullptr) (void)streams_value_destroy(&raw_);
    }

    /* Takes over a value of C. */
    static value adopt(streams_value raw) noexcept {
        value result;
        result.raw_ = raw;
        return result;
    }
    /* The value for functions of C that borrow it. */
    const streams_value &raw() const noexcept { return raw_; }
    /* Gives the value away; null is left. */
    [[nodiscard]] streams_value release() noexcept { return std::exchange(raw_, streams_null()); }

    streams_value_kind kind() const noexcept { return value_view(*this).kind(); }
    bool is_null() const noexcept { return kind() == STREAMS_VALUE_NULL; }
    std::size_t size() const noexcept { return raw_.size; }
    /* As those of value_view. */
    template <typename T> decltype(auto) get() const & { return value_traits<T>::read(raw_); }
    template <typename T> T get() && {
        static_assert(!std::is_same_v<T, std::string_view>, "the text would be gone: get a std::string");
        return value_traits<T>::read(raw_);
    }
    value_view operator[](std::size_t index) const { return value_view(*this)[index]; }
    std::string describe() const { return value_view(*this).describe(); }

    /* As streams_value_equal: 1 is not 1.0. */
    friend bool operator==(const value &a, const value &b) {
        bool equal = false;
        detail::check(streams_value_equal(&a.raw_, &b.raw_, &equal));
        return equal;
    }
    friend bool operator!=(const value &a, const value &b) { return !(a == b); }
    /* As streams_value_hash; std::hash is this too. */
    std::size_t hash() const {
        std::uint64_t hash = 0;
        detail::check(streams_value_hash(&raw_, &hash));
        return static_cast<std::size_t>(hash);
    }
    /* As streams_value_compare. */
    friend bool operator<(const value &a, const value &b) {
        int order = 0;
        detail::check(streams_value_compare(&a.raw_, &b.raw_, &order));
        return order < 0;
    }

private:
    /* Whether it is all in the struct, as a number is. */
    bool is_plain() const noexcept { return raw_.kind <= STREAMS_VALUE_DOUBLE && raw_.owner == nullptr; }

    streams_value raw_;
};

inline value_view::value_view(const value &owned) noexcept : raw_(&owned.raw()) {}

inline value_view value_view::operator[](std::size_t index) const {
    if (kind() != STREAMS_VALUE_LIST || index >= size())
        throw bad_value("a list of more than " + std::to_string(index) + " items", *this);
    return raw_->as.items[index];
}

/* Numbers that are an array in memory of somebody else, as N is std::int64_t or double. A sink that takes
 * them gets numbers that travel together together, and without a copy; so does map_batch. */
template <typename N> class numbers {
public:
    static_assert(
        std::is_same_v<N, std::int64_t> || std::is_same_v<N, double>, "values have no other numbers");
    numbers(const N *first, std::size_t count) noexcept : first_(first), count_(count) {}

    const N *data() const noexcept { return first_; }
    std::size_t size() const noexcept { return count_; }
    bool empty() const noexcept { return count_ == 0; }
    const N *begin() const noexcept { return first_; }
    const N *end() const noexcept { return first_ + count_; }
    const N &operator[](std::size_t index) const noexcept { return first_[index]; }

private:
    const N *first_;
    std::size_t count_;
};

/* Values that a sink receives together, as many as there are. */
class batch {
public:
    batch(const streams_value *first, std::size_t count) noexcept : first_(first), count_(count) {}

    std::size_t size() const noexcept { return count_; }
    const streams_value *begin() const noexcept { return first_; }
    const streams_value *end() const noexcept { return first_ + count_; }
    value_view operator[](std::size_t index) const noexcept { return first_[index]; }

private:
    const streams_value *first_;
    std::size_t count_;
};

} // namespace streams

template <> struct std::hash<streams::value> {
    std::size_t operator()(const streams::value &hashed) const { return hashed.hash(); }
};

#endif /* STREAMS_VALUES_HPP */
