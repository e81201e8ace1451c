/*
 * publication.h - a stream that is published: its values that are not confirmed, for publish_all.c and
 * republish.c.
 */

#ifndef STREAMS_NATS_PUBLICATION_H
#define STREAMS_NATS_PUBLICATION_H

#include "publish.h"

typedef struct slot {
    bool used;
    streams_value value;
    char *subject; /* NULL: that of the options */
    char *id;
} slot;

typedef struct publication {
    live base;
    publish_plan *plan;
    char *inbox;
    streams_cancellable *upstream;
    streams_subscription *subscription; /* of upstream */
    slot *ring;
    uint64_t first; /* the oldest that is not confirmed */
    uint64_t next;  /* number of the next value */
    uint64_t confirmed;
    uint64_t room;                       /* confirmed, and not asked for again */
    uint64_t sequence;                   /* of the last confirmation */
    uint64_t first_then, confirmed_then; /* when the timer ran last */
    int silences;                        /* of the timer only */
    int64_t rounds;                      /* published anew without a confirmation since */
    bool begun, over;                    /* upstream: asked, ended */
    bool ended;                          /* the result is sent */
    bool notifying;                      /* the program is notified of a confirmation */
    bool again;                          /* a job publishes anew */
    pthread_mutex_t order;               /* held while a value is published, and for the three below */
    bool behind;                         /* values wait for that job, so that they stay in order */
    uint64_t reconnects;                 /* of the connection, as far as what was sent to it counts */
    natsStatistics *statistics;
    streams_error *failure; /* of upstream */
} publication;

/* The place of a value in the ring. */
slot *slot_at(publication *self, uint64_t number);
void slot_free(slot *self);

/* A copy of a value that is not confirmed; false if it is. */
bool publication_copy_slot(publication *self, uint64_t number, slot *out);

/* Fails the stream over a value. */
void publication_fail_value(publication *self, uint64_t number, const char *subject,
    const streams_value *value, int64_t code, const char *words);

natsStatus publication_publish(publication *self, uint64_t number, const slot *what);

/* How often the connection has been made anew, and whether it was lost since. The order is held. */
uint64_t publication_count_reconnects(publication *self);
bool publication_was_lost(publication *self);

/* Publishes again all that is not confirmed, after some milliseconds. */
void publication_publish_anew(publication *self, int64_t delay);

/* Checks from time to time whether anything has been confirmed. */
void publication_listen(void *context);
void publication_connected(live *base);

#endif
