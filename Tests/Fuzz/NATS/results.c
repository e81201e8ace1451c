/* What the library calls, and what is done with what it has made. */

#include <pthread.h>

#include "fuzz_nats.h"

atomic_int contexts;

/* ---- Messages ----------------------------------------------------------------------------------------- */

enum { MESSAGES = 64 };
static streams_value messages[MESSAGES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void keep_message(const streams_value *message) {
    streams_value copy = streams_null(), old;
    if (streams_value_copy(message, &copy) != STREAMS_OK) return;
    pthread_mutex_lock(&lock);
    uint32_t at = below(MESSAGES);
    old = messages[at];
    messages[at] = copy;
    pthread_mutex_unlock(&lock);
    (void)streams_value_destroy(&old);
}

bool kept_message(streams_value *out) {
    pthread_mutex_lock(&lock);
    bool found = streams_value_copy(&messages[below(MESSAGES)], out) == STREAMS_OK;
    pthread_mutex_unlock(&lock);
    return found && out->kind == STREAMS_VALUE_OBJECT;
}

void forget_messages(void) {
    for (int i = 0; i < MESSAGES; i++) (void)streams_value_destroy(&messages[i]);
}

/* ---- Callbacks ---------------------------------------------------------------------------------------- */

static streams_status write_text(char *buffer, size_t capacity) {
    const char *text = some_text("subject");
    (void)snprintf(buffer, capacity, "%s", text != NULL ? text : "s.b");
    return chance(20) ? STREAMS_CALLBACK_FAILED : STREAMS_OK;
}

void fuzz_callback(int callback, slot *a, slot *r) {
    const callback_info *info = &callbacks[callback];
    if (a[0].p != &contexts) wrong("%s is given another context", info->name);
    if (info->role == ENDS_CONTEXT && atomic_fetch_sub(&contexts, 1) <= 0)
        wrong("%s is called for a context that the library does not have", info->name);
    r->u = STREAMS_OK;
    for (int i = 0; i < info->count; i++) {
        if (info->params[i].kind == P_BUFFER) r->u = (uint64_t)write_text(a[i].p, a[i + 1].u);
        if (info->params[i].kind != P_OUT_VALUE) continue;
        streams_value payload = streams_text("made");
        r->u = (uint64_t)(chance(4) ? STREAMS_CALLBACK_FAILED
                                    : streams_nats_message(&payload, NULL, 0, NULL, a[i].p));
    }
}

/* ---- Subscribers -------------------------------------------------------------------------------------- */

enum { MOST = 24 };
static streams_cancellable *subscribers[MOST];

static uint64_t on_value(void *context, const streams_value *value) {
    (void)context;
    if (value->kind == STREAMS_VALUE_OBJECT) keep_message(value);
    switch (below(16)) {
    case 0: (void)streams_nats_acknowledge(value); break;
    case 1: (void)streams_nats_reject(value, below(20) * STREAMS_MILLISECOND); break;
    case 2: (void)streams_nats_terminate(value); break;
    case 3: (void)streams_nats_reply(value, value); break;
    case 4: return STREAMS_FAIL;
    default: break;
    }
    return below(3);
}

static void on_destroy(void *context) {
    (void)context;
    contexts--;
}

static void remember(streams_cancellable *made) {
    pthread_mutex_lock(&lock);
    streams_cancellable **place = &subscribers[below(MOST)], *old = *place;
    *place = made;
    pthread_mutex_unlock(&lock);
    if (old != NULL) (void)streams_release(old);
}

void drop_subscribers(void) {
    for (int i = 0; i < MOST; i++)
        if (subscribers[i] != NULL) (void)streams_release(subscribers[i]);
}

void use_publisher(streams_publisher *made) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    if (chance(6)) {
        (void)streams_release(made);
        return;
    }
    subscriber.context = &contexts;
    subscriber.demand = chance(6) ? STREAMS_UNLIMITED : below(5);
    subscriber.on_value = on_value;
    subscriber.destroy = on_destroy;
    contexts++;
    streams_cancellable *running = streams_sink(made, &subscriber);
    if (running == NULL) wrong("no subscriber: %s", streams_last_message());
    remember(running);
}

void use_binding(streams_binding *made) {
    streams_value read = streams_null();
    const streams_value *value = some_value();
    (void)streams_binding_get_value(made, &read);
    (void)streams_value_destroy(&read);
    if (value != NULL) (void)streams_binding_set_value(made, value);
    if (chance(2)) use_publisher(streams_binding_values(made));
    (void)streams_release(made);
}
