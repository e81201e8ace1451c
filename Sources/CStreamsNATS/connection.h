/*
 * connection.h - a connection, the streams that use it, and the thread that makes
 * blocking calls for them.
 */

#ifndef STREAMS_NATS_CONNECTION_H
#define STREAMS_NATS_CONNECTION_H

#include "common.h"

/* A stream that uses a connection. The functions are called without locks. */
typedef struct live live;

typedef struct live_type {
    /* Called when the connection is established, for the first time or again. May be NULL. */
    void (*connected)(live *self);
    /* Frees the struct whose first member is this one. */
    void (*destroy)(live *self);
    /* Called when the stream is closed. Returns true if it drains its subscription later, by itself.
     * NULL: it is drained at once. */
    bool (*lingers)(live *self);
} live_type;

struct live {
    const live_type *type;
    connection *owner;
    live *previous, *next; /* of the connection's streams, while it is open */
    atomic_size_t references;
    pthread_mutex_t lock; /* for the fields below, and for those of each type */
    streams_emitter *emitter;
    natsSubscription *subscription;
    bool closed;
    int64_t dropped; /* the number last read from nats.c */
    bool counted;    /* has been added to the connection's number */
};

/* ---- connection.c ------------------------------------------------------------------------------------- */

void connection_retain(connection *self);
void connection_release(connection *self);

/* Whether it was made before this process was forked. */
bool connection_is_foreign(const connection *self);

/* Closes it and ends its streams. */
void connection_close(connection *self);

natsConnection *connection_nats(const connection *self);
jsCtx *connection_js(const connection *self);
bool connection_is_up(const connection *self);

/* Gives a subscription that demand does not bound the limits that the application has set; 0 stands
 * for the limit of nats.c. */
void connection_limit(const connection *self, natsSubscription *subscription);

/* The identity of the server that it is connected to. A server gets a new one at each start. */
void connection_server(const connection *self, char *buffer, size_t capacity);

/* Texts for errors: the addresses of its servers; what nats.c said, or why there is no connection,
 * valid until this thread calls it again; and the error of streams whose connection is closed. */
const char *connection_name(const connection *self);
const char *connection_words(connection *self, natsStatus status);
streams_error *connection_error(connection *self);

/* As connection_words, for a call of JetStream, whose error code is given, or 0. */
const char *jetstream_words(connection *self, natsStatus status, jsErrCode code);

/* Turns the result of a call of JetStream into a status, and notes "cannot <what> <name>: ..." if it
 * failed. code is what the call has set. In manage.c. */
streams_status answered(connection *owner, natsStatus status, const jsErrCode *code, const char *function,
    const char *what, const char *name);

/* Destroys a message of nats.c that came on the connection, now or later. Does nothing in the child
 * of a fork. */
void connection_discard(connection *self, natsMsg *msg);

/* ---- worker.c ----------------------------------------------------------------------------------------- */

typedef struct worker worker;

worker *worker_create(void);
/* Runs the jobs that are due, on the worker's thread, then frees the worker. Jobs that are not due
 * are destroyed. */
void worker_end(worker *self);

/* Runs a function once on the connection's thread, after a delay in milliseconds, and calls destroy
 * afterwards. If the connection is closed first, only destroy is called. */
void worker_run(
    worker *self, int64_t delay, void (*function)(void *), void *context, void (*destroy)(void *));
worker *connection_worker(const connection *self);

/* Destroys those jobs of a context that have not begun. */
void worker_cancel(worker *self, const void *context);

/* Has nats.c send its buffer soon. By itself it would wait a millisecond for more. */
void connection_flush_soon(connection *self);

/* ---- live.c ------------------------------------------------------------------------------------------- */

/* Begins a stream with one reference, which live_close releases. The emitter is retained. */
void live_open(live *self, const live_type *type, connection *owner, streams_emitter *emitter);
void live_retain(live *self);
void live_release(live *self);

/* Ends the stream: it sends nothing more. Its subscription is drained: the handler still gets the
 * messages that have arrived. */
void live_close(live *self);

bool live_is_closed(live *self);

/* How many messages its subscription has dropped that the connection has not counted. */
uint64_t live_dropped(live *self);

/* Subscribes until the stream is closed. The handler's closure is the stream. If demand does not
 * bound how many messages arrive, the limits of the connection do. */
natsStatus live_subscribe(
    live *self, const char *subject, const char *queue, bool bounded, natsMsgHandler handler);

/* Unsubscribes; the handler still gets the messages that have arrived. live_close does this, unless
 * the type's lingers returns true. */
void live_drain(live *self);

/* Calls a function once on the connection's thread, after some milliseconds, unless the stream is
 * closed first. (Subscriptions of nats.c that time out cannot be drained: version 3.4.1 frees them
 * too early.) */
void live_later(live *self, int64_t delay, void (*function)(void *));

/* Fails the stream with an error, which is released. Call it without locks. */
void live_fail(live *self, streams_error *error);

/* As live_fail, for a stream that cannot begin: for the open function of a source. */
streams_status live_fail_open(live *self, natsStatus status, const char *what);

/* ---- The connection's list, in connection.c ----------------------------------------------------------- */

/* False if the connection is closed. */
bool connection_add(connection *self, live *stream);
void connection_remove(connection *self, live *stream);

/* Counts the subscriptions of its streams: connection_close waits until there are none. */
void connection_count(connection *self, int change);

/* Adds the number of messages that a stream has dropped until its end. */
void connection_add_dropped(connection *self, int64_t number);

/* Mark the beginning and the end of a callback of nats.c or of a job: in between, nothing may wait
 * for the threads of nats.c. */
void handler_begins(void);
void handler_ends(void);
/* Opens nats.c, and makes sure that its messages are collected. */
void nats_begins(void);

/* As handler_begins, on the thread of a worker, until that ends. */
void job_begins(void);

/* Calls the function that was given to streams_nats_on_threads, once for each thread. In parts.c. */
void thread_is_known(void);

/* A new subject for replies; free it. */
char *new_inbox(void);

#endif
