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

/* As call_failed, and adds the message of the server if code is not 0, of nats.c otherwise. */
__attribute__((format(printf, 4, 5))) streams_status nats_failed(
    natsStatus status, int code, const char *function, const char *format, ...);

/* Notes the failure of a function of streams.h as that of our function. Returns the status. */
streams_status passed_on(streams_status status, const char *function);

enum { WORDS = 512 };

/* The last message of nats.c on this thread, or the meaning of the status; and a message of nats.c
 * without its prefixes. Valid until this thread calls one of them again. */
const char *nats_words(natsStatus status);
const char *plain_words(const char *said);

/* Rule 3 of streams.h: a call that is given NULL keeps the error that is already there. These return
 * whether the handle is NULL and there is such an error. */
bool keeps_error(const streams_nats_connection *handle);
bool keeps_publisher_error(const streams_publisher *publisher);

/* Returns the object that a function of streams.h has made. If it is NULL, notes why as a failure of
 * our function. */
void *made_by(void *made, const char *function);

/* As made_by, for a publisher that was made from another one. */
streams_publisher *step_made(
    streams_publisher *made, const streams_publisher *publisher, const char *function);

/* ---- Errors of streams -------------------------------------------------------------------------------- */

/* An error in the domain "nats". NULL only if streams.h has no memory for it. */
__attribute__((format(printf, 2, 3))) streams_error *stream_error(int64_t code, const char *format, ...);

/* ---- Forks -------------------------------------------------------------------------------------------- */

/* The number of forks between the first process and this one: what was made before a fork belongs to
 * the parent. */
unsigned fork_count(void);

/* ---- Handles ------------------------------------------------------------------------------------------ */

typedef struct connection connection;

/* Makes a handle for a connection, with one reference. NULL if all handles are in use. */
streams_nats_connection *handle_create(connection *object);

/* Finds the connection of a handle and retains it. */
streams_status handle_find(const streams_nats_connection *handle, const char *function, connection **out);

/* Adds or removes one reference of a handle. *last is the connection if no reference is left. */
streams_status handle_retain(const streams_nats_connection *handle, const char *function);
streams_status handle_release(
    const streams_nats_connection *handle, const char *function, connection **last);

/* ---- Names, in names.c -------------------------------------------------------------------------------- */

/* Whether the text is a subject to publish to; a subject to subscribe to, which may have wildcards;
 * the same for streams and consumers; the name of a stream or a consumer; the name of a header. */
bool is_subject(const char *text);
bool is_filter(const char *text);
bool is_stream_filter(const char *text);
bool is_name(const char *text);
bool is_header_name(const char *text);

/* Whether the text is the name of a bucket; and the check of a bucket's name and of a key, with
 * wildcards or without, which notes what is wrong. */
bool is_bucket(const char *name);
streams_status check_key(const char *bucket, const char *key, bool wildcards, const char *function);

/* The text escaped for a JSON string, without the quotes; free it. NULL for NULL. The second leaves
 * out some characters. */
char *json_text(const char *text);
char *json_text_without(const char *text, const char *signs);

/* ---- Memory ------------------------------------------------------------------------------------------- */

/* Allocates zeroed memory. Ends the process if there is none: see rule 3 of streams.h. */
void *allocate(size_t size);
char *copy_text(const char *text); /* NULL for NULL */

/* Formats text as printf does; free it. */
__attribute__((format(printf, 1, 2))) char *make_text(const char *format, ...);

/* Fields of a struct of options that must not be negative. */
typedef struct field {
    const char *name;
    int64_t value;
} field;

#define FIELD(name) { #name, options->name }
#define check_fields(function, ...) \
    check_not_negative((const field[]){ __VA_ARGS__, { NULL, 0 } }, function)
streams_status check_not_negative(const field *fields, const char *function);

/* Checks that the size of a struct of options is one that this library knows. */
streams_status check_size(size_t size, size_t known, const char *function, const char *what);

#endif
