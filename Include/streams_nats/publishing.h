/*
 * streams_nats/publishing.h - publishing values and streams.
 *
 * The rules at the top of streams_nats.h hold here too.
 */

#ifndef STREAMS_NATS_PUBLISHING_H
#define STREAMS_NATS_PUBLISHING_H

#include "../streams.h"

#include "connections.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Publishing
 *
 * What is published is text, bytes, null (an empty payload), or a message: one of
 * streams_nats_message, or one that was received, whose headers go along.
 * ======================================================================== */

/*
 * Publishes a value to a subject. The server confirms nothing; while the connection
 * is down, up to 8 MB wait for it.
 *
 * Ownership: borrows all.
 * Errors: the handle's, STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_ARGUMENT, STREAMS_TERMINATED; STREAMS_NATS_FAILED, as for what
 *   is larger than the server takes.
 */
STREAMS_API streams_status streams_nats_publish(
    streams_nats_connection *connection, const char *subject, const streams_value *value);

/* Writes text for a value, ended by NUL, into buffer, of capacity bytes: 512. */
typedef streams_status (*streams_nats_text_fn)(
    void *context, const streams_value *value, char *buffer, size_t capacity);

/*
 * A streams_nats_text_fn: the subject of a message that was received, or made by
 * streams_nats_message_to. The context is not used.
 *
 * Ownership: borrows all.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_WRONG_KIND; STREAMS_INVALID_VALUE for a
 *   message without a subject, or one that does not fit.
 */
STREAMS_API streams_status streams_nats_own_subject(
    void *context, const streams_value *message, char *buffer, size_t capacity);

/* The server has stored a value: index counts from 0; sequence is the stream's. */
typedef void (*streams_nats_confirmed_fn)(void *context, uint64_t index, uint64_t sequence, bool duplicate);

/* How to publish to JetStream. */
typedef struct streams_nats_publish_options {
    size_t size; /* sizeof(streams_nats_publish_options) */
    /* The subject of all values, or a function for that of each one. */
    const char *subject;
    streams_nats_text_fn subject_of;
    /* A function for the id by which the server recognizes a value that it has
     * already. NULL: none, except those of messages. */
    streams_nats_text_fn id_of;
    /* Called for each value that is confirmed, before the result comes. May be NULL. */
    streams_nats_confirmed_fn on_confirmed;
    /* Passed to all of them. */
    void *context;
    streams_destroy_fn destroy;
    /* How many values may be published and not confirmed: 1,000, and
     * 1,000,000 at most. */
    uint64_t window;
    /* How long to wait for a confirmation before publishing anew; 5 seconds. */
    streams_nanoseconds confirm_wait;
    /* How often to publish anew before the stream fails; 5. Negative: it is not
     * published anew. With ids nothing is stored twice. Where no stream takes the
     * subject the server says so, and the next attempt follows after 0.25 s: with 5
     * of them the stream fails after 1.25 s. */
    int64_t retries;
} streams_nats_publish_options;

#define STREAMS_NATS_PUBLISH_OPTIONS_INIT \
    { sizeof(streams_nats_publish_options), NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0 }

/*
 * Publishes all values of a publisher to JetStream, and then one value: how many
 * were confirmed.
 *
 * Demand: the publisher is asked for as many values as the window has room for. It
 *   is subscribed to when there is demand for the result.
 * Completion: when all values are confirmed. Fails with the publisher's failure,
 *   after what came before it has been confirmed; or if a value cannot be stored:
 *   the message says which one and why, and the error's object is a list of its
 *   index, its subject and the value. Those before it may be stored or not.
 * Order: values are stored in their order; after a lost connection what was not
 *   confirmed is published anew, in order.
 * Cancellation: cancels the publisher; what has been sent is stored.
 *
 * Ownership: consumes publisher; borrows connection; copies options and takes its
 *   context; the result is yours.
 * Threads: confirmations and the result come on a delivery thread.
 * Errors: NULL with the handles', STREAMS_NULL_ARGUMENT (options, or both subject
 *   and subject_of), STREAMS_INVALID_SIZE, STREAMS_INVALID_ARGUMENT.
 */
STREAMS_API streams_publisher *streams_nats_publish_all(STREAMS_CONSUMES streams_publisher *publisher,
    streams_nats_connection *connection, const streams_nats_publish_options *options);

/*
 * Publishes all values of a publisher to core subjects, and then one value: how many
 * there were. The server confirms nothing: while the connection is down up to 8 MB
 * wait for it, and what was on its way is lost. Of the options subject, subject_of,
 * id_of, context and destroy count.
 *
 * Demand: the publisher is asked for all its values. Where they come faster than the
 *   server takes them, a value waits on its thread until it can be written.
 * Completion: when all have been given to nats.c. Fails with the publisher's
 *   failure; or if a value cannot be published, as when more than 8 MB would wait:
 *   the message says why, and the error's object is a list of its subject and the
 *   value.
 *
 * Ownership: consumes publisher; borrows connection; copies options and takes its
 *   context; the result is yours.
 * Errors: as streams_nats_publish_all.
 */
STREAMS_API streams_publisher *streams_nats_send_all(STREAMS_CONSUMES streams_publisher *publisher,
    streams_nats_connection *connection, const streams_nats_publish_options *options);

/*
 * Publishes one value to JetStream when it is demanded, and then the number under
 * which the server has stored it; otherwise as streams_nats_publish_all.
 *
 * Ownership: borrows connection and subject; copies value; the result is yours.
 * Errors: as streams_nats_publish.
 */
STREAMS_API streams_publisher *streams_nats_publish_confirmed(
    streams_nats_connection *connection, const char *subject, const streams_value *value);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_NATS_PUBLISHING_H */
