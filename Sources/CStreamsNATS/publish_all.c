/* publish_all.c - publishes a stream to JetStream: the window of what is not confirmed is the demand.
 *
 * Each value has a number. Its confirmation comes to a subject of our own that ends with this number.
 * The values that are not confirmed are in a ring, by their numbers. After a lost connection, or
 * silence, all of them are published again in order. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "publication.h"

/* ---- The end ------------------------------------------------------------------------------------------ */

/* Ends the stream when upstream has ended and all is confirmed, and the program was notified. */
static void end_if_done(publication *self) {
    pthread_mutex_lock(&self->base.lock);
    bool done = self->over && !self->ended && self->first == self->next && !self->notifying;
    if (done) self->ended = true;
    streams_error *failure = self->failure;
    streams_value result = streams_int((int64_t)(self->plan->single ? self->sequence : self->confirmed));
    pthread_mutex_unlock(&self->base.lock);
    if (!done) return;
    if (failure != NULL) {
        (void)streams_emitter_fail(self->base.emitter, failure);
    } else {
        (void)streams_emitter_send(self->base.emitter, &result);
        (void)streams_emitter_finish(self->base.emitter);
    }
}

/* ---- Publishing --------------------------------------------------------------------------------------- */

/* Makes a slot of a value; false if the stream has failed over it. */
static bool prepare(publication *self, uint64_t number, const streams_value *value, slot *out) {
    *out = (slot){ .used = true };
    const char *words = publish_plan_address(self->plan, value, &out->subject, &out->id);
    if (words == NULL && streams_value_copy(value, &out->value) != STREAMS_OK)
        words = streams_last_message();
    if (words == NULL) return true;
    publication_fail_value(
        self, number, publish_plan_subject(self->plan, out->subject), value, NATS_INVALID_ARG, words);
    free(out->subject);
    free(out->id);
    return false;
}

/* Whether the error may be gone when the connection is back. */
static bool is_passing(natsStatus status) {
    return status == NATS_INSUFFICIENT_BUFFER || status == NATS_CONNECTION_DISCONNECTED ||
           status == NATS_IO_ERROR || status == NATS_STALE_CONNECTION;
}

static uint64_t on_value(void *context, const streams_value *value) {
    publication *self = context;
    uint64_t number = self->next;
    slot made;
    if (!prepare(self, number, value, &made)) return STREAMS_FAIL;
    /* The slot may be gone as soon as the server has the value, so a copy is published. */
    slot sent = { true, *value, copy_text(made.subject), copy_text(made.id) };
    pthread_mutex_lock(&self->order);
    pthread_mutex_lock(&self->base.lock);
    *slot_at(self, number) = made;
    self->next++;
    pthread_mutex_unlock(&self->base.lock);
    self->behind = self->behind || publication_was_lost(self);
    natsStatus status = self->behind ? NATS_OK : publication_publish(self, number, &sent);
    self->behind = self->behind || is_passing(status);
    pthread_mutex_unlock(&self->order);
    bool failed = status != NATS_OK && !is_passing(status);
    if (failed) {
        char *words = publish_words(self->base.owner, status, value);
        publication_fail_value(
            self, number, sent.subject != NULL ? sent.subject : self->plan->subject, value, status, words);
        free(words);
    }
    free(sent.subject);
    free(sent.id);
    return failed ? STREAMS_FAIL : 0;
}

static void on_subscription(void *context, streams_subscription *subscription) {
    publication *self = context;
    (void)streams_retain(subscription);
    pthread_mutex_lock(&self->base.lock);
    self->subscription = subscription;
    pthread_mutex_unlock(&self->base.lock);
}

static void on_completion(void *context, const streams_error *error) {
    publication *self = context;
    pthread_mutex_lock(&self->base.lock);
    self->over = true;
    if (error != NULL) (void)streams_retain(error);
    self->failure = (streams_error *)(uintptr_t)error;
    bool waits = self->first != self->next;
    pthread_mutex_unlock(&self->base.lock);
    if (waits) connection_flush_soon(self->base.owner);
    end_if_done(self);
}

static void release_publication(void *context) { live_release(&((publication *)context)->base); }

/* ---- Confirmations ------------------------------------------------------------------------------------ */

/* A value is stored. Returns how many more to ask for. */
static uint64_t confirm(publication *self, uint64_t number, uint64_t sequence, slot *out) {
    uint64_t more = 0;
    pthread_mutex_lock(&self->base.lock);
    slot *found = slot_at(self, number);
    *out = (slot){ 0 };
    if (number >= self->first && number < self->next && found->used) {
        *out = *found;
        *found = (slot){ 0 };
        self->confirmed++;
        self->rounds = 0;
        self->sequence = sequence;
        self->notifying = true;
        /* There is room only before the oldest value that is open: the ring has no other places. */
        uint64_t before = self->first;
        while (self->first < self->next && !slot_at(self, self->first)->used) self->first++;
        self->room += self->first - before;
        bool enough = self->room >= (self->plan->window + 3) / 4 || self->first == self->next;
        if (enough && !self->over) {
            more = self->room;
            self->room = 0;
        }
    }
    pthread_mutex_unlock(&self->base.lock);
    return more;
}

static void on_stored(publication *self, uint64_t number, uint64_t sequence, bool duplicate) {
    slot what;
    uint64_t more = confirm(self, number, sequence, &what);
    if (!what.used) return;
    slot_free(&what);
    if (self->plan->on_confirmed != NULL)
        self->plan->on_confirmed(self->plan->context, number, sequence, duplicate);
    pthread_mutex_lock(&self->base.lock);
    self->notifying = false;
    pthread_mutex_unlock(&self->base.lock);
    if (more > 0) {
        (void)streams_subscription_request(self->subscription, more);
        /* nats.c flushes by itself after a millisecond, which is too long only where few values are on
         * their way. */
        if (self->plan->window < 256) connection_flush_soon(self->base.owner);
    }
    end_if_done(self);
}

static void on_refused(publication *self, uint64_t number, int64_t code, const char *words) {
    slot what;
    if (!publication_copy_slot(self, number, &what)) return;
    publication_fail_value(
        self, number, what.subject != NULL ? what.subject : self->plan->subject, &what.value, code, words);
    slot_free(&what);
}

static void on_confirmation(publication *self, natsMsg *msg) {
    const char *subject = natsMsg_GetSubject(msg), *dot = strrchr(subject, '.');
    uint64_t number = dot != NULL ? strtoull(dot + 1, NULL, 10) : UINT64_MAX;
    confirmation what;
    if (natsMsg_IsNoResponders(msg)) {
        /* No stream takes the subject, or the server has not loaded it yet. */
        pthread_mutex_lock(&self->base.lock);
        bool passing = self->plan->retries >= 0 && self->rounds < self->plan->retries;
        pthread_mutex_unlock(&self->base.lock);
        pthread_mutex_lock(&self->order);
        self->behind = self->behind || passing;
        pthread_mutex_unlock(&self->order);
        if (passing)
            publication_publish_anew(self, 250);
        else
            on_refused(self, number, NATS_NO_RESPONDERS, "no stream of the server takes it");
        return;
    }
    confirmation_parse(natsMsg_GetData(msg), natsMsg_GetDataLength(msg), &what);
    if (what.code == 0)
        on_stored(self, number, what.sequence, what.duplicate);
    else
        on_refused(self, number, what.code, what.words);
}

static void on_message(natsConnection *nats, natsSubscription *subscription, natsMsg *msg, void *closure) {
    (void)nats;
    (void)subscription;
    publication *self = closure;
    handler_begins();
    if (!live_is_closed(&self->base)) on_confirmation(self, msg);
    connection_discard(self->base.owner, msg);
    handler_ends();
}

/* ---- The source --------------------------------------------------------------------------------------- */

static void publication_destroy(live *base) {
    publication *self = (publication *)base;
    for (uint64_t i = 0; i < self->plan->window; i++) slot_free(&self->ring[i]);
    if (self->failure != NULL) (void)streams_release(self->failure);
    publish_plan_release(self->plan);
    pthread_mutex_destroy(&self->order);
    natsStatistics_Destroy(self->statistics);
    free(self->ring);
    free(self->inbox);
    free(self);
}

static const live_type publication_type = { publication_connected, publication_destroy, NULL };

static streams_status fail_open(publication *self, natsStatus status) {
    return live_fail_open(&self->base, status, "wait for confirmations");
}

static streams_status open_publication(void *context, streams_emitter *emitter, void **state) {
    publish_plan *plan = context;
    publication *self = allocate(sizeof *self);
    live_open(&self->base, &publication_type, plan->owner, emitter);
    publish_plan_retain(plan);
    self->plan = plan;
    self->ring = allocate(plan->window * sizeof *self->ring);
    pthread_mutex_init(&self->order, NULL);
    *state = self;
    if (natsStatistics_Create(&self->statistics) != NATS_OK)
        return fail_open(self, NATS_NO_MEMORY);
    if (connection_is_foreign(plan->owner) || !connection_add(plan->owner, &self->base))
        return fail_open(self, NATS_CONNECTION_CLOSED);
    self->inbox = new_inbox();
    if (self->inbox == NULL) return fail_open(self, NATS_NO_MEMORY);
    char *subject = make_text("%s.*", self->inbox);
    natsStatus status = live_subscribe(&self->base, subject, NULL, true, on_message);
    free(subject);
    if (status != NATS_OK) return fail_open(self, status);
    live_later(&self->base, plan->confirm_wait / 2, publication_listen);
    return STREAMS_OK;
}

static streams_status produce(void *state, streams_emitter *emitter, uint64_t max) {
    (void)emitter;
    (void)max;
    publication *self = state;
    if (self->begun) return STREAMS_OK;
    self->begun = true;
    pthread_mutex_lock(&self->order);
    self->reconnects = publication_count_reconnects(self);
    pthread_mutex_unlock(&self->order);
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = self;
    subscriber.demand = self->plan->window;
    subscriber.on_subscription = on_subscription;
    subscriber.on_value = on_value;
    subscriber.on_completion = on_completion;
    subscriber.destroy = release_publication;
    live_retain(&self->base);
    streams_status status = streams_retain(self->plan->upstream);
    if (status != STREAMS_OK) {
        live_release(&self->base);
        return status;
    }
    streams_cancellable *made = streams_sink(self->plan->upstream, &subscriber);
    if (made == NULL) return streams_last_status();
    self->upstream = made;
    connection_flush_soon(self->base.owner);
    return STREAMS_OK;
}

static void close_publication(void *state) {
    publication *self = state;
    /* In the child of a fork the lock may be held for ever. */
    bool locked = !connection_is_foreign(self->base.owner);
    if (locked) pthread_mutex_lock(&self->base.lock);
    self->base.closed = true;
    streams_cancellable *upstream = self->upstream;
    streams_subscription *subscription = self->subscription;
    self->upstream = NULL;
    self->subscription = NULL;
    if (locked) pthread_mutex_unlock(&self->base.lock);
    if (upstream != NULL) (void)streams_release(upstream);
    if (subscription != NULL) (void)streams_release(subscription);
    live_close(&self->base);
}

streams_publisher *publication_publisher(publish_plan *plan, const char *function) {
    streams_source source = STREAMS_SOURCE_INIT;
    source.context = plan;
    source.open = open_publication;
    source.produce = produce;
    source.close = close_publication;
    source.destroy = publish_plan_release;
    return made_by(streams_publisher_create(&source), function);
}
