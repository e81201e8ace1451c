/* Values that go to a loop, or to another thread. How long anything takes is not
 * looked at, only what comes, how often, where, and in which order. */

#include <poll.h>
#include <pthread.h>
#include <sched.h>

#include "support.h"

enum { MINUTE = 60000,
    ROUNDS = 200 };

/* A subscriber for another thread. */
typedef struct listener {
    pthread_t home; /* where values are to come, or not to come */
    bool comes_home;
    int64_t last;
    atomic_int calls, values, misplaced, disordered, late;
    atomic_bool ended;
    atomic_int destroyed;
    streams_subscription *subscription;
    streams_cancellable *cancellable;
} listener;

static void keep(void *context, streams_subscription *subscription) {
    listener *self = context;
    self->subscription = subscription;
    (void)streams_retain(subscription);
}

static uint64_t hear(void *context, const streams_value *values, size_t count) {
    listener *self = context;
    self->calls++;
    if (self->destroyed > 0 || self->ended) self->late++;
    if ((pthread_equal(pthread_self(), self->home) != 0) != self->comes_home) self->misplaced++;
    for (size_t i = 0; i < count; i++) {
        if (values[i].as.integer <= self->last) self->disordered++;
        self->last = values[i].as.integer;
        self->values++;
    }
    return 0;
}

static void hear_end(void *context, const streams_error *error) {
    listener *self = context;
    (void)error;
    if (self->ended) self->late++;
    self->ended = true;
}

static void hear_destroy(void *context) { ((listener *)context)->destroyed++; }

static void listen(listener *self, streams_publisher *p, uint64_t demand) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    self->home = pthread_self();
    subscriber.context = self;
    subscriber.demand = demand;
    subscriber.on_subscription = keep;
    subscriber.on_values = hear;
    subscriber.on_completion = hear_end;
    subscriber.destroy = hear_destroy;
    self->cancellable = streams_sink(p, &subscriber);
    assert_non_null(self->cancellable);
}

/* Lets go, and waits for other threads to do so too. */
static void stop(listener *self) {
    assert_ok(streams_release(self->cancellable));
    if (self->subscription != NULL) assert_ok(streams_release(self->subscription));
    for (int i = 0; i < MINUTE && self->destroyed == 0; i++) (void)poll(NULL, 0, 1);
    assert_int_equal(self->destroyed, 1);
    assert_int_equal(self->misplaced, 0);
    assert_int_equal(self->disordered, 0);
    assert_int_equal(self->late, 0);
}

static int some(void) { return under_valgrind() ? 200 : 20000; }

/* ---- A loop -------------------------------------------------------------------------- */

static void a_loop_wakes_once_for_many_values(void **state) {
    (void)state;
    listener l = { .comes_home = true };
    streams_scheduler *loop = streams_loop_create();
    streams_subject *subject = streams_passthrough_subject_create();
    listen(&l, streams_receive_on(streams_subject_publisher(subject), loop), STREAMS_UNLIMITED);
    for (int round = 1; round <= 3; round++) {
        for (int i = 0; i < some(); i++) assert_ok(send_int(subject, round * some() + i));
        assert_int_equal(l.calls, round - 1);
        assert_ok(streams_loop_run_once(loop, 0));
        assert_int_equal(l.calls, round);
        assert_int_equal(l.values, round * some());
        assert_ok(streams_loop_run_once(loop, 0));
        assert_int_equal(l.calls, round);
    }
    assert_ok(finish(subject));
    assert_false(l.ended);
    assert_ok(streams_loop_run_once(loop, 0));
    assert_true(l.ended);
    stop(&l);
    assert_ok(streams_release(subject));
    assert_ok(streams_release(loop));
}

static void no_more_is_under_way_than_is_demanded(void **state) {
    (void)state;
    listener l = { .comes_home = true };
    streams_scheduler *loop = streams_loop_create();
    listen(&l, streams_receive_on(ints(10), loop), 3);
    assert_ok(streams_loop_run_once(loop, 0));
    assert_int_equal(l.values, 3);
    assert_ok(streams_subscription_request(l.subscription, 2));
    assert_ok(streams_subscription_request(l.subscription, 1));
    assert_int_equal(l.values, 3);
    assert_ok(streams_loop_run_once(loop, 0));
    assert_int_equal(l.values, 6);
    assert_ok(streams_loop_run_once(loop, 0));
    assert_int_equal(l.values, 6);
    assert_ok(streams_subscription_request(l.subscription, STREAMS_UNLIMITED));
    assert_ok(streams_loop_run_once(loop, 0));
    assert_int_equal(l.values, 10);
    assert_true(l.ended);
    stop(&l);
    assert_ok(streams_release(loop));
}

/* ---- A queue ------------------------------------------------------------------------- */

static bool reaches_end(listener *self) {
    for (int i = 0; i < MINUTE && !self->ended; i++) (void)poll(NULL, 0, 1);
    return self->ended;
}

static void a_queue_gets_everything_in_order(void **state) {
    (void)state;
    listener l = { .comes_home = false };
    streams_scheduler *queue = streams_queue_create();
    streams_subject *subject = streams_passthrough_subject_create();
    listen(&l, streams_receive_on(streams_subject_publisher(subject), queue), STREAMS_UNLIMITED);
    for (int i = 1; i <= some(); i++) assert_ok(send_int(subject, i));
    assert_ok(finish(subject));
    assert_true(reaches_end(&l));
    assert_int_equal(l.values, some());
    stop(&l);
    assert_ok(streams_release(subject));
    assert_ok(streams_release(queue));
}

static streams_status note_thread(void *context, const streams_value *in, streams_value *out) {
    listener *self = context;
    if (pthread_equal(pthread_self(), self->home) != 0) self->misplaced++;
    *out = *in;
    return STREAMS_OK;
}

static void work_is_done_there_and_results_come_here(void **state) {
    (void)state;
    listener l = { .comes_home = true };
    streams_scheduler *queue = streams_queue_create(), *loop = streams_loop_create();
    streams_publisher *p = streams_map(ints((size_t)some()), note_thread, &l, NULL);
    listen(&l, streams_receive_on(streams_subscribe_on(p, queue), loop), STREAMS_UNLIMITED);
    while (!l.ended) assert_ok(streams_loop_run_once(loop, INT64_C(60000000000)));
    assert_int_equal(l.values, some());
    stop(&l);
    assert_ok(streams_release(queue));
    assert_ok(streams_release(loop));
}

/* A subscription that comes when its scheduler is given up, and everything has been cancelled. */
static void what_is_subscribed_to_late_is_let_go_of(void **state) {
    (void)state;
    counter contexts = { 0 };
    recorder r = { 0 };
    streams_scheduler *loop = streams_loop_create();
    streams_publisher *p = streams_drop_first(streams_subscribe_on(streams_empty(true), loop), 0);
    p = streams_flat_map(p, 0, expand_twice, &contexts, counter_destroy);
    recorder_subscribe(&r, p, STREAMS_UNLIMITED);
    assert_ok(streams_cancel(r.cancellable));
    assert_ok(streams_release(loop));
    recorder_end(&r);
    assert_int_equal(contexts.destroyed, 1);
}

typedef struct sending {
    streams_subject *subject;
    atomic_bool started, over;
} sending;

static void *send_all(void *context) {
    sending *self = context;
    for (int64_t i = 1; !self->over; i++) {
        (void)send_int(self->subject, i);
        self->started = true;
    }
    return NULL;
}

/* A third thread cancels, in many rounds. */
static void a_cancellation_crosses_values(void **state) {
    (void)state;
    streams_scheduler *queue = streams_queue_create();
    for (int round = 0; round < (under_valgrind() ? 5 : ROUNDS); round++) {
        listener l = { .comes_home = false };
        sending s = { .subject = streams_passthrough_subject_create() };
        pthread_t thread;
        streams_publisher *p = streams_subject_publisher(s.subject);
        if (round % 2 == 1) p = streams_subscribe_on(p, queue);
        listen(&l, streams_receive_on(p, queue), STREAMS_UNLIMITED);
        assert_int_equal(pthread_create(&thread, NULL, send_all, &s), 0);
        while (!s.started || (round % 3 == 0 && l.values == 0)) (void)sched_yield();
        assert_ok(streams_cancel(l.cancellable));
        s.over = true;
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_false(l.ended);
        stop(&l);
        assert_ok(streams_release(s.subject));
    }
    assert_ok(streams_release(queue));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_loop_wakes_once_for_many_values),
        test(no_more_is_under_way_than_is_demanded),
        test(a_queue_gets_everything_in_order),
        test(work_is_done_there_and_results_come_here),
        test(what_is_subscribed_to_late_is_let_go_of),
        test(a_cancellation_crosses_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
