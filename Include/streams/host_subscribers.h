/*
 * streams/host_subscribers.h - functions of a managed runtime that receive a stream.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_HOST_SUBSCRIBERS_H
#define STREAMS_HOST_SUBSCRIBERS_H

#include "base.h"
#include "debugging.h"
#include "subscribers.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Receivers of hosts
 * ======================================================================== */

/* Calls a host function with an array of arguments. A vectorcallfunc. */
typedef void *(*streams_call_value_fn)(
    void *callable, void *const *arguments, size_t count, void *names);

/*
 * Host functions that receive a stream. Any may be NULL. Handles come as
 * integers, borrowed for the call; an end without error comes as the host's
 * null.
 */
typedef struct streams_host_callables {
    size_t size; /* sizeof(streams_host_callables) */
    /* (subscription) */
    void *on_subscription;
    /* (value) -> additional demand, an integer; the host's null is 0 */
    void *on_value;
    /* (list of values) -> additional demand */
    void *on_values;
    /* (bytes object of packed int64 in native order) -> additional demand. Called
     * instead of on_values for a batch of only integers. An array in the host's own
     * memory (see streams_host_numbers) comes as the object that it belongs to, or
     * as a part of that. */
    void *on_int64s;
    /* (bytes object of packed doubles in native order, or the host's own memory) ->
     * additional demand. Called instead of on_values for a batch of only doubles. */
    void *on_doubles;
    /* (error, or null) */
    void *on_completion;
    /* (null); events only */
    void *on_cancel;
    /* (demand); events only. Unlimited is 9223372036854775807. */
    void *on_request;
    /* A weak reference to a list that holds all functions above. If it is set the
     * library retains none of them: once the list is gone, the receiver's functions
     * are no longer called, and the library empties the list when the receiver's
     * stream is over. So the host knows the owner of the functions, and its
     * collector can follow them. Needs list_replace and target. See
     * streams_host_owner_finalizer. */
    void *owner;
    /* Calls on_value, as `call` does; it need not be able to call anything else.
     * Optional, and unused without owner. PyVectorcall_Function(on_value), if that
     * does not change */
    streams_call_value_fn call_value;
} streams_host_callables;

/* No functions, to begin with. */
#define STREAMS_HOST_CALLABLES_INIT \
    { sizeof(streams_host_callables), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL }

/*
 * Fills in a subscriber that calls host functions, for one call of
 * streams_sink. Needs on_value or on_values; on_int64s and on_doubles need
 * on_values. An integer from 9223372036854775807 on is unlimited demand. If a
 * function that receives values raises an error, or returns a demand that is
 * negative or no integer, the stream is cancelled and on_completion receives
 * that error. Errors raised by on_subscription and on_completion are reported
 * by the host.
 *
 * Ownership: borrows the functions; the library retains them. *out is
 *   overwritten; streams_sink takes its context, or else you call
 *   out->destroy(out->context).
 * Threads: any, with or without the host's lock.
 * Errors: STREAMS_INVALID_ARGUMENT for an unknown host, STREAMS_TERMINATED for
 *   a retired one, STREAMS_NULL_ARGUMENT, STREAMS_INVALID_SIZE (callables),
 *   STREAMS_LIMIT. *out is then as
 *   STREAMS_SUBSCRIBER_INIT.
 */
STREAMS_API streams_status streams_host_subscriber(uint32_t host,
    const streams_host_callables *callables, uint64_t demand, streams_subscriber *out);

/*
 * Subscribes a host's functions to a publisher, as a subscriber that
 * streams_host_subscriber has filled in would be: on_value gets the values one by
 * one, and on_completion, which may be NULL, the end. owner and call_value are
 * optional, as in streams_host_callables.
 *
 * Ownership: consumes publisher; borrows the functions, as streams_host_subscriber
 *   does; the result is yours, and the stream lives for as long as it does.
 * Threads: any, with or without the host's lock.
 * Errors: NULL, as streams_host_subscriber and streams_sink.
 */
STREAMS_API streams_cancellable *streams_host_sink(
    STREAMS_CONSUMES streams_publisher *publisher, uint32_t host, uint64_t demand, void *on_value,
    void *on_completion, void *owner, streams_call_value_fn call_value);

/* Called when an object of a host's is about to be destroyed. The tp_finalize of a
 * PyTypeObject. */
typedef void (*streams_finalizer_fn)(void *object);

/*
 * Returns a finalizer that the host must call, from then on, with each list that is
 * an owner (see streams_host_callables), before the list or the host's collector
 * releases the functions or what they refer to. In return the library does not follow
 * the weak reference for each value, but only when an owner has gone. Each of these
 * lists contains, `offset` bytes from its start, a word for the library, a
 * uintptr_t that is 0 at first: it becomes 1 when the list has gone or its stream
 * is over.
 *
 * The finalizer is called with the host's lock held, also when the host is retired.
 * It runs none of the host's code.
 *
 * Ownership: none. The finalizer lives as long as the library.
 * Threads: any, with or without the host's lock.
 * Errors: NULL with STREAMS_INVALID_ARGUMENT for an unknown host or an offset that
 *   is not positive, STREAMS_TERMINATED for a retired one, STREAMS_LIMIT for a host
 *   that is not among the first eight.
 */
STREAMS_API streams_finalizer_fn streams_host_owner_finalizer(uint32_t host, ptrdiff_t offset);

/*
 * Fills in event handlers that call host functions, for one call of
 * streams_handle_events. Results are ignored; on_values, on_int64s and
 * on_doubles are not used. Errors that the functions raise are reported by the
 * host.
 *
 * Ownership: borrows the functions; the library retains them. *out is
 *   overwritten; streams_handle_events takes its context, or else you call
 *   out->destroy(out->context).
 * Threads: any, with or without the host's lock.
 * Errors: as streams_host_subscriber; *out is then as
 *   STREAMS_EVENT_HANDLERS_INIT.
 */
STREAMS_API streams_status streams_host_event_handlers(uint32_t host,
    const streams_host_callables *callables, streams_event_handlers *out);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_HOST_SUBSCRIBERS_H */
