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

static streams_status refused(const work *self, natsStatus status, jsErrCode code, const char *what) {
    char *key = make_text("%s of bucket %s", self->key, self->bucket);
    streams_status result = answered(self->owner, status, &code, self->function, what, key);
    free(key);
    return result;
}

static streams_status begin(work *self, streams_nats_connection *handle, const char *bucket,
    const char *key, const char *function) {
    *self = (work){ .bucket = bucket, .key = key, .function = function };
    if (bucket == NULL || key == NULL)
        return call_failed(
            STREAMS_NULL_ARGUMENT, function, "%s is NULL", bucket == NULL ? "bucket" : "key");
    streams_status status = handle_find(handle, function, &self->owner);
    if (status != STREAMS_OK) return status;
    status = check_key(bucket, key, false, function);
    natsStatus said =
        status == STREAMS_OK ? js_KeyValue(&self->store, connection_js(self->owner), bucket) : NATS_OK;
    if (said == NATS_NOT_FOUND)
        status = nats_failed(said, JSStreamNotFoundErr, function, "there is no bucket %s", bucket);
    else if (said != NATS_OK)
        status = refused(self, said, 0, "open key");
    if (status != STREAMS_OK) connection_release(self->owner);
    return status;
}

static streams_status finish(work *self, streams_status status) {
    kvStore_Destroy(self->store);
    connection_release(self->owner);
    return status;
}

/* js_CreateKeyValue does not report the server's error code: asking the same again returns it. */
static jsErrCode code_of(connection *owner, const kvConfig *bucket) {
    jsErrCode code = 0;
    jsStreamConfig config;
    (void)jsStreamConfig_Init(&config);
    char *stream = make_text("KV_%s", bucket->Bucket), *subjects = make_text("$KV.%s.>", bucket->Bucket);
    config.Name = stream;
    config.Subjects = (const char *[]){ subjects };
    config.SubjectsLen = 1;
    config.MaxMsgsPerSubject = bucket->History > 0 ? bucket->History : 1;
    config.MaxBytes = bucket->MaxBytes > 0 ? bucket->MaxBytes : -1;
    config.MaxMsgSize = bucket->MaxValueSize > 0 ? bucket->MaxValueSize : -1;
    config.MaxAge = bucket->TTL;
    config.Replicas = bucket->Replicas;
    config.Storage = bucket->StorageType;
    config.Discard = js_DiscardNew;
    config.AllowRollup = config.DenyDelete = config.AllowDirect = true;
    (void)js_AddStream(NULL, connection_js(owner), &config, NULL, &code);
    free(stream);
    free(subjects);
    return code;
}

static streams_status check_bucket(const streams_nats_bucket_options *options, const char *function) {
    if (options == NULL) return call_failed(STREAMS_NULL_ARGUMENT, function, "options is NULL");
    streams_status status = check_size(options->size, sizeof *options, function, "options");
    if (status != STREAMS_OK) return status;
    if (options->name == NULL) return call_failed(STREAMS_NULL_ARGUMENT, function, "name is NULL");
    if (options->history > 64)
        return call_failed(STREAMS_INVALID_ARGUMENT, function, "history is %lld, but 64 is the most",
            (long long)options->history);
    status = check_fields(function, FIELD(history), FIELD(max_age), FIELD(max_bytes), FIELD(max_value_size),
        FIELD(replicas));
    return status == STREAMS_OK ? check_key(options->name, "key", false, function) : status;
}

streams_status streams_nats_bucket_create(
    streams_nats_connection *handle, const streams_nats_bucket_options *options) {
    connection *owner = NULL;
    streams_status status = handle_find(handle, __func__, &owner);
    if (status != STREAMS_OK) return status;
    status = check_bucket(options, __func__);
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
        char *words = copy_text(jetstream_words(owner, said, 0));
        jsErrCode code = said == NATS_ERR             ? code_of(owner, &config)
                         : said == NATS_NO_RESPONDERS ? JSNotEnabledErr
                                                      : 0;
        kvStore_Destroy(store);
        free(description);
        if (said != NATS_OK)
            status = nats_failed(
                said, (int)code, __func__, "cannot make bucket %s: %s", options->name, words);
        free(words);
    }
    connection_release(owner);
    return status;
}

streams_status streams_nats_bucket_delete(streams_nats_connection *handle, const char *bucket) {
    connection *owner = NULL;
    jsErrCode code = 0;
    streams_status status = handle_find(handle, __func__, &owner);
    if (status != STREAMS_OK) return status;
    if (bucket == NULL) status = call_failed(STREAMS_NULL_ARGUMENT, __func__, "bucket is NULL");
    if (status == STREAMS_OK) status = check_key(bucket, "key", false, __func__);
    if (status == STREAMS_OK) {
        char *stream = make_text("KV_%s", bucket);
        status = answered(owner, js_DeleteStream(connection_js(owner), stream, NULL, &code), &code,
            __func__, "remove bucket", bucket);
        free(stream);
    }
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
    if (said != NATS_OK && said != NATS_NOT_FOUND) status = refused(&self, said, 0, "read key");
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

/* Not by kvStore, which does not report the server's error code. But it knows the last sequence of a key
 * whose value has been removed. */
static natsStatus send_value(
    work *self, const streams_value *value, const uint64_t *expected, uint64_t *made, jsErrCode *code) {
    const void *data = value->size > 0 ? value->as.bytes : (const void *)"";
    if (value->size > INT32_MAX) return NATS_MAX_PAYLOAD;
    jsPubOptions options;
    jsPubAck *answer = NULL;
    (void)jsPubOptions_Init(&options);
    options.ExpectNoMessage = expected != NULL && *expected == 0;
    options.ExpectLastSubjectSeq = expected != NULL ? *expected : 0;
    char *subject = make_text("$KV.%s.%s", self->bucket, self->key);
    natsStatus said = js_Publish(
        &answer, connection_js(self->owner), subject, data, (int)value->size, &options, code);
    free(subject);
    if (said == NATS_OK) *made = answer->Sequence;
    jsPubAck_Destroy(answer);
    if (options.ExpectNoMessage && *code == JSStreamWrongLastSequenceErr)
        said = kvStore_Create(made, self->store, self->key, data, (int)value->size);
    return said;
}

static streams_status put(streams_nats_connection *handle, const char *bucket, const char *key,
    const streams_value *value, const uint64_t *expected, uint64_t *revision, const char *function) {
    work self;
    uint64_t made = 0;
    jsErrCode code = 0;
    if (revision != NULL) *revision = 0;
    if (value == NULL) return call_failed(STREAMS_NULL_ARGUMENT, function, "value is NULL");
    if (!is_payload(value))
        return call_failed(STREAMS_INVALID_VALUE, function, "the value is neither text nor bytes nor null");
    streams_status status = begin(&self, handle, bucket, key, function);
    if (status != STREAMS_OK) return status;
    natsStatus said = send_value(&self, value, expected, &made, &code);
    if (said != NATS_OK)
        status = refused(&self, said, code, "set key");
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
    if (said != NATS_OK) status = refused(&self, said, 0, "remove key");
    return finish(&self, status);
}
