/* What a host calls without its own machinery between: sending, reading, setting. */

#include "fake_host.h"
#include "support.h"

static fake_object *note_status(void *context, fake_object *const *arguments, size_t count) {
    int64_t *status = context;
    *status = count == 1 ? arguments[0]->integer : -1;
    return fake_raise("cannot send");
}

static fake_object *raises(void *context, fake_object *const *arguments, size_t count) {
    (void)context, (void)arguments, (void)count;
    return fake_raise("host trouble");
}

/* The native functions of the host, and an object that they are called on. */
typedef struct natives {
    int64_t status; /* what the host was last told to raise */
    fake_object *raise, *handle, *self;
    streams_method_fn send, get, close;
    streams_setter_fn set;
    streams_call_fn call;
    streams_host table;
    int token;
} natives;

static const ptrdiff_t offset = offsetof(fake_object, context);

/* From here on with the host's lock held. */
static void begin(natives *n, const void *handle) {
    n->status = 0;
    n->raise = fake_callable(note_status, &n->status);
    n->send = streams_host_send_method(fake_host(), n->raise, offset);
    n->get = streams_host_value_getter(fake_host(), n->raise, offset);
    n->set = streams_host_value_setter(fake_host(), n->raise, offset);
    n->close = streams_host_close_method(fake_host(), n->raise, offset);
    n->call = streams_host_call(fake_host(), n->raise, offset);
    assert_true(n->send != NULL && n->get != NULL && n->set != NULL && n->close != NULL && n->call != NULL);
    n->handle = fake_int((int64_t)(intptr_t)handle);
    n->self = fake_callable(NULL, n->handle);
    n->table = fake_host_table();
    n->token = n->table.enter();
}

/* The host was told to raise for this status. */
static void assert_raised(natives *n, streams_status status) {
    assert_int_equal(n->status, status);
    n->table.report_error(NULL);
}

/* The library holds on to the function that raises. */
static void end(natives *n) {
    fake_release(n->self);
    fake_release(n->handle);
    fake_release(n->raise);
    assert_int_equal(fake_live_objects(), 1);
}

static void a_method_sends(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { 0 };
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    natives n;
    begin(&n, subject);
    fake_object *number = fake_int(5), *closed = fake_callable(NULL, NULL);
    fake_object *result = n.send(n.self, number);
    assert_ptr_equal(result, fake_null());
    fake_release(result);
    assert_log(&r.log, "subscribed <5>");
    /* A completed subject takes nothing and says nothing. */
    assert_ok(finish(subject));
    result = n.send(n.self, number);
    assert_ptr_equal(result, fake_null());
    fake_release(result);
    assert_int_equal(n.status, 0);
    recorder_end(&r);
    assert_ok(streams_release(subject));
    assert_null(n.send(n.self, number));
    assert_raised(&n, STREAMS_STALE_HANDLE);
    assert_null(n.send(closed, number));
    assert_raised(&n, STREAMS_NULL_HANDLE);
    n.table.leave(n.token);
    fake_release(closed);
    fake_release(number);
    end(&n);
    fake_object *raise = fake_callable(raises, NULL);
    assert_true(streams_host_send_method(fake_host(), raise, offset) == n.send);
    fake_release(raise);
    assert_int_equal(fake_live_objects(), 1);
}

static void what_is_no_method_is_refused(void **state) {
    (void)state;
    fake_object *raise = fake_callable(raises, NULL);
    assert_refused(
        STREAMS_NULL_ARGUMENT, "streams_host_send_method", streams_host_send_method(fake_host(), NULL, 0));
    assert_refused(
        STREAMS_INVALID_ARGUMENT, "streams_host_send_method", streams_host_send_method(777, raise, 0));
    assert_refused(
        STREAMS_INVALID_ARGUMENT, "streams_host_send_method",
        streams_host_send_method(fake_host(), raise, -1));
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_host_value_getter",
        streams_host_value_getter(fake_host(), NULL, 0));
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_host_value_setter",
        streams_host_value_setter(fake_host(), raise, -1));
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_host_close_method",
        streams_host_close_method(fake_host(), NULL, 0));
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_host_call", streams_host_call(777, raise, 0));
    fake_release(raise);
}

static void a_subject_is_read_and_set(void **state) {
    (void)state;
    streams_value first = streams_int(4);
    streams_subject *subject = streams_current_value_subject_create(&first);
    natives n;
    begin(&n, subject);
    fake_object *number = fake_int(5);
    fake_object *found = n.get(n.self, NULL);
    assert_int_equal(found->integer, 4);
    fake_release(found);
    assert_int_equal(n.set(n.self, number, NULL), 0);
    found = n.get(n.self, NULL);
    assert_ptr_equal(found, number);
    fake_release(found);
    assert_int_equal(n.status, 0);
    assert_int_equal(n.set(n.self, NULL, NULL), -1);
    assert_raised(&n, STREAMS_NULL_ARGUMENT);
    assert_ok(streams_release(subject));
    assert_null(n.get(n.self, NULL));
    assert_raised(&n, STREAMS_STALE_HANDLE);
    assert_int_equal(n.set(n.self, number, NULL), -1);
    assert_raised(&n, STREAMS_STALE_HANDLE);
    n.table.leave(n.token);
    fake_release(number);
    end(&n);
}

static void published_values_are_read_and_set(void **state) {
    (void)state;
    streams_observable_object *car = streams_observable_object_create();
    natives n;
    begin(&n, car);
    fake_object *number = fake_int(5), *other = fake_int(6);
    streams_host_attribute charge = { "charge", NULL }, absent = { "charge", other };
    streams_host_attribute nameless = { NULL, NULL };
    assert_null(n.get(n.self, &charge));
    assert_raised(&n, STREAMS_INVALID_ARGUMENT);
    assert_int_equal(n.set(n.self, number, &charge), 0);
    recorder r = { 0 };
    recorder_subscribe(&r, streams_observable_object_publisher(car, "charge"), STREAMS_UNLIMITED);
    assert_int_equal(n.set(n.self, other, &absent), 0);
    fake_object *found = n.get(n.self, &charge);
    assert_ptr_equal(found, number);
    fake_release(found);
    assert_int_equal(n.set(n.self, other, &charge), 0);
    assert_log(&r.log, "subscribed <5> <6>");
    assert_int_equal(n.set(n.self, other, &nameless), -1);
    assert_raised(&n, STREAMS_NULL_ARGUMENT);
    assert_null(n.get(n.self, NULL));
    assert_raised(&n, STREAMS_NULL_ARGUMENT);
    n.table.leave(n.token);
    recorder_end(&r);
    assert_ok(streams_release(car));
    fake_release(number);
    fake_release(other);
    end(&n);
}

static void properties_are_read_and_bindings_set(void **state) {
    (void)state;
    streams_value first = streams_int(4);
    streams_subject *subject = streams_current_value_subject_create(&first);
    streams_property *property = streams_property_of_subject(subject);
    streams_binding *binding = streams_binding_of_subject(subject);
    natives n;
    begin(&n, property);
    fake_object *number = fake_int(5), *handle = fake_int((int64_t)(intptr_t)binding);
    fake_object *bound = fake_callable(NULL, handle);
    assert_int_equal(n.set(bound, number, NULL), 0);
    fake_object *found[] = { n.get(bound, NULL), n.get(n.self, NULL) };
    assert_ptr_equal(found[0], number);
    assert_ptr_equal(found[1], number);
    assert_int_equal(n.set(n.self, number, NULL), -1);
    assert_raised(&n, STREAMS_WRONG_KIND);
    n.table.leave(n.token);
    assert_ok(streams_release(property));
    assert_ok(streams_release(binding));
    assert_ok(streams_release(subject));
    fake_object *objects[] = { found[0], found[1], handle, bound, number };
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) fake_release(objects[i]);
    end(&n);
}

static void what_has_no_value_is_refused(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    natives n;
    begin(&n, subject);
    assert_null(n.get(n.self, NULL));
    assert_raised(&n, STREAMS_WRONG_KIND);
    n.table.leave(n.token);
    assert_ok(streams_release(subject));
    end(&n);
}

static void a_method_closes(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { 0 };
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    assert_ok(streams_retain(subject));
    natives n;
    begin(&n, subject);
    fake_retain(n.handle); /* the method gives back the one in the object */
    for (int i = 0; i < 2; i++) {
        fake_object *result = n.close(n.self, NULL);
        assert_ptr_equal(result, fake_null());
        fake_release(result);
        const fake_object *left = n.self->context;
        assert_int_equal(left->integer, 0);
    }
    assert_int_equal(n.status, 0);
    assert_ok(finish(subject)); /* one reference was given back, and this one is left */
    assert_ok(streams_release(subject));
    assert_log(&r.log, "subscribed finished destroyed");
    n.table.leave(n.token);
    fake_release(n.self->context);
    recorder_end(&r);
    end(&n);
}

/* Calls a function of the library as the host would, and gives back what it was called with. */
static fake_object *called(
    natives *n, const streams_host_function *function, fake_object *a, fake_object *b) {
    fake_object *self = fake_int((int64_t)(intptr_t)function);
    void *arguments[] = { a, b };
    fake_object *result = n->call(self, arguments, b != NULL ? 2 : 1);
    fake_release(self);
    if (a != fake_null()) fake_release(a);
    if (b != NULL) fake_release(b);
    return result;
}

static void functions_are_called(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { 0 };
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    const streams_host_function retain = { "streams_retain", (void *)(intptr_t)streams_retain, 1, 0, true };
    const streams_host_function publisher = {
        "streams_subject_publisher", (void *)(intptr_t)streams_subject_publisher, 1, 0, false
    };
    const streams_host_function callable = {
        "streams_callable_create", (void *)(intptr_t)streams_callable_create, 2, 1 << 1, false
    };
    natives n;
    begin(&n, subject);
    fake_object *result = called(&n, &retain, fake_int((int64_t)(intptr_t)subject), NULL);
    assert_int_equal(result->integer, STREAMS_OK);
    fake_release(result);
    result = called(&n, &retain, fake_null(), NULL);
    assert_int_equal(result->integer, STREAMS_NULL_HANDLE);
    fake_release(result);
    result = called(&n, &publisher, fake_int((int64_t)(intptr_t)subject), NULL);
    assert_int_equal(streams_handle_kind((void *)(intptr_t)result->integer), STREAMS_KIND_PUBLISHER);
    assert_ok(streams_release((void *)(intptr_t)result->integer));
    fake_release(result);
    result = called(&n, &callable, fake_int(fake_host()), fake_callable(raises, NULL));
    streams_callable_destroy((void *)(intptr_t)result->integer);
    fake_release(result);
    assert_int_equal(n.status, 0);
    n.table.leave(n.token);
    assert_ok(streams_release(subject));
    assert_ok(streams_release(subject));
    recorder_end(&r);
    end(&n);
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    const streams_host_function retain = { "streams_retain", (void *)(intptr_t)streams_retain, 1, 0, true };
    natives n;
    begin(&n, NULL);
    assert_null(called(&n, &retain, fake_int(1), fake_int(2)));
    assert_raised(&n, STREAMS_INVALID_SIZE);
    assert_string_equal(streams_last_message(), "streams_retain was given 2 arguments for its 1");
    assert_null(called(&n, &retain, fake_callable(raises, NULL), NULL));
    assert_raised(&n, STREAMS_INVALID_VALUE);
    fake_object *result = called(&n, &retain, fake_int(-1), NULL); /* a number like any other */
    assert_int_equal(result->integer, STREAMS_STALE_HANDLE);
    fake_release(result);
    n.table.leave(n.token);
    end(&n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_method_sends),
        test(what_is_no_method_is_refused),
        test(a_subject_is_read_and_set),
        test(published_values_are_read_and_set),
        test(properties_are_read_and_bindings_set),
        test(what_has_no_value_is_refused),
        test(a_method_closes),
        test(functions_are_called),
        test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
