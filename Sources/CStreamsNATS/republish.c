/* republish.c - the ways of a publication's values: to the server, again to the server after a lost
 * connection or silence, and into an error. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "publication.h"

/* Fails with a value's number, subject and reason; what the server has stored of the others stays there. */
void publication_fail_value(publication *self, uint64_t number, const char *subject,
    const streams_value *value, int64_t code, const char *words) {
    streams_value parts[3] = { streams_int((int64_t)number), streams_text(subject), *value },
                  list = streams_list(parts, 3);
    char *text = make_text("value %" PRIu64 " could not be published to %s: %s", number, subject, words);
    streams_error *error = streams_error_create(code, STREAMS_NATS_DOMAIN, text, &list);
    if (error == NULL) error = stream_error(code, "%s", text);
    free(text);
    live_fail(&self->base, error);
}

slot *slot_at(publication *self, uint64_t number) { return &self->ring[number % self->plan->window]; }

natsStatus publication_publish(publication *self, uint64_t number, const slot *what) {
    char reply[128];
    (void)snprintf(reply, sizeof reply, "%s.%" PRIu64, self->inbox, number);
    return publish_value(connection_nats(self->base.owner),
        what->subject != NULL ? what->subject : self->plan->subject, reply, &what->value, what->id);
}

uint64_t publication_count_reconnects(publication *self) {
    uint64_t count = 0;
    if (natsConnection_GetStats(connection_nats(self->base.owner), self->statistics) == NATS_OK)
        (void)natsStatistics_GetCounts(self->statistics, NULL, NULL, NULL, NULL, &count);
    return count;
}

/* Whether what was sent last may be lost: then the values after it have to wait. The order is held. nats.c
 * says so later than it connects anew. */
bool publication_was_lost(publication *self) {
    return natsConnection_Status(connection_nats(self->base.owner)) != NATS_CONN_STATUS_CONNECTED ||
           publication_count_reconnects(self) != self->reconnects;
}

void slot_free(slot *self) {
    (void)streams_value_destroy(&self->value);
    free(self->subject);
    free(self->id);
    *self = (slot){ 0 };
}

/* A copy of what is not confirmed, number by number: false at the end. */
bool publication_copy_slot(publication *self, uint64_t number, slot *out) {
    pthread_mutex_lock(&self->base.lock);
    slot *found = slot_at(self, number);
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


/* Publishes a value again; true if there may be another one. */
static bool publish_next(publication *self, uint64_t number) {
    slot each = { 0 };
    pthread_mutex_lock(&self->order);
    bool lost = publication_was_lost(self), used = !lost && publication_copy_slot(self, number, &each);
    if (used) (void)publication_publish(self, number, &each);
    pthread_mutex_lock(&self->base.lock);
    bool more = !lost && number + 1 < self->next && !self->base.closed;
    pthread_mutex_unlock(&self->base.lock);
    if (!lost && !more) self->behind = false;
    pthread_mutex_unlock(&self->order);
    slot_free(&each);
    return more;
}

static void fail_first(publication *self) {
    slot each;
    pthread_mutex_lock(&self->base.lock);
    uint64_t first = self->first;
    pthread_mutex_unlock(&self->base.lock);
    if (!publication_copy_slot(self, first, &each)) return;
    publication_fail_value(self, first, each.subject != NULL ? each.subject : self->plan->subject,
        &each.value, NATS_TIMEOUT, "the server does not confirm it");
    slot_free(&each);
}

static void publish_anew(void *context) {
    publication *self = context;
    pthread_mutex_lock(&self->order);
    self->behind = true;
    self->reconnects = publication_count_reconnects(self);
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

void publication_publish_anew(publication *self, int64_t delay) {
    pthread_mutex_lock(&self->base.lock);
    bool needed = !self->again && !self->base.closed;
    if (needed) self->again = true;
    pthread_mutex_unlock(&self->base.lock);
    if (!needed) return;
    live_later(&self->base, delay, publish_anew);
}

/* Checks from time to time whether anything has been confirmed. */
void publication_listen(void *context) {
    publication *self = context;
    pthread_mutex_lock(&self->base.lock);
    bool silent = self->first != self->next && self->first == self->first_then &&
                  self->confirmed == self->confirmed_then;
    bool closed = self->base.closed;
    self->first_then = self->first;
    self->confirmed_then = self->confirmed;
    pthread_mutex_unlock(&self->base.lock);
    if (closed) return;
    live_later(&self->base, self->plan->confirm_wait / 2 + 1, publication_listen);
    /* Only a value that was already there at the last check has waited long enough. */
    self->silences = silent ? self->silences + 1 : 0;
    if (self->silences >= 2 && connection_is_up(self->base.owner)) publication_publish_anew(self, 0);
    if (self->silences >= 2) self->silences = 0;
}

/* The connection is back; what was sent to it before may be lost. */
void publication_connected(live *base) {
    publication *self = (publication *)base;
    pthread_mutex_lock(&base->lock);
    self->rounds = 0;
    pthread_mutex_unlock(&base->lock);
    publication_publish_anew(self, 0);
}
