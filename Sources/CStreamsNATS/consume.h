/*
 * consume.h - the source that pulls: its state, which consume.c, setup.c and pulls.c share.
 */

#ifndef STREAMS_NATS_CONSUME_H
#define STREAMS_NATS_CONSUME_H

#include "message.h"

/* What a consumer is asked for: copied options, and what only this library can say. */
typedef struct consume_plan {
    streams_nats_consume_options options; /* its text belongs to the plan */
    /* Continues after a loss with another consumer: nothing is acknowledged, so the
     * same consumer would not send again what was lost on its way. */
    bool ordered;
    /* Finishes when nothing is pending. */
    bool finite;
    /* Sends null first if nothing is there. */
    bool null_first;
} consume_plan;

enum { MOST_PULLS = 32 };

/* A request for messages that the server has not answered in full. */
typedef struct pull {
    uint64_t number;
    uint64_t left;
} pull;

typedef struct consume {
    live base;
    const consume_plan *plan;
    /* Under base.lock: */
    char *inbox;
    char *consumer; /* its name on the server, once it is known */
    char *pull_subject;
    char server[64];     /* where the pulls are */
    bool ready;          /* subscribed, with a consumer */
    bool setting_up;     /* a job is on its way */
    bool delivering;     /* the handler is inside a send */
    bool suspect;        /* the connection was lost: the pulls may be */
    bool heard;          /* the server sends heartbeats */
    bool lingering;      /* closed, and not drained yet */
    uint64_t words;      /* of the server: messages and heartbeats */
    uint64_t words_then; /* when the timer ran last */
    bool nothing;        /* nothing was there at the beginning */
    unsigned attempts;   /* to set up */
    unsigned unanswered; /* attempts, one after another, because nobody is there */
    uint64_t window;     /* of unlimited demand */
    int64_t expires;     /* how long a pull may stand, in nanoseconds */
    uint64_t asked;      /* and not received */
    uint64_t target;     /* what asked was after the last pull */
    uint64_t received;   /* ever */
    uint64_t last;       /* sequence taken, if it is ordered */
    uint64_t taken;      /* of this consumer, if it is ordered */
    uint64_t next_number;
    uint64_t first_number; /* that is not forgotten */
    pull pulls[MOST_PULLS];
    size_t pull_count;
    message *open; /* delivered, and not settled */
} consume;

/* A publisher of a plan, which it takes, for a connection, which it retains. */
streams_publisher *consume_publisher(connection *owner, consume_plan *plan, const char *function);

/* A plan of options that are copied; NULL if they are not right. */
consume_plan *plan_create(const streams_nats_consume_options *options, const char *function);
void plan_destroy(consume_plan *self);

/* Ends the lingering of a stream that is closed. */
void consume_leave(consume *self);

/* Keeps a message until it is settled, or comes again. */
void consume_remember(consume *self, message *what);

/* Rejects all that was delivered and not settled. */
void consume_reject_open(consume *self);

/* Takes a message that has been settled out of its stream's list. */
void consume_forget(message *self);

/* ---- watch.c ------------------------------------------------------------------------------------------ */

/* As streams_nats_key_values; failures are noted for the function. */
streams_publisher *key_values(
    streams_nats_connection *handle, const char *bucket, const char *key, const char *function);

/* ---- setup.c ------------------------------------------------------------------------------------------ */

/* Fills the configuration of a consumer. */
void fill_config(jsConsumerConfig *out, const streams_nats_consume_options *options);

/* Finds out on the connection's thread whether the consumer is there, after some milliseconds; makes it, or
 * fails the stream. */
void consume_set_up(consume *self, int64_t delay);

/* ---- ordered.c ---------------------------------------------------------------------------------------- */

/* Whether an ordered stream takes a message: only the next one of its consumer. What consumers before still
 * send comes again. After a gap, or if nobody wants the message, another consumer is made. Another stream
 * takes every message. last is set if the stream ends with this one. */
bool consume_takes(consume *self, natsMsg *msg, bool *last);

/* Removes the consumer of an ordered stream; what it still sends is not taken. */
void consume_give_up(consume *self);

/* Everything that a finite stream has to send has been taken, and sent. */
bool consume_is_over(consume *self);

/* ---- pulls.c ------------------------------------------------------------------------------------------ */

/* Asks for what is demanded and not asked for, if that is worth a request. */
void consume_refill(consume *self);

/* Acknowledges a message, if it is not settled, and asks for more with the same words if that is worth a
 * request. */
void consume_acknowledge(consume *self, message *done);

/* Forgets what was asked for. The lock is held. */
void pulls_forget(consume *self);

/* A message has come. False if none was asked for. The lock is held. */
bool pulls_take(consume *self);

/* Handles a message from the server about a request. */
void consume_on_status(consume *self, natsMsg *msg);

/* Checks from time to time whether the server still answers. */
void consume_listen(void *context);

void consume_on_message(natsConnection *nats, natsSubscription *subscription, natsMsg *msg, void *closure);

/* How often the server says that a request is still open, and how long one stays
 * open, in nanoseconds; and after how many milliseconds of silence it counts as
 * lost. */
#define HEARTBEAT 1000000000LL
#define EXPIRES   30000000000LL
enum { SILENCE = 2500,
    LINGERING = 150 /* after the end */ };

#endif
