/* References: retain, release, kinds, and how long things live. */

#include <pthread.h>

#include "support.h"

static void retain_and_release_count(void **state) {
    (void)state;
    size_t before = streams_live_handles();
    streams_publisher *p = ints(1);
    assert_int_equal(streams_live_handles() - before, 1);
    assert_ok(streams_retain(p));
    assert_ok(streams_retain(p));
    assert_int_equal(streams_live_handles() - before, 1);
    assert_ok(streams_release(p));
    assert_ok(streams_release(p));
    assert_int_equal(streams_handle_kind(p), STREAMS_KIND_PUBLISHER);
    assert_ok(streams_release(p));
    assert_int_equal(streams_handle_kind(p), STREAMS_KIND_NONE);
    assert_status(STREAMS_STALE_HANDLE, streams_release(p));
    assert_status(STREAMS_STALE_HANDLE, streams_retain(p));
}

static void handles_are_positive_numbers(void **state) {
    (void)state;
    streams_publisher *all[100];
    for (int i = 0; i < 100; i++) {
        all[i] = ints(1);
        assert_true((intptr_t)all[i] > 0);
    }
    for (int i = 0; i < 100; i++) assert_ok(streams_release(all[i]));
}

static void a_place_taken_again_gets_another_handle(void **state) {
    (void)state;
    enum { ROUNDS = 1000 };
    static streams_publisher *old[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        old[i] = ints(1);
        assert_ok(streams_release(old[i]));
    }
    streams_publisher *p = ints(1);
    for (int i = 0; i < ROUNDS; i++) {
        assert_ptr_not_equal(old[i], p);
        assert_int_equal(streams_handle_kind(old[i]), STREAMS_KIND_NONE);
    }
    assert_ok(streams_release(p));
}

static void many_handles_at_once(void **state) {
    (void)state;
    enum { MANY = 20000 };
    size_t before = streams_live_handles();
    streams_subject **all = calloc(MANY, sizeof *all);
    assert_non_null(all);
    for (int i = 0; i < MANY; i++) all[i] = streams_passthrough_subject_create();
    assert_int_equal(streams_live_handles() - before, MANY);
    for (int i = 0; i < MANY; i += 2) assert_ok(streams_release(all[i]));
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(streams_handle_kind(all[i]), i % 2 == 0 ? STREAMS_KIND_NONE : STREAMS_KIND_SUBJECT);
    }
    for (int i = 1; i < MANY; i += 2) assert_ok(streams_release(all[i]));
    free(all);
}

static void operators_consume(void **state) {
    (void)state;
    size_t before = streams_live_handles();
    streams_publisher *p = ints(3), *q = streams_map(p, add_one, NULL, NULL);
    assert_int_equal(streams_live_handles() - before, 1);
    assert_int_equal(streams_handle_kind(p), p == q ? STREAMS_KIND_PUBLISHER : STREAMS_KIND_NONE);
    assert_ok(streams_release(q));
}

static void a_retained_publisher_serves_twice(void **state) {
    (void)state;
    streams_publisher *p = streams_map(ints(2), add_one, NULL, NULL);
    assert_ok(streams_retain(p));
    assert_ok(streams_retain(p));
    streams_publisher *even = streams_filter(p, is_even, NULL, NULL);
    streams_publisher *more = streams_map(p, add_one, NULL, NULL);
    assert_stream(even, "subscribed 2 finished destroyed");
    assert_stream(more, "subscribed 3 4 finished destroyed");
    assert_stream(p, "subscribed 2 3 finished destroyed");
}

static void a_shared_part_of_a_chain_keeps_its_callbacks(void **state) {
    (void)state;
    counter shared = { 0 }, own = { 0 };
    streams_publisher *p = streams_map(ints(1), add_one, &shared, counter_destroy);
    assert_ok(streams_retain(p));
    streams_publisher *q = streams_map(p, add_one, &own, counter_destroy);
    assert_ok(streams_release(p));
    assert_int_equal(shared.destroyed, 0);
    assert_stream(q, "subscribed 3 finished destroyed");
    assert_int_equal(shared.destroyed, 1);
    assert_int_equal(own.destroyed, 1);
}

static void a_publisher_keeps_its_subject(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *p = streams_subject_publisher(subject);
    assert_ok(streams_release(subject));
    assert_status(STREAMS_STALE_HANDLE, send_int(subject, 1));
    recorder r = { 0 };
    recorder_subscribe(&r, p, STREAMS_UNLIMITED);
    recorder_end(&r);
    assert_log(&r.log, "subscribed destroyed");
}

static void releasing_the_last_cancellable_cancels(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { 0 };
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    assert_ok(streams_retain(r.cancellable));
    assert_ok(streams_release(r.cancellable));
    assert_ok(send_int(subject, 1));
    assert_log(&r.log, "subscribed 1");
    assert_ok(streams_release(r.cancellable));
    assert_log(&r.log, "destroyed");
    assert_ok(send_int(subject, 2));
    r.cancellable = NULL;
    recorder_end(&r);
    assert_log(&r.log, "");
    assert_ok(streams_release(subject));
}

static void a_subscription_only_loses_its_name(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { 0 };
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    assert_ok(streams_release(r.subscription));
    assert_status(STREAMS_STALE_HANDLE, streams_subscription_request(r.subscription, 1));
    r.subscription = NULL;
    assert_ok(send_int(subject, 1));
    recorder_end(&r);
    assert_log(&r.log, "subscribed 1 destroyed");
    assert_ok(streams_release(subject));
}

static void a_borrowed_subscription_ends_with_the_callback(void **state) {
    (void)state;
    size_t before = streams_live_handles();
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { 0 };
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    /* subject, cancellable, and the subscription that the recorder has retained. */
    assert_int_equal(streams_live_handles() - before, 3);
    assert_int_equal(streams_handle_kind(r.subscription), STREAMS_KIND_SUBSCRIPTION);
    recorder_end(&r);
    assert_int_equal(streams_live_handles() - before, 1);
    assert_ok(streams_release(subject));
}

static void dropped_chains_let_go_of_everything(void **state) {
    (void)state;
    counter c = { 0 };
    streams_value zero = streams_int(0);
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *children[2] = { streams_subject_publisher(subject), ints(2) };
    streams_publisher *p = streams_merge(children, 2);
    p = streams_map(p, add_one, &c, counter_destroy);
    p = streams_flat_map(p, 1, expand_twice, &c, counter_destroy);
    p = streams_scan(p, &zero, sum, &c, counter_destroy);
    p = streams_catch(p, recover_with_seven, &c, counter_destroy);
    p = streams_remove_duplicates_by(p, same_parity, &c, counter_destroy);
    assert_int_equal(c.destroyed, 0);
    assert_ok(streams_release(p));
    assert_int_equal(c.destroyed, 5);
    assert_int_equal(c.calls, 0);
    assert_ok(streams_release(subject));
}

/* ---- More uses than can be counted ------------------------------------------------------------ */

typedef struct deep {
    streams_subject *subject;
    int calls;
    streams_status refused, other, released, other_after_release;
    streams_kind kind;
} deep;

/* The handle of the next object in the place. Nobody has been given it. */
static void *next_handle(void *handle) { return (char *)handle + ((uintptr_t)1 << 34); }

static uint64_t send_deeper(void *context, const streams_value *value) {
    deep *self = context;
    self->calls++;
    if (self->refused != STREAMS_OK) return 0;
    streams_status status = streams_subject_send(self->subject, value);
    if (status == STREAMS_OK || self->refused != STREAMS_OK) return 0;
    self->refused = status;
    self->kind = streams_handle_kind(next_handle(self->subject));
    self->other = streams_subject_send(next_handle(self->subject), value);
    self->released = streams_release(self->subject);
    self->other_after_release = streams_subject_send(next_handle(self->subject), value);
    return 0;
}

static void *send_from_a_large_stack(void *context) {
    (void)send_int(((deep *)context)->subject, 1);
    return NULL;
}

static void one_use_too_many_makes_no_other_handle(void **state) {
    (void)state;
    if (under_valgrind()) return;
    deep self = { .subject = streams_passthrough_subject_create() };
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &self;
    subscriber.on_value = send_deeper;
    streams_cancellable *cancellable = streams_sink(streams_subject_publisher(self.subject), &subscriber);
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, (size_t)1 << 30), 0);
    assert_int_equal(pthread_create(&thread, &attributes, send_from_a_large_stack, &self), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&attributes), 0);
    assert_int_equal(self.calls, 65535);
    assert_int_equal(self.refused, STREAMS_LIMIT);
    assert_int_equal(self.kind, STREAMS_KIND_NONE);
    assert_int_equal(self.other, STREAMS_STALE_HANDLE);
    assert_int_equal(self.released, STREAMS_OK);
    assert_int_equal(self.other_after_release, STREAMS_STALE_HANDLE);
    assert_ok(streams_release(cancellable));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(retain_and_release_count),
        test(handles_are_positive_numbers),
        test(a_place_taken_again_gets_another_handle),
        test(many_handles_at_once),
        test(operators_consume),
        test(a_retained_publisher_serves_twice),
        test(a_shared_part_of_a_chain_keeps_its_callbacks),
        test(a_publisher_keeps_its_subject),
        test(releasing_the_last_cancellable_cancels),
        test(a_subscription_only_loses_its_name),
        test(a_borrowed_subscription_ends_with_the_callback),
        test(one_use_too_many_makes_no_other_handle),
        test(dropped_chains_let_go_of_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
