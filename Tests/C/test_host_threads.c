/* What a managed runtime is asked when objects go, when threads of the library
 * come and go, and when it has ended itself. */

#include <pthread.h>

#include "actions.h"
#include "fake_host.h"

static fake_object *raises(void *context, fake_object *const *arguments, size_t count) {
    (void)context, (void)arguments, (void)count;
    return fake_raise("host trouble");
}

/* ---- Releasing the host's objects ------------------------------------------------------ */

static void fails_too(void) { (void)streams_publisher_create(NULL); }

static fake_object *failing_when_freed(fake_object *object) {
    object->freed = fails_too;
    return object;
}

/* What runs when an object goes has calls and errors of its own. */
static void a_failing_call_keeps_its_last_error(void **state) {
    (void)state;
    fake_object *object = failing_when_freed(fake_list(0));
    streams_publisher *iterable = streams_host_publisher(fake_host(), object);
    fake_release(object);
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_sink", streams_sink(iterable, NULL));

    void *sent = failing_when_freed(fake_int(1));
    streams_value value;
    assert_ok(streams_host_values(fake_host(), &sent, 1, &value));
    fake_release(sent);
    streams_publisher *just = streams_just(&value);
    assert_ok(streams_value_destroy(&value));
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_sink", streams_sink(just, NULL));

    streams_host_callables functions = STREAMS_HOST_CALLABLES_INIT;
    functions.on_value = failing_when_freed(fake_callable(raises, NULL));
    streams_subscriber subscriber;
    assert_ok(streams_host_subscriber(fake_host(), &functions, 1, &subscriber));
    fake_release(functions.on_value);
    assert_refused(STREAMS_NULL_HANDLE, "streams_sink", streams_sink(NULL, &subscriber));
    assert_clean();
}

/* ---- The library's own threads -------------------------------------------------------------- */

/* As CPython counts: what is kept for a thread goes when the lock has been given
 * back as often as it was taken, and once more if new_thread made it. */
static _Thread_local int kept, taken;
static streams_host inner;
static atomic_int made_threads, kept_threads, entries;

static void *make_thread(void *runtime) {
    if (runtime != &inner || kept != 0 || taken != 0) abort();
    made_threads++;
    kept_threads++;
    kept = 1;
    return &kept;
}

static int counting_enter(void) {
    entries++;
    if (kept++ == 0) kept_threads++;
    return taken++ == 0 ? inner.enter() : 0;
}

static void counting_leave(int token) {
    if (--kept == 0) kept_threads--;
    if (token == 0) return;
    taken = 0;
    inner.leave(token);
}

static fake_object *counts(void *context, fake_object *const *arguments, size_t count) {
    (void)arguments, (void)count;
    ++*(atomic_int *)context;
    return fake_int(0);
}

static void schedule(streams_scheduler *scheduler, streams_callable *action) {
    assert_true(streams_scheduler_schedule(scheduler, 0, streams_callable_action, action, NULL) != 0);
}

/* What the host knows a thread of a queue by is made once, and released at its end. */
static void a_thread_of_a_queue_is_made_known_once(void **state) {
    (void)state;
    inner = fake_host_table();
    streams_host table = inner;
    table.enter = counting_enter;
    table.leave = counting_leave;
    table.new_thread = make_thread;
    table.runtime = &inner;
    atomic_int calls = 0, begun = 0;
    table.thread_begins = fake_callable(counts, &begun);
    uint32_t host = 0;
    assert_ok(streams_host_register(&table, &host));
    fake_object *function = fake_callable(counts, &calls);
    streams_callable *action = streams_callable_create(host, function);
    streams_pool *pool = streams_pool_create(1);
    streams_scheduler *queue = streams_pool_queue(pool), *loop = streams_loop_create();
    for (int i = 1; i <= 5; i++) {
        schedule(queue, action);
        assert_true(reaches(&calls, i));
    }
    assert_int_equal(made_threads, 1);
    assert_int_equal(kept_threads, 1);
    assert_int_equal(begun, 1);
    /* A thread of the program's is its own affair. */
    schedule(loop, action);
    assert_ok(streams_loop_run_once(loop, 0));
    assert_int_equal(calls, 6);
    assert_int_equal(made_threads, 1);
    assert_int_equal(kept, 0);
    assert_ok(streams_release(loop));
    assert_ok(streams_release(queue));
    assert_ok(streams_release(pool));
    assert_true(reaches(&kept_threads, 0));
    /* The end of a thread does not ask a host that is retired. */
    queue = streams_queue_create();
    schedule(queue, action);
    assert_true(reaches(&calls, 7));
    assert_true(reaches(&kept_threads, 1));
    assert_int_equal(begun, 2);
    assert_ok(streams_release(action));
    assert_ok(streams_host_retire(host));
    int before = entries;
    assert_ok(streams_release(queue));
    assert_int_equal(entries, before);
    fake_release(function);
    /* This test's reference, and the library's, which it keeps for ever. */
    fake_release(table.thread_begins);
    fake_release(table.thread_begins);
    assert_clean();
}

static int counting_holds(void) { return taken > 0; }

static void runs_with_lock(void *action) {
    int token = counting_enter();
    streams_callable_action(action);
    counting_leave(token);
}

/* A thread of a queue's that has the host's lock by itself is known to the host. */
static void a_thread_that_has_the_lock_is_not_made_known(void **state) {
    (void)state;
    inner = fake_host_table();
    streams_host table = inner;
    table.enter = counting_enter;
    table.leave = counting_leave;
    table.holds = counting_holds;
    table.new_thread = make_thread;
    table.runtime = &inner;
    uint32_t host = 0;
    assert_ok(streams_host_register(&table, &host));
    atomic_int calls = 0;
    int before = made_threads, others = kept_threads;
    fake_object *function = fake_callable(counts, &calls);
    streams_callable *action = streams_callable_create(host, function);
    streams_scheduler *queue = streams_queue_create();
    assert_true(streams_scheduler_schedule(queue, 0, runs_with_lock, action, NULL) != 0);
    assert_true(reaches(&calls, 1));
    assert_true(reaches(&kept_threads, others));
    assert_int_equal(made_threads, before);
    schedule(queue, action);
    assert_true(reaches(&calls, 2));
    assert_int_equal(made_threads, before + 1);
    assert_ok(streams_release(queue));
    assert_true(reaches(&kept_threads, others));
    assert_ok(streams_release(action));
    assert_ok(streams_host_retire(host));
    fake_release(function);
    assert_clean();
}

/* ---- Whether the lock is still there ---------------------------------------------------------- */

static void *known_thread;
static int taken_times;

static void *knows_threads(void) { return known_thread; }

static int holds_nothing(void) { abort(); }

static int numbering_enter(void) {
    taken_times++;
    return inner.enter();
}

static fake_object *answers_null(void *context, fake_object *const *arguments, size_t count) {
    (void)arguments, (void)count;
    ++*(int *)context;
    fake_retain(fake_null());
    return fake_null();
}

/* As a callback does that gives the lock away, and calls the library meanwhile. */
static uint64_t loses_lock(void *context, const streams_value *value) {
    (void)value;
    known_thread = context;
    return 0;
}

/* The functions belong to `weak`'s referent. */
static streams_cancellable *hears(
    streams_publisher *publisher, uint32_t host, fake_object *function, fake_object *weak) {
    streams_host_callables functions = STREAMS_HOST_CALLABLES_INIT;
    functions.on_value = function;
    functions.owner = weak;
    streams_subscriber subscriber;
    assert_ok(streams_host_subscriber(host, &functions, STREAMS_UNLIMITED, &subscriber));
    return streams_sink(publisher, &subscriber);
}

/* The lock is taken once for all subscribers, and anew where it may have gone meanwhile. */
static void a_host_is_asked_who_has_the_lock(void **state) {
    (void)state;
    int calls = 0, us = 0, others = 0;
    known_thread = &us;
    inner = fake_host_table();
    streams_host table = fake_telling_table(holds_nothing, knows_threads);
    table.enter = numbering_enter;
    uint32_t host = 0;
    assert_ok(streams_host_register(&table, &host));
    fake_object *owner = fake_int(1), *function = fake_callable(answers_null, &calls);
    fake_object *weak = fake_callable(NULL, owner), *sent = fake_int(5);
    streams_subject *subject = streams_passthrough_subject_create();
    streams_cancellable *first = hears(streams_subject_publisher(subject), host, function, weak);
    streams_subscriber between = STREAMS_SUBSCRIBER_INIT;
    between.on_value = loses_lock;
    between.context = &us;
    streams_cancellable *second = streams_sink(streams_subject_publisher(subject), &between);
    streams_cancellable *third = hears(streams_subject_publisher(subject), host, function, weak);
    int before = taken_times;
    assert_ok(streams_host_send(subject, host, sent));
    assert_int_equal(calls, 2);
    assert_int_equal(taken_times, before + 1);

    assert_ok(streams_release(second));
    assert_ok(streams_release(third));
    between.context = &others;
    second = streams_sink(streams_subject_publisher(subject), &between);
    third = hears(streams_subject_publisher(subject), host, function, weak);
    before = taken_times;
    assert_ok(streams_host_send(subject, host, sent));
    assert_int_equal(calls, 4);
    assert_int_equal(taken_times, before + 2);

    /* Once for all that comes at once, and to make the subscriber and to release it. */
    int64_t numbers[100] = { 0 };
    calls = 0;
    known_thread = &us;
    before = taken_times;
    assert_ok(streams_release(hears(streams_sequence_int64s(numbers, 100), host, function, weak)));
    assert_int_equal(calls, 100);
    assert_int_equal(taken_times, before + 3);
    calls = 4;

    /* Nobody is told any more where the owner is gone. */
    weak->context = fake_null();
    known_thread = &us;
    assert_ok(streams_host_send(subject, host, sent));
    assert_int_equal(calls, 4);
    streams_cancellable *all[] = { first, second, third };
    for (int i = 0; i < 3; i++) assert_ok(streams_release(all[i]));
    assert_ok(streams_release(subject));
    fake_object *objects[] = { owner, function, weak, sent };
    for (int i = 0; i < 4; i++) fake_release(objects[i]);
    assert_clean();
}

/* ---- Threads that take turns with the lock ---------------------------------------------------- */

static void *has_lock(void) { return taken > 0 ? &taken : NULL; }

static void *sends_numbers(void *subject) {
    streams_value value = streams_int(1);
    for (int i = 0; i < 5000; i++) {
        if (streams_subject_send(subject, &value) != STREAMS_OK) abort();
    }
    return NULL;
}

/* What belongs to whoever has the lock is not looked at by a thread that does not have it yet. */
static void threads_call_a_function_in_turn(void **state) {
    (void)state;
    inner = fake_host_table();
    streams_host table = fake_telling_table(counting_holds, has_lock);
    table.enter = counting_enter;
    table.leave = counting_leave;
    uint32_t host = 0;
    assert_ok(streams_host_register(&table, &host));
    int calls = 0;
    fake_object *owner = fake_int(1), *function = fake_callable(answers_null, &calls);
    fake_object *weak = fake_callable(NULL, owner);
    streams_subject *subjects[2];
    streams_cancellable *cancellables[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        subjects[i] = streams_passthrough_subject_create();
        cancellables[i] = hears(streams_subject_publisher(subjects[i]), host, function, weak);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, sends_numbers, subjects[i]), 0);
    }
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(calls, 10000);
    for (int i = 0; i < 2; i++) {
        assert_ok(streams_release(cancellables[i]));
        assert_ok(streams_release(subjects[i]));
    }
    fake_object *objects[] = { owner, function, weak };
    for (int i = 0; i < 3; i++) fake_release(objects[i]);
    assert_clean();
}

/* ---- The end of a runtime, last of all ------------------------------------------------------ */

static void a_retired_host_is_not_called(void **state) {
    (void)state;
    streams_host table = fake_host_table();
    uint32_t host = 0;
    assert_ok(streams_host_register(&table, &host));
    assert_true(host != 0);
    fake_object *function = fake_callable(raises, NULL);
    streams_callable *made = streams_callable_create(host, function);
    assert_ok(streams_host_retire(host));
    assert_ok(streams_host_retire(host));
    assert_status(STREAMS_INVALID_ARGUMENT, streams_host_retire(0));
    assert_status(STREAMS_INVALID_ARGUMENT, streams_host_retire(99999));
    streams_value in = streams_int(1), out = streams_null();
    assert_int_equal(streams_callable_transform(made, &in, &out), STREAMS_TERMINATED);
    assert_refused(STREAMS_TERMINATED, "streams_callable_create", streams_callable_create(host, function));
    assert_refused(STREAMS_TERMINATED, "streams_host_publisher", streams_host_publisher(host, function));
    assert_refused(STREAMS_TERMINATED, "streams_host_send_method",
        streams_host_send_method(host, function, 0));
    /* What the library still held is abandoned, not released. */
    assert_ok(streams_release(made));
    assert_int_equal(function->references, 2);
    fake_release(function);
    fake_release(function);
    assert_clean();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_failing_call_keeps_its_last_error),
        test(a_thread_of_a_queue_is_made_known_once),
        test(a_thread_that_has_the_lock_is_not_made_known),
        test(a_host_is_asked_who_has_the_lock),
        test(threads_call_a_function_in_turn),
        test(a_retired_host_is_not_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
