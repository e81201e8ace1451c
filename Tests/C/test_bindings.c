/* Bindings: what they stand on, failures, assignments, re-entrance. */

#include "state.h"

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
    watch_binding(&r, binding);
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
    watch_binding(&r, binding);
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
    watch_binding(&r, binding);
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
    watch_binding(&r, binding);
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

/* ---- Failures ----------------------------------------------------------------------- */

static void functions_fail_the_call_and_who_watches(void **state) {
    (void)state;
    place here = { .number = 1 };
    streams_binding *binding = streams_binding_create(get_number, set_number, &here, NULL, NULL);
    streams_binding *part = streams_binding_map(binding, ten_times, a_tenth, NULL, NULL);
    recorder r = { 0 };
    watch_binding(&r, part);
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

/* ---- Assignments ---------------------------------------------------------------------- */

static void a_publisher_is_assigned_to_a_binding(void **state) {
    (void)state;
    place here = { .number = 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    streams_binding *binding = streams_binding_create(get_number, set_number, &here, place_destroy, NULL);
    streams_cancellable *cancellable = streams_assign_to_binding(streams_subject_publisher(subject), binding);
    assert_ok(streams_release(binding));
    const int64_t numbers[] = { 1, -1, 2 };
    assert_ok(streams_subject_send_int64s(subject, numbers, 3));
    assert_int_equal(here.number, 2);
    assert_int_equal(streams_dropped(cancellable), 1);
    assert_int_equal(here.destroyed, 0);
    assert_ok(streams_release(cancellable));
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
        streams_cancellable *cancellable = streams_assign_to_binding(values, bindings[i]);
        assert_int_equal(c.destroyed, i + 1);
        assert_ok(streams_release(cancellable));
        assert_ok(streams_release(bindings[i]));
    }
    assert_true(c.calls > 100);
    assert_ok(streams_release(subject));
}

/* ---- Inside a callback ----------------------------------------------------------------- */

/* Sets the binding again, and releases it. */
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
    watch_binding(&r, here.binding);
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
    watch_binding(&r, here.binding);
    assert_int_equal(get(here.binding), 3);
    assert_log(&r.log, "subscribed 0 1 2 3");
    recorder_end(&r);
    assert_ok(streams_release(here.binding));
    assert_ok(streams_release(subject));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(two_functions_tell_what_is_set),
        test(changes_tell_what_they_publish),
        test(a_constant_stays_what_it_is),
        test(a_subject_is_set_and_watched),
        test(a_value_of_an_object_is_bound),
        test(functions_fail_the_call_and_who_watches),
        test(a_publisher_is_assigned_to_a_binding),
        test(what_is_assigned_to_itself_ends),
        test(a_function_sets_and_releases_its_binding),
        test(a_watcher_sets_the_binding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
