/* Subjects: single, batch and typed sends, completion, the current value. */

#include "support.h"

static int64_t latest(streams_subject *subject) {
    streams_value value;
    assert_ok(streams_current_value_subject_get_value(subject, &value));
    int64_t result = value.as.integer;
    assert_ok(streams_value_destroy(&value));
    return result;
}

/* ---- Passthrough --------------------------------------------------------------- */

static void typed_arrays(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { 0 };
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    const int64_t integers[] = { 1, -2, INT64_MAX, INT64_MIN };
    const double reals[] = { 0.5, -2 };
    const streams_value values[] = { streams_text("a"), streams_null(), streams_bool(true) };
    assert_ok(streams_subject_send_int64s(subject, integers, 4));
    assert_log(&r.log, "subscribed 1 -2 9223372036854775807 -9223372036854775808");
    assert_ok(streams_subject_send_doubles(subject, reals, 2));
    assert_log(&r.log, "0.5 -2.0");
    assert_ok(streams_subject_send_values(subject, values, 3));
    assert_log(&r.log, "a null true");
    assert_ok(streams_subject_send_int64s(subject, NULL, 0));
    assert_ok(streams_subject_send_doubles(subject, NULL, 0));
    assert_ok(streams_subject_send_values(subject, NULL, 0));
    assert_log(&r.log, "");
    recorder_end(&r);
    assert_ok(streams_release(subject));
}

static void batches_arrive_as_batches(void **state) {
    (void)state;
    enum { COUNT = 1000 };
    int64_t integers[COUNT];
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { .batches = true };
    for (int i = 0; i < COUNT; i++) integers[i] = i;
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    assert_ok(streams_subject_send_int64s(subject, integers, 3));
    assert_log(&r.log, "subscribed ( 0 1 2 )");
    assert_ok(send_int(subject, 5));
    assert_log(&r.log, "( 5 )");
    assert_ok(streams_subject_send_int64s(subject, integers, COUNT));
    assert_int_equal(r.values, COUNT + 4);
    recorder_end(&r);
    assert_ok(streams_release(subject));
}

static void every_subscriber_gets_every_value(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *p = streams_subject_publisher(subject);
    recorder all[100];
    memset(all, 0, sizeof all);
    for (int i = 0; i < 100; i++) {
        assert_ok(streams_retain(p));
        recorder_subscribe(&all[i], p, (uint64_t)i);
    }
    assert_ok(streams_release(p));
    const int64_t integers[] = { 1, 2, 3 };
    assert_ok(streams_subject_send_int64s(subject, integers, 3));
    assert_ok(send_int(subject, 4));
    for (int i = 0; i < 100; i++) assert_int_equal(all[i].values, i < 4 ? i : 4);
    assert_ok(finish(subject));
    for (int i = 0; i < 100; i++) {
        recorder_end(&all[i]);
        assert_int_equal(all[i].destroyed, 1);
    }
    assert_ok(streams_release(subject));
}

static void sends_after_the_end_say_so(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    const int64_t integers[] = { 1 };
    const double reals[] = { 1 };
    const streams_value value = streams_int(1);
    assert_ok(finish(subject));
    assert_status(STREAMS_TERMINATED, streams_subject_send(subject, &value));
    assert_status(STREAMS_TERMINATED, streams_subject_send_values(subject, &value, 1));
    assert_status(STREAMS_TERMINATED, streams_subject_send_int64s(subject, integers, 1));
    assert_status(STREAMS_TERMINATED, streams_subject_send_doubles(subject, reals, 1));
    assert_status(STREAMS_TERMINATED, streams_subject_send_completion(subject, NULL));
    streams_error *error = new_error("late");
    assert_status(STREAMS_TERMINATED, streams_subject_send_completion(subject, error));
    assert_ok(streams_release(error));
    assert_stream(streams_subject_publisher(subject), "subscribed finished destroyed");
    assert_ok(streams_release(subject));
}

static void a_replay_subject_keeps_the_latest(void **state) {
    (void)state;
    const int64_t values[] = { 1, 2, 3 };
    const uint64_t sizes[] = { 0, 2, STREAMS_UNLIMITED - 1, STREAMS_UNLIMITED };
    const char *logs[] = { "subscribed finished destroyed", "subscribed 2 3 finished destroyed",
        "subscribed 1 2 3 finished destroyed", "subscribed 1 2 3 finished destroyed" };
    for (size_t i = 0; i < 4; i++) {
        streams_subject *subject = streams_replay_subject_create(sizes[i]);
        assert_ok(streams_subject_send_int64s(subject, values, 3));
        assert_ok(finish(subject));
        assert_status(STREAMS_TERMINATED, streams_subject_send_int64s(subject, values, 3));
        assert_stream(streams_subject_publisher(subject), logs[i]);
        assert_ok(streams_release(subject));
    }
}

/* It sends itself what it has sent, one more each time: until the stack is full. */
static void a_replay_subject_that_feeds_itself(void **state) {
    (void)state;
    recorder r = { 0 };
    const int64_t values[] = { 1, 2 };
    streams_subject *subject = streams_replay_subject_create(1);
    streams_cancellable *cancellable = streams_subscribe(streams_subject_publisher(subject), subject);
    recorder_subscribe(&r, streams_count(streams_subject_publisher(subject)), STREAMS_UNLIMITED);
    assert_ok(streams_subject_send_int64s(subject, values, 2));
    assert_non_null(strstr(r.log.text, "failed"));
    recorder_end(&r);
    assert_ok(streams_release(cancellable));
    assert_ok(streams_release(subject));
}

static void sends_refuse(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    streams_value out = streams_int(1);
    assert_status(STREAMS_WRONG_KIND, streams_current_value_subject_get_value(subject, &out));
    assert_int_equal(out.kind, STREAMS_VALUE_NULL);
    out = streams_int(1);
    assert_status(STREAMS_WRONG_KIND, streams_current_value_subject_set_value(subject, &out));
    assert_refused(STREAMS_WRONG_KIND, "streams_assign", streams_assign(ints(1), subject));
    assert_ok(streams_release(subject));
}

/* ---- Sending, finishing and releasing inside a value ----------------------------- */

static void send_next(recorder *self, const streams_value *value) {
    if (value->as.integer < 4) {
        streams_status status = send_int(self->extra, value->as.integer + 1);
        log_add(&self->log, status == STREAMS_OK ? "sent" : "refused");
    }
}

static void a_send_inside_a_value_is_delivered_before_the_outer_one_returns(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { .on_value = send_next, .extra = subject };
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 1));
    assert_int_equal(r.values, 4);
    assert_non_null(strstr(r.log.text, "4"));
    recorder_end(&r);
    assert_ok(streams_release(subject));
}

static void finish_inside(recorder *self, const streams_value *value) {
    (void)value;
    (void)finish(self->extra);
}

static void finishing_inside_a_batch_drops_the_rest(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { .on_value = finish_inside, .extra = subject };
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 1));
    recorder_end(&r);
    assert_log(&r.log, "subscribed 1 finished destroyed");
    assert_ok(streams_release(subject));
}

static void release_subject_inside(recorder *self, const streams_value *value) {
    (void)value;
    if (self->extra != NULL) streams_release(self->extra);
    self->extra = NULL;
}

static void releasing_the_subject_inside_a_value(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { .on_value = release_subject_inside, .extra = subject };
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    const int64_t integers[] = { 1, 2, 3 };
    assert_ok(streams_subject_send_int64s(subject, integers, 3));
    assert_int_equal(streams_handle_kind(subject), STREAMS_KIND_NONE);
    recorder_end(&r);
    assert_log(&r.log, "subscribed 1 2 3 destroyed");
}

static void subscribe_inside(recorder *self, const streams_value *value) {
    recorder *second = self->extra;
    (void)value;
    if (second->cancellable != NULL) return;
    streams_subscriber subscriber = recorder_subscriber(second, STREAMS_UNLIMITED);
    second->cancellable = streams_sink(streams_subject_publisher(second->extra), &subscriber);
}

static void subscribing_inside_a_value(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    recorder second = { .extra = subject };
    recorder first = { .on_value = subscribe_inside, .extra = &second };
    recorder_subscribe(&first, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 1));
    assert_ok(send_int(subject, 2));
    recorder_end(&first);
    recorder_end(&second);
    assert_log(&first.log, "subscribed 1 2 destroyed");
    assert_log(&second.log, "subscribed 2 destroyed");
    assert_ok(streams_release(subject));
}

/* ---- Current value ----------------------------------------------------------------- */

static void remembers_its_value(void **state) {
    (void)state;
    streams_subject *subject = current(1);
    assert_int_equal(latest(subject), 1);
    assert_ok(send_int(subject, 2));
    assert_int_equal(latest(subject), 2);
    const int64_t integers[] = { 3, 4 };
    assert_ok(streams_subject_send_int64s(subject, integers, 2));
    assert_int_equal(latest(subject), 4);
    streams_value value = streams_int(5);
    assert_ok(streams_current_value_subject_set_value(subject, &value));
    assert_int_equal(latest(subject), 5);
    assert_ok(finish(subject));
    assert_status(STREAMS_TERMINATED, streams_subject_send(subject, &value));
    value = streams_int(6);
    assert_status(STREAMS_TERMINATED, streams_subject_send(subject, &value));
    assert_int_equal(latest(subject), 5);
    assert_ok(streams_current_value_subject_set_value(subject, &value));
    assert_int_equal(latest(subject), 6);
    assert_stream(streams_subject_publisher(subject), "subscribed finished destroyed");
    assert_ok(streams_release(subject));
}

static void owns_its_value(void **state) {
    (void)state;
    char memory[] = "first";
    streams_value value = streams_text(memory), out;
    streams_subject *subject = streams_current_value_subject_create(&value);
    memcpy(memory, "later", 5);
    assert_ok(streams_current_value_subject_get_value(subject, &out));
    assert_memory_equal(out.as.text, "first", 5);
    assert_ok(streams_subject_send(subject, &value));
    /* What was read is a copy. */
    assert_memory_equal(out.as.text, "first", 5);
    assert_ok(streams_value_destroy(&out));
    assert_stream(streams_subject_publisher(subject), "subscribed later destroyed");
    assert_ok(streams_release(subject));
}

static void read_value(recorder *self, const streams_value *value) {
    streams_value out;
    (void)value;
    if (streams_current_value_subject_get_value(self->extra, &out) == STREAMS_OK) {
        log_add(&self->log, "holds");
        log_value(&self->log, &out);
        streams_value_destroy(&out);
    }
}

static void the_value_is_set_before_it_is_sent(void **state) {
    (void)state;
    streams_subject *subject = current(1);
    recorder r = { .on_value = read_value, .extra = subject };
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 2));
    recorder_end(&r);
    assert_log(&r.log, "subscribed 1 holds 1 2 holds 2 destroyed");
    assert_ok(streams_release(subject));
}

/* ---- assign and subscribe -------------------------------------------------------------- */

static void assign_sets_each_value(void **state) {
    (void)state;
    streams_subject *source = streams_passthrough_subject_create(), *target = current(0);
    streams_cancellable *cancellable = streams_assign(streams_subject_publisher(source), target);
    assert_non_null(cancellable);
    assert_ok(send_int(source, 3));
    assert_int_equal(latest(target), 3);
    const int64_t integers[] = { 4, 5 };
    assert_ok(streams_subject_send_int64s(source, integers, 2));
    assert_int_equal(latest(target), 5);
    /* The completion is not passed on. */
    assert_ok(finish(source));
    assert_ok(send_int(target, 6));
    assert_int_equal(latest(target), 6);
    assert_ok(streams_release(cancellable));
    assert_ok(streams_release(source));
    assert_ok(streams_release(target));
}

static void releasing_the_cancellable_ends_an_assignment(void **state) {
    (void)state;
    streams_subject *source = streams_passthrough_subject_create(), *target = current(0);
    streams_cancellable *cancellable = streams_assign(streams_subject_publisher(source), target);
    assert_ok(send_int(source, 3));
    assert_ok(streams_release(cancellable));
    assert_ok(send_int(source, 4));
    assert_int_equal(latest(target), 3);
    assert_ok(streams_release(source));
    assert_ok(streams_release(target));
}

static void subscribe_passes_values_and_completion(void **state) {
    (void)state;
    streams_subject *source = streams_passthrough_subject_create(),
                    *target = streams_passthrough_subject_create();
    recorder r = { 0 };
    recorder_subscribe(&r, streams_subject_publisher(target), STREAMS_UNLIMITED);
    streams_cancellable *cancellable = streams_subscribe(streams_subject_publisher(source), target);
    assert_non_null(cancellable);
    assert_ok(send_int(source, 1));
    assert_ok(fail_with(source, "oops"));
    assert_status(STREAMS_TERMINATED, finish(target));
    recorder_end(&r);
    assert_log(&r.log, "subscribed 1 failed(oops) destroyed");
    assert_ok(streams_release(cancellable));
    assert_ok(streams_release(source));
    assert_ok(streams_release(target));
}

static void a_passthrough_subject_demands_once_someone_does(void **state) {
    (void)state;
    streams_subject *target = streams_passthrough_subject_create();
    recorder r = { 0 };
    recorder_subscribe(&r, streams_subject_publisher(target), 0);
    streams_cancellable *cancellable = streams_subscribe(ints(3), target);
    assert_log(&r.log, "subscribed");
    assert_ok(streams_subscription_request(r.subscription, 2));
    recorder_end(&r);
    assert_log(&r.log, "1 2 finished destroyed");
    assert_ok(streams_release(cancellable));
    assert_ok(streams_release(target));
}

static void a_current_value_subject_demands_at_once(void **state) {
    (void)state;
    streams_subject *target = current(0);
    streams_cancellable *cancellable = streams_subscribe(ints(3), target);
    assert_int_equal(latest(target), 3);
    assert_status(STREAMS_TERMINATED, finish(target));
    assert_ok(streams_release(cancellable));
    assert_ok(streams_release(target));
}

static void releasing_the_cancellable_ends_a_subscription(void **state) {
    (void)state;
    streams_subject *source = streams_passthrough_subject_create(), *target = current(0);
    streams_cancellable *cancellable = streams_subscribe(streams_subject_publisher(source), target);
    assert_ok(streams_cancel(cancellable));
    assert_ok(send_int(source, 4));
    assert_ok(finish(source));
    assert_int_equal(latest(target), 0);
    assert_ok(send_int(target, 1));
    assert_ok(streams_release(cancellable));
    assert_ok(streams_release(source));
    assert_ok(streams_release(target));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(typed_arrays),
        test(batches_arrive_as_batches),
        test(every_subscriber_gets_every_value),
        test(sends_after_the_end_say_so),
        test(a_replay_subject_keeps_the_latest),
        test(a_replay_subject_that_feeds_itself),
        test(sends_refuse),
        test(a_send_inside_a_value_is_delivered_before_the_outer_one_returns),
        test(finishing_inside_a_batch_drops_the_rest),
        test(releasing_the_subject_inside_a_value),
        test(subscribing_inside_a_value),
        test(remembers_its_value),
        test(owns_its_value),
        test(the_value_is_set_before_it_is_sent),
        test(assign_sets_each_value),
        test(releasing_the_cancellable_ends_an_assignment),
        test(subscribe_passes_values_and_completion),
        test(a_passthrough_subject_demands_once_someone_does),
        test(a_current_value_subject_demands_at_once),
        test(releasing_the_cancellable_ends_a_subscription),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
