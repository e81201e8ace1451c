/* Debounce and throttle without a stream, and what is refused of attempts and
 * intervals. */

#include <pthread.h>
#include <sched.h>

#include "support.h"

static void note_action(void *context) { log_add(context, "run"); }

static void note_end(void *context) { log_add(context, "gone"); }

static void one_runs_and_each_is_let_go_of(void **state) {
    (void)state;
    test_log a = { 0 }, b = { 0 }, c = { 0 };
    streams_scheduler *clock = streams_virtual_scheduler_create();
    streams_debouncer *debouncer = streams_debouncer_create(10, clock);
    streams_throttler *throttler = streams_throttler_create(10, clock, false);
    assert_ok(streams_debouncer_execute(debouncer, note_action, &a, note_end));
    assert_ok(streams_debouncer_execute(debouncer, note_action, &b, note_end));
    assert_log(&a, "gone");
    assert_ok(streams_virtual_scheduler_advance(clock, 10));
    assert_log(&b, "run gone");
    assert_ok(streams_debouncer_execute(debouncer, note_action, &c, note_end));
    assert_ok(streams_release(debouncer));
    assert_log(&c, "gone");

    assert_ok(streams_throttler_execute(throttler, note_action, &a, note_end));
    assert_ok(streams_virtual_scheduler_advance(clock, 0));
    assert_log(&a, "run gone");
    assert_ok(streams_throttler_execute(throttler, note_action, &b, note_end));
    assert_ok(streams_throttler_execute(throttler, note_action, &c, note_end));
    assert_log(&c, "gone");
    assert_ok(streams_virtual_scheduler_advance(clock, 9));
    assert_log(&b, "");
    assert_ok(streams_virtual_scheduler_advance(clock, 1));
    assert_log(&b, "run gone");
    assert_ok(streams_release(throttler));
    assert_ok(streams_release(clock));
}

static void what_waits_goes_with_its_scheduler(void **state) {
    (void)state;
    test_log a = { 0 };
    streams_scheduler *clock = streams_virtual_scheduler_create();
    streams_debouncer *debouncer = streams_debouncer_create(10, clock);
    assert_ok(streams_debouncer_execute(debouncer, note_action, &a, note_end));
    assert_ok(streams_release(clock));
    assert_status(
        STREAMS_STALE_HANDLE, streams_debouncer_execute(debouncer, note_action, &a, note_end));
    assert_ok(streams_release(debouncer));
    assert_log(&a, "gone gone");
}

typedef struct giver {
    streams_debouncer *debouncer;
    atomic_int runs, gone;
} giver;

static void count_run(void *context) { ((giver *)context)->runs++; }

static void count_end(void *context) { ((giver *)context)->gone++; }

enum { GIVEN = 500 };

static void *give(void *context) {
    giver *self = context;
    for (int i = 0; i < GIVEN; i++)
        if (streams_debouncer_execute(self->debouncer, count_run, self, count_end) != STREAMS_OK) return self;
    return NULL;
}

static void threads_give_and_one_lets_go(void **state) {
    (void)state;
    for (int round = 0; round < (under_valgrind() ? 2 : 50); round++) {
        streams_scheduler *queue = streams_queue_create();
        giver all = { .debouncer = streams_debouncer_create(0, queue) };
        pthread_t threads[3];
        void *failed = NULL;
        for (int i = 0; i < 3; i++) assert_int_equal(pthread_create(&threads[i], NULL, give, &all), 0);
        for (int i = 0; i < 3; i++) {
            void *result = NULL;
            pthread_join(threads[i], &result);
            if (result != NULL) failed = result;
        }
        assert_null(failed);
        assert_ok(streams_release(all.debouncer));
        /* Behind whatever runs still. */
        recorder it = { 0 };
        streams_subscriber subscriber = recorder_subscriber(&it, STREAMS_UNLIMITED);
        assert_ok(streams_run(streams_receive_on(ints(1), queue), &subscriber, INT64_MAX));
        recorder_end(&it);
        assert_ok(streams_release(queue));
        while (all.gone < 3 * GIVEN) (void)sched_yield();
        assert_true(all.gone == 3 * GIVEN && all.runs <= all.gone);
    }
}

/* ---- Attempts ------------------------------------------------------------------- */

static void a_backoff_is_checked(void **state) {
    (void)state;
    streams_scheduler *clock = streams_virtual_scheduler_create();
    streams_scheduler *at_once = streams_immediate_scheduler_create();
    streams_backoff good = STREAMS_BACKOFF_INIT, bad[6];
    for (int i = 0; i < 6; i++) bad[i] = good;
    bad[0].retries = -1;
    bad[1].delay = -1;
    bad[2].longest_delay = -1;
    bad[3].factor = 0;
    bad[4].jitter = 1.5;
    bad[5].factor = (double)INT64_MAX * (double)INT64_MAX * 1e300 * 1e300; /* infinite */
    for (int i = 0; i < 6; i++) {
        assert_refused(STREAMS_INVALID_ARGUMENT, "streams_retry_backoff",
            streams_retry_backoff(ints(1), &bad[i], clock, NULL, NULL, NULL));
    }
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_retry_backoff",
        streams_retry_backoff(ints(1), &good, at_once, NULL, NULL, NULL));
    good.size--;
    assert_refused(STREAMS_INVALID_SIZE, "streams_retry_backoff",
        streams_retry_backoff(ints(1), &good, clock, NULL, NULL, NULL));
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_interval", streams_interval(0, 0, 2, clock));
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_interval", streams_interval(-1, 1, 2, clock));
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_interval", streams_interval(0, 1, 2, at_once));
    assert_ok(streams_release(clock));
    assert_ok(streams_release(at_once));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(one_runs_and_each_is_let_go_of),
        test(what_waits_goes_with_its_scheduler),
        test(threads_give_and_one_lets_go),
        test(a_backoff_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
