/* Messages for other languages: taken apart, kept, made with a subject, and the threads that they come on. */

#include "server.h"

/* The first call of all. */
static void messages_need_no_connection(void **state) {
    (void)state;
    streams_value payload = streams_text("x"), made;
    assert_ok(streams_nats_message(&payload, NULL, 0, NULL, &made));
    assert_int_equal(streams_value_destroy(&made), STREAMS_OK);
}

static int begin(void **state) {
    (void)state;
    begin_sharing();
    make_stream(connection, "R", "r.>");
    publish_numbers(connection, "r.a", 0, 3);
    return 0;
}

static streams_publisher *messages(void) {
    streams_nats_consume_options options = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    options.stream = "R";
    return streams_nats_consume(connection, &options);
}

typedef struct keeper {
    streams_value *kept[8];
    size_t count, destroyed;
} keeper;

/* "r.a=0" of the subject and the payload. */
static streams_status join(void *context, const streams_value *parts, size_t count, streams_value *out) {
    keeper *self = context;
    if (count != 3 || parts[0].kind != STREAMS_VALUE_INT64) return STREAMS_INVALID_VALUE;
    self->kept[self->count++] = streams_nats_keep((const streams_value *)(intptr_t)parts[0].as.integer);
    char text[64];
    int length = snprintf(text, sizeof text, "%.*s=%.*s", (int)parts[2].size, parts[2].as.text,
        (int)parts[1].size, parts[1].as.text);
    return streams_value_string(text, (size_t)length, out);
}

static void destroyed(void *context) { ((keeper *)context)->destroyed++; }

static void messages_are_taken_apart_and_kept(void **state) {
    (void)state;
    keeper self = { .count = 0 };
    collector *c = collect_as(streams_nats_map_parts(messages(), join, &self, destroyed),
        (behavior){ .demand = STREAMS_UNLIMITED, .keep = true });
    wait_until(c->count == 3);
    assert_memory_equal(c->kept[2].as.text, "r.a=2", 5);
    collector_end(c);
    wait_until(self.destroyed == 1);
    /* What was kept outlives its stream. */
    for (int i = 0; i < 3; i++) {
        streams_value data;
        assert_ok(streams_nats_data(self.kept[i], &data));
        assert_int_equal(data.size, 1);
        assert_int_equal(data.as.text[0], '0' + i);
        assert_ok(streams_nats_free(self.kept[i]));
    }
}

static void what_is_no_message_is_refused(void **state) {
    (void)state;
    keeper self = { .count = 0 };
    streams_value values[] = { streams_null(), streams_int(7) };
    collector *c = collect(streams_nats_map_parts(streams_sequence(values, 2), join, &self, destroyed),
        STREAMS_UNLIMITED, 0);
    wait_until(c->ended == 2);
    assert_int_equal(c->count, 1);
    assert_non_null(strstr(c->message, "not a message of NATS"));
    collector_end(c);
    assert_null(streams_nats_keep(&values[1]));
    assert_int_equal(streams_last_status(), STREAMS_WRONG_KIND);
    assert_null(streams_nats_keep(NULL));
    assert_ok(streams_nats_free(NULL));
    /* The context is destroyed in any case. */
    assert_null(streams_nats_map_parts(NULL, join, &self, destroyed));
    assert_null(streams_nats_map_parts(streams_just(&values[1]), NULL, &self, destroyed));
    assert_int_equal(self.destroyed, 3);
}

static void messages_may_have_subjects(void **state) {
    (void)state;
    streams_value payload = streams_text("x"), made;
    char text[512];
    assert_status(
        STREAMS_INVALID_ARGUMENT, streams_nats_message_to("a b", &payload, NULL, 0, NULL, &made));
    assert_status(STREAMS_NULL_ARGUMENT, streams_nats_message_to(NULL, &payload, NULL, 0, NULL, &made));
    assert_ok(streams_nats_message(&payload, NULL, 0, NULL, &made));
    assert_status(STREAMS_INVALID_VALUE, streams_nats_own_subject(NULL, &made, text, sizeof text));
    assert_status(STREAMS_WRONG_KIND, streams_nats_own_subject(NULL, &payload, text, sizeof text));
    (void)streams_value_destroy(&made);
    assert_ok(streams_nats_message_to("r.own", &payload, NULL, 0, "one", &made));
    assert_status(STREAMS_INVALID_VALUE, streams_nats_own_subject(NULL, &made, text, 5));
    streams_nats_publish_options options = STREAMS_NATS_PUBLISH_OPTIONS_INIT;
    options.subject_of = streams_nats_own_subject;
    streams_value twice[] = { made, made };
    collector *c =
        collect(streams_nats_publish_all(streams_sequence(twice, 2), connection, &options), 1, 0);
    wait_until(c->ended == 1);
    collector_end(c);
    (void)streams_value_destroy(&made);
    streams_nats_stream_info info = STREAMS_NATS_STREAM_INFO_INIT;
    assert_ok(streams_nats_stream_get_info(connection, "R", &info));
    assert_int_equal(info.messages, 4);
    assert_int_equal(info.subjects, 2);
}

static atomic_int introduced;
static _Thread_local int met;

static void meet(void *context) {
    (void)context;
    met++;
    introduced++;
}

static streams_status has_met(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    (void)in;
    *out = streams_int(met);
    return STREAMS_OK;
}

static void threads_are_introduced_once(void **state) {
    (void)state;
    streams_nats_on_threads(meet, NULL);
    for (int round = 0; round < 2; round++) {
        collector *c = collect(streams_map(messages(), has_met, NULL, NULL), STREAMS_UNLIMITED, 0);
        wait_until(c->count == 4);
        for (int i = 0; i < 4; i++) assert_int_equal(c->numbers[i], 1);
        collector_end(c);
    }
    assert_true(introduced >= 1);
    streams_nats_on_threads(NULL, NULL);
    int before = introduced;
    collector *c = collect(messages(), STREAMS_UNLIMITED, 0);
    wait_until(c->count == 4);
    collector_end(c);
    assert_int_equal(introduced, before);
}

static void callables_are_checked(void **state) {
    (void)state;
    streams_value in = streams_null(), out = streams_int(1);
    assert_status(STREAMS_NULL_HANDLE, streams_nats_callable_message(NULL, &in, &out));
    assert_int_equal(out.kind, STREAMS_VALUE_NULL);
    assert_status(STREAMS_NULL_ARGUMENT, streams_nats_callable_message(NULL, NULL, &out));
    assert_status(STREAMS_NULL_ARGUMENT, streams_nats_callable_message(NULL, &in, NULL));
    streams_clear_last_error();
    streams_nats_callable_confirmed(NULL, 0, 1, false);
    assert_int_equal(streams_last_status(), STREAMS_NULL_HANDLE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_need_no_connection),
        cmocka_unit_test_setup(messages_are_taken_apart_and_kept, begin),
        cmocka_unit_test(what_is_no_message_is_refused),
        cmocka_unit_test(messages_may_have_subjects),
        cmocka_unit_test(threads_are_introduced_once),
        cmocka_unit_test_teardown(callables_are_checked, end_sharing),
    };
    return run_nats_tests(tests, sizeof tests / sizeof tests[0]);
}
