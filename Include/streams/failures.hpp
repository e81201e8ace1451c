/*
 * streams/failures.hpp - why a stream fails, as an exception.
 *
 * The rules at the top of streams.hpp hold here too.
 */

#ifndef STREAMS_FAILURES_HPP
#define STREAMS_FAILURES_HPP

#include "conversions.hpp"

#include <exception>
#include <memory>
#include <system_error>

namespace streams {

/*
 * A stream's failure that is not a C++ exception: one of the library's, of C or of another language, or of
 * yours. The number tells errors apart: see streams_error_number.
 *
 *     throw streams::failure(111, "network", "refused");
 */
class [[gnu::visibility("default")]] failure final : public std::runtime_error {
public:
    failure(std::int64_t code, const std::string &domain, const std::string &message,
        const value &object = nullptr)
        : failure(handle<streams_error>(detail::checked(streams_error_create(
              code, domain.c_str(), message.c_str(), object.is_null() ? nullptr : &object.raw())))) {}
    explicit failure(handle<streams_error> raw)
        : std::runtime_error(streams_error_message(raw.get())),
          handle_(std::make_shared<handle<streams_error>>(std::move(raw))) {}

    std::int64_t code() const noexcept { return streams_error_code(get()); }
    std::string domain() const { return streams_error_domain(get()); }
    std::uint64_t number() const noexcept { return streams_error_number(get()); }
    /* What it carries, or null. */
    value object() const {
        const streams_value *carried = streams_error_object(get());
        return carried != nullptr ? value(value_view(*carried)) : value();
    }
    streams_error *get() const noexcept { return handle_->get(); }

private:
    std::shared_ptr<handle<streams_error>> handle_; // exceptions are copied without throwing
};

namespace detail {

using error_handle = shared_handle<streams_error>;

/* An error that carries an exception. Text that is not UTF-8 is not repeated. */
inline error_handle carrying(
    std::int64_t code, const char *domain, const char *message, const std::exception_ptr &exception) {
    const value carried(exception);
    streams_error *raw = streams_error_create(code, domain, message, &carried.raw());
    if (raw == nullptr && streams_last_status() == STREAMS_INVALID_UTF8)
        raw = streams_error_create(code, "c++", "an exception whose text is not UTF-8", &carried.raw());
    return error_handle(checked(raw));
}

/* An exception as an error of streams.h: the other direction is exception_of. */
inline error_handle error_of(const std::exception_ptr &exception) {
    if (!exception) throw std::invalid_argument("there is no exception to fail with");
    try {
        std::rethrow_exception(exception);
    } catch (const failure &e) {
        check(streams_retain(e.get()));
        return error_handle(e.get());
    } catch (const error &e) {
        return carrying(e.status(), "streams.callback", e.what(), exception);
    } catch (const std::system_error &e) {
        return carrying(e.code().value(), e.code().category().name(), e.what(), exception);
    } catch (const std::exception &e) { return carrying(0, "c++", e.what(), exception); } catch (...) {
        return carrying(0, "c++", "an exception that is not a std::exception", exception);
    }
}

/* The exception that an error stands for; none for none. One that assert_no_failure has made is a failure. */
inline std::exception_ptr exception_of(const streams_error *raw) {
    if (raw == nullptr) return nullptr;
    const streams_value *carried = streams_error_object(raw);
    const bool is_asserted = streams_error_code(raw) == STREAMS_ASSERTION_FAILED &&
                             std::string_view(streams_error_domain(raw)) == "streams";
    if (carried != nullptr && !is_asserted && object_type<std::exception_ptr>::is_of(*carried))
        return value_traits<std::exception_ptr>::read(*carried);
    check(streams_retain(raw));
    return std::make_exception_ptr(failure(handle<streams_error>(const_cast<streams_error *>(raw))));
}

inline void throw_last() {
    if (streams_last_status() == STREAMS_CALLBACK_FAILED) {
        const handle<streams_error> cause(streams_last_error());
        if (cause) std::rethrow_exception(exception_of(cause.get()));
    }
    throw error::last();
}

/* Fails the running callback with the exception that is being handled, or with the failure that it was lent,
 * if that is where the exception comes from. */
inline streams_status fail_callback(const streams_error *lent) noexcept {
    try {
        const std::exception_ptr exception = std::current_exception();
        if (lent != nullptr && exception == exception_of(lent)) return streams_callback_fail(lent);
        return streams_callback_fail(error_of(exception).get());
    } catch (...) { return STREAMS_OUT_OF_MEMORY; }
}

/* Runs what a callback does. No exception leaves it. */
template <typename Body> streams_status guarded(Body body, const streams_error *lent = nullptr) noexcept {
    try {
        body();
        return STREAMS_OK;
    } catch (...) { return fail_callback(lent); }
}

} // namespace detail

} // namespace streams

#endif /* STREAMS_FAILURES_HPP */
