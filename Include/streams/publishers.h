/*
 * streams/publishers.h - publishers of values that exist already.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_PUBLISHERS_H
#define STREAMS_PUBLISHERS_H

#include "base.h"
#include "callbacks.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Publishers
 * ======================================================================== */

/* Demand without a limit. Demand adds up; from 9223372036854775807 on it counts as
 * unlimited and stays so. */
#define STREAMS_UNLIMITED 18446744073709551615ULL

/* A prefetch that follows the demand: no bound if everything is demanded, and 256
 * values if a limited number is. See streams_group_by. */
#define STREAMS_AS_DEMANDED 0ULL

/*
 * on_value, on_values and on_numbers return this instead of a demand in order to
 * fail with the error that streams_callback_fail has named:
 *
 *     if (write(file, value) < 0) {
 *         streams_callback_fail_with(errno, "file", strerror(errno));
 *         return STREAMS_FAIL;
 *     }
 *
 * The stream is cancelled, and on_completion is called with that error, or else
 * with one in the domain "streams.callback".
 */
#define STREAMS_FAIL 18446744073709551614ULL

/*
 * Publishes one value to each subscriber and finishes. Combine's Just.
 *
 * Ownership: copies value; the result is yours.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_UTF8, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_publisher *streams_just(const streams_value *value);

/*
 * Publishes nothing, and finishes immediately or, if complete_immediately is false,
 * never. Combine's Empty.
 *
 * Ownership: the result is yours.
 * Errors: NULL with STREAMS_LIMIT.
 */
STREAMS_API streams_publisher *streams_empty(bool complete_immediately);

/*
 * Publishes nothing and fails immediately. Combine's Fail.
 *
 * Ownership: borrows error; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_publisher *streams_fail(const streams_error *error);

/*
 * Publishes an array of values to each subscriber, from its beginning, as demanded,
 * and finishes. Combine's Publishers.Sequence.
 *
 * Ownership: copies values, which may be NULL if count is 0; the result is
 *   yours.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_UTF8, STREAMS_OUT_OF_RANGE, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_publisher *streams_sequence(const streams_value *values, size_t count);

/*
 * Publishes an array of integers; otherwise as streams_sequence.
 *
 * Ownership: copies values, which may be NULL if count is 0; the result is
 *   yours.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_OUT_OF_RANGE,
 *   STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_publisher *streams_sequence_int64s(const int64_t *values, size_t count);

/*
 * Publishes an array of doubles; otherwise as streams_sequence.
 *
 * Ownership: copies values, which may be NULL if count is 0; the result is
 *   yours.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_OUT_OF_RANGE,
 *   STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_publisher *streams_sequence_doubles(const double *values, size_t count);

/*
 * Publishes the numbers of an array, each a value of its own; otherwise as
 * streams_sequence. An array with an owner is not copied.
 *
 * Ownership: borrows numbers, and copies what has no owner; the result is yours.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY;
 *   STREAMS_INVALID_VALUE if it is not an array of numbers.
 */
STREAMS_API streams_publisher *streams_sequence_numbers(const streams_value *numbers);

/*
 * Publishes recorded values to each subscriber, from the first on, as demanded, and
 * then fails with the error, or finishes if error is NULL. Combine's Record.
 *
 * Ownership: copies values, which may be NULL if count is 0; borrows error, which
 *   the publisher keeps; the result is yours.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_UTF8, STREAMS_OUT_OF_RANGE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_publisher *streams_record(
    const streams_value *values, size_t count, const streams_error *error);

/*
 * Calls the callback for each subscriber, to make its publisher. A failing callback
 * fails that stream. Combine's Deferred.
 *
 * Ownership: takes context; takes each publisher that the callback returns; the
 *   result is yours.
 * Threads: any; the callback is called on the thread that subscribes. Two
 *   subscriptions may call it concurrently.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_LIMIT.
 *   A bad handle returned by the callback fails the stream in the domain
 *   "streams".
 */
STREAMS_API streams_publisher *streams_deferred(
    streams_make_publisher_fn make, void *context, streams_destroy_fn destroy);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_PUBLISHERS_H */
