/* The objects of a managed runtime as values and back, with a fake runtime, and
 * what is refused. */

#include "fake_host.h"
#include "support.h"

static void objects_become_values(void **state) {
    (void)state;
    void *objects[] = { fake_int(1), fake_text("two"), fake_null() };
    streams_value values[3];
    assert_ok(streams_host_values(fake_host(), objects, 3, values));
    assert_int_equal(values[0].kind, STREAMS_VALUE_OBJECT);
    assert_ptr_equal(values[0].as.object, objects[0]);
    /* The host's null and the null value are the same. */
    assert_int_equal(values[2].kind, STREAMS_VALUE_NULL);
    char text[32];
    assert_ok(streams_value_describe(&values[1], text, sizeof text, NULL));
    assert_string_equal(text, "two");
    bool same = true;
    assert_ok(streams_value_equal(&values[0], &values[1], &same));
    assert_false(same);
    fake_object *again = streams_host_object(fake_host(), &values[0]);
    assert_ptr_equal(again, objects[0]);
    fake_release(again);
    for (int i = 0; i < 3; i++) assert_ok(streams_value_destroy(&values[i]));
    fake_release(objects[0]);
    fake_release(objects[1]);
    assert_clean();
}

static void values_become_objects(void **state) {
    (void)state;
    streams_value items[] = { streams_int(1), streams_text("x"), streams_null() };
    streams_value list = streams_list(items, 3), real = streams_double(2.5), yes = streams_bool(true);
    streams_value bytes = streams_bytes("ab", 2);
    fake_object *object = streams_host_object(fake_host(), &list);
    assert_int_equal(object->kind, FAKE_LIST);
    assert_int_equal(object->items[0]->integer, 1);
    assert_string_equal(object->items[1]->text, "x");
    assert_ptr_equal(object->items[2], fake_null());
    fake_release(object);
    object = streams_host_object(fake_host(), &real);
    assert_true(object->real == 2.5);
    fake_release(object);
    object = streams_host_object(fake_host(), &yes);
    assert_int_equal(object->kind, FAKE_BOOL);
    fake_release(object);
    object = streams_host_object(fake_host(), &bytes);
    assert_int_equal(object->kind, FAKE_BYTES);
    fake_release(object);
    assert_clean();
}

static void host_values_refuse(void **state) {
    (void)state;
    void *objects[] = { fake_int(1), NULL };
    streams_value values[2];
    assert_status(STREAMS_INVALID_ARGUMENT, streams_host_values(9999, objects, 1, values));
    assert_status(STREAMS_INVALID_ARGUMENT, streams_host_values(0, objects, 1, values));
    assert_status(STREAMS_NULL_ARGUMENT, streams_host_values(fake_host(), NULL, 1, values));
    assert_status(STREAMS_NULL_ARGUMENT, streams_host_values(fake_host(), objects, 1, NULL));
    assert_status(STREAMS_NULL_ARGUMENT, streams_host_values(fake_host(), objects, 2, values));
    assert_int_equal(values[0].kind, STREAMS_VALUE_NULL);
    assert_ok(streams_host_values(fake_host(), NULL, 0, NULL));
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_host_object", streams_host_object(fake_host(), NULL));
    assert_refused(
        STREAMS_NULL_ARGUMENT, "streams_callable_create", streams_callable_create(fake_host(), NULL));
    assert_refused(
        STREAMS_INVALID_ARGUMENT, "streams_callable_create", streams_callable_create(77, objects[0]));
    assert_refused(
        STREAMS_NULL_ARGUMENT, "streams_host_publisher", streams_host_publisher(fake_host(), NULL));
    fake_release(objects[0]);
    assert_clean();
}

static void values_without_end_become_no_objects(void **state) {
    (void)state;
    streams_value list = doubled_list(1);
    assert_refused(STREAMS_LIMIT, "streams_host_object", streams_host_object(fake_host(), &list));
    assert_ok(streams_value_destroy(&list));
    assert_clean();
}

static void register_refuses(void **state) {
    (void)state;
    uint32_t host = 5;
    streams_host table = fake_host_table();
    assert_status(STREAMS_NULL_ARGUMENT, streams_host_register(NULL, &host));
    assert_int_equal(host, 0);
    assert_status(STREAMS_NULL_ARGUMENT, streams_host_register(&table, NULL));
    table.call = NULL;
    assert_status(STREAMS_NULL_ARGUMENT, streams_host_register(&table, &host));
    table = fake_host_table();
    table.take_error = NULL;
    assert_status(STREAMS_NULL_ARGUMENT, streams_host_register(&table, &host));
    table = fake_host_table();
    table.holds = NULL;
    table.suspend = (void *(*)(void))abort;
    table.resume = free;
    assert_status(STREAMS_NULL_ARGUMENT, streams_host_register(&table, &host));
    table = fake_host_table();
    table.name = "\xff";
    assert_status(STREAMS_INVALID_UTF8, streams_host_register(&table, &host));
    table = fake_host_table();
    table.size--;
    assert_status(STREAMS_INVALID_SIZE, streams_host_register(&table, &host));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(objects_become_values),
        test(values_become_objects),
        test(host_values_refuse),
        test(values_without_end_become_no_objects),
        test(register_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
