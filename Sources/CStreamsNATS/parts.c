/* parts.c - for other languages: messages taken apart, kept and made, and the threads they come on. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <streams_host.h>

#include "message.h"

/* ---- Keeping ------------------------------------------------------------------------------------------ */

streams_value *streams_nats_keep(const streams_value *value) {
    message *self = NULL;
    if (message_find(value, __func__, &self) != STREAMS_OK) return NULL;
    streams_value *kept = allocate(sizeof *kept);
    if (streams_value_copy(value, kept) == STREAMS_OK) return kept;
    (void)passed_on(streams_last_status(), __func__);
    free(kept);
    return NULL;
}

streams_status streams_nats_free(streams_value *kept) {
    if (kept == NULL) return STREAMS_OK;
    streams_status status = streams_value_destroy(kept);
    free(kept);
    return passed_on(status, __func__);
}

/* ---- Parts -------------------------------------------------------------------------------------------- */

typedef struct taking {
    streams_combine_values_fn function;
    void *context;
    streams_destroy_fn destroy;
} taking;

static streams_status take_apart(void *context, const streams_value *in, streams_value *out) {
    const taking *self = context;
    if (in->kind == STREAMS_VALUE_NULL) return STREAMS_OK;
    message *what = message_of(in);
    if (what == NULL)
        return streams_callback_fail_with(
            STREAMS_WRONG_KIND, STREAMS_NATS_DOMAIN, "a value is not a message of NATS");
    const char *subject = natsMsg_GetSubject(what->nats);
    if (subject == NULL) subject = "";
    streams_value parts[3] = { streams_int((int64_t)(intptr_t)in),
        streams_bytes(natsMsg_GetData(what->nats), (size_t)natsMsg_GetDataLength(what->nats)),
        streams_bytes(subject, strlen(subject)) };
    return self->function(self->context, parts, 3, out);
}

static void taking_destroy(void *context) {
    taking *self = context;
    if (self->destroy != NULL) self->destroy(self->context);
    free(self);
}

streams_publisher *streams_nats_map_parts(streams_publisher *publisher, streams_combine_values_fn function,
    void *context, streams_destroy_fn destroy) {
    taking *self = allocate(sizeof *self);
    *self = (taking){ function, context, destroy };
    streams_publisher *made =
        streams_map(publisher, function != NULL ? take_apart : NULL, self, taking_destroy);
    return step_made(made, publisher, __func__);
}

/* ---- Callables ---------------------------------------------------------------------------------------- */

streams_status streams_nats_callable_message(void *callable, const streams_value *in, streams_value *out) {
    if (in == NULL || out == NULL)
        return call_failed(
            STREAMS_NULL_ARGUMENT, __func__, "%s is NULL", in == NULL ? "in" : "out");
    *out = streams_null();
    streams_value ignored = streams_null(), arguments[2] = { *in, streams_int((int64_t)(intptr_t)out) };
    streams_status status = streams_callable_combine_values(callable, arguments, 2, &ignored);
    (void)streams_value_destroy(&ignored);
    if (status == STREAMS_OK && message_of(out) != NULL) return STREAMS_OK;
    (void)streams_value_destroy(out);
    return status != STREAMS_OK
               ? passed_on(status, __func__)
               : call_failed(STREAMS_INVALID_VALUE, __func__, "the function has made no message");
}

void streams_nats_callable_confirmed(void *callable, uint64_t index, uint64_t sequence, bool duplicate) {
    char text[64];
    int length = snprintf(text, sizeof text, "%" PRIu64 " %" PRIu64 " %d", index, sequence, duplicate);
    streams_callable_write(callable, text, (size_t)length);
}

/* ---- Threads ------------------------------------------------------------------------------------------ */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static streams_action_fn introduce;
static void *introduce_context;
static atomic_uint times;
/* Which function this thread knows. */
static _Thread_local unsigned known;

void streams_nats_on_threads(streams_action_fn function, void *context) {
    pthread_mutex_lock(&lock);
    introduce = function;
    introduce_context = context;
    atomic_fetch_add(&times, 1);
    pthread_mutex_unlock(&lock);
}

void thread_is_known(void) {
    unsigned now = atomic_load_explicit(&times, memory_order_relaxed);
    if (known == now) return;
    known = now;
    pthread_mutex_lock(&lock);
    streams_action_fn function = introduce;
    void *context = introduce_context;
    pthread_mutex_unlock(&lock);
    if (function != NULL) function(context);
}
