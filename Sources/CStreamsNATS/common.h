/*
 * common.h - what the files of libstreams_nats share: errors, handles, and the connection.
 */

#ifndef STREAMS_NATS_COMMON_H
#define STREAMS_NATS_COMMON_H

#include <nats/nats.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>

#include <streams_nats.h>

/* ---- Errors of calls ---------------------------------------------------------------------------------- */

/* Notes why a call of this thread fails. Returns the status. */
__attribute__((format(printf, 3, 4))) streams_status call_failed(
    streams_status status, const char *function, const char *format, ...);

/* As call_failed, with what nats.c or the server (code is not 0) said. */
__attribute__((format(printf, 4, 5))) streams_status nats_failed(
    natsStatus status, int code, const char *function, const char *format, ...);

/* Notes a status of streams.h as one of a call of ours. */
streams_status passed_on(streams_status status, const char *function);

enum { WORDS = 512 };

/* What nats.c said last on this thread, or the meaning of its status; and a text of
 * nats.c without its marks. Valid until this thread's next words. */
const char *nats_words(natsStatus status);
const char *plain_words(const char *said);

/* Rule 3 of streams.h: a call that is given NULL keeps the error that is already
 * there. These say whether there is such an error, of a connection or of a
 * publisher. */
bool keeps_error(const streams_nats_connection *handle);
bool keeps_publisher_error(const streams_publisher *publisher);

/* What streams.h has made; notes why, if it is NULL. */
void *made_by(void *made, const char *function);

/* What streams.h has made of a publisher; notes why, if it is NULL. */
streams_publisher *step_made(
    streams_publisher *made, const streams_publisher *publisher, const char *function);

/* ---- Errors of streams -------------------------------------------------------------------------------- */

/* An error in the domain "nats". NULL only where streams.h has no memory for one. */
__attribute__((format(printf, 2, 3))) streams_error *stream_error(int64_t code, const char *format, ...);

/* ---- Forks -------------------------------------------------------------------------------------------- */

/* How often this process is the child of a fork: what was made before one belongs to the parent. */
unsigned fork_count(void);

/* ---- Handles ------------------------------------------------------------------------------------------ */

typedef struct connection connection;

/* A handle for a connection, with one reference; NULL if all are in use. */
streams_nats_connection *handle_create(connection *object);

/* Finds the connection of a handle and retains it. */
streams_status handle_find(const streams_nats_connection *handle, const char *function, connection **out);

/* Changes a handle's references by one. *last is the connection if no reference is left. */
streams_status handle_retain(const streams_nats_connection *handle, const char *function);
streams_status handle_release(
    const streams_nats_connection *handle, const char *function, connection **last);

/* ---- Names, in names.c -------------------------------------------------------------------------------- */

/* A subject to publish to; one to subscribe to, with wildcards; one of a stream or a consumer, with
 * wildcards; the name of a stream or a consumer; that of a header. */
bool is_subject(const char *text);
bool is_filter(const char *text);
bool is_stream_filter(const char *text);
bool is_name(const char *text);
bool is_header_name(const char *text);

/* The name of a bucket; and refuses what is none, or no key of one, which may have wildcards. */
bool is_bucket(const char *name);
streams_status check_key(const char *bucket, const char *key, bool wildcards, const char *function);

/* Text as it stands between the quotes of JSON; free it. NULL for NULL. Some signs can be kept out of it. */
char *json_text(const char *text);
char *json_text_without(const char *text, const char *signs);

/* ---- Memory ------------------------------------------------------------------------------------------- */

/* Zeroed memory, or the end of the process: see rule 3 of streams.h. */
void *allocate(size_t size);
char *copy_text(const char *text); /* NULL for NULL */

/* Text made as printf does; free it. */
__attribute__((format(printf, 1, 2))) char *make_text(const char *format, ...);

/* Fields of a struct of options that mean nothing if they are negative. */
typedef struct field {
    const char *name;
    int64_t value;
} field;

#define FIELD(name) { #name, options->name }
#define check_fields(function, ...) \
    check_not_negative((const field[]){ __VA_ARGS__, { NULL, 0 } }, function)
streams_status check_not_negative(const field *fields, const char *function);

/* The size of a struct of options is one that this library knows. */
streams_status check_size(size_t size, size_t known, const char *function, const char *what);

#endif
