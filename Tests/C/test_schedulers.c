/* Loops, queues, pools and schedulers of one's own. How long anything takes is
 * not looked at, only what runs, where, and in which order. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

enum { MILLISECOND = 1000000,
    MINUTE = 60000 };

/* A word for a log, as the context of an action. */
typedef struct word {
    test_log *log;
    const char *text;
} word;

static void say(void *context) {
    word *self = context;
    log_add(self->log, "%s", self->text);
}

static void say_destroyed(void *context) {
    word *self = context;
    log_add(self->log, "-%s", self->text);
}

static void count(void *context) { ++((counter *)context)->calls; }

static uint64_t at(streams_scheduler *scheduler, streams_nanoseconds later, word *what) {
    return streams_scheduler_schedule(
        scheduler, streams_scheduler_now(scheduler) + later, say, what, say_destroyed);
}

/* Waits for other threads, for a minute at most. */
static bool reaches(atomic_int *number, int expected) {
    for (int i = 0; i < MINUTE && *number != expected; i++) (void)poll(NULL, 0, 1);
    return *number == expected;
}

/* Ends a child of a fork. It becomes another program: what the parent's threads
 * had on their stacks, which are not there, would count as lost. */
static void end_child(bool well) {
    (void)execlp(well ? "true" : "false", "child", (char *)NULL);
    _exit(2);
}

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

/* ---- Loops ------------------------------------------------------------------ */

static bool is_readable(int descriptor, int milliseconds) {
    struct pollfd watched = { .fd = descriptor, .events = POLLIN };
    return poll(&watched, 1, milliseconds) == 1;
}

static void a_loop_runs_what_is_due(void **state) {
    (void)state;
    test_log log = { .length = 0 };
    word a = { &log, "a" }, b = { &log, "b" };
    streams_scheduler *loop = streams_loop_create();
    int descriptor = streams_loop_descriptor(loop);
    assert_ok(streams_loop_run_once(loop, 0));
    assert_false(is_readable(descriptor, 0));
    assert_true(at(loop, 0, &a) != 0);
    assert_true(is_readable(descriptor, 0));
    assert_true(at(loop, 3 * MILLISECOND, &b) != 0);
    assert_ok(streams_loop_run_once(loop, -1));
    assert_log(&log, "a -a");
    assert_true(is_readable(descriptor, MINUTE));
    assert_ok(streams_loop_run_once(loop, INT64_MAX));
    assert_log(&log, "b -b");
    assert_false(is_readable(descriptor, 0));
    assert_ok(streams_loop_run_until(loop, streams_scheduler_now(loop) + MILLISECOND));
    assert_ok(streams_release(loop));
    assert_int_equal(fcntl(descriptor, F_GETFD), -1);
}

static void stop_it(void *context) { (void)streams_loop_stop(context); }

static void *stop_from_elsewhere(void *context) {
    stop_it(context);
    return NULL;
}

static void a_loop_runs_until_it_is_stopped(void **state) {
    (void)state;
    streams_scheduler *loop = streams_loop_create();
    assert_ok(streams_loop_stop(loop));
    assert_ok(streams_loop_run(loop));
    streams_nanoseconds soon = streams_scheduler_now(loop) + MILLISECOND;
    assert_true(streams_scheduler_schedule(loop, soon, stop_it, loop, NULL) != 0);
    assert_ok(streams_loop_run(loop));
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, stop_from_elsewhere, loop), 0);
    assert_ok(streams_loop_run_until(loop, INT64_MAX));
    pthread_join(thread, NULL);
    assert_ok(streams_release(loop));
}

static void *run_it(void *context) {
    return (void *)(intptr_t)streams_loop_run_once(context, 0);
}

static void run_it_elsewhere(void *context) {
    void **both = context;
    pthread_t thread;
    pthread_create(&thread, NULL, run_it, both[0]);
    pthread_join(thread, &both[1]);
}

static void release_it(void *context) { (void)streams_release(context); }

static void run_it_again(void *context) {
    void **both = context;
    both[1] = (void *)(intptr_t)streams_loop_run_once(both[0], 0);
}

static void one_thread_runs_a_loop_and_may_release_it_meanwhile(void **state) {
    (void)state;
    streams_scheduler *loop = streams_loop_create();
    void *both[2] = { loop, NULL };
    assert_true(streams_scheduler_schedule(loop, 0, run_it_elsewhere, both, NULL) != 0);
    assert_ok(streams_loop_run_once(loop, 0));
    assert_int_equal((intptr_t)both[1], STREAMS_INVALID_ARGUMENT);
    assert_true(streams_scheduler_schedule(loop, 0, run_it_again, both, NULL) != 0);
    assert_ok(streams_loop_run_once(loop, 0));
    assert_int_equal((intptr_t)both[1], STREAMS_OK);
    /* Released by what it runs, it forgets what waits. */
    test_log log = { .length = 0 };
    word a = { &log, "a" }, b = { &log, "b" };
    assert_true(streams_scheduler_schedule(loop, 0, release_it, loop, NULL) != 0);
    assert_true(at(loop, 0, &a) != 0);
    assert_true(at(loop, INT64_MAX / 2, &b) != 0);
    assert_ok(streams_loop_run_once(loop, 0));
    assert_log(&log, "-a -b");
    assert_int_equal(streams_handle_kind(loop), STREAMS_KIND_NONE);
    /* And a run of it ends. */
    loop = streams_loop_create();
    assert_true(streams_scheduler_schedule(loop, 0, release_it, loop, NULL) != 0);
    assert_ok(streams_loop_run(loop));
    assert_int_equal(streams_handle_kind(loop), STREAMS_KIND_NONE);
}

/* Something for each of a pool's threads, one right after the other. */
typedef struct crossing {
    atomic_bool *waits_for, *sets;
    atomic_int *done;
} crossing;

static void cross(void *context) {
    crossing *self = context;
    *self->sets = true;
    for (int i = 0; i < MINUTE && !*self->waits_for; i++) (void)poll(NULL, 0, 1);
    *self->done += *self->waits_for;
}

static uint64_t cross_at_value(void *context, const streams_value *value) {
    (void)value;
    cross(context);
    return 0;
}

static void each_thread_of_a_pool_gets_something_to_do(void **state) {
    (void)state;
    streams_pool *pool = streams_pool_create(2);
    for (int round = 0; round < 50; round++) {
        atomic_bool here[2] = { false, false };
        atomic_int done = 0;
        crossing sides[2] = { { &here[1], &here[0], &done }, { &here[0], &here[1], &done } };
        streams_scheduler *queues[2];
        streams_subject *subjects[2];
        streams_cancellable *tickets[2];
        for (int i = 0; i < 2; i++) {
            streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
            subscriber.context = &sides[i];
            subscriber.on_value = cross_at_value;
            queues[i] = streams_pool_queue(pool);
            subjects[i] = streams_passthrough_subject_create();
            streams_publisher *p = streams_subject_publisher(subjects[i]);
            tickets[i] = streams_sink(streams_receive_on(p, queues[i]), &subscriber);
        }
        for (int i = 0; i < 2; i++) assert_ok(send_int(subjects[i], 1));
        assert_true(reaches(&done, 2));
        for (int i = 0; i < 2; i++) {
            assert_ok(streams_release(tickets[i]));
            assert_ok(streams_release(subjects[i]));
            assert_ok(streams_release(queues[i]));
        }
    }
    assert_ok(streams_release(pool));
}

/* The child watches the descriptor before it does anything else with the loop. */
static void a_child_watches_a_descriptor_of_its_own(void **state) {
    (void)state;
    streams_scheduler *loop = streams_loop_create();
    counter calls = { 0 };
    assert_true(streams_scheduler_schedule(loop, 0, count, &calls, NULL) != 0);
    pid_t child = fork();
    if (child == 0) {
        int epoll = epoll_create1(0), descriptor = streams_loop_descriptor(loop);
        struct epoll_event event = { .events = EPOLLIN };
        bool right = epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0;
        right = right && epoll_wait(epoll, &event, 1, MINUTE) == 1;
        right = right && streams_loop_run_once(loop, 0) == STREAMS_OK && calls.calls == 1;
        right = right && epoll_wait(epoll, &event, 1, 0) == 0;
        end_child(right);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_ok(streams_release(loop));
}

static void without_descriptors_there_is_no_loop(void **state) {
    (void)state;
    struct rlimit before, none;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    streams_scheduler *loop = streams_loop_create();
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_refused(STREAMS_LIMIT, "streams_loop_create", loop);
}

static void a_child_of_a_fork_goes_on_with_the_loop(void **state) {
    (void)state;
    counter calls = { 0 };
    streams_scheduler *loop = streams_loop_create();
    assert_true(streams_scheduler_schedule(loop, 0, count, &calls, NULL) != 0);
    pid_t child = fork();
    if (child == 0) {
        bool right = streams_loop_run_once(loop, 0) == STREAMS_OK && calls.calls == 1;
        /* What the child sets, the parent does not see. */
        (void)streams_scheduler_schedule(loop, 0, count, &calls, NULL);
        right = right && is_readable(streams_loop_descriptor(loop), MINUTE);
        right = right && streams_release(loop) == STREAMS_OK;
        end_child(right);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_ok(streams_loop_run_once(loop, 0));
    assert_int_equal(calls.calls, 1);
    assert_false(is_readable(streams_loop_descriptor(loop), 0));
    assert_ok(streams_release(loop));
}

/* ---- Queues and pools ------------------------------------------------------- */

static void queues_run_elsewhere(void **state) {
    (void)state;
    streams_pool *pool = streams_pool_create(3);
    streams_scheduler *queues[5] = { streams_queue_create() };
    for (int i = 1; i < 5; i++) queues[i] = streams_pool_queue(pool);
    assert_ok(streams_release(pool));
    counter calls = { 0 };
    for (int i = 0; i < 1000; i++) {
        streams_scheduler *queue = queues[i % 5];
        streams_nanoseconds time = i % 2 ? 0 : streams_scheduler_now(queue) + i;
        assert_true(streams_scheduler_schedule(queue, time, count, &calls, counter_destroy) != 0);
    }
    uint64_t never = streams_scheduler_schedule(queues[1], INT64_MAX, count, &calls, counter_destroy);
    assert_true(reaches(&calls.destroyed, 1000));
    assert_int_equal(calls.calls, 1000);
    assert_ok(streams_scheduler_cancel(queues[1], never));
    assert_int_equal(calls.destroyed, 1001);
    for (int i = 0; i < 5; i++) assert_ok(streams_release(queues[i]));
}

/* How many there are of this process' threads ("task") or descriptors ("fd"). */
static int count_of(const char *what) {
    char path[32];
    (void)snprintf(path, sizeof path, "/proc/self/%s", what);
    DIR *folder = opendir(path);
    int number = 0;
    while (folder != NULL && readdir(folder) != NULL) number++;
    if (folder != NULL) (void)closedir(folder);
    return number;
}

static bool falls_to(const char *what, int expected) {
    for (int i = 0; i < MINUTE && count_of(what) > expected; i++) (void)poll(NULL, 0, 1);
    return count_of(what) == expected;
}

static streams_nanoseconds no_time(void *context) {
    (void)context;
    return 0;
}

static void forget_action(void *context, streams_nanoseconds time, streams_action *action) {
    (void)context, (void)time, (void)action;
}

static streams_scheduler *forgetful_create(counter *calls) {
    streams_custom_scheduler callbacks = STREAMS_CUSTOM_SCHEDULER_INIT;
    callbacks.context = calls;
    callbacks.now = no_time;
    callbacks.schedule = forget_action;
    callbacks.destroy = counter_destroy;
    return streams_custom_scheduler_create(&callbacks);
}

/* One scheduler of each sort, each with something that is due, something that
 * waits for ever, and a stream. */
enum { SORTS = 6,
    DESTROYS = 3 * SORTS + 1 };

typedef struct crowd {
    counter calls;
    streams_scheduler *schedulers[SORTS];
    streams_cancellable *tickets[SORTS];
} crowd;

static void gather(crowd *self, streams_subject *subject) {
    streams_pool *pool = streams_pool_create(2);
    streams_scheduler *all[SORTS] = { streams_loop_create(), streams_queue_create(),
        streams_pool_queue(pool), streams_pool_queue(pool), streams_virtual_scheduler_create(),
        forgetful_create(&self->calls) };
    (void)streams_release(pool);
    for (int i = 0; i < SORTS; i++) {
        streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
        subscriber.context = &self->calls;
        subscriber.destroy = counter_destroy;
        streams_publisher *p = streams_subject_publisher(subject);
        p = i % 2 ? streams_receive_on(p, all[i]) : p;
        self->tickets[i] = streams_sink(streams_debounce(p, INT64_MAX, all[i]), &subscriber);
        (void)streams_scheduler_schedule(all[i], INT64_MAX, count, &self->calls, counter_destroy);
        (void)streams_scheduler_schedule(all[i], 0, count, &self->calls, counter_destroy);
        self->schedulers[i] = all[i];
    }
}

static void *disperse(void *context) {
    crowd *self = context;
    for (int i = 0; i < SORTS; i++) (void)streams_release(self->schedulers[i]);
    return NULL;
}

/* Whether all is let go of, however the schedulers go: with streams that are
 * alive, or without; on this thread or on another. */
static bool comes_and_goes(int round, streams_subject *subject) {
    crowd all = { .calls = { 0 } };
    pthread_t thread;
    bool elsewhere = round & 1, streams_first = round & 2;
    gather(&all, subject);
    (void)send_int(subject, round);
    for (int i = 0; i < SORTS && streams_first; i++) (void)streams_release(all.tickets[i]);
    if (!elsewhere || pthread_create(&thread, NULL, disperse, &all) != 0)
        (void)disperse(&all);
    else
        (void)pthread_join(thread, NULL);
    for (int i = 0; i < SORTS && !streams_first; i++) (void)streams_release(all.tickets[i]);
    return reaches(&all.calls.destroyed, DESTROYS);
}

/* In a child of its own, so that threads of other tests are not counted. */
static int come_and_go(void) {
    int rounds = under_valgrind() ? 60 : 10000;
    streams_subject *subject = streams_passthrough_subject_create();
    size_t handles = streams_live_handles();
    int descriptors = count_of("fd"), threads = count_of("task");
    for (int round = 0; round < rounds; round++)
        if (!comes_and_goes(round, subject)) return 1;
    if (streams_live_handles() != handles) return 2;
    if (!falls_to("task", threads)) return 3;
    if (count_of("fd") != descriptors) return 4;
    return streams_release(subject) == STREAMS_OK ? 0 : 5;
}

static void ten_thousand_leave_nothing(void **state) {
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        int failed = come_and_go();
        if (failed != 0) print_error("come_and_go: %d\n", failed);
        end_child(failed == 0);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void in_a_child_of_a_fork_a_queue_keeps_what_it_is_given(void **state) {
    (void)state;
    streams_scheduler *queue = streams_queue_create();
    pid_t child = fork();
    if (child == 0) {
        counter calls = { 0 };
        bool right = streams_scheduler_schedule(queue, 0, count, &calls, counter_destroy) != 0;
        right = right && streams_release(queue) == STREAMS_OK && calls.destroyed == 1 && calls.calls == 0;
        queue = streams_queue_create();
        right = right && streams_scheduler_schedule(queue, 0, count, &calls, NULL) != 0;
        right = right && reaches(&calls.calls, 1) && streams_release(queue) == STREAMS_OK;
        end_child(right);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_ok(streams_release(queue));
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
    assert_ok(send_int(subject, 4));
    assert_int_equal(self.destroyed, 0);
    recorder_end(&r);
    assert_ok(streams_release(subject));
    assert_int_equal(self.destroyed, 1);
    assert_log(&self.log, "");
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
        test(a_loop_runs_what_is_due),
        test(a_loop_runs_until_it_is_stopped),
        test(one_thread_runs_a_loop_and_may_release_it_meanwhile),
        test(each_thread_of_a_pool_gets_something_to_do),
        test(a_child_watches_a_descriptor_of_its_own),
        test(without_descriptors_there_is_no_loop),
        test(a_child_of_a_fork_goes_on_with_the_loop),
        test(queues_run_elsewhere),
        test(ten_thousand_leave_nothing),
        test(in_a_child_of_a_fork_a_queue_keeps_what_it_is_given),
        test(a_scheduler_of_ones_own_runs_actions_once),
        test(what_a_scheduler_needs_is_asked_for),
        test(what_is_released_meanwhile_hears_of_that_afterwards),
        test(of_two_threads_one_runs_an_action),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
