/* publish_all.c - publishes a stream to JetStream: the window of what is not confirmed is the demand.
 *
 * Each value has a number. Its confirmation comes to a subject of our own that ends with it, so the values that are not
 * confirmed lie in a ring by their numbers. After a lost connection, or silence, all of them are published anew in
 * their order. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "publish.h"

enum { SUBJECT = 512 };

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
    bool again;                          /* a job publishes anew */
    pthread_mutex_t order;               /* held while a value is published, and for the three below */
    bool behind;                         /* values wait for that job, so that they stay in order */
    uint64_t reconnects;                 /* of the connection, as far as what was sent to it counts */
    natsStatistics *statistics;
    streams_error *failure; /* of upstream */
} publication;

/* ---- The end -------------------------------------------------------------------------------------------- */

/* Fails with a value's number, subject and words; what the server had of the others is kept. */
static void fail_value(publication *self, uint64_t number, const char *subject, const streams_value *value, int64_t code, const char *words) {
    streams_value parts[3] = { streams_int((int64_t)number), streams_text(subject), *value }, list = streams_list(parts, 3);
    char *text = make_text("value %" PRIu64 " could not be published to %s: %s", number, subject, words);
    streams_error *error = streams_error_create(code, STREAMS_NATS_DOMAIN, text, &list);
    if (error == NULL) error = stream_error(code, "%s", text);
    free(text);
    live_fail(&self->base, error);
}

/* Ends the stream when upstream has ended and all is confirmed. */
static void end_if_done(publication *self) {
    pthread_mutex_lock(&self->base.lock);
    bool done = self->over && !self->ended && self->first == self->next;
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

/* ---- Publishing ----------------------------------------------------------------------------------------- */

static slot *slot_of(publication *self, uint64_t number) { return &self->ring[number % self->plan->window]; }

static natsStatus publish_slot(publication *self, uint64_t number, const slot *what) {
    char reply[128];
    (void)snprintf(reply, sizeof reply, "%s.%" PRIu64, self->inbox, number);
    return publish_value(connection_nats(self->base.owner), what->subject != NULL ? what->subject : self->plan->subject, reply, &what->value, what->id);
}

/* What the options' functions say; *out is NULL if there is no function. */
static streams_status ask(publication *self, streams_nats_text_fn function, const streams_value *value, char **out) {
    char text[SUBJECT] = "";
    *out = NULL;
    if (function == NULL) return STREAMS_OK;
    streams_status status = function(self->plan->context, value, text, sizeof text);
    text[sizeof text - 1] = '\0';
    if (status == STREAMS_OK) *out = copy_text(text);
    return status;
}

static bool is_subject(const char *text) { return text[0] != '\0' && strpbrk(text, " *>\t\r\n") == NULL; }

/* Makes a slot of a value; false if the stream has failed over it. */
static bool prepare(publication *self, uint64_t number, const streams_value *value, slot *out) {
    *out = (slot){ .used = true };
    const char *words = NULL;
    if (!is_publishable(value))
        words = "it is neither text nor bytes nor null nor a message";
    else if (ask(self, self->plan->subject_of, value, &out->subject) != STREAMS_OK)
        words = "the function for its subject failed";
    else if (ask(self, self->plan->id_of, value, &out->id) != STREAMS_OK)
        words = "the function for its id failed";
    else if (out->subject != NULL && !is_subject(out->subject))
        words = "that is no subject to publish to";
    else if (streams_value_copy(value, &out->value) != STREAMS_OK)
        words = streams_last_message();
    if (words == NULL) return true;
    fail_value(self, number, out->subject != NULL ? out->subject : self->plan->subject != NULL ? self->plan->subject
                                                                                               : "?",
        value, NATS_INVALID_ARG, words);
    free(out->subject);
    free(out->id);
    return false;
}

/* What will be otherwise when the connection is back. */
static bool is_passing(natsStatus status) {
    return status == NATS_INSUFFICIENT_BUFFER || status == NATS_CONNECTION_DISCONNECTED || status == NATS_IO_ERROR || status == NATS_STALE_CONNECTION;
}

static uint64_t count_reconnects(publication *self) {
    uint64_t count = 0;
    if (natsConnection_GetStats(connection_nats(self->base.owner), self->statistics) == NATS_OK)
        (void)natsStatistics_GetCounts(self->statistics, NULL, NULL, NULL, NULL, &count);
    return count;
}

/* Whether what was sent last may be lost: then the values after it have to wait. The order is held. nats.c says so later
 * than it connects anew. */
static bool connection_was_lost(publication *self) {
    return natsConnection_Status(connection_nats(self->base.owner)) != NATS_CONN_STATUS_CONNECTED || count_reconnects(self) != self->reconnects;
}

static uint64_t on_value(void *context, const streams_value *value) {
    publication *self = context;
    uint64_t number = self->next;
    slot made;
    if (!prepare(self, number, value, &made)) return STREAMS_FAIL;
    /* The slot may be gone as soon as the server has the value, so what is published is not what lies there. */
    slot sent = { true, *value, copy_text(made.subject), copy_text(made.id) };
    pthread_mutex_lock(&self->order);
    pthread_mutex_lock(&self->base.lock);
    *slot_of(self, number) = made;
    self->next++;
    pthread_mutex_unlock(&self->base.lock);
    self->behind = self->behind || connection_was_lost(self);
    natsStatus status = self->behind ? NATS_OK : publish_slot(self, number, &sent);
    self->behind = self->behind || is_passing(status);
    pthread_mutex_unlock(&self->order);
    bool failed = status != NATS_OK && !is_passing(status);
    if (failed) {
        char *words = publish_words(connection_nats(self->base.owner), status, value);
        fail_value(self, number, sent.subject != NULL ? sent.subject : self->plan->subject, value, status, words);
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

/* ---- Publishing anew ------------------------------------------------------------------------------------ */

static void free_slot(slot *self) {
    (void)streams_value_destroy(&self->value);
    free(self->subject);
    free(self->id);
    *self = (slot){ 0 };
}

/* A copy of what is not confirmed, number by number: false at the end. */
static bool copy_slot(publication *self, uint64_t number, slot *out) {
    pthread_mutex_lock(&self->base.lock);
    slot *found = slot_of(self, number);
    bool used = !self->base.closed && number >= self->first && number < self->next && found->used;
    *out = (slot){ .used = used };
    if (used) {
        (void)streams_value_copy(&found->value, &out->value);
        out->subject = copy_text(found->subject);
        out->id = copy_text(found->id);
    }
    pthread_mutex_unlock(&self->base.lock);
    return used;
}


/* Publishes a value anew; true if there may be another one. */
static bool publish_next(publication *self, uint64_t number) {
    slot each = { 0 };
    pthread_mutex_lock(&self->order);
    bool lost = connection_was_lost(self), used = !lost && copy_slot(self, number, &each);
    if (used) (void)publish_slot(self, number, &each);
    pthread_mutex_lock(&self->base.lock);
    bool more = !lost && number + 1 < self->next && !self->base.closed;
    pthread_mutex_unlock(&self->base.lock);
    if (!lost && !more) self->behind = false;
    pthread_mutex_unlock(&self->order);
    free_slot(&each);
    return more;
}

static void fail_first(publication *self) {
    slot each;
    pthread_mutex_lock(&self->base.lock);
    uint64_t first = self->first;
    pthread_mutex_unlock(&self->base.lock);
    if (!copy_slot(self, first, &each)) return;
    fail_value(self, first, each.subject != NULL ? each.subject : self->plan->subject, &each.value, NATS_TIMEOUT, "the server does not confirm it");
    free_slot(&each);
}

static void publish_anew(void *context) {
    publication *self = context;
    pthread_mutex_lock(&self->order);
    self->behind = true;
    self->reconnects = count_reconnects(self);
    pthread_mutex_unlock(&self->order);
    pthread_mutex_lock(&self->base.lock);
    self->again = false;
    uint64_t number = self->first;
    bool waits = self->first != self->next;
    bool failed = waits && (self->plan->retries < 0 || ++self->rounds > self->plan->retries);
    pthread_mutex_unlock(&self->base.lock);
    if (failed) {
        fail_first(self);
        return;
    }
    while (publish_next(self, number)) number++;
    connection_flush_soon(self->base.owner);
}

static void publish_anew_soon(publication *self, int64_t delay) {
    pthread_mutex_lock(&self->base.lock);
    bool needed = !self->again && !self->base.closed;
    if (needed) self->again = true;
    pthread_mutex_unlock(&self->base.lock);
    if (!needed) return;
    live_later(&self->base, delay, publish_anew);
}

/* Looks from time to time whether anything has been confirmed. */
static void listen(void *context) {
    publication *self = context;
    pthread_mutex_lock(&self->base.lock);
    bool silent = self->first != self->next && self->first == self->first_then && self->confirmed == self->confirmed_then;
    bool closed = self->base.closed;
    self->first_then = self->first;
    self->confirmed_then = self->confirmed;
    pthread_mutex_unlock(&self->base.lock);
    if (closed) return;
    live_later(&self->base, self->plan->confirm_wait / 2 + 1, listen);
    /* Only what has been there at the last look too has waited long enough. */
    self->silences = silent ? self->silences + 1 : 0;
    if (self->silences >= 2 && connection_is_up(self->base.owner)) publish_anew_soon(self, 0);
    if (self->silences >= 2) self->silences = 0;
}

/* The connection is back; what was sent to it before may be lost. */
static void on_connected(live *base) {
    publication *self = (publication *)base;
    pthread_mutex_lock(&base->lock);
    self->rounds = 0;
    pthread_mutex_unlock(&base->lock);
    publish_anew_soon(self, 0);
}

/* ---- Confirmations -------------------------------------------------------------------------------------- */

/* A value is stored. Returns how many more to ask for. */
static uint64_t confirm(publication *self, uint64_t number, uint64_t sequence, slot *out) {
    uint64_t more = 0;
    pthread_mutex_lock(&self->base.lock);
    slot *found = slot_of(self, number);
    *out = (slot){ 0 };
    if (number >= self->first && number < self->next && found->used) {
        *out = *found;
        *found = (slot){ 0 };
        self->confirmed++;
        self->rounds = 0;
        self->sequence = sequence;
        /* Room is what lies before the oldest that is open: the ring has no more places. */
        uint64_t before = self->first;
        while (self->first < self->next && !slot_of(self, self->first)->used) self->first++;
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
    free_slot(&what);
    if (self->plan->on_confirmed != NULL) self->plan->on_confirmed(self->plan->context, number, sequence, duplicate);
    if (more > 0) {
        (void)streams_subscription_request(self->subscription, more);
        /* A part of the window goes as one; nobody knows whether more will come. */
        connection_flush_soon(self->base.owner);
    }
    end_if_done(self);
}

static void on_refused(publication *self, uint64_t number, int64_t code, const char *words) {
    slot what;
    if (!copy_slot(self, number, &what)) return;
    fail_value(self, number, what.subject != NULL ? what.subject : self->plan->subject, &what.value, code, words);
    free_slot(&what);
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
            publish_anew_soon(self, 250);
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
    natsMsg_Destroy(msg);
    handler_ends();
}

/* ---- The source ----------------------------------------------------------------------------------------- */

static void publication_destroy(live *base) {
    publication *self = (publication *)base;
    for (uint64_t i = 0; i < self->plan->window; i++) free_slot(&self->ring[i]);
    if (self->failure != NULL) (void)streams_release(self->failure);
    publish_plan_release(self->plan);
    pthread_mutex_destroy(&self->order);
    natsStatistics_Destroy(self->statistics);
    free(self->ring);
    free(self->inbox);
    free(self);
}

static const live_type publication_type = { on_connected, publication_destroy, NULL };

static streams_status fail_open(publication *self, streams_emitter *emitter, natsStatus status) {
    streams_error *error = status == NATS_CONNECTION_CLOSED
                               ? stream_error(status, "the connection to %s is closed", connection_name(self->base.owner))
                               : stream_error(status, "cannot wait for confirmations: %s", nats_words(status));
    streams_status result = streams_emitter_fail(emitter, error);
    (void)streams_release(error);
    return result;
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
    if (natsStatistics_Create(&self->statistics) != NATS_OK) return fail_open(self, emitter, NATS_NO_MEMORY);
    if (connection_is_foreign(plan->owner) || !connection_add(plan->owner, &self->base)) return fail_open(self, emitter, NATS_CONNECTION_CLOSED);
    self->inbox = new_inbox();
    if (self->inbox == NULL) return fail_open(self, emitter, NATS_NO_MEMORY);
    char *subject = make_text("%s.*", self->inbox);
    natsStatus status = live_subscribe(&self->base, subject, NULL, true, on_message);
    free(subject);
    if (status != NATS_OK) return fail_open(self, emitter, status);
    live_later(&self->base, plan->confirm_wait / 2, listen);
    return STREAMS_OK;
}

static streams_status produce(void *state, streams_emitter *emitter, uint64_t max) {
    (void)emitter;
    (void)max;
    publication *self = state;
    if (self->begun) return STREAMS_OK;
    self->begun = true;
    self->reconnects = count_reconnects(self);
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
    pthread_mutex_lock(&self->base.lock);
    self->base.closed = true;
    streams_cancellable *upstream = self->upstream;
    streams_subscription *subscription = self->subscription;
    self->upstream = NULL;
    self->subscription = NULL;
    pthread_mutex_unlock(&self->base.lock);
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
    streams_publisher *made = streams_publisher_create(&source);
    if (made == NULL) (void)passed_on(streams_last_status(), function);
    return made;
}
