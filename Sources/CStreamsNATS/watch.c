/* watch.c - buckets as publishers: a bucket is a stream, and a watch is a consumer of it that acknowledges
 * nothing. */

#include <stdlib.h>
#include <string.h>

#include "consume.h"

streams_status streams_nats_entry(
    const streams_value *value, const char **key, streams_nats_operation *operation) {
    message *self = NULL;
    if (key != NULL) *key = "";
    if (operation != NULL) *operation = STREAMS_NATS_PUT;
    streams_status status = message_find(value, __func__, &self);
    if (status != STREAMS_OK) return status;
    const char *subject = self->owner != NULL ? natsMsg_GetSubject(self->nats) : "";
    const char *rest = strncmp(subject, "$KV.", 4) == 0 ? strchr(subject + 4, '.') : NULL;
    if (rest == NULL)
        return call_failed(STREAMS_INVALID_VALUE, __func__, "the message is not an entry of a bucket");
    if (key != NULL) *key = rest + 1;
    const char *what = operation != NULL ? message_header(self, "KV-Operation") : NULL;
    if (what != NULL && strcmp(what, "DEL") == 0) *operation = STREAMS_NATS_DELETE;
    if (what != NULL && strcmp(what, "PURGE") == 0) *operation = STREAMS_NATS_PURGE;
    return STREAMS_OK;
}

/* A consumer of a bucket's stream. */
static consume_plan *plan_of(const char *bucket, const char *key, bool wildcards,
    streams_nats_deliver deliver, const char *function) {
    if (check_key(bucket, key, wildcards, function) != STREAMS_OK) return NULL;
    char *stream = make_text("KV_%s", bucket), *filter = make_text("$KV.%s.%s", bucket, key);
    streams_nats_consume_options options = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    options.stream = stream;
    options.filter = filter;
    options.deliver = deliver;
    options.acknowledgement = STREAMS_NATS_ACKNOWLEDGE_NONE;
    consume_plan *plan = plan_create(&options, function);
    free(stream);
    free(filter);
    if (plan != NULL) plan->ordered = true;
    return plan;
}

static streams_publisher *publisher_of(
    streams_nats_connection *handle, consume_plan *plan, const char *function) {
    connection *owner = NULL;
    if (plan == NULL) return NULL;
    if (handle_find(handle, function, &owner) != STREAMS_OK) {
        plan_destroy(plan);
        return NULL;
    }
    streams_publisher *made = consume_publisher(owner, plan, function);
    connection_release(owner);
    return made;
}

streams_publisher *streams_nats_watch(
    streams_nats_connection *handle, const char *bucket, const char *key) {
    if (keeps_error(handle)) return NULL;
    if (bucket == NULL) {
        (void)call_failed(STREAMS_NULL_ARGUMENT, __func__, "bucket is NULL");
        return NULL;
    }
    return publisher_of(handle,
        plan_of(bucket, key != NULL ? key : ">", true, STREAMS_NATS_DELIVER_LAST_PER_SUBJECT, __func__),
        __func__);
}

/* Null stays null: the key has no value. */
static streams_status to_value(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    streams_nats_operation operation = STREAMS_NATS_PUT;
    if (in->kind == STREAMS_VALUE_NULL) return STREAMS_OK;
    if (streams_nats_entry(in, NULL, &operation) != STREAMS_OK)
        return streams_callback_fail_with(
            STREAMS_WRONG_KIND, STREAMS_NATS_DOMAIN, streams_last_message());
    if (operation != STREAMS_NATS_PUT) return STREAMS_OK;
    message *self = message_of(in);
    return streams_value_bytes(natsMsg_GetData(self->nats), (size_t)natsMsg_GetDataLength(self->nats), out);
}

streams_publisher *key_values(
    streams_nats_connection *handle, const char *bucket, const char *key, const char *function) {
    if (keeps_error(handle)) return NULL;
    if (bucket == NULL || key == NULL) {
        (void)call_failed(STREAMS_NULL_ARGUMENT, function, "%s is NULL", bucket == NULL ? "bucket" : "key");
        return NULL;
    }
    consume_plan *plan = plan_of(bucket, key, false, STREAMS_NATS_DELIVER_LAST_PER_SUBJECT, function);
    if (plan != NULL) plan->null_first = true;
    return streams_map(publisher_of(handle, plan, function), to_value, NULL, NULL);
}

streams_publisher *streams_nats_key_values(
    streams_nats_connection *handle, const char *bucket, const char *key) {
    return key_values(handle, bucket, key, __func__);
}

streams_publisher *streams_nats_key_history(
    streams_nats_connection *handle, const char *bucket, const char *key) {
    if (keeps_error(handle)) return NULL;
    if (bucket == NULL || key == NULL) {
        (void)call_failed(STREAMS_NULL_ARGUMENT, __func__, "%s is NULL", bucket == NULL ? "bucket" : "key");
        return NULL;
    }
    consume_plan *plan = plan_of(bucket, key, false, STREAMS_NATS_DELIVER_ALL, __func__);
    if (plan != NULL) plan->finite = true;
    return publisher_of(handle, plan, __func__);
}
