/* Promises and their futures, publishers that are made when they are wanted, and recordings. */

#include <pthread.h>

#include "support.h"

static streams_status resolve(streams_promise *promise, int64_t number) {
    const streams_value value = streams_int(number);
    return streams_promise_resolve(promise, &value);
}

static void a_promise_is_kept_once(void **state) {
    (void)state;
    streams_promise *promise = streams_promise_create();
    streams_error *error = new_error("late");
    assert_ok(resolve(promise, 1));
    assert_int_equal(resolve(promise, 2), STREAMS_TERMINATED);
    assert_last(STREAMS_TERMINATED, "streams_promise_resolve");
    assert_int_equal(streams_promise_reject(promise, error), STREAMS_TERMINATED);
    assert_last(STREAMS_TERMINATED, "streams_promise_reject");
    assert_stream(streams_promise_publisher(promise), "subscribed 1 finished destroyed");
    assert_stream(streams_promise_publisher(promise), "subscribed 1 finished destroyed");
    assert_ok(streams_release(promise));
    assert_ok(streams_release(error));
}

static void what_is_wrong_keeps_no_promise(void **state) {
    (void)state;
    streams_value bad = streams_text("\xff");
    streams_promise *promise = streams_promise_create();
    assert_int_equal(streams_promise_resolve(promise, &bad), STREAMS_INVALID_UTF8);
    assert_int_equal(streams_promise_reject(promise, NULL), STREAMS_NULL_HANDLE);
    assert_ok(resolve(promise, 3));
    assert_stream(streams_promise_publisher(promise), "subscribed 3 finished destroyed");
    assert_ok(streams_release(promise));
}

static void a_future_outlives_its_promise(void **state) {
    (void)state;
    recorder r = { 0 };
    streams_promise *promise = streams_promise_create();
    streams_publisher *future = streams_promise_publisher(promise);
    assert_ok(streams_retain(future));
    recorder_subscribe(&r, future, STREAMS_UNLIMITED);
    assert_ok(resolve(promise, 1));
    assert_ok(streams_release(promise));
    assert_log(&r.log, "subscribed 1 finished destroyed");
    recorder_end(&r);
    assert_stream(future, "subscribed 1 finished destroyed");
}

/* Nobody can keep it any more, and who waits can still cancel. */
static void a_promise_that_is_let_go_of_is_never_kept(void **state) {
    (void)state;
    counter c = { 0 };
    recorder r = { 0 };
    streams_promise *promise = streams_promise_create();
    streams_publisher *future = streams_map(streams_promise_publisher(promise), add_one, &c, counter_destroy);
    recorder_subscribe(&r, future, STREAMS_UNLIMITED);
    assert_ok(streams_release(promise));
    assert_int_equal(resolve(promise, 1), STREAMS_STALE_HANDLE);
    assert_log(&r.log, "subscribed");
    assert_int_equal(c.destroyed, 0);
    recorder_end(&r);
    assert_int_equal(c.destroyed, 1);
}

enum { RACES = 200,
    THREADS = 3 };

static void *race(void *promise) { return (void *)(intptr_t)(resolve(promise, 1) == STREAMS_OK); }

static void one_of_several_threads_keeps_it(void **state) {
    (void)state;
    for (int i = 0; i < RACES; i++) {
        recorder r = { 0 };
        pthread_t threads[THREADS];
        intptr_t kept = 0;
        streams_promise *promise = streams_promise_create();
        recorder_subscribe(&r, streams_promise_publisher(promise), STREAMS_UNLIMITED);
        for (int t = 0; t < THREADS; t++)
            assert_int_equal(pthread_create(&threads[t], NULL, race, promise), 0);
        for (int t = 0; t < THREADS; t++) {
            void *mine = NULL;
            assert_int_equal(pthread_join(threads[t], &mine), 0);
            kept += (intptr_t)mine;
        }
        assert_int_equal(kept, 1);
        assert_log(&r.log, "subscribed 1 finished destroyed");
        recorder_end(&r);
        assert_ok(streams_release(promise));
    }
}

static streams_status make_numbers(void *context, streams_publisher **out) {
    counter *self = context;
    self->calls++;
    *out = ints(self->calls);
    return STREAMS_OK;
}

static streams_status make_nothing(void *context, streams_publisher **out) {
    (void)context, (void)out;
    return STREAMS_OK;
}

/* A publisher that is made of itself, again and again. */
static streams_status make_itself(void *context, streams_publisher **out) {
    *out = streams_deferred(make_itself, context, NULL);
    return STREAMS_OK;
}

static uint64_t ignore_value(void *context, const streams_value *value) {
    (void)context, (void)value;
    return 0;
}

static void note_limit(void *context, const streams_error *error) {
    counter *self = context;
    if (error != NULL && streams_error_code(error) == STREAMS_LIMIT) self->calls++;
}

static void deferred_publishers_are_made_for_each_subscriber(void **state) {
    (void)state;
    counter c = { 0 };
    streams_publisher *p = streams_deferred(make_numbers, &c, counter_destroy);
    assert_ok(streams_retain(p));
    assert_int_equal(c.calls, 0);
    assert_stream(p, "subscribed 1 finished destroyed");
    assert_stream(p, "subscribed 1 2 finished destroyed");
    assert_int_equal(c.destroyed, 1);
    assert_fails_inside(streams_deferred(make_nothing, NULL, NULL), STREAMS_NULL_HANDLE);
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_deferred", streams_deferred(NULL, &c, counter_destroy));
    assert_int_equal(c.destroyed, 2);
}

static void a_publisher_that_is_made_without_end_fails(void **state) {
    (void)state;
    counter c = { 0 };
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &c;
    subscriber.on_value = ignore_value;
    subscriber.on_completion = note_limit;
    assert_ok(streams_release(streams_sink(streams_deferred(make_itself, NULL, NULL), &subscriber)));
    assert_int_equal(c.calls, 1);
}

static void recordings_are_checked(void **state) {
    (void)state;
    const streams_value values[] = { streams_int(1), streams_text("\xff") };
    streams_error *error = new_error("over");
    assert_stream(streams_record(values, 1, error), "subscribed 1 failed(over) destroyed");
    assert_stream(streams_record(values, 1, NULL), "subscribed 1 finished destroyed");
    assert_stream(streams_record(NULL, 0, NULL), "subscribed finished destroyed");
    assert_refused(STREAMS_INVALID_UTF8, "streams_record", streams_record(values, 2, error));
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_record", streams_record(NULL, 1, error));
    assert_refused(STREAMS_OUT_OF_RANGE, "streams_record", streams_record(values, SIZE_MAX, error));
    assert_ok(streams_release(error));
    assert_refused(STREAMS_STALE_HANDLE, "streams_record", streams_record(values, 1, error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_promise_is_kept_once),
        test(what_is_wrong_keeps_no_promise),
        test(a_future_outlives_its_promise),
        test(a_promise_that_is_let_go_of_is_never_kept),
        test(one_of_several_threads_keeps_it),
        test(deferred_publishers_are_made_for_each_subscriber),
        test(a_publisher_that_is_made_without_end_fails),
        test(recordings_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
