/*
 * connection.h - a connection, the streams that live on it, and the thread that
 * makes blocking calls for them.
 */

#ifndef STREAMS_NATS_CONNECTION_H
#define STREAMS_NATS_CONNECTION_H

#include "common.h"

/* A stream that uses a connection. The functions are called without locks. */
typedef struct live live;

typedef struct live_type {
    /* The connection stands: for the first time, or again. NULL: of no interest. */
    void (*connected)(live *self);
    /* Frees the whole struct, of which live is the first member. */
    void (*destroy)(live *self);
    /* The stream is closed: true if it drains by itself later. NULL: it drains at once. */
    bool (*lingers)(live *self);
} live_type;

struct live {
    const live_type *type;
    connection *owner;
    live *previous, *next; /* of the connection's streams, while it is open */
    atomic_size_t references;
    pthread_mutex_t lock; /* for what follows, and for the fields of each type */
    streams_emitter *emitter;
    natsSubscription *subscription;
    bool closed;
    int64_t dropped; /* as far as is known */
    bool counted;    /* what it dropped is the connection's */
};

/* ---- connection.c ------------------------------------------------------------------------------------- */

void connection_retain(connection *self);
void connection_release(connection *self);

/* It was made before this process was forked. */
bool connection_is_foreign(const connection *self);

/* Ends it, and what lives on it. */
void connection_close(connection *self);

natsConnection *connection_nats(const connection *self);
jsCtx *connection_js(const connection *self);
bool connection_is_up(const connection *self);

/* Which limits the application has set for subscriptions that demand does not
 * bound: 0 is nats.c's own. */
void connection_limit(const connection *self, natsSubscription *subscription);

/* The server that it is connected to: another one after each start of a server. */
void connection_server(const connection *self, char *buffer, size_t capacity);

/* Words for errors: the addresses of its servers; what nats.c said, and why there is no connection if there
 * is none, valid until this thread's next words; and the error of streams whose connection is closed. */
const char *connection_name(const connection *self);
const char *connection_words(connection *self, natsStatus status);
streams_error *connection_error(connection *self);

/* As connection_words, where JetStream was asked: code is its own, or 0. */
const char *jetstream_words(connection *self, natsStatus status, jsErrCode code);

/* What a question to JetStream came to, in manage.c: "cannot <what> <name>: ...", with the code, which the
 * question has set. */
streams_status answered(connection *owner, natsStatus status, const jsErrCode *code, const char *function,
    const char *what, const char *name);

/* Destroys a message of nats.c that came on the connection, sooner or later; never in the child of a fork. */
void connection_discard(connection *self, natsMsg *msg);

/* ---- worker.c ----------------------------------------------------------------------------------------- */

typedef struct worker worker;

worker *worker_create(void);
/* Runs what is due in the thread of the worker, and frees it. Jobs that are not due are only destroyed. */
void worker_end(worker *self);

/* Runs a function once, after a delay in milliseconds, on the connection's thread; then, or if the
 * connection is closed before, calls destroy. */
void worker_run(
    worker *self, int64_t delay, void (*function)(void *), void *context, void (*destroy)(void *));
worker *connection_worker(const connection *self);

/* Destroys the jobs of a context that have not begun. */
void worker_cancel(worker *self, const void *context);

/* Sends what nats.c has in its buffer at once: it would wait for a millisecond for more. */
void connection_flush_soon(connection *self);

/* ---- live.c ------------------------------------------------------------------------------------------- */

/* Begins a stream; the struct has one reference, which live_close gives back. The emitter is retained. */
void live_open(live *self, const live_type *type, connection *owner, streams_emitter *emitter);
void live_retain(live *self);
void live_release(live *self);

/* Ends it: no more events, and the subscription drains: what it still has goes to its handler. */
void live_close(live *self);

bool live_is_closed(live *self);

/* What its subscription has dropped, unless that is counted by the connection. */
uint64_t live_dropped(live *self);

/* Subscribes for as long as the stream lives. The handler's closure is the stream. Where demand does not
 * bound what comes, the limits of the connection do. */
natsStatus live_subscribe(
    live *self, const char *subject, const char *queue, bool bounded, natsMsgHandler handler);

/* Unsubscribes; what the subscription still has goes to its handler. live_close does this, unless the type
 * lingers. */
void live_drain(live *self);

/* Calls a function once on the connection's thread, after some milliseconds, unless the stream is closed
 * before. (Subscriptions of nats.c that time out cannot be drained: version 3.4.1 frees them too early.) */
void live_later(live *self, int64_t delay, void (*function)(void *));

/* Fails the stream with an error, which is released. Call it without locks. */
void live_fail(live *self, streams_error *error);

/* As live_fail, for a stream that cannot begin what it is to do; for the source's open. */
streams_status live_fail_open(live *self, natsStatus status, const char *what);

/* ---- The connection's list, in connection.c ----------------------------------------------------------- */

/* False if the connection is closed. */
bool connection_add(connection *self, live *stream);
void connection_remove(connection *self, live *stream);

/* A close of the connection waits for the subscriptions of its streams, which are counted here. */
void connection_count(connection *self, int change);

/* A stream that ends has dropped so many messages. */
void connection_add_dropped(connection *self, int64_t number);

/* A callback of nats.c's, or a job, begins and ends: in between nothing may wait for nats.c's threads. */
void handler_begins(void);
void handler_ends(void);
/* Opens nats.c, which collects its messages in a way that needs that. */
void nats_begins(void);

/* As handler_begins, on a thread of ours, which ends with its connection. */
void job_begins(void);

/* Calls the function of streams_nats_on_threads if this thread does not know it; in parts.c. */
void thread_is_known(void);

/* A fresh subject for replies; free it. */
char *new_inbox(void);

#endif
