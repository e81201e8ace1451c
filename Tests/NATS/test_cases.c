/* Runs the cases of cases.json, which the tests of other languages run too: what a call is given, and with
 * which status and sentence it is refused, or as what the message arrives: headers are null where libnats
 * cannot read them, and or_arrives is what it is where another version can. Times are nanoseconds. */

#include "server.h"

#include <cjson/cJSON.h>

#define HEADERS 8

static const char *text(const cJSON *given, const char *key) {
    return cJSON_GetStringValue(cJSON_GetObjectItem(given, key));
}

static const char *at(const cJSON *list, int index) {
    return cJSON_GetStringValue(cJSON_GetArrayItem(list, index));
}

static int64_t number(const cJSON *given, const char *key) {
    const cJSON *found = cJSON_GetObjectItem(given, key);
    return found != NULL ? (int64_t)found->valuedouble : 0;
}

/* A call that makes something fails with the last error. */
static streams_status release(void *made) {
    if (made == NULL) return streams_last_status();
    return streams_release(made);
}

static streams_value payload(const cJSON *given) {
    const char *said = text(given, "payload");
    return said != NULL ? streams_text(said) : streams_null();
}

/* ---- The calls ---------------------------------------------------------------------------------------- */

static streams_status connect_(const cJSON *given) {
    streams_nats_options options = STREAMS_NATS_OPTIONS_INIT;
    options.servers = text(given, "servers");
    options.nkey = text(given, "nkey");
    options.tls_certificate_file = text(given, "tls_certificate_file");
    streams_nats_connection *made = streams_nats_connect(&options);
    return made == NULL ? streams_last_status() : streams_nats_release(made);
}

static streams_status publish(const cJSON *given) {
    const char *headers[2 * HEADERS];
    size_t count = 0;
    const cJSON *each = NULL;
    cJSON_ArrayForEach(each, cJSON_GetObjectItem(given, "headers")) {
        headers[count++] = at(each, 0);
        headers[count++] = at(each, 1);
    }
    streams_value said = payload(given), message;
    streams_status status = streams_nats_message(&said, headers, count / 2, text(given, "id"), &message);
    if (status != STREAMS_OK) return status;
    status = streams_nats_publish(connection, text(given, "subject"), &message);
    (void)streams_value_destroy(&message);
    return status;
}

static streams_status publish_confirmed(const cJSON *given) {
    streams_value said = payload(given);
    return release(streams_nats_publish_confirmed(connection, text(given, "subject"), &said));
}

static streams_status request(const cJSON *given) {
    streams_value said = payload(given);
    return release(
        streams_nats_request(connection, text(given, "subject"), &said, number(given, "timeout")));
}

static streams_status subject(const cJSON *given) {
    return release(streams_nats_subject(connection, text(given, "subject"), text(given, "queue"),
        number(given, "limit"), STREAMS_NATS_DROP_NEWEST));
}

static streams_status stream_create(const cJSON *given) {
    streams_nats_stream_options options = STREAMS_NATS_STREAM_OPTIONS_INIT;
    const char *subjects[HEADERS];
    const cJSON *each = NULL;
    cJSON_ArrayForEach(each, cJSON_GetObjectItem(given, "subjects")) {
        subjects[options.subject_count++] = cJSON_GetStringValue(each);
    }
    options.name = text(given, "name");
    options.subjects = subjects;
    return streams_nats_stream_create(connection, &options);
}

static streams_status stream_info(const cJSON *given) {
    streams_nats_stream_info info = STREAMS_NATS_STREAM_INFO_INIT;
    return streams_nats_stream_get_info(connection, text(given, "name"), &info);
}

static streams_status consume(const cJSON *given) {
    streams_nats_consume_options options = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    options.stream = text(given, "stream");
    options.durable = text(given, "durable");
    options.filter = text(given, "filter");
    return release(streams_nats_consume(connection, &options));
}

static streams_status bucket_create(const cJSON *given) {
    streams_nats_bucket_options options = STREAMS_NATS_BUCKET_OPTIONS_INIT;
    options.name = text(given, "name");
    options.history = number(given, "history");
    return streams_nats_bucket_create(connection, &options);
}

static streams_status key_get(const cJSON *given) {
    streams_value found = streams_null();
    streams_status status =
        streams_nats_key_get(connection, text(given, "bucket"), text(given, "key"), &found, NULL);
    (void)streams_value_destroy(&found);
    return status;
}

static streams_status watch(const cJSON *given) {
    return release(streams_nats_watch(connection, text(given, "bucket"), text(given, "key")));
}

static streams_status key_values(const cJSON *given) {
    return release(streams_nats_key_values(connection, text(given, "bucket"), text(given, "key")));
}

static streams_status key_history(const cJSON *given) {
    return release(streams_nats_key_history(connection, text(given, "bucket"), text(given, "key")));
}

static const struct {
    const char *name;
    streams_status (*run)(const cJSON *given);
} calls[] = { { "connect", connect_ }, { "publish", publish }, { "publish_confirmed", publish_confirmed },
    { "request", request }, { "subject", subject }, { "stream_create", stream_create },
    { "stream_info", stream_info }, { "consume", consume }, { "bucket_create", bucket_create },
    { "key_get", key_get }, { "watch", watch }, { "key_values", key_values },
    { "key_history", key_history } };

static streams_status run_call(const cJSON *each) {
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (strcmp(calls[i].name, text(each, "call")) == 0)
            return calls[i].run(cJSON_GetObjectItem(each, "given"));
    fail_msg("nobody knows the call %s", text(each, "call"));
    return STREAMS_OK;
}

/* ---- What is to come of them -------------------------------------------------------------------------- */

static void check_refusal(const cJSON *each, streams_status status) {
    const cJSON *refused = cJSON_GetObjectItem(each, "refused");
    const char *name = streams_status_name(status) + strlen("STREAMS_"), *said = streams_last_message();
    if (status == STREAMS_OK || strcmp(name, at(refused, 0)) != 0 || strcmp(said, at(refused, 1)) != 0)
        fail_msg("%s: %s, \"%s\"", cJSON_PrintUnformatted(each), name, said);
}

static cJSON *text_to_json(const streams_value *value) {
    char *copy = strndup(value->as.text, value->size);
    cJSON *made = cJSON_CreateString(copy);
    free(copy);
    return made;
}

static cJSON *described(const streams_value *message) {
    streams_value data, headers;
    assert_ok(streams_nats_data(message, &data));
    bool readable = streams_nats_headers(message, &headers) == STREAMS_OK;
    cJSON *made = cJSON_CreateObject();
    cJSON_AddItemToObject(made, "payload", text_to_json(&data));
    if (!readable) {
        assert_int_equal(streams_last_status(), STREAMS_NATS_FAILED);
        (void)cJSON_AddNullToObject(made, "headers");
        return made;
    }
    cJSON *list = cJSON_AddArrayToObject(made, "headers");
    for (size_t i = 0; i < headers.size; i++) {
        cJSON *pair = cJSON_CreateArray();
        for (size_t k = 0; k < 2; k++)
            cJSON_AddItemToArray(pair, text_to_json(&headers.as.items[i].as.items[k]));
        cJSON_AddItemToArray(list, pair);
    }
    (void)streams_value_destroy(&headers);
    return made;
}

static void check_arrival(const cJSON *each, const streams_value *message) {
    cJSON *found = described(message);
    const cJSON *expected = cJSON_GetObjectItem(each, "arrives");
    const cJSON *other = cJSON_GetObjectItem(each, "or_arrives");
    char *said = cJSON_PrintUnformatted(found), *wanted = cJSON_PrintUnformatted(expected);
    if (!cJSON_Compare(found, other, true)) assert_string_equal(said, wanted);
    free(said);
    free(wanted);
    cJSON_Delete(found);
}

static void run_case(const cJSON *each) {
    collector *c = NULL;
    if (cJSON_HasObjectItem(each, "arrives")) {
        const char *where = text(cJSON_GetObjectItem(each, "given"), "subject");
        c = collect_as(streams_nats_subject(connection, where, NULL, 1, STREAMS_NATS_FAIL),
            (behavior){ .demand = 1, .keep = true });
        assert_ok(streams_nats_flush(connection, 5 * STREAMS_SECOND));
    }
    streams_status status = run_call(each);
    if (c == NULL) {
        check_refusal(each, status);
        return;
    }
    assert_int_equal(status, STREAMS_OK);
    wait_until(c->count == 1);
    check_arrival(each, &c->kept[0]);
    collector_end(c);
}

static void each_case_is_as_it_says(void **state) {
    (void)state;
    static char said[1 << 16];
    FILE *file = fopen("Tests/NATS/cases.json", "r");
    if (file == NULL) fail_msg("run it where Tests/NATS/cases.json is");
    said[fread(said, 1, sizeof said - 1, file)] = '\0';
    (void)fclose(file);
    cJSON *cases = cJSON_Parse(said);
    assert_true(cJSON_GetArraySize(cases) > 0);
    begin_sharing();
    const cJSON *each = NULL;
    cJSON_ArrayForEach(each, cases) run_case(each);
    cJSON_Delete(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test_teardown(each_case_is_as_it_says, end_sharing) };
    return run_nats_tests(tests, sizeof tests / sizeof tests[0]);
}
