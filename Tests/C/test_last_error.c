/* The version, the names of statuses, and the last error of a thread: what it says, and when. */

#include "support.h"

static void version(void **state) {
    (void)state;
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", STREAMS_VERSION_MAJOR, STREAMS_VERSION_MINOR,
        STREAMS_VERSION_PATCH);
    assert_int_equal(streams_version(), STREAMS_VERSION);
    assert_int_equal(STREAMS_VERSION,
        STREAMS_VERSION_MAJOR * 1000000 + STREAMS_VERSION_MINOR * 1000 + STREAMS_VERSION_PATCH);
    assert_string_equal(streams_version_string(), expected);
}

static void every_status_has_a_name(void **state) {
    (void)state;
#define NAMED(status) assert_string_equal(streams_status_name(status), #status)
    NAMED(STREAMS_OK);
    NAMED(STREAMS_NULL_HANDLE);
    NAMED(STREAMS_STALE_HANDLE);
    NAMED(STREAMS_WRONG_KIND);
    NAMED(STREAMS_NULL_ARGUMENT);
    NAMED(STREAMS_INVALID_SIZE);
    NAMED(STREAMS_INVALID_VALUE);
    NAMED(STREAMS_INVALID_UTF8);
    NAMED(STREAMS_INVALID_ARGUMENT);
    NAMED(STREAMS_ZERO_DEMAND);
    NAMED(STREAMS_DEMAND_EXCEEDED);
    NAMED(STREAMS_TERMINATED);
    NAMED(STREAMS_CALLBACK_FAILED);
    NAMED(STREAMS_PROTOCOL_VIOLATION);
    NAMED(STREAMS_OUT_OF_RANGE);
    NAMED(STREAMS_OUT_OF_MEMORY);
    NAMED(STREAMS_LIMIT);
    NAMED(STREAMS_TIMED_OUT);
    NAMED(STREAMS_ASSERTION_FAILED);
    assert_string_equal(streams_status_name((streams_status)19), "STREAMS_UNKNOWN");
    assert_string_equal(streams_status_name((streams_status)1000000), "STREAMS_UNKNOWN");
    assert_string_equal(streams_status_name((streams_status)-1), "STREAMS_UNKNOWN");
}

static void the_last_error_names_function_and_argument(void **state) {
    (void)state;
    assert_int_equal(streams_last_status(), STREAMS_OK);
    assert_string_equal(streams_last_function(), "");
    assert_string_equal(streams_last_message(), "");
    assert_null(streams_prefix(ints(1), -1));
    assert_int_equal(streams_last_status(), STREAMS_INVALID_ARGUMENT);
    assert_string_equal(streams_last_function(), "streams_prefix");
    assert_non_null(strstr(streams_last_message(), "count"));
    assert_null(streams_map(NULL, NULL, NULL, NULL));
    /* The first error of the chain is still there. */
    assert_string_equal(streams_last_function(), "streams_prefix");
    assert_null(streams_just(NULL));
    assert_string_equal(streams_last_function(), "streams_just");
    assert_non_null(strstr(streams_last_message(), "value"));
    streams_clear_last_error();
    assert_int_equal(streams_last_status(), STREAMS_OK);
    assert_string_equal(streams_last_function(), "");
    assert_string_equal(streams_last_message(), "");
}

static void a_count_out_of_bounds_is_told_the_bound(void **state) {
    (void)state;
    assert_null(streams_collect_count(ints(1), 4294967296));
    assert_string_equal(streams_last_message(), "count is 4294967296; it must be at most 4294967295");
    assert_null(streams_collect_count(ints(1), 0));
    assert_string_equal(streams_last_message(), "count is 0; it must be at least 1");
    assert_null(streams_drop_first(ints(1), -7));
    assert_string_equal(streams_last_message(), "count is -7; it must be at least 0");
    streams_clear_last_error();
}

static void common_mistakes_are_told_what_to_look_for(void **state) {
    (void)state;
    streams_publisher *twice = ints(1), *first = streams_count(twice);
    assert_null(streams_count(twice));
    assert_string_equal(streams_last_message(),
        "publisher has been released or consumed, or is not a handle at all");
    streams_release(first);
    assert_null(streams_sink(ints(1), &(streams_subscriber){ 0 }));
    const char *size = "subscriber has the size 0; this library knows sizes up to 72";
    assert_non_null(strstr(streams_last_message(), size));
    assert_non_null(strstr(streams_last_message(), ": start from the matching ..._INIT macro"));
    streams_clear_last_error();
}

static void a_bad_element_is_told_by_its_place(void **state) {
    (void)state;
    streams_clear_last_error();
    streams_publisher *bad[] = { ints(1), NULL, ints(2), NULL };
    assert_null(streams_merge(bad, 4));
    assert_string_equal(streams_last_message(), "publishers[1] is NULL");
    streams_clear_last_error();
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *released = ints(1);
    streams_release(released);
    streams_publisher *kinds[] = { ints(1), ints(2), (streams_publisher *)subject, released };
    assert_null(streams_zip(kinds, 4));
    assert_string_equal(streams_last_message(),
        "publishers[2] is a handle of the kind subject, not publisher: "
        "streams_subject_publisher makes one of it");
    streams_property *property = streams_property_create(&(streams_value){ 0 });
    streams_property *properties[] = { property, NULL };
    streams_clear_last_error();
    assert_null(streams_property_zip(properties, 2, NULL, NULL, NULL));
    assert_string_equal(streams_last_message(), "properties[1] is NULL");
    streams_release(property);
    streams_release(subject);
    streams_clear_last_error();
}

static void a_publisher_given_twice_is_told_to_be_retained(void **state) {
    (void)state;
    const char *of_arrays =
        "publishers[2] is the same handle as publishers[0], and each consumes a reference: retain it first";
    const char *of_pairs =
        "other is the same handle as publisher, and each consumes a reference: retain it first";
    streams_publisher *one = ints(1);
    streams_publisher *twice[] = { one, ints(2), one, one };
    assert_null(streams_merge(twice, 4));
    assert_int_equal(streams_last_status(), STREAMS_STALE_HANDLE);
    assert_string_equal(streams_last_message(), of_arrays);
    one = ints(1);
    assert_null(streams_drop_until_output(one, one));
    assert_string_equal(streams_last_message(), of_pairs);

    one = ints(1);
    streams_retain(one);
    streams_publisher *retained[] = { one, one };
    streams_release(streams_merge(retained, 2));
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *kind = (streams_publisher *)subject, *kinds[] = { kind, kind };
    assert_null(streams_merge(kinds, 2));
    assert_int_equal(streams_last_status(), STREAMS_WRONG_KIND);
    streams_release(subject);
    streams_clear_last_error();
}

static void the_first_of_two_bad_publishers_is_told(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *released = ints(1), *kind = (streams_publisher *)subject;
    streams_release(released);
    assert_null(streams_append(kind, released));
    assert_int_equal(streams_last_status(), STREAMS_WRONG_KIND);
    assert_null(streams_append(released, released));
    assert_string_equal(
        streams_last_message(), "publisher has been released or consumed, or is not a handle at all");
    streams_release(subject);
    streams_clear_last_error();
}

static void a_good_call_leaves_the_last_error(void **state) {
    (void)state;
    assert_null(streams_just(NULL));
    streams_publisher *p = ints(1);
    assert_int_equal(streams_last_status(), STREAMS_NULL_ARGUMENT);
    assert_ok(streams_release(p));
    assert_int_equal(streams_last_status(), STREAMS_NULL_ARGUMENT);
    assert_int_equal(streams_handle_kind(p), STREAMS_KIND_NONE);
    assert_string_equal(streams_last_function(), "streams_just");
}

/* A text that is written while a call releases what it consumed. */
static void fail_meanwhile(void *context, const char *text, size_t length) {
    (void)context, (void)text, (void)length;
    (void)streams_error_domain(NULL);
}

/* The only reference to a subject, whose upstream says so when it is cancelled. */
static streams_publisher *last_reference(streams_cancellable **cancellable) {
    streams_subject *source = streams_passthrough_subject_create();
    streams_subject *subject = streams_passthrough_subject_create();
    *cancellable = streams_subscribe(
        streams_print(streams_subject_publisher(source), "", fail_meanwhile, NULL, NULL), subject);
    streams_publisher *publisher = streams_subject_publisher(subject);
    assert_ok(streams_release(subject));
    assert_ok(streams_release(source));
    return publisher;
}

static void what_a_failing_call_lets_go_of_leaves_its_error(void **state) {
    (void)state;
    streams_cancellable *cancellables[5];
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_collect_count",
        streams_collect_count(last_reference(&cancellables[0]), 0));
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_map",
        streams_map(last_reference(&cancellables[1]), NULL, NULL, NULL));
    streams_publisher *last = last_reference(&cancellables[2]);
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_sink", streams_sink(last, NULL));
    assert_refused(
        STREAMS_NULL_HANDLE, "streams_subscribe", streams_subscribe(last_reference(&cancellables[3]), NULL));
    streams_publisher *pair[] = { last_reference(&cancellables[4]), NULL };
    streams_clear_last_error();
    assert_refused(STREAMS_NULL_HANDLE, "streams_zip", streams_zip(pair, 2));
    for (int i = 0; i < 5; i++) assert_ok(streams_release(cancellables[i]));
}

static void *other_thread(void *context) {
    streams_status *seen = context;
    seen[0] = streams_last_status();
    streams_just(NULL);
    seen[1] = streams_last_status();
    return NULL;
}

static void each_thread_has_its_own(void **state) {
    (void)state;
    streams_status seen[2] = { STREAMS_LIMIT, STREAMS_LIMIT };
    assert_null(streams_prefix(ints(1), -1));
    on_another_thread(other_thread, seen);
    assert_int_equal(seen[0], STREAMS_OK);
    assert_int_equal(seen[1], STREAMS_NULL_ARGUMENT);
    assert_int_equal(streams_last_status(), STREAMS_INVALID_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(version),
        test(every_status_has_a_name),
        test(the_last_error_names_function_and_argument),
        test(a_count_out_of_bounds_is_told_the_bound),
        test(common_mistakes_are_told_what_to_look_for),
        test(a_bad_element_is_told_by_its_place),
        test(a_publisher_given_twice_is_told_to_be_retained),
        test(the_first_of_two_bad_publishers_is_told),
        test(a_good_call_leaves_the_last_error),
        test(what_a_failing_call_lets_go_of_leaves_its_error),
        test(each_thread_has_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
