/* Breakpoints stop where they are told to, and a failure that must not be is one with a name. */

#include <signal.h>

#include "support.h"

static volatile sig_atomic_t stops;

static void stopped(int number) {
    (void)number;
    stops++;
}

static void catch_stops(void) {
    struct sigaction action = { .sa_handler = stopped };
    assert_int_equal(sigaction(SIGTRAP, &action, NULL), 0);
    stops = 0;
}

static bool always(void *context) {
    counter *self = context;
    self->calls++;
    return true;
}

static bool at_two(void *context, const streams_value *value) {
    counter *self = context;
    self->calls++;
    return value->as.integer == 2;
}

static bool at_an_end(void *context, const streams_error *error) {
    counter *self = context;
    self->calls++;
    return error == NULL;
}

static streams_breakpoints at(counter *c) {
    streams_breakpoints breakpoints = STREAMS_BREAKPOINTS_INIT;
    breakpoints.context = c;
    breakpoints.destroy = counter_destroy;
    return breakpoints;
}

static void breakpoints_raise_a_signal(void **state) {
    (void)state;
    counter c = { 0 };
    streams_breakpoints breakpoints = at(&c);
    catch_stops();
    breakpoints.on_subscription = always;
    assert_stream(streams_breakpoint(ints(3), &breakpoints), "subscribed 1 2 3 finished destroyed");
    assert_int_equal(stops, 1);
    breakpoints.on_value = at_two;
    breakpoints.on_completion = at_an_end;
    assert_stream(streams_breakpoint(ints(3), &breakpoints), "subscribed 1 2 3 finished destroyed");
    assert_int_equal(stops, 4);
    assert_stream(streams_breakpoint(failed(), &breakpoints), "subscribed failed(first) destroyed");
    assert_int_equal(stops, 5);
    assert_int_equal(c.calls, 1 + 5 + 2);
    assert_int_equal(c.destroyed, 3);
}

static void breakpoints_without_callbacks_pass_everything_on(void **state) {
    (void)state;
    counter c = { 0 };
    streams_breakpoints breakpoints = at(&c);
    catch_stops();
    assert_stream(streams_breakpoint(ints(2), &breakpoints), "subscribed 1 2 finished destroyed");
    assert_int_equal(stops, 0);
    assert_int_equal(c.destroyed, 1);
}

static void a_failure_stops(void **state) {
    (void)state;
    catch_stops();
    assert_stream(streams_breakpoint_on_error(ints(1)), "subscribed 1 finished destroyed");
    assert_int_equal(stops, 0);
    assert_stream(streams_breakpoint_on_error(failed()), "subscribed failed(first) destroyed");
    assert_int_equal(stops, 1);
}

static void a_struct_of_another_size_is_refused(void **state) {
    (void)state;
    counter c = { 0 };
    streams_breakpoints breakpoints = at(&c);
    breakpoints.size--;
    assert_refused(STREAMS_INVALID_SIZE, "streams_breakpoint", streams_breakpoint(ints(1), &breakpoints));
    assert_int_equal(c.destroyed, 0);
}

static uint64_t ignore_value(void *context, const streams_value *value) {
    (void)context, (void)value;
    return 0;
}

static void look_at_the_error(void *context, const streams_error *error) {
    const char *expected = context;
    assert_int_equal(streams_error_code(error), STREAMS_ASSERTION_FAILED);
    assert_string_equal(streams_error_domain(error), "streams");
    assert_string_equal(streams_error_message(error), expected);
    assert_int_equal(streams_error_object(error)->as.integer, 7);
}

static void expect_assertion(const char *prefix, const char *expected) {
    const streams_value seven = streams_int(7);
    streams_error *error = streams_error_create(3, "test", "oops", &seven);
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = (void *)(uintptr_t)expected;
    subscriber.on_value = ignore_value;
    subscriber.on_completion = look_at_the_error;
    assert_ok(streams_release(
        streams_sink(streams_assert_no_failure(streams_fail(error), prefix), &subscriber)));
    assert_ok(streams_release(error));
}

static void a_failure_that_must_not_be_is_named(void **state) {
    (void)state;
    expect_assertion(NULL, "test 3: oops");
    expect_assertion("settings", "settings: test 3: oops");
    assert_stream(streams_assert_no_failure(ints(2), NULL), "subscribed 1 2 finished destroyed");
    assert_refused(STREAMS_INVALID_UTF8, "streams_assert_no_failure",
        streams_assert_no_failure(ints(1), "\xff"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(breakpoints_raise_a_signal),
        test(breakpoints_without_callbacks_pass_everything_on),
        test(a_failure_stops),
        test(a_struct_of_another_size_is_refused),
        test(a_failure_that_must_not_be_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
