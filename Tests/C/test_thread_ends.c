/* A pthread_cancel of a thread that runs a loop or waits for a stream: the call
 * goes on to its end, with its callbacks, and the thread is cancelled after it. */

#include <pthread.h>
#include <sched.h>

#include "support.h"

static streams_scheduler *loop;
static streams_subject *subject;
static pthread_t thread;
static atomic_int steps, destroyed, has_returned, is_ready;

/* A callback that is a cancellation point, on a thread that is to be cancelled. */
static void reach_a_cancellation_point(void *context) {
    (void)context;
    steps++;
    (void)pthread_cancel(pthread_self());
    pthread_testcancel();
    steps++;
}

static uint64_t cancel_me(void *context, const streams_value *value) {
    (void)value;
    reach_a_cancellation_point(context);
    return 0;
}

static void count_destroy(void *context) { (void)context, destroyed++; }

static void schedule_on(streams_scheduler *scheduler) {
    uint64_t number =
        streams_scheduler_schedule(scheduler, 0, reach_a_cancellation_point, NULL, count_destroy);
    assert_true(number != 0);
}

static streams_status run_loop(void) { return streams_loop_run(loop); }
static streams_status run_loop_until(void) { return streams_loop_run_until(loop, INT64_MAX); }
static streams_status run_loop_once(void) { return streams_loop_run_once(loop, INT64_MAX); }
static streams_status run_stream(void) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.on_value = cancel_me;
    subscriber.destroy = count_destroy;
    return streams_run(streams_subject_publisher(subject), &subscriber, INT64_MAX);
}

static void *call_it(void *function) {
    streams_status (*const *call)(void) = function;
    is_ready = true;
    has_returned = (*call)() == STREAMS_OK;
    pthread_testcancel();
    return NULL;
}

static void start(streams_status (**call)(void)) {
    steps = destroyed = has_returned = is_ready = 0;
    assert_int_equal(pthread_create(&thread, NULL, call_it, (void *)call), 0);
    while (!is_ready) sched_yield();
}

static void assert_cancelled_after_the_call(void) {
    void *result = NULL;
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, PTHREAD_CANCELED);
    assert_true(has_returned);
}

static streams_status (*loops[])(void) = { run_loop, run_loop_until, run_loop_once };

static void a_loop_runs_on_and_can_be_run_again(void **state) {
    (void)state;
    loop = streams_loop_create();
    for (int i = 0; i < 3; i++) {
        start(&loops[i]);
        (void)pthread_cancel(thread);
        assert_ok(streams_loop_stop(loop));
        assert_cancelled_after_the_call();
        assert_ok(streams_loop_run_once(loop, 0));
    }
    assert_ok(streams_release(loop));
}

static void what_a_loop_runs_is_run_to_its_end(void **state) {
    (void)state;
    loop = streams_loop_create();
    for (int i = 0; i < 3; i++) {
        schedule_on(loop);
        start(&loops[i]);
        while (destroyed == 0) sched_yield();
        assert_ok(streams_loop_stop(loop));
        assert_cancelled_after_the_call();
        assert_int_equal(steps, 2);
        assert_ok(streams_loop_run_once(loop, 0));
    }
    assert_ok(streams_release(loop));
}

static streams_status (*stream)(void) = run_stream;

static void a_stream_is_waited_for_and_its_context_destroyed(void **state) {
    (void)state;
    streams_value zero = streams_int(0);
    subject = streams_current_value_subject_create(&zero);
    start(&stream);
    while (steps < 2) sched_yield();
    assert_int_equal(destroyed, 0);
    assert_ok(finish(subject));
    assert_cancelled_after_the_call();
    assert_int_equal(destroyed, 1);
    assert_ok(streams_release(subject));
}

/* A queue is usable after somebody has meant its thread. */
static void a_queue_goes_on(void **state) {
    (void)state;
    steps = destroyed = 0;
    streams_scheduler *queue = streams_queue_create();
    for (int i = 1; i <= 2; i++) {
        schedule_on(queue);
        while (destroyed < i) sched_yield();
        assert_int_equal(steps, i * 2);
    }
    assert_ok(streams_release(queue));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_loop_runs_on_and_can_be_run_again),
        test(what_a_loop_runs_is_run_to_its_end),
        test(a_stream_is_waited_for_and_its_context_destroyed),
        test(a_queue_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
