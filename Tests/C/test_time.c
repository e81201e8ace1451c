/* Time that passes when it is told to. What operators do is in the cases of the
 * catalogue. */

#include <pthread.h>

#include "depth.h"

typedef struct clockwork {
    streams_scheduler *scheduler;
    streams_subject *subject;
    recorder recorder;
} clockwork;

static void start(clockwork *self, streams_nanoseconds due_time) {
    self->scheduler = streams_virtual_scheduler_create();
    self->subject = streams_passthrough_subject_create();
    streams_publisher *p =
        streams_debounce(streams_subject_publisher(self->subject), due_time, self->scheduler);
    recorder_subscribe(&self->recorder, p, STREAMS_UNLIMITED);
    assert_log(&self->recorder.log, "subscribed");
}

static void stop(clockwork *self) {
    recorder_end(&self->recorder);
    assert_ok(streams_release(self->subject));
    assert_ok(streams_release(self->scheduler));
    assert_int_equal(self->recorder.destroyed, 1);
}

static void time_passes_as_it_is_told(void **state) {
    (void)state;
    streams_scheduler *scheduler = streams_virtual_scheduler_create();
    assert_int_equal(streams_scheduler_now(scheduler), 0);
    assert_ok(streams_virtual_scheduler_advance(scheduler, 7));
    assert_ok(streams_virtual_scheduler_advance(scheduler, 0));
    assert_int_equal(streams_scheduler_now(scheduler), 7);
    assert_status(STREAMS_INVALID_ARGUMENT, streams_virtual_scheduler_advance(scheduler, -1));
    assert_int_equal(streams_scheduler_now(scheduler), 7);
    assert_ok(streams_virtual_scheduler_advance(scheduler, INT64_MAX));
    assert_ok(streams_virtual_scheduler_advance(scheduler, INT64_MAX));
    assert_true(streams_scheduler_now(scheduler) == INT64_MAX);
    assert_ok(streams_release(scheduler));
}

static void lengths_below_zero_are_refused(void **state) {
    (void)state;
    streams_scheduler *scheduler = streams_virtual_scheduler_create();
    const streams_nanoseconds negative[] = { -1, INT64_MIN };
    for (int i = 0; i < 2; i++) {
        assert_refused(STREAMS_INVALID_ARGUMENT, "streams_debounce",
            streams_debounce(ints(1), negative[i], scheduler));
        assert_refused(
            STREAMS_INVALID_ARGUMENT, "streams_delay", streams_delay(ints(1), negative[i], scheduler));
        assert_refused(STREAMS_INVALID_ARGUMENT, "streams_throttle",
            streams_throttle(ints(1), negative[i], scheduler, true));
        assert_refused(STREAMS_INVALID_ARGUMENT, "streams_timeout",
            streams_timeout(ints(1), negative[i], scheduler, NULL));
        assert_refused(STREAMS_INVALID_ARGUMENT, "streams_collect_by_time",
            streams_collect_by_time(ints(1), negative[i], scheduler));
        assert_refused(STREAMS_INVALID_ARGUMENT, "streams_collect_by_time_or_count",
            streams_collect_by_time_or_count(ints(1), negative[i], 1, scheduler));
    }
    const int64_t counts[] = { 0, -1, INT64_MIN, INT64_C(4294967296), INT64_MAX };
    for (int i = 0; i < 5; i++) {
        assert_refused(STREAMS_INVALID_ARGUMENT, "streams_collect_by_time_or_count",
            streams_collect_by_time_or_count(ints(1), 1, counts[i], scheduler));
    }
    assert_ok(streams_release(scheduler));
}

/* Swift's timeout ends the program there. */
static void a_timeout_needs_time_that_passes(void **state) {
    (void)state;
    streams_scheduler *scheduler = streams_immediate_scheduler_create();
    assert_null(streams_timeout(streams_empty(false), 1, scheduler, NULL));
    assert_string_equal(streams_last_message(), "scheduler is an immediate one: its time does not pass");
    assert_last(STREAMS_INVALID_ARGUMENT, "streams_timeout");
    assert_ok(streams_release(scheduler));
}

static void a_timeout_keeps_its_error(void **state) {
    (void)state;
    recorder r = { 0 };
    streams_error *late = new_error("late");
    streams_scheduler *scheduler = streams_virtual_scheduler_create();
    recorder_subscribe(&r, streams_timeout(streams_empty(false), 10, scheduler, late), STREAMS_UNLIMITED);
    assert_ok(streams_release(late));
    assert_ok(streams_virtual_scheduler_advance(scheduler, 10));
    assert_log(&r.log, "subscribed failed(late) destroyed");
    recorder_end(&r);
    assert_ok(streams_release(scheduler));
}

static void lengths_that_are_too_much(void **state) {
    (void)state;
    recorder r = { 0 };
    streams_scheduler *scheduler = streams_virtual_scheduler_create();
    assert_ok(streams_virtual_scheduler_advance(scheduler, 1000));
    streams_publisher *p = streams_delay(ints(2), INT64_MAX, scheduler);
    p = streams_collect_by_time_or_count(p, INT64_MAX, 4294967295, scheduler);
    recorder_subscribe(&r, streams_timeout(p, INT64_MAX, scheduler, NULL), STREAMS_UNLIMITED);
    assert_ok(streams_virtual_scheduler_advance(scheduler, INT64_MAX - 2000));
    assert_log(&r.log, "subscribed");
    recorder_end(&r);
    assert_ok(streams_release(scheduler));
}

static void note_time(recorder *self, const streams_value *value) {
    clockwork *owner = self->extra;
    (void)value;
    log_add(&self->log, "at(%d)", (int)streams_scheduler_now(owner->scheduler));
}

static void while_something_runs_it_is_its_time(void **state) {
    (void)state;
    clockwork c = { .recorder.on_value = note_time };
    c.recorder.extra = &c;
    start(&c, 10);
    assert_ok(send_int(c.subject, 1));
    assert_ok(streams_virtual_scheduler_advance(c.scheduler, 1000));
    assert_log(&c.recorder.log, "1 at(10)");
    assert_int_equal(streams_scheduler_now(c.scheduler), 1000);
    stop(&c);
}

static void an_end_that_waits_goes_with_the_scheduler(void **state) {
    (void)state;
    counter contexts = { 0 };
    recorder r = { 0 };
    streams_scheduler *scheduler = streams_virtual_scheduler_create();
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *p = streams_debounce(streams_subject_publisher(subject), 10, scheduler);
    recorder_subscribe(&r, streams_map(p, add_one, &contexts, counter_destroy), STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 1));
    assert_ok(finish(subject));
    recorder_end(&r);
    assert_int_equal(contexts.destroyed, 0); /* the end waits, and would pass through here */
    assert_ok(streams_release(scheduler));
    assert_int_equal(contexts.destroyed, 1);
    assert_int_equal(contexts.calls, 0);
    assert_int_equal(r.destroyed, 1);
    assert_ok(streams_release(subject));
}

static void a_stream_outlives_its_scheduler(void **state) {
    (void)state;
    clockwork c = { 0 };
    start(&c, 10);
    assert_ok(send_int(c.subject, 1));
    assert_ok(streams_retain(c.scheduler));
    assert_ok(streams_release(c.scheduler));
    assert_ok(streams_virtual_scheduler_advance(c.scheduler, 10));
    assert_log(&c.recorder.log, "1");
    streams_scheduler *scheduler = c.scheduler;
    c.scheduler = streams_virtual_scheduler_create();
    assert_ok(streams_release(scheduler));
    assert_ok(send_int(c.subject, 2));
    assert_log(&c.recorder.log, "failed(the stream's scheduler has been released) destroyed");
    assert_ok(finish(c.subject));
    stop(&c);
    assert_log(&c.recorder.log, "");
}

/* A release within what the scheduler runs. */
static void drop_scheduler(recorder *self, const streams_value *value) {
    clockwork *owner = self->extra;
    (void)value;
    if (owner->scheduler != NULL) assert_ok(streams_release(owner->scheduler));
    owner->scheduler = NULL;
}

static void a_scheduler_may_be_released_by_what_it_runs(void **state) {
    (void)state;
    clockwork c = { .recorder.on_value = drop_scheduler };
    c.recorder.extra = &c;
    start(&c, 10);
    assert_ok(send_int(c.subject, 1));
    recorder other = { 0 };
    streams_publisher *p = streams_debounce(streams_subject_publisher(c.subject), 11, c.scheduler);
    recorder_subscribe(&other, p, STREAMS_UNLIMITED);
    assert_ok(send_int(c.subject, 2));
    /* What comes after that is not run any more. */
    assert_ok(streams_virtual_scheduler_advance(c.scheduler, 1000));
    assert_log(&c.recorder.log, "2");
    assert_log(&other.log, "subscribed");
    recorder_end(&other);
    assert_ok(send_int(c.subject, 2));
    assert_ok(finish(c.subject));
    recorder_end(&c.recorder);
    assert_ok(streams_release(c.subject));
    assert_int_equal(c.recorder.destroyed, 1);
}

/* Each value sends the next and lets its time pass. */
static int nested;
static streams_status last;
static void go_deeper(recorder *self, const streams_value *value) {
    clockwork *owner = self->extra;
    self->log.length = 0;
    if (++nested >= many()) return;
    (void)streams_subject_send(owner->subject, value);
    streams_status status = streams_virtual_scheduler_advance(owner->scheduler, 10);
    if (status == STREAMS_LIMIT) last = status;
}

/* The value that would be too deep fails the stream. */
static void note_failure(recorder *self, const streams_error *error) {
    (void)self;
    if (error != NULL) last = (streams_status)streams_error_code(error);
}

static bool goes_deep(void) {
    clockwork c = { .recorder.on_value = go_deeper, .recorder.on_completion = note_failure };
    c.recorder.extra = &c;
    nested = 0;
    last = STREAMS_OK;
    start(&c, 10);
    (void)send_int(c.subject, 1);
    (void)streams_virtual_scheduler_advance(c.scheduler, 10);
    bool right = must(nested > 50) && must(nested == many() || last == STREAMS_LIMIT);
    stop(&c);
    streams_clear_last_error();
    return right;
}

static void time_within_time_has_a_limit(void **state) {
    (void)state;
    assert_true(goes_deep());
    assert_true(on_small_stack(goes_deep));
}

static void a_moment_without_end_has_a_limit(void **state) {
    (void)state;
    if (under_valgrind()) skip();
    const streams_value zero = streams_int(0);
    streams_scheduler *scheduler = streams_virtual_scheduler_create();
    streams_subject *subject = streams_current_value_subject_create(&zero);
    streams_publisher *p = streams_debounce(streams_subject_publisher(subject), 0, scheduler);
    streams_cancellable *circle = streams_assign(p, subject);
    assert_status(STREAMS_LIMIT, streams_virtual_scheduler_advance(scheduler, 5));
    assert_int_equal(streams_scheduler_now(scheduler), 0);
    assert_ok(streams_release(circle));
    assert_ok(streams_virtual_scheduler_advance(scheduler, 5));
    assert_int_equal(streams_scheduler_now(scheduler), 5);
    assert_ok(streams_release(subject));
    assert_ok(streams_release(scheduler));
}

/* ---- Requests within requests ------------------------------------------------------ */

static void ask_for_another(recorder *self, const streams_value *value) {
    streams_scheduler *loop = self->extra;
    (void)value;
    self->log.length = 0;
    (void)streams_subscription_request(self->subscription, 1);
    if (loop != NULL) (void)streams_loop_run_once(loop, 0);
}

static void assert_all_come(recorder *r, uint64_t count) {
    assert_int_equal(r->values, count);
    assert_non_null(strstr(r->log.text, "finished"));
    recorder_end(r);
    assert_int_equal(r->destroyed, 1);
}

static void what_is_asked_for_at_once_does_not_nest(void **state) {
    (void)state;
    const size_t count = (size_t)many();
    recorder r = { .on_value = ask_for_another };
    streams_scheduler *scheduler = streams_immediate_scheduler_create();
    recorder_subscribe(&r, streams_subscribe_on(ints(count), scheduler), 1);
    assert_all_come(&r, count);
    assert_ok(streams_release(scheduler));
}

static void what_is_asked_for_in_a_nested_loop_does_not_nest(void **state) {
    (void)state;
    const size_t count = (size_t)many();
    recorder r = { .on_value = ask_for_another, .extra = streams_loop_create() };
    recorder_subscribe(&r, streams_subscribe_on(ints(count), r.extra), 1);
    for (int i = 0; i < 3; i++) assert_ok(streams_loop_run_once(r.extra, 0));
    assert_all_come(&r, count);
    assert_ok(streams_release(r.extra));
}

/* ---- Threads ------------------------------------------------------------------------ */

static void *send_on(void *context) {
    clockwork *self = context;
    for (int i = 0; i < 200; i++) (void)send_int(self->subject, i);
    return NULL;
}

static void *let_pass(void *context) {
    clockwork *self = context;
    for (int i = 0; i < 200; i++) (void)streams_virtual_scheduler_advance(self->scheduler, 3);
    return NULL;
}

static void *cancel_it(void *context) {
    clockwork *self = context;
    (void)streams_cancel(self->recorder.cancellable);
    return NULL;
}

static void forget(recorder *self, const streams_value *value) {
    (void)value;
    self->log.length = 0;
}

static void threads_share_it(void **state) {
    (void)state;
    for (int round = 0; round < 50; round++) {
        clockwork c = { .recorder.on_value = forget };
        pthread_t threads[4];
        void *(*const jobs[4])(void *) = { send_on, let_pass, let_pass, cancel_it };
        start(&c, 2);
        for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, jobs[i], &c);
        for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
        stop(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(time_passes_as_it_is_told),
        test(lengths_below_zero_are_refused),
        test(a_timeout_needs_time_that_passes),
        test(a_timeout_keeps_its_error),
        test(lengths_that_are_too_much),
        test(while_something_runs_it_is_its_time),
        test(an_end_that_waits_goes_with_the_scheduler),
        test(a_stream_outlives_its_scheduler),
        test(a_scheduler_may_be_released_by_what_it_runs),
        test(time_within_time_has_a_limit),
        test(a_moment_without_end_has_a_limit),
        test(what_is_asked_for_at_once_does_not_nest),
        test(what_is_asked_for_in_a_nested_loop_does_not_nest),
        test(threads_share_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
