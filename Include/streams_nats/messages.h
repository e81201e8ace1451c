/*
 * streams_nats/messages.h - messages as values, and what can be read of them.
 *
 * The rules at the top of streams_nats.h hold here too.
 */

#ifndef STREAMS_NATS_MESSAGES_H
#define STREAMS_NATS_MESSAGES_H

#include <streams.h>

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Messages
 *
 * A message is a value of the kind STREAMS_VALUE_OBJECT. Copies of the value share
 * the message, and nothing of it is copied. Each function answers a value that is no
 * message with STREAMS_WRONG_KIND.
 * ======================================================================== */

/*
 * The payload as bytes. *out points into the message and has no owner: it is valid
 * as long as the message; streams_value_copy keeps it. As a step of a stream, use
 * streams_nats_map_bytes.
 *
 * Ownership: borrows message; *out is borrowed from it.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_WRONG_KIND. *out is then null.
 */
STREAMS_API streams_status streams_nats_data(const streams_value *message, streams_value *out);

/*
 * The subject, and where an answer goes to, ended by NUL. Without a place for
 * answers *out is "".
 *
 * Ownership: borrows message; the text is valid as long as the message.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_WRONG_KIND. *out is then "".
 */
STREAMS_API streams_status streams_nats_subject_of(const streams_value *message, const char **out);
STREAMS_API streams_status streams_nats_reply_of(const streams_value *message, const char **out);

/*
 * The first value of a header, or NULL if the message has no such header.
 *
 * Ownership: borrows all; the text is valid as long as the message.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_WRONG_KIND. *out is then NULL.
 */
STREAMS_API streams_status streams_nats_header(
    const streams_value *message, const char *name, const char **out);

/*
 * All headers, as a list of lists of two texts: name and value. A name with several
 * values comes several times.
 *
 * Ownership: borrows message; *out is overwritten and yours.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_WRONG_KIND, STREAMS_INVALID_UTF8,
 *   STREAMS_OUT_OF_MEMORY. *out is then null.
 */
STREAMS_API streams_status streams_nats_headers(const streams_value *message, streams_value *out);

/* What JetStream says about a message. */
typedef struct streams_nats_metadata {
    size_t size; /* sizeof(streams_nats_metadata) */
    /* Its number in the stream. */
    uint64_t sequence;
    /* Its number among the deliveries of the consumer. */
    uint64_t consumer_sequence;
    /* How often it has been delivered; 1 the first time. */
    uint64_t deliveries;
    /* How many more wait for the consumer. */
    uint64_t pending;
    /* When it was stored: nanoseconds since 1970. */
    int64_t time;
} streams_nats_metadata;

#define STREAMS_NATS_METADATA_INIT { sizeof(streams_nats_metadata), 0, 0, 0, 0, 0 }

/*
 * Ownership: borrows message; *out is overwritten, all but its size.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_WRONG_KIND, STREAMS_INVALID_SIZE;
 *   STREAMS_INVALID_VALUE if the message does not come from JetStream.
 */
STREAMS_API streams_status streams_nats_get_metadata(
    const streams_value *message, streams_nats_metadata *out);

/*
 * Makes a message to publish: payload (text, bytes, or null for none), headers, and
 * an id by which the server recognizes what it has got already, or NULL. The name of
 * a header must not be empty, or have spaces, control characters or a colon; ends of
 * lines in a value or an id become spaces.
 *
 * Ownership: copies all; headers has 2 * count texts: names and values. *out is
 *   overwritten and yours.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_ARGUMENT,
 *   STREAMS_OUT_OF_MEMORY. *out is then null.
 */
STREAMS_API streams_status streams_nats_message(const streams_value *payload, const char *const *headers,
    size_t count, const char *id, streams_value *out);

/*
 * Publish the payload of each message: as bytes that share the message's memory, or
 * as text, where a payload that is not UTF-8 fails the stream.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_nats_map_bytes(STREAMS_CONSUMES streams_publisher *publisher);
STREAMS_API streams_publisher *streams_nats_map_text(STREAMS_CONSUMES streams_publisher *publisher);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_NATS_MESSAGES_H */
