/*
 * streams/operators.h - what holds for all operators, and those that take values one by one.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_OPERATORS_H
#define STREAMS_OPERATORS_H

#include "base.h"
#include "callbacks.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Operators
 *
 * For all of them, Ownership is as described here, and Threads and Errors are as at
 * the top of streams.h.
 *
 * Ownership: the publishers given are consumed and the callback's context is
 * taken, in success and failure; other arguments are borrowed or copied. The
 * result is yours.
 *
 * Between a publisher and its subscriber, a run of streams_map, streams_filter
 * and streams_compact_map costs one operator, however long it is. A chain may
 * have any number of operators; how many of them can run depends on the stack (rule
 * 8 of streams.h).
 *
 * The results of an array's values may be delivered together: a callback of such a
 * run can be called for several values before the subscriber has received the first
 * result. The order of events stays the same: when the callback calls any function
 * with a handle (to send, finish, request, cancel, subscribe), the earlier results
 * are delivered first, within that call. So the subscriber receives the same as if
 * the values were sent one by one. A callback that is already running runs to its
 * end, even if those results end the stream; after that no callback of the run is
 * called.
 * ======================================================================== */

/*
 * Transforms each value. A failing callback fails the stream, so this is Combine's
 * tryMap as well as its map.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 */
STREAMS_API streams_publisher *streams_map(STREAMS_CONSUMES streams_publisher *publisher,
    streams_transform_fn transform, void *context, streams_destroy_fn destroy);

/*
 * Passes on the values for which the callback answers true. A value that is
 * dropped does not use up demand.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 */
STREAMS_API streams_publisher *streams_filter(STREAMS_CONSUMES streams_publisher *publisher,
    streams_predicate_fn is_included, void *context, streams_destroy_fn destroy);

/*
 * Transforms each value and drops the results that are null. A value that is
 * dropped does not use up demand.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 */
STREAMS_API streams_publisher *streams_compact_map(STREAMS_CONSUMES streams_publisher *publisher,
    streams_transform_fn transform, void *context, streams_destroy_fn destroy);

/*
 * Transforms as many values at a time as there are: the callback gets numbers that
 * were sent as an array as that array, or as the parts of it for which there is
 * demand. Its results travel on together too.
 *
 *     static streams_status celsius(void *context, const streams_value *in, streams_value *out) {
 *         double *results = malloc(in->size * sizeof *results);
 *         if (results == NULL) return STREAMS_OUT_OF_MEMORY;
 *         for (uint32_t i = 0; i < in->size; i++) results[i] = (in->as.reals[i] - 32) / 1.8;
 *         return streams_value_doubles_nocopy(results, in->size, results, free, out);
 *     }
 *
 * A result of another size, or of another kind, fails the stream with
 * STREAMS_INVALID_VALUE in the domain "streams".
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 */
STREAMS_API streams_publisher *streams_map_batch(STREAMS_CONSUMES streams_publisher *publisher,
    streams_transform_batch_fn transform, void *context, streams_destroy_fn destroy);

/*
 * Encodes each value: streams_map, under the name that Combine gives to a
 * transformation by a coder.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 */
STREAMS_API streams_publisher *streams_encode(STREAMS_CONSUMES streams_publisher *publisher,
    streams_transform_fn encode, void *context, streams_destroy_fn destroy);

/*
 * Decodes each value; otherwise as streams_encode.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 */
STREAMS_API streams_publisher *streams_decode(STREAMS_CONSUMES streams_publisher *publisher,
    streams_transform_fn decode, void *context, streams_destroy_fn destroy);

/*
 * Drops a value that equals the one before it, in the sense of
 * streams_value_equal.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_remove_duplicates(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Drops a value that the callback calls the same as the one before it, whether
 * that one was passed on or dropped.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 */
STREAMS_API streams_publisher *streams_remove_duplicates_by(STREAMS_CONSUMES streams_publisher *publisher,
    streams_compare_fn is_same, void *context, streams_destroy_fn destroy);

/*
 * Drops each value that equals one before it, however long ago: they are compared
 * as streams_value_equal does, kinds first, then contents. A value that is dropped
 * does not use up demand. All values that were passed on are kept as long as the
 * subscription. Among objects of one type with an equals, and among lists of one
 * size, every one is compared with every other.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_distinct(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Drops each value with the key of one before it, however long ago: otherwise as
 * streams_distinct. The callback makes the key of a value; if it fails, so does the
 * stream.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 */
STREAMS_API streams_publisher *streams_distinct_by(STREAMS_CONSUMES streams_publisher *publisher,
    streams_transform_fn key, void *context, streams_destroy_fn destroy);

/*
 * Replaces each null by a value.
 *
 * Ownership: consumes publisher; copies value; the result is yours.
 * Errors: NULL with the common ones, STREAMS_NULL_ARGUMENT (value),
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_publisher *streams_replace_nil(
    STREAMS_CONSUMES streams_publisher *publisher, const streams_value *value);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_OPERATORS_H */
