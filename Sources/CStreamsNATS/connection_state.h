/*
 * connection_state.h - what a connection is made of, for connection.c and closing.c.
 */

#ifndef STREAMS_NATS_CONNECTION_STATE_H
#define STREAMS_NATS_CONNECTION_STATE_H

#include <time.h>

#include "addresses.h"
#include "connection.h"

/* Messages of nats.c that are to be destroyed together: discard.c. */
enum { MOST_DISCARDED = 64 };

typedef struct discarded {
    pthread_mutex_t lock;
    natsMsg *messages[MOST_DISCARDED];
    size_t count, bytes;
} discarded;

void discarded_open(discarded *self);
void discarded_close(discarded *self);

struct connection {
    atomic_size_t references;
    unsigned forks; /* as of its making */
    pthread_mutex_t lock;
    pthread_cond_t ended;
    natsConnection *nats;
    jsCtx *js;
    worker *worker;
    streams_subject *states;
    addresses servers;
    char trouble[WORDS]; /* why it is not connected; under the lock */
    live *streams;
    int subscriptions; /* of streams, also of closed ones that still drain */
    bool closing;      /* no more streams */
    bool closed;       /* nats.c has said so */
    atomic_bool connected_once;
    struct timespec drained_by; /* until when a close waits for subscriptions */
    atomic_int state;
    atomic_bool flushing; /* a flush is on its way */
    int pending_messages, pending_bytes;
    atomic_uint_fast64_t dropped; /* by streams that have ended */
    discarded discarded;
};

/* What its streams have dropped, those that live included. */
uint64_t connection_dropped(connection *self);

/* Fails all streams that live on a connection, with connection_error. */
void connection_fail_streams(connection *self);

/* Words say why it is not connected, if they are not empty. */
void connection_set_state(connection *self, streams_nats_state state, const char *words);

/* A publisher of the state, the last one of a connection that is closed. */
streams_publisher *connection_states(connection *self);

/* What the server said last; valid until this thread's next words. */
const char *connection_last_words(natsConnection *nats);

/* What nats.c calls, with the connection as its closure. */
void connection_on_connected(natsConnection *nats, void *closure);
void connection_on_disconnected(natsConnection *nats, void *closure);
void connection_on_closed(natsConnection *nats, void *closure);

#endif
