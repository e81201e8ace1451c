/*
 * streams/handles.hpp - handles that release themselves, and calls that throw.
 *
 * The rules at the top of streams.hpp hold here too.
 */

#ifndef STREAMS_HANDLES_HPP
#define STREAMS_HANDLES_HPP

#include "../streams.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace streams {

/* Demand without a limit. */
inline constexpr std::uint64_t unlimited = STREAMS_UNLIMITED;
/* A prefetch that follows the demand: see group_by. */
inline constexpr std::uint64_t as_demanded = STREAMS_AS_DEMANDED;
/* A time that does not come. */
inline constexpr std::chrono::nanoseconds forever = std::chrono::nanoseconds::max();

/* A call that the library has refused: its status, and a sentence that names the function and the argument at
 * fault. A stream that fails is something else: see failures.hpp. */
class [[gnu::visibility("default")]] error : public std::runtime_error {
public:
    error(streams_status status, const std::string &message) : std::runtime_error(message), status_(status) {}

    streams_status status() const noexcept { return status_; }

    /* The last error of this thread. */
    static error last() {
        return { streams_last_status(),
            std::string(streams_last_function()) + ": " + streams_last_message() };
    }

private:
    streams_status status_;
};

namespace detail {

/* Throws what a call has failed with: what a function of yours threw in it, as itself, or else an error. */
[[noreturn]] void throw_last();

inline void check(streams_status status) {
    if (status != STREAMS_OK) throw_last();
}

template <typename Opaque> Opaque *checked(Opaque *raw) {
    if (raw == nullptr) throw_last();
    return raw;
}

inline const char *text_or_none(const std::string &text) noexcept {
    return text.empty() ? nullptr : text.c_str();
}

/* Text of a function that writes it as snprintf does. */
template <typename Write> std::string text_of(Write write) {
    std::size_t needed = 0;
    check(write(nullptr, 0, &needed));
    std::string text(needed + 1, '\0'); // with room for the NUL
    check(write(text.data(), text.size(), &needed));
    text.resize(needed);
    return text;
}

} // namespace detail

/*
 * Owns one reference to a handle of streams.h and releases it. It is moved, not copied: two owners of a
 * running stream are rarely meant. One that is empty, or was moved from, is refused by every call.
 */
template <typename Opaque> class handle {
public:
    handle() noexcept = default;
    /* Takes over a reference to a handle of C; streams_retain keeps another. */
    explicit handle(Opaque *raw) noexcept : raw_(raw) {}
    handle(handle &&other) noexcept : raw_(other.release()) {}
    handle &operator=(handle &&other) noexcept {
        handle(std::move(other)).swap(*this);
        return *this;
    }
    ~handle() { reset(); }

    /* The handle for functions of C that borrow it. */
    Opaque *get() const noexcept { return raw_; }
    /* Gives the reference away, to a function of C that consumes it. */
    [[nodiscard]] Opaque *release() noexcept { return std::exchange(raw_, nullptr); }
    /* Releases the reference now. */
    void reset() noexcept {
        if (raw_ != nullptr) (void)streams_release(release());
    }
    void swap(handle &other) noexcept { std::swap(raw_, other.raw_); }
    explicit operator bool() const noexcept { return raw_ != nullptr; }

private:
    Opaque *raw_ = nullptr;
};

/* A handle that is copied by adding a reference: both stand for the same object. */
template <typename Opaque> class shared_handle : public handle<Opaque> {
public:
    using handle<Opaque>::handle;
    shared_handle(const shared_handle &other) : handle<Opaque>(other ? other.reference() : nullptr) {
        if (other && !*this) detail::throw_last();
    }
    shared_handle(shared_handle &&) noexcept = default;
    shared_handle &operator=(const shared_handle &other) { return *this = shared_handle(other); }
    shared_handle &operator=(shared_handle &&) noexcept = default;

    /* One more reference, for a function of C that consumes it; NULL if that cannot be, and C keeps the
     * error. */
    [[nodiscard]] Opaque *reference() const noexcept {
        return streams_retain(this->get()) == STREAMS_OK ? this->get() : nullptr;
    }

    friend bool operator==(const shared_handle &a, const shared_handle &b) noexcept {
        return a.get() == b.get();
    }
    friend bool operator!=(const shared_handle &a, const shared_handle &b) noexcept {
        return a.get() != b.get();
    }
};

namespace detail {

/* A handle that a callback is lent: as if it were owned, but without a reference. */
template <typename Handle> class lent {
public:
    template <typename Opaque> explicit lent(Opaque *raw) noexcept : handle_(raw) {}
    lent(const lent &) = delete;
    ~lent() { (void)handle_.release(); }
    Handle &get() noexcept { return handle_; }

private:
    Handle handle_;
};

} // namespace detail

} // namespace streams

#endif /* STREAMS_HANDLES_HPP */
