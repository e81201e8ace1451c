/*
 * streams/subscribers.h - receiving a stream, requesting and cancelling.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_SUBSCRIBERS_H
#define STREAMS_SUBSCRIBERS_H

#include "base.h"
#include "schedulers.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Subscribers
 * ======================================================================== */

/*
 * Receives a stream. The order of calls is: on_subscription once; then values,
 * never more than demanded in total; then on_completion at most once, and
 * nothing after it or after a cancellation; destroy once, last of all.
 *
 * At least one of on_value and on_values must be set; all else may be NULL.
 */
typedef struct streams_subscriber {
    size_t size; /* sizeof(streams_subscriber) */
    /* Passed to all callbacks. */
    void *context;
    /* How many values are requested at the start, right after on_subscription.
     * STREAMS_UNLIMITED by default; 0 waits for streams_subscription_request. */
    uint64_t demand;
    /* The stream begins. The subscription is borrowed; retain it to request or
     * cancel later. Requesting and cancelling are legal right here. */
    void (*on_subscription)(void *context, streams_subscription *subscription);
    /* A value. Returns how many more are demanded, in addition to what is
     * still open; 0 for none, STREAMS_UNLIMITED to lift the bound, STREAMS_FAIL
     * to cancel the stream with an error. */
    uint64_t (*on_value)(void *context, const streams_value *value);
    /* Some values at a time, at least one, never more than are demanded. If
     * set, all values come this way, and on_value is not called. A batch that
     * was sent as one may arrive in portions. Returns the additional demand. */
    uint64_t (*on_values)(void *context, const streams_value *values, size_t count);
    /* Numbers that travel as an array, at least one, never more than are demanded:
     * each of them is a value. If it is not set, they come like any other values.
     * Returns the additional demand. */
    uint64_t (*on_numbers)(void *context, const streams_value *numbers);
    /* The stream has finished (NULL) or failed; the error is borrowed. */
    void (*on_completion)(void *context, const streams_error *error);
    /* Releases the context, when no thread is inside the stream any more: with a
     * scheduler that may be a little after on_completion, and on another thread.
     * streams_run waits for it. */
    streams_destroy_fn destroy;
} streams_subscriber;

/* A subscriber with unlimited demand and no callbacks, to begin with. */
#define STREAMS_SUBSCRIBER_INIT \
    { sizeof(streams_subscriber), NULL, STREAMS_UNLIMITED, NULL, NULL, NULL, NULL, NULL, NULL }

/*
 * Subscribes to a publisher: the stream starts to run, and may be over before
 * the call returns.
 *
 * The stream runs until it ends or is cancelled, and RELEASING THE LAST REFERENCE
 * TO THE RESULT CANCELS. Keep it for as long as you want values. A callback cancels
 * through the subscription that on_subscription is lent, since it may be called
 * before there is a result.
 *
 * Ownership: consumes publisher; copies the struct and takes its context; the
 *   result is yours. On failure destroy is called, unless the struct is NULL
 *   or of invalid size.
 * Threads: any. The callbacks run on the thread that delivers, one at a time.
 * Errors: NULL with STREAMS_NULL_HANDLE (see rule 3 of streams.h),
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT
 *   (subscriber, or on_value and on_values both), STREAMS_INVALID_SIZE,
 *   STREAMS_LIMIT. A failure of the stream itself is
 *   no error of this call; it goes to on_completion.
 */
STREAMS_API streams_cancellable *streams_sink(
    STREAMS_CONSUMES streams_publisher *publisher, const streams_subscriber *subscriber);

/*
 * Subscribes to a publisher and waits for its end, or for timeout at most: then
 * it cancels. 0 does not wait, INT64_MAX waits for ever. When it returns, no
 * callback is called any more, and destroy has been, so the context may be on
 * the stack.
 *
 * The thread sleeps until then, and a pthread_cancel of it takes effect when this
 * returns. Meanwhile this thread cannot run an event loop: for a stream on such a
 * loop use streams_sink, with a streams_loop_stop in on_completion, and
 * streams_loop_run. Do not wait inside a callback for something that the callback
 * itself holds up: a value, a request, or an operator's function that sends to the
 * stream that has called. There is one exception: if streams_run was called inside
 * a stream, and a callback of this subscriber sends to that stream on another
 * thread, it leaves the value to the caller's thread, which delivers it later, and
 * the run ends.
 *
 * Ownership: consumes publisher; copies the struct and takes its context. On
 *   failure destroy is called, unless the struct is NULL or of invalid size.
 * Threads: any. The callbacks run on the thread that delivers, one at a time.
 * Errors: as streams_sink; STREAMS_INVALID_ARGUMENT if timeout is negative;
 *   STREAMS_TIMED_OUT; STREAMS_TERMINATED if the publisher releases the
 *   subscriber without an end, as streams_empty(false) does. A failure of the
 *   stream is not an error of this call; it goes to on_completion. Nor is a
 *   cancellation by a callback.
 */
STREAMS_API streams_status streams_run(STREAMS_CONSUMES streams_publisher *publisher,
    const streams_subscriber *subscriber, streams_nanoseconds timeout);

/*
 * Does the work that calls on this thread have left to the outermost of them,
 * for lack of stack (see rule 8 of streams.h). A callback calls it before it waits
 * for a stream in any other way than by streams_run: the outermost call returns
 * only after that wait, and the work that would end the wait may be among what was
 * left. Outside callbacks it does nothing.
 *
 * Ownership: none.
 * Errors: STREAMS_LIMIT if there is such work, and too little stack for it here:
 * then waiting would be endless.
 */
STREAMS_API streams_status streams_catch_up(void);

/*
 * Sets a current-value subject to each value of the publisher, with unlimited
 * demand. The completion is not passed on. Combine's assign.
 *
 * Assignments in a cycle pass each value around until the stack is used up; then
 * this stream ends, silently as always. With several threads see streams_subscribe.
 *
 * Ownership: consumes publisher; borrows subject, which the stream keeps alive
 *   until it ends or is cancelled; the result is yours, and releasing its last
 *   reference cancels.
 * Errors: NULL with STREAMS_NULL_HANDLE (see rule 3 of streams.h),
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND (also for a passthrough subject),
 *   STREAMS_LIMIT.
 */
STREAMS_API streams_cancellable *streams_assign(
    STREAMS_CONSUMES streams_publisher *publisher, streams_subject *subject);

/*
 * Subscribes a subject to a publisher: values and completion are sent on to
 * the subject's subscribers. Combine's subscribe with a subject.
 *
 * A current-value subject demands all values at once, a passthrough subject
 * once one of its subscribers has demand.
 *
 * Subjects that feed each other in a cycle, or one that feeds itself, pass each
 * value on until the stack is used up; then this stream fails with STREAMS_LIMIT,
 * and so does the subject. If several threads send into cycles that share a subject,
 * they leave values to each other, which uses up no stack: such cycles may go on for
 * ever. Stop values that have gone round: streams_remove_duplicates stops a value
 * that comes alone, but two that are sent at the same time may chase each other.
 *
 * Ownership: consumes publisher; borrows subject; the result is yours, and
 *   releasing its last reference cancels.
 * Errors: NULL with STREAMS_NULL_HANDLE (see rule 3 of streams.h),
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_cancellable *streams_subscribe(
    STREAMS_CONSUMES streams_publisher *publisher, streams_subject *subject);

/*
 * Cancels a stream. The subscriber gets no call after this returns, except
 * that a call under way on another thread runs to its end; then its destroy
 * follows. Cancelling again, or after the end, does nothing and succeeds.
 *
 * Ownership: borrows cancellable, which still has to be released.
 * Threads: any, also inside the subscriber's own callbacks.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_LIMIT where calls are nested too deep.
 */
STREAMS_API streams_status streams_cancel(streams_cancellable *cancellable);

/*
 * Demands values in addition to what is open. Values may arrive before the
 * call returns; inside on_value they arrive after that callback has returned.
 * After the end or a cancellation it does nothing and succeeds.
 *
 * Ownership: borrows subscription.
 * Threads: any, also inside the subscriber's own callbacks.
 * Errors: STREAMS_ZERO_DEMAND, STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND; STREAMS_PROTOCOL_VIOLATION for the subscription that
 *   streams_handle_events lends, which belongs to the subscriber; STREAMS_LIMIT
 *   where calls are nested too deep.
 */
STREAMS_API streams_status streams_subscription_request(
    streams_subscription *subscription, uint64_t demand);

/*
 * Cancels the stream of a subscription, as streams_cancel does.
 *
 * Ownership: borrows subscription.
 * Threads: any, also inside the subscriber's own callbacks.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_LIMIT where calls are nested too deep.
 */
STREAMS_API streams_status streams_subscription_cancel(streams_subscription *subscription);

/*
 * Returns how many values have been dropped since the beginning because there was
 * no demand for them, or no room: those that a slow subscriber has missed.
 *
 * For a passthrough subject: the values that it has dropped, counted for each
 * subscriber that had no demand. For a replay subject: those that it no longer kept
 * for a subscriber that was behind. For a subscription, or the cancellable of a
 * stream: those that any part of the stream has dropped, such as subjects, buffers,
 * merges and debounces, including publishers that an operator subscribes to later,
 * as flat_map does. It counts them even after the end, and also counts values that
 * were refused by a binding to which the stream is assigned. The cancellable of
 * streams_connect counts what is dropped before the connectable, and that of a
 * subscriber what is dropped after it.
 *
 * A current-value subject drops nothing: a subscriber that is behind gets the
 * latest value. A tracker, and so a trace, writes a line for each loss.
 *
 * Ownership: borrows handle.
 * Threads: any; a snapshot if other threads are at work.
 * Errors: 0 with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE; STREAMS_WRONG_KIND if
 *   it is not a subject, subscription or cancellable.
 */
STREAMS_API uint64_t streams_dropped(const void *handle);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_SUBSCRIBERS_H */
