/* Properties without a value: what fails, and what goes on. */

#include "state.h"

static streams_status three_fails(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    if (in->as.integer == 3) return streams_callback_fail_with(3, "test", "three");
    *out = streams_int(in->as.integer);
    return STREAMS_OK;
}

static void a_function_that_fails_leaves_no_value_until_the_next(void **state) {
    (void)state;
    streams_subject *subject = current(1);
    streams_property *property = of(subject);
    streams_property *mapped = streams_property_map(property, three_fails, NULL, NULL);
    streams_property *of_it = streams_property_map(mapped, add_one, NULL, NULL);
    streams_property *both[] = { property, of_it };
    streams_property *joined = streams_property_combine_latest(both, 2, NULL, NULL, NULL);
    recorder r = { 0 };
    watch(&r, joined);
    assert_ok(send_int(subject, 3));
    assert_log(&r.log, "subscribed [1, 2] failed(three) destroyed");
    streams_value value = streams_int(1);
    assert_int_equal(streams_property_get_value(joined, &value), STREAMS_CALLBACK_FAILED);
    assert_int_equal(value.kind, STREAMS_VALUE_NULL);
    streams_error *error = streams_last_error();
    assert_int_equal(streams_error_code(error), 3);
    assert_string_equal(streams_error_domain(error), "test");
    assert_ok(streams_release(error));
    assert_last(STREAMS_CALLBACK_FAILED, "streams_property_get_value");
    streams_clear_last_error();
    assert_null(streams_last_error());
    assert_stream(streams_property_all_values(joined), "subscribed failed(three) destroyed");
    assert_ok(send_int(subject, 4));
    assert_value(joined, "[4, 5]");
    recorder_end(&r);
    assert_ok(streams_release(joined));
    assert_ok(streams_release(of_it));
    assert_ok(streams_release(mapped));
    release_both(property, subject);
}

static void what_remembers_goes_on_after_a_failure(void **state) {
    (void)state;
    streams_value zero = streams_int(0);
    streams_subject *subject = current(1);
    streams_property *property = of(subject);
    streams_property *mapped = streams_property_map(property, three_fails, NULL, NULL);
    streams_property *total = streams_property_scan(mapped, &zero, sum, NULL, NULL);
    streams_property *changes = streams_property_remove_duplicates(mapped, NULL, NULL, NULL);
    streams_property *even = streams_property_filter(mapped, &zero, is_even, NULL, NULL);
    const int64_t sent[] = { 4, 3, 4 };
    const int64_t totals[] = { 4, -1, 8 }, evens[] = { 4, -1, 4 };
    for (int i = 0; i < 3; i++) {
        assert_ok(send_int(subject, sent[i]));
        assert_int_equal(value_of(total), totals[i]);
        assert_int_equal(value_of(changes), evens[i]);
        assert_int_equal(value_of(even), evens[i]);
    }
    assert_ok(streams_release(total));
    assert_ok(streams_release(changes));
    assert_ok(streams_release(even));
    assert_ok(streams_release(mapped));
    release_both(property, subject);
}

static void every_function_may_fail(void **state) {
    (void)state;
    streams_value zero = streams_int(0);
    streams_subject *subject = current(1);
    streams_property *property = of(subject);
    streams_property *derived[] = {
        streams_property_map(property, broken_transform, NULL, NULL),
        streams_property_filter(property, &zero, broken_predicate, NULL, NULL),
        streams_property_compact_map(property, &zero, broken_transform, NULL, NULL),
        streams_property_scan(property, &zero, broken_combine, NULL, NULL),
        streams_property_remove_duplicates(property, broken_compare, NULL, NULL),
    };
    assert_ok(send_int(subject, 2));
    for (size_t i = 0; i < sizeof derived / sizeof derived[0]; i++) {
        assert_int_equal(value_of(derived[i]), -1);
        assert_string_equal(streams_last_message(), "broken");
        assert_ok(streams_release(derived[i]));
    }
    release_both(property, subject);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_function_that_fails_leaves_no_value_until_the_next),
        test(what_remembers_goes_on_after_a_failure),
        test(every_function_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
