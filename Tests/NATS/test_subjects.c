/* Core subjects, requests, and key-value buckets. */

#include "server.h"

#include <nats/nats.h>

static int begin(void **state) {
    (void)state;
    begin_sharing();
    make_stream(connection, "S", "s.>");
    return 0;
}

static void a_subject_publishes_what_is_sent(void **state) {
    (void)state;
    collector *c = collect(
        streams_nats_subject(connection, "a.*", NULL, 10, STREAMS_NATS_DROP_NEWEST), STREAMS_UNLIMITED, 0);
    publish_numbers(connection, "a.x", 0, 1000);
    wait_until(c->count == 1000);
    for (int i = 0; i < 1000; i++) assert_int_equal(c->numbers[i], i);
    collector_end(c);
}

/* Its messages may come after those that others get, but more of them than it asks for. */
static bool has_failed(collector *c) {
    publish_numbers(connection, "a.x", 0, 20);
    (void)streams_subscription_request(c->subscription, 1);
    return c->ended == 2;
}

static void what_is_beyond_the_limit_is_dropped_and_counted(void **state) {
    (void)state;
    collector *newest =
        collect(streams_nats_subject(connection, "a.x", NULL, 10, STREAMS_NATS_DROP_NEWEST), 5, 0);
    collector *oldest =
        collect(streams_nats_subject(connection, "a.x", NULL, 10, STREAMS_NATS_DROP_OLDEST), 5, 0);
    collector *failing =
        collect(streams_nats_subject(connection, "a.x", NULL, 10, STREAMS_NATS_FAIL), 5, 0);
    publish_numbers(connection, "a.x", 0, 100);
    wait_until(streams_dropped(newest->cancellable) == 85);
    wait_until(streams_dropped(oldest->cancellable) == 85);
    collector_request(newest, 100);
    collector_request(oldest, 100);
    wait_until(newest->count == 15 && oldest->count == 15);
    assert_int_equal(newest->numbers[14], 14);
    assert_int_equal(oldest->numbers[14], 99);
    wait_until(has_failed(failing));
    assert_int_equal(failing->code, NATS_SLOW_CONSUMER);
    collector_end(newest);
    collector_end(oldest);
    collector_end(failing);
}

static void a_queue_group_shares(void **state) {
    (void)state;
    collector *a =
        collect(streams_nats_subject(connection, "q", "g", 1000, STREAMS_NATS_FAIL), STREAMS_UNLIMITED, 0);
    collector *b =
        collect(streams_nats_subject(connection, "q", "g", 1000, STREAMS_NATS_FAIL), STREAMS_UNLIMITED, 0);
    assert_ok(streams_nats_flush(connection, STREAMS_SECOND * 5));
    publish_numbers(connection, "q", 0, 200);
    wait_until(a->count + b->count == 200);
    assert_true(a->count > 0 && b->count > 0);
    collector_end(a);
    collector_end(b);
}

static streams_status by_length(void *context, const streams_value *value, char *buffer, size_t capacity) {
    (void)snprintf(buffer, capacity, "%s.%u", (const char *)context, value->size);
    return STREAMS_OK;
}

static void a_stream_is_sent_to_subjects(void **state) {
    (void)state;
    collector *c = collect(
        streams_nats_subject(connection, "sent.3", NULL, 1000, STREAMS_NATS_FAIL), STREAMS_UNLIMITED, 0);
    assert_ok(streams_nats_flush(connection, STREAMS_SECOND * 5));
    streams_nats_publish_options options = STREAMS_NATS_PUBLISH_OPTIONS_INIT;
    options.subject_of = by_length;
    options.context = strdup("sent");
    options.destroy = free;
    collector *sent = collect(streams_nats_send_all(numbers(0, 500), connection, &options), 1, 0);
    wait_until(sent->ended != 0);
    assert_int_equal(sent->ended, 1);
    assert_int_equal(sent->numbers[0], 500);
    wait_until(c->count == 400);
    for (int i = 0; i < 400; i++) assert_int_equal(c->numbers[i], 100 + i);
    collector_end(c);
    collector_end(sent);
}

static void what_cannot_be_sent_fails(void **state) {
    (void)state;
    streams_nats_publish_options options = STREAMS_NATS_PUBLISH_OPTIONS_INIT;
    options.subject = "sent";
    int64_t number = 7;
    collector *c =
        collect(streams_nats_send_all(streams_sequence_int64s(&number, 1), connection, &options), 1, 0);
    wait_until(c->ended == 2);
    assert_string_equal(c->message, "a value could not be published to sent: "
                                    "it is neither text nor bytes nor null nor a message");
    collector_end(c);
    char *bytes = calloc(1, 2000000);
    streams_value large = streams_bytes(bytes, 2000000);
    c = collect(streams_nats_send_all(streams_just(&large), connection, &options), 1, 0);
    wait_until(c->ended == 2);
    assert_int_equal(c->code, NATS_MAX_PAYLOAD);
    assert_non_null(strstr(c->message, "its 2000000 bytes are more than the server takes: 1048576"));
    collector_end(c);
    free(bytes);
    options.subject = "a b";
    assert_null(streams_nats_send_all(streams_empty(true), connection, &options));
    assert_int_equal(streams_last_status(), STREAMS_INVALID_ARGUMENT);
    streams_clear_last_error();
    assert_null(streams_nats_send_all(NULL, connection, &options));
    assert_int_equal(streams_last_status(), STREAMS_NULL_HANDLE);
}

static uint64_t answer(void *context, const streams_value *request) {
    (void)context;
    streams_value data;
    assert_ok(streams_nats_data(request, &data));
    assert_ok(streams_nats_reply(request, &data));
    assert_status(STREAMS_INVALID_VALUE, streams_nats_acknowledge(request));
    return 0;
}

static void requests_are_answered(void **state) {
    (void)state;
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.on_value = answer;
    streams_cancellable *responder =
        streams_sink(streams_nats_subject(connection, "echo", NULL, 100, STREAMS_NATS_FAIL), &subscriber);
    assert_ok(streams_nats_flush(connection, STREAMS_SECOND * 5));
    streams_value value = streams_text("42");
    for (int i = 0; i < 20; i++) {
        collector *c = collect(streams_nats_request(connection, "echo", &value, 20 * STREAMS_SECOND), 1, 0);
        wait_until(c->ended != 0);
        assert_int_equal(c->ended, 1);
        assert_int_equal(c->numbers[0], 42);
        collector_end(c);
    }
    (void)streams_release(responder);
}

static void requests_fail(void **state) {
    (void)state;
    streams_value value = streams_text("42");
    collector *c = collect(streams_nats_request(connection, "nobody", &value, 20 * STREAMS_SECOND), 1, 0);
    wait_until(c->ended == 2);
    assert_int_equal(c->code, NATS_NO_RESPONDERS);
    collector_end(c);
    collector *silent = collect(
        streams_nats_subject(connection, "silent", NULL, 100, STREAMS_NATS_FAIL), STREAMS_UNLIMITED, 0);
    assert_ok(streams_nats_flush(connection, STREAMS_SECOND * 5));
    c = collect(streams_nats_request(connection, "silent", &value, 50 * STREAMS_MILLISECOND), 1, 0);
    wait_until(c->ended == 2);
    assert_int_equal(c->code, NATS_TIMEOUT);
    assert_string_equal(c->message, "no answer from silent within 50 ms");
    collector_end(c);
    collector_end(silent);
}

/* ---- Keys --------------------------------------------------------------------------------------------- */

static void make_bucket(const char *name) {
    streams_nats_bucket_options options = STREAMS_NATS_BUCKET_OPTIONS_INIT;
    options.name = name;
    options.history = 5;
    assert_ok(streams_nats_bucket_create(connection, &options));
}

static void keys_are_read_and_set(void **state) {
    (void)state;
    make_bucket("b");
    streams_value value = streams_text("1"), out;
    uint64_t revision = 0, again = 0;
    assert_ok(streams_nats_key_get(connection, "b", "k", &out, NULL));
    assert_int_equal(out.kind, STREAMS_VALUE_NULL);
    assert_ok(streams_nats_key_put(connection, "b", "k", &value, &revision));
    assert_ok(streams_nats_key_get(connection, "b", "k", &out, &again));
    assert_int_equal(out.kind, STREAMS_VALUE_BYTES);
    assert_int_equal(out.as.bytes[0], '1');
    assert_true(revision == again);
    (void)streams_value_destroy(&out);
    assert_ok(streams_nats_key_put_at(connection, "b", "k", &value, revision, &again));
    assert_status(
        STREAMS_NATS_FAILED, streams_nats_key_put_at(connection, "b", "k", &value, revision, NULL));
    assert_int_equal(streams_nats_last_code(), 10071);
    assert_status(STREAMS_NATS_FAILED, streams_nats_key_put_at(connection, "b", "k", &value, 0, NULL));
    assert_ok(streams_nats_key_delete(connection, "b", "k", false));
    assert_ok(streams_nats_key_get(connection, "b", "k", &out, NULL));
    assert_int_equal(out.kind, STREAMS_VALUE_NULL);
    assert_ok(streams_nats_key_put_at(connection, "b", "k", &value, 0, NULL));
    assert_status(STREAMS_NATS_FAILED, streams_nats_key_get(connection, "none", "k", &out, NULL));
    assert_int_equal(streams_nats_last_code(), JSStreamNotFoundErr);
    assert_status(STREAMS_INVALID_ARGUMENT, streams_nats_key_get(connection, "b", "no key", &out, NULL));
    assert_ok(streams_nats_bucket_delete(connection, "b"));
}

static void put(const char *key, const char *text) {
    streams_value value = streams_text(text);
    assert_ok(streams_nats_key_put(connection, "w", key, &value, NULL));
}

static void keys_are_watched(void **state) {
    (void)state;
    make_bucket("w");
    collector *values = collect(streams_nats_key_values(connection, "w", "k"), STREAMS_UNLIMITED, 0);
    wait_until(values->count == 1);
    assert_int_equal(values->numbers[0], -2);
    put("k", "1");
    put("other", "9");
    collector *all = collect_as(streams_nats_watch(connection, "w", NULL),
        (behavior){ .demand = STREAMS_UNLIMITED, .keep = true });
    wait_until(all->count == 2);
    put("k", "2");
    assert_ok(streams_nats_key_delete(connection, "w", "k", false));
    wait_until(values->count == 4 && all->count == 4);
    assert_int_equal(values->numbers[1], 1);
    assert_int_equal(values->numbers[2], 2);
    assert_int_equal(values->numbers[3], -2);
    const char *key = NULL;
    streams_nats_operation operation = STREAMS_NATS_PUT;
    wait_until(all->kept[3].kind == STREAMS_VALUE_OBJECT);
    assert_ok(streams_nats_entry(&all->kept[3], &key, &operation));
    assert_string_equal(key, "k");
    assert_int_equal(operation, STREAMS_NATS_DELETE);
    collector *late = collect(streams_nats_key_values(connection, "w", "other"), STREAMS_UNLIMITED, 0);
    wait_until(late->count == 1);
    assert_int_equal(late->numbers[0], 9);
    collector *history = collect(streams_nats_key_history(connection, "w", "k"), STREAMS_UNLIMITED, 0);
    wait_until(history->ended == 1);
    assert_int_equal(history->count, 3);
    collector *none = collect(streams_nats_key_history(connection, "w", "none"), STREAMS_UNLIMITED, 0);
    wait_until(none->ended == 1);
    assert_int_equal(none->count, 0);
    collector_end(values);
    collector_end(all);
    collector_end(late);
    collector_end(history);
    collector_end(none);
}

static void a_key_is_a_binding(void **state) {
    (void)state;
    make_bucket("bound");
    streams_value out, value = streams_text("5"), none = streams_null();
    streams_binding *binding = streams_nats_key_binding(connection, "bound", "k");
    assert_non_null(binding);
    assert_ok(streams_binding_get_value(binding, &out));
    assert_int_equal(out.kind, STREAMS_VALUE_NULL);
    collector *c = collect(streams_binding_values(binding), STREAMS_UNLIMITED, 0);
    wait_until(c->count > 0);
    assert_ok(streams_binding_set_value(binding, &value));
    assert_ok(streams_binding_get_value(binding, &out));
    assert_int_equal(out.as.bytes[0], '5');
    (void)streams_value_destroy(&out);
    wait_until(c->numbers[c->count - 1] == 5);
    /* Another one sets it. */
    streams_value other = streams_text("6");
    assert_ok(streams_nats_key_put(connection, "bound", "k", &other, NULL));
    wait_until(c->numbers[c->count - 1] == 6);
    assert_ok(streams_binding_set_value(binding, &none));
    wait_until(c->numbers[c->count - 1] == -2);
    value = streams_int(1);
    assert_int_equal(streams_binding_set_value(binding, &value), STREAMS_CALLBACK_FAILED);
    streams_error *error = streams_last_error();
    assert_string_equal(streams_error_message(error), "the value is neither text nor bytes nor null");
    (void)streams_release(error);
    collector_end(c);
    (void)streams_release(binding);
    assert_null(streams_nats_key_binding(connection, "bound", "no key"));
    assert_int_equal(streams_last_status(), STREAMS_INVALID_ARGUMENT);
    assert_null(streams_nats_key_binding(NULL, "bound", "k"));
    assert_int_equal(streams_last_status(), STREAMS_NULL_HANDLE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_subject_publishes_what_is_sent, begin),
        cmocka_unit_test(what_is_beyond_the_limit_is_dropped_and_counted),
        cmocka_unit_test(a_queue_group_shares),
        cmocka_unit_test(a_stream_is_sent_to_subjects),
        cmocka_unit_test(what_cannot_be_sent_fails),
        cmocka_unit_test(requests_are_answered),
        cmocka_unit_test(requests_fail),
        cmocka_unit_test(keys_are_read_and_set),
        cmocka_unit_test(keys_are_watched),
        cmocka_unit_test_teardown(a_key_is_a_binding, end_sharing),
    };
    return run_nats_tests(tests, sizeof tests / sizeof tests[0]);
}
