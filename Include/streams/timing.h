/*
 * streams/timing.h - operators with a scheduler.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_TIMING_H
#define STREAMS_TIMING_H

#include "base.h"
#include "callbacks.h"
#include "schedulers.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Time
 *
 * Operators that measure time, or move a stream to another thread. Each borrows a
 * scheduler, and delivers values and the end on it, unless its comment says
 * otherwise. Subscriptions, demand and cancellations do not wait, except in
 * streams_subscribe_on. What waits on a scheduler keeps the subscriber and its
 * context alive; schedulers.h says how long.
 * ======================================================================== */

/*
 * Publishes a value only when no other has come for due_time after it. The
 * upstream's demand is unlimited; a value whose time comes while there is no demand
 * is lost. The end is scheduled immediately and drops the value that waits.
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; values and the end come on the scheduler.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if due_time is
 *   negative.
 */
STREAMS_API streams_publisher *streams_debounce(STREAMS_CONSUMES streams_publisher *publisher,
    streams_nanoseconds due_time, streams_scheduler *scheduler);

/*
 * Publishes each value, and the end, interval after the upstream has sent it. The
 * demand that a subscriber returns for a value is passed on when the value has been
 * delivered, so that no more values are under way than were demanded.
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; values and the end come on the scheduler.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if interval is
 *   negative.
 */
STREAMS_API streams_publisher *streams_delay(STREAMS_CONSUMES streams_publisher *publisher,
    streams_nanoseconds interval, streams_scheduler *scheduler);

/*
 * Publishes at most one value in each interval: the first immediately, and another
 * when interval has passed since the last one that was sent. Of the values that
 * come in between it keeps the latest, or the first if latest is false. The
 * upstream's demand is unlimited; a value that comes while there is no demand is
 * dropped. The end waits for the kept value.
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; values and the end come on the scheduler.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if interval is
 *   negative.
 */
STREAMS_API streams_publisher *streams_throttle(STREAMS_CONSUMES streams_publisher *publisher,
    streams_nanoseconds interval, streams_scheduler *scheduler, bool latest);

/*
 * Ends the stream when no value comes for interval: it cancels the upstream and
 * fails with the error, or finishes if error is NULL. The time begins at the
 * subscription, and begins again at the first request and at each value.
 *
 * Ownership: consumes publisher; borrows scheduler and error, which the
 *   publisher keeps; the result is yours.
 * Threads: any; values and the end come on the scheduler.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if interval is
 *   negative, or if the scheduler is an immediate one, whose time does not pass.
 */
STREAMS_API streams_publisher *streams_timeout(STREAMS_CONSUMES streams_publisher *publisher,
    streams_nanoseconds interval, streams_scheduler *scheduler, const streams_error *error);

/*
 * Publishes for each value how much of the scheduler's time has passed since
 * the value before, or since the subscription: a STREAMS_VALUE_INT64, in
 * nanoseconds, negative where the clock has gone back. Nothing is scheduled.
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; values and the end come where the upstream sends them.
 */
STREAMS_API streams_publisher *streams_measure_interval(
    STREAMS_CONSUMES streams_publisher *publisher, streams_scheduler *scheduler);

/*
 * Collects values and publishes them as a list at the end of each interval, counted
 * from the subscription. An interval without values publishes nothing; values for
 * which there is no demand wait for a later one. Unlimited demand for lists demands
 * all values from the upstream. Otherwise each request demands one value, however
 * many lists it is for, and each value that comes demands another: from the first
 * request on there is always demand, but a value that an upstream sends on another
 * thread before the demand has reached it is lost. An interval of 0 counts as a
 * nanosecond, the shortest, and keeps a scheduler busy.
 *
 * When the upstream finishes, the remaining values are published, as soon as there
 * is demand, and then the end. A failure drops them. An immediate scheduler has no
 * intervals: there is one list, at the end.
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; lists and the end come on the scheduler.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if interval is
 *   negative.
 */
STREAMS_API streams_publisher *streams_collect_by_time(STREAMS_CONSUMES streams_publisher *publisher,
    streams_nanoseconds interval, streams_scheduler *scheduler);

/*
 * Collects values as streams_collect_by_time does, and publishes a list also when
 * it has count values. Each list that is requested, or that a subscriber demands by
 * what it returns for a full list, demands count values from the upstream. What it
 * returns for the list of an interval demands none. A failure is delivered after
 * the full lists, as far as there is demand for these.
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; lists and the end come on the scheduler.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if interval is
 *   negative, or count less than 1 or more than a list can hold.
 */
STREAMS_API streams_publisher *streams_collect_by_time_or_count(STREAMS_CONSUMES streams_publisher *publisher,
    streams_nanoseconds interval, int64_t count, streams_scheduler *scheduler);

/*
 * Delivers values and the end on a scheduler, in their order. The demand that a
 * subscriber returns for a value is passed on when the value has been delivered, so
 * that no more are under way than were demanded. On a loop, a queue or a scheduler
 * of your own, one action delivers all values that have come by then, as a batch.
 *
 *     p = streams_subscribe_on(p, queue);  (the work is done there)
 *     p = streams_receive_on(p, loop);     (and the results come here)
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; values and the end come on the scheduler.
 */
STREAMS_API streams_publisher *streams_receive_on(
    STREAMS_CONSUMES streams_publisher *publisher, streams_scheduler *scheduler);

/*
 * Subscribes to the upstream on a scheduler, and requests and cancels there, with
 * an action for each. Demand that comes while a request to the upstream is under
 * way, also from within it, is requested when that has returned. On a scheduler of
 * your own the subscriber gets its subscription immediately.
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; values and the end come where the upstream sends them.
 */
STREAMS_API streams_publisher *streams_subscribe_on(
    STREAMS_CONSUMES streams_publisher *publisher, streams_scheduler *scheduler);

/*
 * How often a stream that has failed is tried again, and how long it waits before
 * each retry: delay before the first one, then each time factor times as long as
 * before, but no longer than longest_delay.
 */
typedef struct streams_backoff {
    size_t size; /* sizeof(streams_backoff) */
    /* How often to try again at most; INT64_MAX by default. */
    int64_t retries;
    /* Before the first retry; a second by default. */
    streams_nanoseconds delay;
    /* More than 0; 2 by default. */
    double factor;
    /* An hour by default. */
    streams_nanoseconds longest_delay;
    /* How much of each wait is random, from 0 to 1, so that streams that failed
     * together do not all try again together; 0 by default. */
    double jitter;
} streams_backoff;

/* A backoff with the defaults, to begin with. */
#define STREAMS_BACKOFF_INIT \
    { sizeof(streams_backoff), INT64_MAX, 1000000000, 2, 3600000000000, 0 }

/*
 * Subscribes to the upstream again when it fails, each time after a longer wait.
 * The next subscription gets the demand that is still open. After the last retry,
 * or after a failure for which is_worthwhile answers false, the failure is
 * published; if is_worthwhile fails, its own failure is. It may be NULL: then every
 * failure is worth another attempt.
 *
 *     streams_backoff backoff = STREAMS_BACKOFF_INIT;
 *     backoff.retries = 5;
 *     p = streams_retry_backoff(p, &backoff, loop, is_temporary, NULL, NULL);
 *
 * A failure that comes when the scheduler has been released is published too.
 *
 * Ownership: consumes publisher; borrows backoff and scheduler; takes context;
 *   the result is yours.
 * Threads: any; the upstream is subscribed to again on the scheduler.
 * Errors: NULL with the common ones; STREAMS_NULL_ARGUMENT (backoff),
 *   STREAMS_INVALID_SIZE; STREAMS_INVALID_ARGUMENT if a part of the backoff is not
 *   as its comment says, or if the scheduler is an immediate one, whose time does
 *   not pass.
 */
STREAMS_API streams_publisher *streams_retry_backoff(STREAMS_CONSUMES streams_publisher *publisher,
    const streams_backoff *backoff, streams_scheduler *scheduler,
    streams_error_predicate_fn is_worthwhile, void *context, streams_destroy_fn destroy);

/*
 * Publishes the numbers 0, 1, 2 and so on, as STREAMS_VALUE_INT64: the first when
 * `first` has passed since the subscription, and each other one interval later. It
 * counts what it publishes: moments that pass while the scheduler is busy are skipped,
 * and the next number comes at the next moment, in step with those before. Each
 * subscriber has a count of its own; a number for which there is no demand is lost.
 * After count numbers it finishes, whether or not there was demand for them; with
 * STREAMS_UNLIMITED it goes on.
 *
 *     streams_interval(delay, 0, 1, loop)  (a timer for one shot)
 *
 * Ownership: borrows scheduler; the result is yours.
 * Threads: any; values and the end come on the scheduler.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_LIMIT; STREAMS_INVALID_ARGUMENT if a time is negative, if interval is 0
 *   and count more than 1, or if the scheduler is an immediate one, whose time does
 *   not pass.
 */
STREAMS_API streams_publisher *streams_interval(streams_nanoseconds first,
    streams_nanoseconds interval, uint64_t count, streams_scheduler *scheduler);

/*
 * Makes a debouncer, for use without streams: of the actions that come in quick
 * succession it runs the last one, when no other has come for due_time.
 *
 * Ownership: borrows scheduler; the result is yours. When it is released, the
 *   action that waits is forgotten.
 * Threads: any; actions run on the scheduler.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT; STREAMS_INVALID_ARGUMENT if due_time is
 *   negative.
 */
STREAMS_API streams_debouncer *streams_debouncer_create(
    streams_nanoseconds due_time, streams_scheduler *scheduler);

/*
 * Runs an action later, unless another one comes in time.
 *
 * Ownership: borrows debouncer; takes context. destroy is called when the action
 *   has run, or is forgotten.
 * Threads: any; action is called on the thread that runs the scheduler.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT (action), STREAMS_LIMIT; STREAMS_STALE_HANDLE also if
 *   the scheduler has been released.
 */
STREAMS_API streams_status streams_debouncer_execute(streams_debouncer *debouncer,
    streams_action_fn action, void *context, streams_destroy_fn destroy);

/*
 * Makes a throttler, for use without streams: it runs the first action immediately.
 * Of those that come within interval after one that has run, it runs the latest or,
 * if latest is false, the first, at the end of the interval.
 *
 * Ownership: borrows scheduler; the result is yours. When it is released, the
 *   action that waits is forgotten.
 * Threads: any; actions run on the scheduler.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT; STREAMS_INVALID_ARGUMENT if interval is
 *   negative.
 */
STREAMS_API streams_throttler *streams_throttler_create(
    streams_nanoseconds interval, streams_scheduler *scheduler, bool latest);

/*
 * Runs an action immediately or at the end of the interval, unless another one
 * takes its place.
 *
 * Ownership: borrows throttler; takes context. destroy is called when the action
 *   has run, or is forgotten.
 * Threads: any; action is called on the thread that runs the scheduler.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT (action), STREAMS_LIMIT; STREAMS_STALE_HANDLE also if
 *   the scheduler has been released.
 */
STREAMS_API streams_status streams_throttler_execute(streams_throttler *throttler,
    streams_action_fn action, void *context, streams_destroy_fn destroy);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_TIMING_H */
