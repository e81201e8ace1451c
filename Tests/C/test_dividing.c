/* group_by and window: streams that are values of a stream. */

#include <pthread.h>

#include "support.h"

static streams_status parity(void *context, const streams_value *in, streams_value *out) {
    counter *self = context;
    self->calls++;
    *out = streams_text(in->as.integer % 2 == 0 ? "even" : "odd");
    return STREAMS_OK;
}

static streams_status count_of(void *context, const streams_value *in, streams_publisher **out) {
    (void)context;
    *out = streams_count(streams_value_publisher(in));
    return STREAMS_OK;
}

static streams_publisher *flattened(streams_publisher *p) {
    return streams_flat_map(p, STREAMS_UNLIMITED, publisher_of, NULL, NULL);
}

static streams_status key_of(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    return streams_group_key(in, out);
}

static void a_group_has_a_key_and_a_publisher(void **state) {
    (void)state;
    counter c = { 0 };
    assert_stream(streams_map(streams_group_by(ints(3), 9, parity, &c, counter_destroy), key_of, NULL, NULL),
        "subscribed odd even finished destroyed");
    assert_int_equal(c.calls, 3);
    assert_int_equal(c.destroyed, 1);
    assert_stream(
        flattened(streams_group_by(ints(3), 9, parity, &c, NULL)), "subscribed 1 2 3 finished destroyed");
}

static void windows_have_publishers(void **state) {
    (void)state;
    streams_publisher *windows = streams_window_by_count(ints(5), 2, 2, 9);
    assert_stream(streams_flat_map(windows, STREAMS_UNLIMITED, count_of, NULL, NULL),
        "subscribed 2 2 1 finished destroyed");
    assert_stream(flattened(streams_window_by_count(ints(3), 2, 1, STREAMS_UNLIMITED)),
        "subscribed 1 2 2 3 3 finished destroyed");
    assert_stream(flattened(streams_window(ints(3), streams_empty(false), 9)),
        "subscribed 1 2 3 finished destroyed");
}

/* ---- What is kept ------------------------------------------------------------ */

enum { MOST_KEPT = 4 };

typedef struct keeper {
    streams_value values[MOST_KEPT];
    size_t count;
} keeper;

static uint64_t keep(void *context, const streams_value *value) {
    keeper *self = context;
    if (self->count < MOST_KEPT) (void)streams_value_copy(value, &self->values[self->count++]);
    return 0;
}

static streams_cancellable *keep_all(keeper *self, streams_publisher *p) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.on_value = keep;
    subscriber.context = self;
    return streams_sink(p, &subscriber);
}

static void keeper_end(keeper *self) {
    for (size_t i = 0; i < self->count; i++) streams_value_destroy(&self->values[i]);
}

static void a_group_outlives_its_stream(void **state) {
    (void)state;
    counter c = { 0 };
    keeper k = { .count = 0 };
    recorder r = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *p = streams_subject_publisher(subject);
    p = streams_group_by(p, 9, parity, &c, counter_destroy);
    streams_cancellable *cancellable = keep_all(&k, p);
    for (int64_t i = 1; i <= 3; i++) assert_ok(send_int(subject, i));
    assert_int_equal(k.count, 2);
    assert_true(!equal(&k.values[0], &k.values[1]));
    assert_true(equal(&k.values[0], &k.values[0]));
    recorder_subscribe(&r, streams_value_publisher(&k.values[0]), STREAMS_UNLIMITED);
    assert_ok(streams_release(cancellable));
    assert_ok(send_int(subject, 5));
    assert_ok(send_int(subject, 6));
    assert_log(&r.log, "subscribed 1 3 5");
    /* One subscriber each, and none any more for what had none. */
    for (size_t i = 0; i < 2; i++)
        assert_stream(streams_value_publisher(&k.values[i]), "subscribed finished destroyed");
    keeper_end(&k);
    assert_int_equal(c.destroyed, 0);
    recorder_end(&r);
    assert_int_equal(c.destroyed, 1);
    assert_ok(streams_release(subject));
}

static void what_nobody_subscribes_to_holds_back_the_rest(void **state) {
    (void)state;
    keeper k = { .count = 0 };
    recorder r = { 0 };
    streams_cancellable *cancellable = keep_all(&k, streams_window_by_count(ints(20), 2, 2, 4));
    assert_int_equal(k.count, 2);
    recorder_subscribe(&r, streams_value_publisher(&k.values[0]), STREAMS_UNLIMITED);
    assert_log(&r.log, "subscribed 1 2 finished destroyed");
    assert_int_equal(k.count, 3);
    recorder_end(&r);
    keeper_end(&k);
    assert_ok(streams_release(cancellable));
}

static void what_is_let_go_of_is_dropped(void **state) {
    (void)state;
    recorder r = { 0 };
    streams_publisher *p = streams_window_by_count(ints(20000), 2, 2, 4);
    recorder_subscribe(&r, streams_count(p), STREAMS_UNLIMITED);
    assert_log(&r.log, "subscribed 10000 finished destroyed");
    recorder_end(&r);
}

/* A subject that keeps what it has been divided into. */
static void a_subject_may_keep_its_own_window(void **state) {
    (void)state;
    const streams_value zero = streams_int(0);
    streams_scheduler *scheduler = streams_virtual_scheduler_create();
    streams_subject *subject = streams_current_value_subject_create(&zero);
    streams_publisher *p = streams_window_by_time(streams_subject_publisher(subject), 10, 1, scheduler);
    streams_cancellable *cancellable = streams_subscribe(p, subject);
    assert_ok(streams_release(cancellable));
    assert_ok(streams_release(subject));
    assert_ok(streams_release(scheduler));
}

/* ---- Mistakes ------------------------------------------------------------------ */

static void other_values_are_refused(void **state) {
    (void)state;
    static const streams_object_type type = STREAMS_OBJECT_TYPE_INIT;
    keeper k = { .count = 0 };
    streams_value out = streams_int(1), object;
    const streams_value one = streams_int(1);
    assert_ok(streams_value_object(&type, &out, &object));
    assert_refused(STREAMS_INVALID_VALUE, "streams_value_publisher", streams_value_publisher(&one));
    assert_refused(STREAMS_INVALID_VALUE, "streams_value_publisher", streams_value_publisher(&object));
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_value_publisher", streams_value_publisher(NULL));
    assert_status(STREAMS_INVALID_VALUE, streams_group_key(&object, &out));
    assert_int_equal(out.kind, STREAMS_VALUE_NULL);
    assert_status(STREAMS_INVALID_ARGUMENT, streams_group_key(&object, &object));
    streams_value_destroy(&object);
    streams_cancellable *cancellable = keep_all(&k, streams_window_by_count(ints(1), 1, 1, 1));
    assert_status(STREAMS_INVALID_VALUE, streams_group_key(&k.values[0], &out));
    keeper_end(&k);
    assert_ok(streams_release(cancellable));
}

static void bad_numbers_are_refused(void **state) {
    (void)state;
    streams_scheduler *virtual = streams_virtual_scheduler_create();
    streams_scheduler *immediate = streams_immediate_scheduler_create();
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_window_by_count",
        streams_window_by_count(ints(1), 0, 1, 1));
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_window_by_count",
        streams_window_by_count(ints(1), 1, 0, 1));
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_window_by_time",
        streams_window_by_time(ints(1), -1, 1, virtual));
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_window_by_time",
        streams_window_by_time(ints(1), 1, 1, immediate));
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_window_by_time_or_count",
        streams_window_by_time_or_count(ints(1), 1, 0, 1, virtual));
    assert_ok(streams_release(immediate));
    assert_ok(streams_release(virtual));
}

static void windows_of_time(void **state) {
    (void)state;
    recorder r = { 0 };
    streams_scheduler *scheduler = streams_virtual_scheduler_create();
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *p = streams_subject_publisher(subject);
    p = streams_window_by_time_or_count(p, 10, 2, 9, scheduler);
    recorder_subscribe(&r, streams_flat_map(p, STREAMS_UNLIMITED, count_of, NULL, NULL), STREAMS_UNLIMITED);
    for (int64_t i = 0; i < 3; i++) assert_ok(send_int(subject, i));
    assert_ok(streams_virtual_scheduler_advance(scheduler, 20));
    assert_ok(finish(subject));
    assert_log(&r.log, "subscribed 2 1 0 0 finished destroyed");
    recorder_end(&r);
    assert_ok(streams_release(subject));
    assert_ok(streams_release(scheduler));
}

/* ---- Threads ------------------------------------------------------------------- */

enum { SENDERS = 8,
    ROUNDS = 500 };

static streams_status rest(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    *out = streams_int(in->as.integer % 10);
    return STREAMS_OK;
}

static void *send_many(void *subject) {
    for (int64_t i = 0; i < ROUNDS; i++) (void)send_int(subject, i);
    return NULL;
}

static void threads_send_into_groups(void **state) {
    (void)state;
    pthread_t threads[SENDERS];
    recorder r = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *p = streams_subject_publisher(subject);
    p = streams_group_by(p, STREAMS_UNLIMITED, rest, NULL, NULL);
    recorder_subscribe(&r, streams_count(flattened(p)), STREAMS_UNLIMITED);
    for (int i = 0; i < SENDERS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, send_many, subject), 0);
    }
    for (int i = 0; i < SENDERS; i++) pthread_join(threads[i], NULL);
    assert_ok(finish(subject));
    assert_log(&r.log, "subscribed 4000 finished destroyed");
    recorder_end(&r);
    assert_ok(streams_release(subject));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_group_has_a_key_and_a_publisher),
        test(windows_have_publishers),
        test(a_group_outlives_its_stream),
        test(what_nobody_subscribes_to_holds_back_the_rest),
        test(what_is_let_go_of_is_dropped),
        test(a_subject_may_keep_its_own_window),
        test(other_values_are_refused),
        test(bad_numbers_are_refused),
        test(windows_of_time),
        test(threads_send_into_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
