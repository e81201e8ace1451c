/* A child of a fork uses the library like its parent, whatever the parent's
 * threads were doing at that moment. */

#define _DEFAULT_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "actions.h"

/* What has not ended after so many seconds hangs, also under valgrind on a machine that has much to do. */
enum { HANGS = 900 };

static atomic_bool stopped;

static uint64_t count_value(void *context, const streams_value *value) {
    (void)value;
    ++*(atomic_int *)context;
    return 0;
}

/* Everything once: returns whether it went as it should. */
static bool use_everything(int rounds) {
    bool right = true;
    for (int i = 0; i < rounds; i++) {
        atomic_int values = 0;
        streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
        subscriber.context = &values;
        subscriber.on_value = count_value;
        streams_subject *subject = streams_passthrough_subject_create();
        streams_publisher *p = streams_subject_publisher(subject);
        p = streams_filter(streams_map(p, add_one, NULL, NULL), is_even, NULL, NULL);
        p = streams_remove_duplicates(p);
        streams_publisher *both[2] = { p, ints(2) };
        p = streams_flat_map(streams_merge(both, 2), 4, expand_twice, NULL, NULL);
        streams_cancellable *cancellable = streams_sink(p, &subscriber);
        right &= cancellable != NULL;
        right &= send_int(subject, 1) == STREAMS_OK && send_int(subject, 2) == STREAMS_OK;
        right &= values == 6 && streams_prefix(NULL, -1) == NULL;
        right &= streams_release(cancellable) == STREAMS_OK && streams_release(subject) == STREAMS_OK;
    }
    return right;
}

static void *hammer(void *context) {
    (void)context;
    while (!stopped) (void)use_everything(1);
    return NULL;
}

static void *use_in_child(void *context) {
    return use_everything(under_valgrind() ? 2 : 20) ? context : NULL;
}

/* Begins at once with two threads, of which the forking one may be the third. */
static int run_child(bool with_this_thread) {
    pthread_t threads[2];
    int right = 0;
    /* Ends a child that hangs. */
    (void)alarm(HANGS);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, use_in_child, &stopped) != 0) return 2;
    right -= with_this_thread && !use_everything(1);
    for (int i = 0; i < 2; i++) {
        void *result = NULL;
        pthread_join(threads[i], &result);
        right += result != NULL;
    }
    return right == 2 && use_everything(1) ? 0 : 1;
}

/* Waits for a child. Returns whether it ended well. */
static bool ends_well(pid_t child, int *status) {
    return child > 0 && waitpid(child, status, 0) == child && WIFEXITED(*status) && WEXITSTATUS(*status) == 0;
}

/* The runtime prepares what it needs when it is first used: here by three threads of the child at once. */
static void children_are_the_first_to_use_it(void **state) {
    (void)state;
    int status = 0;
    for (int i = 0; i < (under_valgrind() ? 3 : 300); i++) {
        pid_t child = fork();
        if (child == 0) {
            (void)signal(SIGALRM, SIG_DFL);
            _exit(run_child(true));
        }
        if (!ends_well(child, &status)) fail_msg("child %d ended with status %x", i, (unsigned)status);
    }
}

enum { PAGE = 4096 };

/* Makes the stack of this thread two mappings, the upper one of which ends little below. */
static bool divide_stack(void) {
    volatile char below[16 * PAGE];
    for (size_t i = sizeof below; i > 0; i -= PAGE) below[i - 1] = 0;
    uintptr_t page = (uintptr_t)&below[sizeof below - 2 * PAGE] & ~(uintptr_t)(PAGE - 1);
    return madvise((void *)page, PAGE, MADV_DONTDUMP) == 0;
}

/* In a child the first thread's stack may lie in pieces: valgrind's has grown by mappings of its own. What
 * the system says of it then is the upper one. */
static void child_with_a_divided_stack_has_all_of_it(void **state) {
    (void)state;
    int status = 0;
    pid_t child = fork();
    if (child == 0) end_child(divide_stack() && use_everything(1));
    assert_true(ends_well(child, &status));
}

/* Forks while threads use the library for the first time. Returns an exit status. */
static int fork_while_threads_begin(void) {
    pthread_t thread;
    (void)alarm(HANGS);
    for (int i = 0; i < 3; i++)
        if (pthread_create(&thread, NULL, hammer, NULL) != 0) return 2;
    for (int i = 0; i < 4; i++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            (void)alarm(HANGS);
            end_child(use_everything(1));
        }
        if (!ends_well(child, &status)) return 1;
    }
    return 0;
}

static void children_of_a_process_that_begins(void **state) {
    (void)state;
    int status = 0;
    for (int i = 0; i < (under_valgrind() ? 2 : 300); i++) {
        pid_t child = fork();
        if (child == 0) {
            (void)signal(SIGALRM, SIG_DFL);
            end_child(fork_while_threads_begin() == 0);
        }
        if (!ends_well(child, &status)) fail_msg("child %d ended with status %x", i, (unsigned)status);
    }
}

static atomic_int idle;

static void *use_once(void *context) {
    (void)use_everything(1);
    idle++;
    for (;;) (void)pause();
    return context;
}

/* More threads than fit in one place have used the library, and are there still. */
static int fork_with_many_threads(void) {
    pthread_attr_t small;
    pthread_t thread;
    if (pthread_attr_init(&small) != 0 || pthread_attr_setstacksize(&small, 256 << 10) != 0) return 2;
    for (int i = 0; i < 300; i++)
        if (pthread_create(&thread, &small, use_once, NULL) != 0) return 2;
    while (idle < 300) (void)sched_yield();
    return fork_while_threads_begin();
}

static void children_of_a_process_with_many_threads(void **state) {
    (void)state;
    int status = 0;
    if (under_valgrind()) skip();
    for (int i = 0; i < 8; i++) {
        pid_t child = fork();
        if (child == 0) {
            (void)signal(SIGALRM, SIG_DFL);
            end_child(fork_with_many_threads() == 0);
        }
        if (!ends_well(child, &status)) fail_msg("child %d ended with status %x", i, (unsigned)status);
    }
}

/* A program that keeps a lock of its own usable in children, and holds it while it calls the library. */
static pthread_mutex_t own_lock = PTHREAD_MUTEX_INITIALIZER;
static void take_own_lock(void) { pthread_mutex_lock(&own_lock); }
static void leave_own_lock(void) { pthread_mutex_unlock(&own_lock); }

static void *use_with_own_lock(void *context) {
    while (!stopped) {
        take_own_lock();
        (void)use_everything(1);
        leave_own_lock();
    }
    return context;
}

static int fork_with_own_lock(void) {
    pthread_t thread;
    int status = 0;
    (void)alarm(HANGS);
    if (pthread_atfork(take_own_lock, leave_own_lock, leave_own_lock) != 0) return 2;
    if (pthread_create(&thread, NULL, use_with_own_lock, NULL) != 0) return 2;
    for (int i = 0; i < 200; i++) {
        pid_t child = fork();
        if (child == 0) end_child(true);
        if (!ends_well(child, &status)) return 1;
    }
    return 0;
}

static void locks_of_the_program_are_taken_before_those_of_the_library(void **state) {
    (void)state;
    int status = 0;
    if (under_valgrind()) skip();
    pid_t child = fork();
    if (child == 0) {
        (void)signal(SIGALRM, SIG_DFL);
        end_child(fork_with_own_lock() == 0);
    }
    if (!ends_well(child, &status)) fail_msg("it ended with status %x", (unsigned)status);
}

static void children_of_a_busy_process(void **state) {
    (void)state;
    enum { THREADS = 4 };
    const int forks = under_valgrind() ? 3 : 200;
    pthread_t threads[THREADS];
    assert_true(use_everything(10));
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, hammer, NULL), 0);
    int good = 0, status = 0;
    for (int i = 0; i < forks; i++) {
        pid_t child = fork();
        if (child == 0) {
            (void)signal(SIGALRM, SIG_DFL);
            end_child(run_child(false) == 0);
        }
        if (!ends_well(child, &status)) break;
        good++;
    }
    stopped = true;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    if (good < forks) fail_msg("child %d ended with status %x", good, (unsigned)status);
    streams_clear_last_error();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        /* First, as long as nothing has been used. */
        test(child_with_a_divided_stack_has_all_of_it),
        test(children_are_the_first_to_use_it),
        test(children_of_a_process_that_begins),
        test(children_of_a_process_with_many_threads),
        test(locks_of_the_program_are_taken_before_those_of_the_library),
        test(children_of_a_busy_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
