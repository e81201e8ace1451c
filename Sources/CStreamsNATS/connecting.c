/* connecting.c - how a connection of nats.c is made: its options, and which failures are for good. */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Without a handler nats.c prints its errors. This one has no closure, because errors of an attempt that has
 * failed come after that; and version 3.4.1 keeps no reference to a subscription that is said. */
static void on_error(
    natsConnection *nats, natsSubscription *subscription, natsStatus status, void *closure) {
    (void)nats;
    (void)subscription;
    (void)status;
    (void)closure;
}

static natsStatus set_callbacks(natsOptions *out, connection *self) {
    natsStatus status = natsOptions_SetReconnectedCB(out, connection_on_connected, self);
    if (status == NATS_OK) status = natsOptions_SetDisconnectedCB(out, connection_on_disconnected, self);
    if (status == NATS_OK) status = natsOptions_SetClosedCB(out, connection_on_closed, self);
    if (status == NATS_OK) status = natsOptions_SetErrorHandler(out, on_error, NULL);
    return status;
}

/* Takes the servers. */
static connection *connection_make(const streams_nats_options *options, addresses servers) {
    connection *self = allocate(sizeof *self);
    atomic_init(&self->references, 1);
    self->forks = fork_count();
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->ended, NULL);
    self->worker = worker_create();
    discarded_open(&self->discarded);
    self->servers = servers;
    addresses_limit(&self->servers, options->connect_timeout);
    int64_t messages = options->pending_messages > 0 ? options->pending_messages : 65536;
    int64_t bytes = options->pending_bytes > 0 ? options->pending_bytes : 64 * 1024 * 1024;
    self->pending_messages = messages > INT_MAX ? INT_MAX : (int)messages;
    self->pending_bytes = bytes > INT_MAX ? INT_MAX : (int)bytes;
    streams_value pair[2] = { streams_int(STREAMS_NATS_CONNECTING), streams_text("") };
    streams_value list = streams_list(pair, 2);
    self->states = streams_current_value_subject_create(&list);
    return self;
}

/* A server that refuses the credentials will refuse them again. */
static bool is_refusal(const char *words) {
    return strstr(words, "uthorization") != NULL || strstr(words, "uthentication") != NULL;
}

/* Whether there may be a server later: nats.c then goes on trying by itself. It would forget a refusal
 * at once, so in the first attempt it does not go on trying. NATS_ERR means that an answer cannot be
 * read. */
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

/* An attempt; words become what nats.c says if it fails. */
static natsStatus attempt(connection *self, natsOptions *filled, char *words, size_t capacity) {
    natsStatus status = natsConnection_Connect(&self->nats, filled);
    (void)snprintf(words, capacity, "%s", status == NATS_OK ? "" : nats_words(status));
    return status;
}

/* nats.c goes on trying by itself, and says nothing until it is connected. */
static natsStatus keep_trying(connection *self, natsOptions *filled, char *words, size_t capacity) {
    natsStatus status = options_keep_trying(filled, &self->servers, connection_on_connected, self);
    char trouble[WORDS];
    addresses_look(&self->servers, trouble, sizeof trouble);
    char *said = make_text("%s: %s", connection_name(self), words);
    connection_set_state(self, STREAMS_NATS_CONNECTING, trouble[0] != '\0' ? trouble : said);
    free(said);
    return status == NATS_OK ? attempt(self, filled, words, capacity) : status;
}

static natsStatus connect_nats(
    connection *self, const streams_nats_options *options, char *words, size_t capacity) {
    natsOptions *filled = NULL;
    natsStatus status = natsOptions_Create(&filled);
    if (status == NATS_OK) status = options_fill(filled, options, &self->servers);
    if (status == NATS_OK) status = set_callbacks(filled, self);
    bool usable = status == NATS_OK, retried = false;
    (void)snprintf(words, capacity, "%s", usable ? "" : nats_words(status));
    /* connection_on_closed gives this reference back. */
    connection_retain(self);
    if (usable) status = attempt(self, filled, words, capacity);
    if (usable && may_come(status, words)) {
        retried = true;
        status = keep_trying(self, filled, words, capacity);
    }
    natsOptions_Destroy(filled);
    if (self->nats == NULL) {
        /* Where nats.c could not start its thread it calls connection_on_closed. */
        if (!retried) connection_release(self);
        return status;
    }
    if (status == NATS_NOT_YET_CONNECTED)
        (void)snprintf(words, capacity, "%s", connection_last_words(self->nats));
    if (status == NATS_NOT_YET_CONNECTED && is_refusal(words)) return NATS_CONNECTION_AUTH_FAILED;
    if (status == NATS_NOT_YET_CONNECTED)
        status = NATS_OK;
    else if (status == NATS_OK)
        connection_on_connected(self->nats, self);
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
    addresses servers;
    const char *given = options->servers != NULL ? options->servers : NATS_DEFAULT_URL;
    if (addresses_read(&servers, given, __func__) != STREAMS_OK) return NULL;
    connection *self = connection_make(options, servers);
    char words[WORDS];
    natsStatus status = connect_nats(self, options, words, sizeof words);
    streams_nats_connection *handle = status == NATS_OK ? handle_create(self) : NULL;
    if (handle != NULL) return handle;
    if (status != NATS_OK)
        (void)nats_failed(status, 0, __func__, "cannot connect to %s: %s", connection_name(self), words);
    else
        (void)call_failed(STREAMS_LIMIT, __func__, "there are too many connections");
    if (self->nats != NULL) connection_close(self);
    connection_release(self);
    return NULL;
}
