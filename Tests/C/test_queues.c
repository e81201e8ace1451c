/* Queues and pools, which have threads; and what schedulers leave behind. */

#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "actions.h"

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
    streams_cancellable *cancellables[SORTS];
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
        self->cancellables[i] = streams_sink(streams_debounce(p, INT64_MAX, all[i]), &subscriber);
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

/* Whether all is released, however the schedulers go: with streams that are
 * alive, or without; on this thread or on another. */
static bool comes_and_goes(int round, streams_subject *subject) {
    crowd all = { .calls = { 0 } };
    pthread_t thread;
    bool elsewhere = round & 1, streams_first = round & 2;
    gather(&all, subject);
    (void)send_int(subject, round);
    for (int i = 0; i < SORTS && streams_first; i++) (void)streams_release(all.cancellables[i]);
    if (!elsewhere || pthread_create(&thread, NULL, disperse, &all) != 0)
        (void)disperse(&all);
    else
        (void)pthread_join(thread, NULL);
    for (int i = 0; i < SORTS && !streams_first; i++) (void)streams_release(all.cancellables[i]);
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

static void in_a_child_of_a_fork_a_queue_takes_nothing(void **state) {
    (void)state;
    streams_scheduler *queue = streams_queue_create();
    pid_t child = fork();
    if (child == 0) {
        counter calls = { 0 };
        bool right = streams_scheduler_schedule(queue, 0, count, &calls, counter_destroy) == 0;
        right = right && streams_last_status() == STREAMS_STALE_HANDLE;
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
        streams_cancellable *cancellables[2];
        for (int i = 0; i < 2; i++) {
            streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
            subscriber.context = &sides[i];
            subscriber.on_value = cross_at_value;
            queues[i] = streams_pool_queue(pool);
            subjects[i] = streams_passthrough_subject_create();
            streams_publisher *p = streams_subject_publisher(subjects[i]);
            cancellables[i] = streams_sink(streams_receive_on(p, queues[i]), &subscriber);
        }
        for (int i = 0; i < 2; i++) assert_ok(send_int(subjects[i], 1));
        assert_true(reaches(&done, 2));
        for (int i = 0; i < 2; i++) {
            assert_ok(streams_release(cancellables[i]));
            assert_ok(streams_release(subjects[i]));
            assert_ok(streams_release(queues[i]));
        }
    }
    assert_ok(streams_release(pool));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(each_thread_of_a_pool_gets_something_to_do),
        test(queues_run_elsewhere),
        test(ten_thousand_leave_nothing),
        test(in_a_child_of_a_fork_a_queue_takes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
