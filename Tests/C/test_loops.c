/* Loops: who runs them, for how long, and what their descriptor says. */

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "actions.h"

enum { MILLISECOND = 1000000 };

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
    assert_ok(streams_loop_run_once(loop, -1));
    assert_log(&log, "a -a");
    assert_true(at(loop, 3 * MILLISECOND, &b) != 0);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_loop_runs_what_is_due),
        test(a_loop_runs_until_it_is_stopped),
        test(one_thread_runs_a_loop_and_may_release_it_meanwhile),
        test(a_child_watches_a_descriptor_of_its_own),
        test(without_descriptors_there_is_no_loop),
        test(a_child_of_a_fork_goes_on_with_the_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
