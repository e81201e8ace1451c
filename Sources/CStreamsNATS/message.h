/*
 * message.h - messages as values: one object for each, counted, around the message of nats.c.
 */

#ifndef STREAMS_NATS_MESSAGE_H
#define STREAMS_NATS_MESSAGE_H

#include "connection.h"

typedef struct message message;

/* What must be notified of a message that nobody has settled: guarded by the lock
 * of its stream. */
struct message {
    atomic_size_t references;
    natsMsg *nats;
    connection *owner; /* NULL for one that was made here */
    char *id;          /* for the server, of one that was made here */
    atomic_bool open;  /* it can be settled */
    live *stream;      /* that rejects it if it ends before; or NULL. Kept for as long as the message. */
    uint64_t sequence; /* in the stream of the server, of one that is listed */
    bool listed;       /* by the stream; under its lock, as the neighbors */
    message *previous, *next;
};

/* Takes the message of nats.c. */
message *message_create(natsMsg *nats, connection *owner);
void message_retain(message *self);
void message_release(message *self);

/* The value of a message, which is yours; it has a reference of its own. */
streams_status message_value(message *self, streams_value *out);

/* The message of a value, borrowed, or NULL. */
message *message_of(const streams_value *value);

/* As message_of; a failure is noted for the function. */
streams_status message_find(const streams_value *value, const char *function, message **out);

/* Sends "+ACK" or another word to the server, once: false if it was settled before. */
bool message_settle(message *self, const char *word);

/* The first value of a header; NULL if there is none. Valid as long as the message. */
const char *message_header(message *self, const char *name);

/* ---- What is published: outgoing.c -------------------------------------------------------------------- */

/* Whether a value can be published. */
bool is_publishable(const streams_value *value);

/* Publishes a value to a subject. reply and id may be NULL. */
natsStatus publish_value(natsConnection *nats, const char *subject, const char *reply,
    const streams_value *value, const char *id);

/* Why a value could not be published, with its size; free it. */
char *publish_words(connection *owner, natsStatus status, const streams_value *value);

#endif
