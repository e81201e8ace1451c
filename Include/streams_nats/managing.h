/*
 * streams_nats/managing.h - making, removing, and looking at them.
 *
 * The rules at the top of streams_nats.h hold here too.
 */

#ifndef STREAMS_NATS_MANAGING_H
#define STREAMS_NATS_MANAGING_H

#include "../streams.h"

#include "connections.h"
#include "consumers.h"

#ifdef __cplusplus
extern "C" {
#endif


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

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_NATS_MANAGING_H */
