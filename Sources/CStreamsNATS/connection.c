/* connection.c - a connection of nats.c, its state as a current value, and the streams that live on it. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "connection_state.h"

/* ---- References --------------------------------------------------------------------------------------- */

void connection_retain(connection *self) {
    atomic_fetch_add_explicit(&self->references, 1, memory_order_relaxed);
}

void connection_release(connection *self) {
    if (atomic_fetch_sub_explicit(&self->references, 1, memory_order_acq_rel) != 1) return;
    /* What nats.c has in the child of a fork cannot be freed: its locks may be held. */
    if (!connection_is_foreign(self)) {
        worker_end(self->worker);
        discarded_close(&self->discarded);
        jsCtx_Destroy(self->js);
        natsConnection_Destroy(self->nats);
    }
    if (self->states != NULL) (void)streams_release(self->states);
    pthread_mutex_destroy(&self->lock);
    pthread_cond_destroy(&self->ended);
    addresses_free(&self->servers);
    free(self);
}

bool connection_is_foreign(const connection *self) { return self->forks != fork_count(); }

natsConnection *connection_nats(const connection *self) { return self->nats; }

jsCtx *connection_js(const connection *self) { return self->js; }

worker *connection_worker(const connection *self) { return self->worker; }

const char *connection_name(const connection *self) { return self->servers.name; }

bool connection_is_up(const connection *self) {
    return atomic_load(&self->state) == STREAMS_NATS_CONNECTED;
}

void connection_limit(const connection *self, natsSubscription *subscription) {
    (void)natsSubscription_SetPendingLimits(subscription, self->pending_messages, self->pending_bytes);
}

void connection_server(const connection *self, char *buffer, size_t capacity) {
    buffer[0] = '\0';
    (void)natsConnection_GetConnectedServerId(self->nats, buffer, capacity);
}

/* ---- Streams ------------------------------------------------------------------------------------------ */

bool connection_add(connection *self, live *stream) {
    pthread_mutex_lock(&self->lock);
    bool open = !self->closing;
    if (open) {
        live_retain(stream);
        stream->next = self->streams;
        if (self->streams != NULL) self->streams->previous = stream;
        self->streams = stream;
    }
    pthread_mutex_unlock(&self->lock);
    return open;
}

void connection_remove(connection *self, live *stream) {
    pthread_mutex_lock(&self->lock);
    bool listed = stream->previous != NULL || self->streams == stream;
    if (stream->previous != NULL)
        stream->previous->next = stream->next;
    else if (listed)
        self->streams = stream->next;
    if (stream->next != NULL) stream->next->previous = stream->previous;
    stream->previous = stream->next = NULL;
    pthread_mutex_unlock(&self->lock);
    if (listed) live_release(stream);
}

/* The streams that live now, each retained; free the array. */
static live **list_streams(connection *self, size_t *count) {
    pthread_mutex_lock(&self->lock);
    size_t number = 0;
    for (live *each = self->streams; each != NULL; each = each->next) number++;
    live **list = allocate((number + 1) * sizeof *list);
    *count = 0;
    for (live *each = self->streams; each != NULL; each = each->next) {
        live_retain(each);
        list[(*count)++] = each;
    }
    pthread_mutex_unlock(&self->lock);
    return list;
}

uint64_t connection_dropped(connection *self) {
    size_t count = 0;
    uint64_t dropped = atomic_load(&self->dropped);
    live **list = list_streams(self, &count);
    for (size_t i = 0; i < count; i++) {
        dropped += live_dropped(list[i]);
        live_release(list[i]);
    }
    free(list);
    return dropped;
}

void connection_add_dropped(connection *self, int64_t number) {
    atomic_fetch_add(&self->dropped, (uint_fast64_t)number);
}

static void notify_connected(connection *self) {
    size_t count = 0;
    live **list = list_streams(self, &count);
    for (size_t i = 0; i < count; i++) {
        if (list[i]->type->connected != NULL) list[i]->type->connected(list[i]);
        live_release(list[i]);
    }
    free(list);
}

void connection_fail_streams(connection *self) {
    size_t count = 0;
    live **list = list_streams(self, &count);
    for (size_t i = 0; i < count; i++) {
        live_fail(list[i], connection_error(self));
        live_release(list[i]);
    }
    free(list);
}

/* ---- The state ---------------------------------------------------------------------------------------- */

static bool send_state(connection *self, streams_nats_state state, const char *words) {
    pthread_mutex_lock(&self->lock);
    (void)snprintf(self->trouble, sizeof self->trouble, "%s", words);
    pthread_mutex_unlock(&self->lock);
    atomic_store(&self->state, (int)state);
    streams_value pair[2] = { streams_int(state), streams_text(words) };
    streams_value list = streams_list(pair, 2);
    return streams_subject_send(self->states, &list) == STREAMS_OK;
}

void connection_set_state(connection *self, streams_nats_state state, const char *words) {
    if (!send_state(self, state, words))
        (void)send_state(self, state, "the server's words are not UTF-8");
}

/* The lock of a parent's connection may be held for ever. */
static void copy_trouble(connection *self, char *out, size_t capacity) {
    out[0] = '\0';
    if (connection_is_foreign(self)) return;
    pthread_mutex_lock(&self->lock);
    (void)snprintf(out, capacity, "%s", self->trouble);
    pthread_mutex_unlock(&self->lock);
}

/* The subject has ended, and keeps its last value to itself. */
static streams_publisher *last_state(connection *self) {
    char trouble[WORDS];
    copy_trouble(self, trouble, sizeof trouble);
    streams_value pair[2] = { streams_int(STREAMS_NATS_CLOSED), streams_text(trouble) };
    streams_value list = streams_list(pair, 2);
    return streams_just(&list);
}

streams_publisher *connection_states(connection *self) {
    return atomic_load(&self->state) == STREAMS_NATS_CLOSED ? last_state(self)
                                                            : streams_subject_publisher(self->states);
}

const char *connection_words(connection *self, natsStatus status) {
    static const char *const states[] = { "; it has not been connected so far", "",
        "; the connection is lost", "" };
    static _Thread_local char words[WORDS];
    char trouble[WORDS];
    copy_trouble(self, trouble, sizeof trouble);
    (void)snprintf(words, sizeof words, "%s%s%s%s", nats_words(status), states[atomic_load(&self->state)],
        trouble[0] != '\0' ? ": " : "", trouble);
    return words;
}

const char *jetstream_words(connection *self, natsStatus status, jsErrCode code) {
    if (status == NATS_NO_RESPONDERS) return "the server has no JetStream";
    /* nats.c has no words for these. */
    if (code == JSStreamNotFoundErr) return "stream not found";
    return code == JSConsumerNotFoundErr ? "consumer not found" : connection_words(self, status);
}

streams_error *connection_error(connection *self) {
    char trouble[WORDS];
    copy_trouble(self, trouble, sizeof trouble);
    return stream_error(NATS_CONNECTION_CLOSED, "the connection to %s is closed%s%s",
        connection_name(self), trouble[0] != '\0' ? ": " : "", trouble);
}

const char *connection_last_words(natsConnection *nats) {
    const char *words = NULL;
    natsStatus status = natsConnection_GetLastError(nats, &words);
    if (words != NULL && words[0] != '\0') return plain_words(words);
    return status != NATS_OK ? natsStatus_GetText(status) : "";
}

void connection_on_connected(natsConnection *nats, void *closure) {
    connection *self = closure;
    (void)nats;
    handler_begins();
    atomic_store(&self->connected_once, true);
    connection_set_state(self, STREAMS_NATS_CONNECTED, "");
    notify_connected(self);
    handler_ends();
}

void connection_on_disconnected(natsConnection *nats, void *closure) {
    connection *self = closure;
    pthread_mutex_lock(&self->lock);
    bool closing = self->closing;
    pthread_mutex_unlock(&self->lock);
    /* While it is connected for the first time, the reason is known already. */
    if (closing || !atomic_load(&self->connected_once)) return;
    handler_begins();
    /* If this is for good, the streams cannot be asked later. */
    (void)connection_dropped(self);
    connection_set_state(self, STREAMS_NATS_RECONNECTING, connection_last_words(nats));
    handler_ends();
}

/* Why nats.c has closed it. */
static void find_reason(connection *self, natsConnection *nats, char *out, size_t capacity) {
    char trouble[WORDS];
    const char *words = NULL;
    natsStatus status = natsConnection_GetLastError(nats, &words);
    (void)snprintf(out, capacity, "%s", connection_last_words(nats));
    if (status != NATS_NO_SERVER) return;
    copy_trouble(self, trouble, sizeof trouble);
    if (atomic_load(&self->connected_once)) addresses_look(&self->servers, trouble, sizeof trouble);
    (void)snprintf(out, capacity, "it gave up%s%s", trouble[0] != '\0' ? ": " : "", trouble);
}

void connection_on_closed(natsConnection *nats, void *closure) {
    connection *self = closure;
    char words[WORDS] = "";
    pthread_mutex_lock(&self->lock);
    bool wanted = self->closing;
    self->closing = true;
    pthread_mutex_unlock(&self->lock);
    handler_begins();
    if (!wanted) find_reason(self, nats, words, sizeof words);
    connection_set_state(self, STREAMS_NATS_CLOSED, words);
    (void)streams_subject_send_completion(self->states, NULL);
    connection_fail_streams(self);
    handler_ends();
    pthread_mutex_lock(&self->lock);
    self->closed = true;
    pthread_cond_broadcast(&self->ended);
    pthread_mutex_unlock(&self->lock);
    connection_release(self);
}
