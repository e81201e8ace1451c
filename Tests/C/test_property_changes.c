/* Changes of properties that follow from changes: inside callbacks, in circles, on threads. */

#include <pthread.h>

#include "state.h"

/* ---- Inside a callback ------------------------------------------------------------- */

static void send_one_more(recorder *self, const streams_value *value) {
    if (value->as.integer < 4) send_int(self->extra, value->as.integer + 1);
}

static void a_change_by_a_watcher_comes_after(void **state) {
    (void)state;
    streams_subject *subject = current(1);
    streams_property *property = of(subject);
    recorder first = { .on_value = send_one_more, .extra = subject }, second = { 0 };
    watch(&second, property);
    watch(&first, property);
    assert_log(&first.log, "subscribed 1 2 3 4");
    assert_log(&second.log, "subscribed 1 2 3 4");
    recorder_end(&first);
    recorder_end(&second);
    release_both(property, subject);
}

/* Everything that a function may do with the very property. */
typedef struct intruder {
    streams_subject *subject;
    streams_property *property, *made;
    streams_cancellable *cancellable;
    int destroyed;
    bool wrong;
} intruder;

static streams_status intrude(void *context, const streams_value *in, streams_value *out) {
    intruder *self = context;
    streams_value seen = streams_null();
    *out = streams_int(in->as.integer);
    if (in->as.integer != 2) return STREAMS_OK;
    /* It is not there yet, and what is set now comes next. */
    self->wrong |= value_of(self->property) != 1;
    self->wrong |= send_int(self->subject, 5) != STREAMS_OK;
    self->wrong |= streams_property_get_value(self->property, &seen) != STREAMS_OK;
    self->made = streams_property_map(self->property, add_one, NULL, NULL);
    self->wrong |= self->made == NULL || value_of(self->made) != 2;
    self->wrong |= streams_cancel(self->cancellable) != STREAMS_OK;
    self->wrong |= streams_release(self->property) != STREAMS_OK;
    return STREAMS_OK;
}

static void intruder_destroy(void *context) {
    intruder *self = context;
    self->destroyed++;
    self->wrong |= send_int(self->subject, 7) != STREAMS_OK;
}

static void a_function_does_everything_to_its_property(void **state) {
    (void)state;
    intruder self = { .subject = current(1) };
    streams_property *source = of(self.subject);
    recorder r = { 0 };
    self.property = streams_property_map(source, intrude, &self, intruder_destroy);
    watch(&r, self.property);
    self.cancellable = r.cancellable;
    assert_ok(send_int(self.subject, 2));
    assert_false(self.wrong);
    assert_log(&r.log, "subscribed 1 destroyed");
    assert_int_equal(value_of(source), 5);
    assert_int_equal(value_of(self.made), 6);
    assert_int_equal(self.destroyed, 0);
    assert_ok(streams_release(self.made));
    assert_int_equal(self.destroyed, 1);
    assert_int_equal(value_of(source), 7);
    assert_false(self.wrong);
    recorder_end(&r);
    release_both(source, self.subject);
}

static void release_all(recorder *self, const streams_value *value) {
    intruder *its = self->extra;
    if (value->as.integer != 2) return;
    its->wrong |= streams_release(its->property) != STREAMS_OK;
    its->wrong |= streams_cancel(its->cancellable) != STREAMS_OK;
}

static void a_watcher_cancels_and_releases(void **state) {
    (void)state;
    intruder self = { .subject = current(1) };
    self.property = of(self.subject);
    recorder r = { .on_value = release_all, .extra = &self }, other = { 0 };
    watch(&r, self.property);
    watch(&other, self.property);
    self.cancellable = r.cancellable;
    for (int i = 2; i < 4; i++) assert_ok(send_int(self.subject, i));
    assert_log(&r.log, "subscribed 1 2 destroyed");
    assert_log(&other.log, "subscribed 1 2 3");
    assert_false(self.wrong);
    recorder_end(&r);
    recorder_end(&other);
    assert_ok(streams_release(self.subject));
}

/* ---- Circles ---------------------------------------------------------------------------- */

/* The subject fails, as in any circle, and what follows it has no value. */
static void a_circle_without_an_end_fails(void **state) {
    (void)state;
    streams_subject *subject = current(1);
    streams_property *property = of(subject);
    streams_publisher *values = streams_map(streams_property_all_values(property), add_one, NULL, NULL);
    streams_cancellable *cancellable = streams_subscribe(values, subject);
    assert_int_equal(value_of(property), -1);
    assert_non_null(strstr(streams_last_message(), "without an end"));
    assert_stream(streams_subject_publisher(subject),
        "subscribed failed(changes follow from each other without an end) destroyed");
    assert_ok(streams_release(cancellable));
    release_both(property, subject);
}

static streams_status raise(void *context, const streams_value *in, streams_value *out) {
    *out = streams_int(in->as.integer);
    return in->as.integer == 0 ? STREAMS_OK : send_int(context, in->as.integer + 1);
}

/* A later change from outside is a value again. */
static void a_function_that_changes_its_source_for_ever_is_stopped(void **state) {
    (void)state;
    streams_subject *subject = current(0);
    streams_property *property = of(subject);
    streams_property *raised = streams_property_map(property, raise, subject, NULL);
    assert_ok(send_int(subject, 1));
    assert_int_equal(value_of(property), -1);
    assert_int_equal(value_of(raised), -1);
    assert_ok(send_int(subject, 0));
    assert_int_equal(value_of(raised), 0);
    assert_ok(streams_release(raised));
    release_both(property, subject);
}

static uint64_t set_another(void *context, const streams_value *value) {
    streams_value next = streams_int(value->as.integer + 1);
    (void)streams_current_value_subject_set_value(context, &next);
    return 0;
}

static void a_circle_that_widens_ends(void **state) {
    (void)state;
    streams_value value = streams_int(1);
    streams_subject *subject = streams_current_value_subject_create(&value);
    streams_property *property = streams_property_of_subject(subject);
    streams_cancellable *cancellables[2];
    for (int i = 0; i < 2; i++) {
        streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
        subscriber.on_value = set_another;
        subscriber.context = subject;
        cancellables[i] = streams_sink(streams_property_subsequent_values(property), &subscriber);
    }
    assert_ok(streams_current_value_subject_set_value(subject, &value));
    assert_int_equal(streams_property_get_value(property, &value), STREAMS_CALLBACK_FAILED);
    streams_error *error = streams_last_error();
    assert_int_equal(streams_error_code(error), STREAMS_LIMIT);
    assert_ok(streams_release(error));
    streams_clear_last_error();
    for (int i = 0; i < 2; i++) assert_ok(streams_release(cancellables[i]));
    assert_ok(streams_release(property));
    assert_ok(streams_release(subject));
}

/* ---- Threads ----------------------------------------------------------------------- */

enum { THREADS = 4,
    CHANGES = 1000 };

typedef struct race {
    streams_subject *subjects[2];
    streams_property *total, *twice;
    _Atomic bool wrong;
} race;

static void *change_and_derive(void *context) {
    race *self = context;
    for (int i = 0; i < CHANGES; i++) {
        send_int(self->subjects[i % 2], 2 * i);
        streams_property *derived = streams_property_map(self->total, add_one, NULL, NULL);
        self->wrong = self->wrong || value_of(derived) % 2 != 1 || value_of(self->twice) % 4 != 0;
        streams_release(derived);
    }
    return NULL;
}

static void look_for_mixtures(recorder *self, const streams_value *value) {
    race *its = self->extra;
    its->wrong = its->wrong || value->as.integer % 4 != 0;
    self->log.length = 0;
}

static void threads_change_what_is_derived(void **state) {
    (void)state;
    pthread_t threads[THREADS];
    race self = { .subjects = { current(0), current(0) } };
    streams_property *sources[] = { of(self.subjects[0]), of(self.subjects[1]) };
    self.total = streams_property_combine_latest(sources, 2, sum_of_all, NULL, NULL);
    streams_property *sides[] = { self.total, self.total };
    self.twice = streams_property_combine_latest(sides, 2, sum_of_all, NULL, NULL);
    recorder r = { .on_value = look_for_mixtures, .extra = &self };
    watch(&r, self.twice);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, change_and_derive, &self), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_false(self.wrong);
    recorder_end(&r);
    assert_ok(streams_release(self.twice));
    assert_ok(streams_release(self.total));
    for (int i = 0; i < 2; i++) release_both(sources[i], self.subjects[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_change_by_a_watcher_comes_after),
        test(a_function_does_everything_to_its_property),
        test(a_watcher_cancels_and_releases),
        test(a_circle_without_an_end_fails),
        test(a_function_that_changes_its_source_for_ever_is_stopped),
        test(a_circle_that_widens_ends),
        test(threads_change_what_is_derived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
