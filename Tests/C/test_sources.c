/* Publishers of one's own: produce on demand, wake, the end. */

#include "source.h"

/* ---- On demand ------------------------------------------------------------------- */

static void produces_what_is_asked_for(void **state) {
    (void)state;
    source s = { .next = 1, .last = 6 };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), 2);
    assert_log(&r.log, "subscribed 1 2");
    assert_log(&s.log, "open produce(2)");
    assert_ok(streams_subscription_request(r.subscription, 3));
    assert_log(&s.log, "produce(3)");
    assert_log(&r.log, "3 4 5");
    assert_ok(streams_subscription_request(r.subscription, STREAMS_UNLIMITED));
    assert_log(&r.log, "6 finished destroyed");
    assert_log(&s.log, "produce(unlimited) close destroy");
    recorder_end(&r);
    assert_int_equal(s.closed, 1);
}

static void without_demand_it_is_not_asked(void **state) {
    (void)state;
    source s = { .next = 1, .last = 3 };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), 0);
    assert_log(&s.log, "open");
    recorder_end(&r);
    assert_log(&r.log, "subscribed destroyed");
    assert_log(&s.log, "close destroy");
}

static void returned_demand_is_asked_for_in_a_loop(void **state) {
    (void)state;
    source s = { .next = 1, .last = 100000 };
    recorder r = { .more = 1 };
    /* A log of this length is cut short; the count matters. */
    recorder_subscribe(&r, source_publisher(&s), 1);
    recorder_end(&r);
    assert_int_equal(r.values, 100000);
    assert_false(s.overlapped);
    assert_int_equal(s.closed, 1);
    assert_int_equal(s.destroyed, 1);
}

static void request_one_more(recorder *self, const streams_value *value) {
    (void)value;
    streams_subscription_request(self->subscription, 1);
}

static void a_request_inside_a_value_does_not_recurse(void **state) {
    (void)state;
    source s = { .next = 1, .last = 100000 };
    recorder r = { .on_value = request_one_more };
    recorder_subscribe(&r, source_publisher(&s), 1);
    recorder_end(&r);
    assert_int_equal(r.values, 100000);
    assert_false(s.overlapped);
}

static void a_short_portion_rests_until_new_demand(void **state) {
    (void)state;
    source s = { .next = 1, .last = 9, .portion = 2 };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), 5);
    assert_log(&r.log, "subscribed 1 2");
    assert_log(&s.log, "open produce(5)");
    assert_ok(streams_subscription_request(r.subscription, 1));
    /* All that is open: 3 of the first request and 1 of the second. */
    assert_log(&s.log, "produce(4)");
    assert_log(&r.log, "3 4");
    recorder_end(&r);
    assert_log(&s.log, "close destroy");
}

static void a_source_may_wake_itself(void **state) {
    (void)state;
    source s = { .next = 1, .last = 7, .portion = 2, .wakes = true };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), STREAMS_UNLIMITED);
    recorder_end(&r);
    assert_log(&r.log, "subscribed 1 2 3 4 5 6 7 finished destroyed");
    assert_false(s.overlapped);
}

static void wake_asks_again(void **state) {
    (void)state;
    source s = { .next = 1, .last = 9, .portion = 1, .keeps_emitter = true };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), 3);
    assert_log(&r.log, "subscribed 1");
    assert_log(&s.log, "open produce(3)");
    assert_ok(streams_emitter_wake(s.emitter));
    assert_log(&s.log, "produce(2)");
    assert_ok(streams_emitter_wake(s.emitter));
    assert_log(&s.log, "produce(1)");
    assert_log(&r.log, "2 3");
    /* Without demand nothing happens. */
    assert_ok(streams_emitter_wake(s.emitter));
    assert_log(&s.log, "");
    recorder_end(&r);
    assert_status(STREAMS_TERMINATED, streams_emitter_wake(s.emitter));
    assert_ok(streams_release(s.emitter));
}

static void each_subscriber_starts_afresh(void **state) {
    (void)state;
    source s = { .last = 3 };
    streams_publisher *p = source_publisher(&s);
    for (int i = 0; i < 3; i++) {
        s.next = 1;
        assert_ok(streams_retain(p));
        assert_stream(p, "subscribed 1 2 3 finished destroyed");
    }
    assert_int_equal(s.opened, 3);
    assert_int_equal(s.closed, 3);
    assert_int_equal(s.destroyed, 0);
    assert_ok(streams_release(p));
    assert_int_equal(s.destroyed, 1);
}

static void the_end_may_come_later(void **state) {
    (void)state;
    source s = { .next = 1, .last = 2, .ends_later = true };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), 2);
    assert_log(&r.log, "subscribed 1 2");
    assert_ok(streams_subscription_request(r.subscription, 1));
    assert_log(&r.log, "finished destroyed");
    recorder_end(&r);
    assert_log(&s.log, "open produce(2) produce(1) close destroy");
}

/* ---- Cancellation and failure ------------------------------------------------------ */

static void cancel_inside(recorder *self, const streams_value *value) {
    if (value->as.integer == 2) streams_subscription_cancel(self->subscription);
}

static void cancelled_inside_a_value(void **state) {
    (void)state;
    source s = { .next = 1, .last = 9, .keeps_emitter = true };
    recorder r = { .on_value = cancel_inside };
    recorder_subscribe(&r, source_publisher(&s), STREAMS_UNLIMITED);
    assert_int_equal(s.next, 4); /* the third send is refused */
    assert_int_equal(s.closed, 1);
    streams_value value = streams_int(1);
    assert_status(STREAMS_TERMINATED, streams_emitter_send(s.emitter, &value));
    assert_status(STREAMS_TERMINATED, streams_emitter_finish(s.emitter));
    assert_int_equal(streams_emitter_demand(s.emitter), 0);
    recorder_end(&r);
    assert_log(&r.log, "subscribed 1 2 destroyed");
    assert_ok(streams_release(s.emitter));
    assert_int_equal(s.destroyed, 1);
}

static void a_failing_produce_fails_the_stream(void **state) {
    (void)state;
    source s = { .next = 1, .last = 9, .produce_status = STREAMS_LIMIT };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), 1);
    recorder_end(&r);
    assert_non_null(strstr(r.log.text, "subscribed failed("));
    assert_non_null(strstr(r.log.text, "destroyed"));
    assert_log(&s.log, "open produce(1) close destroy");
}

static void a_failing_open_fails_the_stream_without_close(void **state) {
    (void)state;
    source s = { .next = 1, .last = 9, .open_status = STREAMS_LIMIT };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), 1);
    recorder_end(&r);
    assert_non_null(strstr(r.log.text, "subscribed failed("));
    assert_log(&s.log, "open destroy");
}

static void finish_in_open(source *self, streams_emitter *emitter) {
    streams_value value = streams_int(1);
    log_add(&self->log, "%s", streams_status_name(streams_emitter_send(emitter, &value)));
    log_add(&self->log, "%s", streams_status_name(streams_emitter_finish(emitter)));
}

static void finishing_in_open_waits_for_the_subscription(void **state) {
    (void)state;
    source s = { .next = 1, .last = 9, .on_open = finish_in_open };
    assert_stream(source_publisher(&s), "subscribed finished destroyed");
    /* There is no demand yet. */
    assert_log(&s.log, "open STREAMS_DEMAND_EXCEEDED STREAMS_OK close destroy");
}

static void fail_in_open(source *self, streams_emitter *emitter) {
    streams_error *error = streams_error_create(1, "d", "not today", NULL);
    log_add(&self->log, "%s", streams_status_name(streams_emitter_fail(emitter, error)));
    streams_release(error);
}

static void failing_in_open_waits_for_the_subscription(void **state) {
    (void)state;
    source s = { .next = 1, .last = 9, .on_open = fail_in_open };
    assert_stream(source_publisher(&s), "subscribed failed(not today) destroyed");
    assert_log(&s.log, "open STREAMS_OK close destroy");
}

static void without_open_the_state_is_the_context(void **state) {
    (void)state;
    source s = { .next = 1, .last = 2 };
    streams_source made = STREAMS_SOURCE_INIT;
    made.context = &s;
    made.produce = source_produce;
    assert_stream(streams_publisher_create(&made), "subscribed 1 2 finished destroyed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(produces_what_is_asked_for),
        test(without_demand_it_is_not_asked),
        test(returned_demand_is_asked_for_in_a_loop),
        test(a_request_inside_a_value_does_not_recurse),
        test(a_short_portion_rests_until_new_demand),
        test(a_source_may_wake_itself),
        test(wake_asks_again),
        test(each_subscriber_starts_afresh),
        test(the_end_may_come_later),
        test(cancelled_inside_a_value),
        test(a_failing_produce_fails_the_stream),
        test(a_failing_open_fails_the_stream_without_close),
        test(finishing_in_open_waits_for_the_subscription),
        test(failing_in_open_waits_for_the_subscription),
        test(without_open_the_state_is_the_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
