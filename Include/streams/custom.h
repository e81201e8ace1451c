/*
 * streams/custom.h - publishers and operators of your own.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_CUSTOM_H
#define STREAMS_CUSTOM_H

#include "base.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Publishers of your own
 *
 * This is how a file, a socket or a generator becomes a publisher that
 * produces on demand. Each subscription gets an emitter of its own:
 *
 *     open(context, emitter, &state)     once, when someone subscribes
 *     produce(state, emitter, max)       when there is demand
 *     close(state)                       once, after the end or a cancellation
 *     destroy(context)                   once, when the publisher is gone
 *                                        and every subscription is closed
 * ======================================================================== */

/*
 * A source of values.
 *
 * produce is asked for at most `max` values: the demand that is open at that
 * moment, never 0, perhaps STREAMS_UNLIMITED. It sends them with the emitter, ends
 * the stream with streams_emitter_finish or streams_emitter_fail, and returns. When
 * it returns without having ended the stream:
 *
 *   - after all `max` values, it is asked again immediately if there is demand by
 *     then, in a loop, not recursively;
 *   - after fewer values, it rests. It is asked again, for all the demand that is
 *     then open, when new demand arrives (also demand that arrived while it ran) or
 *     when streams_emitter_wake is called. Nothing is lost.
 *
 * So a source that has nothing to send yet returns, and wakes the emitter when it
 * has; a source that works in portions wakes its emitter before it returns. A
 * source may also retain the emitter and send from elsewhere at any time: demand
 * that such values use up is no longer open.
 *
 * produce runs on the thread that requests, or wakes. It is never called
 * concurrently with, or from inside, itself, nor after the end or a cancellation. A
 * callback that fails ends the stream with its error. What it returns after the end
 * or a cancellation changes nothing: so it may return the status of its last send,
 * which is STREAMS_TERMINATED when there is no subscriber any more.
 *
 * The emitter is lent for the length of the call. To wake it, or to send, at
 * another time retain it in open, and release it in close.
 *
 * produce must be set; the other functions may be NULL.
 */
typedef struct streams_source {
    size_t size; /* sizeof(streams_source) */
    /* Passed to open and destroy. */
    void *context;
    /* Prepares a subscription, before the subscriber receives it, and sets *state,
     * which is NULL before. There is no demand yet; finishing or failing takes
     * effect once the subscriber has its subscription. If open fails, close is not
     * called. Without open, the state is the context. */
    streams_status (*open)(void *context, streams_emitter *emitter, void **state);
    /* Sends at most max values; see above. */
    streams_status (*produce)(void *state, streams_emitter *emitter, uint64_t max);
    /* Ends a subscription. Called once, never while produce or a send of the
     * same subscription is running. */
    void (*close)(void *state);
    /* Releases the context. */
    streams_destroy_fn destroy;
} streams_source;

/* A source without functions, to begin with; produce must be set. */
#define STREAMS_SOURCE_INIT \
    { sizeof(streams_source), NULL, NULL, NULL, NULL, NULL }

/*
 * Makes a cold publisher from a source: each subscriber starts it afresh.
 *
 * Ownership: copies the struct and takes its context; the result is yours. On
 *   failure destroy is called, unless the struct is NULL or of invalid size.
 * Threads: any. Two subscriptions may call open and produce concurrently.
 * Errors: NULL with STREAMS_NULL_ARGUMENT (source, produce),
 *   STREAMS_INVALID_SIZE, STREAMS_LIMIT.
 */
STREAMS_API streams_publisher *streams_publisher_create(const streams_source *source);

/*
 * Sends one value to the emitter's subscriber, and takes one from its demand.
 *
 * Ownership: borrows value; the library copies what it keeps.
 * Threads: any, also several at once and from inside the subscriber's
 *   callbacks: the subscriber receives one value after another, and OK means
 *   that it received this one or will.
 * Errors: STREAMS_DEMAND_EXCEEDED if there is no demand, STREAMS_TERMINATED
 *   after the end or a cancellation; the value is not taken. Further
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_status streams_emitter_send(
    streams_emitter *emitter, const streams_value *value);

/*
 * Sends an array of values, as many as there is demand for, counting demand that
 * arrives while they are delivered. *taken is how many were sent; it may be NULL.
 * All values are checked first; if one is bad, nothing is sent.
 *
 * Ownership: borrows values, which may be NULL if count is 0; the library
 *   copies what it keeps.
 * Threads: as streams_emitter_send.
 * Errors: STREAMS_DEMAND_EXCEEDED or STREAMS_TERMINATED if fewer than count
 *   were taken; otherwise as streams_emitter_send, and *taken is 0.
 */
STREAMS_API streams_status streams_emitter_send_values(
    streams_emitter *emitter, const streams_value *values, size_t count, size_t *taken);

/*
 * Finishes the stream. Needs no demand; in an operator of streams_lift, the values
 * that wait for demand come first.
 *
 * Ownership: borrows emitter.
 * Threads: as streams_emitter_send; values sent before arrive before.
 * Errors: STREAMS_TERMINATED after the end or a cancellation,
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_LIMIT where calls are nested too deep.
 */
STREAMS_API streams_status streams_emitter_finish(streams_emitter *emitter);

/*
 * Fails the stream. Needs no demand; in an operator of streams_lift, the values
 * that wait for demand come first.
 *
 * Ownership: borrows both.
 * Threads: as streams_emitter_send; values sent before arrive before.
 * Errors: STREAMS_TERMINATED after the end or a cancellation,
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND (for either
 *   handle; the stream then goes on);
 *   STREAMS_LIMIT where calls are nested too deep.
 */
STREAMS_API streams_status streams_emitter_fail(
    streams_emitter *emitter, const streams_error *error);

/*
 * The demand that is open: how many values may be sent now. STREAMS_UNLIMITED
 * if there is no bound, 0 after the end or a cancellation.
 *
 * Ownership: borrows emitter.
 * Threads: any; a snapshot if other threads are at work.
 * Errors: 0 with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND.
 */
STREAMS_API uint64_t streams_emitter_demand(const streams_emitter *emitter);

/*
 * How many sends reached a part of the stream that had already ended, or were under
 * way when the stream was cancelled. Another thread can cancel a stream, or end it
 * downstream, while a value is on its way; so can the subscriber, for example by
 * failing with the value. The send then still returns OK, and the source is closed
 * right afterwards, perhaps by another thread. A source that confirms each value to
 * its own origin compares the count before and after a send: if it has grown, the
 * value may have reached nobody.
 *
 * A value that is kept by an operator, such as a buffer or streams_receive_on,
 * counts as taken. So does a value that goes to a group or a window, even to one
 * that has lost its subscriber.
 *
 * Ownership: borrows emitter.
 * Threads: any. Compare on the thread that sends, while no other one does.
 * Errors: 0 with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND.
 */
STREAMS_API uint64_t streams_emitter_refusals(const streams_emitter *emitter);

/*
 * Asks the source again: calls produce if there is demand, on this thread; if
 * produce is running, calls it again after it returns. Without demand nothing
 * happens.
 *
 * Ownership: borrows emitter.
 * Threads: any, also inside produce.
 * Errors: STREAMS_TERMINATED after the end or a cancellation,
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_LIMIT where calls are nested too deep.
 */
STREAMS_API streams_status streams_emitter_wake(streams_emitter *emitter);


/* ========================================================================
 * Operators of your own
 *
 * An operator stands between a publisher and its subscriber. It makes any number of
 * values from each one, and sends them with an emitter; the library takes care of
 * demand. Each subscription has a state of its own:
 *
 *     open(context, emitter, &state)           once, when someone subscribes
 *     on_value(state, emitter, value)          for each value of the publisher
 *     on_completion(state, emitter, error)     at most once, at its end
 *     close(state)                             once, after the end or a
 *                                              cancellation
 *     destroy(context)                         once, when the publisher is gone
 *                                              and every subscription is closed
 * ======================================================================== */

/*
 * What an operator does.
 *
 * The values that it sends are delivered as they are demanded. Those beyond the
 * demand are kept, in order, and delivered later: streams_emitter_send returns OK.
 * The library requests as many values from the publisher as are demanded and have
 * not been sent yet, but none while some are kept; if the operator makes nothing of
 * a value, another one is requested. streams_emitter_finish and
 * streams_emitter_fail end the stream after what is kept, and cancel the publisher.
 * streams_emitter_demand returns the current demand, for an operator whose values
 * are costly to make.
 *
 * The callbacks of one state never overlap: a value that the publisher sends while
 * a callback is running comes after that callback has returned. After the end or a
 * cancellation, no callback is called. If a callback fails, the stream ends with
 * its error, and the publisher is cancelled.
 *
 * The emitter is lent until close; the operator may send with it at any time
 * and on any thread. To use it outside the callbacks, on another thread, retain it
 * in open and release it in close.
 *
 * on_value must be set; the other functions may be NULL.
 */
typedef struct streams_operator {
    size_t size; /* sizeof(streams_operator) */
    /* Passed to open and destroy. */
    void *context;
    /* Prepares a subscription, before the publisher is subscribed to, and sets
     * *state, which is NULL before. If open fails, so does the stream, and close is
     * not called. Without open, the state is the context. */
    streams_status (*open)(void *context, streams_emitter *emitter, void **state);
    /* A value, which is borrowed. */
    streams_status (*on_value)(void *state, streams_emitter *emitter, const streams_value *value);
    /* The publisher has finished (NULL) or failed; the error is borrowed. When the
     * function returns, the stream ends in the same way, after the values that the
     * function sent, unless the function has ended it otherwise. */
    streams_status (*on_completion)(void *state, streams_emitter *emitter, const streams_error *error);
    /* Ends a subscription. Called once, never while another function of the
     * same subscription is running. */
    void (*close)(void *state);
    /* Releases the context. */
    streams_destroy_fn destroy;
} streams_operator;

/* An operator without functions, to begin with; on_value must be set. */
#define STREAMS_OPERATOR_INIT \
    { sizeof(streams_operator), NULL, NULL, NULL, NULL, NULL, NULL }

/*
 * Applies an operator of your own to a publisher.
 *
 *     static streams_status twice(void *state, streams_emitter *emitter, const streams_value *value) {
 *         streams_emitter_send(emitter, value);
 *         return streams_emitter_send(emitter, value);
 *     }
 *
 *     streams_operator behavior = STREAMS_OPERATOR_INIT;
 *     behavior.on_value = twice;
 *     publisher = streams_lift(publisher, &behavior);
 *
 * Ownership: consumes publisher; copies the struct and takes its context; the
 *   result is yours. On failure destroy is called, unless the struct is NULL
 *   or of invalid size.
 * Threads: any. Two subscriptions may call the functions concurrently.
 * Errors: NULL with STREAMS_NULL_HANDLE (see rule 3 of streams.h),
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT (behavior,
 *   on_value), STREAMS_INVALID_SIZE, STREAMS_LIMIT.
 */
STREAMS_API streams_publisher *streams_lift(
    STREAMS_CONSUMES streams_publisher *publisher, const streams_operator *behavior);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_CUSTOM_H */
