/* What is particular to C of the operators that Combine does not have. */

#include "support.h"

static streams_publisher *of(const streams_value *values, size_t count) {
    return streams_sequence(values, count);
}

/* ---- distinct and sum: by the kinds of values ------------------------------------------------------ */

static void distinct_values_differ_in_kind_or_content(void **state) {
    (void)state;
    streams_value items[] = { streams_int(1), streams_double(1) };
    const streams_value values[] = { streams_int(1), streams_double(1), streams_bool(true), streams_int(1),
        streams_double(0), streams_double(-0.0), streams_text("a"), streams_bytes("a", 1),
        streams_text("a"), streams_list(items, 1), streams_list(items, 2), streams_list(items + 1, 1),
        streams_list(items, 1), streams_null(), streams_null() };
    assert_stream(streams_distinct(of(values, sizeof values / sizeof *values)),
        "subscribed 1 1.0 true 0.0 a 1 bytes [1] [1, 1.0] [1.0] null finished destroyed");
}

static streams_status length_of(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    if (in->size == 0) return streams_callback_fail_with(3, "test", "empty");
    *out = streams_int(in->size);
    return STREAMS_OK;
}

static void distinct_keys_are_owned(void **state) {
    (void)state;
    counter c = { 0 };
    const streams_value values[] = { streams_text("a"), streams_text("bc"), streams_text("d"),
        streams_text("") };
    assert_stream(streams_distinct_by(of(values, 4), length_of, &c, counter_destroy),
        "subscribed a bc failed(empty) destroyed");
    assert_int_equal(c.destroyed, 1);
}

static void a_sum_is_of_numbers(void **state) {
    (void)state;
    const streams_value integers[] = { streams_int(INT64_MAX), streams_int(-1), streams_int(1) };
    assert_stream(streams_sum(of(integers, 3)), "subscribed 9223372036854775807 finished destroyed");
    const streams_value mixed[] = { streams_int(1), streams_double(0.5), streams_int(2) };
    assert_stream(streams_sum(of(mixed, 3)), "subscribed 3.5 finished destroyed");
    const streams_value large[] = { streams_int(INT64_MAX), streams_int(1) };
    assert_fails_inside(streams_sum(of(large, 2)), STREAMS_OUT_OF_RANGE);
    const streams_value none[] = { streams_int(1), streams_null() };
    assert_fails_inside(streams_sum(of(none, 2)), STREAMS_INVALID_VALUE);
}

/* ---- repeat ------------------------------------------------------------------------------------------ */

static void a_long_repetition_does_not_recurse(void **state) {
    (void)state;
    recorder r = { .more = 1 };
    recorder_subscribe(&r, streams_repeat(ints(1), 100000), 1);
    recorder_end(&r);
    assert_int_equal(r.values, 100000);
    assert_stream(streams_repeat(streams_empty(true), 100000), "subscribed finished destroyed");
}

/* ---- Events ------------------------------------------------------------------------------------------ */

static void an_event_is_made_of_a_value_or_an_error_or_nothing(void **state) {
    (void)state;
    streams_value one = streams_int(1), out;
    streams_error *error = streams_error_create(7, "test", "bad", &one);
    assert_ok(streams_event(&one, NULL, &out));
    assert_described(&out, "[\"value\", 1]");
    assert_ok(streams_value_destroy(&out));
    assert_status(STREAMS_INVALID_ARGUMENT, streams_event(&out, NULL, &out));
    assert_described(&out, "null");
    assert_ok(streams_event(NULL, error, &out));
    assert_described(&out, "[\"failed\", \"bad\", \"test\", 7, 1]");
    assert_stream(streams_dematerialize(of(&out, 1)), "subscribed failed(bad) destroyed");
    assert_ok(streams_value_destroy(&out));
    assert_ok(streams_event(NULL, NULL, &out));
    assert_described(&out, "[\"finished\"]");
    assert_ok(streams_value_destroy(&out));
    assert_ok(streams_release(error));
    assert_status(STREAMS_STALE_HANDLE, streams_event(NULL, error, &out));
    assert_int_equal(out.kind, STREAMS_VALUE_NULL);
}

static void keep_error(recorder *self, const streams_error *error) {
    assert_ok(streams_retain(error));
    self->extra = (void *)(uintptr_t)error;
}

static void an_error_comes_back_with_all_that_it_has(void **state) {
    (void)state;
    streams_value object = streams_text("object");
    streams_error *error = streams_error_create(7, "test", "bad", &object);
    recorder r = { .on_completion = keep_error };
    recorder_subscribe(
        &r, streams_dematerialize(streams_materialize(streams_fail(error))), STREAMS_UNLIMITED);
    recorder_end(&r);
    assert_int_equal(streams_error_code(r.extra), 7);
    assert_string_equal(streams_error_domain(r.extra), "test");
    assert_true(equal(streams_error_object(r.extra), &object));
    assert_ok(streams_release(r.extra));
    assert_ok(streams_release(error));
}

static void what_is_no_event_fails_the_stream(void **state) {
    (void)state;
    streams_value said[] = { streams_text("failed"), streams_int(1), streams_int(1), streams_int(1) };
    streams_value other[] = { streams_text("x"), streams_int(1) };
    streams_value code[] = { streams_text("failed"), streams_text("bad"), streams_text(""),
        streams_null() };
    const streams_value bad[] = { streams_null(), streams_list(NULL, 0), streams_list(said, 1),
        streams_list(said, 2), streams_list(other, 1), streams_list(other, 2), streams_list(code, 4),
        streams_text("finished") };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails_inside(streams_dematerialize(of(&bad[i], 1)), STREAMS_INVALID_VALUE);
    streams_value least = streams_list(code, 2);
    assert_stream(streams_dematerialize(of(&least, 1)), "subscribed failed(bad) destroyed");
}

/* A list in a list in a list, as deep as lists may be nested: an event of it is nested deeper. */
static void an_event_of_what_is_nested_too_deep_fails(void **state) {
    (void)state;
    streams_value deep = streams_null(), out;
    for (int i = 0; i < 64; i++) {
        assert_ok(streams_value_list(&deep, 1, &out));
        assert_ok(streams_value_destroy(&deep));
        deep = out;
    }
    assert_status(STREAMS_LIMIT, streams_event(&deep, NULL, &out));
    assert_fails_inside(streams_materialize(streams_just(&deep)), STREAMS_LIMIT);
    assert_fails_inside(streams_pairwise(streams_repeat(streams_just(&deep), 2)), STREAMS_LIMIT);
    assert_ok(streams_value_destroy(&deep));
}

/* ---- Functions of several values ---------------------------------------------------------------------- */

static streams_status last_of(void *context, const streams_value *values, size_t count, streams_value *out) {
    ((counter *)context)->calls++;
    return streams_value_copy(&values[count - 1], out);
}

static void a_function_sees_the_values_in_a_row(void **state) {
    (void)state;
    enum { MANY = 100 };
    streams_publisher *all[MANY];
    counter c = { 0 };
    for (int i = 0; i < MANY; i++) all[i] = ints(i == MANY - 1 ? 2 : 3);
    assert_stream(
        streams_zip_with(all, MANY, last_of, &c, counter_destroy), "subscribed 1 2 finished destroyed");
    assert_int_equal(c.calls, 2);
    assert_int_equal(c.destroyed, 1);
    assert_stream(streams_combine_latest_with(NULL, 0, last_of, &c, counter_destroy),
        "subscribed finished destroyed");
    assert_int_equal(c.destroyed, 2);
    assert_refused(
        STREAMS_NULL_ARGUMENT, "streams_zip_with", streams_zip_with(NULL, 0, NULL, &c, counter_destroy));
    assert_int_equal(c.destroyed, 3);
}

/* An object whose release sends another, while a batch is replacing what pairwise keeps. */
static streams_subject *busy;
static int sends_left, is_releasing, is_showing;

static void send_another(void);

static void release_and_send(void *object) {
    (void)object;
    if (is_releasing || sends_left-- <= 0) return;
    is_releasing = 1;
    send_another();
    is_releasing = 0;
}

static const streams_object_type spiteful = { .size = sizeof spiteful, .release = release_and_send };

static void send_another(void) {
    streams_value value;
    assert_ok(streams_value_object(&spiteful, NULL, &value));
    assert_ok(streams_subject_send(busy, &value));
    assert_ok(streams_value_destroy(&value));
}

static uint64_t show_and_send(void *context, const streams_value *value) {
    (void)context, (void)value;
    if (is_showing || sends_left-- <= 0) return 0;
    is_showing = 1;
    send_another();
    is_showing = 0;
    return 0;
}

static void what_a_batch_replaces_may_send(void **state) {
    (void)state;
    const int64_t zeros[40] = { 0 };
    sends_left = 300;
    busy = streams_passthrough_subject_create();
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.on_value = show_and_send;
    streams_publisher *pairs = streams_pairwise(streams_subject_publisher(busy));
    streams_cancellable *cancellable = streams_sink(pairs, &subscriber);
    for (int i = 0; i < 10; i++) assert_ok(streams_subject_send_int64s(busy, zeros, 40));
    assert_true(sends_left <= 0);
    assert_ok(streams_release(cancellable));
    assert_ok(streams_release(busy));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(distinct_values_differ_in_kind_or_content),
        test(distinct_keys_are_owned),
        test(a_sum_is_of_numbers),
        test(a_long_repetition_does_not_recurse),
        test(an_event_is_made_of_a_value_or_an_error_or_nothing),
        test(an_error_comes_back_with_all_that_it_has),
        test(what_is_no_event_fails_the_stream),
        test(an_event_of_what_is_nested_too_deep_fails),
        test(a_function_sees_the_values_in_a_row),
        test(what_a_batch_replaces_may_send),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
