/* What every sort of scheduler does, and schedulers of one's own. How long
 * anything takes is not looked at, only what runs, where, and in which order. */

#include <pthread.h>

#include "actions.h"

/* ---- Any scheduler --------------------------------------------------------- */

static void actions_run_in_order_and_are_destroyed_once(void **state) {
    (void)state;
    test_log log = { .length = 0 };
    word a = { &log, "a" }, b = { &log, "b" }, c = { &log, "c" };
    streams_scheduler *scheduler = streams_virtual_scheduler_create();
    assert_true(at(scheduler, 20, &b) != 0);
    uint64_t number = at(scheduler, 20, &c);
    assert_true(at(scheduler, 10, &a) != 0);
    assert_ok(streams_scheduler_cancel(scheduler, number));
    assert_log(&log, "-c");
    assert_ok(streams_scheduler_cancel(scheduler, number));
    assert_ok(streams_scheduler_cancel(scheduler, 0));
    assert_ok(streams_scheduler_cancel(scheduler, UINT64_MAX));
    assert_ok(streams_virtual_scheduler_run(scheduler));
    assert_log(&log, "a -a b -b");
    assert_int_equal(streams_scheduler_now(scheduler), 20);
    assert_true(at(scheduler, 10, &a) != 0);
    assert_ok(streams_release(scheduler));
    assert_log(&log, "-a");
    assert_refused(STREAMS_STALE_HANDLE, "streams_scheduler_schedule",
        streams_scheduler_schedule(scheduler, 0, say, &a, say_destroyed));
    assert_log(&log, "-a");
}

static void what_is_scheduled_at_once_runs_at_once(void **state) {
    (void)state;
    test_log log = { .length = 0 };
    word a = { &log, "a" };
    streams_scheduler *scheduler = streams_immediate_scheduler_create();
    assert_true(at(scheduler, 1000, &a) != 0);
    assert_log(&log, "a -a");
    assert_int_equal(streams_scheduler_now(scheduler), 0);
    assert_stream(streams_debounce(ints(2), 1000, scheduler), "subscribed 1 2 finished destroyed");
    assert_ok(streams_release(scheduler));
}

typedef struct repeating {
    streams_scheduler *scheduler;
    int64_t calls;
} repeating;

static void repeat(void *context) {
    repeating *self = context;
    self->calls++;
    (void)streams_scheduler_schedule(
        self->scheduler, streams_scheduler_now(self->scheduler) + 1, repeat, self, NULL);
}

static void a_run_without_end_stops(void **state) {
    (void)state;
    repeating r = { streams_virtual_scheduler_create(), 0 };
    repeat(&r);
    assert_status(STREAMS_LIMIT, streams_virtual_scheduler_run(r.scheduler));
    assert_int_equal(r.calls, 1000001);
    assert_status(STREAMS_LIMIT, streams_virtual_scheduler_run(r.scheduler));
    assert_int_equal(r.calls, 2000001);
    assert_ok(streams_release(r.scheduler));
}

static void each_sort_has_its_own_functions(void **state) {
    (void)state;
    streams_scheduler *loop = streams_loop_create(), *virtual = streams_virtual_scheduler_create();
    assert_status(STREAMS_INVALID_ARGUMENT, streams_virtual_scheduler_advance(loop, 1));
    assert_status(STREAMS_INVALID_ARGUMENT, streams_virtual_scheduler_run(loop));
    assert_status(STREAMS_INVALID_ARGUMENT, streams_loop_run_once(virtual, 0));
    assert_status(STREAMS_INVALID_ARGUMENT, streams_loop_run_until(virtual, 0));
    assert_status(STREAMS_INVALID_ARGUMENT, streams_loop_run(virtual));
    assert_status(STREAMS_INVALID_ARGUMENT, streams_loop_stop(virtual));
    assert_int_equal(streams_loop_descriptor(virtual), -1);
    assert_last(STREAMS_INVALID_ARGUMENT, "streams_loop_descriptor");
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_pool_create", streams_pool_create(0));
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_pool_create", streams_pool_create(SIZE_MAX));
    assert_ok(streams_release(loop));
    assert_ok(streams_release(virtual));
}

/* ---- Schedulers of one's own -------------------------------------------------- */

enum { MOST = 8 };

typedef struct own {
    test_log log;
    streams_nanoseconds now;
    streams_action *actions[MOST];
    int taken, destroyed;
} own;

static streams_nanoseconds own_now(void *context) { return ((own *)context)->now; }

static streams_nanoseconds own_now_is_0(void *context) {
    (void)context;
    return 0;
}

static void own_schedule(void *context, streams_nanoseconds time, streams_action *action) {
    own *self = context;
    log_add(&self->log, "take(%d)", (int)time);
    self->actions[self->taken++ % MOST] = action;
    if (streams_action_run(action) != STREAMS_INVALID_ARGUMENT) log_add(&self->log, "too early");
}

static void own_cancel(void *context, streams_action *action) {
    own *self = context;
    for (int i = 0; i < MOST; i++)
        if (self->actions[i] == action) log_add(&self->log, "cancel(%d)", i);
    if (streams_action_run(action) != STREAMS_STALE_HANDLE) log_add(&self->log, "alive");
}

static void own_destroy(void *context) { ((own *)context)->destroyed++; }

static streams_scheduler *own_create(own *self) {
    streams_custom_scheduler callbacks = STREAMS_CUSTOM_SCHEDULER_INIT;
    callbacks.context = self;
    callbacks.now = own_now;
    callbacks.schedule = own_schedule;
    callbacks.cancel = own_cancel;
    callbacks.destroy = own_destroy;
    return streams_custom_scheduler_create(&callbacks);
}

static void a_scheduler_of_ones_own_runs_actions_once(void **state) {
    (void)state;
    own self = { .now = 5 };
    streams_scheduler *scheduler = own_create(&self);
    assert_int_equal(streams_scheduler_now(scheduler), 5);
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { 0 };
    recorder_subscribe(
        &r, streams_debounce(streams_subject_publisher(subject), 10, scheduler), STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 1));
    self.now = 7;
    assert_ok(send_int(subject, 2));
    assert_log(&self.log, "take(15)");
    self.now = 15;
    assert_ok(streams_action_run(self.actions[0]));
    assert_log(&self.log, "take(17)");
    assert_status(STREAMS_STALE_HANDLE, streams_action_run(self.actions[0]));
    self.now = 20;
    assert_ok(streams_action_run(self.actions[1]));
    assert_log(&r.log, "subscribed 2");
    assert_status(STREAMS_STALE_HANDLE, streams_action_run(self.actions[0]));
    assert_log(&r.log, "");
    /* One that is never run goes with the scheduler. */
    assert_ok(send_int(subject, 3));
    assert_log(&self.log, "take(30)");
    assert_ok(streams_release(scheduler));
    assert_log(&self.log, "cancel(2)");
    assert_status(STREAMS_STALE_HANDLE, streams_action_run(self.actions[2]));
    assert_int_equal(self.destroyed, 0);
    recorder_end(&r);
    assert_ok(send_int(subject, 4));
    assert_log(&r.log, "destroyed");
    assert_ok(streams_release(subject));
    assert_int_equal(self.destroyed, 1);
    assert_log(&self.log, "");
}

/* ---- Actions that a scheduler rejects ------------------------------------------ */

static streams_publisher *received(streams_publisher *publisher, streams_scheduler *scheduler) {
    return streams_receive_on(publisher, scheduler);
}

static streams_publisher *delayed(streams_publisher *publisher, streams_scheduler *scheduler) {
    return streams_delay(publisher, 10, scheduler);
}

static streams_publisher *debounced(streams_publisher *publisher, streams_scheduler *scheduler) {
    return streams_debounce(publisher, 10, scheduler);
}

static streams_publisher *grouped(streams_publisher *publisher, streams_scheduler *scheduler) {
    return streams_collect_by_time(publisher, 10, scheduler);
}

static streams_publisher *subscribed(streams_publisher *publisher, streams_scheduler *scheduler) {
    return streams_subscribe_on(publisher, scheduler);
}

static streams_publisher *timed(streams_publisher *publisher, streams_scheduler *scheduler) {
    (void)streams_release(publisher);
    return streams_interval(0, 10, 2, scheduler);
}

typedef streams_publisher *(*attach_fn)(streams_publisher *publisher, streams_scheduler *scheduler);

static attach_fn const attaching[] = { received, delayed, debounced, grouped, subscribed, timed };

static void a_stream_fails_when_its_action_is_rejected(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof attaching / sizeof *attaching; i++) {
        for (int named = 0; named < 2; named++) {
            own self = { .now = 5 };
            streams_scheduler *scheduler = own_create(&self);
            streams_subject *subject = streams_passthrough_subject_create();
            recorder r = { 0 };
            recorder_subscribe(
                &r, attaching[i](streams_subject_publisher(subject), scheduler), STREAMS_UNLIMITED);
            (void)send_int(subject, 1);
            assert_true(self.taken > 0);
            streams_error *error = named ? streams_error_create(7, "test", "no room", NULL) : NULL;
            assert_ok(streams_action_reject(self.actions[0], error));
            assert_status(STREAMS_STALE_HANDLE, streams_action_reject(self.actions[0], error));
            assert_status(STREAMS_STALE_HANDLE, streams_action_run(self.actions[0]));
            assert_non_null(
                strstr(r.log.text, named ? "failed(no room)" : "failed(the scheduler has rejected"));
            (void)send_int(subject, 2);
            assert_ok(streams_release(subject));
            recorder_end(&r);
            if (error) assert_ok(streams_release(error));
            assert_ok(streams_release(scheduler));
            assert_int_equal(self.destroyed, 1);
            assert_int_equal(streams_live_handles(), 0);
        }
    }
}

static void own_reject(void *context, streams_nanoseconds time, streams_action *action) {
    own *self = context;
    (void)time;
    self->taken++;
    assert_true(streams_action_reject(action, NULL) != STREAMS_INVALID_ARGUMENT);
    assert_int_equal(streams_handle_kind(action), STREAMS_KIND_NONE);
}

static void a_scheduler_may_reject_at_once(void **state) {
    (void)state;
    own self = { .now = 0 };
    streams_custom_scheduler callbacks = STREAMS_CUSTOM_SCHEDULER_INIT;
    callbacks.context = &self;
    callbacks.now = own_now;
    callbacks.schedule = own_reject;
    const streams_value one = streams_int(1);
    streams_scheduler *scheduler = streams_custom_scheduler_create(&callbacks);
    for (size_t i = 0; i < sizeof attaching / sizeof *attaching; i++) {
        recorder r = { 0 };
        recorder_subscribe(&r, attaching[i](streams_just(&one), scheduler), 1);
        assert_non_null(strstr(r.log.text, "failed(the scheduler has rejected"));
        recorder_end(&r);
    }
    counter calls = { 0 };
    (void)streams_scheduler_schedule(scheduler, 7, count, &calls, counter_destroy);
    assert_true(calls.calls == 0 && calls.destroyed == 1);
    assert_ok(streams_release(scheduler));
    assert_int_equal(streams_live_handles(), 0);
}

static void what_no_stream_waits_for_is_let_go_of(void **state) {
    (void)state;
    own self = { .now = 0 };
    counter calls = { 0 };
    streams_scheduler *scheduler = own_create(&self);
    assert_true(streams_scheduler_schedule(scheduler, 7, count, &calls, counter_destroy) != 0);
    assert_status(STREAMS_WRONG_KIND, streams_action_reject((streams_action *)(void *)scheduler, NULL));
    assert_status(STREAMS_NULL_HANDLE, streams_action_reject(NULL, NULL));
    assert_status(
        STREAMS_WRONG_KIND, streams_action_reject(self.actions[0], (streams_error *)(void *)scheduler));
    assert_int_equal(calls.destroyed, 0);
    assert_status(STREAMS_TERMINATED, streams_action_reject(self.actions[0], NULL));
    assert_true(calls.calls == 0 && calls.destroyed == 1);
    assert_ok(streams_release(scheduler));
}

static void what_a_scheduler_needs_is_asked_for(void **state) {
    (void)state;
    own self = { .now = 0 };
    streams_custom_scheduler callbacks = STREAMS_CUSTOM_SCHEDULER_INIT;
    callbacks.context = &self;
    callbacks.destroy = own_destroy;
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_custom_scheduler_create",
        streams_custom_scheduler_create(&callbacks));
    callbacks.now = own_now;
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_custom_scheduler_create",
        streams_custom_scheduler_create(&callbacks));
    assert_int_equal(self.destroyed, 2);
    callbacks.schedule = own_schedule;
    streams_scheduler *scheduler = streams_custom_scheduler_create(&callbacks);
    /* Without cancel. */
    uint64_t number = streams_scheduler_schedule(scheduler, 7, count, NULL, NULL);
    assert_ok(streams_scheduler_cancel(scheduler, number));
    assert_status(STREAMS_STALE_HANDLE, streams_action_run(self.actions[0]));
    /* An action that somebody holds is of no use when the scheduler has gone. */
    assert_true(streams_scheduler_schedule(scheduler, 7, count, NULL, NULL) != 0);
    assert_ok(streams_retain(self.actions[1]));
    assert_ok(streams_release(scheduler));
    assert_status(STREAMS_STALE_HANDLE, streams_action_run(self.actions[1]));
    assert_ok(streams_release(self.actions[1]));
    assert_int_equal(self.destroyed, 3);
}

/* One whose schedule releases it before it returns. */
typedef struct hasty {
    test_log log;
    streams_scheduler *scheduler;
    streams_action *action;
    pthread_t thread;
    bool elsewhere;
} hasty;

static void *let_go_of(void *scheduler) { return (void *)(intptr_t)streams_release(scheduler); }

static void hasty_schedule(void *context, streams_nanoseconds time, streams_action *action) {
    hasty *self = context;
    (void)time;
    log_add(&self->log, "take");
    self->action = action;
    if (self->elsewhere) {
        (void)pthread_create(&self->thread, NULL, let_go_of, self->scheduler);
        (void)pthread_join(self->thread, NULL);
    } else {
        (void)let_go_of(self->scheduler);
    }
    streams_kind kind = streams_handle_kind(action);
    log_add(&self->log, kind == STREAMS_KIND_ACTION ? "taken" : "gone");
}

static void hasty_cancel(void *context, streams_action *action) {
    hasty *self = context;
    log_add(&self->log, action == self->action ? "cancel" : "another");
}

static void what_is_released_meanwhile_hears_of_that_afterwards(void **state) {
    (void)state;
    for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
        hasty self = { .elsewhere = elsewhere };
        counter calls = { 0 };
        streams_custom_scheduler callbacks = STREAMS_CUSTOM_SCHEDULER_INIT;
        callbacks.context = &self;
        callbacks.now = own_now_is_0;
        callbacks.schedule = hasty_schedule;
        callbacks.cancel = hasty_cancel;
        self.scheduler = streams_custom_scheduler_create(&callbacks);
        assert_true(streams_scheduler_schedule(self.scheduler, 7, count, &calls, counter_destroy) != 0);
        assert_log(&self.log, "take taken cancel");
        assert_true(calls.calls == 0 && calls.destroyed == 1);
        assert_status(STREAMS_STALE_HANDLE, streams_action_run(self.action));
        assert_int_equal(streams_live_handles(), 0);
    }
}

static void *run_action(void *context) {
    return (void *)(intptr_t)(streams_action_run(context) == STREAMS_OK);
}

static void of_two_threads_one_runs_an_action(void **state) {
    (void)state;
    own self = { .now = 0 };
    counter calls = { 0 };
    streams_scheduler *scheduler = own_create(&self);
    for (int round = 1; round <= 200; round++) {
        pthread_t threads[2];
        void *has_run[2];
        assert_true(streams_scheduler_schedule(scheduler, 0, count, &calls, NULL) != 0);
        streams_action *action = self.actions[(self.taken - 1) % MOST];
        for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run_action, action);
        for (int i = 0; i < 2; i++) pthread_join(threads[i], &has_run[i]);
        assert_int_equal((intptr_t)has_run[0] + (intptr_t)has_run[1], 1);
        assert_int_equal(calls.calls, round);
        self.log.length = 0;
    }
    assert_ok(streams_release(scheduler));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(actions_run_in_order_and_are_destroyed_once),
        test(what_is_scheduled_at_once_runs_at_once),
        test(a_run_without_end_stops),
        test(each_sort_has_its_own_functions),
        test(a_scheduler_of_ones_own_runs_actions_once),
        test(a_stream_fails_when_its_action_is_rejected),
        test(a_scheduler_may_reject_at_once),
        test(what_no_stream_waits_for_is_let_go_of),
        test(what_a_scheduler_needs_is_asked_for),
        test(what_is_released_meanwhile_hears_of_that_afterwards),
        test(of_two_threads_one_runs_an_action),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
