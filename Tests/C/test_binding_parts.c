/* Parts of bindings: how they are made, those that are missing, parts of parts, threads. */

#include <pthread.h>

#include "state.h"

static void assert_bound(const streams_binding *binding, const char *expected) {
    streams_value value;
    assert_ok(streams_binding_get_value(binding, &value));
    assert_described(&value, expected);
    assert_ok(streams_value_destroy(&value));
}

/* ---- How they are made ------------------------------------------------------------------ */

static void a_part_is_made_by_a_pair_of_functions(void **state) {
    (void)state;
    counter c = { 0 };
    streams_subject *subject = current(1);
    streams_binding *binding = streams_binding_of_subject(subject);
    streams_binding *part = streams_binding_map(binding, ten_times, a_tenth, &c, counter_destroy);
    streams_property *property = streams_binding_property(part);
    recorder r = { 0 };
    watch_binding(&r, part);
    assert_int_equal(get(part), 10);
    assert_ok(set(part, 20));
    assert_int_equal(get(binding), 2);
    assert_int_equal(set(part, 25), STREAMS_CALLBACK_FAILED);
    assert_last(STREAMS_CALLBACK_FAILED, "streams_binding_set_value");
    streams_error *error = streams_last_error();
    assert_int_equal(streams_error_code(error), 10);
    assert_ok(streams_release(error));
    assert_ok(set(binding, 3));
    assert_log(&r.log, "subscribed 10 20 30");
    recorder_end(&r);
    assert_stream(streams_property_all_values(property), "subscribed 30 destroyed");
    assert_ok(streams_release(property));
    assert_ok(streams_release(part));
    assert_int_equal(c.destroyed, 1);
    assert_ok(streams_release(binding));
    assert_ok(streams_release(subject));
}

static void an_item_of_a_list_is_bound(void **state) {
    (void)state;
    streams_value three = streams_int(3);
    const streams_value items[] = { streams_int(1), streams_list(&three, 1) };
    streams_value list = streams_list(items, 2), shorter = streams_list(items, 1);
    streams_subject *subject = streams_current_value_subject_create(&list);
    streams_binding *binding = streams_binding_of_subject(subject);
    streams_binding *second = streams_binding_element(binding, 1);
    streams_binding *inner = streams_binding_element(second, 0);
    recorder r = { 0 };
    watch_binding(&r, inner);
    assert_int_equal(get(inner), 3);
    assert_ok(set(inner, 4));
    assert_bound(binding, "[1, [4]]");
    assert_ok(streams_binding_set_value(binding, &shorter));
    assert_int_equal(get(inner), 4);
    assert_int_equal(set(inner, 5), STREAMS_CALLBACK_FAILED);
    assert_bound(binding, "[1]");
    assert_log(&r.log, "subscribed 3 4");
    recorder_end(&r);
    assert_refused(
        STREAMS_INVALID_ARGUMENT, "streams_binding_element", streams_binding_element(binding, 1));
    assert_refused(
        STREAMS_INVALID_ARGUMENT, "streams_binding_element", streams_binding_element(binding, SIZE_MAX));
    assert_refused(
        STREAMS_INVALID_ARGUMENT, "streams_binding_element", streams_binding_element(inner, 0));
    streams_binding *bound[] = { inner, second, binding };
    for (int i = 0; i < 3; i++) assert_ok(streams_release(bound[i]));
    assert_ok(streams_release(subject));
}

static streams_status only_positive(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    if (in->as.integer <= 0) return streams_callback_fail_with(9, "test", "not positive");
    *out = *in;
    return STREAMS_OK;
}

static streams_status not_twenty(
    void *context, const streams_value *whole, const streams_value *in, streams_value *out) {
    (void)whole;
    if (in->as.integer == 20) return streams_callback_fail_with(9, "test", "twenty");
    return only_positive(context, in, out);
}

static void a_part_keeps_its_last_value_while_it_is_missing(void **state) {
    (void)state;
    counter c = { 0 };
    streams_subject *subject = current(1);
    streams_binding *binding = streams_binding_of_subject(subject);
    streams_binding *part = streams_binding_part(binding, only_positive, not_twenty, &c, counter_destroy);
    recorder r = { 0 };
    watch_binding(&r, part);
    assert_ok(send_int(subject, -1));
    assert_int_equal(get(part), 1);
    assert_int_equal(set(part, 20), STREAMS_CALLBACK_FAILED);
    assert_string_equal(streams_last_message(), "twenty");
    assert_int_equal(get(part), 1);
    assert_ok(set(part, 5));
    assert_log(&r.log, "subscribed 1 5");
    assert_ok(fail_with(subject, "over"));
    assert_log(&r.log, "failed(over) destroyed");
    recorder_end(&r);
    assert_ok(streams_release(part));
    assert_int_equal(c.destroyed, 1);
    assert_ok(streams_release(binding));
    assert_ok(streams_release(subject));
    subject = current(-1);
    binding = streams_binding_of_subject(subject);
    assert_null(streams_binding_part(binding, only_positive, not_twenty, NULL, NULL));
    assert_int_equal(streams_last_status(), STREAMS_CALLBACK_FAILED);
    assert_string_equal(streams_last_message(), "not positive");
    assert_ok(streams_release(binding));
    assert_ok(streams_release(subject));
}

/* ---- Parts of parts --------------------------------------------------------------------- */

static streams_status same(void *context, const streams_value *in, streams_value *out) {
    if (context != NULL) ++*(int *)context;
    *out = *in;
    return STREAMS_OK;
}

static streams_status part(
    void *context, const streams_value *whole, const streams_value *in, streams_value *out) {
    (void)context, (void)whole;
    return same(NULL, in, out);
}

/* To set one reads each that it is derived over once. */
static void a_part_of_parts_is_set_in_one_go(void **state) {
    (void)state;
    int gets = 0;
    streams_subject *subject = current(0);
    streams_binding *binding = streams_binding_of_subject(subject);
    for (int i = 0; i < 100; i++) {
        streams_binding *next = streams_binding_map(binding, same, part, &gets, NULL);
        assert_ok(streams_release(binding));
        binding = next;
    }
    assert_ok(set(binding, 5));
    assert_int_equal(gets, 99);
    assert_int_equal(get(binding), 5);
    assert_ok(streams_release(binding));
    assert_ok(streams_release(subject));
}

/* A hundred, which also a thread with a small stack can read, set, watch and released. */
static void *use_parts_of_parts(void *unused) {
    (void)unused;
    streams_subject *subject = current(0);
    streams_binding *binding = streams_binding_of_subject(subject);
    for (int i = 0; i < 100; i++) {
        streams_binding *next = streams_binding_map(binding, same, part, NULL, NULL);
        assert_non_null(next);
        assert_ok(streams_release(binding));
        binding = next;
    }
    assert_null(streams_binding_map(binding, same, part, NULL, NULL));
    assert_int_equal(streams_last_status(), STREAMS_LIMIT);
    recorder r = { 0 };
    watch_binding(&r, binding);
    assert_ok(set(binding, 5));
    assert_int_equal(get(binding), 5);
    assert_log(&r.log, "subscribed 0 5");
    recorder_end(&r);
    assert_ok(streams_release(binding));
    assert_ok(streams_release(subject));
    return NULL;
}

static void parts_of_parts_end_somewhere(void **state) {
    (void)state;
    pthread_attr_t small;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&small), 0);
    assert_int_equal(pthread_attr_setstacksize(&small, 256 * 1024), 0);
    assert_int_equal(pthread_create(&thread, &small, use_parts_of_parts, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&small), 0);
}

/* ---- Threads ---------------------------------------------------------------------------- */

enum { THREADS = 4,
    SETS = 1000 };

static void *count_up(void *item) {
    intptr_t wrong = 0;
    for (int i = 1; i <= SETS; i++) wrong += set(item, i) != STREAMS_OK || get(item) != i;
    return (void *)wrong;
}

/* None undoes what another one did. */
static void threads_set_different_parts(void **state) {
    (void)state;
    pthread_t threads[THREADS];
    const streams_value zeros[THREADS] = { streams_int(0), streams_int(0), streams_int(0), streams_int(0) };
    streams_value list = streams_list(zeros, THREADS);
    streams_subject *subject = streams_current_value_subject_create(&list);
    streams_binding *binding = streams_binding_of_subject(subject), *items[THREADS];
    recorder r = { 0 };
    recorder_subscribe(&r, streams_binding_values(binding), 1);
    for (int i = 0; i < THREADS; i++) items[i] = streams_binding_element(binding, (size_t)i);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, count_up, items[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong = NULL;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
        assert_ok(streams_release(items[i]));
    }
    assert_bound(binding, "[1000, 1000, 1000, 1000]");
    recorder_end(&r);
    assert_ok(streams_release(binding));
    assert_ok(streams_release(subject));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_part_is_made_by_a_pair_of_functions),
        test(an_item_of_a_list_is_bound),
        test(a_part_keeps_its_last_value_while_it_is_missing),
        test(a_part_of_parts_is_set_in_one_go),
        test(parts_of_parts_end_somewhere),
        test(threads_set_different_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
