/*
 * streams_nats.h - NATS and JetStream as publishers: streams across machines.
 *
 * A library of its own, libstreams_nats.so, on top of streams.h and nats.c. Demand
 * goes over the wire: what a subscriber demands is what is fetched from the server.
 * The program below reads orders, one after another, as often as it is started, and
 * in as many processes as there are; each order is acknowledged when it is handled.
 *
 *     #include <stdio.h>
 *     #include <streams_nats.h>
 *
 *     static uint64_t handle(void *context, const streams_value *value) {
 *         (void)context;
 *         streams_value data;
 *         if (streams_nats_data(value, &data) != STREAMS_OK) return STREAMS_FAIL;
 *         printf("%.*s\n", (int)data.size, (const char *)data.as.bytes);
 *         return 0;
 *     }
 *     int main(void) {
 *         streams_nats_options options = STREAMS_NATS_OPTIONS_INIT;
 *         streams_nats_connection *connection = streams_nats_connect(&options);
 *         streams_nats_consume_options orders = STREAMS_NATS_CONSUME_OPTIONS_INIT;
 *         orders.stream = "ORDERS";
 *         orders.durable = "workers";
 *         streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
 *         subscriber.on_value = handle;
 *         streams_publisher *p = streams_nats_consume(connection, &orders);
 *         if (p == NULL) return fprintf(stderr, "%s\n", streams_nats_last_message()), 1;
 *         streams_run(p, &subscriber, INT64_MAX);
 *         return streams_nats_release(connection) != STREAMS_OK;
 *     }
 *
 * Compile it with
 *
 *     cc program.c $(pkg-config --cflags --libs streams-nats)
 *
 * The nine rules of streams.h hold here too, with these additions:
 *
 * ERRORS OF CALLS. A failing call of this library leaves its status, its name and a
 * sentence in a last error of its own: streams_nats_last_message. Where the server
 * or nats.c refuses, the status is STREAMS_NATS_FAILED, and streams_nats_last_code
 * has JetStream's error code (10000 and above) or nats.c's natsStatus.
 *
 * ERRORS OF STREAMS are in the domain "nats", with the same codes.
 *
 * HANDLES. A connection is a token, as the handles of streams.h are, but not one of
 * them: streams_nats_retain and streams_nats_release count its references.
 *
 * THREADS. Messages, confirmations and answers come on the threads of nats.c's
 * delivery pool, four for all streams of the process; those of one stream come one
 * after another. States, and failures because the connection is lost for good, come
 * on nats.c's event thread; failures because it is closed, in that call. Others that
 * no message brings, as timeouts, come on a thread of the connection. So a
 * callback that takes long holds up other streams: put streams_receive_on in
 * between. A callback must not wait for a message, or for the answer of a stream of
 * this library. Functions that ask the server (they say so) wait for its answer, 5
 * seconds at most, and may be called in callbacks.
 *
 * FORKS. In the child of a fork, calls with a connection of the parent fail with
 * STREAMS_TERMINATED, and streams can only be released. nats.c does not work in the
 * child of a process that has used it: streams_nats_connect fails there too.
 */

#ifndef STREAMS_NATS_H
#define STREAMS_NATS_H

#include <streams.h>

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Errors
 * ======================================================================== */

/* The status of a call that the server or nats.c has refused. */
#define STREAMS_NATS_FAILED ((streams_status)1000)

/* The domain of the errors of this library's streams. */
#define STREAMS_NATS_DOMAIN "nats"

/*
 * The status, the code, the function and the sentence of the last call of this
 * library that failed on this thread, as streams_last_status and its neighbors do.
 *
 * Ownership: borrowed; valid until the next failing call of this thread.
 * Threads: any; each thread has its own.
 * Errors: none. Never NULL.
 */
STREAMS_API streams_status streams_nats_last_status(void);
STREAMS_API int64_t streams_nats_last_code(void);
STREAMS_API const char *streams_nats_last_function(void);
STREAMS_API const char *streams_nats_last_message(void);

/*
 * Forgets the last error of this thread.
 *
 * Ownership: none.
 * Errors: none.
 */
STREAMS_API void streams_nats_clear_last_error(void);


/* ========================================================================
 * Connections
 * ======================================================================== */

/* A connection to a server or a cluster. */
typedef struct streams_nats_connection streams_nats_connection;

/* How to connect. What is NULL or 0 has its default. */
typedef struct streams_nats_options {
    size_t size; /* sizeof(streams_nats_options) */
    /* Addresses with commas in between, 64 at most: more are not looked at;
     * "nats://127.0.0.1:4222" by default. */
    const char *servers;
    /* Shown by the server's tools. */
    const char *name;
    const char *user;
    const char *password;
    const char *token;
    /* The path of a file with a JWT and a seed. */
    const char *credentials_file;
    /* A public key, and the path of the file with its seed. */
    const char *nkey;
    const char *nkey_seed_file;
    /* Paths of PEM files. One of these two makes the connection use TLS. */
    const char *tls_ca_file;
    const char *tls_certificate_file;
    /* That of the certificate; without one it is not looked at. */
    const char *tls_key_file;
    /* How long an attempt at one server takes at most; 2 seconds. */
    streams_nanoseconds connect_timeout;
    /* Between two attempts at one server; 2 seconds. */
    streams_nanoseconds reconnect_wait;
    /* How often each server is tried before the connection is given up, at the
     * start too; 60. Negative: for ever. */
    int64_t max_reconnects;
    /* How often an idle connection is checked; 2 minutes. */
    streams_nanoseconds ping_interval;
    /* How much a core subject's stream may leave in nats.c's memory while its
     * thread is busy; 65,536 messages and 64 MB. What comes beyond is dropped:
     * streams_nats_dropped counts it. */
    int64_t pending_messages;
    int64_t pending_bytes;
} streams_nats_options;

#define STREAMS_NATS_OPTIONS_INIT \
    { sizeof(streams_nats_options), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, \
        0, 0, 0, 0, 0 }

/*
 * Connects. Up to two attempts at each server are made in the call. If none can be
 * reached, the connection goes on trying by itself: the call succeeds, the state is
 * STREAMS_NATS_CONNECTING, and streams that are subscribed to meanwhile begin when
 * the connection stands. A server that refuses the credentials fails the call, if it
 * is the last one that was tried; later refusals count as attempts.
 *
 * Ownership: borrows options, NULL for the defaults; the result is yours.
 *   Releasing its last reference closes the connection, as streams_nats_close does.
 * Errors: NULL with STREAMS_INVALID_SIZE, STREAMS_INVALID_ARGUMENT,
 *   STREAMS_NATS_FAILED; STREAMS_LIMIT if 4096 connections are alive.
 */
STREAMS_API streams_nats_connection *streams_nats_connect(const streams_nats_options *options);

/*
 * Adds and removes a reference.
 *
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND.
 */
STREAMS_API streams_status streams_nats_retain(streams_nats_connection *connection);
STREAMS_API streams_status streams_nats_release(streams_nats_connection *connection);

/*
 * Closes a connection. Its streams fail and say so; messages that they had and did
 * not acknowledge are rejected. Waits until what was published has been sent, about
 * 5 seconds at most; inside a callback of this library it does not wait, and what
 * was published is sent soon after. Closing again does nothing.
 *
 * Ownership: borrows connection.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_TERMINATED in the child of a fork.
 */
STREAMS_API streams_status streams_nats_close(streams_nats_connection *connection);

/*
 * Waits until the server has got all that was published before.
 *
 * Ownership: borrows connection.
 * Errors: STREAMS_TIMED_OUT; as streams_nats_close; STREAMS_NATS_FAILED.
 */
STREAMS_API streams_status streams_nats_flush(
    streams_nats_connection *connection, streams_nanoseconds timeout);

/* The state of a connection. */
typedef enum streams_nats_state {
    STREAMS_NATS_CONNECTING = 0, /* never connected so far */
    STREAMS_NATS_CONNECTED = 1,
    STREAMS_NATS_RECONNECTING = 2, /* it was, and tries to be again */
    STREAMS_NATS_CLOSED = 3        /* for good */
} streams_nats_state;

/*
 * Publishes the state now and each one that follows, as a list of two: the state as
 * an integer, and what the server or nats.c said, as text, empty if there is no
 * error, or none is known any more, as mostly with STREAMS_NATS_RECONNECTING.
 * Finishes after STREAMS_NATS_CLOSED. A subscriber that is behind gets the latest.
 *
 * Ownership: borrows connection; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND.
 */
STREAMS_API streams_publisher *streams_nats_states(streams_nats_connection *connection);

/*
 * The state at this moment.
 *
 * Ownership: borrows connection.
 * Errors: STREAMS_NATS_CLOSED with the errors of streams_nats_close.
 */
STREAMS_API streams_nats_state streams_nats_get_state(const streams_nats_connection *connection);

/*
 * How many messages for core subjects nats.c has dropped, because they came faster
 * than the delivery threads took them; see pending_messages. Streams that have ended
 * count too. What the buffers of streams_nats_subject drop is counted by
 * streams_dropped.
 *
 * Ownership: borrows connection.
 * Errors: 0 with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND.
 */
STREAMS_API uint64_t streams_nats_dropped(const streams_nats_connection *connection);


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
    int64_t start_time; /* nanoseconds since 1970 */
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
    /* Called for each value that is confirmed. May be NULL. */
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


/* ========================================================================
 * Subjects and requests
 * ======================================================================== */

/* What a stream of a core subject does with a message for which it has no room. */
typedef enum streams_nats_when_full {
    STREAMS_NATS_DROP_NEWEST = 0,
    STREAMS_NATS_DROP_OLDEST = 1,
    STREAMS_NATS_FAIL = 2
} streams_nats_when_full;

/*
 * Publishes the messages of a core subject, which may have wildcards, from the
 * subscription on. With a queue group, each message goes to one of its members.
 *
 * Demand: NATS does not wait. Up to limit messages are kept until they are demanded;
 *   what comes beyond is dropped, and counted by streams_dropped, or fails the
 *   stream.
 * Completion: none. Fails when the connection is closed.
 *
 * Ownership: borrows all; queue may be NULL; the result is yours.
 * Threads: values come on a delivery thread, or on one that requests.
 * Errors: NULL with the handle's; STREAMS_NULL_ARGUMENT (subject);
 *   STREAMS_INVALID_ARGUMENT if limit is less than 1, when_full unknown, or subject
 *   or queue empty or with a space or a control character.
 */
STREAMS_API streams_publisher *streams_nats_subject(streams_nats_connection *connection,
    const char *subject, const char *queue, int64_t limit, streams_nats_when_full when_full);

/*
 * Sends a request when its answer is demanded, publishes the answer, a message, and
 * finishes. Fails with the code of NATS_TIMEOUT after timeout, and at once with that
 * of NATS_NO_RESPONDERS if nobody listens.
 *
 * Ownership: borrows connection and subject; copies value; the result is yours.
 * Threads: the answer comes on a delivery thread.
 * Errors: NULL with the handle's; STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE;
 *   STREAMS_INVALID_ARGUMENT if timeout is less than a millisecond, or subject is
 *   none to publish to.
 */
STREAMS_API streams_publisher *streams_nats_request(streams_nats_connection *connection,
    const char *subject, const streams_value *value, streams_nanoseconds timeout);

/*
 * Answers a request that was received.
 *
 * Ownership: borrows both.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_WRONG_KIND; STREAMS_INVALID_VALUE if the
 *   message wants no answer, or the answer is nothing to publish; as
 *   streams_nats_publish.
 */
STREAMS_API streams_status streams_nats_reply(const streams_value *message, const streams_value *answer);


/* ========================================================================
 * Streams and consumers of the server
 *
 * These functions ask the server and wait. Names of streams and consumers have no
 * spaces, control characters, quotes, backslashes, or any of .*>; subjects and
 * filters have none of the first four. Errors: the handle's, STREAMS_NULL_ARGUMENT,
 * STREAMS_INVALID_ARGUMENT for a bad name or subject, STREAMS_INVALID_SIZE,
 * STREAMS_TIMED_OUT, STREAMS_NATS_FAILED with JetStream's code.
 * ======================================================================== */

/* What a stream keeps. */
typedef enum streams_nats_retention {
    STREAMS_NATS_RETAIN_LIMITS = 0,   /* all, within the limits */
    STREAMS_NATS_RETAIN_INTEREST = 1, /* what some consumer has not acknowledged */
    STREAMS_NATS_RETAIN_WORK = 2      /* what has not been acknowledged */
} streams_nats_retention;

/* A stream. What is NULL or 0 has its default: no limit. */
typedef struct streams_nats_stream_options {
    size_t size; /* sizeof(streams_nats_stream_options) */
    const char *name;
    /* NULL: one subject, the name. */
    const char *const *subjects;
    size_t subject_count;
    const char *description;
    streams_nats_retention retention;
    int64_t max_messages;
    int64_t max_bytes;
    int64_t max_messages_per_subject;
    int64_t max_message_size;
    streams_nanoseconds max_age;
    /* How long ids of messages are remembered; 2 minutes. */
    streams_nanoseconds duplicates;
    int64_t replicas; /* 1 */
    /* In memory rather than in files. */
    bool memory;
    /* At a limit, refuse what is new rather than drop what is old. */
    bool discard_new;
} streams_nats_stream_options;

#define STREAMS_NATS_STREAM_OPTIONS_INIT \
    { sizeof(streams_nats_stream_options), NULL, NULL, 0, NULL, STREAMS_NATS_RETAIN_LIMITS, 0, 0, 0, 0, 0, \
        0, 0, false, false }

/* Makes a stream; one that is there with the same options is left alone. */
STREAMS_API streams_status streams_nats_stream_create(
    streams_nats_connection *connection, const streams_nats_stream_options *options);

/* Removes a stream with its messages and consumers; or only its messages. */
STREAMS_API streams_status streams_nats_stream_delete(
    streams_nats_connection *connection, const char *stream);
STREAMS_API streams_status streams_nats_stream_purge(
    streams_nats_connection *connection, const char *stream);

/* What is in a stream. */
typedef struct streams_nats_stream_info {
    size_t size; /* sizeof(streams_nats_stream_info) */
    /* How many messages it has. */
    uint64_t messages;
    /* How many bytes they take. */
    uint64_t bytes;
    /* The number of the oldest message that is kept. */
    uint64_t first_sequence;
    /* That of the last one that was stored. */
    uint64_t last_sequence;
    /* How many consumers it has. */
    int64_t consumers;
    /* How many subjects its messages have. */
    int64_t subjects;
} streams_nats_stream_info;

#define STREAMS_NATS_STREAM_INFO_INIT { sizeof(streams_nats_stream_info), 0, 0, 0, 0, 0, 0 }

STREAMS_API streams_status streams_nats_stream_get_info(
    streams_nats_connection *connection, const char *stream, streams_nats_stream_info *out);

/* Makes a durable consumer, as streams_nats_consume does if it is not there; fails
 * if one exists with other options. */
STREAMS_API streams_status streams_nats_consumer_create(
    streams_nats_connection *connection, const streams_nats_consume_options *options);

/* Removes a consumer. */
STREAMS_API streams_status streams_nats_consumer_delete(
    streams_nats_connection *connection, const char *stream, const char *consumer);

/* Where a consumer is. */
typedef struct streams_nats_consumer_info {
    size_t size; /* sizeof(streams_nats_consumer_info) */
    /* The number in the stream of the last message that was delivered. */
    uint64_t delivered;
    /* The number in the stream up to which all are acknowledged. */
    uint64_t acknowledged;
    /* How many are not delivered yet. */
    uint64_t pending;
    /* How many are delivered and not acknowledged. */
    int64_t acknowledge_pending;
    /* How many have been delivered more than once. */
    int64_t redelivered;
    /* Pull requests that wait. */
    int64_t waiting;
} streams_nats_consumer_info;

#define STREAMS_NATS_CONSUMER_INFO_INIT { sizeof(streams_nats_consumer_info), 0, 0, 0, 0, 0, 0 }

STREAMS_API streams_status streams_nats_consumer_get_info(streams_nats_connection *connection,
    const char *stream, const char *consumer, streams_nats_consumer_info *out);


/* ========================================================================
 * Key-value buckets
 *
 * A key has letters, digits and -/_=. in its name. An entry is a message: its
 * payload is the value, and its sequence the revision. These functions ask the
 * server and wait, except those that return publishers. Errors are those of the
 * section above, and STREAMS_INVALID_ARGUMENT for a bad name.
 * ======================================================================== */

/* A bucket. What is NULL or 0 has its default. */
typedef struct streams_nats_bucket_options {
    size_t size; /* sizeof(streams_nats_bucket_options) */
    const char *name;
    const char *description;
    int64_t history; /* how many values of a key are kept: 1 to 64; 1 */
    streams_nanoseconds max_age;
    int64_t max_bytes;
    int64_t max_value_size;
    int64_t replicas;
    bool memory;
} streams_nats_bucket_options;

#define STREAMS_NATS_BUCKET_OPTIONS_INIT \
    { sizeof(streams_nats_bucket_options), NULL, NULL, 0, 0, 0, 0, 0, false }

/* Makes a bucket; one that is there with the same options is left alone. */
STREAMS_API streams_status streams_nats_bucket_create(
    streams_nats_connection *connection, const streams_nats_bucket_options *options);

/* Removes a bucket with all that is in it. */
STREAMS_API streams_status streams_nats_bucket_delete(
    streams_nats_connection *connection, const char *bucket);

/*
 * Reads a key: *out is bytes, or null if there is no value. revision may be NULL.
 *
 * Ownership: *out is overwritten and yours.
 */
STREAMS_API streams_status streams_nats_key_get(streams_nats_connection *connection, const char *bucket,
    const char *key, streams_value *out, uint64_t *revision);

/* Sets a key; revision, which may be NULL, becomes that of the value. */
STREAMS_API streams_status streams_nats_key_put(streams_nats_connection *connection, const char *bucket,
    const char *key, const streams_value *value, uint64_t *revision);

/*
 * Sets a key only if its revision is `expected`; with 0, only if it has no value.
 * Otherwise fails with the code 10071 of JetStream, "wrong last sequence".
 */
STREAMS_API streams_status streams_nats_key_put_at(streams_nats_connection *connection, const char *bucket,
    const char *key, const streams_value *value, uint64_t expected, uint64_t *revision);

/* Removes the value of a key, and with purge its history too. */
STREAMS_API streams_status streams_nats_key_delete(
    streams_nats_connection *connection, const char *bucket, const char *key, bool purge);

/* What an entry says. */
typedef enum streams_nats_operation {
    STREAMS_NATS_PUT = 0,
    STREAMS_NATS_DELETE = 1,
    STREAMS_NATS_PURGE = 2
} streams_nats_operation;

/*
 * The key and the operation of an entry. The key is ended by NUL and points into the
 * message.
 *
 * Ownership: borrows entry; *key is borrowed from it. Each of the two may be NULL.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_WRONG_KIND; STREAMS_INVALID_VALUE if the
 *   message is no entry of a bucket.
 */
STREAMS_API streams_status streams_nats_entry(
    const streams_value *entry, const char **key, streams_nats_operation *operation);

/*
 * Publishes the last entry of a key, or of each key with NULL or a wildcard, and
 * then each that follows.
 *
 * Demand: as streams_nats_consume; entries wait on the server.
 * Completion: none. Fails if the bucket is not there, or is deleted. After a lost
 *   connection it goes on after the last entry.
 *
 * Ownership: borrows all; the result is yours.
 * Errors: NULL with the handle's, STREAMS_NULL_ARGUMENT, STREAMS_INVALID_ARGUMENT.
 */
STREAMS_API streams_publisher *streams_nats_watch(
    streams_nats_connection *connection, const char *bucket, const char *key);

/*
 * Publishes the value of a key as bytes, or null if there is none: first the present
 * one, then each that follows. Otherwise as streams_nats_watch.
 */
STREAMS_API streams_publisher *streams_nats_key_values(
    streams_nats_connection *connection, const char *bucket, const char *key);

/* Publishes the entries of a key that the bucket has kept, oldest first, and finishes. */
STREAMS_API streams_publisher *streams_nats_key_history(
    streams_nats_connection *connection, const char *bucket, const char *key);

/*
 * A binding of a key: reading and setting ask the server and wait, and subscribers
 * get what streams_nats_key_values publishes. A key without a value is null, and is
 * removed when it is set to null.
 *
 * Ownership: retains connection, and copies the names; the result is yours.
 * Errors: NULL with the handle's, STREAMS_NULL_ARGUMENT, STREAMS_INVALID_ARGUMENT.
 *   Where the server refuses, reading and setting fail with STREAMS_CALLBACK_FAILED,
 *   and streams_last_error has its error.
 */
STREAMS_API streams_binding *streams_nats_key_binding(
    streams_nats_connection *connection, const char *bucket, const char *key);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_NATS_H */
