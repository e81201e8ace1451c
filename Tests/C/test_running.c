/* Streams that are run to their end, by the real clock. What is checked is order
 * and number, never how long it took. */

#include <time.h>

#include "support.h"

enum { MILLISECOND = 1000000 };
static const streams_nanoseconds LONG = 60000000000;

typedef struct heard {
    test_log log;
    atomic_int values;
    atomic_int ends;
    atomic_int destroyed;
} heard;

static uint64_t hear_value(void *context, const streams_value *value) {
    heard *self = context;
    log_value(&self->log, value);
    self->values++;
    return 0;
}

static void hear_end(void *context, const streams_error *error) {
    heard *self = context;
    log_add(&self->log, "%s", error == NULL ? "finished" : streams_error_message(error));
    self->ends++;
}

static void hear_destroy(void *context) {
    heard *self = context;
    self->destroyed++;
}

static streams_subscriber hearing(heard *self) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    *self = (heard){ 0 };
    subscriber.context = self;
    subscriber.on_value = hear_value;
    subscriber.on_completion = hear_end;
    subscriber.destroy = hear_destroy;
    return subscriber;
}

static void what_is_there_is_run_without_waiting(void **state) {
    (void)state;
    heard it;
    streams_subscriber subscriber = hearing(&it);
    assert_ok(streams_run(ints(3), &subscriber, 0));
    assert_log(&it.log, "1 2 3 finished");
    assert_int_equal(it.destroyed, 1);
    streams_error *oops = new_error("oops");
    subscriber = hearing(&it);
    assert_ok(streams_run(streams_fail(oops), &subscriber, INT64_MAX));
    assert_log(&it.log, "oops");
    assert_ok(streams_release(oops));
}

static void the_end_comes_from_another_thread(void **state) {
    (void)state;
    streams_scheduler *queue = streams_queue_create();
    for (int i = 0; i < (under_valgrind() ? 10 : 300); i++) {
        heard it;
        streams_subscriber subscriber = hearing(&it);
        assert_ok(streams_run(streams_receive_on(ints(3), queue), &subscriber, LONG));
        assert_log(&it.log, "1 2 3 finished");
        assert_int_equal(it.destroyed, 1);
    }
    assert_ok(streams_release(queue));
}

static void what_lasts_too_long_is_cancelled(void **state) {
    (void)state;
    streams_scheduler *queue = streams_queue_create();
    heard it;
    streams_subscriber subscriber = hearing(&it);
    streams_subject *silent = streams_passthrough_subject_create();
    assert_status(STREAMS_TIMED_OUT, streams_run(streams_subject_publisher(silent), &subscriber, 0));
    assert_true(it.destroyed == 1 && it.ends == 0);
    assert_ok(streams_release(silent));
    subscriber = hearing(&it);
    streams_publisher *numbers = streams_interval(0, MILLISECOND, STREAMS_UNLIMITED, queue);
    assert_status(STREAMS_TIMED_OUT, streams_run(numbers, &subscriber, 20 * MILLISECOND));
    assert_true(it.destroyed == 1 && it.ends == 0);
    /* The queue goes on. */
    subscriber = hearing(&it);
    assert_ok(streams_run(streams_interval(0, MILLISECOND, 3, queue), &subscriber, LONG));
    assert_log(&it.log, "0 1 2 finished");
    streams_clear_last_error();
    assert_ok(streams_release(queue));
}

static void what_nobody_can_end_is_not_waited_for(void **state) {
    (void)state;
    heard it;
    streams_subscriber subscriber = hearing(&it);
    assert_status(STREAMS_TERMINATED, streams_run(streams_empty(false), &subscriber, INT64_MAX));
    assert_true(it.destroyed == 1 && it.ends == 0);
}

static void cancel_at_once(void *context, streams_subscription *subscription) {
    (void)context;
    (void)streams_subscription_cancel(subscription);
}

static void a_callback_may_cancel(void **state) {
    (void)state;
    heard it;
    streams_subject *silent = streams_passthrough_subject_create();
    streams_subscriber subscriber = hearing(&it);
    subscriber.on_subscription = cancel_at_once;
    assert_ok(streams_run(streams_subject_publisher(silent), &subscriber, INT64_MAX));
    assert_true(it.destroyed == 1 && it.ends == 0);
    assert_ok(streams_release(silent));
}

/* A stream that is run within a value of the subject, and so within its delivery. */
static streams_subject *shared;

static uint64_t run_the_subject(void *context, const streams_value *value) {
    heard inner;
    streams_subscriber subscriber = hearing(&inner);
    streams_status status = streams_run(streams_subject_publisher(shared), &subscriber, MILLISECOND);
    log_add(&((heard *)context)->log, "%s %d", streams_status_name(status), inner.destroyed);
    return hear_value(context, value);
}

static void a_callback_may_run_what_is_delivering_to_it(void **state) {
    (void)state;
    heard it;
    shared = streams_passthrough_subject_create();
    streams_subscriber subscriber = hearing(&it);
    subscriber.on_value = run_the_subject;
    streams_cancellable *cancellable = streams_sink(streams_subject_publisher(shared), &subscriber);
    assert_ok(send_int(shared, 4));
    assert_log(&it.log, "STREAMS_TIMED_OUT 1 4");
    streams_clear_last_error();
    assert_ok(streams_release(cancellable));
    assert_ok(streams_release(shared));
}

/* Sleeps within a value, so that the time runs out meanwhile. */
static uint64_t value_that_lasts(void *context, const streams_value *value) {
    const struct timespec moment = { .tv_nsec = 30 * MILLISECOND };
    (void)nanosleep(&moment, NULL);
    return hear_value(context, value);
}

static void a_callback_that_is_running_is_waited_for(void **state) {
    (void)state;
    streams_scheduler *queue = streams_queue_create();
    heard it;
    streams_subscriber subscriber = hearing(&it);
    subscriber.on_value = value_that_lasts;
    streams_publisher *numbers = streams_interval(0, MILLISECOND, STREAMS_UNLIMITED, queue);
    assert_status(STREAMS_TIMED_OUT, streams_run(numbers, &subscriber, 5 * MILLISECOND));
    assert_int_equal(it.destroyed, 1);
    streams_clear_last_error();
    assert_ok(streams_release(queue));
}

static void end_that_lasts(void *context, const streams_error *error) {
    const struct timespec moment = { .tv_nsec = 30 * MILLISECOND };
    (void)nanosleep(&moment, NULL);
    hear_end(context, error);
}

static void an_end_that_is_being_told_is_the_end(void **state) {
    (void)state;
    streams_scheduler *queue = streams_queue_create();
    heard it;
    streams_subscriber subscriber = hearing(&it);
    subscriber.on_completion = end_that_lasts;
    streams_status status =
        streams_run(streams_receive_on(ints(1), queue), &subscriber, 15 * MILLISECOND);
    /* Where the queue came too late, nothing was told. */
    assert_true(it.destroyed == 1 && it.ends == (status == STREAMS_OK));
    streams_clear_last_error();
    assert_ok(streams_release(queue));
}

static uint64_t run_within(void *context, const streams_value *value) {
    heard inner;
    streams_subscriber subscriber = hearing(&inner);
    (void)hear_value(context, value);
    heard *self = context;
    log_add(&self->log, "%s", streams_status_name(streams_run(ints(2), &subscriber, LONG)));
    return 0;
}

static void a_callback_may_run_another_stream(void **state) {
    (void)state;
    heard it;
    streams_subscriber subscriber = hearing(&it);
    subscriber.on_value = run_within;
    assert_ok(streams_run(ints(2), &subscriber, LONG));
    assert_log(&it.log, "1 STREAMS_OK 2 STREAMS_OK finished");
}

/* What is left to the thread that delivers comes before the completion that is sent after it. */
static uint64_t send_back(void *context, const streams_value *value) {
    (void)value;
    (void)send_int(context, 2);
    (void)streams_subject_send_completion(context, NULL);
    return 0;
}

enum { MANY = 2000 };

static uint64_t send_many_back(void *context, const streams_value *value) {
    (void)value;
    int64_t numbers[MANY] = { 0 };
    (void)streams_subject_send_int64s(context, numbers, MANY);
    (void)streams_subject_send_completion(context, NULL);
    return 0;
}

static uint64_t (*sends_back)(void *context, const streams_value *value);

/* Waits for a callback that sends, on another thread, to the stream that this one delivers to. */
static uint64_t run_what_sends_back(void *context, const streams_value *value) {
    heard *self = context;
    if (value->as.integer == 0) self->values++;
    if (value->as.integer == 2) return hear_value(context, value);
    if (value->as.integer != 1) return 0;
    streams_scheduler *queue = streams_queue_create();
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = shared;
    subscriber.on_value = sends_back;
    log_add(&self->log, "%s",
        streams_status_name(streams_run(streams_receive_on(ints(1), queue), &subscriber, INT64_MAX)));
    (void)streams_release(queue);
    return 0;
}

static streams_subject *subject_of_kind(int kind) {
    const streams_value first = streams_int(3);
    if (kind == 0) return streams_passthrough_subject_create();
    return kind == 1 ? streams_current_value_subject_create(&first) : streams_replay_subject_create(5);
}

static void a_callback_that_sends_to_who_waits_for_it_does_not_wait(void **state) {
    (void)state;
    for (int round = 0; round < (under_valgrind() ? 6 : 600); round++) {
        heard it;
        bool many = round % 2 != 0;
        streams_subscriber subscriber = hearing(&it);
        subscriber.on_value = run_what_sends_back;
        sends_back = many ? send_many_back : send_back;
        shared = subject_of_kind(round / 2 % 3);
        streams_cancellable *cancellable = streams_sink(streams_subject_publisher(shared), &subscriber);
        assert_ok(send_int(shared, 1));
        assert_log(&it.log, many ? "STREAMS_OK finished" : "STREAMS_OK 2 finished");
        assert_int_equal(it.values, many ? MANY : 1);
        assert_ok(streams_release(cancellable));
        assert_ok(streams_release(shared));
    }
}

static void what_cannot_be_run_lets_go_of_everything(void **state) {
    (void)state;
    heard it;
    streams_subscriber subscriber = hearing(&it);
    assert_status(STREAMS_INVALID_ARGUMENT, streams_run(ints(1), &subscriber, -1));
    assert_int_equal(it.destroyed, 1);
    subscriber.on_value = NULL;
    assert_status(STREAMS_NULL_ARGUMENT, streams_run(ints(1), &subscriber, LONG));
    assert_int_equal(it.destroyed, 2);
    assert_true(it.values == 0 && it.ends == 0);
    streams_clear_last_error();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(what_is_there_is_run_without_waiting),
        test(the_end_comes_from_another_thread),
        test(what_lasts_too_long_is_cancelled),
        test(what_nobody_can_end_is_not_waited_for),
        test(a_callback_may_cancel),
        test(a_callback_may_run_what_is_delivering_to_it),
        test(a_callback_that_is_running_is_waited_for),
        test(an_end_that_is_being_told_is_the_end),
        test(a_callback_may_run_another_stream),
        test(a_callback_that_sends_to_who_waits_for_it_does_not_wait),
        test(what_cannot_be_run_lets_go_of_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
