/*
 * proxy.h - a way to a server that can be cut, while the server runs on.
 */

#ifndef STREAMS_NATS_TEST_PROXY_H
#define STREAMS_NATS_TEST_PROXY_H

#include <pthread.h>

#include "server.h"

enum { MOST_PAIRS = 8 };

typedef struct proxy {
    server front; /* what a client connects to: only its url is set */
    int target, listener;
    int ends[MOST_PAIRS][2]; /* of the client, and of the server; -1: free */
    pthread_mutex_t lock;    /* for the ends */
    pthread_t thread;
    atomic_bool ending, shut, swallowing, rude;
    atomic_size_t swallowed, turned_away;
} proxy;

void proxy_start(proxy *self, const server *target);
void proxy_stop(proxy *self);

/* Closes the connections, and each new one at once, until it is opened again; turned_away counts these. */
void proxy_cut(proxy *self);
void proxy_open(proxy *self);

/* From now on closes each new connection as soon as the client says something: the server has greeted it. */
void proxy_be_rude(proxy *self);

/* Takes what the server says, and does not pass it on, until the connections are cut. */
void proxy_swallow(proxy *self);

#endif
