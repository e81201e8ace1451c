/*
 * streams/host_publishers.h - publishers, operators and schedulers of a managed runtime.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_HOST_PUBLISHERS_H
#define STREAMS_HOST_PUBLISHERS_H

#include "base.h"
#include "custom.h"
#include "schedulers.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Publishers of hosts
 * ======================================================================== */

/*
 * Sends an array of host objects through an emitter, as
 * streams_emitter_send_values does.
 *
 * Ownership: borrows everything; the library retains what it keeps. objects
 *   may be NULL if count is 0; taken may be NULL.
 * Threads: as streams_host_send.
 * Errors: as streams_emitter_send_values and streams_host_values.
 */
STREAMS_API streams_status streams_host_emit(
    streams_emitter *emitter, uint32_t host, void *const *objects, size_t count, size_t *taken);

/*
 * Makes a cold publisher from an iterable: each subscription makes an iterator, takes
 * one item for each value demanded and never one more, and releases the iterator at
 * the end or when it is cancelled. Items are taken on the thread that requests, never
 * concurrently and never recursively. An error raised by the iterator fails the
 * stream.
 *
 * Ownership: borrows iterable; the library retains it; the result is yours.
 * Threads: any, with or without the host's lock.
 * Errors: NULL with STREAMS_INVALID_ARGUMENT for an unknown host,
 *   STREAMS_TERMINATED for a retired one, STREAMS_NULL_ARGUMENT,
 *   STREAMS_LIMIT.
 */
STREAMS_API streams_publisher *streams_host_publisher(uint32_t host, void *iterable);

/*
 * Fills in a source that calls host functions, for one call of
 * streams_publisher_create:
 *
 *     open(emitter) -> state     the emitter's handle as an integer, borrowed
 *     produce(state, max)        unlimited is 9223372036854775807
 *     close(state)               what it raises is reported by the host
 *
 * The state is any object; the library holds it until the subscription is
 * closed. An error that open or produce raises fails the stream.
 *
 * Ownership: borrows the functions; the library retains them. *out is
 *   overwritten; streams_publisher_create takes its context, or else you call
 *   out->destroy(out->context).
 * Threads: any, with or without the host's lock.
 * Errors: STREAMS_INVALID_ARGUMENT for an unknown host, STREAMS_TERMINATED for
 *   a retired one, STREAMS_NULL_ARGUMENT. *out is then
 *   as STREAMS_SOURCE_INIT.
 */
STREAMS_API streams_status streams_host_source(
    uint32_t host, void *open, void *produce, void *close, streams_source *out);

/*
 * Fills in an operator that calls host functions, for one call of streams_lift:
 *
 *     open(emitter) -> state      the emitter's handle as an integer, borrowed
 *     on_value(state, value)
 *     on_completion(state, error) the error's handle as an integer, borrowed, or
 *                                 the host's null
 *     close(state)                what it raises is reported by the host
 *
 * The state is any object; the library holds it until the subscription is closed.
 * An error that open, on_value or on_completion raises fails the stream; what they
 * return is ignored, except the state.
 *
 * Ownership: borrows the functions; the library retains them. *out is
 *   overwritten; streams_lift takes its context, or else you call
 *   out->destroy(out->context).
 * Threads: any, with or without the host's lock.
 * Errors: STREAMS_INVALID_ARGUMENT for an unknown host, STREAMS_TERMINATED for
 *   a retired one, STREAMS_NULL_ARGUMENT. *out is then
 *   as STREAMS_OPERATOR_INIT.
 */
STREAMS_API streams_status streams_host_operator(
    uint32_t host, void *open, void *on_value, void *on_completion, void *close, streams_operator *out);

/*
 * Fills in a scheduler that calls host functions, for one call of
 * streams_custom_scheduler_create:
 *
 *     now(null) -> moment        an integer; called with the host's null
 *     schedule(moment, action)   the action's handle as an integer, borrowed
 *                                until it has run or is cancelled
 *     cancel(action)             the same handle, which is stale afterwards
 *
 * An action whose schedule raises is rejected: the stream that waits for it fails
 * with that error. The host reports any other error that they raise. If now raises,
 * or returns no integer, the moment is 0.
 *
 * Ownership: borrows the functions; the library retains them. *out is
 *   overwritten; streams_custom_scheduler_create takes its context, or else you
 *   call out->destroy(out->context).
 * Threads: any, with or without the host's lock.
 * Errors: STREAMS_INVALID_ARGUMENT for an unknown host, STREAMS_TERMINATED for
 *   a retired one, STREAMS_NULL_ARGUMENT. *out is then as
 *   STREAMS_CUSTOM_SCHEDULER_INIT.
 */
STREAMS_API streams_status streams_host_scheduler(
    uint32_t host, void *now, void *schedule, void *cancel, streams_custom_scheduler *out);

/*
 * Makes streams keep a host object: each stream, debouncer and throttler that is
 * made with the scheduler from now on retains it for as long as it uses the
 * scheduler. So an object that owns the scheduler's handle lives, and the scheduler
 * with it, for as long as something waits for the scheduler.
 *
 * Ownership: borrows scheduler and weak, a weak reference to the object, which
 *   the library retains. It replaces the one of an earlier call.
 * Threads: any, with or without the host's lock. The object may be released on
 *   any thread, with the lock.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_INVALID_ARGUMENT for an unknown host or one that has no target,
 *   STREAMS_TERMINATED for a retired one, STREAMS_NULL_ARGUMENT.
 */
STREAMS_API streams_status streams_host_keep_scheduler(
    uint32_t host, streams_scheduler *scheduler, void *weak);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_HOST_PUBLISHERS_H */
