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
 * windows of successive values. They are values of the stream of them, of the
 * kind STREAMS_VALUE_OBJECT, and streams_value_publisher gives the publisher:
 *
 *     static streams_status count_of(void *context, const streams_value *in, streams_publisher **out) {
 *         (void)context;
 *         *out = streams_count(streams_value_publisher(in));
 *         return STREAMS_OK;
 *     }
 *     p = streams_window_by_count(p, 100, 100, STREAMS_AS_DEMANDED);
 *     p = streams_flat_map(p, STREAMS_UNLIMITED, count_of, NULL, NULL);
 *
 * What is demanded of the stream is groups or windows. Each has one subscriber,
 * who demands its values; any other finishes at once. What there is no demand for
 * waits, and so does what comes before somebody has subscribed. prefetch says how
 * many values may wait, in all of the streams together: the upstream is asked for
 * so many, and for another one for each that has been delivered, so that no more
 * come while so many wait. What an upstream sends that cannot wait for that, as a
 * subject, is lost. With STREAMS_AS_DEMANDED it depends on the demand: whoever
 * demands all of the streams, as streams_flat_map does, has all values asked for,
 * and nothing is lost; what comes before a stream is subscribed to waits in memory,
 * however much it is. Where a limited number of streams is demanded it is 256, and
 * where a limited number of a stream's values is and the upstream has its values
 * ready, as a sequence has. STREAMS_UNLIMITED sets no bound in any case.
 *
 * So each has to be subscribed to, or released: one that nobody holds any more,
 * as a value or as a publisher, drops its values, and so does one that is
 * cancelled. Streams that are received one after another, as by
 * streams_concat_map, need a prefetch that holds all values of those that wait.
 *
 * All end when the upstream does, after their values, and then the stream of them
 * does. When that is cancelled, those that have been subscribed to go on, and the
 * others are empty, with what waited in them dropped; the upstream is cancelled
 * with the last of them.
 * ======================================================================== */

/*
 * Divides values into groups by the keys that the callback makes of them, which
 * are equal as streams_value_equal says. A group is sent with its first value, and
 * there is one for each key, also when it has been cancelled. All keys are
 * kept until the end.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Threads: any; values come on the thread that sends, or that requests.
 */
STREAMS_API streams_publisher *streams_group_by(
    STREAMS_CONSUMES streams_publisher *publisher, uint64_t prefetch, streams_transform_fn key,
    void *context, streams_destroy_fn destroy);

/*
 * Divides values into windows of count values. The next window begins skip values
 * after another: if that is more, values in between are dropped, and if it is
 * less, windows overlap and a value goes to, and counts in, each that is open. A
 * window is sent with its first value and finishes with its last. It is over
 * before that is told: a value that is sent meanwhile belongs to the next window.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any; values come on the thread that sends, or that requests.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if count or skip is
 *   less than 1.
 */
STREAMS_API streams_publisher *streams_window_by_count(
    STREAMS_CONSUMES streams_publisher *publisher, int64_t count, int64_t skip, uint64_t prefetch);

/*
 * Divides values into windows at the end of each interval, which count from the
 * subscription, when the first window is sent; windows may be empty. One that
 * has not been demanded yet goes on.
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
 * Divides values into windows as streams_window_by_time, and another window begins
 * also when one has had count values.
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
 * Divides values into windows, the first of which is sent at the subscription,
 * with each value of another publisher; windows may be empty. One that has not
 * been demanded yet goes on. The stream and its windows end with the first end of
 * either publisher, and the other one is cancelled.
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
 * The publisher of a group or of a window, which is a value.
 *
 * Ownership: borrows value; the result is yours.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE (also for a value
 *   that is no group or window), STREAMS_INVALID_UTF8, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_publisher *streams_value_publisher(const streams_value *value);

/*
 * The key of a group.
 *
 * Ownership: borrows value; *out is overwritten and yours.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE (also for a value that is no
 *   group), STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY; STREAMS_INVALID_ARGUMENT if
 *   value and out are the same. *out is null in all other failures.
 */
STREAMS_API streams_status streams_group_key(const streams_value *value, streams_value *out);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_DIVIDING_H */
