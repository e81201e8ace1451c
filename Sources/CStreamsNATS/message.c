/* message.c - messages as values, and what can be read of them. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

message *message_create(natsMsg *nats, connection *owner) {
    message *self = allocate(sizeof *self);
    atomic_init(&self->references, 1);
    self->nats = nats;
    self->owner = owner;
    if (owner != NULL) connection_retain(owner);
    return self;
}

void message_retain(message *self) {
    atomic_fetch_add_explicit(&self->references, 1, memory_order_relaxed);
}

void message_release(message *self) {
    if (atomic_fetch_sub_explicit(&self->references, 1, memory_order_acq_rel) != 1) return;
    if (self->owner == NULL)
        natsMsg_Destroy(self->nats);
    else
        connection_discard(self->owner, self->nats);
    if (self->stream != NULL) live_release(self->stream);
    if (self->owner != NULL) connection_release(self->owner);
    free(self->id);
    free(self);
}

/* ---- Values ------------------------------------------------------------------------------------------- */

static void retain_object(void *object) { message_retain(object); }

static void release_object(void *object) { message_release(object); }

static size_t describe_object(void *object, char *buffer, size_t capacity) {
    message *self = object;
    const char *subject = natsMsg_GetSubject(self->nats);
    int length = snprintf(buffer, capacity, "message to %s of %d bytes",
        self->owner != NULL && subject != NULL ? subject : "?", natsMsg_GetDataLength(self->nats));
    return length > 0 ? (size_t)length : 0;
}

static const streams_object_type message_type = { sizeof(streams_object_type), retain_object,
    release_object, NULL, describe_object };

streams_status message_value(message *self, streams_value *out) {
    return streams_value_object(&message_type, self, out);
}

message *message_of(const streams_value *value) {
    return streams_value_object_type(value) == &message_type ? value->as.object : NULL;
}

streams_status message_find(const streams_value *value, const char *function, message **out) {
    *out = message_of(value);
    if (*out != NULL) return STREAMS_OK;
    if (value == NULL) return call_failed(STREAMS_NULL_ARGUMENT, function, "message is NULL");
    return call_failed(STREAMS_WRONG_KIND, function, "the value is not a message of this library");
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

/* nats.c parses the headers of a message when they are first asked for. */
static pthread_mutex_t headers_lock = PTHREAD_MUTEX_INITIALIZER;

static void lock_headers(void) { pthread_mutex_lock(&headers_lock); }

static void unlock_headers(void) { pthread_mutex_unlock(&headers_lock); }

/* No thread that a fork leaves behind has the lock. */
__attribute__((constructor)) static void watch_forks(void) {
    (void)pthread_atfork(lock_headers, unlock_headers, unlock_headers);
}

static natsStatus get_header(message *self, const char *name, const char **out) {
    pthread_mutex_lock(&headers_lock);
    natsStatus status = natsMsgHeader_Get(self->nats, name, out);
    pthread_mutex_unlock(&headers_lock);
    if (status != NATS_OK) *out = NULL;
    return status;
}

const char *message_header(message *self, const char *name) {
    const char *value = NULL;
    (void)get_header(self, name, &value);
    return value;
}

/* That there are none is not a failure. */
static streams_status can_be_read(natsStatus status, const char *function) {
    if (status == NATS_OK || status == NATS_NOT_FOUND) return STREAMS_OK;
    return nats_failed(status, 0, function, "cannot read the headers: %s", nats_words(status));
}

streams_status streams_nats_data(const streams_value *value, streams_value *out) {
    message *self = NULL;
    if (out == NULL) return call_failed(STREAMS_NULL_ARGUMENT, __func__, "out is NULL");
    *out = streams_null();
    streams_status status = message_find(value, __func__, &self);
    if (status == STREAMS_OK)
        *out = streams_bytes(natsMsg_GetData(self->nats), (size_t)natsMsg_GetDataLength(self->nats));
    return status;
}

streams_status streams_nats_subject_of(const streams_value *value, const char **out) {
    message *self = NULL;
    if (out == NULL) return call_failed(STREAMS_NULL_ARGUMENT, __func__, "out is NULL");
    *out = "";
    streams_status status = message_find(value, __func__, &self);
    if (status == STREAMS_OK && self->owner != NULL) *out = natsMsg_GetSubject(self->nats);
    return status;
}

streams_status streams_nats_reply_of(const streams_value *value, const char **out) {
    message *self = NULL;
    if (out == NULL) return call_failed(STREAMS_NULL_ARGUMENT, __func__, "out is NULL");
    *out = "";
    streams_status status = message_find(value, __func__, &self);
    if (status == STREAMS_OK && natsMsg_GetReply(self->nats) != NULL) *out = natsMsg_GetReply(self->nats);
    return status;
}

streams_status streams_nats_header(const streams_value *value, const char *name, const char **out) {
    message *self = NULL;
    if (out == NULL || name == NULL)
        return call_failed(STREAMS_NULL_ARGUMENT, __func__, "%s is NULL", out == NULL ? "out" : "name");
    *out = NULL;
    streams_status status = message_find(value, __func__, &self);
    return status == STREAMS_OK ? can_be_read(get_header(self, name, out), __func__) : status;
}

/* The pairs of one name, added to the list. */
static streams_status add_pairs(message *self, const char *name, streams_value **pairs, size_t *count) {
    const char **values = NULL;
    int number = 0;
    streams_status status = STREAMS_OK;
    if (natsMsgHeader_Values(self->nats, name, &values, &number) != NATS_OK) return status;
    streams_value *longer = realloc(*pairs, (*count + (size_t)number) * sizeof **pairs);
    if (longer == NULL) abort();
    *pairs = longer;
    for (int i = 0; i < number && status == STREAMS_OK; i++) {
        streams_value pair[2] = { streams_text(name), streams_text(values[i]) };
        status = streams_value_list(pair, 2, &longer[*count]);
        if (status == STREAMS_OK) ++*count;
    }
    free((void *)values);
    return status;
}

static streams_status list_headers(message *self, streams_value *out, const char *function) {
    const char **names = NULL;
    int number = 0;
    streams_value *pairs = NULL;
    size_t count = 0;
    pthread_mutex_lock(&headers_lock);
    streams_status status = can_be_read(natsMsgHeader_Keys(self->nats, &names, &number), function);
    for (int i = 0; i < number && status == STREAMS_OK; i++)
        status = passed_on(add_pairs(self, names[i], &pairs, &count), function);
    free((void *)names);
    pthread_mutex_unlock(&headers_lock);
    if (status == STREAMS_OK) status = passed_on(streams_value_list(pairs, count, out), function);
    for (size_t i = 0; i < count; i++) (void)streams_value_destroy(&pairs[i]);
    free(pairs);
    return status;
}

streams_status streams_nats_headers(const streams_value *value, streams_value *out) {
    message *self = NULL;
    if (out == NULL) return call_failed(STREAMS_NULL_ARGUMENT, __func__, "out is NULL");
    *out = streams_null();
    streams_status status = message_find(value, __func__, &self);
    return status == STREAMS_OK ? list_headers(self, out, __func__) : status;
}

streams_status streams_nats_get_metadata(const streams_value *value, streams_nats_metadata *out) {
    message *self = NULL;
    if (out == NULL) return call_failed(STREAMS_NULL_ARGUMENT, __func__, "out is NULL");
    streams_status status = check_size(out->size, sizeof *out, __func__, "out");
    if (status != STREAMS_OK) return status;
    *out = (streams_nats_metadata)STREAMS_NATS_METADATA_INIT;
    status = message_find(value, __func__, &self);
    if (status != STREAMS_OK) return status;
    jsMsgMetaData *data = NULL;
    const char *reply = natsMsg_GetReply(self->nats);
    if (self->owner == NULL || reply == NULL || strncmp(reply, "$JS.ACK.", 8) != 0 ||
        natsMsg_GetMetaData(&data, self->nats) != NATS_OK)
        return call_failed(STREAMS_INVALID_VALUE, __func__, "the message does not come from JetStream");
    out->sequence = data->Sequence.Stream;
    out->consumer_sequence = data->Sequence.Consumer;
    out->deliveries = data->NumDelivered;
    out->pending = data->NumPending;
    out->time = data->Timestamp;
    jsMsgMetaData_Destroy(data);
    return STREAMS_OK;
}

/* ---- Steps -------------------------------------------------------------------------------------------- */

/* A payload as a value that keeps its message. */
static streams_status payload(const streams_value *in, streams_value *out, bool text) {
    message *self = message_of(in);
    if (self == NULL)
        return streams_callback_fail_with(
            STREAMS_WRONG_KIND, STREAMS_NATS_DOMAIN, "a value is not a message of NATS");
    const char *data = natsMsg_GetData(self->nats);
    size_t length = (size_t)natsMsg_GetDataLength(self->nats);
    message_retain(self);
    return text ? streams_value_string_nocopy(data, length, self, release_object, out)
                : streams_value_bytes_nocopy(data, length, self, release_object, out);
}

static streams_status to_bytes(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    return payload(in, out, false);
}

static streams_status to_text(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    return payload(in, out, true);
}

static streams_publisher *map(
    streams_publisher *publisher, streams_transform_fn transform, const char *function) {
    return step_made(streams_map(publisher, transform, NULL, NULL), publisher, function);
}

streams_publisher *streams_nats_map_bytes(streams_publisher *publisher) {
    return map(publisher, to_bytes, __func__);
}

streams_publisher *streams_nats_map_text(streams_publisher *publisher) {
    return map(publisher, to_text, __func__);
}
