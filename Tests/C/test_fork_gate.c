/* Nobody is within what a fork waits for when a process forks, however many threads fork at once. The gate is
 * no part of the interface, so it is built into this test. */

#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <time.h>

/* Threads give way to each other in the midst of the gate, where they else do once in thousands of forks. */
static void give_way_at_random(void) {
    static _Thread_local unsigned state = 1;
    const struct timespec pause = { .tv_nsec = 1000 };
    if (rand_r(&state) % 4 == 0) (void)nanosleep(&pause, NULL);
}
#define __atomic_store_n(...) (give_way_at_random(), __atomic_store_n(__VA_ARGS__))

#include "../../Sources/StreamsMachine/clock.c"
#include "../../Sources/StreamsMachine/forks.c"

#undef __atomic_store_n

#include <signal.h>
#include <sys/wait.h>

#include "actions.h"

enum { USERS = 3,
    FORKERS = 8 };

static atomic_int within;
static atomic_bool stopped;
/* Whether a fork waits for the lock: a mutex lets a thread take it again and again before
 * one that it has woken. */
static atomic_bool lock_is_wanted;

/* What a handler of the program's does within a fork, later than the gate. */
static void (*while_forking)(void), (*after_forking)(void);
static void run_while_forking(void) {
    if (while_forking != NULL) while_forking();
}
static void run_after_forking(void) {
    if (after_forking != NULL) after_forking();
}

/* Handlers run before a fork in the reverse order of their registration. */
__attribute__((constructor(101))) static void come_before_the_gate(void) {
    pthread_atfork(run_while_forking, run_after_forking, run_after_forking);
}

static void *go_in_and_out(void *outermost) {
    /* About as long as a fork takes, without giving way: a fork does not wait for ever. */
    const int steps = under_valgrind() ? 100 : 20000;
    while (!stopped) {
        if (outermost != NULL) pthread_mutex_lock(outermost);
        void *outer = streams_hold_forks();
        within++;
        void *inner = streams_hold_forks();
        for (volatile int i = 0; i < steps; i++) continue;
        streams_let_forks(inner);
        within--;
        streams_let_forks(outer);
        if (outermost != NULL) pthread_mutex_unlock(outermost);
        while (lock_is_wanted) (void)sched_yield();
    }
    return NULL;
}

/* Returns NULL if nobody was within at any of the forks. */
static void *fork_without_pause(void *context) {
    for (int i = 0; i < 200; i++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) end_child(within == 0);
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) return context;
    }
    return NULL;
}

static void expect_nobody_within(void) {
    /* A fork waits for a second at most, and valgrind runs one thread at a time. */
    if (under_valgrind()) skip();
    pthread_t users[USERS], forkers[FORKERS];
    void *result = NULL;
    int failed = 0;
    stopped = false;
    for (int i = 0; i < USERS; i++) assert_int_equal(pthread_create(&users[i], NULL, go_in_and_out, NULL), 0);
    for (int i = 0; i < FORKERS; i++)
        assert_int_equal(pthread_create(&forkers[i], NULL, fork_without_pause, &stopped), 0);
    for (int i = 0; i < FORKERS; i++) {
        pthread_join(forkers[i], &result);
        failed += result != NULL;
    }
    stopped = true;
    for (int i = 0; i < USERS; i++) pthread_join(users[i], NULL);
    assert_int_equal(failed, 0);
}

static void nobody_is_within_when_threads_fork_at_once(void **state) {
    (void)state;
    expect_nobody_within();
}

/* Takes some time, in which another fork begins if it can: not much where each turn is a long one of somebody
 * else's, since who waits for a fork does so for a quarter of a second. */
static void wait_for_another_fork(void) {
    static atomic_int begun;
    int number = ++begun;
    int64_t limit = streams_clock_now() + 50000000;
    for (int i = 0; i < 5000 && begun == number && streams_clock_now() < limit; i++) (void)sched_yield();
}

static void threads_that_fork_without_pause_let_others_in(void **state) {
    (void)state;
    while_forking = wait_for_another_fork;
    expect_nobody_within();
    while_forking = NULL;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void take_lock(void) {
    lock_is_wanted = true;
    pthread_mutex_lock(&lock);
    lock_is_wanted = false;
}
static void leave_lock(void) { pthread_mutex_unlock(&lock); }

/* The fork waits for a lock of a thread that waits for the fork. */
static void a_fork_that_waits_for_one_who_waits_goes_on(void **state) {
    (void)state;
    pthread_t user;
    stopped = false;
    while_forking = take_lock;
    after_forking = leave_lock;
    assert_int_equal(pthread_create(&user, NULL, go_in_and_out, &lock), 0);
    for (int i = 0; i < 5; i++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) end_child(true);
        assert_int_equal(waitpid(child, &status, 0), child);
    }
    stopped = true;
    pthread_join(user, NULL);
    while_forking = after_forking = NULL;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(nobody_is_within_when_threads_fork_at_once),
        test(threads_that_fork_without_pause_let_others_in),
        test(a_fork_that_waits_for_one_who_waits_goes_on),
    };
    (void)alarm(900);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
