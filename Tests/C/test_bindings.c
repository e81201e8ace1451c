/* Bindings: what they stand on, parts, failures, assignments, re-entrance, threads. */

#include <pthread.h>

#include "support.h"

static streams_subject *current(int64_t initial) {
    streams_value value = streams_int(initial);
    return streams_current_value_subject_create(&value);
}

static streams_status set(streams_binding *binding, int64_t number) {
    streams_value value = streams_int(number);
    return streams_binding_set_value(binding, &value);
}

/* The value; -1 if there is none. */
static int64_t get(const streams_binding *binding) {
    streams_value value;
    if (streams_binding_get_value(binding, &value) != STREAMS_OK) return -1;
    int64_t result = value.as.integer;
    streams_value_destroy(&value);
    return result;
}

static void assert_value(const streams_binding *binding, const char *expected) {
    streams_value value;
    assert_ok(streams_binding_get_value(binding, &value));
    assert_described(&value, expected);
    assert_ok(streams_value_destroy(&value));
}

static void watch(recorder *r, streams_binding *binding) {
    recorder_subscribe(r, streams_binding_values(binding), STREAMS_UNLIMITED);
}

/* ---- What they stand on ----------------------------------------------------------- */

/* A number behind two functions, which refuse some. */
typedef struct place {
    int64_t number;
    int destroyed;
    streams_binding *binding;
    bool wrong;
} place;

static streams_status get_number(void *context, streams_value *out) {
    place *self = context;
    if (self->number == 13) return streams_callback_fail_with(13, "test", "unlucky");
    *out = streams_int(self->number);
    return STREAMS_OK;
}

static streams_status set_number(void *context, const streams_value *value) {
    place *self = context;
    if (value->as.integer < 0) return streams_callback_fail_with(1, "test", "negative");
    self->number = value->as.integer;
    return STREAMS_OK;
}

static void place_destroy(void *context) { ((place *)context)->destroyed++; }

static void two_functions_tell_what_is_set(void **state) {
    (void)state;
    place here = { .number = 1 };
    streams_binding *binding = streams_binding_create(get_number, set_number, &here, place_destroy, NULL);
    recorder r = { 0 };
    watch(&r, binding);
    assert_ok(set(binding, 2));
    assert_int_equal(here.number, 2);
    here.number = 3; /* nobody tells */
    assert_int_equal(get(binding), 3);
    assert_ok(set(binding, 4));
    assert_log(&r.log, "subscribed 1 2 4");
    assert_ok(streams_release(binding));
    assert_int_equal(here.destroyed, 0);
    recorder_end(&r);
    assert_int_equal(here.destroyed, 1);
}

static void changes_tell_what_they_publish(void **state) {
    (void)state;
    place here = { .number = 1 };
    streams_subject *subject = streams_passthrough_subject_create();
    streams_binding *binding = streams_binding_create(
        get_number, set_number, &here, place_destroy, streams_subject_publisher(subject));
    recorder r = { 0 };
    watch(&r, binding);
    assert_ok(set(binding, 2));
    assert_ok(send_int(subject, 5));
    assert_log(&r.log, "subscribed 1 5");
    assert_ok(finish(subject));
    assert_log(&r.log, "finished destroyed");
    recorder_end(&r);
    assert_ok(streams_release(binding));
    assert_ok(streams_release(subject));
    assert_refused(STREAMS_STALE_HANDLE, "streams_binding_create",
        streams_binding_create(get_number, set_number, &here, place_destroy, (void *)subject));
    assert_int_equal(here.destroyed, 2);
}

static void a_constant_stays_what_it_is(void **state) {
    (void)state;
    streams_value five = streams_int(5);
    streams_binding *binding = streams_binding_constant(&five);
    assert_ok(set(binding, 6));
    assert_int_equal(get(binding), 5);
    assert_stream(streams_binding_values(binding), "subscribed 5 finished destroyed");
    assert_ok(streams_release(binding));
}

static void a_subject_is_set_and_watched(void **state) {
    (void)state;
    streams_subject *subject = current(1), *none = streams_passthrough_subject_create();
    streams_binding *binding = streams_binding_of_subject(subject);
    recorder r = { 0 };
    watch(&r, binding);
    assert_ok(set(binding, 2));
    assert_ok(send_int(subject, 3));
    assert_int_equal(get(binding), 3);
    assert_log(&r.log, "subscribed 1 2 3");
    recorder_end(&r);
    assert_ok(streams_release(binding));
    assert_ok(streams_release(subject));
    assert_refused(
        STREAMS_WRONG_KIND, "streams_binding_of_subject", streams_binding_of_subject(none));
    assert_ok(streams_release(none));
}

/* Who watches can read what it is told, and the object is kept. */
static void log_what_is_read(recorder *self, const streams_value *value) {
    (void)value;
    log_add(&self->log, "read:%d", (int)get(self->extra));
}

static void a_value_of_an_object_is_bound(void **state) {
    (void)state;
    streams_value zero = streams_int(0), one = streams_int(1);
    streams_observable_object *object = streams_observable_object_create();
    assert_ok(streams_observable_object_add(object, "x", &zero));
    streams_binding *binding = streams_observable_object_binding(object, "x");
    recorder r = { .on_value = log_what_is_read, .extra = binding }, changes = { 0 };
    watch(&r, binding);
    recorder_subscribe(&changes, streams_observable_object_will_change(object), STREAMS_UNLIMITED);
    assert_ok(streams_observable_object_set_value(object, "x", &one));
    assert_ok(streams_release(object));
    assert_ok(set(binding, 2));
    assert_int_equal(get(binding), 2);
    assert_log(&r.log, "subscribed 0 read:0 1 read:1 2 read:2");
    assert_log(&changes.log, "subscribed null null");
    recorder_end(&r);
    recorder_end(&changes);
    assert_ok(streams_release(binding));
}

/* ---- Parts ------------------------------------------------------------------------- */

static streams_status ten_times(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    *out = streams_int(in->as.integer * 10);
    return STREAMS_OK;
}

static streams_status a_tenth(
    void *context, const streams_value *whole, const streams_value *part, streams_value *out) {
    (void)context, (void)whole;
    if (part->as.integer % 10 != 0) return streams_callback_fail_with(10, "test", "no multiple of ten");
    *out = streams_int(part->as.integer / 10);
    return STREAMS_OK;
}

static void a_part_is_made_by_a_pair_of_functions(void **state) {
    (void)state;
    counter c = { 0 };
    streams_subject *subject = current(1);
    streams_binding *binding = streams_binding_of_subject(subject);
    streams_binding *part = streams_binding_map(binding, ten_times, a_tenth, &c, counter_destroy);
    streams_property *property = streams_binding_property(part);
    recorder r = { 0 };
    watch(&r, part);
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
    watch(&r, inner);
    assert_int_equal(get(inner), 3);
    assert_ok(set(inner, 4));
    assert_value(binding, "[1, [4]]");
    assert_ok(streams_binding_set_value(binding, &shorter));
    assert_int_equal(get(inner), 4);
    assert_int_equal(set(inner, 5), STREAMS_CALLBACK_FAILED);
    assert_value(binding, "[1]");
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

/* ---- Failures ----------------------------------------------------------------------- */

static void functions_fail_the_call_and_who_watches(void **state) {
    (void)state;
    place here = { .number = 1 };
    streams_binding *binding = streams_binding_create(get_number, set_number, &here, NULL, NULL);
    streams_binding *part = streams_binding_map(binding, ten_times, a_tenth, NULL, NULL);
    recorder r = { 0 };
    watch(&r, part);
    assert_int_equal(set(part, -10), STREAMS_CALLBACK_FAILED);
    assert_string_equal(streams_last_message(), "negative");
    assert_log(&r.log, "subscribed 10");
    assert_ok(set(part, 130));
    assert_log(&r.log, "failed(unlucky) destroyed");
    assert_int_equal(get(part), -1);
    assert_string_equal(streams_last_message(), "unlucky");
    /* The whole cannot be had, of which the part is a part. */
    assert_int_equal(set(part, 20), STREAMS_CALLBACK_FAILED);
    assert_string_equal(streams_last_message(), "unlucky");
    assert_refused(STREAMS_CALLBACK_FAILED, "streams_binding_element", streams_binding_element(part, 0));
    assert_ok(set(binding, 2));
    assert_int_equal(get(part), 20);
    recorder_end(&r);
    assert_ok(streams_release(part));
    assert_ok(streams_release(binding));
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
    watch(&r, part);
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

/* ---- Assignments ---------------------------------------------------------------------- */

static void a_publisher_is_assigned_to_a_binding(void **state) {
    (void)state;
    place here = { .number = 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    streams_binding *binding = streams_binding_create(get_number, set_number, &here, place_destroy, NULL);
    streams_cancellable *ticket = streams_assign_to_binding(streams_subject_publisher(subject), binding);
    assert_ok(streams_release(binding));
    const int64_t numbers[] = { 1, -1, 2 };
    assert_ok(streams_subject_send_int64s(subject, numbers, 3));
    assert_int_equal(here.number, 2);
    assert_int_equal(here.destroyed, 0);
    assert_ok(streams_release(ticket));
    assert_int_equal(here.destroyed, 1);
    assert_ok(streams_release(subject));
}

static void what_is_assigned_to_itself_ends(void **state) {
    (void)state;
    counter c = { 0 };
    place here = { .number = 0 };
    streams_subject *subject = current(1);
    streams_binding *bindings[] = { streams_binding_of_subject(subject),
        streams_binding_create(get_number, set_number, &here, NULL, NULL) };
    for (int i = 0; i < 2; i++) {
        streams_publisher *values =
            streams_map(streams_binding_values(bindings[i]), identity, &c, counter_destroy);
        streams_cancellable *ticket = streams_assign_to_binding(values, bindings[i]);
        assert_int_equal(c.destroyed, i + 1);
        assert_ok(streams_release(ticket));
        assert_ok(streams_release(bindings[i]));
    }
    assert_true(c.calls > 100);
    assert_ok(streams_release(subject));
}

/* ---- Inside a callback ----------------------------------------------------------------- */

/* Sets the binding again, and lets go of it. */
static streams_status set_once_more(void *context, const streams_value *value) {
    place *self = context;
    self->number = value->as.integer;
    if (value->as.integer != 1) return STREAMS_OK;
    self->wrong |= set(self->binding, -1) != STREAMS_OK || get(self->binding) != -1;
    self->wrong |= streams_release(self->binding) != STREAMS_OK;
    return streams_callback_fail_with(2, "test", "after all");
}

static void a_function_sets_and_releases_its_binding(void **state) {
    (void)state;
    place here = { .number = 0 };
    here.binding = streams_binding_create(get_number, set_once_more, &here, place_destroy, NULL);
    recorder r = { 0 };
    watch(&r, here.binding);
    assert_int_equal(set(here.binding, 1), STREAMS_CALLBACK_FAILED);
    assert_string_equal(streams_last_message(), "after all");
    assert_int_equal(set(here.binding, 1), STREAMS_STALE_HANDLE);
    assert_false(here.wrong);
    assert_log(&r.log, "subscribed 0 -1");
    assert_int_equal(here.destroyed, 0);
    recorder_end(&r);
    assert_int_equal(here.destroyed, 1);
}

static void set_higher(recorder *self, const streams_value *value) {
    place *here = self->extra;
    if (value->as.integer < 3) here->wrong |= set(here->binding, value->as.integer + 1) != STREAMS_OK;
    here->wrong |= get(here->binding) != 3;
}

static void a_watcher_sets_the_binding(void **state) {
    (void)state;
    streams_subject *subject = current(0);
    place here = { .binding = streams_binding_of_subject(subject) };
    recorder r = { .on_value = set_higher, .extra = &here };
    watch(&r, here.binding);
    assert_int_equal(get(here.binding), 3);
    assert_log(&r.log, "subscribed 0 1 2 3");
    recorder_end(&r);
    assert_ok(streams_release(here.binding));
    assert_ok(streams_release(subject));
}

/* ---- Threads --------------------------------------------------------------------------- */

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
    assert_value(binding, "[1000, 1000, 1000, 1000]");
    recorder_end(&r);
    assert_ok(streams_release(binding));
    assert_ok(streams_release(subject));
}

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

/* A hundred, which also a thread with a small stack can read, set, watch and let go of. */
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
    watch(&r, binding);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        test(two_functions_tell_what_is_set),
        test(changes_tell_what_they_publish),
        test(a_constant_stays_what_it_is),
        test(a_subject_is_set_and_watched),
        test(a_value_of_an_object_is_bound),
        test(a_part_is_made_by_a_pair_of_functions),
        test(an_item_of_a_list_is_bound),
        test(functions_fail_the_call_and_who_watches),
        test(a_part_keeps_its_last_value_while_it_is_missing),
        test(a_publisher_is_assigned_to_a_binding),
        test(what_is_assigned_to_itself_ends),
        test(a_function_sets_and_releases_its_binding),
        test(a_watcher_sets_the_binding),
        test(threads_set_different_parts),
        test(a_part_of_parts_is_set_in_one_go),
        test(parts_of_parts_end_somewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
