/* scan and functions that combine: numbers, texts and both in turn, and what calls back meanwhile. */

#include "support.h"

/* The last result as text, with the value behind it; a number if both are numbers. */
static streams_status join(
    void *context, const streams_value *last, const streams_value *value, streams_value *out) {
    (void)context;
    char text[64];
    int size = 0;
    if (last->kind == STREAMS_VALUE_INT64 && value->kind == STREAMS_VALUE_INT64) {
        *out = streams_int(last->as.integer + value->as.integer);
        return STREAMS_OK;
    }
    const streams_value *both[] = { last, value };
    for (int i = 0; i < 2; i++) {
        size_t room = sizeof text - (size_t)size;
        if (both[i]->kind == STREAMS_VALUE_STRING) {
            size += snprintf(text + size, room, "%.*s", (int)both[i]->size, both[i]->as.text);
        } else {
            size += snprintf(text + size, room, "%d", (int)both[i]->as.integer);
        }
    }
    streams_value borrowed = streams_text_n(text, (uint32_t)size);
    return streams_value_copy(&borrowed, out);
}

static void scan_goes_from_numbers_to_texts_and_back(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    const streams_value zero = streams_int(0);
    recorder r = { 0 };
    recorder_subscribe(
        &r, streams_scan(streams_subject_publisher(subject), &zero, join, NULL, NULL), STREAMS_UNLIMITED);
    const streams_value values[] = { streams_int(1), streams_int(2), streams_text("a"), streams_int(4) };
    for (size_t i = 0; i < 4; i++) assert_ok(streams_subject_send(subject, &values[i]));
    assert_log(&r.log, "subscribed 1 3 3a 3a4");
    assert_ok(streams_subject_send_values(subject, values, 4));
    assert_log(&r.log, "3a41 3a412 3a412a 3a412a4");
    recorder_end(&r);
    assert_ok(streams_release(subject));
}

/* Makes a text or a number of a number, in turn. */
static streams_status alternate(
    void *context, const streams_value *last, const streams_value *value, streams_value *out) {
    (void)context;
    streams_value text = streams_text(last->kind == STREAMS_VALUE_STRING ? "twice" : "once");
    *out = streams_int(value->as.integer);
    return value->as.integer % 2 == 0 ? STREAMS_OK : streams_value_copy(&text, out);
}

static void scan_releases_what_a_number_replaces(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    const streams_value first = streams_text("first");
    recorder r = { 0 };
    recorder_subscribe(
        &r, streams_scan(streams_subject_publisher(subject), &first, alternate, NULL, NULL),
        STREAMS_UNLIMITED);
    for (int64_t value = 1; value <= 6; value++) assert_ok(send_int(subject, value + value / 4));
    assert_log(&r.log, "subscribed twice 2 once twice 6 once");
    recorder_end(&r);
    assert_ok(streams_release(subject));
}

/* Sends a text while the number 1 is accumulated, so that the last result is replaced meanwhile. */
static streams_status join_and_send(
    void *context, const streams_value *last, const streams_value *value, streams_value *out) {
    if (value->kind == STREAMS_VALUE_INT64 && value->as.integer == 1) {
        const streams_value text = streams_text("x");
        assert_ok(streams_subject_send(context, &text));
        assert_int_equal(last->kind, STREAMS_VALUE_INT64);
    }
    return join(NULL, last, value, out);
}

static void scan_keeps_the_result_that_was_made_last(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    const streams_value zero = streams_int(5);
    recorder r = { 0 };
    recorder_subscribe(
        &r, streams_scan(streams_subject_publisher(subject), &zero, join_and_send, subject, NULL),
        STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 1));
    assert_ok(send_int(subject, 2));
    assert_log(&r.log, "subscribed 5x 6 8");
    recorder_end(&r);
    assert_ok(streams_release(subject));
}

/* The values one after the other as text, or their sum if all are numbers; fails for a sum of 13. */
static streams_status join_row(
    void *context, const streams_value *values, size_t count, streams_value *out) {
    streams_value sum = streams_int(0);
    for (size_t i = 0; i < count; i++) {
        streams_value next;
        assert_ok(join(NULL, &sum, &values[i], &next));
        assert_ok(streams_value_destroy(&sum));
        sum = next;
    }
    *out = sum;
    if (sum.kind != STREAMS_VALUE_INT64) return STREAMS_OK;
    if (context != NULL && sum.as.integer == 12) streams_callback_fail_with(1, "test", "forgotten");
    return sum.as.integer == 13 ? STREAMS_INVALID_ARGUMENT : STREAMS_OK;
}

enum { MANY = 12 };

static void combine(size_t count, const char *first, const char *text, const char *again) {
    streams_subject *subjects[MANY];
    streams_publisher *publishers[MANY] = { 0 };
    recorder r = { 0 };
    for (size_t i = 0; i < count; i++) {
        subjects[i] = streams_passthrough_subject_create();
        publishers[i] = streams_subject_publisher(subjects[i]);
    }
    recorder_subscribe(
        &r, streams_combine_latest_with(publishers, count, join_row, &r, NULL), STREAMS_UNLIMITED);
    for (size_t i = 0; i < count; i++) assert_ok(send_int(subjects[i], 1));
    assert_log(&r.log, first);
    const streams_value a = streams_text("a");
    assert_ok(streams_subject_send(subjects[1], &a));
    assert_log(&r.log, text);
    assert_ok(send_int(subjects[1], 2));
    assert_log(&r.log, again);
    assert_ok(send_int(subjects[1], 13 - (int64_t)count));
    assert_log(&r.log, "12");
    assert_ok(send_int(subjects[1], 14 - (int64_t)count));
    assert_log(&r.log,
        "failed(a callback returned STREAMS_INVALID_ARGUMENT (8), and no error is named) destroyed");
    recorder_end(&r);
    for (size_t i = 0; i < count; i++) assert_ok(streams_release(subjects[i]));
}

static void few_and_many_are_combined(void **state) {
    (void)state;
    combine(2, "subscribed 2", "1a", "3");
    combine(8, "subscribed 8", "1a111111", "9");
    combine(9, "subscribed 9", "1a1111111", "10");
}

static streams_status cancel_and_add(
    void *context, const streams_value *values, size_t count, streams_value *out) {
    assert_int_equal(count, 2);
    *out = streams_int(values[0].as.integer + values[1].as.integer);
    streams_cancellable **cancellable = context;
    if (out->as.integer == 5) assert_ok(streams_release(*cancellable));
    return STREAMS_OK;
}

static uint64_t add(void *context, const streams_value *value) {
    *(int64_t *)context += value->as.integer;
    return 0;
}

static void what_is_made_while_the_stream_is_cancelled_is_not_sent(void **state) {
    (void)state;
    streams_subject *a = streams_passthrough_subject_create();
    streams_subject *b = streams_passthrough_subject_create();
    streams_publisher *both[] = { streams_subject_publisher(a), streams_subject_publisher(b) };
    streams_cancellable *cancellable = NULL;
    int64_t sum = 0;
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &sum;
    subscriber.on_value = add;
    streams_publisher *sums = streams_combine_latest_with(both, 2, cancel_and_add, &cancellable, NULL);
    cancellable = streams_sink(sums, &subscriber);
    assert_non_null(cancellable);
    assert_ok(send_int(a, 1));
    assert_ok(send_int(b, 2));
    assert_ok(send_int(b, 4));
    assert_ok(send_int(b, 8));
    assert_int_equal(sum, 3);
    assert_ok(streams_release(a));
    assert_ok(streams_release(b));
}

/* Two subjects whose latest values are combined, and what is sent when a callback sees the number 1. */
typedef struct {
    streams_subject *a, *b;
    streams_value meanwhile;
} pair;

static streams_status send_and_join(
    void *context, const streams_value *values, size_t count, streams_value *out) {
    pair *two = context;
    if (values[0].kind == STREAMS_VALUE_INT64 && values[0].as.integer == 1) {
        streams_value before[2] = { values[0], values[1] };
        assert_ok(streams_subject_send(two->a, &two->meanwhile));
        assert_ok(streams_subject_send(two->b, &two->meanwhile));
        assert_ok(streams_subject_send(two->b, &two->meanwhile));
        assert_memory_equal(before, values, sizeof before);
    }
    return join_row(NULL, values, count, out);
}

/* What a callback sees stays what it is, also if it is a text that nobody else keeps. */
static void what_comes_while_values_are_combined_is_not_seen(void **state) {
    (void)state;
    pair two = { .meanwhile = streams_text("m") };
    two.a = streams_passthrough_subject_create();
    two.b = streams_passthrough_subject_create();
    streams_publisher *both[] = { streams_subject_publisher(two.a), streams_subject_publisher(two.b) };
    recorder r = { 0 };
    recorder_subscribe(
        &r, streams_combine_latest_with(both, 2, send_and_join, &two, NULL), STREAMS_UNLIMITED);
    const streams_value text = streams_text("text");
    assert_ok(streams_subject_send(two.b, &text));
    assert_ok(send_int(two.a, 1));
    assert_log(&r.log, "subscribed 1text");
    assert_ok(send_int(two.a, 2));
    assert_log(&r.log, "2m");
    two.meanwhile = streams_int(4);
    assert_ok(send_int(two.b, 3));
    assert_ok(send_int(two.a, 1));
    assert_ok(send_int(two.a, 2));
    assert_log(&r.log, "5 4 6");
    recorder_end(&r);
    assert_ok(streams_release(two.a));
    assert_ok(streams_release(two.b));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(scan_goes_from_numbers_to_texts_and_back),
        test(scan_releases_what_a_number_replaces),
        test(scan_keeps_the_result_that_was_made_last),
        test(few_and_many_are_combined),
        test(what_is_made_while_the_stream_is_cancelled_is_not_sent),
        test(what_comes_while_values_are_combined_is_not_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
