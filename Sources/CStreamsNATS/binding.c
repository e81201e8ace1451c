/* binding.c - a key of a bucket as a binding. */

#include <stdlib.h>

#include "consume.h"

typedef struct place {
    streams_nats_connection *connection;
    char *bucket, *key;
} place;

/* Names the last error of this library as that of the callback. */
static streams_status fail(streams_status status) {
    if (status == STREAMS_OK) return status;
    int64_t code = status == STREAMS_NATS_FAILED ? streams_nats_last_code() : status;
    return streams_callback_fail_with(code, STREAMS_NATS_DOMAIN, streams_nats_last_message());
}

static streams_status get(void *context, streams_value *out) {
    place *self = context;
    return fail(streams_nats_key_get(self->connection, self->bucket, self->key, out, NULL));
}

static streams_status set(void *context, const streams_value *value) {
    place *self = context;
    return fail(value->kind == STREAMS_VALUE_NULL
                    ? streams_nats_key_delete(self->connection, self->bucket, self->key, false)
                    : streams_nats_key_put(self->connection, self->bucket, self->key, value, NULL));
}

static void place_destroy(void *context) {
    place *self = context;
    (void)streams_nats_release(self->connection);
    free(self->bucket);
    free(self->key);
    free(self);
}

streams_binding *streams_nats_key_binding(
    streams_nats_connection *connection, const char *bucket, const char *key) {
    if (keeps_error(connection)) return NULL;
    streams_publisher *changes = key_values(connection, bucket, key, __func__);
    if (changes == NULL || handle_retain(connection, __func__) != STREAMS_OK) {
        if (changes != NULL) (void)streams_release(changes);
        return NULL;
    }
    place *self = allocate(sizeof *self);
    *self = (place){ connection, copy_text(bucket), copy_text(key) };
    streams_binding *made = streams_binding_create(get, set, self, place_destroy, changes);
    if (made == NULL) (void)passed_on(streams_last_status(), __func__);
    return made;
}
