/*
 * streams/selecting.h - operators that pass on a part of a stream.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_SELECTING_H
#define STREAMS_SELECTING_H

#include "base.h"
#include "callbacks.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Selecting
 * ======================================================================== */

/*
 * Passes on the first count values, then finishes and cancels the upstream. A
 * count of 0 passes on nothing, and finishes when the first value comes. A failure
 * of the upstream during the last value does not fail the stream. Demand passes
 * through: the upstream may be asked for more values than are passed on.
 *
 * Ownership: consumes publisher; the result is yours.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if count is
 *   negative.
 */
STREAMS_API streams_publisher *streams_prefix(STREAMS_CONSUMES streams_publisher *publisher, int64_t count);

/*
 * Drops the first count values and passes on the rest.
 *
 * Ownership: consumes publisher; the result is yours.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if count is
 *   negative.
 */
STREAMS_API streams_publisher *streams_drop_first(
    STREAMS_CONSUMES streams_publisher *publisher, int64_t count);

/*
 * Drops values for as long as the callback answers true. Passes on the first for
 * which it does not and all that follow, without asking the callback again. A value
 * that is dropped does not use up demand. A failing callback fails the stream.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 */
STREAMS_API streams_publisher *streams_drop_while(STREAMS_CONSUMES streams_publisher *publisher,
    streams_predicate_fn predicate, void *context, streams_destroy_fn destroy);

/*
 * Passes on values for as long as the callback answers true. With the first for
 * which it does not, the stream finishes and the upstream is cancelled. A failing
 * callback fails the stream.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 */
STREAMS_API streams_publisher *streams_prefix_while(STREAMS_CONSUMES streams_publisher *publisher,
    streams_predicate_fn predicate, void *context, streams_destroy_fn destroy);

/*
 * Passes on the first value only, then finishes and cancels the upstream; finishes
 * without a value if the upstream does. Unlike streams_prefix, it asks for all
 * values immediately, and value and end wait until a value is asked for.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_first(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Passes on the first value for which the callback answers true, then finishes and
 * cancels the upstream; otherwise as streams_first. A failing callback fails the
 * stream.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 */
STREAMS_API streams_publisher *streams_first_where(STREAMS_CONSUMES streams_publisher *publisher,
    streams_predicate_fn predicate, void *context, streams_destroy_fn destroy);

/*
 * Passes on the last value only, once the upstream finishes; finishes without a
 * value if there was none. It asks for all values immediately, and value and end
 * wait until a value is asked for.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_last(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Passes on the last value for which the callback answers true, once the upstream
 * finishes; otherwise as streams_last. A failing callback fails the stream.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 */
STREAMS_API streams_publisher *streams_last_where(STREAMS_CONSUMES streams_publisher *publisher,
    streams_predicate_fn predicate, void *context, streams_destroy_fn destroy);

/*
 * Passes on only the value with this index, counted from 0, then finishes and
 * cancels the upstream; finishes without a value if there are fewer. A value that
 * is dropped does not use up demand.
 *
 * Ownership: consumes publisher; the result is yours.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if index is
 *   negative or INT64_MAX.
 */
STREAMS_API streams_publisher *streams_output_at(
    STREAMS_CONSUMES streams_publisher *publisher, int64_t index);

/*
 * Passes on the values with the indices from lower to below upper, then finishes
 * and cancels the upstream. If the range is empty, it finishes when the value with
 * the index lower comes, and drops that. A value that is dropped does not use up
 * demand.
 *
 * Ownership: consumes publisher; the result is yours.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if lower is
 *   negative, or upper is less than lower.
 */
STREAMS_API streams_publisher *streams_output_in(
    STREAMS_CONSUMES streams_publisher *publisher, int64_t lower, int64_t upper);

/*
 * Drops values until other publishes one, and then passes on all that follow. A
 * value that is dropped uses up demand. If other ends without a value, the stream
 * ends in the same way, and the upstream is cancelled. Other is asked for one
 * value, and cancelled when it comes.
 *
 * Ownership: consumes publisher and consumes other; the result is yours. A
 *   handle that is both needs two references.
 * Errors: NULL with the common ones for either.
 */
STREAMS_API streams_publisher *streams_drop_until_output(
    STREAMS_CONSUMES streams_publisher *publisher, STREAMS_CONSUMES streams_publisher *other);

/*
 * Passes on values until other publishes one; then the stream finishes, and the
 * upstream is cancelled. An end of other without a value, even a failure, is
 * ignored. Other is asked for one value, and cancelled when it comes, or when the
 * upstream ends.
 *
 * Ownership: consumes publisher and consumes other; the result is yours. A
 *   handle that is both needs two references.
 * Errors: NULL with the common ones for either.
 */
STREAMS_API streams_publisher *streams_prefix_until_output(
    STREAMS_CONSUMES streams_publisher *publisher, STREAMS_CONSUMES streams_publisher *other);

/*
 * Passes on no value, only the end. It asks for all values immediately.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_ignore_output(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Passes on all values, and publishes the given one if the upstream finishes
 * without any. That value waits until it is asked for; a failure passes through.
 *
 * Ownership: consumes publisher; copies value; the result is yours.
 * Errors: NULL with the common ones, STREAMS_NULL_ARGUMENT (value),
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_publisher *streams_replace_empty(
    STREAMS_CONSUMES streams_publisher *publisher, const streams_value *value);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_SELECTING_H */
