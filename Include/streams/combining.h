/*
 * streams/combining.h - operators that make one stream from several.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_COMBINING_H
#define STREAMS_COMBINING_H

#include "base.h"
#include "callbacks.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Combining
 * ======================================================================== */

/*
 * Makes a publisher from each value and passes on what all of these publish. At most
 * max_publishers of them are subscribed to at a time; the upstream is asked for more
 * as they finish. STREAMS_UNLIMITED sets no bound; 0 never asks for a value. Their
 * values come in the order in which they are published; with 1, in the order of the
 * upstream's values.
 *
 * Ownership: consumes publisher; takes context; takes each publisher that the
 *   callback returns; the result is yours.
 * Errors: NULL with the common ones. A bad handle returned by the callback
 *   fails the stream in the domain "streams".
 */
STREAMS_API streams_publisher *streams_flat_map(STREAMS_CONSUMES streams_publisher *publisher,
    uint64_t max_publishers,
    streams_expand_fn transform, void *context, streams_destroy_fn destroy);

/*
 * Makes a publisher from each value and passes on what these publish, all values of
 * the first before those of the second: streams_flat_map with one publisher at a
 * time, but without losing values. With unlimited demand, an upstream that sends
 * when it likes, such as a subject, is asked for everything, and its values wait
 * for their turn. An upstream that sends on request, such as a sequence, can itself
 * wait: it is asked for a value when the previous publisher has finished, and may
 * be endless; where another publisher follows it (streams_append), 256 values
 * ahead. While the demand is limited, every upstream is asked for one value at
 * a time. A failure, also of the upstream, and a cancellation drop the values that
 * wait. In a streams_flat_map with one publisher at a time, no values wait.
 *
 * Ownership: consumes publisher; takes context; takes each publisher that the
 *   callback returns; the result is yours.
 * Errors: NULL with the common ones. A bad handle returned by the callback
 *   fails the stream in the domain "streams".
 */
STREAMS_API streams_publisher *streams_concat_map(STREAMS_CONSUMES streams_publisher *publisher,
    streams_expand_fn transform, void *context, streams_destroy_fn destroy);

/*
 * Makes a publisher from each value and passes on what the latest of these
 * publishes; the previous one is cancelled. It asks the upstream for all values,
 * and the latest publisher for the demand that is still open. It finishes when the
 * upstream and the latest publisher have. It is Combine's map followed by
 * switchToLatest, since publishers are not values in C.
 *
 * Ownership: consumes publisher; takes context; takes each publisher that the
 *   callback returns; the result is yours.
 * Errors: NULL with the common ones. A bad handle returned by the callback
 *   fails the stream in the domain "streams".
 */
STREAMS_API streams_publisher *streams_switch_to_latest(STREAMS_CONSUMES streams_publisher *publisher,
    streams_expand_fn transform, void *context, streams_destroy_fn destroy);

/*
 * Passes on what any of the publishers publishes, and finishes when all have
 * finished. With no publishers it finishes immediately.
 *
 * While demand has a limit, each publisher is asked for one value at a time, as in
 * Combine, and for the next when that one has been passed on. Until then, a
 * passthrough subject drops the values that it is sent, even by the subscriber
 * itself, and counts them (streams_dropped); a current-value subject keeps the
 * latest until it is asked again or sends again. A streams_buffer before the merge
 * keeps all of them.
 *
 * Ownership: consumes every publisher in the array, also on failure, but not
 *   the array; the result is yours. A handle that occurs twice needs two
 *   references.
 * Errors: NULL with the common ones for any element, STREAMS_OUT_OF_MEMORY;
 *   STREAMS_NULL_ARGUMENT if the array is NULL and count is not 0.
 */
STREAMS_API streams_publisher *streams_merge(
    STREAMS_CONSUMES streams_publisher *const *publishers, size_t count);

/*
 * Passes on only the publisher that is first to send a value, or to end; the others
 * are cancelled. They are subscribed to in the order of the array, until one has
 * sent something. With no publishers it finishes immediately.
 *
 * Ownership: as streams_merge.
 * Errors: as streams_merge.
 */
STREAMS_API streams_publisher *streams_amb(
    STREAMS_CONSUMES streams_publisher *const *publishers, size_t count);

/*
 * Publishes a list of the latest value of each publisher, in the order of the
 * array, whenever one of them publishes, as soon as all have published. Finishes
 * when all have finished. With no publishers it finishes immediately.
 *
 * While a subscriber receives a list, it may make one of the publishers send a
 * value, on the same thread: as in Combine, that value goes into the next list and
 * makes none of its own. Lists beyond the demand are dropped, and counted
 * (streams_dropped).
 *
 * Ownership: as streams_merge.
 * Errors: as streams_merge.
 */
STREAMS_API streams_publisher *streams_combine_latest(
    STREAMS_CONSUMES streams_publisher *const *publishers, size_t count);

/*
 * Publishes what the callback makes of the latest value of each publisher, whenever
 * one of them publishes, as soon as all have published: streams_combine_latest
 * without the list. A failing callback fails the stream.
 *
 * Ownership: as streams_merge; takes context.
 * Errors: as streams_merge; STREAMS_NULL_ARGUMENT if the callback is NULL.
 */
STREAMS_API streams_publisher *streams_combine_latest_with(
    STREAMS_CONSUMES streams_publisher *const *publishers, size_t count,
    streams_combine_values_fn combine, void *context, streams_destroy_fn destroy);

/*
 * Publishes a list of the first value of each publisher, then one of the second,
 * and so on. Finishes when a publisher that has finished has no values left. With
 * no publishers it finishes immediately.
 *
 * Ownership: as streams_merge.
 * Errors: as streams_merge.
 */
STREAMS_API streams_publisher *streams_zip(
    STREAMS_CONSUMES streams_publisher *const *publishers, size_t count);

/*
 * Publishes what the callback makes of the first value of each publisher, then of
 * the second ones, and so on: streams_zip without the list. A failing callback
 * fails the stream.
 *
 * Ownership: as streams_merge; takes context.
 * Errors: as streams_merge; STREAMS_NULL_ARGUMENT if the callback is NULL.
 */
STREAMS_API streams_publisher *streams_zip_with(
    STREAMS_CONSUMES streams_publisher *const *publishers, size_t count,
    streams_combine_values_fn combine, void *context, streams_destroy_fn destroy);

/*
 * Publishes, for each value of publisher, a list of two: that value, and the latest
 * of other. A value that comes before other's first is dropped, and uses up no
 * demand. Other is subscribed to first, and asked for all its values. The stream
 * ends with publisher, and fails if other does; if other finishes, the stream goes
 * on.
 *
 * Ownership: consumes publisher and consumes other; the result is yours. A
 *   handle that is both needs two references.
 * Errors: NULL with the common ones for either.
 */
STREAMS_API streams_publisher *streams_with_latest_from(
    STREAMS_CONSUMES streams_publisher *publisher, STREAMS_CONSUMES streams_publisher *other);

/*
 * Publishes, for each value of publisher, what the callback makes of that and of the
 * latest value of other: streams_with_latest_from without the list. A failing
 * callback fails the stream.
 *
 * Ownership: consumes publisher and consumes other; takes context; the result is
 *   yours. A handle that is both needs two references.
 * Errors: NULL with the common ones for either.
 */
STREAMS_API streams_publisher *streams_with_latest_from_with(
    STREAMS_CONSUMES streams_publisher *publisher, STREAMS_CONSUMES streams_publisher *other,
    streams_combine_values_fn combine, void *context, streams_destroy_fn destroy);

/*
 * Publishes the latest value of publisher whenever trigger publishes one, unless it
 * has been published already. A value stays the latest while there is no demand for
 * it. Both are asked for all values; trigger is subscribed to first. When publisher
 * has finished, its last value waits for trigger, and then the stream finishes.
 * When trigger finishes, the latest value is published for the last time, or
 * dropped and counted if there is no demand for it, and the stream finishes. A
 * failure of either fails it.
 *
 * Ownership: consumes publisher and consumes trigger; the result is yours. A
 *   handle that is both needs two references.
 * Errors: NULL with the common ones for either.
 */
STREAMS_API streams_publisher *streams_sample(
    STREAMS_CONSUMES streams_publisher *publisher, STREAMS_CONSUMES streams_publisher *trigger);

/*
 * Passes on what publisher publishes. When it has finished, subscribes to other
 * with the demand that is left, and passes on what that publishes. A failure of
 * either fails the stream.
 *
 * Ownership: consumes publisher and consumes other; the result is yours. A
 *   handle that is both needs two references.
 * Errors: NULL with the common ones for either.
 */
STREAMS_API streams_publisher *streams_append(
    STREAMS_CONSUMES streams_publisher *publisher, STREAMS_CONSUMES streams_publisher *other);

/*
 * Passes on what other publishes, then what publisher does: streams_append in the
 * other order.
 *
 * Ownership: consumes publisher and consumes other; the result is yours. A
 *   handle that is both needs two references.
 * Errors: NULL with the common ones for either.
 */
STREAMS_API streams_publisher *streams_prepend(
    STREAMS_CONSUMES streams_publisher *publisher, STREAMS_CONSUMES streams_publisher *other);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_COMBINING_H */
