/* Streams that are subscribed to when the scheduler that they need has been
 * released. What waits for one meanwhile is in test_time.c. */

#include "depth.h"

static streams_publisher *retried(
    streams_publisher *p, streams_nanoseconds delay, streams_scheduler *scheduler) {
    streams_backoff backoff = STREAMS_BACKOFF_INIT;
    backoff.delay = delay;
    return streams_retry_backoff(p, &backoff, scheduler, NULL, NULL, NULL);
}

static streams_publisher *throttled(
    streams_publisher *p, streams_nanoseconds interval, streams_scheduler *scheduler) {
    return streams_throttle(p, interval, scheduler, true);
}

static streams_publisher *ended(
    streams_publisher *p, streams_nanoseconds interval, streams_scheduler *scheduler) {
    return streams_timeout(p, interval, scheduler, NULL);
}

static streams_publisher *grouped(
    streams_publisher *p, streams_nanoseconds interval, streams_scheduler *scheduler) {
    return streams_collect_by_time_or_count(p, interval, 2, scheduler);
}

static streams_publisher *received(
    streams_publisher *p, streams_nanoseconds nothing, streams_scheduler *scheduler) {
    (void)nothing;
    return streams_receive_on(p, scheduler);
}

static streams_publisher *subscribed(
    streams_publisher *p, streams_nanoseconds nothing, streams_scheduler *scheduler) {
    (void)nothing;
    return streams_subscribe_on(p, scheduler);
}

static streams_publisher *counted(
    streams_publisher *p, streams_nanoseconds interval, streams_scheduler *scheduler) {
    assert_ok(streams_release(p));
    return streams_interval(0, interval, 2, scheduler);
}

static void every_stream_fails_without(streams_scheduler *(*create)(void)) {
    streams_publisher *(*const make[])(streams_publisher *, streams_nanoseconds, streams_scheduler *) = {
        streams_debounce, streams_delay, throttled, ended, streams_collect_by_time, grouped, received,
        subscribed, counted, retried
    };
    for (size_t i = 0; i < sizeof make / sizeof *make; i++) {
        streams_scheduler *scheduler = create();
        streams_publisher *p = make[i](ints(1), 10, scheduler);
        assert_ok(streams_release(scheduler));
        assert_stream(p, "subscribed failed(the stream's scheduler has been released) destroyed");
    }
}

static void one_that_its_program_runs(void **state) {
    (void)state;
    every_stream_fails_without(streams_virtual_scheduler_create);
    every_stream_fails_without(streams_loop_create);
}

static streams_scheduler *queue_of_a_pool(void) {
    streams_pool *pool = streams_pool_create(1);
    streams_scheduler *queue = streams_pool_queue(pool);
    assert_ok(streams_release(pool));
    return queue;
}

static void one_that_runs_by_itself(void **state) {
    (void)state;
    every_stream_fails_without(streams_queue_create);
    every_stream_fails_without(queue_of_a_pool);
}

static streams_nanoseconds no_time(void *context) {
    (void)context;
    return 0;
}

static void never(void *context, streams_nanoseconds time, streams_action *action) {
    (void)context, (void)time, (void)action;
    fail_msg("a scheduler that is gone was given an action");
}

static streams_scheduler *own(void) {
    streams_custom_scheduler callbacks = STREAMS_CUSTOM_SCHEDULER_INIT;
    callbacks.now = no_time;
    callbacks.schedule = never;
    return streams_custom_scheduler_create(&callbacks);
}

static void one_of_ones_own(void **state) {
    (void)state;
    every_stream_fails_without(own);
}

static void one_that_runs_at_once_is_not_missed(void **state) {
    (void)state;
    streams_scheduler *scheduler = streams_immediate_scheduler_create();
    streams_publisher *p = streams_delay(ints(1), 10, scheduler);
    assert_ok(streams_release(scheduler));
    assert_stream(p, "subscribed 1 finished destroyed");
}

static void time_is_measured_without_a_handle(void **state) {
    (void)state;
    streams_scheduler *scheduler = streams_virtual_scheduler_create();
    streams_publisher *p = streams_measure_interval(ints(1), scheduler);
    assert_ok(streams_release(scheduler));
    assert_stream(p, "subscribed 0 finished destroyed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(one_that_its_program_runs),
        test(one_that_runs_by_itself),
        test(one_of_ones_own),
        test(one_that_runs_at_once_is_not_missed),
        test(time_is_measured_without_a_handle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
