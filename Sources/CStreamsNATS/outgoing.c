/* outgoing.c - what is published: values as payloads, and messages of one's own. */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

enum { MOST_HEADERS = 65535 };

bool is_publishable(const streams_value *value) {
    if (value == NULL) return false;
    if (value->kind == STREAMS_VALUE_STRING || value->kind == STREAMS_VALUE_BYTES)
        return value->size == 0 || value->as.bytes != NULL;
    return value->kind == STREAMS_VALUE_NULL || message_of(value) != NULL;
}

static streams_value payload_of(const streams_value *value) {
    if (value->kind != STREAMS_VALUE_OBJECT) return *value;
    message *from = message_of(value);
    return from != NULL
               ? streams_bytes(natsMsg_GetData(from->nats), (size_t)natsMsg_GetDataLength(from->nats))
               : streams_null();
}

static natsStatus create(
    natsMsg **out, const char *subject, const char *reply, const streams_value *payload) {
    if (payload->size > INT_MAX) return NATS_MAX_PAYLOAD;
    return natsMsg_Create(
        out, subject, reply, payload->size > 0 ? payload->as.text : NULL, (int)payload->size);
}

/* Copies the headers of a message. */
static natsStatus copy_headers(natsMsg *to, const streams_value *value) {
    streams_value headers = streams_null();
    natsStatus status = NATS_OK;
    if (streams_nats_headers(value, &headers) != STREAMS_OK) return NATS_ERR;
    for (uint32_t i = 0; i < headers.size && status == NATS_OK; i++) {
        const streams_value *pair = headers.as.items[i].as.items;
        char *name = make_text("%.*s", (int)pair[0].size, pair[0].as.text),
             *text = make_text("%.*s", (int)pair[1].size, pair[1].as.text);
        status = natsMsgHeader_Add(to, name, text);
        free(name);
        free(text);
    }
    (void)streams_value_destroy(&headers);
    return status;
}

static natsStatus publish_message(natsConnection *nats, const char *subject, const char *reply,
    const streams_value *value, const char *id) {
    streams_value payload = payload_of(value);
    message *from = message_of(value);
    natsMsg *made = NULL;
    natsStatus status = create(&made, subject, reply, &payload);
    if (status == NATS_OK && from != NULL) status = copy_headers(made, value);
    if (id == NULL && from != NULL) id = from->id;
    if (status == NATS_OK && id != NULL) status = natsMsgHeader_Set(made, "Nats-Msg-Id", id);
    if (status == NATS_OK) status = natsConnection_PublishMsg(nats, made);
    natsMsg_Destroy(made);
    return status;
}

natsStatus publish_value(natsConnection *nats, const char *subject, const char *reply,
    const streams_value *value, const char *id) {
    if (id != NULL || value->kind == STREAMS_VALUE_OBJECT)
        return publish_message(nats, subject, reply, value, id);
    const void *data =
        value->kind != STREAMS_VALUE_NULL && value->size > 0 ? value->as.bytes : (const void *)"";
    int length = value->size > INT_MAX ? INT_MAX : (int)value->size;
    if (reply != NULL) return natsConnection_PublishRequest(nats, subject, reply, data, length);
    return natsConnection_Publish(nats, subject, data, length);
}

char *publish_words(connection *owner, natsStatus status, const streams_value *value) {
    if (status != NATS_MAX_PAYLOAD) return copy_text(connection_words(owner, status));
    return make_text("its %u bytes are more than the server takes: %lld", payload_of(value).size,
        (long long)natsConnection_GetMaxPayload(connection_nats(owner)));
}

/* ---- Calls -------------------------------------------------------------------------------------------- */

static streams_status publish_to(
    connection *owner, const char *subject, const streams_value *value, const char *function) {
    if (!is_publishable(value))
        return call_failed(
            STREAMS_INVALID_VALUE, function, "the value is neither text nor bytes nor null nor a message");
    if (!is_subject(subject))
        return call_failed(
            STREAMS_INVALID_ARGUMENT, function, "\"%s\" is not a subject to publish to", subject);
    natsStatus status = publish_value(connection_nats(owner), subject, NULL, value, NULL);
    if (status == NATS_OK) return STREAMS_OK;
    char *words = publish_words(owner, status, value);
    streams_status result = nats_failed(status, 0, function, "cannot publish to %s: %s", subject, words);
    free(words);
    return result;
}

streams_status streams_nats_publish(
    streams_nats_connection *handle, const char *subject, const streams_value *value) {
    connection *owner = NULL;
    streams_status status = handle_find(handle, __func__, &owner);
    if (status != STREAMS_OK) return status;
    if (subject == NULL || value == NULL)
        status = call_failed(
            STREAMS_NULL_ARGUMENT, __func__, "%s is NULL", subject == NULL ? "subject" : "value");
    else
        status = publish_to(owner, subject, value, __func__);
    connection_release(owner);
    return status;
}

streams_status streams_nats_reply(const streams_value *request, const streams_value *answer) {
    message *self = NULL;
    streams_status status = message_find(request, __func__, &self);
    if (status != STREAMS_OK) return status;
    if (answer == NULL) return call_failed(STREAMS_NULL_ARGUMENT, __func__, "answer is NULL");
    const char *reply = natsMsg_GetReply(self->nats);
    if (self->owner == NULL || reply == NULL || reply[0] == '\0' || strncmp(reply, "$JS.ACK.", 8) == 0)
        return call_failed(STREAMS_INVALID_VALUE, __func__, "the message wants no answer");
    if (connection_is_foreign(self->owner))
        return call_failed(
            STREAMS_TERMINATED, __func__, "the connection belongs to the process that forked this one");
    status = publish_to(self->owner, reply, answer, __func__);
    if (status == STREAMS_OK) connection_flush_soon(self->owner);
    return status;
}

static streams_status check_headers(const char *const *headers, size_t count, const char *function) {
    for (size_t i = 0; i < count; i++) {
        if (headers[2 * i] == NULL || headers[2 * i + 1] == NULL)
            return call_failed(STREAMS_NULL_ARGUMENT, function, "header %zu has a NULL", i);
        if (!is_header_name(headers[2 * i]))
            return call_failed(
                STREAMS_INVALID_ARGUMENT, function, "\"%s\" is not a valid name of a header", headers[2 * i]);
    }
    return STREAMS_OK;
}

static streams_status make_message(const char *subject, const streams_value *payload,
    const char *const *headers, size_t count, const char *id, streams_value *out, const char *function) {
    if (out == NULL) return call_failed(STREAMS_NULL_ARGUMENT, function, "out is NULL");
    *out = streams_null();
    if (payload == NULL || (headers == NULL && count > 0))
        return call_failed(
            STREAMS_NULL_ARGUMENT, function, "%s is NULL", payload == NULL ? "payload" : "headers");
    if (!is_publishable(payload))
        return call_failed(
            STREAMS_INVALID_VALUE, function, "the payload is neither text nor bytes nor null");
    if (count > MOST_HEADERS)
        return call_failed(STREAMS_INVALID_ARGUMENT, function, "there are %zu headers, but %d are the most",
            count, MOST_HEADERS);
    streams_status result = check_headers(headers, count, function);
    if (result != STREAMS_OK) return result;
    streams_value data = payload_of(payload);
    natsMsg *made = NULL;
    nats_begins();
    natsStatus status = create(&made, subject, NULL, &data);
    for (size_t i = 0; i < count && status == NATS_OK; i++)
        status = natsMsgHeader_Add(made, headers[2 * i], headers[2 * i + 1]);
    if (status != NATS_OK) {
        natsMsg_Destroy(made);
        return nats_failed(status, 0, function, "cannot make a message: %s", nats_words(status));
    }
    message *self = message_create(made, NULL);
    self->id = copy_text(id);
    result = passed_on(message_value(self, out), function);
    message_release(self);
    return result;
}

/* What nats.c calls a message whose subject is that of the publishing. */
#define NO_SUBJECT "_"

streams_status streams_nats_message(const streams_value *payload, const char *const *headers, size_t count,
    const char *id, streams_value *out) {
    return make_message(NO_SUBJECT, payload, headers, count, id, out, __func__);
}

streams_status streams_nats_message_to(const char *subject, const streams_value *payload,
    const char *const *headers, size_t count, const char *id, streams_value *out) {
    if (out != NULL) *out = streams_null();
    if (subject == NULL) return call_failed(STREAMS_NULL_ARGUMENT, __func__, "subject is NULL");
    if (!is_subject(subject))
        return call_failed(
            STREAMS_INVALID_ARGUMENT, __func__, "\"%s\" is not a subject to publish to", subject);
    return make_message(subject, payload, headers, count, id, out, __func__);
}

streams_status streams_nats_own_subject(
    void *context, const streams_value *value, char *buffer, size_t capacity) {
    (void)context;
    message *self = NULL;
    streams_status status = message_find(value, __func__, &self);
    if (status != STREAMS_OK) return status;
    if (buffer == NULL) return call_failed(STREAMS_NULL_ARGUMENT, __func__, "buffer is NULL");
    const char *subject = natsMsg_GetSubject(self->nats);
    if (subject == NULL || (self->owner == NULL && strcmp(subject, NO_SUBJECT) == 0))
        return call_failed(STREAMS_INVALID_VALUE, __func__, "the message has no subject");
    if (strlen(subject) >= capacity)
        return call_failed(STREAMS_INVALID_VALUE, __func__, "the subject has more than %zu bytes", capacity);
    memcpy(buffer, subject, strlen(subject) + 1);
    return STREAMS_OK;
}
