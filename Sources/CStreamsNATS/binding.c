/* binding.c - a key of a bucket as a binding. */

#include <stdlib.h>

#include "consume.h"

typedef struct place {
    streams_nats_connection *connection;
    char *bucket, *key;
    /* Makes a message of a value that is set; NULL: it is a payload as it is. */
    streams_transform_fn encode;
    void *context;
    streams_destroy_fn destroy;
} place;

/* Names the last error as that of the callback. */
static streams_status fail(streams_status status) {
    if (status == STREAMS_OK) return status;
    int64_t code = streams_nats_last_code() != 0 ? streams_nats_last_code() : status;
    return streams_callback_fail_with(code, STREAMS_NATS_DOMAIN, streams_last_message());
}

static streams_status get(void *context, streams_value *out) {
    place *self = context;
    return fail(streams_nats_key_get(self->connection, self->bucket, self->key, out, NULL));
}

static streams_status put(place *self, const streams_value *value) {
    return fail(streams_nats_key_put(self->connection, self->bucket, self->key, value, NULL));
}

static streams_status set(void *context, const streams_value *value) {
    place *self = context;
    if (value->kind == STREAMS_VALUE_NULL)
        return fail(streams_nats_key_delete(self->connection, self->bucket, self->key, false));
    if (self->encode == NULL) return put(self, value);
    streams_value made = streams_null(), payload = streams_null();
    streams_status status = self->encode(self->context, value, &made);
    if (status != STREAMS_OK) return status;
    status = fail(streams_nats_data(&made, &payload));
    if (status == STREAMS_OK) status = put(self, &payload);
    (void)streams_value_destroy(&made);
    return status;
}

static void place_destroy(void *context) {
    place *self = context;
    if (self->destroy != NULL) self->destroy(self->context);
    (void)streams_nats_release(self->connection);
    free(self->bucket);
    free(self->key);
    free(self);
}

/* Takes the context. */
static streams_binding *make(streams_nats_connection *connection, const char *bucket, const char *key,
    streams_transform_fn encode, void *context, streams_destroy_fn destroy, const char *function) {
    streams_publisher *changes =
        keeps_error(connection) ? NULL : key_values(connection, bucket, key, function);
    if (changes == NULL || handle_retain(connection, function) != STREAMS_OK) {
        if (changes != NULL) (void)streams_release(changes);
        if (destroy != NULL) destroy(context);
        return NULL;
    }
    place *self = allocate(sizeof *self);
    *self = (place){ connection, copy_text(bucket), copy_text(key), encode, context, destroy };
    return made_by(streams_binding_create(get, set, self, place_destroy, changes), function);
}

streams_binding *streams_nats_key_binding(
    streams_nats_connection *connection, const char *bucket, const char *key) {
    return make(connection, bucket, key, NULL, NULL, NULL, __func__);
}

streams_binding *streams_nats_key_binding_of(streams_nats_connection *connection, const char *bucket,
    const char *key, streams_transform_fn encode, void *context, streams_destroy_fn destroy) {
    return make(connection, bucket, key, encode, context, destroy, __func__);
}
