/*
 * streams_nats/consumers.h - JetStream consumers as publishers, and acknowledging.
 *
 * The rules at the top of streams_nats.h hold here too.
 */

#ifndef STREAMS_NATS_CONSUMERS_H
#define STREAMS_NATS_CONSUMERS_H

#include "../streams.h"

#include "connections.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Consumers
 * ======================================================================== */

/* Where a new consumer begins. */
typedef enum streams_nats_deliver {
    STREAMS_NATS_DELIVER_ALL = 0,
    STREAMS_NATS_DELIVER_NEW = 1,
    STREAMS_NATS_DELIVER_LAST = 2,
    STREAMS_NATS_DELIVER_FROM_SEQUENCE = 3,   /* start_sequence */
    STREAMS_NATS_DELIVER_FROM_TIME = 4,       /* start_time */
    STREAMS_NATS_DELIVER_LAST_PER_SUBJECT = 5 /* needs a filter */
} streams_nats_deliver;

/* Who acknowledges. */
typedef enum streams_nats_acknowledgement {
    /* The stream, when the downstream has returned from the value. With an operator
     * that queues (receive_on, buffer) or publish_all behind it, that is before the
     * value is handled: acknowledge by hand. A message during which the stream fails
     * or is cancelled may not have been handled, and is rejected, as the n-th is by
     * prefix(n); a subscriber that cancels when it has what it wants must
     * acknowledge first. */
    STREAMS_NATS_ACKNOWLEDGE_AFTER = 0,
    /* The program, by streams_nats_acknowledge and its neighbors. */
    STREAMS_NATS_ACKNOWLEDGE_BY_HAND = 1,
    /* Nobody: the server counts what it has sent as done. */
    STREAMS_NATS_ACKNOWLEDGE_NONE = 2
} streams_nats_acknowledgement;

/* A consumer of a stream. What is NULL or 0 has the server's default. */
typedef struct streams_nats_consume_options {
    size_t size; /* sizeof(streams_nats_consume_options) */
    /* The stream of the server. Must be set. */
    const char *stream;
    /* The name of a consumer that the server remembers, and that several processes
     * can share; it is made if there is none, and otherwise taken as it is. NULL: an
     * ephemeral one, which goes when its subscriber has gone. */
    const char *durable;
    /* Only messages of this subject, which may have wildcards. */
    const char *filter;
    streams_nats_deliver deliver;
    uint64_t start_sequence;
    /* Nanoseconds since 1970. In the first tenth of a second it is the second's
     * beginning, because of nats.c. */
    int64_t start_time;
    /* After what time a message that nobody has acknowledged comes again; 30 s. */
    streams_nanoseconds acknowledge_wait;
    /* How often a message comes at most; for ever. */
    int64_t max_deliver;
    /* How many may be delivered and not acknowledged, for all that share it. */
    int64_t max_acknowledge_pending;
    streams_nats_acknowledgement acknowledgement;
    /* The largest number outstanding, whatever is demanded; 1,000. */
    uint64_t most;
    /* How long the server keeps an ephemeral consumer without its subscriber, as
     * while the connection is gone; a minute. */
    streams_nanoseconds inactive;
} streams_nats_consume_options;

#define STREAMS_NATS_CONSUME_OPTIONS_INIT \
    { sizeof(streams_nats_consume_options), NULL, NULL, NULL, STREAMS_NATS_DELIVER_ALL, 0, 0, 0, 0, 0, \
        STREAMS_NATS_ACKNOWLEDGE_AFTER, 0, 0 }

/*
 * Publishes the messages of a consumer. Cold: each subscriber makes a consumer, or
 * shares the durable one.
 *
 * Demand: what is demanded is fetched, and no more is outstanding than that, nor
 *   than `most`. The next part is asked for when half is used up, so a steady reader
 *   does not wait for the server.
 * Completion: none. Fails if the stream or the consumer is not there, or is deleted,
 *   and when the connection is closed. Without a server it waits for the connection.
 * Cancellation: messages that were delivered and not acknowledged are rejected at
 *   once, also those that were to be acknowledged by hand. Messages still in flight
 *   are rejected on arrival and are redelivered 0.3 s later. None is lost: the
 *   server delivers each until it is acknowledged. One may come more than once, as
 *   when a process or the server dies before an acknowledgement arrives.
 * Threads: values come on a delivery thread.
 *
 * Ownership: borrows connection, and copies options; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_TERMINATED, STREAMS_NULL_ARGUMENT (options, stream),
 *   STREAMS_INVALID_SIZE, STREAMS_INVALID_ARGUMENT.
 */
STREAMS_API streams_publisher *streams_nats_consume(
    streams_nats_connection *connection, const streams_nats_consume_options *options);

/*
 * Settle a message: it is done; it is to be delivered again, after a delay (0: at
 * once); it is never to be delivered again; it needs more time. A message can be
 * settled once; in_progress any number of times before that. They do not wait for
 * the server.
 *
 * Ownership: borrows message.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_WRONG_KIND; STREAMS_INVALID_VALUE if it
 *   does not come from a consumer; STREAMS_TERMINATED if it has been settled, as by
 *   the end of its stream, if its consumer acknowledges nothing
 *   (STREAMS_NATS_ACKNOWLEDGE_NONE), or if the connection is closed;
 *   STREAMS_INVALID_ARGUMENT for a negative delay; STREAMS_NATS_FAILED.
 */
STREAMS_API streams_status streams_nats_acknowledge(const streams_value *message);
STREAMS_API streams_status streams_nats_reject(const streams_value *message, streams_nanoseconds delay);
STREAMS_API streams_status streams_nats_terminate(const streams_value *message);
STREAMS_API streams_status streams_nats_in_progress(const streams_value *message);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_NATS_CONSUMERS_H */
