/* live.c - a stream that lives on a connection: its references, its subscription, its end. */

#include <stdlib.h>

#include "connection.h"

void live_open(live *self, const live_type *type, connection *owner, streams_emitter *emitter) {
    self->type = type;
    self->owner = owner;
    connection_retain(owner);
    atomic_init(&self->references, 1);
    pthread_mutex_init(&self->lock, NULL);
    self->emitter = emitter;
    (void)streams_retain(emitter);
}

void live_retain(live *self) { atomic_fetch_add_explicit(&self->references, 1, memory_order_relaxed); }

void live_release(live *self) {
    if (atomic_fetch_sub_explicit(&self->references, 1, memory_order_acq_rel) != 1) return;
    connection *owner = self->owner;
    pthread_mutex_destroy(&self->lock);
    self->type->destroy(self);
    connection_release(owner);
}

void live_drain(live *self) {
    /* In the child of a fork the locks may be held for ever. */
    if (connection_is_foreign(self->owner)) return;
    pthread_mutex_lock(&self->lock);
    if (self->subscription != NULL) (void)natsSubscription_Drain(self->subscription);
    pthread_mutex_unlock(&self->lock);
}

/* The lock is held. Where the connection is closed a subscription does not say it any more. */
static int64_t dropped(live *self) {
    int64_t number = 0;
    bool known =
        self->subscription != NULL && natsSubscription_GetDropped(self->subscription, &number) == NATS_OK;
    if (known) self->dropped = number;
    return self->dropped;
}

uint64_t live_dropped(live *self) {
    pthread_mutex_lock(&self->lock);
    int64_t number = self->counted ? 0 : dropped(self);
    pthread_mutex_unlock(&self->lock);
    return (uint64_t)number;
}

/* A subscription that drains is not asked any more. */
static void count_dropped(live *self) {
    pthread_mutex_lock(&self->lock);
    if (!self->counted) connection_add_dropped(self->owner, dropped(self));
    self->counted = true;
    pthread_mutex_unlock(&self->lock);
}

/* Threads of the parent may have held the locks: only what streams.h has is released. */
static void close_foreign(live *self) {
    self->closed = true;
    (void)streams_release(self->emitter);
}

void live_close(live *self) {
    if (connection_is_foreign(self->owner)) {
        close_foreign(self);
        return;
    }
    count_dropped(self);
    connection_remove(self->owner, self);
    pthread_mutex_lock(&self->lock);
    self->closed = true;
    pthread_mutex_unlock(&self->lock);
    worker_cancel(connection_worker(self->owner), self);
    if (self->type->lingers == NULL || !self->type->lingers(self)) live_drain(self);
    (void)streams_release(self->emitter);
    live_release(self);
}

bool live_is_closed(live *self) {
    pthread_mutex_lock(&self->lock);
    bool closed = self->closed;
    pthread_mutex_unlock(&self->lock);
    return closed;
}

/* The last message of a subscription has been handled. */
static void completed(void *closure) {
    live *self = closure;
    pthread_mutex_lock(&self->lock);
    natsSubscription *subscription = self->subscription;
    self->subscription = NULL;
    pthread_mutex_unlock(&self->lock);
    natsSubscription_Destroy(subscription);
    connection_count(self->owner, -1);
    live_release(self);
}

natsStatus live_subscribe(
    live *self, const char *subject, const char *queue, bool bounded, natsMsgHandler handler) {
    natsConnection *nats = connection_nats(self->owner);
    natsSubscription *made = NULL;
    natsStatus status = NATS_OK;
    /* completed cannot take the lock before the field is set. */
    pthread_mutex_lock(&self->lock);
    if (self->closed)
        status = NATS_INVALID_SUBSCRIPTION;
    else if (queue != NULL)
        status = natsConnection_QueueSubscribe(&made, nats, subject, queue, handler, self);
    else
        status = natsConnection_Subscribe(&made, nats, subject, handler, self);
    if (status == NATS_OK) {
        live_retain(self);
        connection_count(self->owner, 1);
        self->subscription = made;
        if (bounded)
            (void)natsSubscription_SetPendingLimits(made, -1, -1);
        else
            connection_limit(self->owner, made);
        /* Where the connection has just been closed the stream is kept, since its handler may be running.
         */
        status = natsSubscription_SetOnCompleteCB(made, completed, self);
    }
    pthread_mutex_unlock(&self->lock);
    return status;
}

static void release_live(void *context) { live_release(context); }

void live_later(live *self, int64_t delay, void (*function)(void *)) {
    live_retain(self);
    worker_run(connection_worker(self->owner), delay, function, self, release_live);
}

void live_fail(live *self, streams_error *error) {
    live_retain(self);
    (void)streams_emitter_fail(self->emitter, error);
    if (error != NULL) (void)streams_release(error);
    live_release(self);
}

streams_status live_fail_open(live *self, natsStatus status, const char *what) {
    streams_error *error =
        status == NATS_CONNECTION_CLOSED
            ? connection_error(self->owner)
            : stream_error(status, "cannot %s: %s", what, connection_words(self->owner, status));
    streams_status result = streams_emitter_fail(self->emitter, error);
    (void)streams_release(error);
    return result;
}

char *new_inbox(void) {
    natsInbox *made = NULL;
    if (natsInbox_Create(&made) != NATS_OK) return NULL;
    char *copy = copy_text(made);
    natsInbox_Destroy(made);
    return copy;
}
