/*
 * streams_nats/messages.h - messages as values, and what can be read of them.
 *
 * The rules at the top of streams_nats.h hold here too.
 */

#ifndef STREAMS_NATS_MESSAGES_H
#define STREAMS_NATS_MESSAGES_H

#include "../streams.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Messages
 *
 * A message is a value of the kind STREAMS_VALUE_OBJECT. Copies of the value share
 * the message, and nothing of it is copied. Each function answers a value that is not a
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
 * The first value of a header, or NULL if the message has no such header. nats.c
 * 3.4.1 cannot read a value that is empty: it takes the next line for it, and where
 * there is none, no header can be read.
 *
 * Ownership: borrows all; the text is valid as long as the message.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_WRONG_KIND; STREAMS_NATS_FAILED if the
 *   headers cannot be read. *out is then NULL.
 */
STREAMS_API streams_status streams_nats_header(
    const streams_value *message, const char *name, const char **out);

/*
 * All headers, as a list of lists of two texts: name and value. A name with several
 * values comes several times.
 *
 * Ownership: borrows message; *out is overwritten and yours.
 * Errors: as streams_nats_header; STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY. *out
 *   is then null.
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
 * Makes a message to publish: payload (text, bytes, or null for none), headers (up
 * to 65,535), and an id by which the server recognizes what it has got already, or
 * NULL. The name of a header must not be empty, or have spaces, control characters
 * or a colon; ends of lines in a value or an id become spaces.
 *
 * Ownership: copies all; headers has 2 * count texts: names and values. *out is
 *   overwritten and yours.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_ARGUMENT,
 *   STREAMS_OUT_OF_MEMORY. *out is then null.
 */
STREAMS_API streams_status streams_nats_message(const streams_value *payload, const char *const *headers,
    size_t count, const char *id, streams_value *out);

/*
 * Makes a message that has its subject, for streams_nats_own_subject; otherwise as
 * streams_nats_message.
 *
 * Ownership: as streams_nats_message, and copies subject.
 * Errors: as streams_nats_message; STREAMS_INVALID_ARGUMENT also if subject is none
 *   to publish to.
 */
STREAMS_API streams_status streams_nats_message_to(const char *subject, const streams_value *payload,
    const char *const *headers, size_t count, const char *id, streams_value *out);

/*
 * Publish the payload of each message: as bytes that share the message's memory, or
 * as text, where a payload that is not UTF-8 fails the stream.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_nats_map_bytes(STREAMS_CONSUMES streams_publisher *publisher);
STREAMS_API streams_publisher *streams_nats_map_text(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Publishes what a function makes of the parts of each message, all of them in one
 * call: the address of its value, as an integer that is valid for the call (see
 * streams_nats_keep), its payload and its subject, both as bytes. Null stays null.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Errors: as streams_map. What is neither a message nor null fails the stream.
 */
STREAMS_API streams_publisher *streams_nats_map_parts(STREAMS_CONSUMES streams_publisher *publisher,
    streams_combine_values_fn function, void *context, streams_destroy_fn destroy);

/*
 * Keeps a message beyond the call that it was passed to, where there is no place for
 * a value: as an object of another language, which has an address only.
 *
 * Ownership: borrows message; the result is yours, until you pass it to
 *   streams_nats_free.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_WRONG_KIND.
 */
STREAMS_API streams_value *streams_nats_keep(const streams_value *message);

/*
 * Ends what streams_nats_keep began.
 *
 * Ownership: takes kept; NULL is ignored.
 * Errors: as streams_value_destroy.
 */
STREAMS_API streams_status streams_nats_free(streams_value *kept);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_NATS_MESSAGES_H */
