/* Managed runtimes, with a fake one: callables, subscribers, iterables, errors,
 * and the lock. Their values are in test_host_values.c. */

#include <poll.h>

#include "fake_host.h"
#include "support.h"

/* ---- Functions of the host --------------------------------------------------------- */

static fake_object *add_ten(void *context, fake_object *const *arguments, size_t count) {
    (void)context;
    if (count != 1 || arguments[0]->kind != FAKE_INT) return fake_raise("not one integer");
    return fake_int(arguments[0]->integer + 10);
}

static fake_object *is_big(void *context, fake_object *const *arguments, size_t count) {
    (void)context, (void)count;
    return fake_int(arguments[0]->integer > 12);
}

static fake_object *add(void *context, fake_object *const *arguments, size_t count) {
    (void)context;
    if (count != 2) return fake_raise("not two");
    return fake_int(arguments[0]->integer + arguments[1]->integer);
}

static fake_object *raises(void *context, fake_object *const *arguments, size_t count) {
    (void)context, (void)arguments, (void)count;
    return fake_raise("host trouble");
}

static fake_object *none_if_odd(void *context, fake_object *const *arguments, size_t count) {
    (void)context, (void)count;
    fake_object *result = arguments[0]->integer % 2 == 0 ? arguments[0] : fake_null();
    fake_retain(result);
    return result;
}

static streams_callable *callable(fake_function function, void *context) {
    fake_object *object = fake_callable(function, context);
    streams_callable *made = streams_callable_create(fake_host(), object);
    fake_release(object);
    return made;
}

/* ---- Operators and subscribers ----------------------------------------------------------- */

typedef struct heard {
    test_log log;
    bool ended;
} heard;

static fake_object *hear_value(void *context, fake_object *const *arguments, size_t count) {
    heard *self = context;
    (void)count;
    if (arguments[0]->kind == FAKE_INT) log_add(&self->log, "%" PRId64, arguments[0]->integer);
    if (arguments[0]->kind == FAKE_TEXT) log_add(&self->log, "%s", arguments[0]->text);
    if (arguments[0] == fake_null()) log_add(&self->log, "null");
    fake_retain(fake_null());
    return fake_null();
}

static fake_object *hear_end(void *context, fake_object *const *arguments, size_t count) {
    heard *self = context;
    (void)count;
    self->ended = true;
    if (arguments[0] == fake_null()) {
        log_add(&self->log, "finished");
    } else {
        const streams_error *error = (const streams_error *)(uintptr_t)arguments[0]->integer;
        const streams_value *object = streams_error_object(error);
        log_add(&self->log, "failed(%s: %s%s)", streams_error_domain(error), streams_error_message(error),
            object != NULL && object->kind == STREAMS_VALUE_OBJECT ? ", object" : "");
    }
    fake_retain(fake_null());
    return fake_null();
}

static void assert_heard(streams_publisher *p, const char *expected) {
    heard h = { .ended = false };
    fake_object *on_value = fake_callable(hear_value, &h), *on_completion = fake_callable(hear_end, &h);
    streams_host_callables callables = STREAMS_HOST_CALLABLES_INIT;
    callables.on_value = on_value;
    callables.on_completion = on_completion;
    streams_subscriber subscriber;
    assert_ok(streams_host_subscriber(fake_host(), &callables, STREAMS_UNLIMITED, &subscriber));
    fake_release(on_value);
    fake_release(on_completion);
    streams_cancellable *ticket = streams_sink(p, &subscriber);
    assert_non_null(ticket);
    assert_ok(streams_release(ticket));
    assert_log(&h.log, expected);
    assert_clean();
}

static void a_chain_of_host_functions(void **state) {
    (void)state;
    streams_publisher *p = ints(5);
    p = streams_map(p, streams_callable_transform, callable(add_ten, NULL), streams_callable_destroy);
    p = streams_filter(p, streams_callable_predicate, callable(is_big, NULL), streams_callable_destroy);
    p = streams_compact_map(
        p, streams_callable_transform, callable(none_if_odd, NULL), streams_callable_destroy);
    assert_heard(p, "14 finished");
}

static void a_combination_in_the_host(void **state) {
    (void)state;
    streams_value zero = streams_int(0);
    streams_publisher *p = streams_scan(
        ints(3), &zero, streams_callable_combine, callable(add, NULL), streams_callable_destroy);
    assert_heard(p, "1 3 6 finished");
}

static void an_error_of_the_host_comes_out_as_itself(void **state) {
    (void)state;
    streams_publisher *p =
        streams_map(ints(3), streams_callable_transform, callable(raises, NULL), streams_callable_destroy);
    assert_heard(p, "failed(fake: host trouble, object)");
}

static void native_and_host_steps_mix(void **state) {
    (void)state;
    streams_publisher *p = streams_map(ints(3), add_one, NULL, NULL);
    p = streams_map(p, streams_callable_transform, callable(add_ten, NULL), streams_callable_destroy);
    assert_heard(p, "12 13 14 finished");
}

static void an_iterable_is_pulled(void **state) {
    (void)state;
    fake_object *list = fake_list(3);
    for (int i = 0; i < 3; i++) list->items[i] = fake_int(i);
    streams_publisher *p = streams_host_publisher(fake_host(), list);
    fake_release(list);
    assert_ok(streams_retain(p));
    recorder r = { 0 };
    recorder_subscribe(&r, p, 2);
    assert_log(&r.log, "subscribed <0> <1>");
    recorder_end(&r);
    assert_log(&r.log, "destroyed");
    assert_heard(p, "0 1 2 finished");
}

static void what_is_no_iterable_fails_the_stream(void **state) {
    (void)state;
    fake_object *number = fake_int(1);
    streams_publisher *p = streams_host_publisher(fake_host(), number);
    fake_release(number);
    assert_heard(p, "failed(fake: not iterable, object)");
}

static void objects_are_sent(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { 0 };
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    void *objects[] = { fake_int(1), fake_text("two"), fake_null() };
    assert_ok(streams_host_send(subject, fake_host(), objects[0]));
    assert_ok(streams_host_send_objects(subject, fake_host(), objects, 3));
    assert_status(STREAMS_NULL_ARGUMENT, streams_host_send(subject, fake_host(), NULL));
    assert_status(STREAMS_INVALID_ARGUMENT, streams_host_send(subject, 4321, objects[0]));
    assert_ok(finish(subject));
    assert_status(STREAMS_TERMINATED, streams_host_send(subject, fake_host(), objects[0]));
    assert_log(&r.log, "subscribed <1> <1> two null finished destroyed");
    recorder_end(&r);
    fake_release(objects[0]);
    fake_release(objects[1]);
    assert_ok(streams_release(subject));
    assert_clean();
}

static fake_object *note_status(void *context, fake_object *const *arguments, size_t count) {
    int64_t *status = context;
    *status = count == 1 ? arguments[0]->integer : -1;
    return fake_raise("cannot send");
}

static void a_native_method_sends(void **state) {
    (void)state;
    int64_t status = 0;
    fake_object *raise = fake_callable(note_status, &status);
    ptrdiff_t offset = offsetof(fake_object, context);
    streams_method_fn send = streams_host_send_method(fake_host(), raise, offset);
    assert_true(send != NULL);
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { 0 };
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    fake_object *handle = fake_int((int64_t)(intptr_t)subject), *number = fake_int(5);
    fake_object *self = fake_callable(NULL, handle), *closed = fake_callable(NULL, NULL);
    streams_host table = fake_host_table();
    int token = table.enter();
    fake_object *result = send(self, number);
    assert_ptr_equal(result, fake_null());
    fake_release(result);
    assert_log(&r.log, "subscribed <5>");
    /* A completed subject takes nothing and says nothing. */
    assert_ok(finish(subject));
    result = send(self, number);
    assert_ptr_equal(result, fake_null());
    fake_release(result);
    assert_int_equal(status, 0);
    recorder_end(&r);
    assert_ok(streams_release(subject));
    assert_null(send(self, number));
    assert_int_equal(status, STREAMS_STALE_HANDLE);
    table.report_error(NULL);
    assert_null(send(closed, number));
    assert_int_equal(status, STREAMS_NULL_HANDLE);
    table.report_error(NULL);
    table.leave(token);
    assert_refused(
        STREAMS_NULL_ARGUMENT, "streams_host_send_method", streams_host_send_method(fake_host(), NULL, 0));
    assert_refused(
        STREAMS_INVALID_ARGUMENT, "streams_host_send_method", streams_host_send_method(777, raise, 0));
    assert_refused(
        STREAMS_INVALID_ARGUMENT, "streams_host_send_method",
        streams_host_send_method(fake_host(), raise, -1));
    fake_release(self);
    fake_release(closed);
    fake_release(handle);
    fake_release(number);
    fake_release(raise);
    /* The library holds on to the function that raises. */
    assert_int_equal(fake_live_objects(), 1);
    raise = fake_callable(raises, NULL);
    assert_true(streams_host_send_method(fake_host(), raise, offset) == send);
    fake_release(raise);
    assert_int_equal(fake_live_objects(), 1);
}

static void values_outlive_their_objects_names(void **state) {
    (void)state;
    fake_object *number = fake_int(7);
    void *objects[] = { number };
    streams_value value;
    assert_ok(streams_host_values(fake_host(), objects, 1, &value));
    fake_release(number);
    streams_subject *subject = streams_current_value_subject_create(&value);
    assert_ok(streams_value_destroy(&value));
    assert_int_equal(fake_live_objects(), 1);
    assert_stream(streams_subject_publisher(subject), "subscribed <7> destroyed");
    assert_ok(streams_release(subject));
    assert_clean();
}

static void subscribers_refuse(void **state) {
    (void)state;
    streams_host_callables callables = STREAMS_HOST_CALLABLES_INIT;
    streams_subscriber subscriber;
    streams_event_handlers handlers;
    assert_status(STREAMS_NULL_ARGUMENT, streams_host_subscriber(fake_host(), NULL, 1, &subscriber));
    assert_status(STREAMS_NULL_ARGUMENT, streams_host_subscriber(fake_host(), &callables, 1, &subscriber));
    assert_int_equal(subscriber.size, sizeof subscriber);
    assert_status(STREAMS_INVALID_ARGUMENT, streams_host_subscriber(1234, &callables, 1, &subscriber));
    assert_status(STREAMS_NULL_ARGUMENT, streams_host_event_handlers(fake_host(), &callables, NULL));
    callables.size = 3;
    assert_status(STREAMS_INVALID_SIZE, streams_host_subscriber(fake_host(), &callables, 1, &subscriber));
    assert_status(STREAMS_INVALID_SIZE, streams_host_event_handlers(fake_host(), &callables, &handlers));
    assert_int_equal(handlers.size, sizeof handlers);
}

/* ---- Letting go of the host's objects ------------------------------------------------------ */

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

static bool waits_for(atomic_int *number, int expected) {
    for (int i = 0; i < 60000 && *number != expected; i++) (void)poll(NULL, 0, 1);
    return *number == expected;
}

static fake_object *counts(void *context, fake_object *const *arguments, size_t count) {
    (void)arguments, (void)count;
    ++*(atomic_int *)context;
    return fake_int(0);
}

static void schedule(streams_scheduler *scheduler, streams_callable *action) {
    assert_true(streams_scheduler_schedule(scheduler, 0, streams_callable_action, action, NULL) != 0);
}

/* What the host knows a thread of a queue by is made once, and let go of at its end. */
static void a_thread_of_a_queue_is_made_known_once(void **state) {
    (void)state;
    inner = fake_host_table();
    streams_host table = inner;
    table.enter = counting_enter;
    table.leave = counting_leave;
    table.new_thread = make_thread;
    table.runtime = &inner;
    uint32_t host = 0;
    assert_ok(streams_host_register(&table, &host));
    atomic_int calls = 0;
    fake_object *function = fake_callable(counts, &calls);
    streams_callable *action = streams_callable_create(host, function);
    streams_pool *pool = streams_pool_create(1);
    streams_scheduler *queue = streams_pool_queue(pool), *loop = streams_loop_create();
    for (int i = 1; i <= 5; i++) {
        schedule(queue, action);
        assert_true(waits_for(&calls, i));
    }
    assert_int_equal(made_threads, 1);
    assert_int_equal(kept_threads, 1);
    /* A thread of the program's is its own affair. */
    schedule(loop, action);
    assert_ok(streams_loop_run_once(loop, 0));
    assert_int_equal(calls, 6);
    assert_int_equal(made_threads, 1);
    assert_int_equal(kept, 0);
    assert_ok(streams_release(loop));
    assert_ok(streams_release(queue));
    assert_ok(streams_release(pool));
    assert_true(waits_for(&kept_threads, 0));
    /* The end of a thread does not ask a host that is retired. */
    queue = streams_queue_create();
    schedule(queue, action);
    assert_true(waits_for(&calls, 7));
    assert_true(waits_for(&kept_threads, 1));
    assert_ok(streams_release(action));
    assert_ok(streams_host_retire(host));
    int before = entries;
    assert_ok(streams_release(queue));
    assert_int_equal(entries, before);
    fake_release(function);
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
        test(a_chain_of_host_functions),
        test(a_combination_in_the_host),
        test(an_error_of_the_host_comes_out_as_itself),
        test(native_and_host_steps_mix),
        test(an_iterable_is_pulled),
        test(what_is_no_iterable_fails_the_stream),
        test(objects_are_sent),
        test(values_outlive_their_objects_names),
        test(subscribers_refuse),
        test(a_failing_call_keeps_its_last_error),
        test(a_thread_of_a_queue_is_made_known_once),
        test(a_retired_host_is_not_called),
        test(a_native_method_sends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
