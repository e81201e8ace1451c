/* closing.c - the end of a connection; flushes; and what a program can ask about one. */

#include <errno.h>
#include <time.h>

#include "connection_state.h"

/* Milliseconds after the beginning of a close: until when it waits for the subscriptions, and at most; and
 * how long it flushes in between. */
enum { DRAINING = 3000,
    FLUSHING = 1000,
    CLOSING = 5000 };

static void release_connection(void *context) { connection_release(context); }

/* ---- Closing ------------------------------------------------------------------------------------------ */

/* This thread is one of nats.c's, or the connection's, which a close would wait for. */
static _Thread_local int inside_handler;

void job_begins(void) { inside_handler++; }

void handler_begins(void) {
    job_begins();
    thread_is_known();
}

void handler_ends(void) { inside_handler--; }

void connection_count(connection *self, int change) {
    pthread_mutex_lock(&self->lock);
    self->subscriptions += change;
    pthread_cond_broadcast(&self->ended);
    pthread_mutex_unlock(&self->lock);
}

static struct timespec now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time;
}

static struct timespec later(struct timespec time, int milliseconds) {
    time.tv_sec += milliseconds / 1000;
    return time;
}

static bool is_up(connection *self) {
    return natsConnection_Status(self->nats) == NATS_CONN_STATUS_CONNECTED;
}

/* Waits for the streams' subscriptions, whose handlers reject what they still get. (Version 3.4.1 of nats.c
 * cannot drain a connection with subscriptions that drain: it frees these twice.) */
static void wait_for_subscriptions(connection *self, struct timespec until) {
    pthread_mutex_lock(&self->lock);
    while (self->subscriptions > 0 &&
           pthread_cond_timedwait(&self->ended, &self->lock, &until) != ETIMEDOUT) {}
    pthread_mutex_unlock(&self->lock);
}

static void finish_closing(connection *self) {
    if (is_up(self)) (void)natsConnection_FlushTimeout(self->nats, FLUSHING);
    natsConnection_Close(self->nats);
}

static void wait_until_closed(connection *self, struct timespec until) {
    pthread_mutex_lock(&self->lock);
    while (!self->closed && pthread_cond_timedwait(&self->ended, &self->lock, &until) != ETIMEDOUT) {}
    pthread_mutex_unlock(&self->lock);
}

/* Finishes on the connection's thread, which must not wait: jobs of its streams let them drain. */
static void finish_job(void *context) {
    connection *self = context;
    pthread_mutex_lock(&self->lock);
    bool drains = self->subscriptions > 0 && now().tv_sec < self->drained_by.tv_sec;
    pthread_mutex_unlock(&self->lock);
    if (!drains || !is_up(self)) {
        finish_closing(self);
        return;
    }
    connection_retain(self);
    worker_run(self->worker, 20, finish_job, self, release_connection);
}

void connection_close(connection *self) {
    if (connection_is_foreign(self)) return;
    pthread_mutex_lock(&self->lock);
    bool first = !self->closing;
    self->closing = true;
    struct timespec begun = now();
    if (first) {
        self->drained_by = later(begun, DRAINING);
        self->trouble[0] = '\0';
    }
    pthread_mutex_unlock(&self->lock);
    if (!first) return;
    connection_fail_streams(self);
    if (inside_handler == 0) {
        if (is_up(self)) wait_for_subscriptions(self, self->drained_by);
        finish_closing(self);
        wait_until_closed(self, later(begun, CLOSING));
        return;
    }
    /* This thread may be what the subscriptions wait for. */
    connection_retain(self);
    worker_run(self->worker, 0, finish_job, self, release_connection);
}

streams_status streams_nats_close(streams_nats_connection *handle) {
    connection *self = NULL;
    streams_status status = handle_find(handle, __func__, &self);
    if (status != STREAMS_OK) return status;
    connection_close(self);
    connection_release(self);
    return STREAMS_OK;
}

/* ---- Flushing ----------------------------------------------------------------------------------------- */

static void flush_now(void *context) {
    connection *self = context;
    /* What is published from now on needs another flush. */
    atomic_store(&self->flushing, false);
    if (connection_is_up(self)) (void)natsConnection_FlushTimeout(self->nats, 1000);
}

void connection_flush_soon(connection *self) {
    if (atomic_exchange(&self->flushing, true)) return;
    connection_retain(self);
    worker_run(self->worker, 0, flush_now, self, release_connection);
}

streams_status streams_nats_flush(streams_nats_connection *handle, streams_nanoseconds timeout) {
    connection *self = NULL;
    streams_status status = handle_find(handle, __func__, &self);
    if (status != STREAMS_OK) return status;
    if (timeout < STREAMS_MILLISECOND)
        status = call_failed(STREAMS_INVALID_ARGUMENT, __func__, "timeout is less than a millisecond");
    else {
        natsStatus said = natsConnection_FlushTimeout(self->nats, timeout / STREAMS_MILLISECOND);
        if (said != NATS_OK)
            status = nats_failed(said, 0, __func__, "cannot flush to %s: %s", connection_name(self),
                connection_words(self, said));
    }
    connection_release(self);
    return status;
}

/* ---- Looking ------------------------------------------------------------------------------------------ */

streams_publisher *streams_nats_states(streams_nats_connection *handle) {
    if (keeps_error(handle)) return NULL;
    connection *self = NULL;
    if (handle_find(handle, __func__, &self) != STREAMS_OK) return NULL;
    streams_publisher *made = connection_states(self);
    connection_release(self);
    return made;
}

streams_nats_state streams_nats_get_state(const streams_nats_connection *handle) {
    connection *self = NULL;
    if (handle_find(handle, __func__, &self) != STREAMS_OK) return STREAMS_NATS_CLOSED;
    streams_nats_state state = (streams_nats_state)atomic_load(&self->state);
    connection_release(self);
    return state;
}

uint64_t streams_nats_dropped(const streams_nats_connection *handle) {
    connection *self = NULL;
    if (handle_find(handle, __func__, &self) != STREAMS_OK) return 0;
    uint64_t dropped = connection_dropped(self);
    connection_release(self);
    return dropped;
}
