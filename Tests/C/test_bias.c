/* A thread that is the only one to use the library does so without atomic operations, until a second one
 * comes. What tells them of each other is no part of the interface, so it is built into this test, and
 * threads give way to each other in the midst of it. Each child of a fork begins biased anew. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Whether the system refuses what is asked of it here, as one that is locked up does. */
static bool is_locked_up;
static long call_system(long number, int command, int flags, int processor) {
    if (!is_locked_up) return syscall(number, command, flags, processor);
    errno = EPERM;
    return -1;
}

#define STREAMS_PERTURBED
#include "../../Sources/StreamsMachine/clock.c"
#include "../../Sources/StreamsMachine/threads.c"
#define syscall call_system
#include "../../Sources/StreamsMachine/bias.c"
#undef syscall

#include <signal.h>
#include <sys/wait.h>

#include "actions.h"

/* Also in the midst of what the biased thread does, which the library asks nothing of. */
void streams_give_way(void) {
    static _Thread_local unsigned state = 0;
    if (state == 0) state = (unsigned)getpid() * 31 + streams_current_thread();
    const struct timespec pause = { .tv_nsec = 1000 };
    if (rand_r(&state) % 8 == 0) (void)nanosleep(&pause, NULL);
}

enum { LATER = 3,
    STEPS = 300 };

/* Calls the function in children of a fork, in which nothing has been done yet. */
static void expect_in_children(int count, bool (*holds)(void)) {
    if (under_valgrind()) count = 1 + count / 50;
    for (int i = 0; i < count; i++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) end_child(holds());
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
}

static atomic_int ready, done;
static atomic_bool may_end;

static bool is_biased(void) {
    bool alone = streams_bias_acquire();
    if (alone) streams_bias_release();
    return alone;
}

/* ---- What threads count ---- */

static uint32_t counted;

/* Returns whether the thread was alone. */
static bool count_once(void) {
    if (!streams_bias_acquire()) {
        __atomic_fetch_add(&counted, 1, __ATOMIC_RELAXED);
        return false;
    }
    uint32_t before = __atomic_load_n(&counted, __ATOMIC_RELAXED);
    streams_give_way();
    __atomic_store_n(&counted, before + 1, __ATOMIC_RELAXED);
    streams_bias_release();
    return true;
}

static void *count_often(void *context) {
    for (int i = 0; i < STEPS; i++) (void)count_once();
    return context;
}

/* Starts threads that count, while this one does. Returns whether nothing was lost, and the bias is revoked
 * afterwards. */
static bool counts_with_others(void) {
    pthread_t threads[LATER];
    bool was_biased = true;
    for (int i = 0; i < STEPS; i++) was_biased = count_once() && was_biased;
    for (int i = 0; i < LATER; i++) {
        if (pthread_create(&threads[i], NULL, count_often, NULL) != 0) return false;
    }
    count_often(NULL);
    for (int i = 0; i < LATER; i++) pthread_join(threads[i], NULL);
    return was_biased && !is_biased() && counted == STEPS * (LATER + 2);
}

static void nothing_is_lost_when_others_come(void **state) {
    (void)state;
    expect_in_children(200, counts_with_others);
}

static bool counts_with_others_while_locked_up(void) {
    is_locked_up = true;
    return counts_with_others();
}

static void nothing_is_lost_where_the_system_refuses_a_barrier(void **state) {
    (void)state;
    expect_in_children(50, counts_with_others_while_locked_up);
}

/* ---- Whom the library is biased to ---- */

static void *idle(void *context) {
    ready++;
    while (!may_end) (void)sched_yield();
    return context;
}

static bool idle_thread_changes_nothing(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, idle, NULL) != 0) return false;
    while (ready == 0) (void)sched_yield();
    bool alone = is_biased();
    may_end = true;
    pthread_join(thread, NULL);
    return alone && is_biased();
}

static void a_thread_is_biased_beside_others_that_do_something_else(void **state) {
    (void)state;
    expect_in_children(1, idle_thread_changes_nothing);
}

/* ---- Forks ---- */

/* Forks while the first thread is at work, which will never end that in the child. */
static void *fork_meanwhile(void *context) {
    while (ready == 0) (void)sched_yield();
    pid_t (*make_child)(void) = *(pid_t(**)(void))context;
    int status = -1;
    pid_t child = make_child();
    if (child == 0) end_child(is_biased());
    if (child < 0 || waitpid(child, &status, 0) != child) status = -1;
    done = status == 0 ? 1 : -1;
    return context;
}

static bool child_of_another_thread_is_biased(pid_t (*make_child)(void)) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, fork_meanwhile, &make_child) != 0) return false;
    if (!streams_bias_acquire()) return false;
    ready++;
    while (done == 0) (void)sched_yield();
    streams_bias_release();
    pthread_join(thread, NULL);
    return done == 1 && is_biased();
}

static bool child_is_biased(void) { return child_of_another_thread_is_biased(fork); }
/* Runs no handlers: as if another's handler came first. */
static bool child_is_biased_before_handlers(void) { return child_of_another_thread_is_biased(_Fork); }

static void the_thread_that_has_forked_is_biased(void **state) {
    (void)state;
    expect_in_children(20, child_is_biased);
}

static void the_thread_that_has_forked_is_biased_before_handlers_have_run(void **state) {
    (void)state;
    expect_in_children(20, child_is_biased_before_handlers);
}

static pthread_t started;
static void start_thread(void) { (void)pthread_create(&started, NULL, count_often, NULL); }

/* A thread may be there as soon as the process is. */
static bool counts_with_thread_of_handler(void) {
    int status = 0;
    if (pthread_atfork(NULL, NULL, start_thread) != 0) return false;
    count_often(NULL);
    pid_t child = fork();
    if (child != 0) return waitpid(child, &status, 0) == child && status == 0;
    count_often(NULL);
    pthread_join(started, NULL);
    end_child(!is_biased() && counted == STEPS * 3);
}

static void nothing_is_lost_when_a_handler_of_the_fork_starts_a_thread(void **state) {
    (void)state;
    expect_in_children(100, counts_with_thread_of_handler);
}

static pid_t fork_to_count(void) {
    pid_t child = _Fork();
    if (child != 0) return child;
    start_thread();
    count_often(NULL);
    pthread_join(started, NULL);
    end_child(counted == STEPS * 2);
}

static bool child_counts_before_handlers(void) { return child_of_another_thread_is_biased(fork_to_count); }

static void nothing_is_lost_where_the_one_who_was_biased_is_left_behind(void **state) {
    (void)state;
    expect_in_children(100, child_counts_before_handlers);
}

/* ---- Streams ---- */

enum { VALUES = 1000 };

static streams_subject *subject;
static atomic_int inside;
static int64_t received;
static bool collided;

static uint64_t receive(void *context, const streams_value *value) {
    (void)context;
    if (inside++ != 0) collided = true;
    received += value->as.integer;
    inside--;
    return 0;
}

static void *send_ones(void *context) {
    const streams_value one = streams_int(1);
    for (int i = 0; i < VALUES; i++) {
        streams_retain(subject);
        streams_subject_send(subject, &one);
        streams_release(subject);
    }
    return context;
}

static bool streams_count_with_others(void) {
    pthread_t threads[LATER];
    streams_subscriber receiver = STREAMS_SUBSCRIBER_INIT;
    receiver.on_value = receive;
    size_t before = streams_live_handles();
    subject = streams_passthrough_subject_create();
    streams_cancellable *cancellable = streams_sink(streams_subject_publisher(subject), &receiver);
    for (int i = 0; i < LATER; i++) {
        send_ones(NULL);
        if ((errno = pthread_create(&threads[i], NULL, send_ones, NULL)) != 0) {
            perror("pthread_create");
            return false;
        }
    }
    for (int i = 0; i < LATER; i++) pthread_join(threads[i], NULL);
    streams_release(cancellable);
    streams_release(subject);
    size_t after = streams_live_handles();
    bool holds = received == 2 * LATER * VALUES && !collided && after == before;
    if (!holds) {
        (void)fprintf(
            stderr, "%lld values, %zu handles, %s\n", (long long)received, after,
            collided ? "at once" : "in turn");
    }
    return holds;
}

static void a_subject_is_used_by_one_thread_and_then_by_several(void **state) {
    (void)state;
    expect_in_children(200, streams_count_with_others);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(nothing_is_lost_when_others_come),
        test(nothing_is_lost_where_the_system_refuses_a_barrier),
        test(a_thread_is_biased_beside_others_that_do_something_else),
        test(the_thread_that_has_forked_is_biased),
        test(the_thread_that_has_forked_is_biased_before_handlers_have_run),
        test(nothing_is_lost_when_a_handler_of_the_fork_starts_a_thread),
        test(nothing_is_lost_where_the_one_who_was_biased_is_left_behind),
        test(a_subject_is_used_by_one_thread_and_then_by_several),
    };
    (void)alarm(900);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
