/* consume.c - the messages of a JetStream consumer as a publisher: what is demanded is pulled. */

#include <stdlib.h>
#include <string.h>

#include "consume.h"

/* ---- Plans -------------------------------------------------------------------------------------------- */

void plan_destroy(consume_plan *self) {
    free((char *)self->options.stream);
    free((char *)self->options.durable);
    free((char *)self->options.filter);
    free(self);
}

static streams_status check_options(const streams_nats_consume_options *options, const char *function) {
    if (options == NULL) return call_failed(STREAMS_NULL_ARGUMENT, function, "options is NULL");
    streams_status status = check_size(options->size, sizeof *options, function, "options");
    if (status != STREAMS_OK) return status;
    if (options->stream == NULL) return call_failed(STREAMS_NULL_ARGUMENT, function, "stream is NULL");
    if ((unsigned)options->deliver > STREAMS_NATS_DELIVER_LAST_PER_SUBJECT)
        return call_failed(
            STREAMS_INVALID_ARGUMENT, function, "deliver has no such value: %d", (int)options->deliver);
    if ((unsigned)options->acknowledgement > STREAMS_NATS_ACKNOWLEDGE_NONE)
        return call_failed(STREAMS_INVALID_ARGUMENT, function, "acknowledgement has no such value: %d",
            (int)options->acknowledgement);
    if (!is_name(options->stream))
        return call_failed(
            STREAMS_INVALID_ARGUMENT, function, "\"%s\" is not a valid name of a stream", options->stream);
    if (options->filter != NULL && !is_stream_filter(options->filter))
        return call_failed(
            STREAMS_INVALID_ARGUMENT, function, "\"%s\" is not a valid filter", options->filter);
    if (options->durable != NULL && !is_name(options->durable))
        return call_failed(
            STREAMS_INVALID_ARGUMENT, function, "\"%s\" is not a valid name of a consumer", options->durable);
    return check_fields(function, FIELD(start_time), FIELD(acknowledge_wait), FIELD(max_deliver),
        FIELD(max_acknowledge_pending), FIELD(inactive));
}

consume_plan *plan_create(const streams_nats_consume_options *options, const char *function) {
    if (check_options(options, function) != STREAMS_OK) return NULL;
    consume_plan *self = allocate(sizeof *self);
    self->options = *options;
    self->options.stream = copy_text(options->stream);
    self->options.durable = copy_text(options->durable);
    self->options.filter = copy_text(options->filter);
    if (self->options.most == 0) self->options.most = 1000;
    return self;
}

/* ---- The end ------------------------------------------------------------------------------------------ */

/* The server may be about to answer a request that is open. A message that nobody receives would wait
 * until its acknowledge wait is over. So a closed stream rejects what comes, until it has got all that
 * it asked for, or nothing more comes. */

void consume_leave(consume *self) {
    pthread_mutex_lock(&self->base.lock);
    bool first = self->lingering;
    self->lingering = false;
    pthread_mutex_unlock(&self->base.lock);
    if (first) live_drain(&self->base);
}

static void linger(void *context) {
    consume *self = context;
    pthread_mutex_lock(&self->base.lock);
    bool silent = self->words == self->words_then;
    self->words_then = self->words;
    pthread_mutex_unlock(&self->base.lock);
    if (silent || !connection_is_up(self->base.owner))
        consume_leave(self);
    else
        live_later(&self->base, LINGERING, linger);
}

static bool lingers(live *base) {
    consume *self = (consume *)base;
    pthread_mutex_lock(&base->lock);
    bool needed = self->ready && self->asked > 0 &&
                  self->plan->options.acknowledgement != STREAMS_NATS_ACKNOWLEDGE_NONE;
    needed = needed && connection_is_up(base->owner) && !connection_is_foreign(base->owner);
    self->lingering = needed;
    self->words_then = self->words;
    pthread_mutex_unlock(&base->lock);
    if (!needed) return false;
    live_later(base, LINGERING, linger);
    return true;
}

/* ---- Delivering --------------------------------------------------------------------------------------- */

/* Sends a message downstream. Returns whether it was taken. */
static bool deliver(consume *self, message *what) {
    streams_value value = streams_null();
    streams_status status = message_value(what, &value);
    if (self->plan->options.acknowledgement == STREAMS_NATS_ACKNOWLEDGE_BY_HAND)
        consume_remember(self, what);
    uint64_t refusals = streams_emitter_refusals(self->base.emitter);
    if (status == STREAMS_OK) status = streams_emitter_send(self->base.emitter, &value);
    /* The stream may have been cancelled meanwhile, and will be closed in a moment. */
    bool refused = streams_emitter_refusals(self->base.emitter) != refusals;
    (void)streams_value_destroy(&value);
    pthread_mutex_lock(&self->base.lock);
    self->delivering = false;
    bool closed = self->base.closed;
    pthread_mutex_unlock(&self->base.lock);
    return status == STREAMS_OK && !refused && !closed;
}

/* Rejects a message that nobody has taken. While this stream listens, its own request would get it again. */
static bool reject(consume *self, message *what) {
    pthread_mutex_lock(&self->base.lock);
    bool asks = self->asked > 0;
    pthread_mutex_unlock(&self->base.lock);
    return message_settle(what, asks ? "-NAK {\"delay\": 300000000}" : "-NAK");
}

/* Settles a message after the downstream has returned. Returns whether this has already checked if there
 * is more to ask for. */
static bool settle_after(consume *self, message *what, bool taken) {
    switch (self->plan->options.acknowledgement) {
    case STREAMS_NATS_ACKNOWLEDGE_AFTER:
        if (taken)
            consume_acknowledge(self, what);
        else
            (void)reject(self, what);
        return taken;
    case STREAMS_NATS_ACKNOWLEDGE_BY_HAND:
        if (!taken && reject(self, what)) consume_forget(what);
        break;
    default: break;
    }
    return false;
}

static void not_delivering(consume *self) {
    pthread_mutex_lock(&self->base.lock);
    self->delivering = false;
    pthread_mutex_unlock(&self->base.lock);
}

/* Finishes, or asks for more. A setup leaves the finish to the thread that it finds delivering. */
static void go_on(consume *self, bool last, bool looked) {
    if (last || consume_is_over(self))
        (void)streams_emitter_finish(self->base.emitter);
    else if (!looked)
        consume_refill(self);
}

static void on_value(consume *self, natsMsg *msg) {
    bool last = false;
    if (!consume_takes(self, msg, &last)) {
        connection_discard(self->base.owner, msg);
        return;
    }
    pthread_mutex_lock(&self->base.lock);
    self->words++;
    bool asked = pulls_take(self) || self->plan->ordered, closed = self->base.closed;
    bool last_asked = self->asked == 0;
    self->delivering = true;
    pthread_mutex_unlock(&self->base.lock);
    message *what = message_create(msg, self->base.owner);
    atomic_init(&what->open, self->plan->options.acknowledgement != STREAMS_NATS_ACKNOWLEDGE_NONE);
    /* A message that comes late, when it is not asked for any more, is delivered if there is demand for
     * it. */
    if (closed) {
        (void)reject(self, what);
        if (last_asked) consume_leave(self);
    } else if (!asked && streams_emitter_demand(self->base.emitter) == 0) {
        not_delivering(self);
        (void)message_settle(what, "-NAK");
        consume_refill(self);
    } else {
        go_on(self, last, settle_after(self, what, deliver(self, what)));
    }
    message_release(what);
}

void consume_on_message(natsConnection *nats, natsSubscription *subscription, natsMsg *msg, void *closure) {
    (void)nats;
    (void)subscription;
    consume *self = closure;
    handler_begins();
    const char *reply = natsMsg_GetReply(msg);
    if (reply != NULL && reply[0] != '\0') {
        on_value(self, msg);
    } else {
        consume_on_status(self, msg);
        connection_discard(self->base.owner, msg);
    }
    handler_ends();
}

/* ---- The source --------------------------------------------------------------------------------------- */

typedef struct consume_source {
    connection *owner;
    consume_plan *plan;
    atomic_size_t references; /* of the publisher, and of each stream: these may end later */
} consume_source;

typedef struct consume_stream {
    consume base;
    consume_source *source;
} consume_stream;

static void source_release(consume_source *self) {
    if (atomic_fetch_sub(&self->references, 1) != 1) return;
    plan_destroy(self->plan);
    connection_release(self->owner);
    free(self);
}

/* An ephemeral consumer has no other reader. */
typedef struct removal {
    connection *owner;
    char *stream, *consumer;
} removal;

static void remove_consumer(void *context) {
    removal *self = context;
    jsErrCode code = 0;
    if (connection_is_up(self->owner))
        (void)js_DeleteConsumer(connection_js(self->owner), self->stream, self->consumer, NULL, &code);
}

static void removal_destroy(void *context) {
    removal *self = context;
    connection_release(self->owner);
    free(self->stream);
    free(self->consumer);
    free(self);
}

/* The subscription has drained: what was left in it has been rejected. */
static void stream_destroy(live *base) {
    consume_stream *self = (consume_stream *)base;
    if (self->base.consumer != NULL && self->base.plan->options.durable == NULL &&
        connection_is_up(base->owner) && !connection_is_foreign(base->owner)) {
        removal *job = allocate(sizeof *job);
        *job = (removal){ base->owner, copy_text(self->base.plan->options.stream),
            copy_text(self->base.consumer) };
        connection_retain(base->owner);
        worker_run(connection_worker(base->owner), 0, remove_consumer, job, removal_destroy);
    }
    source_release(self->source);
    free(self->base.inbox);
    free(self->base.consumer);
    free(self->base.pull_subject);
    free(self);
}

/* The connection is back. On another server, or one that was restarted, the requests are gone; on the
 * same one they may still be open, as its heartbeats will show. An ordered stream may have missed
 * messages. */
static void on_connected(live *base) {
    consume *self = (consume *)base;
    char server[sizeof self->server];
    connection_server(base->owner, server, sizeof server);
    pthread_mutex_lock(&base->lock);
    bool same = self->ready && !self->plan->ordered && strcmp(server, self->server) == 0;
    self->suspect = same;
    pthread_mutex_unlock(&base->lock);
    /* Messages that were received meanwhile could not lead to requests for more. */
    if (same)
        consume_refill(self);
    else
        consume_set_up(self, 0);
}

static const live_type consume_type = { on_connected, stream_destroy, lingers };

static streams_status source_open(void *context, streams_emitter *emitter, void **state) {
    consume_source *source = context;
    consume_stream *self = allocate(sizeof *self);
    live_open(&self->base.base, &consume_type, source->owner, emitter);
    atomic_fetch_add(&source->references, 1);
    self->source = source;
    self->base.plan = source->plan;
    self->base.window = source->plan->options.most;
    *state = self;
    if (connection_is_foreign(source->owner) || !connection_add(source->owner, &self->base.base))
        return live_fail_open(&self->base.base, NATS_CONNECTION_CLOSED, "");
    consume_set_up(&self->base, 0);
    return STREAMS_OK;
}

static streams_status source_produce(void *state, streams_emitter *emitter, uint64_t max) {
    (void)max;
    consume *self = state;
    pthread_mutex_lock(&self->base.lock);
    bool first = self->ready && self->nothing && self->plan->null_first;
    if (first) self->nothing = false;
    pthread_mutex_unlock(&self->base.lock);
    streams_value none = streams_null();
    if (first) (void)streams_emitter_send(emitter, &none);
    consume_refill(self);
    return STREAMS_OK;
}

static void source_close(void *state) {
    consume *self = state;
    /* In the child of a fork, a thread of the parent may hold the lock for ever. */
    if (!connection_is_foreign(self->base.owner)) {
        pthread_mutex_lock(&self->base.lock);
        self->base.closed = true;
        pthread_mutex_unlock(&self->base.lock);
        consume_reject_open(self);
    }
    live_close(&self->base);
}

static void source_destroy(void *context) { source_release(context); }

streams_publisher *consume_publisher(connection *owner, consume_plan *plan, const char *function) {
    consume_source *context = allocate(sizeof *context);
    *context = (consume_source){ .owner = owner, .plan = plan };
    atomic_init(&context->references, 1);
    connection_retain(owner);
    streams_source source = STREAMS_SOURCE_INIT;
    source.context = context;
    source.open = source_open;
    source.produce = source_produce;
    source.close = source_close;
    source.destroy = source_destroy;
    return made_by(streams_publisher_create(&source), function);
}

streams_publisher *streams_nats_consume(
    streams_nats_connection *handle, const streams_nats_consume_options *options) {
    if (keeps_error(handle)) return NULL;
    connection *owner = NULL;
    if (handle_find(handle, __func__, &owner) != STREAMS_OK) return NULL;
    consume_plan *plan = plan_create(options, __func__);
    streams_publisher *made = plan != NULL ? consume_publisher(owner, plan, __func__) : NULL;
    connection_release(owner);
    return made;
}
