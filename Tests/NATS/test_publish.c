/* Publishing to JetStream, and what messages say. */

#include "server.h"

#include <nats/nats.h>

static int begin(void **state) {
    (void)state;
    begin_sharing();
    make_stream(connection, "P", "p.>");
    return 0;
}

static int forget_messages(void **state) {
    (void)state;
    return streams_nats_stream_purge(connection, "P") != STREAMS_OK;
}

static streams_nats_publish_options to_subject(const char *subject) {
    streams_nats_publish_options options = STREAMS_NATS_PUBLISH_OPTIONS_INIT;
    options.subject = subject;
    return options;
}

static collector *read_all(int count) {
    streams_nats_consume_options options = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    options.stream = "P";
    collector *c = collect_as(streams_nats_consume(connection, &options),
        (behavior){ .demand = STREAMS_UNLIMITED, .keep = true });
    wait_until(c->count >= count);
    return c;
}

static void count_confirmation(void *context, uint64_t index, uint64_t sequence, bool duplicate) {
    (void)duplicate;
    atomic_int *next = context;
    if (index == (uint64_t)*next && sequence > 0) ++*next;
}

static void publishes_all_in_order(void **state) {
    (void)state;
    atomic_int confirmed = 0;
    streams_nats_publish_options options = to_subject("p.a");
    options.window = 50;
    options.on_confirmed = count_confirmation;
    options.context = &confirmed;
    collector *c = collect(streams_nats_publish_all(numbers(0, 3000), connection, &options), 1, 0);
    wait_until(c->ended == 1);
    assert_int_equal(c->numbers[0], 3000);
    assert_int_equal(confirmed, 3000);
    collector_end(c);
    c = read_all(3000);
    for (int i = 0; i < 3000; i++) assert_int_equal(c->numbers[i], i);
    collector_end(c);
}

/* 1: it is being told; 2: it may return. */
static void wait_inside(void *context, uint64_t index, uint64_t sequence, bool duplicate) {
    atomic_int *step = context;
    (void)index, (void)sequence, (void)duplicate;
    *step = 1;
    wait_until(*step == 2);
}

/* Also if the publisher ends on another thread while the last confirmation is told. */
static void the_result_comes_after_the_last_confirmation(void **state) {
    (void)state;
    atomic_int step = 0;
    streams_nats_publish_options options = to_subject("p.a");
    options.on_confirmed = wait_inside;
    options.context = &step;
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *p = streams_subject_publisher(subject);
    collector *c = collect(streams_nats_publish_all(p, connection, &options), 1, 0);
    streams_value value = streams_text("1");
    assert_int_equal(streams_subject_send(subject, &value), STREAMS_OK);
    wait_until(step == 1);
    assert_int_equal(streams_subject_send_completion(subject, NULL), STREAMS_OK);
    int early = c->ended;
    step = 2;
    wait_until(c->ended == 1);
    assert_int_equal(early, 0);
    assert_int_equal(c->numbers[0], 1);
    collector_end(c);
    (void)streams_release(subject);
}

static streams_status subject_by_number(
    void *context, const streams_value *value, char *buffer, size_t capacity) {
    (void)context;
    (void)snprintf(buffer, capacity, "p.%.*s", (int)value->size, value->as.text);
    return STREAMS_OK;
}

static streams_status same_id(void *context, const streams_value *value, char *buffer, size_t capacity) {
    (void)context;
    (void)value;
    (void)snprintf(buffer, capacity, "the same");
    return STREAMS_OK;
}

static void asks_for_subjects_and_ids(void **state) {
    (void)state;
    streams_nats_publish_options options = to_subject(NULL);
    options.subject_of = subject_by_number;
    collector *c = collect(streams_nats_publish_all(numbers(0, 3), connection, &options), 1, 0);
    wait_until(c->ended == 1);
    collector_end(c);
    c = read_all(3);
    const char *subject = "";
    assert_ok(streams_nats_subject_of(&c->kept[2], &subject));
    assert_string_equal(subject, "p.2");
    collector_end(c);
    options.id_of = same_id;
    c = collect(streams_nats_publish_all(numbers(0, 5), connection, &options), 1, 0);
    wait_until(c->ended == 1);
    assert_int_equal(c->numbers[0], 5);
    collector_end(c);
    streams_nats_stream_info info = STREAMS_NATS_STREAM_INFO_INIT;
    assert_ok(streams_nats_stream_get_info(connection, "P", &info));
    assert_int_equal(info.messages, 4);
    assert_int_equal(info.subjects, 3);
}

static void says_which_value_failed(void **state) {
    (void)state;
    streams_value values[3] = { streams_text("0"), streams_int(7), streams_text("2") };
    streams_nats_publish_options options = to_subject("p.a");
    collector *c =
        collect(streams_nats_publish_all(streams_sequence(values, 3), connection, &options), 1, 0);
    wait_until(c->ended == 2);
    assert_non_null(strstr(c->message, "value 1 could not be published to p.a"));
    collector_end(c);
    /* No stream takes it. */
    options = to_subject("nowhere");
    options.retries = -1;
    c = collect(streams_nats_publish_all(numbers(0, 1), connection, &options), 1, 0);
    wait_until(c->ended == 2);
    assert_int_equal(c->code, NATS_NO_RESPONDERS);
    assert_non_null(strstr(c->message, "value 0 could not be published to nowhere: no stream"));
    collector_end(c);
    /* Too large for the server. */
    size_t size = 2 * 1024 * 1024;
    char *large = calloc(1, size);
    streams_value value = streams_bytes(large, size);
    assert_status(STREAMS_NATS_FAILED, streams_nats_publish(connection, "p.a", &value));
    assert_int_equal(streams_nats_last_code(), NATS_MAX_PAYLOAD);
    assert_non_null(strstr(streams_last_message(), "1048576"));
    options = to_subject("p.a");
    c = collect(streams_nats_publish_all(streams_just(&value), connection, &options), 1, 0);
    wait_until(c->ended == 2);
    assert_int_equal(c->code, NATS_MAX_PAYLOAD);
    collector_end(c);
    free(large);
}

static void a_full_stream_refuses(void **state) {
    (void)state;
    const char *subject = "full";
    streams_nats_stream_options stream = STREAMS_NATS_STREAM_OPTIONS_INIT;
    stream.name = "FULL";
    stream.subjects = &subject;
    stream.subject_count = 1;
    stream.max_messages = 2;
    stream.discard_new = true;
    assert_ok(streams_nats_stream_create(connection, &stream));
    assert_ok(streams_nats_stream_create(connection, &stream));
    streams_nats_publish_options options = to_subject("full");
    options.window = 1;
    collector *c = collect(streams_nats_publish_all(numbers(0, 5), connection, &options), 1, 0);
    wait_until(c->ended == 2);
    assert_int_equal(c->code, JSStreamStoreFailedErr);
    assert_non_null(
        strstr(c->message, "value 2 could not be published to full: maximum messages exceeded"));
    collector_end(c);
    assert_ok(streams_nats_stream_delete(connection, "FULL"));
    assert_status(STREAMS_NATS_FAILED, streams_nats_stream_delete(connection, "FULL"));
    assert_int_equal(streams_nats_last_code(), JSStreamNotFoundErr);
}

static void one_value_gets_its_sequence(void **state) {
    (void)state;
    streams_value value = streams_text("x");
    streams_nats_stream_info info = STREAMS_NATS_STREAM_INFO_INIT;
    collector *c = collect(streams_nats_publish_confirmed(connection, "p.one", &value), 1, 0);
    wait_until(c->ended == 1);
    assert_ok(streams_nats_stream_get_info(connection, "P", &info));
    assert_int_equal(c->numbers[0], info.last_sequence);
    collector_end(c);
}

static void headers_and_ids_travel(void **state) {
    (void)state;
    const char *const headers[] = { "Color", "red", "Color", "blue" };
    streams_value payload = streams_text("1"), message, list, data;
    assert_ok(streams_nats_message(&payload, headers, 2, "id-1", &message));
    streams_nats_publish_options options = to_subject("p.h");
    streams_value twice[2] = { message, message };
    collector *c =
        collect(streams_nats_publish_all(streams_sequence(twice, 2), connection, &options), 1, 0);
    wait_until(c->ended == 1);
    collector_end(c);
    c = read_all(1);
    const char *text = NULL;
    assert_ok(streams_nats_header(&c->kept[0], "Color", &text));
    assert_string_equal(text, "red");
    assert_ok(streams_nats_header(&c->kept[0], "Nats-Msg-Id", &text));
    assert_string_equal(text, "id-1");
    assert_ok(streams_nats_header(&c->kept[0], "None", &text));
    assert_null(text);
    assert_ok(streams_nats_headers(&c->kept[0], &list));
    assert_int_equal(list.size, 3);
    (void)streams_value_destroy(&list);
    assert_ok(streams_nats_data(&c->kept[0], &data));
    assert_int_equal(data.size, 1);
    collector_end(c);
    streams_nats_stream_info info = STREAMS_NATS_STREAM_INFO_INIT;
    assert_ok(streams_nats_stream_get_info(connection, "P", &info));
    assert_int_equal(info.messages, 1);
    (void)streams_value_destroy(&message);
}

static void maps_payloads(void **state) {
    (void)state;
    publish_numbers(connection, "p.a", 5, 1);
    streams_nats_consume_options options = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    options.stream = "P";
    collector *c = collect_as(streams_nats_map_text(streams_nats_consume(connection, &options)),
        (behavior){ .demand = 1, .keep = true });
    wait_until(c->count == 1);
    assert_int_equal(c->kept[0].kind, STREAMS_VALUE_STRING);
    collector_end(c);
}

static void wrong_values_are_refused(void **state) {
    (void)state;
    static const streams_object_type other = STREAMS_OBJECT_TYPE_INIT;
    streams_value object, out, wrong[3] = { streams_int(1), streams_text("x"), streams_null() };
    const char *text = NULL;
    assert_int_equal(streams_value_object(&other, &out, &object), STREAMS_OK);
    wrong[2] = object;
    for (int i = 0; i < 3; i++) {
        assert_status(STREAMS_WRONG_KIND, streams_nats_data(&wrong[i], &out));
        assert_status(STREAMS_WRONG_KIND, streams_nats_acknowledge(&wrong[i]));
        assert_status(STREAMS_WRONG_KIND, streams_nats_subject_of(&wrong[i], &text));
        assert_status(STREAMS_WRONG_KIND, streams_nats_headers(&wrong[i], &out));
        assert_status(STREAMS_WRONG_KIND, streams_nats_reply(&wrong[i], &wrong[1]));
    }
    assert_status(STREAMS_NULL_ARGUMENT, streams_nats_data(NULL, &out));
    assert_status(STREAMS_NULL_ARGUMENT, streams_nats_data(&object, NULL));
    assert_status(STREAMS_INVALID_VALUE, streams_nats_publish(connection, "p.a", &object));
    assert_status(STREAMS_INVALID_ARGUMENT, streams_nats_publish(connection, "p.*", &wrong[1]));
    assert_status(STREAMS_NULL_ARGUMENT, streams_nats_publish(connection, NULL, &wrong[1]));
    assert_null(streams_nats_publish_all(NULL, connection, NULL));
    streams_nats_publish_options options = STREAMS_NATS_PUBLISH_OPTIONS_INIT;
    assert_null(streams_nats_publish_all(numbers(0, 1), connection, &options));
    assert_int_equal(streams_last_status(), STREAMS_NULL_ARGUMENT);
    (void)streams_value_destroy(&object);
}

#define test(name) cmocka_unit_test_setup(name, forget_messages)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(publishes_all_in_order, begin),
        test(the_result_comes_after_the_last_confirmation),
        test(asks_for_subjects_and_ids),
        test(says_which_value_failed),
        test(a_full_stream_refuses),
        test(one_value_gets_its_sequence),
        test(headers_and_ids_travel),
        test(maps_payloads),
        cmocka_unit_test_setup_teardown(wrong_values_are_refused, forget_messages, end_sharing),
    };
    return run_nats_tests(tests, sizeof tests / sizeof tests[0]);
}
