/*
 * streams/errors.h - why a stream fails.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_ERRORS_H
#define STREAMS_ERRORS_H

#include "base.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Errors of streams
 *
 * Two domains belong to the library. In "streams" the code is a streams_status
 * and tells what went wrong inside a stream. In "streams.callback" the code is
 * the status that a callback returned without naming an error.
 * ======================================================================== */

/*
 * Makes an error that a stream can fail with.
 *
 * Ownership: copies domain, message and object; object may be NULL. The result
 *   is yours.
 * Errors: NULL with STREAMS_NULL_ARGUMENT (domain, message),
 *   STREAMS_INVALID_UTF8, STREAMS_INVALID_VALUE, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_error *streams_error_create(
    int64_t code, const char *domain, const char *message, const streams_value *object);

/*
 * The error's code. What it means is up to the domain.
 *
 * Ownership: borrows error.
 * Errors: 0 with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND.
 */
STREAMS_API int64_t streams_error_code(const streams_error *error);

/*
 * Returns a number that no other error of the process has or had. A stream's
 * failure that reaches several subscribers, or one more than once, is one error
 * with one number, whatever its handle is.
 *
 * Ownership: borrows error.
 * Errors: 0 with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND.
 */
STREAMS_API uint64_t streams_error_number(const streams_error *error);

/*
 * The error's domain, ended by NUL.
 *
 * Ownership: borrowed; valid as long as the error is.
 * Errors: "" with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND. Never NULL.
 */
STREAMS_API const char *streams_error_domain(const streams_error *error);

/*
 * The error's message for people, ended by NUL.
 *
 * Ownership: borrowed; valid as long as the error is.
 * Errors: "" with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND. Never NULL.
 */
STREAMS_API const char *streams_error_message(const streams_error *error);

/*
 * The value that the error carries, for instance an exception of another
 * language; NULL if it carries none.
 *
 * Ownership: borrowed; valid as long as the error is.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND. NULL for "none" leaves the last error alone.
 */
STREAMS_API const streams_value *streams_error_object(const streams_error *error);

/*
 * Returns the error of a callback: the one that made the last failing call of this
 * thread fail with STREAMS_CALLBACK_FAILED. Calls such as
 * streams_property_get_value and streams_value_equal can fail in this way. NULL if
 * there was no such callback, or there is no handle left for its error. It is kept
 * until the next failing call of the thread, or streams_clear_last_error.
 *
 * Ownership: the result is yours.
 * Threads: any; each thread has its own.
 * Errors: none; leaves the last error alone.
 */
STREAMS_API streams_error *streams_last_error(void);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_ERRORS_H */
