/* connection.c - a connection of nats.c, its state as a current value, and the streams that live on it. */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "connection_state.h"
#include "options.h"

/* How many threads deliver messages, for the whole process. */
enum { DELIVERY_THREADS = 4 };


static pthread_once_t opened = PTHREAD_ONCE_INIT;
static unsigned opened_in; /* of how many forks */

static void open_nats(void) {
    opened_in = fork_count();
    if (nats_Open(-1) == NATS_OK) (void)nats_SetMessageDeliveryPoolSize(DELIVERY_THREADS);
}

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
    free(self->name);
    free(self);
}

bool connection_is_foreign(const connection *self) { return self->forks != fork_count(); }

natsConnection *connection_nats(const connection *self) { return self->nats; }

jsCtx *connection_js(const connection *self) { return self->js; }

worker *connection_worker(const connection *self) { return self->worker; }

const char *connection_name(const connection *self) { return self->name; }

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

static void tell_connected(connection *self) {
    size_t count = 0;
    live **list = list_streams(self, &count);
    for (size_t i = 0; i < count; i++) {
        if (list[i]->type->connected != NULL) list[i]->type->connected(list[i]);
        live_release(list[i]);
    }
    free(list);
}

void connection_fail_streams(connection *self, int64_t code, const char *words) {
    size_t count = 0;
    live **list = list_streams(self, &count);
    for (size_t i = 0; i < count; i++) {
        live_fail(list[i], stream_error(code, "the connection to %s is closed%s%s", self->name,
                               words[0] != '\0' ? ": " : "", words));
        live_release(list[i]);
    }
    free(list);
}

/* ---- The state ---------------------------------------------------------------------------------------- */

static void set_state(connection *self, streams_nats_state state, const char *words) {
    atomic_store(&self->state, (int)state);
    streams_value pair[2] = { streams_int(state), streams_text(words) };
    streams_value list = streams_list(pair, 2);
    if (streams_subject_send(self->states, &list) == STREAMS_OK) return;
    pair[1] = streams_text("the server's words are not UTF-8");
    (void)streams_subject_send(self->states, &list);
}

/* What the server said last; valid until nats.c's next error. */
static const char *last_words(natsConnection *nats) {
    const char *words = NULL;
    natsStatus status = natsConnection_GetLastError(nats, &words);
    if (words != NULL && words[0] != '\0') return words;
    return status != NATS_OK ? natsStatus_GetText(status) : "";
}

static void on_connected(natsConnection *nats, void *closure) {
    connection *self = closure;
    (void)nats;
    handler_begins();
    atomic_store(&self->connected_once, true);
    set_state(self, STREAMS_NATS_CONNECTED, "");
    tell_connected(self);
    handler_ends();
}

static void on_disconnected(natsConnection *nats, void *closure) {
    connection *self = closure;
    pthread_mutex_lock(&self->lock);
    bool closing = self->closing;
    pthread_mutex_unlock(&self->lock);
    if (closing) return;
    handler_begins();
    /* If this is for good, the streams cannot be asked later. */
    (void)connection_dropped(self);
    set_state(self,
        atomic_load(&self->connected_once) ? STREAMS_NATS_RECONNECTING : STREAMS_NATS_CONNECTING,
        last_words(nats));
    handler_ends();
}

static void on_closed(natsConnection *nats, void *closure) {
    connection *self = closure;
    char words[512];
    (void)snprintf(words, sizeof words, "%s", last_words(nats));
    pthread_mutex_lock(&self->lock);
    bool wanted = self->closing;
    self->closing = true;
    pthread_mutex_unlock(&self->lock);
    handler_begins();
    set_state(self, STREAMS_NATS_CLOSED, wanted ? "" : words);
    (void)streams_subject_send_completion(self->states, NULL);
    connection_fail_streams(self, NATS_CONNECTION_CLOSED, words);
    handler_ends();
    pthread_mutex_lock(&self->lock);
    self->closed = true;
    pthread_cond_broadcast(&self->ended);
    pthread_mutex_unlock(&self->lock);
    connection_release(self);
}

/* Without a handler nats.c prints its errors. This one has no closure, because errors of an attempt that has
 * failed come after that; and version 3.4.1 keeps no reference to a subscription that is said. */
static void on_error(
    natsConnection *nats, natsSubscription *subscription, natsStatus status, void *closure) {
    (void)nats;
    (void)subscription;
    (void)status;
    (void)closure;
}

/* ---- Connecting --------------------------------------------------------------------------------------- */

static natsStatus set_callbacks(natsOptions *out, connection *self) {
    natsStatus status = natsOptions_SetReconnectedCB(out, on_connected, self);
    if (status == NATS_OK) status = natsOptions_SetDisconnectedCB(out, on_disconnected, self);
    if (status == NATS_OK) status = natsOptions_SetClosedCB(out, on_closed, self);
    if (status == NATS_OK) status = natsOptions_SetErrorHandler(out, on_error, NULL);
    return status;
}

static connection *connection_make(const streams_nats_options *options) {
    connection *self = allocate(sizeof *self);
    atomic_init(&self->references, 1);
    self->forks = fork_count();
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->ended, NULL);
    self->worker = worker_create();
    discarded_open(&self->discarded);
    self->name = copy_text(options->servers != NULL ? options->servers : NATS_DEFAULT_URL);
    int64_t messages = options->pending_messages > 0 ? options->pending_messages : 65536;
    int64_t bytes = options->pending_bytes > 0 ? options->pending_bytes : 64 * 1024 * 1024;
    self->pending_messages = messages > INT_MAX ? INT_MAX : (int)messages;
    self->pending_bytes = bytes > INT_MAX ? INT_MAX : (int)bytes;
    streams_value pair[2] = { streams_int(STREAMS_NATS_CONNECTING), streams_text("") };
    streams_value list = streams_list(pair, 2);
    self->states = streams_current_value_subject_create(&list);
    return self;
}

/* A server that refuses the credentials will not think better of it. */
static bool is_refusal(const char *words) {
    return strstr(words, "uthorization") != NULL || strstr(words, "uthentication") != NULL;
}

/* Whether there may be a server later: nats.c then goes on trying by itself. A refusal would be forgotten
 * there as soon as it is said, so the first attempt is one without that. NATS_ERR is what cannot be read. */
static bool may_come(natsStatus status, const char *words) {
    switch (status) {
    case NATS_OK:
    case NATS_ERR:
    case NATS_CONNECTION_AUTH_FAILED:
    case NATS_SECURE_CONNECTION_WANTED:
    case NATS_SECURE_CONNECTION_REQUIRED:
    case NATS_SSL_ERROR:
    case NATS_INVALID_ARG:
    case NATS_ADDRESS_MISSING:
    case NATS_NO_MEMORY: return false;
    default: return !is_refusal(words);
    }
}

static natsStatus connect_nats(
    connection *self, const streams_nats_options *options, char *words, size_t capacity) {
    natsOptions *filled = NULL;
    natsStatus status = natsOptions_Create(&filled);
    if (status == NATS_OK) status = options_fill(filled, options);
    if (status == NATS_OK) status = set_callbacks(filled, self);
    bool usable = status == NATS_OK;
    /* on_closed gives this reference back. */
    connection_retain(self);
    bool made = false, retried = false;
    if (status == NATS_OK) {
        status = natsConnection_Connect(&self->nats, filled);
        made = self->nats != NULL;
    }
    (void)snprintf(words, capacity, "%s", status == NATS_OK ? "" : nats_words(status));
    if (usable && may_come(status, words)) {
        status = natsOptions_SetRetryOnFailedConnect(filled, true, on_connected, self);
        retried = status == NATS_OK;
        if (retried) status = natsConnection_Connect(&self->nats, filled);
        made = self->nats != NULL;
        (void)snprintf(words, capacity, "%s", status == NATS_OK ? "" : nats_words(status));
    }
    natsOptions_Destroy(filled);
    if (!made) {
        /* Where nats.c could not start its thread it calls on_closed. */
        if (!retried) connection_release(self);
        return status;
    }
    if (status == NATS_NOT_YET_CONNECTED) (void)snprintf(words, capacity, "%s", last_words(self->nats));
    if (status == NATS_NOT_YET_CONNECTED && is_refusal(words)) return NATS_CONNECTION_AUTH_FAILED;
    if (status == NATS_NOT_YET_CONNECTED)
        status = NATS_OK;
    else if (status == NATS_OK)
        on_connected(self->nats, self);
    return status == NATS_OK ? natsConnection_JetStream(&self->js, self->nats, NULL) : status;
}

void nats_begins(void) { (void)pthread_once(&opened, open_nats); }

streams_nats_connection *streams_nats_connect(const streams_nats_options *options) {
    const streams_nats_options defaults = STREAMS_NATS_OPTIONS_INIT;
    if (options == NULL) options = &defaults;
    if (options_check(options, __func__) != STREAMS_OK) return NULL;
    nats_begins();
    if (opened_in != fork_count()) {
        (void)call_failed(STREAMS_TERMINATED, __func__,
            "nats.c was used before this process was forked, and does not work after that");
        return NULL;
    }
    connection *self = connection_make(options);
    char words[512];
    natsStatus status = connect_nats(self, options, words, sizeof words);
    streams_nats_connection *handle = status == NATS_OK ? handle_create(self) : NULL;
    if (handle != NULL) return handle;
    if (status != NATS_OK)
        (void)nats_failed(status, 0, __func__, "cannot connect to %s: %s", self->name, words);
    else
        (void)call_failed(STREAMS_LIMIT, __func__, "there are too many connections");
    if (self->nats != NULL) connection_close(self);
    connection_release(self);
    return NULL;
}
