/* manage.c - streams and consumers of the server: made, looked at, removed. */

#include <string.h>

#include "consume.h"

/* What a question to the server came to. */
static streams_status answered(
    natsStatus status, jsErrCode code, const char *function, const char *what, const char *name) {
    if (status == NATS_OK) return STREAMS_OK;
    /* nats.c takes the code away where it says that a stream or a consumer is not there. */
    if (status == NATS_NOT_FOUND && code == 0)
        code = strstr(what, "stream") != NULL ? JSStreamNotFoundErr : JSConsumerNotFoundErr;
    return nats_failed(status, (int)code, function, "cannot %s %s: %s", what, name,
        status == NATS_NO_RESPONDERS ? "the server has no JetStream" : nats_words(status));
}

/* Finds the connection, unless an argument is missing. */
static streams_status begin(
    streams_nats_connection *handle, bool complete, const char *function, connection **out) {
    streams_status status = handle_find(handle, function, out);
    if (status != STREAMS_OK || complete) return status;
    connection_release(*out);
    return call_failed(STREAMS_NULL_ARGUMENT, function, "an argument is NULL");
}

static void fill_stream(jsStreamConfig *out, const streams_nats_stream_options *options) {
    static const jsRetentionPolicy policies[] = { js_LimitsPolicy, js_InterestPolicy, js_WorkQueuePolicy };
    (void)jsStreamConfig_Init(out);
    out->Name = options->name;
    out->Description = options->description;
    out->Subjects = options->subject_count > 0 ? (const char **)(uintptr_t)options->subjects : NULL;
    out->SubjectsLen = (int)options->subject_count;
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
    status = check_size(options->size, sizeof *options, __func__, "options");
    if (status == STREAMS_OK && options->name == NULL)
        status = call_failed(STREAMS_NULL_ARGUMENT, __func__, "name is NULL");
    if (status == STREAMS_OK && (unsigned)options->retention > STREAMS_NATS_RETAIN_WORK)
        status = call_failed(
            STREAMS_INVALID_ARGUMENT, __func__, "retention has no such value: %d", (int)options->retention);
    if (status == STREAMS_OK) {
        jsStreamConfig config;
        fill_stream(&config, options);
        jsErrCode code = 0;
        status = answered(js_AddStream(NULL, connection_js(owner), &config, NULL, &code), code, __func__,
            "make stream", options->name);
    }
    connection_release(owner);
    return status;
}

streams_status streams_nats_stream_delete(streams_nats_connection *handle, const char *stream) {
    connection *owner = NULL;
    jsErrCode code = 0;
    streams_status status = begin(handle, stream != NULL, __func__, &owner);
    if (status != STREAMS_OK) return status;
    status = answered(js_DeleteStream(connection_js(owner), stream, NULL, &code), code, __func__,
        "remove stream", stream);
    connection_release(owner);
    return status;
}

streams_status streams_nats_stream_purge(streams_nats_connection *handle, const char *stream) {
    connection *owner = NULL;
    jsErrCode code = 0;
    streams_status status = begin(handle, stream != NULL, __func__, &owner);
    if (status != STREAMS_OK) return status;
    status = answered(
        js_PurgeStream(connection_js(owner), stream, NULL, &code), code, __func__, "empty stream", stream);
    connection_release(owner);
    return status;
}

streams_status streams_nats_stream_get_info(
    streams_nats_connection *handle, const char *stream, streams_nats_stream_info *out) {
    connection *owner = NULL;
    streams_status status = begin(handle, stream != NULL && out != NULL, __func__, &owner);
    if (status != STREAMS_OK) return status;
    status = check_size(out->size, sizeof *out, __func__, "out");
    jsStreamInfo *info = NULL;
    jsErrCode code = 0;
    if (status == STREAMS_OK)
        status = answered(js_GetStreamInfo(&info, connection_js(owner), stream, NULL, &code), code,
            __func__, "look at stream", stream);
    if (status == STREAMS_OK)
        *out = (streams_nats_stream_info){ sizeof *out, info->State.Msgs, info->State.Bytes,
            info->State.FirstSeq, info->State.LastSeq, info->State.Consumers, info->State.NumSubjects };
    jsStreamInfo_Destroy(info);
    connection_release(owner);
    return status;
}

streams_status streams_nats_consumer_create(
    streams_nats_connection *handle, const streams_nats_consume_options *options) {
    connection *owner = NULL;
    streams_status status = begin(handle, options != NULL && options->durable != NULL, __func__, &owner);
    if (status != STREAMS_OK) return status;
    consume_plan *plan = plan_create(options, __func__);
    if (plan == NULL) {
        status = streams_nats_last_status();
    } else {
        jsConsumerConfig config;
        fill_config(&config, &plan->options);
        jsErrCode code = 0;
        status = answered(js_AddConsumer(NULL, connection_js(owner), options->stream, &config, NULL, &code),
            code, __func__, "make consumer", options->durable);
        plan_destroy(plan);
    }
    connection_release(owner);
    return status;
}

streams_status streams_nats_consumer_delete(
    streams_nats_connection *handle, const char *stream, const char *consumer) {
    connection *owner = NULL;
    jsErrCode code = 0;
    streams_status status = begin(handle, stream != NULL && consumer != NULL, __func__, &owner);
    if (status != STREAMS_OK) return status;
    status = answered(js_DeleteConsumer(connection_js(owner), stream, consumer, NULL, &code), code,
        __func__, "remove consumer", consumer);
    connection_release(owner);
    return status;
}

streams_status streams_nats_consumer_get_info(streams_nats_connection *handle, const char *stream,
    const char *consumer, streams_nats_consumer_info *out) {
    connection *owner = NULL;
    streams_status status =
        begin(handle, stream != NULL && consumer != NULL && out != NULL, __func__, &owner);
    if (status != STREAMS_OK) return status;
    status = check_size(out->size, sizeof *out, __func__, "out");
    jsConsumerInfo *info = NULL;
    jsErrCode code = 0;
    if (status == STREAMS_OK)
        status = answered(js_GetConsumerInfo(&info, connection_js(owner), stream, consumer, NULL, &code),
            code, __func__, "look at consumer", consumer);
    if (status == STREAMS_OK)
        *out = (streams_nats_consumer_info){ sizeof *out, info->Delivered.Stream, info->AckFloor.Stream,
            info->NumPending, info->NumAckPending, info->NumRedelivered, info->NumWaiting };
    jsConsumerInfo_Destroy(info);
    connection_release(owner);
    return status;
}
