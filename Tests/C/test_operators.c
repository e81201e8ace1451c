/* Operators: their arguments, their callbacks' failures, and what the table of
 * conformance cases cannot say. */

#include "support.h"

/* ---- Arguments --------------------------------------------------------------------- */

static void wrong_sizes_are_refused(void **state) {
    (void)state;
    counter c = { 0 };
    streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
    handlers.context = &c;
    handlers.destroy = counter_destroy;
    const size_t sizes[] = { 0, 1, sizeof handlers - 1, sizeof handlers + 1, sizeof handlers * 2, SIZE_MAX };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        handlers.size = sizes[i];
        assert_refused(
            STREAMS_INVALID_SIZE, "streams_handle_events", streams_handle_events(ints(1), &handlers));
    }
    /* The library cannot know where destroy would be. */
    assert_int_equal(c.destroyed, 0);
}

static void bad_counts_are_refused(void **state) {
    (void)state;
    const int64_t negative[] = { -1, -2, INT64_MIN };
    for (size_t i = 0; i < 3; i++) {
        assert_refused(STREAMS_INVALID_ARGUMENT, "streams_prefix", streams_prefix(ints(1), negative[i]));
        assert_refused(
            STREAMS_INVALID_ARGUMENT, "streams_drop_first", streams_drop_first(ints(1), negative[i]));
        assert_refused(
            STREAMS_INVALID_ARGUMENT, "streams_collect_count", streams_collect_count(ints(1), negative[i]));
        assert_refused(
            STREAMS_INVALID_ARGUMENT, "streams_output_at", streams_output_at(ints(1), negative[i]));
        assert_refused(
            STREAMS_INVALID_ARGUMENT, "streams_output_in", streams_output_in(ints(1), negative[i], 2));
        assert_refused(
            STREAMS_INVALID_ARGUMENT, "streams_output_in", streams_output_in(ints(1), 0, negative[i]));
    }
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_output_in", streams_output_in(ints(1), 2, 1));
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_output_at", streams_output_at(ints(1), INT64_MAX));
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_collect_count", streams_collect_count(ints(1), 0));
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_collect_count",
        streams_collect_count(ints(1), (int64_t)UINT32_MAX + 1));
}

/* The least and the greatest of two values, as text. */
static void assert_order(streams_value least, streams_value greatest) {
    const streams_value forth[] = { least, greatest }, back[] = { greatest, least };
    const streams_value *const both[] = { forth, back };
    for (int i = 0; i < 2; i++) {
        char expected[2][80];
        for (int j = 0; j < 2; j++) {
            size_t length = (size_t)snprintf(expected[j], sizeof expected[j], "subscribed ");
            assert_ok(streams_value_describe(&forth[j], expected[j] + length, 30, NULL));
            strcat(expected[j], " finished destroyed");
        }
        assert_stream(streams_min(streams_sequence(both[i], 2)), expected[0]);
        assert_stream(streams_max(streams_sequence(both[i], 2)), expected[1]);
    }
}

static void values_have_their_natural_order(void **state) {
    (void)state;
    assert_order(streams_int(-1), streams_int(2));
    assert_order(streams_double(-1.5), streams_double(2));
    assert_order(streams_int(1), streams_double(1.5));
    assert_order(streams_double(0.5), streams_int(1));
    assert_order(streams_double(-1e300), streams_int(INT64_MIN));
    assert_order(streams_int(INT64_MAX), streams_double(9223372036854775808.0));
    assert_order(streams_double(9007199254740992.0), streams_int(9007199254740993));
    assert_order(streams_text("a"), streams_text("ab"));
    assert_order(streams_text("Z"), streams_text("a"));
    assert_order(streams_text("z"), streams_text("\xc3\xa4"));
    assert_order(streams_bytes("a\0b", 3), streams_bytes("a\0c", 3));
}

static void other_kinds_have_no_order(void **state) {
    (void)state;
    const streams_value pairs[][2] = {
        { streams_bool(false), streams_bool(true) },
        { streams_null(), streams_null() },
        { streams_int(1), streams_text("1") },
        { streams_list(NULL, 0), streams_list(NULL, 0) },
        { streams_text("a"), streams_bytes("a", 1) },
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const char *failed = "subscribed failed(values of these kinds have no order) destroyed";
        assert_stream(streams_min(streams_sequence(pairs[i], 2)), failed);
        assert_stream(streams_max(streams_sequence(pairs[i], 2)), failed);
        recorder r = { 0 }; /* one has nothing to be compared with */
        recorder_subscribe(&r, streams_count(streams_min(streams_sequence(pairs[i], 1))), STREAMS_UNLIMITED);
        assert_log(&r.log, "subscribed 1 finished destroyed");
        recorder_end(&r);
    }
    double not_a_number = strtod("nan", NULL);
    const streams_value numbers[] = { streams_int(1), streams_double(not_a_number), streams_int(2) };
    assert_stream(streams_max(streams_sequence(numbers, 3)), "subscribed 2 finished destroyed");
}

static void great_counts_are_taken(void **state) {
    (void)state;
    assert_stream(streams_prefix(ints(2), INT64_MAX), "subscribed 1 2 finished destroyed");
    assert_stream(streams_drop_first(ints(2), INT64_MAX), "subscribed finished destroyed");
    assert_stream(streams_collect_count(ints(2), UINT32_MAX), "subscribed [1, 2] finished destroyed");
    assert_stream(streams_output_at(ints(2), INT64_MAX - 1), "subscribed finished destroyed");
    assert_stream(streams_output_in(ints(2), 1, INT64_MAX), "subscribed 2 finished destroyed");
    assert_stream(streams_output_in(ints(2), INT64_MAX, INT64_MAX), "subscribed finished destroyed");
}

static void drop_first_of_a_great_count_on_demand(void **state) {
    (void)state;
    recorder r = { 0 };
    recorder_subscribe(&r, streams_drop_first(ints(2), INT64_MAX), INT64_MAX - 1);
    recorder_end(&r);
    assert_log(&r.log, "subscribed finished destroyed");
}

static void a_bad_prefix_for_print(void **state) {
    (void)state;
    counter c = { 0 };
    assert_refused(
        STREAMS_INVALID_UTF8, "streams_print", streams_print(ints(1), "\xff", NULL, &c, counter_destroy));
    assert_int_equal(c.destroyed, 1);
}

/* ---- Callbacks that fail ----------------------------------------------------------- */

static void failing_callbacks_fail_the_stream(void **state) {
    (void)state;
    counter c = { 0 };
    const streams_value zero = streams_int(0);
    const char *expected = "subscribed failed(broken) destroyed";
    assert_stream(streams_map(ints(3), broken_transform, &c, counter_destroy), expected);
    assert_stream(streams_filter(ints(3), broken_predicate, &c, counter_destroy), expected);
    assert_stream(streams_compact_map(ints(3), broken_transform, &c, counter_destroy), expected);
    assert_stream(streams_remove_duplicates_by(ints(3), broken_compare, &c, counter_destroy),
        "subscribed 1 failed(broken) destroyed");
    assert_stream(streams_scan(ints(3), &zero, broken_combine, &c, counter_destroy), expected);
    assert_stream(streams_reduce(ints(3), &zero, broken_combine, &c, counter_destroy), expected);
    assert_stream(streams_flat_map(ints(3), STREAMS_UNLIMITED, broken_expand, &c, counter_destroy), expected);
    assert_stream(streams_switch_to_latest(ints(3), broken_expand, &c, counter_destroy), expected);
    streams_error *error = new_error("first");
    streams_publisher *failing = streams_fail(error);
    assert_ok(streams_release(error));
    assert_stream(streams_catch(failing, broken_recover, &c, counter_destroy), expected);
    /* Each was called once, and destroyed once. */
    assert_int_equal(c.calls, 9);
    assert_int_equal(c.destroyed, 9);
}

static void a_failing_callback_cancels_upstream(void **state) {
    (void)state;
    counter c = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { 0 };
    recorder_subscribe(&r,
        streams_flat_map(
            streams_subject_publisher(subject), STREAMS_UNLIMITED, broken_expand, &c, counter_destroy),
        STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 1));
    assert_ok(send_int(subject, 2));
    assert_log(&r.log, "subscribed failed(broken) destroyed");
    assert_int_equal(c.calls, 1);
    recorder_end(&r);
    /* The subject lives on and holds nothing of the stream. */
    assert_int_equal(c.destroyed, 1);
    assert_ok(streams_release(subject));
}

/* ---- What callbacks return ------------------------------------------------------------ */

static streams_status to_bad_kind(void *context, const streams_value *in, streams_value *out) {
    (void)context, (void)in;
    out->kind = 1234;
    return STREAMS_OK;
}

static streams_status to_bad_text(void *context, const streams_value *in, streams_value *out) {
    (void)context, (void)in;
    *out = streams_text("\xc3(");
    return STREAMS_OK;
}

static streams_status to_object_without_owner(void *context, const streams_value *in, streams_value *out) {
    (void)in;
    out->kind = STREAMS_VALUE_OBJECT;
    out->as.object = context;
    return STREAMS_OK;
}

static void bad_results_fail_the_stream(void **state) {
    (void)state;
    int thing = 0;
    assert_fails_inside(streams_map(ints(1), to_bad_kind, NULL, NULL), STREAMS_INVALID_VALUE);
    assert_fails_inside(streams_map(ints(1), to_bad_text, NULL, NULL), STREAMS_INVALID_UTF8);
    assert_fails_inside(streams_compact_map(ints(1), to_bad_text, NULL, NULL), STREAMS_INVALID_UTF8);
    assert_fails_inside(streams_map(ints(1), to_object_without_owner, &thing, NULL), STREAMS_INVALID_VALUE);
}

static streams_status to_borrowed_text(void *context, const streams_value *in, streams_value *out) {
    char *buffer = context;
    int length = snprintf(buffer, 32, "number %d", (int)in->as.integer);
    *out = streams_text_n(buffer, (size_t)length);
    return STREAMS_OK;
}

static void a_result_in_a_buffer_is_copied(void **state) {
    (void)state;
    char buffer[32];
    streams_publisher *p = streams_map(ints(3), to_borrowed_text, buffer, NULL);
    assert_stream(
        streams_collect(p), "subscribed [\"number 1\", \"number 2\", \"number 3\"] finished destroyed");
}

static streams_status to_owned_list(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    const streams_value items[] = { *in, streams_text("owned") };
    return streams_value_list(items, 2, out);
}

static void an_owned_result_is_handed_over(void **state) {
    (void)state;
    assert_stream(streams_map(ints(2), to_owned_list, NULL, NULL),
        "subscribed [1, \"owned\"] [2, \"owned\"] finished destroyed");
}

static streams_status checks_out(void *context, const streams_value *in, streams_value *out) {
    (void)context, (void)in;
    return out->kind == STREAMS_VALUE_NULL && out->owner == NULL ? STREAMS_OK : STREAMS_INVALID_VALUE;
}

static void out_is_null_at_first_and_may_stay_so(void **state) {
    (void)state;
    assert_stream(streams_map(ints(2), checks_out, NULL, NULL), "subscribed null null finished destroyed");
    assert_stream(streams_compact_map(ints(2), checks_out, NULL, NULL), "subscribed finished destroyed");
}

static streams_status keeps_false(void *context, const streams_value *in, bool *result) {
    (void)context, (void)in;
    return *result ? STREAMS_INVALID_VALUE : STREAMS_OK;
}

static void results_of_predicates_are_false_at_first(void **state) {
    (void)state;
    assert_stream(streams_filter(ints(2), keeps_false, NULL, NULL), "subscribed finished destroyed");
    assert_stream(
        streams_contains_where(ints(2), keeps_false, NULL, NULL), "subscribed false finished destroyed");
}

/* ---- Fused steps ------------------------------------------------------------------------ */

static void a_run_of_steps_calls_each_in_turn(void **state) {
    (void)state;
    enum { STEPS = 300 };
    counter c = { 0 };
    streams_publisher *p = ints(10);
    for (int i = 0; i < STEPS; i++) p = streams_map(p, add_one, &c, counter_destroy);
    recorder r = { 0 };
    recorder_subscribe(&r, streams_prefix(streams_collect(p), 1), STREAMS_UNLIMITED);
    assert_log(&r.log, "subscribed [301, 302, 303, 304, 305, 306, 307, 308, 309, 310] finished destroyed");
    recorder_end(&r);
    assert_int_equal(c.calls, 10 * STEPS);
    assert_int_equal(c.destroyed, STEPS);
}

static void steps_that_drop_are_not_called_further(void **state) {
    (void)state;
    counter filter = { 0 }, map = { 0 };
    streams_publisher *p = streams_filter(ints(10), is_even, &filter, counter_destroy);
    p = streams_compact_map(p, half_if_even, &map, counter_destroy);
    assert_stream(p, "subscribed 1 2 3 4 5 finished destroyed");
    assert_int_equal(filter.calls, 10);
    assert_int_equal(map.calls, 5);
    assert_int_equal(filter.destroyed + map.destroyed, 2);
}

static void steps_run_on_big_batches(void **state) {
    (void)state;
    enum { BIG = 10000 };
    static int64_t numbers[BIG];
    for (int i = 0; i < BIG; i++) numbers[i] = i;
    counter c = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *p = streams_subject_publisher(subject);
    p = streams_map(p, add_one, &c, NULL);
    p = streams_filter(p, is_even, NULL, NULL);
    recorder r = { .batches = true };
    recorder_subscribe(&r, p, STREAMS_UNLIMITED);
    assert_ok(streams_subject_send_int64s(subject, numbers, BIG));
    assert_int_equal(r.values, BIG / 2);
    assert_int_equal(c.calls, BIG);
    recorder_end(&r);
    assert_ok(streams_release(subject));
}

static void lists_grow_no_deeper_than_allowed(void **state) {
    (void)state;
    streams_publisher *p = ints(1);
    for (int i = 0; i < 64; i++) p = streams_collect(p);
    assert_ok(streams_retain(p));
    recorder r = { 0 };
    recorder_subscribe(&r, p, STREAMS_UNLIMITED);
    recorder_end(&r);
    assert_int_equal(r.values, 1);
    assert_fails_inside(streams_collect_count(p, 1), STREAMS_LIMIT);

    p = ints(1);
    for (int i = 0; i < 70; i++) p = i % 2 == 0 ? streams_zip(&p, 1) : streams_combine_latest(&p, 1);
    assert_fails_inside(p, STREAMS_LIMIT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(wrong_sizes_are_refused),
        test(bad_counts_are_refused),
        test(values_have_their_natural_order),
        test(other_kinds_have_no_order),
        test(great_counts_are_taken),
        test(drop_first_of_a_great_count_on_demand),
        test(a_bad_prefix_for_print),
        test(failing_callbacks_fail_the_stream),
        test(a_failing_callback_cancels_upstream),
        test(bad_results_fail_the_stream),
        test(a_result_in_a_buffer_is_copied),
        test(an_owned_result_is_handed_over),
        test(out_is_null_at_first_and_may_stay_so),
        test(results_of_predicates_are_false_at_first),
        test(a_run_of_steps_calls_each_in_turn),
        test(steps_that_drop_are_not_called_further),
        test(steps_run_on_big_batches),
        test(lists_grow_no_deeper_than_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
