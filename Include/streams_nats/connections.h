/*
 * streams_nats/connections.h - connections to servers, and their states.
 *
 * The rules at the top of streams_nats.h hold here too.
 */

#ifndef STREAMS_NATS_CONNECTIONS_H
#define STREAMS_NATS_CONNECTIONS_H

#include "../streams.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Connections
 * ======================================================================== */

/* A connection to a server or a cluster. */
typedef struct streams_nats_connection streams_nats_connection;

/* How to connect. What is NULL or 0 has its default. */
typedef struct streams_nats_options {
    size_t size; /* sizeof(streams_nats_options) */
    /* Addresses with commas in between, 64 at most: more are not looked at;
     * "nats://127.0.0.1:4222" by default. One that can be none is refused. A
     * user with a password, or a token, may be in it, before an @: there %40
     * is an @, and so on for each byte, and a comma has to be %2C. */
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
 * reached, the connection goes on trying by itself, at once and then after each
 * reconnect_wait: the call succeeds, the state is STREAMS_NATS_CONNECTING and says
 * why, and streams that are subscribed to meanwhile begin when the connection
 * stands. A server that refuses the credentials, or has another certificate than it
 * should, fails the call, if it is the last one that was tried; later refusals count
 * as attempts. A file that cannot be read fails the call.
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
 * an integer, and why it is not connected, as text: each server with its reason, or
 * what the server or nats.c said. It is empty if there is no error, or none is known
 * any more, as mostly with STREAMS_NATS_RECONNECTING. Calls that fail meanwhile, or
 * after the connection was given up, say the same. Finishes after
 * STREAMS_NATS_CLOSED. A subscriber that is behind gets the latest.
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

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_NATS_CONNECTIONS_H */
