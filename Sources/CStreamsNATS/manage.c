/* manage.c - makes, inspects and removes streams and consumers of the server. */

#include <stdlib.h>
#include <string.h>

#include "consume.h"

streams_status answered(connection *owner, natsStatus status, const jsErrCode *code, const char *function,
    const char *what, const char *name) {
    if (status == NATS_OK) return STREAMS_OK;
    int said = status == NATS_NO_RESPONDERS ? JSNotEnabledErr : (int)*code;
    return nats_failed(status, said, function, "cannot %s %s: %s", what, name,
        jetstream_words(owner, status, *code));
}

/* Finds the connection, unless an argument is missing. */
static streams_status begin(
    streams_nats_connection *handle, bool complete, const char *function, connection **out) {
    streams_status status = handle_find(handle, function, out);
    if (status != STREAMS_OK || complete) return status;
    connection_release(*out);
    return call_failed(STREAMS_NULL_ARGUMENT, function, "an argument is NULL");
}

static streams_status check_name(const char *name, const char *what, const char *function) {
    if (name == NULL) return call_failed(STREAMS_NULL_ARGUMENT, function, "%s is NULL", what);
    if (is_name(name)) return STREAMS_OK;
    return call_failed(STREAMS_INVALID_ARGUMENT, function, "\"%s\" is not a valid name of a %s", name, what);
}

/* The same for a call about a stream, or about a consumer of one; consumer is NULL if there is none. */
static streams_status begin_named(streams_nats_connection *handle, const char *stream, const char *consumer,
    const char *function, connection **out) {
    streams_status status = begin(handle, true, function, out);
    if (status != STREAMS_OK) return status;
    status = check_name(stream, "stream", function);
    if (status == STREAMS_OK && consumer != NULL) status = check_name(consumer, "consumer", function);
    if (status != STREAMS_OK) connection_release(*out);
    return status;
}

static streams_status check_subjects(const streams_nats_stream_options *options, const char *function) {
    if (options->subjects == NULL) return STREAMS_OK;
    if (options->subject_count > 1000000)
        return call_failed(STREAMS_INVALID_ARGUMENT, function, "subject_count is more than 1000000");
    for (size_t i = 0; i < options->subject_count; i++) {
        const char *each = options->subjects[i];
        if (each == NULL) return call_failed(STREAMS_NULL_ARGUMENT, function, "subject %zu is NULL", i);
        if (!is_stream_filter(each))
            return call_failed(STREAMS_INVALID_ARGUMENT, function, "\"%s\" is not a valid subject", each);
    }
    return STREAMS_OK;
}

static streams_status check_stream(const streams_nats_stream_options *options, const char *function) {
    streams_status status = check_size(options->size, sizeof *options, function, "options");
    if (status == STREAMS_OK) status = check_name(options->name, "stream", function);
    if (status == STREAMS_OK) status = check_subjects(options, function);
    if (status == STREAMS_OK && (unsigned)options->retention > STREAMS_NATS_RETAIN_WORK)
        return call_failed(
            STREAMS_INVALID_ARGUMENT, function, "retention has no such value: %d", (int)options->retention);
    if (status != STREAMS_OK) return status;
    return check_fields(function, FIELD(max_messages), FIELD(max_bytes), FIELD(max_messages_per_subject),
        FIELD(max_message_size), FIELD(max_age), FIELD(duplicates), FIELD(replicas));
}

/* The description is as JSON has it. */
static void fill_stream(
    jsStreamConfig *out, const streams_nats_stream_options *options, const char *description) {
    static const jsRetentionPolicy policies[] = { js_LimitsPolicy, js_InterestPolicy, js_WorkQueuePolicy };
    (void)jsStreamConfig_Init(out);
    out->Name = options->name;
    out->Description = description;
    bool some = options->subjects != NULL && options->subject_count > 0;
    out->Subjects = some ? (const char **)(uintptr_t)options->subjects : NULL;
    out->SubjectsLen = some ? (int)options->subject_count : 0;
    out->Retention = policies[options->retention];
    out->MaxMsgs = options->max_messages > 0 ? options->max_messages : -1;
    out->MaxBytes = options->max_bytes > 0 ? options->max_bytes : -1;
    out->MaxMsgsPerSubject = options->max_messages_per_subject > 0 ? options->max_messages_per_subject : -1;
    out->MaxMsgSize = options->max_message_size > 0 && options->max_message_size < INT32_MAX
                          ? (int32_t)options->max_message_size
                          : -1;
    out->MaxAge = options->max_age;
    out->Duplicates = options->duplicates;
    out->Replicas = options->replicas > 0 ? options->replicas : 1;
    out->Storage = options->memory ? js_MemoryStorage : js_FileStorage;
    out->Discard = options->discard_new ? js_DiscardNew : js_DiscardOld;
}

streams_status streams_nats_stream_create(
    streams_nats_connection *handle, const streams_nats_stream_options *options) {
    connection *owner = NULL;
    streams_status status = begin(handle, options != NULL, __func__, &owner);
    if (status != STREAMS_OK) return status;
    status = check_stream(options, __func__);
    if (status == STREAMS_OK) {
        char *description = json_text(options->description);
        jsStreamConfig config;
        fill_stream(&config, options, description);
        jsErrCode code = 0;
        status = answered(owner, js_AddStream(NULL, connection_js(owner), &config, NULL, &code), &code,
            __func__, "make stream", options->name);
        free(description);
    }
    connection_release(owner);
    return status;
}

streams_status streams_nats_stream_delete(streams_nats_connection *handle, const char *stream) {
    connection *owner = NULL;
    jsErrCode code = 0;
    streams_status status = begin_named(handle, stream, NULL, __func__, &owner);
    if (status != STREAMS_OK) return status;
    status = answered(owner, js_DeleteStream(connection_js(owner), stream, NULL, &code), &code, __func__,
        "remove stream", stream);
    connection_release(owner);
    return status;
}

streams_status streams_nats_stream_purge(streams_nats_connection *handle, const char *stream) {
    connection *owner = NULL;
    jsErrCode code = 0;
    streams_status status = begin_named(handle, stream, NULL, __func__, &owner);
    if (status != STREAMS_OK) return status;
    status = answered(owner, js_PurgeStream(connection_js(owner), stream, NULL, &code), &code, __func__,
        "empty stream", stream);
    connection_release(owner);
    return status;
}

streams_status streams_nats_stream_get_info(
    streams_nats_connection *handle, const char *stream, streams_nats_stream_info *out) {
    connection *owner = NULL;
    if (out == NULL) return call_failed(STREAMS_NULL_ARGUMENT, __func__, "out is NULL");
    streams_status status = begin_named(handle, stream, NULL, __func__, &owner);
    if (status != STREAMS_OK) return status;
    status = check_size(out->size, sizeof *out, __func__, "out");
    jsStreamInfo *info = NULL;
    jsErrCode code = 0;
    if (status == STREAMS_OK)
        status = answered(owner, js_GetStreamInfo(&info, connection_js(owner), stream, NULL, &code), &code,
            __func__, "look at stream", stream);
    if (status == STREAMS_OK)
        *out = (streams_nats_stream_info){ sizeof *out, info->State.Msgs, info->State.Bytes,
            info->State.FirstSeq, info->State.LastSeq, info->State.Consumers, info->State.NumSubjects };
    jsStreamInfo_Destroy(info);
    connection_release(owner);
    return status;
}

static streams_status check_consumer(const streams_nats_consume_options *options, const char *function) {
    streams_status status = check_name(options->stream, "stream", function);
    if (status == STREAMS_OK) status = check_name(options->durable, "consumer", function);
    if (status == STREAMS_OK && options->filter != NULL && options->filter[0] != '\0' &&
        !is_stream_filter(options->filter))
        status =
            call_failed(STREAMS_INVALID_ARGUMENT, function, "\"%s\" is not a valid subject", options->filter);
    return status;
}

streams_status streams_nats_consumer_create(
    streams_nats_connection *handle, const streams_nats_consume_options *options) {
    connection *owner = NULL;
    streams_status status = begin(handle, options != NULL && options->durable != NULL, __func__, &owner);
    if (status != STREAMS_OK) return status;
    consume_plan *plan = plan_create(options, __func__);
    status = plan != NULL ? check_consumer(options, __func__) : streams_last_status();
    if (status == STREAMS_OK) {
        jsConsumerConfig config;
        fill_config(&config, &plan->options);
        jsErrCode code = 0;
        status = answered(owner,
            js_AddConsumer(NULL, connection_js(owner), options->stream, &config, NULL, &code), &code,
            __func__, "make consumer", options->durable);
    }
    if (plan != NULL) plan_destroy(plan);
    connection_release(owner);
    return status;
}

streams_status streams_nats_consumer_delete(
    streams_nats_connection *handle, const char *stream, const char *consumer) {
    connection *owner = NULL;
    jsErrCode code = 0;
    if (consumer == NULL) return call_failed(STREAMS_NULL_ARGUMENT, __func__, "consumer is NULL");
    streams_status status = begin_named(handle, stream, consumer, __func__, &owner);
    if (status != STREAMS_OK) return status;
    status = answered(owner, js_DeleteConsumer(connection_js(owner), stream, consumer, NULL, &code), &code,
        __func__, "remove consumer", consumer);
    connection_release(owner);
    return status;
}

streams_status streams_nats_consumer_get_info(streams_nats_connection *handle, const char *stream,
    const char *consumer, streams_nats_consumer_info *out) {
    connection *owner = NULL;
    if (consumer == NULL || out == NULL)
        return call_failed(
            STREAMS_NULL_ARGUMENT, __func__, "%s is NULL", out == NULL ? "out" : "consumer");
    streams_status status = begin_named(handle, stream, consumer, __func__, &owner);
    if (status != STREAMS_OK) return status;
    status = check_size(out->size, sizeof *out, __func__, "out");
    jsConsumerInfo *info = NULL;
    jsErrCode code = 0;
    if (status == STREAMS_OK)
        status = answered(owner,
            js_GetConsumerInfo(&info, connection_js(owner), stream, consumer, NULL, &code), &code,
            __func__, "look at consumer", consumer);
    if (status == STREAMS_OK)
        *out = (streams_nats_consumer_info){ sizeof *out, info->Delivered.Stream, info->AckFloor.Stream,
            info->NumPending, info->NumAckPending, info->NumRedelivered, info->NumWaiting };
    jsConsumerInfo_Destroy(info);
    connection_release(owner);
    return status;
}
