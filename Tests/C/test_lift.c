/* Operators of one's own, and subscribers that fail. */

#include <errno.h>
#include <pthread.h>

#include "support.h"

/* An operator that makes of each value n the next n numbers, and at the end -1. */
typedef struct expander {
    test_log log;
    int64_t next;
    int opened, closed, destroyed, inside;
    int64_t fails_at, finishes_at;
    bool silent, keeps;
    streams_emitter *emitter;
} expander;

static streams_status expander_open(void *context, streams_emitter *emitter, void **state) {
    expander *self = context;
    self->opened++;
    if (self->keeps) {
        assert_ok(streams_retain(emitter));
        self->emitter = emitter;
    }
    if (self->fails_at == -1) return streams_callback_fail_with(3, "test", "closed door");
    if (self->finishes_at == -1) assert_ok(streams_emitter_finish(emitter));
    *state = self;
    return STREAMS_OK;
}

static streams_status expand(expander *self, streams_emitter *emitter, const streams_value *value) {
    log_add(&self->log, "value(%" PRId64 ")", value->as.integer);
    assert_int_equal(self->closed, 0);
    if (self->fails_at != 0 && value->as.integer == self->fails_at)
        return streams_callback_fail_with(7, "test", "bad value");
    for (int64_t i = 0; i < value->as.integer && !self->silent; i++) {
        streams_value number = streams_int(++self->next);
        if (streams_emitter_send(emitter, &number) != STREAMS_OK) log_add(&self->log, "refused");
        assert_int_equal(self->closed, 0); /* not while it runs, even if that has ended the stream */
    }
    if (self->finishes_at != 0 && value->as.integer == self->finishes_at)
        assert_ok(streams_emitter_finish(emitter));
    return STREAMS_OK;
}

static streams_status expander_on_value(void *state, streams_emitter *emitter, const streams_value *value) {
    expander *self = state;
    assert_int_equal(self->inside++, 0);
    streams_status status = expand(self, emitter, value);
    self->inside--;
    return status;
}

static streams_status expander_on_completion(
    void *state, streams_emitter *emitter, const streams_error *error) {
    expander *self = state;
    if (error == NULL) log_add(&self->log, "finished");
    if (error != NULL) log_add(&self->log, "failed(%s)", streams_error_message(error));
    streams_value last = streams_int(-1);
    return streams_emitter_send(emitter, &last);
}

static void expander_close(void *state) {
    expander *self = state;
    self->closed++;
    if (self->emitter != NULL) assert_ok(streams_release(self->emitter));
    log_add(&self->log, "close");
}

static void expander_destroy(void *context) { ((expander *)context)->destroyed++; }

static streams_publisher *expanded(expander *self, streams_publisher *publisher) {
    streams_operator behavior = STREAMS_OPERATOR_INIT;
    behavior.context = self;
    behavior.open = expander_open;
    behavior.on_value = expander_on_value;
    behavior.on_completion = expander_on_completion;
    behavior.close = expander_close;
    behavior.destroy = expander_destroy;
    return streams_lift(publisher, &behavior);
}

static void assert_over(const expander *self) {
    assert_int_equal(self->closed, 1);
    assert_int_equal(self->destroyed, 1);
}

static void each_value_is_as_many_as_it_likes(void **state) {
    (void)state;
    expander own = { 0 };
    assert_stream(expanded(&own, ints(3)), "subscribed 1 2 3 4 5 6 -1 finished destroyed");
    assert_log(&own.log, "value(1) value(2) value(3) finished close");
    assert_over(&own);
}

static void what_is_not_demanded_waits(void **state) {
    (void)state;
    expander own = { 0 };
    recorder r = { 0 };
    recorder_subscribe(&r, expanded(&own, ints(3)), 2);
    assert_log(&own.log, "value(1) value(2)");
    assert_log(&r.log, "subscribed 1 2");
    assert_ok(streams_subscription_request(r.subscription, 1));
    assert_log(&own.log, "");
    assert_log(&r.log, "3");
    assert_ok(streams_subscription_request(r.subscription, 1));
    assert_log(&own.log, "value(3) finished");
    assert_log(&r.log, "4");
    assert_ok(streams_subscription_request(r.subscription, 2));
    assert_log(&r.log, "5 6");
    assert_ok(streams_subscription_request(r.subscription, 5));
    assert_log(&r.log, "-1 finished destroyed");
    recorder_end(&r);
    assert_over(&own);
}

static void a_value_of_which_nothing_is_made_is_replaced(void **state) {
    (void)state;
    expander own = { .silent = true };
    recorder r = { 0 };
    recorder_subscribe(&r, expanded(&own, ints(1000)), 1);
    assert_log(&r.log, "subscribed -1 finished destroyed");
    recorder_end(&r);
    assert_over(&own);
}

static void it_fails(void **state) {
    (void)state;
    expander own = { .fails_at = 2 };
    assert_stream(expanded(&own, ints(3)), "subscribed 1 failed(bad value) destroyed");
    assert_log(&own.log, "value(1) value(2) close");
    assert_over(&own);
    expander closed = { .fails_at = -1 };
    assert_stream(expanded(&closed, ints(3)), "subscribed failed(closed door) destroyed");
    assert_int_equal(closed.closed, 0);
    assert_int_equal(closed.destroyed, 1);
}

static void it_finishes_early(void **state) {
    (void)state;
    expander own = { .finishes_at = 2 };
    assert_stream(expanded(&own, ints(5)), "subscribed 1 2 3 finished destroyed");
    assert_log(&own.log, "value(1) value(2) close");
    assert_over(&own);
    expander at_once = { .finishes_at = -1 };
    assert_stream(expanded(&at_once, ints(5)), "subscribed finished destroyed");
    assert_log(&at_once.log, "close");
    assert_over(&at_once);
}

static void the_failure_of_the_publisher_comes_after_what_waits(void **state) {
    (void)state;
    expander own = { 0 };
    recorder r = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    recorder_subscribe(&r, expanded(&own, streams_subject_publisher(subject)), 1);
    assert_ok(send_int(subject, 3));
    assert_ok(fail_with(subject, "oops"));
    assert_log(&own.log, "value(3) failed(oops)");
    assert_log(&r.log, "subscribed 1");
    assert_ok(streams_subscription_request(r.subscription, STREAMS_UNLIMITED));
    assert_log(&r.log, "2 3 -1 failed(oops) destroyed");
    assert_ok(streams_release(subject));
    recorder_end(&r);
    assert_over(&own);
}

static void cancel(recorder *self, const streams_value *value) {
    (void)value;
    assert_ok(streams_subscription_cancel(self->subscription));
}

static void a_cancellation_drops_what_waits(void **state) {
    (void)state;
    expander own = { 0 };
    recorder r = { .on_value = cancel };
    recorder_subscribe(&r, expanded(&own, ints(5)), STREAMS_UNLIMITED);
    assert_log(&r.log, "subscribed 1 destroyed");
    assert_log(&own.log, "value(1) close");
    recorder_end(&r);
    assert_over(&own);
}

static void resend(recorder *self, const streams_value *value) {
    if (value->as.integer > 0 && value->as.integer < 4) assert_ok(send_int(self->extra, 1));
}

static void its_publisher_sends_inside_what_it_sends(void **state) {
    (void)state;
    expander own = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { .on_value = resend, .extra = subject };
    recorder_subscribe(&r, expanded(&own, streams_subject_publisher(subject)), STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 1));
    assert_log(&r.log, "subscribed 1 2 3 4");
    assert_ok(finish(subject));
    assert_log(&r.log, "-1 finished destroyed");
    assert_ok(streams_release(subject));
    recorder_end(&r);
    assert_over(&own);
}

enum { SENDS = 2000 };

static void *send_beside(void *context) {
    for (int i = 0; i < SENDS; i++) {
        streams_value value = streams_int(i);
        if (streams_emitter_send(context, &value) == STREAMS_TERMINATED) break;
    }
    return NULL;
}

static void other_threads_send_beside_it(void **state) {
    (void)state;
    for (int round = 0; round < 20; round++) {
        expander own = { .keeps = true };
        streams_subject *subject = streams_passthrough_subject_create();
        recorder r = { .more = 1 };
        recorder_subscribe(&r, expanded(&own, streams_subject_publisher(subject)), 1);
        pthread_t threads[2];
        for (int i = 0; i < 2; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, send_beside, own.emitter), 0);
        for (int i = 0; i < SENDS; i++) assert_ok(send_int(subject, 1));
        for (int i = 0; i < 2; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
        /* What is sent while the subject has no demand is dropped there; the rest all arrives. */
        assert_in_range(r.values, 2 * SENDS, 3 * SENDS);
        assert_ok(finish(subject));
        recorder_end(&r);
        assert_ok(streams_release(subject));
        assert_over(&own);
    }
}

static void bad_operators_are_refused(void **state) {
    (void)state;
    expander own = { 0 };
    streams_operator behavior = STREAMS_OPERATOR_INIT;
    behavior.context = &own;
    behavior.destroy = expander_destroy;
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_lift", streams_lift(ints(1), &behavior));
    assert_int_equal(own.destroyed, 1);
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_lift", streams_lift(ints(1), NULL));
    behavior.size = 3;
    assert_refused(STREAMS_INVALID_SIZE, "streams_lift", streams_lift(ints(1), &behavior));
    assert_int_equal(own.destroyed, 1);
}

/* ---- Subscribers that fail --------------------------------------------------------- */

typedef struct failing {
    recorder recorder;
    int64_t at;
    bool named;
} failing;

static uint64_t fail_at(void *context, const streams_value *value) {
    failing *self = context;
    log_add(&self->recorder.log, "%" PRId64, value->as.integer);
    if (value->as.integer < self->at) return 0;
    if (self->named) (void)streams_callback_fail_with(EIO, "file", "no space left");
    return STREAMS_FAIL;
}

static uint64_t fail_in_batch(void *context, const streams_value *values, size_t count) {
    uint64_t result = 0;
    for (size_t i = 0; i < count && result == 0; i++) result = fail_at(context, values + i);
    return result;
}

static streams_subscriber failing_subscriber(failing *self, bool batches) {
    streams_subscriber subscriber = recorder_subscriber(&self->recorder, STREAMS_UNLIMITED);
    subscriber.on_value = batches ? NULL : fail_at;
    subscriber.on_values = batches ? fail_in_batch : NULL;
    return subscriber;
}

static void a_subscriber_that_fails_cancels_and_is_told(void **state) {
    (void)state;
    for (int batches = 0; batches < 2; batches++) {
        failing f = { .at = 2, .named = true };
        streams_subject *subject = streams_passthrough_subject_create();
        streams_subscriber subscriber = failing_subscriber(&f, batches);
        streams_cancellable *cancellable = streams_sink(streams_subject_publisher(subject), &subscriber);
        streams_value values[] = { streams_int(1), streams_int(2), streams_int(3) };
        assert_ok(streams_subject_send_values(subject, values, 3));
        assert_log(&f.recorder.log, "subscribed 1 2 failed(no space left) destroyed");
        assert_ok(send_int(subject, 4));
        assert_log(&f.recorder.log, "");
        assert_ok(streams_release(cancellable));
        assert_ok(streams_release(subject));
        recorder_end(&f.recorder);
    }
}

static void one_that_names_no_error_fails_all_the_same(void **state) {
    (void)state;
    failing f = { .at = 1 };
    streams_subscriber subscriber = failing_subscriber(&f, false);
    assert_ok(streams_run(ints(3), &subscriber, INT64_MAX));
    assert_log(&f.recorder.log,
        "subscribed 1 failed(a callback returned STREAMS_FAIL, and no error is named) destroyed");
    recorder_end(&f.recorder);
}

static uint64_t cancel_and_fail(void *context, const streams_value *value) {
    failing *self = context;
    (void)value;
    assert_ok(streams_subscription_cancel(self->recorder.subscription));
    (void)streams_callback_fail_with(EIO, "file", "too late");
    return STREAMS_FAIL;
}

static void one_that_has_cancelled_is_not_told(void **state) {
    (void)state;
    failing f = { 0 };
    streams_subscriber subscriber = recorder_subscriber(&f.recorder, STREAMS_UNLIMITED);
    subscriber.on_value = cancel_and_fail;
    streams_cancellable *cancellable = streams_sink(ints(3), &subscriber);
    assert_log(&f.recorder.log, "subscribed destroyed");
    assert_ok(streams_release(cancellable));
    /* The error is nobody's: the next callback that fails without a name has one of its own. */
    failing next = { .at = 1 };
    subscriber = failing_subscriber(&next, false);
    assert_ok(streams_run(ints(1), &subscriber, INT64_MAX));
    assert_log(&next.recorder.log,
        "subscribed 1 failed(a callback returned STREAMS_FAIL, and no error is named) destroyed");
    recorder_end(&next.recorder);
    recorder_end(&f.recorder);
}

static void cancel_at_cancel(void *context, const char *text, size_t length) {
    failing *self = context;
    if (length > 0 && strstr(text, "cancel") != NULL)
        assert_ok(streams_subscription_cancel(self->recorder.subscription));
}

static void one_that_cancels_while_it_is_cancelled_is_not_told(void **state) {
    (void)state;
    failing f = { .at = 1, .named = true };
    streams_subscriber subscriber = failing_subscriber(&f, false);
    streams_publisher *tracked = streams_track(ints(3), "", cancel_at_cancel, &f, NULL);
    streams_cancellable *cancellable = streams_sink(tracked, &subscriber);
    assert_log(&f.recorder.log, "subscribed 1 destroyed");
    assert_ok(streams_release(cancellable));
    recorder_end(&f.recorder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(each_value_is_as_many_as_it_likes),
        test(what_is_not_demanded_waits),
        test(a_value_of_which_nothing_is_made_is_replaced),
        test(it_fails),
        test(it_finishes_early),
        test(the_failure_of_the_publisher_comes_after_what_waits),
        test(a_cancellation_drops_what_waits),
        test(its_publisher_sends_inside_what_it_sends),
        test(other_threads_send_beside_it),
        test(bad_operators_are_refused),
        test(a_subscriber_that_fails_cancels_and_is_told),
        test(one_that_names_no_error_fails_all_the_same),
        test(one_that_has_cancelled_is_not_told),
        test(one_that_cancels_while_it_is_cancelled_is_not_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
