/* keys.c - key-value buckets: what asks the server and waits. */

#include <stdlib.h>
#include <string.h>

#include "message.h"

/* What a call works with. */
typedef struct work {
    connection *owner;
    kvStore *store;
    const char *bucket, *key, *function;
} work;

static streams_status refused(const work *self, natsStatus status, const char *what) {
    const char *words = jetstream_words(self->owner, status);
    /* kvStore reports no code of the server's. */
    int code = strstr(words, "wrong last sequence") != NULL ? JSStreamWrongLastSequenceErr : 0;
    return nats_failed(status, code, self->function, "cannot %s key %s of bucket %s: %s", what, self->key,
        self->bucket, words);
}

static streams_status begin(work *self, streams_nats_connection *handle, const char *bucket,
    const char *key, const char *function) {
    *self = (work){ .bucket = bucket, .key = key, .function = function };
    if (bucket == NULL || key == NULL)
        return call_failed(
            STREAMS_NULL_ARGUMENT, function, "%s is NULL", bucket == NULL ? "bucket" : "key");
    streams_status status = handle_find(handle, function, &self->owner);
    if (status != STREAMS_OK) return status;
    natsStatus said = js_KeyValue(&self->store, connection_js(self->owner), bucket);
    if (said == NATS_OK) return STREAMS_OK;
    status = said == NATS_NOT_FOUND
                 ? nats_failed(said, JSStreamNotFoundErr, function, "there is no bucket %s", bucket)
                 : refused(self, said, "open");
    connection_release(self->owner);
    return status;
}

static streams_status finish(work *self, streams_status status) {
    kvStore_Destroy(self->store);
    connection_release(self->owner);
    return status;
}

streams_status streams_nats_bucket_create(
    streams_nats_connection *handle, const streams_nats_bucket_options *options) {
    connection *owner = NULL;
    streams_status status = handle_find(handle, __func__, &owner);
    if (status != STREAMS_OK) return status;
    if (options == NULL)
        status = call_failed(STREAMS_NULL_ARGUMENT, __func__, "options is NULL");
    else
        status = check_size(options->size, sizeof *options, __func__, "options");
    if (status == STREAMS_OK && options->name == NULL)
        status = call_failed(STREAMS_NULL_ARGUMENT, __func__, "name is NULL");
    if (status == STREAMS_OK)
        status = check_fields(__func__, FIELD(history), FIELD(max_age), FIELD(max_bytes),
            FIELD(max_value_size), FIELD(replicas));
    if (status == STREAMS_OK && options->history > 64)
        status = call_failed(STREAMS_INVALID_ARGUMENT, __func__, "history is %lld, but 64 is the most",
            (long long)options->history);
    if (status == STREAMS_OK) {
        char *description = json_text(options->description);
        kvConfig config;
        kvStore *store = NULL;
        (void)kvConfig_Init(&config);
        config.Bucket = options->name;
        config.Description = description;
        config.History = (uint8_t)options->history;
        config.TTL = options->max_age;
        config.MaxBytes = options->max_bytes;
        config.MaxValueSize =
            options->max_value_size > INT32_MAX ? INT32_MAX : (int32_t)options->max_value_size;
        config.Replicas = options->replicas > 0 ? (int)options->replicas : 1;
        config.StorageType = options->memory ? js_MemoryStorage : js_FileStorage;
        natsStatus said = js_CreateKeyValue(&store, connection_js(owner), &config);
        kvStore_Destroy(store);
        free(description);
        if (said != NATS_OK)
            status = nats_failed(
                said, 0, __func__, "cannot make bucket %s: %s", options->name, jetstream_words(owner, said));
    }
    connection_release(owner);
    return status;
}

streams_status streams_nats_bucket_delete(streams_nats_connection *handle, const char *bucket) {
    connection *owner = NULL;
    streams_status status = handle_find(handle, __func__, &owner);
    if (status != STREAMS_OK) return status;
    if (bucket == NULL) status = call_failed(STREAMS_NULL_ARGUMENT, __func__, "bucket is NULL");
    natsStatus said = status == STREAMS_OK ? js_DeleteKeyValue(connection_js(owner), bucket) : NATS_OK;
    if (said != NATS_OK)
        status = nats_failed(said, 0, __func__, "cannot remove bucket %s: %s", bucket,
            jetstream_words(owner, said));
    connection_release(owner);
    return status;
}

streams_status streams_nats_key_get(streams_nats_connection *handle, const char *bucket, const char *key,
    streams_value *out, uint64_t *revision) {
    work self;
    if (revision != NULL) *revision = 0;
    if (out == NULL) return call_failed(STREAMS_NULL_ARGUMENT, __func__, "out is NULL");
    *out = streams_null();
    streams_status status = begin(&self, handle, bucket, key, __func__);
    if (status != STREAMS_OK) return status;
    kvEntry *entry = NULL;
    natsStatus said = kvStore_Get(&entry, self.store, key);
    if (said != NATS_OK && said != NATS_NOT_FOUND) status = refused(&self, said, "read");
    if (said == NATS_OK)
        status = passed_on(
            streams_value_bytes(kvEntry_Value(entry), (size_t)kvEntry_ValueLen(entry), out), __func__);
    if (said == NATS_OK && revision != NULL) *revision = kvEntry_Revision(entry);
    kvEntry_Destroy(entry);
    return finish(&self, status);
}

/* Any payload but a message, whose headers would be lost. */
static bool is_payload(const streams_value *value) {
    return value != NULL && value->kind != STREAMS_VALUE_OBJECT && is_publishable(value);
}

static streams_status put(streams_nats_connection *handle, const char *bucket, const char *key,
    const streams_value *value, const uint64_t *expected, uint64_t *revision, const char *function) {
    work self;
    uint64_t made = 0;
    if (revision != NULL) *revision = 0;
    if (value == NULL) return call_failed(STREAMS_NULL_ARGUMENT, function, "value is NULL");
    if (!is_payload(value))
        return call_failed(STREAMS_INVALID_VALUE, function, "the value is neither text nor bytes nor null");
    streams_status status = begin(&self, handle, bucket, key, function);
    if (status != STREAMS_OK) return status;
    const void *data = value->size > 0 ? value->as.bytes : (const void *)"";
    natsStatus said;
    if (value->size > INT32_MAX)
        said = NATS_MAX_PAYLOAD;
    else if (expected == NULL)
        said = kvStore_Put(&made, self.store, key, data, (int)value->size);
    else if (*expected == 0)
        said = kvStore_Create(&made, self.store, key, data, (int)value->size);
    else
        said = kvStore_Update(&made, self.store, key, data, (int)value->size, *expected);
    if (said != NATS_OK)
        status = refused(&self, said, "set");
    else if (revision != NULL)
        *revision = made;
    return finish(&self, status);
}

streams_status streams_nats_key_put(streams_nats_connection *handle, const char *bucket, const char *key,
    const streams_value *value, uint64_t *revision) {
    return put(handle, bucket, key, value, NULL, revision, __func__);
}

streams_status streams_nats_key_put_at(streams_nats_connection *handle, const char *bucket, const char *key,
    const streams_value *value, uint64_t expected, uint64_t *revision) {
    return put(handle, bucket, key, value, &expected, revision, __func__);
}

streams_status streams_nats_key_delete(
    streams_nats_connection *handle, const char *bucket, const char *key, bool purge) {
    work self;
    streams_status status = begin(&self, handle, bucket, key, __func__);
    if (status != STREAMS_OK) return status;
    natsStatus said = purge ? kvStore_Purge(self.store, key, NULL) : kvStore_Delete(self.store, key);
    if (said != NATS_OK) status = refused(&self, said, "remove");
    return finish(&self, status);
}
