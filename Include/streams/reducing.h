/*
 * streams/reducing.h - operators that make one value from several, and buffers.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_REDUCING_H
#define STREAMS_REDUCING_H

#include "base.h"
#include "callbacks.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Reducing
 * ======================================================================== */

/*
 * Combines each value with what is accumulated so far, beginning with initial,
 * and publishes every intermediate result.
 *
 * Ownership: consumes publisher; copies initial; takes context; the result is
 *   yours.
 * Errors: NULL with the common ones, STREAMS_NULL_ARGUMENT (initial),
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_publisher *streams_scan(STREAMS_CONSUMES streams_publisher *publisher,
    const streams_value *initial,
    streams_combine_fn combine, void *context, streams_destroy_fn destroy);

/*
 * Publishes, for each value but the first, a list of two: the value before it, and
 * the value. The first uses up no demand.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_pairwise(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Combines all values, beginning with initial, and publishes the result once
 * the upstream finishes.
 *
 * Ownership: consumes publisher; copies initial; takes context; the result is
 *   yours.
 * Errors: NULL with the common ones, STREAMS_NULL_ARGUMENT (initial),
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_publisher *streams_reduce(STREAMS_CONSUMES streams_publisher *publisher,
    const streams_value *initial,
    streams_combine_fn combine, void *context, streams_destroy_fn destroy);

/*
 * Publishes how many values there were, an integer, once the upstream finishes. It
 * asks for all values immediately; the result waits until it is asked for.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_count(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Publishes the sum of all values once the stream finishes: the integer 0 if there
 * were none, an integer if all are, and otherwise a double. A value that is not a
 * number fails the stream with STREAMS_INVALID_VALUE in the domain "streams", and a
 * sum of integers that 64 bits cannot hold with STREAMS_OUT_OF_RANGE.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_sum(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Publishes the least value once the upstream finishes, the first of equal ones;
 * finishes without a value if there was none. Numbers of either kind are compared
 * by their numeric value, strings and bytes byte by byte. Values of other kinds, or
 * a pair such as a number and a string, have no order: the stream then fails with
 * the code STREAMS_INVALID_VALUE in the domain "streams". It asks for all values
 * immediately; value and end wait until a value is asked for.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_min(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Publishes the greatest value once the upstream finishes; otherwise as
 * streams_min.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_max(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Publishes the least value, as streams_min does, in an order of your own. The
 * callback answers whether one value comes before another; a failing callback fails
 * the stream.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 */
STREAMS_API streams_publisher *streams_min_by(STREAMS_CONSUMES streams_publisher *publisher,
    streams_order_fn is_before, void *context, streams_destroy_fn destroy);

/*
 * Publishes the greatest value, as streams_max does, in an order of your own. The
 * callback answers whether one value comes before another; a failing callback fails
 * the stream.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 */
STREAMS_API streams_publisher *streams_max_by(STREAMS_CONSUMES streams_publisher *publisher,
    streams_order_fn is_before, void *context, streams_destroy_fn destroy);

/*
 * Publishes true and finishes when a value equals the given one, in the sense of
 * streams_value_equal, and cancels the upstream; false once the upstream finishes
 * without such a value. It asks for all values immediately; the result waits until
 * it is asked for.
 *
 * Ownership: consumes publisher; copies value; the result is yours.
 * Errors: NULL with the common ones, STREAMS_NULL_ARGUMENT (value),
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_publisher *streams_contains(
    STREAMS_CONSUMES streams_publisher *publisher, const streams_value *value);

/*
 * Publishes true when a value comes for which the callback answers true; otherwise
 * as streams_contains. A failing callback fails the stream.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 */
STREAMS_API streams_publisher *streams_contains_where(STREAMS_CONSUMES streams_publisher *publisher,
    streams_predicate_fn predicate, void *context, streams_destroy_fn destroy);

/*
 * Publishes false and finishes when the callback answers false to a value, and
 * cancels the upstream; true once the upstream finishes without such a value, or
 * without any. It asks for all values immediately; the result waits until it is
 * asked for. A failing callback fails the stream.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 */
STREAMS_API streams_publisher *streams_all_satisfy(STREAMS_CONSUMES streams_publisher *publisher,
    streams_predicate_fn predicate, void *context, streams_destroy_fn destroy);

/*
 * Collects all values and publishes them as one list once the upstream
 * finishes; an empty list if there were none.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_collect(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Collects values into lists of count; the last list may be shorter. A demand for
 * one list asks the upstream for count values.
 *
 * Ownership: consumes publisher; the result is yours.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if count is less
 *   than 1 or more than a list can hold.
 */
STREAMS_API streams_publisher *streams_collect_count(
    STREAMS_CONSUMES streams_publisher *publisher, int64_t count);


/* ========================================================================
 * Buffering
 * ======================================================================== */

/* How a buffer asks its upstream for values. */
typedef enum streams_prefetch {
    /* For as many as it can hold, and for one more for each that it delivers. */
    STREAMS_PREFETCH_KEEP_FULL = 0,
    /* For all. */
    STREAMS_PREFETCH_BY_REQUEST = 1
} streams_prefetch;

/* What a buffer does with a value when it is full. */
typedef enum streams_when_full {
    /* The value is dropped. */
    STREAMS_WHEN_FULL_DROP_NEWEST = 0,
    /* The value that has been in the buffer longest is dropped. */
    STREAMS_WHEN_FULL_DROP_OLDEST = 1
} streams_when_full;

/*
 * Keeps up to size values until there is demand for them. A finish waits until
 * all are delivered and one more is asked for; a failure does not wait for
 * demand, and what is in the buffer then is lost.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any; values come on the thread that sends, or that requests.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if size is less
 *   than 1, or for an unknown prefetch or when_full.
 */
STREAMS_API streams_publisher *streams_buffer(STREAMS_CONSUMES streams_publisher *publisher, int64_t size,
    streams_prefetch prefetch, streams_when_full when_full);

/*
 * Keeps up to size values, like streams_buffer, for streams that must not lose any:
 * a value for which there is no room cancels the upstream. The next request still
 * gets the values that it asks for, and then the failure, whose error the callback
 * makes at that moment. A failing callback fails the stream with its own error.
 *
 * Ownership: consumes publisher; takes context; takes the error that the
 *   callback returns; the result is yours.
 * Threads: any; values come on the thread that sends, or that requests.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if size is less
 *   than 1, or for an unknown prefetch. A bad handle returned by the callback
 *   fails the stream in the domain "streams".
 */
STREAMS_API streams_publisher *streams_buffer_or_fail(
    STREAMS_CONSUMES streams_publisher *publisher, int64_t size, streams_prefetch prefetch,
    streams_make_error_fn make_error, void *context, streams_destroy_fn destroy);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_REDUCING_H */
