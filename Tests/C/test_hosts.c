/* Managed runtimes, with a fake one: callables, subscribers, iterables, errors.
 * Their values are in test_host_values.c, their threads in test_host_threads.c. */

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

static void native_functions_read_and_set(void **state) {
    (void)state;
    int64_t status = 0;
    fake_object *raise = fake_callable(note_status, &status);
    ptrdiff_t offset = offsetof(fake_object, context);
    streams_method_fn get = streams_host_value_getter(fake_host(), raise, offset);
    streams_setter_fn set = streams_host_value_setter(fake_host(), raise, offset);
    assert_true(get != NULL && set != NULL);
    streams_value first = streams_int(4);
    streams_subject *subject = streams_current_value_subject_create(&first);
    fake_object *handle = fake_int((int64_t)(intptr_t)subject), *number = fake_int(5);
    fake_object *self = fake_callable(NULL, handle);
    streams_host table = fake_host_table();
    int token = table.enter();
    fake_object *found = get(self, NULL);
    assert_int_equal(found->integer, 4);
    fake_release(found);
    assert_int_equal(set(self, number, NULL), 0);
    found = get(self, NULL);
    assert_ptr_equal(found, number);
    fake_release(found);
    assert_int_equal(status, 0);
    assert_int_equal(set(self, NULL, NULL), -1);
    assert_int_equal(status, STREAMS_NULL_ARGUMENT);
    table.report_error(NULL);
    assert_ok(streams_release(subject));
    assert_null(get(self, NULL));
    assert_int_equal(status, STREAMS_STALE_HANDLE);
    table.report_error(NULL);
    assert_int_equal(set(self, number, NULL), -1);
    table.report_error(NULL);
    table.leave(token);
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_host_value_getter",
        streams_host_value_getter(fake_host(), NULL, 0));
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_host_value_setter",
        streams_host_value_setter(fake_host(), raise, -1));
    fake_release(self);
    fake_release(handle);
    fake_release(number);
    fake_release(raise);
    assert_int_equal(fake_live_objects(), 1);
}

static void native_functions_read_and_set_published_values(void **state) {
    (void)state;
    int64_t status = 0;
    fake_object *raise = fake_callable(note_status, &status);
    ptrdiff_t offset = offsetof(fake_object, context);
    streams_method_fn get = streams_host_value_getter(fake_host(), raise, offset);
    streams_setter_fn set = streams_host_value_setter(fake_host(), raise, offset);
    streams_observable_object *car = streams_observable_object_create();
    fake_object *handle = fake_int((int64_t)(intptr_t)car), *number = fake_int(5), *other = fake_int(6);
    fake_object *self = fake_callable(NULL, handle);
    streams_host_attribute charge = { "charge", NULL }, absent = { "charge", other };
    streams_host_attribute nameless = { NULL, NULL };
    streams_host table = fake_host_table();
    int token = table.enter();
    assert_null(get(self, &charge));
    assert_int_equal(status, STREAMS_INVALID_ARGUMENT);
    table.report_error(NULL);
    assert_int_equal(set(self, number, &charge), 0);
    recorder r = { 0 };
    recorder_subscribe(&r, streams_observable_object_publisher(car, "charge"), STREAMS_UNLIMITED);
    assert_int_equal(set(self, other, &absent), 0);
    fake_object *found = get(self, &charge);
    assert_ptr_equal(found, number);
    fake_release(found);
    assert_int_equal(set(self, other, &charge), 0);
    assert_log(&r.log, "subscribed <5> <6>");
    assert_int_equal(set(self, other, &nameless), -1);
    assert_int_equal(status, STREAMS_NULL_ARGUMENT);
    table.report_error(NULL);
    assert_null(get(self, NULL));
    table.report_error(NULL);
    table.leave(token);
    recorder_end(&r);
    assert_ok(streams_release(car));
    fake_release(self);
    fake_release(handle);
    fake_release(number);
    fake_release(other);
    fake_release(raise);
    assert_int_equal(fake_live_objects(), 1);
}

static void native_functions_read_properties_and_bindings(void **state) {
    (void)state;
    int64_t status = 0;
    fake_object *raise = fake_callable(note_status, &status), *number = fake_int(5);
    ptrdiff_t offset = offsetof(fake_object, context);
    streams_method_fn get = streams_host_value_getter(fake_host(), raise, offset);
    streams_setter_fn set = streams_host_value_setter(fake_host(), raise, offset);
    streams_value first = streams_int(4);
    streams_subject *subject = streams_current_value_subject_create(&first);
    streams_property *property = streams_property_of_subject(subject);
    streams_binding *binding = streams_binding_of_subject(subject);
    fake_object *handles[] = { fake_int((int64_t)(intptr_t)property), fake_int((int64_t)(intptr_t)binding) };
    fake_object *read = fake_callable(NULL, handles[0]), *bound = fake_callable(NULL, handles[1]);
    streams_host table = fake_host_table();
    int token = table.enter();
    assert_int_equal(set(bound, number, NULL), 0);
    fake_object *found[] = { get(bound, NULL), get(read, NULL) };
    assert_ptr_equal(found[0], number);
    assert_ptr_equal(found[1], number);
    assert_int_equal(set(read, number, NULL), -1);
    assert_int_equal(status, STREAMS_WRONG_KIND);
    table.report_error(NULL);
    table.leave(token);
    assert_ok(streams_release(property));
    assert_ok(streams_release(binding));
    assert_ok(streams_release(subject));
    fake_object *objects[] = { found[0], found[1], handles[0], handles[1], read, bound, number, raise };
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) fake_release(objects[i]);
    assert_int_equal(fake_live_objects(), 1);
}

static void native_functions_refuse_what_has_no_value(void **state) {
    (void)state;
    int64_t status = 0;
    fake_object *raise = fake_callable(note_status, &status);
    ptrdiff_t offset = offsetof(fake_object, context);
    streams_method_fn get = streams_host_value_getter(fake_host(), raise, offset);
    streams_subject *subject = streams_passthrough_subject_create();
    fake_object *handle = fake_int((int64_t)(intptr_t)subject), *self = fake_callable(NULL, handle);
    streams_host table = fake_host_table();
    int token = table.enter();
    assert_null(get(self, NULL));
    assert_int_equal(status, STREAMS_WRONG_KIND);
    table.report_error(NULL);
    table.leave(token);
    assert_ok(streams_release(subject));
    fake_release(self);
    fake_release(handle);
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
        test(a_native_method_sends),
        test(native_functions_read_and_set),
        test(native_functions_read_and_set_published_values),
        test(native_functions_read_properties_and_bindings),
        test(native_functions_refuse_what_has_no_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
