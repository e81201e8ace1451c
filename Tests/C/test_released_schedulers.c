/* Streams whose scheduler has been released, before they are subscribed to or
 * afterwards. What waits for one meanwhile is in test_time.c. */

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "actions.h"
#include "depth.h"

#define GONE "failed(the stream's scheduler has been released) destroyed"

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

static streams_publisher *divided(
    streams_publisher *p, streams_nanoseconds interval, streams_scheduler *scheduler) {
    return streams_window_by_time(p, interval, 9, scheduler);
}

static streams_publisher *divided_by_count(
    streams_publisher *p, streams_nanoseconds interval, streams_scheduler *scheduler) {
    return streams_window_by_time_or_count(p, interval, 3, 9, scheduler);
}

typedef streams_publisher *(*make_fn)(streams_publisher *, streams_nanoseconds, streams_scheduler *);

static void every_stream_fails_without(streams_scheduler *(*create)(void)) {
    streams_publisher *(*const make[])(streams_publisher *, streams_nanoseconds, streams_scheduler *) = {
        streams_debounce, streams_delay, throttled, ended, streams_collect_by_time, grouped, received,
        subscribed, counted, retried
    };
    for (size_t i = 0; i < sizeof make / sizeof *make; i++) {
        streams_scheduler *scheduler = create();
        streams_publisher *p = make[i](ints(1), 10, scheduler);
        assert_ok(streams_release(scheduler));
        assert_stream(p, "subscribed " GONE);
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
    streams_scheduler *(*const create[])(void) = { streams_virtual_scheduler_create, own };
    for (size_t i = 0; i < sizeof create / sizeof *create; i++) {
        streams_scheduler *scheduler = create[i]();
        streams_publisher *p = streams_measure_interval(ints(1), scheduler);
        assert_ok(streams_release(scheduler));
        assert_stream(p, "subscribed 0 finished destroyed");
    }
}

/* ---- What comes afterwards ------------------------------------------------------ */

/* Takes actions, and runs none. */
static void keep(void *context, streams_nanoseconds time, streams_action *action) {
    (void)context, (void)time, (void)action;
}

static streams_scheduler *idle(void) {
    streams_custom_scheduler callbacks = STREAMS_CUSTOM_SCHEDULER_INIT;
    callbacks.now = no_time;
    callbacks.schedule = keep;
    return streams_custom_scheduler_create(&callbacks);
}

static streams_scheduler *(*const waiting[])(void) = { streams_virtual_scheduler_create,
    streams_loop_create, idle };

/* Subscribes to what is made of a subject, releases the scheduler, and says what it then hears. */
static void after_a_release(
    make_fn make, streams_status (*happens)(streams_subject *subject), const char *expected) {
    for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++) {
        for (int earlier = 0; earlier < 2; earlier++) {
            streams_scheduler *scheduler = waiting[i]();
            streams_subject *subject = streams_passthrough_subject_create();
            recorder r = { 0 };
            recorder_subscribe(
                &r, make(streams_subject_publisher(subject), 10, scheduler), STREAMS_UNLIMITED);
            if (earlier) assert_ok(send_int(subject, 1)); /* which waits, and is forgotten */
            assert_ok(streams_release(scheduler));
            r.log.length = 0;
            assert_ok(happens(subject));
            assert_log(&r.log, expected);
            (void)send_int(subject, 3);
            assert_log(&r.log, "");
            recorder_end(&r);
            assert_ok(streams_release(subject));
            assert_int_equal(streams_live_handles(), 0);
        }
    }
}

static streams_status send_two(streams_subject *subject) { return send_int(subject, 2); }
static streams_status fail_now(streams_subject *subject) { return fail_with(subject, "broken"); }

static void what_would_not_arrive_fails_the_stream(void **state) {
    (void)state;
    static make_fn const make[] = { streams_debounce, streams_delay, throttled, ended,
        streams_collect_by_time, grouped, received, divided, divided_by_count };
    for (size_t i = 0; i < sizeof make / sizeof *make; i++) {
        after_a_release(make[i], send_two, GONE);
        after_a_release(make[i], finish, GONE);
        after_a_release(make[i], fail_now, "failed(broken) destroyed");
    }
}

static void what_does_not_need_it_goes_on(void **state) {
    (void)state;
    after_a_release(retried, finish, "finished destroyed");
    after_a_release(retried, fail_now, "failed(broken) destroyed");
}

static void what_is_demanded_fails_the_stream(void **state) {
    (void)state;
    static make_fn const make[] = { streams_delay, received, counted };
    for (size_t i = 0; i < sizeof make / sizeof *make; i++) {
        streams_scheduler *scheduler = streams_virtual_scheduler_create();
        recorder r = { 0 };
        recorder_subscribe(&r, make[i](streams_empty(false), 10, scheduler), 1);
        assert_ok(streams_release(scheduler));
        assert_ok(streams_subscription_request(r.subscription, 1));
        assert_log(&r.log, "subscribed " GONE);
        recorder_end(&r);
    }
}

static void keep_window(recorder *self, const streams_value *window) {
    recorder_subscribe(self->extra, streams_value_publisher(window), STREAMS_UNLIMITED);
}

static void an_open_window_fails_too(void **state) {
    (void)state;
    streams_scheduler *scheduler = streams_virtual_scheduler_create();
    streams_subject *subject = streams_passthrough_subject_create();
    recorder window = { 0 }, r = { .on_value = keep_window, .extra = &window };
    recorder_subscribe(
        &r, divided(streams_subject_publisher(subject), 10, scheduler), STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 1));
    assert_ok(streams_release(scheduler));
    assert_ok(send_int(subject, 2));
    assert_log(&window.log, "subscribed 1 " GONE);
    recorder_end(&window);
    recorder_end(&r);
    assert_ok(streams_release(subject));
}

static void release_it(recorder *self, const streams_value *value) {
    (void)value;
    if (self->values == 1) assert_ok(streams_release(self->extra));
}

static void a_value_releases_it(void **state) {
    (void)state;
    streams_scheduler *scheduler = streams_loop_create();
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { .on_value = release_it, .extra = scheduler };
    recorder_subscribe(&r, streams_receive_on(streams_subject_publisher(subject), scheduler), 9);
    assert_ok(send_int(subject, 1));
    assert_ok(streams_loop_run_once(scheduler, 0));
    assert_log(&r.log, "subscribed 1");
    assert_ok(send_int(subject, 2));
    assert_log(&r.log, GONE);
    recorder_end(&r);
    assert_ok(streams_release(subject));
}

/* ---- While values flow ---------------------------------------------------------- */

typedef struct flow {
    streams_subject *subject;
    atomic_int inside, ends, destroyed;
    atomic_bool wrong;
} flow;

static void signal_comes(flow *self) {
    if (atomic_fetch_add(&self->inside, 1) != 0 || self->ends > 0) self->wrong = true;
}

static uint64_t value_flows(void *context, const streams_value *value) {
    flow *self = context;
    (void)value;
    signal_comes(self);
    self->inside--;
    return 0;
}

static void flow_ends(void *context, const streams_error *error) {
    flow *self = context;
    signal_comes(self);
    if (error == NULL || streams_error_code(error) != STREAMS_STALE_HANDLE) self->wrong = true;
    self->ends++;
    self->inside--;
}

static void flow_goes(void *context) { ((flow *)context)->destroyed++; }

static void *send_until_it_ends(void *context) {
    flow *self = context;
    while (self->ends == 0 && !self->wrong) (void)send_int(self->subject, 1);
    return NULL;
}

static void others_release_it_while_values_flow(void **state) {
    (void)state;
    static make_fn const make[] = { received, streams_delay, throttled, streams_debounce, grouped };
    for (int round = 0; round < (under_valgrind() ? 5 : 100); round++) {
        flow f = { .subject = streams_passthrough_subject_create() };
        streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
        subscriber.context = &f;
        subscriber.on_value = value_flows;
        subscriber.on_completion = flow_ends;
        subscriber.destroy = flow_goes;
        streams_scheduler *queue = round % 2 == 0 ? streams_queue_create() : queue_of_a_pool();
        streams_publisher *p = make[round % 5](streams_subject_publisher(f.subject), 1000, queue);
        streams_cancellable *cancellable = streams_sink(p, &subscriber);
        pthread_t threads[2];
        for (int i = 0; i < 2; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, send_until_it_ends, &f), 0);
        assert_ok(streams_release(queue));
        for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
        assert_false(f.wrong);
        assert_int_equal(f.ends, 1);
        assert_ok(streams_release(cancellable));
        assert_ok(streams_release(f.subject));
        assert_true(reaches(&f.destroyed, 1));
    }
}

/* ---- Without streams, and in another process ------------------------------------- */

static void limiters_refuse_actions(void **state) {
    (void)state;
    counter calls = { 0 };
    streams_scheduler *scheduler = streams_loop_create();
    streams_debouncer *debouncer = streams_debouncer_create(1, scheduler);
    streams_throttler *throttler = streams_throttler_create(1, scheduler, true);
    assert_ok(streams_release(scheduler));
    assert_int_equal(
        streams_debouncer_execute(debouncer, count, &calls, counter_destroy), STREAMS_STALE_HANDLE);
    assert_string_equal(streams_last_message(), "debouncer's scheduler has been released");
    assert_int_equal(
        streams_throttler_execute(throttler, count, &calls, counter_destroy), STREAMS_STALE_HANDLE);
    assert_string_equal(streams_last_message(), "throttler's scheduler has been released");
    assert_true(calls.calls == 0 && calls.destroyed == 2);
    assert_ok(streams_release(debouncer));
    assert_ok(streams_release(throttler));
    streams_clear_last_error();
}

/* A queue has no thread there. */
static bool child_hears_of_that(streams_scheduler *queue, streams_subject *subject, recorder *r) {
    static const char failure[] = "failed(the stream's scheduler has no thread in the child of a fork)";
    outcome o = { 0 };
    begin(&o, streams_receive_on(ints(1), queue));
    bool right = must(o.failed && o.values == 0 && o.code == STREAMS_STALE_HANDLE) & end(&o);
    right &= must(send_int(subject, 1) == STREAMS_OK) & must(strstr(r->log.text, failure) != NULL);
    counter calls = { 0 };
    right &= must(streams_scheduler_schedule(queue, 0, count, &calls, counter_destroy) == 0);
    right &= must(streams_last_status() == STREAMS_STALE_HANDLE && calls.destroyed == 1);
    return right;
}

static void a_child_of_a_fork_hears_of_that(void **state) {
    (void)state;
    streams_scheduler *queue = streams_queue_create();
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { 0 };
    recorder_subscribe(&r, streams_receive_on(streams_subject_publisher(subject), queue), 1);
    pid_t child = fork();
    if (child == 0) end_child(child_hears_of_that(queue, subject, &r));
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_log(&r.log, "subscribed");
    recorder_end(&r);
    assert_ok(streams_release(subject));
    assert_ok(streams_release(queue));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(one_that_its_program_runs),
        test(one_that_runs_by_itself),
        test(one_of_ones_own),
        test(one_that_runs_at_once_is_not_missed),
        test(time_is_measured_without_a_handle),
        test(what_would_not_arrive_fails_the_stream),
        test(what_does_not_need_it_goes_on),
        test(what_is_demanded_fails_the_stream),
        test(an_open_window_fails_too),
        test(a_value_releases_it),
        test(others_release_it_while_values_flow),
        test(limiters_refuse_actions),
        test(a_child_of_a_fork_hears_of_that),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
