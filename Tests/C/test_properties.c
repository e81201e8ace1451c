/* Properties: where values come from, what is derived from them, lifetimes. */

#include "state.h"

/* ---- Where values come from ---------------------------------------------------- */

static void a_constant_has_its_value_and_ends(void **state) {
    (void)state;
    streams_value five = streams_int(5);
    streams_property *property = streams_property_create(&five);
    assert_value(property, "5");
    assert_stream(streams_property_all_values(property), "subscribed 5 finished destroyed");
    assert_stream(streams_property_subsequent_values(property), "subscribed finished destroyed");
    assert_ok(streams_release(property));
}

static void a_property_follows_a_subject(void **state) {
    (void)state;
    streams_subject *subject = current(1);
    streams_property *property = of(subject);
    recorder all = { 0 }, further = { 0 };
    watch(&all, property);
    recorder_subscribe(&further, streams_property_subsequent_values(property), STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 2));
    assert_value(property, "2");
    assert_log(&all.log, "subscribed 1 2");
    assert_log(&further.log, "subscribed 2");
    assert_ok(finish(subject));
    assert_value(property, "2");
    assert_log(&all.log, "finished destroyed");
    assert_log(&further.log, "finished destroyed");
    recorder_end(&all);
    recorder_end(&further);
    release_both(property, subject);
}

static void a_subject_that_fails_leaves_no_value(void **state) {
    (void)state;
    streams_subject *subject = current(1);
    streams_property *property = of(subject);
    recorder r = { 0 };
    watch(&r, property);
    assert_ok(fail_with(subject, "over"));
    assert_log(&r.log, "subscribed 1 failed(over) destroyed");
    assert_int_equal(value_of(property), -1);
    assert_string_equal(streams_last_message(), "over");
    recorder_end(&r);
    release_both(property, subject);
}

static void a_property_follows_a_publisher(void **state) {
    (void)state;
    streams_value zero = streams_int(0);
    streams_subject *subject = streams_passthrough_subject_create();
    streams_property *sent = streams_property_of_publisher(&zero, ints(3));
    streams_property *later = streams_property_of_publisher(&zero, streams_subject_publisher(subject));
    assert_value(sent, "3");
    assert_stream(streams_property_all_values(sent), "subscribed 3 finished destroyed");
    assert_value(later, "0");
    assert_ok(send_int(subject, 4));
    assert_value(later, "4");
    assert_ok(streams_release(sent));
    release_both(later, subject);
    streams_value bad = streams_text("\xff");
    assert_refused(STREAMS_INVALID_UTF8, "streams_property_of_publisher",
        streams_property_of_publisher(&bad, ints(1)));
    subject = streams_passthrough_subject_create();
    assert_refused(STREAMS_WRONG_KIND, "streams_property_of_subject", of(subject));
    assert_ok(streams_release(subject));
}

static void who_is_behind_gets_the_latest(void **state) {
    (void)state;
    streams_subject *subject = current(0);
    streams_property *property = of(subject);
    recorder r = { 0 };
    recorder_subscribe(&r, streams_property_all_values(property), 1);
    for (int i = 1; i < 4; i++) assert_ok(send_int(subject, i));
    assert_log(&r.log, "subscribed 0");
    assert_ok(streams_subscription_request(r.subscription, 2));
    assert_log(&r.log, "3");
    recorder_end(&r);
    release_both(property, subject);
}

/* ---- What is derived ------------------------------------------------------------ */

static streams_status next_digit(
    void *context, const streams_value *accumulated, const streams_value *in, streams_value *out) {
    (void)context;
    *out = streams_int(accumulated->as.integer * 10 + in->as.integer);
    return STREAMS_OK;
}

static void derived_properties_have_values(void **state) {
    (void)state;
    streams_value fallback = streams_int(-5);
    streams_subject *subject = current(1);
    streams_property *property = of(subject);
    streams_property *derived[] = {
        streams_property_map(property, add_one, NULL, NULL),
        streams_property_filter(property, &fallback, is_even, NULL, NULL),
        streams_property_compact_map(property, &fallback, half_if_even, NULL, NULL),
        streams_property_scan(property, &fallback, next_digit, NULL, NULL),
        streams_property_remove_duplicates(property, NULL, NULL, NULL),
        streams_property_remove_duplicates(property, same_parity, NULL, NULL),
    };
    enum { COUNT = sizeof derived / sizeof derived[0] };
    const char *logs[COUNT] = { "subscribed 2 4 4 5", "subscribed -5 4", "subscribed -5 2",
        "subscribed -5 -47 -467 -4666", "subscribed 1 3 4", "subscribed 1 4" };
    recorder r[COUNT] = { { .more = 0 } };
    for (int i = 0; i < COUNT; i++) watch(&r[i], derived[i]);
    assert_ok(send_int(subject, 3));
    assert_ok(send_int(subject, 3));
    assert_ok(send_int(subject, 4));
    for (int i = 0; i < COUNT; i++) {
        assert_log(&r[i].log, logs[i]);
        recorder_end(&r[i]);
        assert_ok(streams_release(derived[i]));
    }
    release_both(property, subject);
}

static void several_properties_are_joined(void **state) {
    (void)state;
    streams_subject *a = current(1), *b = current(10);
    streams_property *of_both[] = { of(a), of(b) };
    streams_property *list = streams_property_combine_latest(of_both, 2, NULL, NULL, NULL);
    streams_property *total = streams_property_combine_latest(of_both, 2, sum_of_all, NULL, NULL);
    streams_property *pairs = streams_property_zip(of_both, 2, NULL, NULL, NULL);
    streams_property *empty = streams_property_combine_latest(NULL, 0, NULL, NULL, NULL);
    streams_property *nothing = streams_property_zip(NULL, 0, sum_of_all, NULL, NULL);
    assert_value(empty, "[]");
    assert_value(nothing, "0");
    assert_ok(send_int(a, 2));
    assert_ok(send_int(a, 3));
    assert_value(list, "[3, 10]");
    assert_value(total, "13");
    assert_value(pairs, "[1, 10]");
    assert_ok(send_int(b, 20));
    assert_value(pairs, "[2, 20]");
    streams_property *all[] = { list, total, pairs, empty, nothing, of_both[0], of_both[1] };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) assert_ok(streams_release(all[i]));
    assert_ok(streams_release(a));
    assert_ok(streams_release(b));
}

/* A diamond changes once for each change of its source, and never mixes old with new. */
static void a_diamond_shows_a_change_once(void **state) {
    (void)state;
    counter c = { 0 };
    streams_subject *subject = current(1);
    streams_property *property = of(subject), *sides[3];
    sides[0] = streams_property_map(property, add_one, NULL, NULL);
    sides[1] = streams_property_map(sides[0], add_one, NULL, NULL);
    sides[2] = property;
    streams_property *total = streams_property_combine_latest(sides, 3, sum_of_all, &c, NULL);
    recorder r = { 0 };
    watch(&r, total);
    assert_ok(send_int(subject, 10));
    assert_ok(send_int(subject, 100));
    assert_log(&r.log, "subscribed 6 33 303");
    assert_int_equal(c.calls, 3);
    recorder_end(&r);
    for (int i = 0; i < 2; i++) assert_ok(streams_release(sides[i]));
    assert_ok(streams_release(total));
    release_both(property, subject);
}

static void a_property_is_received_on_a_scheduler(void **state) {
    (void)state;
    streams_scheduler *scheduler = streams_virtual_scheduler_create();
    streams_subject *subject = current(1);
    streams_property *property = of(subject);
    streams_property *received = streams_property_receive_on(property, scheduler);
    assert_ok(send_int(subject, 2));
    assert_value(received, "1");
    assert_ok(streams_virtual_scheduler_run(scheduler));
    assert_value(received, "2");
    assert_ok(streams_release(received));
    assert_ok(streams_release(scheduler));
    release_both(property, subject);
}

/* ---- Lifetimes ------------------------------------------------------------------- */

static void what_is_derived_keeps_its_sources_and_nothing_keeps_it(void **state) {
    (void)state;
    counter source = { 0 }, map = { 0 };
    streams_value zero = streams_int(0);
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *then =
        streams_map(streams_subject_publisher(subject), add_one, &source, counter_destroy);
    streams_property *property = streams_property_of_publisher(&zero, then);
    streams_property *mapped = streams_property_map(property, add_one, &map, counter_destroy);
    assert_ok(streams_release(property));
    recorder r = { 0 };
    streams_publisher *values = streams_property_all_values(mapped);
    assert_ok(streams_release(mapped));
    assert_ok(streams_retain(values));
    recorder_subscribe(&r, values, STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 1));
    assert_log(&r.log, "subscribed 1 3");
    recorder_end(&r);
    assert_int_equal(source.destroyed + map.destroyed, 0);
    assert_ok(streams_release(values));
    assert_int_equal(source.destroyed, 1);
    assert_int_equal(map.destroyed, 1);
    assert_ok(streams_release(subject));
}

static void many_properties_leave_nothing_behind(void **state) {
    (void)state;
    enum { COUNT = 100 };
    const int rounds = under_valgrind() ? 10 : 1000;
    counter c = { 0 };
    streams_subject *subject = current(0);
    streams_property *source = of(subject), *made[COUNT];
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < COUNT; i++)
            made[i] = streams_property_map(i % 3 ? made[i - 1] : source, add_one, &c, counter_destroy);
        assert_ok(send_int(subject, round));
        assert_int_equal(value_of(made[COUNT - 1]), round + 1);
        for (int i = 0; i < COUNT; i++) assert_ok(streams_release(made[i]));
    }
    assert_int_equal(c.destroyed, rounds * COUNT);
    release_both(source, subject);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_constant_has_its_value_and_ends),
        test(a_property_follows_a_subject),
        test(a_subject_that_fails_leaves_no_value),
        test(a_property_follows_a_publisher),
        test(who_is_behind_gets_the_latest),
        test(derived_properties_have_values),
        test(several_properties_are_joined),
        test(a_diamond_shows_a_change_once),
        test(a_property_is_received_on_a_scheduler),
        test(what_is_derived_keeps_its_sources_and_nothing_keeps_it),
        test(many_properties_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
