/* streams_sink: the order of calls, demand, cancellation, and what is refused. */

#include "support.h"

/* ---- Order and demand ------------------------------------------------------------- */

static void the_order_of_calls(void **state) {
    (void)state;
    assert_stream(ints(2), "subscribed 1 2 finished destroyed");
}

static void either_callback_will_do(void **state) {
    (void)state;
    recorder r = { .batches = true };
    streams_subscriber subscriber = recorder_subscriber(&r, STREAMS_UNLIMITED);
    subscriber.on_value = NULL;
    subscriber.on_subscription = NULL;
    subscriber.on_completion = NULL;
    r.cancellable = streams_sink(ints(3), &subscriber);
    assert_non_null(r.cancellable);
    recorder_end(&r);
    assert_int_equal(r.values, 3);
    assert_int_equal(r.destroyed, 1);

    r = (recorder){ 0 };
    subscriber = recorder_subscriber(&r, STREAMS_UNLIMITED);
    subscriber.destroy = NULL;
    r.cancellable = streams_sink(ints(3), &subscriber);
    recorder_end(&r);
    assert_log(&r.log, "subscribed 1 2 3 finished");
}

static void the_struct_is_copied(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { 0 };
    streams_subscriber subscriber = recorder_subscriber(&r, STREAMS_UNLIMITED);
    r.cancellable = streams_sink(streams_subject_publisher(subject), &subscriber);
    memset(&subscriber, 0xff, sizeof subscriber);
    assert_ok(send_int(subject, 1));
    recorder_end(&r);
    assert_log(&r.log, "subscribed 1 destroyed");
    assert_ok(streams_release(subject));
}

static void batches_keep_to_demand(void **state) {
    (void)state;
    recorder r = { .batches = true, .more = 0 };
    recorder_subscribe(&r, ints(64), 5);
    assert_int_equal(r.values, 5);
    assert_ok(streams_subscription_request(r.subscription, 7));
    assert_int_equal(r.values, 12);
    r.more = 2;
    assert_ok(streams_subscription_request(r.subscription, 1));
    assert_true(r.values >= 13);
    recorder_end(&r);
    assert_int_equal(r.destroyed, 1);
}

static void demand_saturates(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { .more = STREAMS_UNLIMITED };
    recorder_subscribe(&r, streams_subject_publisher(subject), INT64_MAX - 1);
    assert_ok(streams_subscription_request(r.subscription, INT64_MAX - 1));
    assert_ok(streams_subscription_request(r.subscription, (uint64_t)INT64_MAX + 5));
    assert_ok(streams_subscription_request(r.subscription, STREAMS_UNLIMITED));
    for (int i = 0; i < 10; i++) assert_ok(send_int(subject, i));
    recorder_end(&r);
    assert_int_equal(r.values, 10);
    assert_ok(streams_release(subject));
}

static void zero_demand_is_refused(void **state) {
    (void)state;
    recorder r = { 0 };
    recorder_subscribe(&r, ints(3), 0);
    assert_int_equal(streams_subscription_request(r.subscription, 0), STREAMS_ZERO_DEMAND);
    assert_string_equal(streams_last_message(), "demand is 0; request at least one value");
    assert_status(STREAMS_ZERO_DEMAND, streams_subscription_request(r.subscription, 0));
    assert_log(&r.log, "subscribed");
    assert_ok(streams_subscription_request(r.subscription, 1));
    assert_log(&r.log, "1");
    recorder_end(&r);
    /* Also when there is nothing left to ask. */
    r = (recorder){ 0 };
    recorder_subscribe(&r, ints(1), 1);
    assert_status(STREAMS_ZERO_DEMAND, streams_subscription_request(r.subscription, 0));
    recorder_end(&r);
}

static void requests_after_the_end_do_nothing(void **state) {
    (void)state;
    recorder r = { 0 };
    recorder_subscribe(&r, ints(1), 1);
    assert_log(&r.log, "subscribed 1 finished destroyed");
    assert_ok(streams_subscription_request(r.subscription, 5));
    assert_ok(streams_subscription_cancel(r.subscription));
    assert_ok(streams_cancel(r.cancellable));
    recorder_end(&r);
    assert_log(&r.log, "");
}

static void request_two(recorder *self) { streams_subscription_request(self->subscription, 2); }

static void requesting_on_subscription(void **state) {
    (void)state;
    recorder r = { .on_subscription = request_two };
    recorder_subscribe(&r, ints(9), 0);
    assert_log(&r.log, "subscribed 1 2");
    recorder_end(&r);
    r = (recorder){ .on_subscription = request_two };
    recorder_subscribe(&r, ints(9), 1);
    assert_log(&r.log, "subscribed 1 2 3");
    recorder_end(&r);
}

static void request_and_log(recorder *self, const streams_value *value) {
    (void)value;
    streams_subscription_request(self->subscription, 1);
    log_add(&self->log, "asked");
}

static void a_request_inside_a_value_is_met_after_it(void **state) {
    (void)state;
    recorder r = { .on_value = request_and_log };
    recorder_subscribe(&r, ints(3), 1);
    recorder_end(&r);
    assert_log(&r.log, "subscribed 1 asked 2 asked 3 asked finished destroyed");
}

/* ---- Cancellation ------------------------------------------------------------------- */

static void cancelling_twice_is_harmless(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { 0 };
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    assert_ok(streams_cancel(r.cancellable));
    assert_log(&r.log, "subscribed destroyed");
    assert_ok(streams_cancel(r.cancellable));
    assert_ok(streams_subscription_cancel(r.subscription));
    assert_ok(streams_subscription_request(r.subscription, 1));
    assert_ok(send_int(subject, 1));
    assert_ok(finish(subject));
    recorder_end(&r);
    assert_log(&r.log, "");
    assert_ok(streams_release(subject));
}

static void cancel_now(recorder *self) { streams_subscription_cancel(self->subscription); }

static void cancelling_on_subscription(void **state) {
    (void)state;
    recorder r = { .on_subscription = cancel_now };
    recorder_subscribe(&r, ints(3), STREAMS_UNLIMITED);
    assert_log(&r.log, "subscribed destroyed");
    recorder_end(&r);
}

static void cancel_by_cancellable(recorder *self, const streams_value *value) {
    (void)value;
    if (self->cancellable != NULL) streams_cancel(self->cancellable);
}

static void cancelling_inside_a_value(void **state) {
    (void)state;
    const int64_t integers[] = { 1, 2, 3 };
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { .on_value = cancel_by_cancellable };
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    assert_ok(streams_subject_send_int64s(subject, integers, 3));
    assert_log(&r.log, "subscribed 1 destroyed");
    recorder_end(&r);
    assert_ok(streams_release(subject));
}

static void release_cancellable(recorder *self, const streams_value *value) {
    (void)value;
    if (self->cancellable != NULL) streams_release(self->cancellable);
    self->cancellable = NULL;
}

static void releasing_the_cancellable_inside_a_value(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { .on_value = release_cancellable };
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 1));
    assert_log(&r.log, "subscribed 1 destroyed");
    assert_ok(send_int(subject, 2));
    recorder_end(&r);
    assert_ok(streams_release(subject));
}

static void release_subscription(recorder *self, const streams_value *value) {
    (void)value;
    if (self->subscription != NULL) streams_release(self->subscription);
    self->subscription = NULL;
}

static void releasing_the_subscription_inside_a_value(void **state) {
    (void)state;
    recorder r = { .on_value = release_subscription };
    recorder_subscribe(&r, ints(3), STREAMS_UNLIMITED);
    recorder_end(&r);
    assert_log(&r.log, "subscribed 1 2 3 finished destroyed");
}

static void end_all(recorder *self, const streams_error *error) {
    (void)error;
    recorder_end(self);
}

static void releasing_everything_inside_the_completion(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { .on_completion = end_all };
    recorder_subscribe(
        &r, streams_map(streams_subject_publisher(subject), add_one, NULL, NULL), STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 1));
    assert_ok(finish(subject));
    assert_log(&r.log, "subscribed 2 finished destroyed");
    assert_ok(streams_release(subject));
}

/* Cancels the other one's stream. */
static void cancel_other(recorder *self, const streams_value *value) {
    (void)value;
    recorder *other = self->extra;
    streams_cancel(other->cancellable);
}

static void cancelling_another_stream_inside_a_value(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    recorder second = { 0 }, first = { .on_value = cancel_other, .extra = &second };
    recorder_subscribe(&first, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    recorder_subscribe(&second, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 1));
    assert_int_equal(second.destroyed, 1);
    assert_ok(send_int(subject, 2));
    recorder_end(&first);
    recorder_end(&second);
    assert_log(&first.log, "subscribed 1 2 destroyed");
    assert_log(&second.log, "subscribed destroyed");
    assert_ok(streams_release(subject));
}

/* ---- What is refused ------------------------------------------------------------------ */

static void sink_refuses(void **state) {
    (void)state;
    recorder r = { 0 };
    streams_subscriber subscriber = recorder_subscriber(&r, 1);
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_sink", streams_sink(ints(1), NULL));
    subscriber.on_value = NULL;
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_sink", streams_sink(ints(1), &subscriber));
    assert_int_equal(r.destroyed, 1);
    subscriber = recorder_subscriber(&r, 1);
    const size_t sizes[] = { 0, 1, 8, sizeof subscriber - 1, sizeof subscriber + 1, sizeof subscriber * 2,
        SIZE_MAX };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        subscriber.size = sizes[i];
        assert_refused(STREAMS_INVALID_SIZE, "streams_sink", streams_sink(ints(1), &subscriber));
    }
    assert_int_equal(r.destroyed, 1);
}

static void a_refused_chain_says_why_at_its_end(void **state) {
    (void)state;
    recorder r = { 0 };
    streams_publisher *p = ints(3);
    p = streams_map(p, add_one, NULL, NULL);
    p = streams_prefix(p, -5);
    p = streams_filter(p, is_even, NULL, NULL);
    p = streams_collect(p);
    streams_subscriber subscriber = recorder_subscriber(&r, 1);
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_prefix", streams_sink(p, &subscriber));
    assert_int_equal(r.destroyed, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(the_order_of_calls),
        test(either_callback_will_do),
        test(the_struct_is_copied),
        test(batches_keep_to_demand),
        test(demand_saturates),
        test(zero_demand_is_refused),
        test(requests_after_the_end_do_nothing),
        test(requesting_on_subscription),
        test(a_request_inside_a_value_is_met_after_it),
        test(cancelling_twice_is_harmless),
        test(cancelling_on_subscription),
        test(cancelling_inside_a_value),
        test(releasing_the_cancellable_inside_a_value),
        test(releasing_the_subscription_inside_a_value),
        test(releasing_everything_inside_the_completion),
        test(cancelling_another_stream_inside_a_value),
        test(sink_refuses),
        test(a_refused_chain_says_why_at_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
