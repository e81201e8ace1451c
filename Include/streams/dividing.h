/*
 * streams/dividing.h - streams of groups and windows.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_DIVIDING_H
#define STREAMS_DIVIDING_H

#include "base.h"
#include "callbacks.h"
#include "schedulers.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Dividing
 *
 * A stream can be divided into streams: groups of values with the same key, or
 * windows of successive values. The result is an outer stream whose values are
 * these streams. They are of the kind STREAMS_VALUE_OBJECT, and
 * streams_value_publisher gives the publisher of one:
 *
 *     static streams_status count_of(void *context, const streams_value *in, streams_publisher **out) {
 *         (void)context;
 *         *out = streams_count(streams_value_publisher(in));
 *         return STREAMS_OK;
 *     }
 *     p = streams_window_by_count(p, 100, 100, STREAMS_AS_DEMANDED);
 *     p = streams_flat_map(p, STREAMS_UNLIMITED, count_of, NULL, NULL);
 *
 * The demand of the outer stream counts groups or windows. Each of these has one
 * subscriber, which demands its values; any other finishes immediately. Values wait
 * for demand, and until their stream has a subscriber.
 *
 * prefetch is how many values may wait, in all of the streams together: the
 * upstream is asked for that many, and for one more for each that has been
 * delivered. Values beyond that are lost if the upstream cannot wait: a subject
 * cannot. With STREAMS_AS_DEMANDED the limit depends on the demand. If all streams
 * are demanded, as with streams_flat_map, the upstream is asked for all values, and
 * none is lost: any number of them waits in memory until their stream has a
 * subscriber. The limit is 256 while a limited number of streams is demanded, and
 * also while a limited number of a stream's values is demanded and the upstream has
 * its values ready, like a sequence. STREAMS_UNLIMITED never sets a limit.
 *
 * So each group or window must be subscribed to, or released: one that is no longer
 * held, as a value or as a publisher, drops its values, and so does one that is
 * cancelled. Streams that are received one after another, as with
 * streams_concat_map, need a prefetch that holds all values of those that wait.
 *
 * When the upstream ends, all groups or windows end after their values, and then
 * the outer stream ends. When the outer stream is cancelled, those that have a
 * subscriber go on; the others drop the values that waited, and are empty. The
 * upstream is cancelled with the last of them.
 * ======================================================================== */

/*
 * Divides values into groups by the keys that the callback makes from them,
 * compared as streams_value_equal does. A group is sent with its first value. There
 * is only one for each key, even after it has been cancelled. All keys are kept
 * until the end.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Threads: any; values come on the thread that sends, or that requests.
 */
STREAMS_API streams_publisher *streams_group_by(
    STREAMS_CONSUMES streams_publisher *publisher, uint64_t prefetch, streams_transform_fn key,
    void *context, streams_destroy_fn destroy);

/*
 * Divides values into windows of count values. Each window begins skip values after
 * the one before: if skip is more than count, the values in between are dropped; if
 * it is less, windows overlap, and a value goes to, and counts in, each open one. A
 * window is sent with its first value and finishes with its last. It is closed
 * before its last value is delivered: a value that is sent during the delivery
 * belongs to the next window.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any; values come on the thread that sends, or that requests.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if count or skip is
 *   less than 1.
 */
STREAMS_API streams_publisher *streams_window_by_count(
    STREAMS_CONSUMES streams_publisher *publisher, int64_t count, int64_t skip, uint64_t prefetch);

/*
 * Divides values into windows of one interval each. The first window is sent at the
 * subscription, from which the intervals count; windows may be empty. A window that
 * has not been demanded yet stays open.
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; values come on the thread that sends, or that requests, windows
 *   and their ends also on the scheduler.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if interval is
 *   negative, or for an immediate scheduler.
 */
STREAMS_API streams_publisher *streams_window_by_time(STREAMS_CONSUMES streams_publisher *publisher,
    streams_nanoseconds interval, uint64_t prefetch, streams_scheduler *scheduler);

/*
 * Divides values into windows as streams_window_by_time does, and also begins
 * another one when a window has had count values.
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; values come on the thread that sends, or that requests, windows
 *   and their ends also on the scheduler.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if interval is
 *   negative, count is less than 1, or for an immediate scheduler.
 */
STREAMS_API streams_publisher *streams_window_by_time_or_count(STREAMS_CONSUMES streams_publisher *publisher,
    streams_nanoseconds interval, int64_t count, uint64_t prefetch, streams_scheduler *scheduler);

/*
 * Divides values into windows at each value of another publisher. The first window
 * is sent at the subscription; windows may be empty. A window that has not been
 * demanded yet stays open. When either publisher ends, the stream and its windows
 * end in the same way, and the other publisher is cancelled.
 *
 * Ownership: consumes publisher and consumes boundaries; the result is yours. A
 *   boundary retained before may be used again.
 * Threads: any; values come on the thread that sends, or that requests, windows
 *   and their ends also on that of boundaries.
 */
STREAMS_API streams_publisher *streams_window(
    STREAMS_CONSUMES streams_publisher *publisher,
    STREAMS_CONSUMES streams_publisher *boundaries, uint64_t prefetch);

/*
 * Returns the publisher of a value that is a group or a window.
 *
 * Ownership: borrows value; the result is yours.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE (also for a value
 *   that is not a group or window), STREAMS_INVALID_UTF8, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_publisher *streams_value_publisher(const streams_value *value);

/*
 * Gives the key of a group.
 *
 * Ownership: borrows value; *out is overwritten and yours.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE (also for a value that is not a
 *   group), STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY; STREAMS_INVALID_ARGUMENT if
 *   value and out are the same. *out is null in all other failures.
 */
STREAMS_API streams_status streams_group_key(const streams_value *value, streams_value *out);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_DIVIDING_H */
