/*
 * consume.h - the source that pulls: its state, which consume.c, setup.c and pulls.c share.
 */

#ifndef STREAMS_NATS_CONSUME_H
#define STREAMS_NATS_CONSUME_H

#include "message.h"

/* How to consume: a copy of the options, and settings that only this library makes. */
typedef struct consume_plan {
    streams_nats_consume_options options; /* its text belongs to the plan */
    /* Continues with another consumer after a loss. Nothing is acknowledged, so the same consumer
     * would not send lost messages again. */
    bool ordered;
    /* Finishes when nothing is pending. */
    bool finite;
    /* Sends null first if there is no message. */
    bool null_first;
} consume_plan;

enum { MOST_PULLS = 32 };

/* A request for messages that have not all arrived. */
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
    char server[64];     /* the server that has the pulls */
    bool ready;          /* is subscribed and has a consumer */
    bool setting_up;     /* a job is setting it up */
    bool delivering;     /* the handler is sending a message */
    bool suspect;        /* the connection was lost, and perhaps the pulls with it */
    bool heard;          /* the server sends heartbeats */
    bool lingering;      /* is closed, but not drained yet */
    uint64_t words;      /* messages and heartbeats from the server */
    uint64_t words_then; /* the same when the timer ran last */
    bool nothing;        /* there were no messages at the beginning */
    unsigned attempts;   /* to set it up */
    unsigned unanswered; /* consecutive attempts that no server answered */
    uint64_t window;     /* how many messages to ask for if demand is unlimited */
    int64_t expires;     /* how long a pull stays open, in nanoseconds */
    uint64_t asked;      /* messages asked for and not received */
    uint64_t target;     /* asked, right after the last pull */
    uint64_t received;   /* messages received in all */
    uint64_t last;       /* the last sequence number taken, if it is ordered */
    uint64_t taken;      /* messages taken from this consumer, if it is ordered */
    uint64_t next_number;
    uint64_t first_number; /* the first pull that has not been forgotten */
    pull pulls[MOST_PULLS];
    size_t pull_count;
    message *open; /* delivered and not yet settled */
} consume;

/* Makes a publisher. It takes over the plan, and retains the connection. */
streams_publisher *consume_publisher(connection *owner, consume_plan *plan, const char *function);

/* Makes a plan with a copy of the options. NULL if they are invalid, which is noted. */
consume_plan *plan_create(const streams_nats_consume_options *options, const char *function);
void plan_destroy(consume_plan *self);

/* Drains a stream that was closed and lingers. */
void consume_leave(consume *self);

/* Keeps a message until it is settled or delivered again. */
void consume_remember(consume *self, message *what);

/* Rejects all messages that were delivered and not settled. */
void consume_reject_open(consume *self);

/* Removes a settled message from its stream's list. */
void consume_forget(message *self);

/* ---- watch.c ------------------------------------------------------------------------------------------ */

/* As streams_nats_key_values, but failures are noted as those of the given function. */
streams_publisher *key_values(
    streams_nats_connection *handle, const char *bucket, const char *key, const char *function);

/* ---- setup.c ------------------------------------------------------------------------------------------ */

/* Fills the configuration of a consumer. */
void fill_config(jsConsumerConfig *out, const streams_nats_consume_options *options);

/* On the connection's thread, after some milliseconds: looks for the consumer, makes it if there is
 * none, or fails the stream. */
void consume_set_up(consume *self, int64_t delay);

/* ---- ordered.c ---------------------------------------------------------------------------------------- */

/* Whether the stream takes a message. An ordered stream takes only the next one of its consumer:
 * messages of earlier consumers are delivered again, and after a gap, or if nobody wants the message,
 * another consumer is made. A stream that is not ordered takes every message. *last is set if the
 * stream ends with this message. */
bool consume_takes(consume *self, natsMsg *msg, bool *last);

/* Removes the consumer of an ordered stream. What it still sends is not taken. */
void consume_give_up(consume *self);

/* Whether a finite stream has sent everything. */
bool consume_is_over(consume *self);

/* ---- pulls.c ------------------------------------------------------------------------------------------ */

/* Asks for messages that are demanded and not asked for yet, if they are enough for a request. */
void consume_refill(consume *self);

/* Acknowledges a message, unless it is settled. If more messages are to be asked for, the same packet
 * does it. */
void consume_acknowledge(consume *self, message *done);

/* Forgets all pulls. The lock is held. */
void pulls_forget(consume *self);

/* Counts a message that has arrived. False if none was asked for. The lock is held. */
bool pulls_take(consume *self);

/* Handles a message of the server about a pull. */
void consume_on_status(consume *self, natsMsg *msg);

/* Checks from time to time whether the server still answers. */
void consume_listen(void *context);

void consume_on_message(natsConnection *nats, natsSubscription *subscription, natsMsg *msg, void *closure);

/* How often the server says that a pull is still open, and how long a pull stays open, in
 * nanoseconds; after how many milliseconds of silence a pull counts as lost. */
#define HEARTBEAT 1000000000LL
#define EXPIRES   30000000000LL
enum { SILENCE = 2500,
    LINGERING = 150 /* after the end */ };

#endif
