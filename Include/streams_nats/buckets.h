/*
 * streams_nats/buckets.h - keys to read, set, watch and bind.
 *
 * The rules at the top of streams_nats.h hold here too.
 */

#ifndef STREAMS_NATS_BUCKETS_H
#define STREAMS_NATS_BUCKETS_H

#include "../streams.h"

#include "connections.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Key-value buckets
 *
 * A key has letters, digits and -/_=. in its name. An entry is a message: its
 * payload is the value, and its sequence the revision. These functions ask the
 * server and wait, except those that return publishers. Errors are those of
 * managing.h, and STREAMS_INVALID_ARGUMENT for a bad name.
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
 *   message is not an entry of a bucket.
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

#endif /* STREAMS_NATS_BUCKETS_H */
