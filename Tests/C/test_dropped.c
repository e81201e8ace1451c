/* What is dropped for want of demand or room is counted. */

#include "support.h"

static void send_ints(streams_subject *subject, int count) {
    for (int i = 0; i < count; i++) assert_ok(send_int(subject, i));
}

static void a_subject_counts_for_each_subscriber(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    recorder one = { 0 }, two = { 0 }, all = { 0 };
    recorder_subscribe(&one, streams_subject_publisher(subject), 2);
    recorder_subscribe(&two, streams_subject_publisher(subject), 4);
    recorder_subscribe(&all, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    send_ints(subject, 5);
    assert_int_equal(streams_dropped(subject), 4);
    assert_int_equal(streams_dropped(one.subscription), 3);
    assert_int_equal(streams_dropped(one.cancellable), 3);
    assert_int_equal(streams_dropped(two.cancellable), 1);
    assert_int_equal(streams_dropped(all.cancellable), 0);
    const int64_t more[] = { 1, 2, 3 };
    assert_ok(streams_subject_send_int64s(subject, more, 3));
    assert_int_equal(streams_dropped(subject), 10);
    assert_ok(streams_cancel(one.cancellable));
    assert_int_equal(streams_dropped(one.cancellable), 6);
    recorder_end(&one);
    recorder_end(&two);
    recorder_end(&all);
    assert_ok(streams_release(subject));
}

static void a_current_value_drops_nothing(void **state) {
    (void)state;
    streams_value zero = streams_int(0);
    streams_subject *subject = streams_current_value_subject_create(&zero);
    recorder r = { 0 };
    recorder_subscribe(&r, streams_subject_publisher(subject), 1);
    send_ints(subject, 5);
    assert_int_equal(streams_dropped(subject), 0);
    assert_int_equal(streams_dropped(r.cancellable), 0);
    recorder_end(&r);
    assert_ok(streams_release(subject));
}

/* ---- What a subscriber of arrays sends amid one -------------------------------------------------------- */

typedef struct sender {
    streams_subject *subject;
    streams_subscription *subscription;
    int64_t when, last;
    uint64_t more;
} sender;

static void keep_subscription(void *context, streams_subscription *subscription) {
    sender *self = context;
    self->subscription = subscription;
    assert_ok(streams_retain(subscription));
}

static uint64_t send_amid(void *context, const streams_value *values, size_t count) {
    sender *self = context;
    uint64_t more = 0;
    self->last = values[count - 1].as.integer;
    for (size_t i = 0; i < count; i++) {
        if (values[i].as.integer != self->when) continue;
        assert_ok(send_int(self->subject, 100));
        more += self->more;
    }
    return more;
}

/* What it has no demand for is the latest value, which it gets when it requests again. */
static void who_takes_arrays_is_not_left_behind(void **state) {
    (void)state;
    const streams_value zero = streams_int(0);
    const int64_t array[] = { 1, 2, 3, 4 };
    for (size_t count = 1; count <= 4; count++)
        for (uint64_t demand = 1; demand <= 6; demand++)
            for (int64_t when = 1; when <= 4; when++)
                for (uint64_t more = 0; more <= 3; more++) {
                    sender self = { streams_current_value_subject_create(&zero), NULL, when, 0, more };
                    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
                    subscriber.context = &self;
                    subscriber.demand = demand;
                    subscriber.on_subscription = keep_subscription;
                    subscriber.on_values = send_amid;
                    streams_cancellable *c =
                        streams_sink(streams_subject_publisher(self.subject), &subscriber);
                    assert_ok(streams_subject_send_int64s(self.subject, array, count));
                    assert_ok(streams_subscription_request(self.subscription, 10));
                    streams_value now = streams_null();
                    assert_ok(streams_current_value_subject_get_value(self.subject, &now));
                    assert_int_equal(self.last, now.as.integer);
                    assert_ok(streams_release(self.subscription));
                    assert_ok(streams_release(c));
                    assert_ok(streams_release(self.subject));
                }
}

static void buffers_and_joins_count(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *p = streams_buffer(
        streams_subject_publisher(subject), 2, STREAMS_PREFETCH_BY_REQUEST, STREAMS_WHEN_FULL_DROP_OLDEST);
    recorder r = { 0 };
    recorder_subscribe(&r, p, 1);
    send_ints(subject, 5);
    assert_int_equal(streams_dropped(r.cancellable), 2);
    assert_int_equal(streams_dropped(subject), 0);
    recorder_end(&r);
    streams_publisher *both[] = { streams_subject_publisher(subject), streams_subject_publisher(subject) };
    r = (recorder){ 0 };
    recorder_subscribe(&r, streams_combine_latest(both, 2), 1);
    send_ints(subject, 2);
    assert_true(streams_dropped(r.cancellable) > 0);
    recorder_end(&r);
    assert_ok(streams_release(subject));
}

static streams_status expand_to(void *subject, const streams_value *in, streams_publisher **out) {
    (void)in;
    *out = streams_subject_publisher(subject);
    return STREAMS_OK;
}

static streams_status recover_with(void *subject, const streams_error *error, streams_publisher **out) {
    (void)error;
    *out = streams_subject_publisher(subject);
    return STREAMS_OK;
}

/* The subject is subscribed to while the stream runs; of three values one is demanded. */
static void assert_counts_later(streams_publisher *p, streams_subject *subject) {
    uint64_t before = streams_dropped(subject);
    recorder r = { 0 };
    recorder_subscribe(&r, p, 1);
    send_ints(subject, 3);
    assert_int_equal(r.values, 1);
    assert_int_equal(streams_dropped(subject) - before, 2);
    assert_int_equal(streams_dropped(r.cancellable), 2);
    recorder_end(&r);
}

static void what_is_subscribed_to_later_counts(void **state) {
    (void)state;
    streams_subject *s = streams_passthrough_subject_create();
    assert_counts_later(streams_switch_to_latest(ints(1), expand_to, s, NULL), s);
    assert_counts_later(streams_append(streams_empty(true), streams_subject_publisher(s)), s);
    assert_counts_later(streams_catch(failed(), recover_with, s, NULL), s);
    streams_publisher *p = streams_append(failed(), ints(1));
    p = streams_catch(streams_flat_map(p, 1, expand_to, s, NULL), recover_with, s, NULL);
    assert_counts_later(p, s);
    assert_ok(streams_release(s));
}

/* A flat_map keeps one value of each publisher and has asked for no other. */
static void publishers_of_flat_map_count(void **state) {
    (void)state;
    streams_subject *s = streams_passthrough_subject_create();
    recorder r = { 0 };
    recorder_subscribe(&r, streams_flat_map(ints(1), STREAMS_UNLIMITED, expand_to, s, NULL), 1);
    send_ints(s, 5);
    assert_true(streams_dropped(s) > 0);
    assert_int_equal(streams_dropped(r.cancellable), streams_dropped(s));
    recorder_end(&r);
    assert_ok(streams_release(s));
}

static void what_runs_on_a_scheduler_counts(void **state) {
    (void)state;
    streams_scheduler *clock = streams_virtual_scheduler_create();
    streams_subject *s = streams_passthrough_subject_create();
    for (int which = 0; which < 4; which++) {
        streams_publisher *p = streams_subject_publisher(s);
        p = which == 0   ? streams_debounce(p, STREAMS_SECOND, clock)
            : which == 1 ? streams_throttle(p, STREAMS_SECOND, clock, true)
            : which == 2 ? streams_subscribe_on(p, clock)
                         : p;
        if (which == 3) {
            assert_ok(streams_release(p));
            p = streams_interval(STREAMS_SECOND, STREAMS_SECOND, 3, clock);
        }
        recorder r = { 0 };
        recorder_subscribe(&r, p, 1);
        assert_ok(streams_virtual_scheduler_advance(clock, 0));
        for (int i = 0; i < 3; i++) {
            assert_ok(send_int(s, i));
            assert_ok(streams_virtual_scheduler_advance(clock, 2 * STREAMS_SECOND));
        }
        assert_int_equal(r.values, 1);
        assert_int_equal(streams_dropped(r.cancellable), 2);
        recorder_end(&r);
    }
    assert_ok(streams_release(s));
    assert_ok(streams_release(clock));
}

/* Whoever feeds a subject, or connects, demands everything. The operator demands less all the same. */
static void streams_without_callbacks_count(void **state) {
    (void)state;
    streams_subject *s = streams_passthrough_subject_create(), *open = streams_passthrough_subject_create();
    const streams_value zero = streams_int(0);
    streams_subject *target = streams_current_value_subject_create(&zero);
    for (int which = 0; which < 3; which++) {
        streams_publisher *p = streams_flat_map(streams_subject_publisher(s), 1, expand_to, open, NULL);
        streams_connectable *connectable = which == 0 ? streams_multicast(p, target) : NULL;
        streams_cancellable *c = which == 0   ? streams_connect(connectable)
                                 : which == 1 ? streams_subscribe(p, target)
                                              : streams_assign(p, target);
        send_ints(s, 3);
        assert_int_equal(streams_dropped(c), 2);
        assert_ok(streams_cancel(c));
        assert_int_equal(streams_dropped(c), 2);
        assert_ok(streams_release(c));
        if (connectable) assert_ok(streams_release(connectable));
    }
    assert_ok(streams_release(target));
    assert_ok(streams_release(open));
    assert_ok(streams_release(s));
}

static void other_handles_are_refused(void **state) {
    (void)state;
    streams_publisher *p = streams_empty(true);
    assert_int_equal(streams_dropped(p), 0);
    assert_int_equal(streams_last_status(), STREAMS_WRONG_KIND);
    assert_ok(streams_release(p));
    assert_int_equal(streams_dropped(p), 0);
    assert_int_equal(streams_last_status(), STREAMS_STALE_HANDLE);
    assert_int_equal(streams_dropped(NULL), 0);
    assert_int_equal(streams_last_status(), STREAMS_NULL_HANDLE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_subject_counts_for_each_subscriber),
        test(a_current_value_drops_nothing),
        test(who_takes_arrays_is_not_left_behind),
        test(buffers_and_joins_count),
        test(what_is_subscribed_to_later_counts),
        test(publishers_of_flat_map_count),
        test(what_runs_on_a_scheduler_counts),
        test(streams_without_callbacks_count),
        test(other_handles_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
