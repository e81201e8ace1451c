/* Observable objects: values by name, the order of signals, lifetimes, assignments. */

#include <pthread.h>

#include "support.h"

static streams_observable_object *car(void) {
    streams_observable_object *object = streams_observable_object_create();
    streams_value charge = streams_int(50), name = streams_text("Kitt");
    assert_ok(streams_observable_object_add(object, "charge", &charge));
    assert_ok(streams_observable_object_add(object, "name", &name));
    return object;
}

static streams_status set(streams_observable_object *object, const char *name, int64_t number) {
    streams_value value = streams_int(number);
    return streams_observable_object_set_value(object, name, &value);
}

static int64_t get(streams_observable_object *object, const char *name) {
    streams_value value;
    if (streams_observable_object_get_value(object, name, &value) != STREAMS_OK) return -1;
    int64_t result = value.as.integer;
    streams_value_destroy(&value);
    return result;
}

/* ---- Values -------------------------------------------------------------------- */

static void values_are_found_by_name(void **state) {
    (void)state;
    enum { COUNT = 200 };
    streams_observable_object *object = streams_observable_object_create();
    char name[16];
    for (int i = 0; i < COUNT; i++) {
        streams_value value = streams_int(i);
        snprintf(name, sizeof name, "%d", i * 7 % COUNT);
        assert_ok(streams_observable_object_add(object, name, &value));
        assert_status(STREAMS_INVALID_ARGUMENT, streams_observable_object_add(object, name, &value));
    }
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "%d", i * 7 % COUNT);
        assert_int_equal(get(object, name), i);
        assert_ok(set(object, name, -i));
        assert_int_equal(get(object, name), -i);
    }
    assert_ok(streams_release(object));
}

static void what_is_wrong_changes_nothing(void **state) {
    (void)state;
    streams_observable_object *object = car();
    streams_value bad = streams_text("\xff"), out = streams_int(1);
    recorder r = { 0 };
    recorder_subscribe(&r, streams_observable_object_will_change(object), STREAMS_UNLIMITED);
    assert_status(STREAMS_INVALID_UTF8, streams_observable_object_set_value(object, "charge", &bad));
    assert_status(STREAMS_INVALID_UTF8, streams_observable_object_add(object, "\xff", &out));
    assert_status(STREAMS_INVALID_UTF8, streams_observable_object_add(object, "more", &bad));
    assert_int_equal(set(object, "more", 1), STREAMS_INVALID_ARGUMENT);
    assert_non_null(strstr(streams_last_message(), "more"));
    assert_status(STREAMS_INVALID_UTF8, set(object, "\xff", 1));
    assert_status(STREAMS_INVALID_ARGUMENT, streams_observable_object_get_value(object, "", &out));
    assert_int_equal(out.kind, STREAMS_VALUE_NULL);
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_observable_object_publisher",
        streams_observable_object_publisher(object, "more"));
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_assign_to_published",
        streams_assign_to_published(ints(2), object, "more"));
    assert_int_equal(get(object, "charge"), 50);
    assert_log(&r.log, "subscribed");
    recorder_end(&r);
    assert_ok(streams_release(object));
}

/* ---- The order of signals -------------------------------------------------------- */

/* What is read while it is being told. */
static void log_stored(recorder *self, const streams_value *value) {
    (void)value;
    log_add(&self->log, "stored:%d", (int)get(self->extra, "charge"));
}

static void the_object_is_told_first_and_the_value_is_stored_last(void **state) {
    (void)state;
    streams_observable_object *object = car();
    recorder r = { .on_value = log_stored, .extra = object };
    recorder whole = { .on_value = log_stored, .extra = object };
    recorder_subscribe(&r, streams_observable_object_publisher(object, "charge"), STREAMS_UNLIMITED);
    recorder_subscribe(&whole, streams_observable_object_will_change(object), STREAMS_UNLIMITED);
    assert_log(&r.log, "subscribed 50 stored:50");
    assert_ok(set(object, "charge", 60));
    assert_log(&whole.log, "subscribed null stored:50");
    assert_log(&r.log, "60 stored:50");
    assert_int_equal(get(object, "charge"), 60);
    assert_ok(set(object, "name", 1));
    assert_log(&whole.log, "null stored:60");
    assert_ok(streams_observable_object_send_will_change(object));
    assert_log(&whole.log, "null stored:60");
    assert_log(&r.log, "");
    recorder_end(&r);
    recorder_end(&whole);
    assert_ok(streams_release(object));
}

static void demand_is_kept(void **state) {
    (void)state;
    streams_observable_object *object = car();
    recorder r = { 0 }, whole = { 0 };
    recorder_subscribe(&r, streams_observable_object_publisher(object, "charge"), 1);
    recorder_subscribe(&whole, streams_observable_object_will_change(object), 1);
    for (int i = 1; i < 4; i++) assert_ok(set(object, "charge", i));
    assert_log(&r.log, "subscribed 50");
    assert_log(&whole.log, "subscribed null");
    assert_ok(streams_subscription_request(r.subscription, 2));
    assert_ok(streams_subscription_request(whole.subscription, 1));
    assert_log(&r.log, "3");
    assert_log(&whole.log, "");
    assert_ok(set(object, "charge", 4));
    assert_log(&r.log, "4");
    assert_log(&whole.log, "null");
    recorder_end(&r);
    recorder_end(&whole);
    assert_ok(streams_release(object));
}

/* ---- Inside a callback ------------------------------------------------------------ */

static void set_once_more(recorder *self, const streams_value *value) {
    if (value->as.integer == 1) set(self->extra, "charge", 2);
}

static void a_value_that_is_set_inside_is_told_and_lost(void **state) {
    (void)state;
    streams_observable_object *object = car();
    recorder r = { .on_value = set_once_more, .extra = object };
    recorder_subscribe(&r, streams_observable_object_publisher(object, "charge"), STREAMS_UNLIMITED);
    assert_ok(set(object, "charge", 1));
    assert_log(&r.log, "subscribed 50 1 2");
    assert_int_equal(get(object, "charge"), 1);
    recorder_end(&r);
    assert_ok(streams_release(object));
}

static void release_it(recorder *self, const streams_value *value) {
    if (value->kind == STREAMS_VALUE_NULL) streams_release(self->extra);
}

static void an_object_is_released_while_it_tells(void **state) {
    (void)state;
    streams_observable_object *object = car();
    recorder whole = { .on_value = release_it, .extra = object }, r = { 0 };
    recorder_subscribe(&r, streams_observable_object_publisher(object, "charge"), STREAMS_UNLIMITED);
    recorder_subscribe(&whole, streams_observable_object_will_change(object), STREAMS_UNLIMITED);
    assert_ok(set(object, "charge", 1));
    assert_log(&r.log, "subscribed 50 1");
    assert_log(&whole.log, "subscribed null");
    assert_status(STREAMS_STALE_HANDLE, set(object, "charge", 2));
    recorder_end(&r);
    recorder_end(&whole);
}

static void cancel_it(recorder *self, const streams_value *value) {
    if (value->as.integer == 1) streams_cancel(((recorder *)self->extra)->cancellable);
}

static void a_subscriber_cancels_another_one(void **state) {
    (void)state;
    streams_observable_object *object = car();
    recorder second = { 0 }, first = { .on_value = cancel_it, .extra = &second };
    recorder_subscribe(&first, streams_observable_object_publisher(object, "charge"), STREAMS_UNLIMITED);
    recorder_subscribe(&second, streams_observable_object_publisher(object, "charge"), STREAMS_UNLIMITED);
    assert_ok(set(object, "charge", 1));
    assert_log(&first.log, "subscribed 50 1");
    assert_log(&second.log, "subscribed 50 destroyed");
    recorder_end(&first);
    recorder_end(&second);
    assert_ok(streams_release(object));
}

/* ---- Lifetimes ------------------------------------------------------------------- */

static void publishers_are_silent_when_the_object_is_gone(void **state) {
    (void)state;
    streams_observable_object *object = car();
    streams_publisher *charge = streams_observable_object_publisher(object, "charge");
    streams_publisher *will_change = streams_observable_object_will_change(object);
    recorder r = { 0 }, whole = { 0 };
    assert_ok(set(object, "charge", 7));
    assert_ok(streams_release(object));
    recorder_subscribe(&r, charge, STREAMS_UNLIMITED);
    recorder_subscribe(&whole, will_change, STREAMS_UNLIMITED);
    assert_log(&r.log, "subscribed 7");
    assert_log(&whole.log, "subscribed");
    recorder_end(&r);
    recorder_end(&whole);
    assert_int_equal(r.destroyed + whole.destroyed, 2);
}

/* ---- Assignments ----------------------------------------------------------------- */

static void assignments_set_and_end_with_the_object(void **state) {
    (void)state;
    counter c = { 0 };
    streams_observable_object *object = car();
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *p = streams_map(streams_subject_publisher(subject), add_one, &c, counter_destroy);
    streams_cancellable *cancellable = streams_assign_to_published(p, object, "charge");
    assert_non_null(cancellable);
    assert_ok(send_int(subject, 1));
    assert_int_equal(get(object, "charge"), 2);
    assert_int_equal(c.destroyed, 0);
    assert_ok(streams_release(object));
    assert_int_equal(c.destroyed, 1);
    assert_ok(send_int(subject, 1));
    assert_int_equal(c.calls, 1);
    assert_ok(streams_release(cancellable));
    assert_ok(streams_release(subject));
}

static void an_assignment_is_cancelled_and_ends(void **state) {
    (void)state;
    counter c = { 0 };
    streams_observable_object *object = car();
    streams_subject *subject = streams_passthrough_subject_create();
    for (int i = 0; i < 3; i++) {
        streams_publisher *p = streams_map(streams_subject_publisher(subject), add_one, &c, counter_destroy);
        streams_cancellable *cancellable = streams_assign_to_published(p, object, "charge");
        if (i == 1) assert_ok(streams_cancel(cancellable));
        if (i == 2) assert_ok(fail_with(subject, "over"));
        assert_ok(streams_release(cancellable));
        assert_int_equal(c.destroyed, i + 1);
    }
    assert_ok(set(object, "charge", 3));
    assert_ok(streams_release(object));
    assert_ok(streams_release(subject));
}

/* The object does not keep itself. */
static void an_object_is_assigned_what_is_made_of_itself(void **state) {
    (void)state;
    counter c = { 0 };
    streams_observable_object *object = car();
    streams_publisher *p = streams_observable_object_publisher(object, "name");
    p = streams_map(streams_drop_first(p, 1), add_one, &c, counter_destroy);
    streams_cancellable *cancellable = streams_assign_to_published(p, object, "charge");
    assert_ok(set(object, "name", 8));
    assert_int_equal(get(object, "charge"), 9);
    assert_ok(streams_release(object));
    assert_int_equal(c.destroyed, 1);
    assert_ok(streams_release(cancellable));
}

static void release_the_object(recorder *self, const streams_value *value) {
    if (value->as.integer == 2) streams_release(self->extra);
}

/* The assignment that is under way is the object's last. */
static void an_object_is_released_by_what_it_is_assigned(void **state) {
    (void)state;
    streams_observable_object *object = car();
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { .on_value = release_the_object, .extra = object };
    recorder_subscribe(&r, streams_observable_object_publisher(object, "charge"), STREAMS_UNLIMITED);
    streams_cancellable *cancellable =
        streams_assign_to_published(streams_subject_publisher(subject), object, "charge");
    for (int i = 1; i < 4; i++) assert_ok(send_int(subject, i));
    assert_log(&r.log, "subscribed 50 1 2");
    assert_ok(streams_release(cancellable));
    recorder_end(&r);
    assert_ok(streams_release(subject));
}

/* The value goes round until the stack is used up. */
static void a_circle_of_assignments_ends(void **state) {
    (void)state;
    counter c = { 0 };
    streams_observable_object *object = car();
    streams_publisher *p = streams_observable_object_publisher(object, "charge");
    p = streams_map(p, add_one, &c, counter_destroy);
    streams_cancellable *cancellable = streams_assign_to_published(p, object, "charge");
    assert_int_equal(c.destroyed, 1);
    assert_true(c.calls > 10);
    assert_ok(streams_release(cancellable));
    assert_ok(streams_release(object));
}

/* ---- Threads ---------------------------------------------------------------------- */

enum { THREADS = 4,
    SETS = 2000 };

static void *set_and_get(void *object) {
    intptr_t wrong = 0;
    for (int i = 0; i < SETS; i++) {
        wrong += set(object, "charge", i) != STREAMS_OK;
        int64_t now = get(object, "charge");
        wrong += now < 0 || now >= SETS;
    }
    return (void *)wrong;
}

static uint64_t count_value(void *context, const streams_value *value) {
    /* Calls are serial: no atomic. */
    (void)value;
    ++*(int *)context;
    return 0;
}

static void threads_set_one_value(void **state) {
    (void)state;
    pthread_t threads[THREADS];
    streams_observable_object *object = car();
    assert_ok(set(object, "charge", 0));
    int values = 0, changes = 0;
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.on_value = count_value;
    subscriber.context = &values;
    streams_cancellable *cancellable =
        streams_sink(streams_observable_object_publisher(object, "charge"), &subscriber);
    subscriber.context = &changes;
    streams_cancellable *other = streams_sink(streams_observable_object_will_change(object), &subscriber);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, set_and_get, object), 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong = NULL;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    assert_int_equal(values, THREADS * SETS + 1);
    assert_int_equal(changes, THREADS * SETS);
    assert_ok(streams_release(cancellable));
    assert_ok(streams_release(other));
    assert_ok(streams_release(object));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(values_are_found_by_name),
        test(what_is_wrong_changes_nothing),
        test(the_object_is_told_first_and_the_value_is_stored_last),
        test(demand_is_kept),
        test(a_value_that_is_set_inside_is_told_and_lost),
        test(an_object_is_released_while_it_tells),
        test(a_subscriber_cancels_another_one),
        test(publishers_are_silent_when_the_object_is_gone),
        test(assignments_set_and_end_with_the_object),
        test(an_assignment_is_cancelled_and_ends),
        test(an_object_is_assigned_what_is_made_of_itself),
        test(an_object_is_released_by_what_it_is_assigned),
        test(a_circle_of_assignments_ends),
        test(threads_set_one_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
