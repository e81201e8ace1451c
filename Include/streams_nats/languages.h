/*
 * streams_nats/languages.h - what bindings for other languages need besides.
 *
 * The rules at the top of streams_nats.h hold here too.
 */

#ifndef STREAMS_NATS_LANGUAGES_H
#define STREAMS_NATS_LANGUAGES_H

#include "../streams.h"

#include "connections.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Other languages
 *
 * A callable is one of streams_host.h.
 * ======================================================================== */

/*
 * From now on, calls a function on each thread of nats.c's before the first message
 * that the thread delivers, so that a runtime can get to know the thread. It replaces
 * the function before, and is called on threads that know that one too.
 *
 * Ownership: function and context must live as long as the library.
 * Errors: none; NULL ends the calls.
 */
STREAMS_API void streams_nats_on_threads(streams_action_fn function, void *context);

/*
 * Calls function(in, address), which has to make a message at the address, a
 * streams_value *, by streams_nats_message or streams_nats_message_to: a
 * streams_transform_fn for streams_map.
 *
 * Ownership: borrows callable and in; the caller takes over *out.
 * Errors: as streams_callable_combine_values; STREAMS_INVALID_VALUE if the function
 *   has made no message.
 */
STREAMS_API streams_status streams_nats_callable_message(
    void *callable, const streams_value *in, streams_value *out);

/*
 * As streams_nats_key_binding, for values of another language: encode makes a
 * message of a value that is set, as streams_nats_callable_message does, and the key
 * is set to its payload. Null is not encoded.
 *
 * Ownership: as streams_nats_key_binding, and takes context.
 * Errors: as streams_nats_key_binding.
 */
STREAMS_API streams_binding *streams_nats_key_binding_of(streams_nats_connection *connection,
    const char *bucket, const char *key, streams_transform_fn encode, void *context,
    streams_destroy_fn destroy);

/*
 * Calls function(text) with "index sequence duplicate", three numbers in decimals: a
 * streams_nats_confirmed_fn. An error that it raises is reported by the host.
 *
 * Ownership: borrows callable.
 * Errors: none; a bad handle sets the last error of streams.h.
 */
STREAMS_API void streams_nats_callable_confirmed(
    void *callable, uint64_t index, uint64_t sequence, bool duplicate);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_NATS_LANGUAGES_H */
