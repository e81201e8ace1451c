/*
 * streams/conversions.hpp - what each C++ type is as a value.
 *
 * The rules at the top of streams.hpp hold here too.
 */

#ifndef STREAMS_CONVERSIONS_HPP
#define STREAMS_CONVERSIONS_HPP

#include "values.hpp"

#include <cstring>
#include <cxxabi.h>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>
#include <typeinfo>

namespace streams {

namespace detail {

/* What makes an owned value of memory: streams_value_string and others. */
template <typename Make, typename... Arguments> value made_value(Make make, Arguments... arguments) {
    streams_value raw;
    check(make(arguments..., &raw));
    return value::adopt(raw);
}

template <typename Items> value list_of(const Items &items) {
    return made_value(streams_value_list, items.data(), items.size());
}

/* A list of what was made of several C++ values. */
inline value list_of(const std::vector<value> &items) {
    std::vector<streams_value> raw;
    raw.reserve(items.size());
    for (const value &each : items) raw.push_back(each.raw());
    return list_of(raw);
}

/* Numbers become an array, without a copy. */
template <typename N, typename Make> value array_of(std::vector<N> &&numbers, Make make) {
    auto *kept = new std::vector<N>(std::move(numbers));
    return made_value(make, kept->data(), kept->size(), static_cast<void *>(kept),
        [](void *context) { delete static_cast<std::vector<N> *>(context); });
}

template <typename T, typename = void> inline constexpr bool has_equality = false;
template <typename T> inline constexpr bool
    has_equality<T, std::void_t<decltype(bool(std::declval<const T &>() == std::declval<const T &>()))>> =
        true;
template <typename T, typename = void> inline constexpr bool has_text = false;
template <typename T>
inline constexpr bool has_text<T, std::void_t<decltype(std::string(to_string(std::declval<const T &>())))>> =
    true;

/* What the library knows of objects of type T. */
template <typename T> struct [[gnu::visibility("default")]] object_type {
    static void release(void *object) noexcept { delete static_cast<T *>(object); }
    static bool equals(void *a, void *b) noexcept {
        if (a == b) return true;
        if constexpr (has_equality<T>) return *static_cast<const T *>(a) == *static_cast<const T *>(b);
        return false;
    }
    static std::size_t describe(void *object, char *buffer, std::size_t capacity) noexcept {
        std::string text = "object";
        if constexpr (has_text<T>) text = to_string(*static_cast<const T *>(object));
        const std::size_t written = capacity == 0 ? 0 : text.copy(buffer, capacity - 1);
        if (capacity != 0) buffer[written] = '\0';
        return text.size();
    }
    static inline const streams_object_type type = { sizeof(streams_object_type), nullptr, release, equals,
        describe };

    static bool is_of(const streams_value &raw) { return streams_value_object_type(&raw) == &type; }
    static std::string name() {
        int status = 0;
        const std::unique_ptr<char, void (*)(void *)> readable(
            abi::__cxa_demangle(typeid(T).name(), nullptr, nullptr, &status), std::free);
        return readable ? readable.get() : typeid(T).name();
    }
};

/* An item of a list, or of an array of numbers, as type T. */
template <typename T> decltype(auto) item(const streams_value &raw, std::size_t index) {
    if (raw.kind == STREAMS_VALUE_INT64S) return value_traits<T>::read(streams_int(raw.as.integers[index]));
    if (raw.kind == STREAMS_VALUE_DOUBLES) return value_traits<T>::read(streams_double(raw.as.reals[index]));
    return value_traits<T>::read(raw.as.items[index]);
}

inline const streams_value &of_kind(const streams_value &raw, streams_value_kind kind, const char *expected) {
    if (raw.kind != kind) throw bad_value(expected, raw);
    return raw;
}

} // namespace detail

/* Any type that is not below: an object that the value owns, and that is destroyed with the last copy of it,
 * on whichever thread that is. It is read as a const reference; two are equal as their == says, if they have
 * one, and described as their to_string says. Neither may throw. */
template <typename T, typename Enable> struct value_traits {
    static value make(T object) {
        auto kept = std::make_unique<T>(std::move(object));
        value result = detail::made_value(streams_value_object, &detail::object_type<T>::type, kept.get());
        (void)kept.release();
        return result;
    }
    static const T &read(const streams_value &raw) {
        if (!detail::object_type<T>::is_of(raw))
            throw bad_value("an object of type " + detail::object_type<T>::name(), raw);
        return *static_cast<const T *>(raw.as.object);
    }
};

template <> struct value_traits<value> {
    static value read(const streams_value &raw) { return value_view(raw); }
};

template <> struct value_traits<value_view> {
    static value_view read(const streams_value &raw) { return raw; }
};

template <> struct value_traits<streams_value> {
    static value make(const streams_value &raw) { return value_view(raw); }
};

template <> struct value_traits<std::nullptr_t> {
    static value make(std::nullptr_t) noexcept { return {}; }
    static std::nullptr_t read(const streams_value &raw) {
        return detail::of_kind(raw, STREAMS_VALUE_NULL, "null"), nullptr;
    }
};

template <> struct value_traits<bool> {
    static value make(bool boolean) noexcept { return value::adopt(streams_bool(boolean)); }
    static bool read(const streams_value &raw) {
        return detail::of_kind(raw, STREAMS_VALUE_BOOL, "a bool").as.boolean;
    }
};

/* An integer that the type, or 64 bits with a sign, cannot hold is a bad_value. */
template <typename T> struct value_traits<T, std::enable_if_t<std::is_integral_v<T>>> {
    static value make(T integer) {
        if constexpr (std::is_unsigned_v<T> && sizeof(T) == 8) {
            if (integer > std::numeric_limits<std::int64_t>::max())
                throw error(STREAMS_OUT_OF_RANGE, std::to_string(integer) + " has more than 63 bits");
        }
        return value::adopt(streams_int(static_cast<std::int64_t>(integer)));
    }
    static T read(const streams_value &raw) {
        const std::int64_t integer = detail::of_kind(raw, STREAMS_VALUE_INT64, "an integer").as.integer;
        const T result = static_cast<T>(integer);
        if (static_cast<std::int64_t>(result) != integer || (std::is_unsigned_v<T> && integer < 0))
            throw bad_value("an integer of " + std::to_string(8 * sizeof(T)) + " bits", raw);
        return result;
    }
};

template <typename T> struct value_traits<T, std::enable_if_t<std::is_enum_v<T>>> {
    using integer = std::underlying_type_t<T>;
    static value make(T constant) { return static_cast<integer>(constant); }
    static T read(const streams_value &raw) { return static_cast<T>(value_traits<integer>::read(raw)); }
};

/* Integers are read too, as C++ converts them. */
template <typename T> struct value_traits<T, std::enable_if_t<std::is_floating_point_v<T>>> {
    static value make(T real) noexcept { return value::adopt(streams_double(static_cast<double>(real))); }
    static T read(const streams_value &raw) {
        if (raw.kind == STREAMS_VALUE_INT64) return static_cast<T>(raw.as.integer);
        return static_cast<T>(detail::of_kind(raw, STREAMS_VALUE_DOUBLE, "a number").as.real);
    }
};

/* Text is UTF-8. A view points into the value. */
template <> struct value_traits<std::string_view> {
    static value make(std::string_view text) {
        return detail::made_value(streams_value_string, text.data(), text.size());
    }
    static std::string_view read(const streams_value &raw) {
        return { detail::of_kind(raw, STREAMS_VALUE_STRING, "text").as.text, raw.size };
    }
};

template <> struct value_traits<std::string> {
    static value make(std::string_view text) { return text; }
    static std::string read(const streams_value &raw) {
        return std::string(value_traits<std::string_view>::read(raw));
    }
};

/* Text that ends with NUL is made a value of, and not read. */
template <> struct value_traits<const char *> {
    static value make(const char *text) { return std::string_view(text); }
};
template <> struct value_traits<char *> : value_traits<const char *> {};

/* A list, or what is said below; a list and an array of numbers are both read. */
template <typename T> struct value_traits<std::vector<T>> {
    static value make(std::vector<T> items) {
        if constexpr (std::is_same_v<T, std::int64_t>) {
            return detail::array_of(std::move(items), streams_value_int64s_nocopy);
        } else if constexpr (std::is_same_v<T, double>) {
            return detail::array_of(std::move(items), streams_value_doubles_nocopy);
        } else if constexpr (std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::byte>) {
            return detail::array_of(std::move(items), streams_value_bytes_nocopy);
        } else {
            std::vector<value> made;
            made.reserve(items.size());
            for (auto &&each : items) made.emplace_back(static_cast<T>(std::move(each)));
            return detail::list_of(made);
        }
    }
    static std::vector<T> read(const streams_value &raw) {
        std::vector<T> items(0);
        if constexpr (std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::byte>) {
            items.resize(detail::of_kind(raw, STREAMS_VALUE_BYTES, "bytes").size);
            if (!items.empty()) std::memcpy(items.data(), raw.as.bytes, items.size());
        } else {
            const bool is_array = std::is_arithmetic_v<T> &&
                                  (raw.kind == STREAMS_VALUE_INT64S || raw.kind == STREAMS_VALUE_DOUBLES);
            if (!is_array) detail::of_kind(raw, STREAMS_VALUE_LIST, "a list");
            items.reserve(raw.size);
            for (std::size_t i = 0; i < raw.size; i++) items.push_back(detail::item<T>(raw, i));
        }
        return items;
    }
};

/* An array of numbers, or a single one. */
template <typename N> struct value_traits<numbers<N>> {
    static constexpr bool whole = std::is_same_v<N, std::int64_t>;
    static numbers<N> read(const streams_value &raw) {
        const streams_value_kind one = whole ? STREAMS_VALUE_INT64 : STREAMS_VALUE_DOUBLE;
        const void *single = whole ? static_cast<const void *>(&raw.as.integer) : &raw.as.real;
        if (raw.kind == one) return { static_cast<const N *>(single), 1 };
        detail::of_kind(
            raw, whole ? STREAMS_VALUE_INT64S : STREAMS_VALUE_DOUBLES, whole ? "integers" : "doubles");
        return { static_cast<const N *>(whole ? static_cast<const void *>(raw.as.integers) : raw.as.reals),
            raw.size };
    }
};

/* Null, or what the optional has. */
template <typename T> struct value_traits<std::optional<T>> {
    static value make(std::optional<T> optional) { return optional ? value(*std::move(optional)) : value(); }
    static std::optional<T> read(const streams_value &raw) {
        if (raw.kind == STREAMS_VALUE_NULL) return std::nullopt;
        return value_traits<T>::read(raw);
    }
};

/* A list of as many items. */
template <typename... T> struct value_traits<std::tuple<T...>> {
    static value make(std::tuple<T...> items) {
        return std::apply(
            [](auto &&...each) { return detail::list_of(std::vector<value>{ value(std::move(each))... }); },
            std::move(items));
    }
    static std::tuple<T...> read(const streams_value &raw) {
        return read(raw, std::index_sequence_for<T...>());
    }

private:
    template <std::size_t... I>
    static std::tuple<T...> read(const streams_value &raw, std::index_sequence<I...>) {
        if (raw.kind != STREAMS_VALUE_LIST || raw.size != sizeof...(T))
            throw bad_value("a list of " + std::to_string(sizeof...(T)) + " items", raw);
        return { value_traits<T>::read(raw.as.items[I])... };
    }
};

template <typename A, typename B> struct value_traits<std::pair<A, B>> {
    static value make(std::pair<A, B> items) { return std::tuple<A, B>(std::move(items)); }
    static std::pair<A, B> read(const streams_value &raw) {
        auto [first, second] = value_traits<std::tuple<A, B>>::read(raw);
        return { std::move(first), std::move(second) };
    }
};

/* A list of values, for what has no type in common: list({ 1, "two" }). */
inline value list(const std::vector<value> &items) { return detail::list_of(items); }

} // namespace streams

#endif /* STREAMS_CONVERSIONS_HPP */
