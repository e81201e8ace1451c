/* subject.c - core subjects and requests as publishers. */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

/* What a subject's stream, or a request, is made of; shared by the streams of one publisher. */
typedef struct recipe {
    atomic_size_t references;
    connection *owner;
    char *subject, *queue;
    streams_value value; /* of a request */
    int64_t timeout;     /* of a request, in milliseconds; 0: it is a subject */
} recipe;

typedef struct stream {
    live base;
    recipe *recipe;
    bool sent; /* the request */
    bool done;
} stream;

static void recipe_release(void *context) {
    recipe *self = context;
    if (atomic_fetch_sub(&self->references, 1) != 1) return;
    (void)streams_value_destroy(&self->value);
    connection_release(self->owner);
    free(self->subject);
    free(self->queue);
    free(self);
}

static void stream_destroy(live *base) {
    recipe_release(((stream *)base)->recipe);
    free(base);
}

static const live_type stream_type = { NULL, stream_destroy, NULL };

static void send_message(stream *self, natsMsg *msg) {
    message *what = message_create(msg, self->base.owner);
    streams_value value = streams_null();
    if (message_value(what, &value) == STREAMS_OK) (void)streams_emitter_send(self->base.emitter, &value);
    (void)streams_value_destroy(&value);
    message_release(what);
}

static void on_message(natsConnection *nats, natsSubscription *subscription, natsMsg *msg, void *closure) {
    (void)nats;
    (void)subscription;
    handler_begins();
    send_message(closure, msg);
    handler_ends();
}

/* The first of answer and timeout: later ones find the stream done. */
static bool is_first(stream *self) {
    pthread_mutex_lock(&self->base.lock);
    bool first = !self->done && !self->base.closed;
    self->done = true;
    pthread_mutex_unlock(&self->base.lock);
    return first;
}

static void on_timeout(void *context) {
    stream *self = context;
    if (is_first(self))
        live_fail(&self->base, stream_error(NATS_TIMEOUT, "no answer from %s within %lld ms",
                                   self->recipe->subject, (long long)self->recipe->timeout));
}

static void on_answer(natsConnection *nats, natsSubscription *subscription, natsMsg *msg, void *closure) {
    (void)nats;
    (void)subscription;
    stream *self = closure;
    handler_begins();
    if (!is_first(self)) {
        connection_discard(self->base.owner, msg);
    } else if (natsMsg_IsNoResponders(msg)) {
        connection_discard(self->base.owner, msg);
        live_fail(&self->base,
            stream_error(NATS_NO_RESPONDERS, "nobody answers requests to %s", self->recipe->subject));
    } else {
        send_message(self, msg);
        (void)streams_emitter_finish(self->base.emitter);
    }
    handler_ends();
}

static streams_status open_stream(void *context, streams_emitter *emitter, void **state) {
    recipe *from = context;
    stream *self = allocate(sizeof *self);
    live_open(&self->base, &stream_type, from->owner, emitter);
    atomic_fetch_add(&from->references, 1);
    self->recipe = from;
    *state = self;
    if (connection_is_foreign(from->owner) || !connection_add(from->owner, &self->base))
        return live_fail_open(&self->base, NATS_CONNECTION_CLOSED, "");
    if (from->timeout > 0) return STREAMS_OK;
    natsStatus status = live_subscribe(&self->base, from->subject, from->queue, false, on_message);
    if (status != NATS_OK) {
        char *what = make_text("subscribe to %s", from->subject);
        streams_status result = live_fail_open(&self->base, status, what);
        free(what);
        return result;
    }
    connection_flush_soon(from->owner);
    return STREAMS_OK;
}

/* A subject's messages come by themselves. */
static streams_status produce_nothing(void *state, streams_emitter *emitter, uint64_t max) {
    (void)state;
    (void)emitter;
    (void)max;
    return STREAMS_OK;
}

static streams_status send_request(void *state, streams_emitter *emitter, uint64_t max) {
    (void)max;
    stream *self = state;
    recipe *from = self->recipe;
    if (self->sent) return STREAMS_OK;
    self->sent = true;
    char *inbox = new_inbox();
    natsStatus status =
        inbox != NULL ? live_subscribe(&self->base, inbox, NULL, true, on_answer) : NATS_NO_MEMORY;
    if (status == NATS_OK)
        status = publish_value(connection_nats(from->owner), from->subject, inbox, &from->value, NULL);
    free(inbox);
    if (status == NATS_OK) {
        live_later(&self->base, from->timeout, on_timeout);
        connection_flush_soon(from->owner);
        return STREAMS_OK;
    }
    char *words = publish_words(from->owner, status, &from->value);
    streams_error *error = stream_error(status, "cannot send a request to %s: %s", from->subject, words);
    free(words);
    streams_status result = streams_emitter_fail(emitter, error);
    (void)streams_release(error);
    return result;
}

static void close_stream(void *state) { live_close(state); }

static streams_publisher *make(recipe *from, const char *function) {
    streams_source source = STREAMS_SOURCE_INIT;
    source.context = from;
    source.open = open_stream;
    source.produce = from->timeout > 0 ? send_request : produce_nothing;
    source.close = close_stream;
    source.destroy = recipe_release;
    return made_by(streams_publisher_create(&source), function);
}

static recipe *recipe_create(connection *owner, const char *subject) {
    recipe *self = allocate(sizeof *self);
    atomic_init(&self->references, 1);
    self->owner = owner;
    self->subject = copy_text(subject);
    return self;
}

static streams_status make_overflow(void *context, streams_error **out) {
    *out = stream_error(
        NATS_SLOW_CONSUMER, "more messages to %s came than there was room for", (const char *)context);
    return *out != NULL ? STREAMS_OK : STREAMS_OUT_OF_MEMORY;
}

streams_publisher *streams_nats_subject(streams_nats_connection *handle, const char *subject,
    const char *queue, int64_t limit, streams_nats_when_full when_full) {
    if (keeps_error(handle)) return NULL;
    connection *owner = NULL;
    if (handle_find(handle, __func__, &owner) != STREAMS_OK) return NULL;
    streams_status status = STREAMS_OK;
    if (subject == NULL)
        status = call_failed(STREAMS_NULL_ARGUMENT, __func__, "subject is NULL");
    else if (!is_filter(subject) || (queue != NULL && !is_filter(queue)))
        status = call_failed(STREAMS_INVALID_ARGUMENT, __func__, "\"%s\" is not a valid %s",
            is_filter(subject) ? queue : subject, is_filter(subject) ? "queue group" : "subject");
    else if (limit < 1)
        status = call_failed(STREAMS_INVALID_ARGUMENT, __func__, "limit is %lld, but has to be at least 1",
            (long long)limit);
    else if ((unsigned)when_full > STREAMS_NATS_FAIL)
        status = call_failed(
            STREAMS_INVALID_ARGUMENT, __func__, "when_full has no such value: %d", (int)when_full);
    if (status != STREAMS_OK) {
        connection_release(owner);
        return NULL;
    }
    recipe *from = recipe_create(owner, subject);
    from->queue = copy_text(queue);
    streams_publisher *made = make(from, __func__);
    if (when_full == STREAMS_NATS_FAIL)
        return streams_buffer_or_fail(
            made, limit, STREAMS_PREFETCH_BY_REQUEST, make_overflow, copy_text(subject), free);
    return streams_buffer(made, limit, STREAMS_PREFETCH_BY_REQUEST,
        when_full == STREAMS_NATS_DROP_OLDEST ? STREAMS_WHEN_FULL_DROP_OLDEST
                                              : STREAMS_WHEN_FULL_DROP_NEWEST);
}

streams_publisher *streams_nats_request(streams_nats_connection *handle, const char *subject,
    const streams_value *value, streams_nanoseconds timeout) {
    if (keeps_error(handle)) return NULL;
    connection *owner = NULL;
    if (handle_find(handle, __func__, &owner) != STREAMS_OK) return NULL;
    streams_status status = STREAMS_OK;
    if (subject == NULL || value == NULL)
        status = call_failed(
            STREAMS_NULL_ARGUMENT, __func__, "%s is NULL", subject == NULL ? "subject" : "value");
    else if (!is_subject(subject))
        status = call_failed(
            STREAMS_INVALID_ARGUMENT, __func__, "\"%s\" is not a subject to publish to", subject);
    else if (!is_publishable(value))
        status = call_failed(
            STREAMS_INVALID_VALUE, __func__, "the value is neither text nor bytes nor null nor a message");
    else if (timeout < STREAMS_MILLISECOND)
        status = call_failed(STREAMS_INVALID_ARGUMENT, __func__, "timeout is less than a millisecond");
    if (status != STREAMS_OK) {
        connection_release(owner);
        return NULL;
    }
    recipe *from = recipe_create(owner, subject);
    from->timeout = timeout / STREAMS_MILLISECOND;
    if (streams_value_copy(value, &from->value) == STREAMS_OK) return make(from, __func__);
    (void)passed_on(streams_last_status(), __func__);
    recipe_release(from);
    return NULL;
}
