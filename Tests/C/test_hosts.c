/* Managed runtimes, with a fake one: callables, subscribers, iterables, errors.
 * Their values are in test_host_values.c, their threads in test_host_threads.c,
 * and native methods and attributes in test_host_natives.c. */

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
    streams_cancellable *cancellable = streams_sink(p, &subscriber);
    assert_non_null(cancellable);
    assert_ok(streams_release(cancellable));
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
    fake_object *function = fake_callable(hear_value, NULL);
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_host_sink",
        streams_host_sink(ints(1), fake_host(), 1, NULL, NULL, NULL, NULL));
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_host_sink",
        streams_host_sink(ints(1), 1234, 1, function, NULL, NULL, NULL));
    assert_refused(STREAMS_NULL_HANDLE, "streams_host_sink",
        streams_host_sink(NULL, fake_host(), 1, function, NULL, NULL, NULL));
    fake_release(function);
    callables.size = 3;
    assert_status(STREAMS_INVALID_SIZE, streams_host_subscriber(fake_host(), &callables, 1, &subscriber));
    assert_status(STREAMS_INVALID_SIZE, streams_host_event_handlers(fake_host(), &callables, &handlers));
    assert_int_equal(handlers.size, sizeof handlers);
}

/* ---- Schedulers ------------------------------------------------------------------------------ */

/* A publisher that uses the scheduler, and a weak reference to what it keeps. */
static fake_object *weak_reference(streams_scheduler *scheduler, fake_object *referent) {
    fake_object *weak = fake_callable(NULL, referent);
    assert_ok(streams_host_keep_scheduler(fake_host(), scheduler, weak));
    fake_release(weak);
    return weak;
}

static void streams_keep_what_a_scheduler_is_known_by(void **state) {
    (void)state;
    streams_scheduler *scheduler = streams_virtual_scheduler_create();
    fake_object *owner = fake_int(1);
    fake_object *weak = weak_reference(scheduler, owner);
    assert_int_equal(fake_live_objects(), 2);
    streams_publisher *publisher = streams_interval(1, 1, 3, scheduler);
    recorder r = { 0 };
    recorder_subscribe(&r, publisher, STREAMS_UNLIMITED);
    streams_debouncer *debouncer = streams_debouncer_create(5, scheduler);
    fake_release(owner);
    assert_int_equal(fake_live_objects(), 2); /* the owner, which the stream and the debouncer keep */
    assert_ok(streams_virtual_scheduler_run(scheduler));
    assert_int_equal(r.values, 3);
    recorder_end(&r);
    assert_int_equal(fake_live_objects(), 2);
    assert_ok(streams_release(debouncer));
    weak->context = NULL;
    assert_int_equal(fake_live_objects(), 1);
    /* What is made when the owner has gone keeps nothing. */
    assert_ok(streams_release(streams_interval(1, 1, 3, scheduler)));
    assert_ok(streams_release(scheduler));
    assert_clean();
}

static void a_scheduler_refuses_to_be_kept(void **state) {
    (void)state;
    streams_scheduler *scheduler = streams_virtual_scheduler_create();
    streams_host table = fake_host_table();
    table.target = NULL;
    uint32_t simple = 0;
    assert_ok(streams_host_register(&table, &simple));
    fake_object *weak = fake_callable(NULL, NULL);
    assert_status(STREAMS_NULL_ARGUMENT, streams_host_keep_scheduler(fake_host(), scheduler, NULL));
    assert_status(STREAMS_NULL_HANDLE, streams_host_keep_scheduler(fake_host(), NULL, weak));
    assert_status(STREAMS_INVALID_ARGUMENT, streams_host_keep_scheduler(1234, scheduler, weak));
    assert_status(STREAMS_INVALID_ARGUMENT, streams_host_keep_scheduler(simple, scheduler, weak));
    assert_ok(streams_host_retire(simple));
    fake_release(weak);
    assert_ok(streams_release(scheduler));
    assert_clean();
}

static void *knows(void) { return NULL; }

static void *copied(void) { return NULL; }

static void *copied_from(void *context) { return context; }

static int succeeds(void *context) {
    (void)context;
    return 0;
}

static void *weakly(void *object, void *callback) {
    (void)callback;
    return object;
}

static void functions_for_contexts_are_all_there_or_none(void **state) {
    (void)state;
    for (int missing = 0; missing <= 5; missing++) {
        streams_host table = fake_host_table();
        table.current_context = copied;
        if (missing != 1) table.known = knows;
        if (missing != 2) table.copy_context = copied_from;
        if (missing != 3) table.weak = weakly;
        if (missing != 4) table.enter_context = succeeds;
        if (missing != 5) table.exit_context = succeeds;
        uint32_t host = 0;
        assert_status(missing ? STREAMS_NULL_ARGUMENT : STREAMS_OK, streams_host_register(&table, &host));
        if (!missing) assert_ok(streams_host_retire(host));
    }
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
        test(streams_keep_what_a_scheduler_is_known_by),
        test(a_scheduler_refuses_to_be_kept),
        test(functions_for_contexts_are_all_there_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
