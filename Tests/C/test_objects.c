/* Objects: values that belong to somebody else. */

#include "support.h"

/* ---- Objects that count --------------------------------------------------- */

typedef struct thing {
    atomic_int references;
    int number;
} thing;

static void thing_retain(void *object) { ((thing *)object)->references++; }
static void thing_release(void *object) { ((thing *)object)->references--; }
static bool thing_equals(void *a, void *b) { return ((thing *)a)->number == ((thing *)b)->number; }
static size_t thing_describe(void *object, char *buffer, size_t capacity) {
    int length = snprintf(buffer, capacity, "thing %d", ((thing *)object)->number);
    return length > 0 ? (size_t)length : 0;
}

static const streams_object_type thing_type = { sizeof(streams_object_type), thing_retain, thing_release,
    thing_equals, thing_describe };
static const streams_object_type plain_type = STREAMS_OBJECT_TYPE_INIT;

/* ---- Tests ------------------------------------------------------------------ */

static void objects_are_counted(void **state) {
    (void)state;
    thing a = { .references = 1, .number = 1 };
    streams_value value, copy, list;
    assert_ok(streams_value_object(&thing_type, &a, &value));
    assert_int_equal(a.references, 2);
    assert_ptr_equal(value.as.object, &a);
    assert_ok(streams_value_copy(&value, &copy));
    assert_ok(streams_value_list(&value, 1, &list));
    assert_described(&value, "thing 1");
    assert_described(&list, "[thing 1]");
    assert_ok(streams_value_destroy(&value));
    assert_ok(streams_value_destroy(&copy));
    assert_int_equal(a.references, 2);
    assert_ok(streams_value_destroy(&list));
    assert_int_equal(a.references, 1);
}

static void objects_compare_as_their_type_says(void **state) {
    (void)state;
    thing a = { .number = 1 }, b = { .number = 1 }, c = { .number = 2 };
    streams_value first, second, third, plain, other, none;
    assert_ok(streams_value_object(&thing_type, &a, &first));
    assert_ok(streams_value_object(&thing_type, &b, &second));
    assert_ok(streams_value_object(&thing_type, &c, &third));
    assert_ok(streams_value_object(&plain_type, &a, &plain));
    assert_ok(streams_value_object(&plain_type, &b, &other));
    assert_ok(streams_value_object(&plain_type, NULL, &none));
    assert_true(equal(&first, &second));
    assert_false(equal(&first, &third));
    assert_false(equal(&first, &plain));
    assert_true(equal(&plain, &plain));
    assert_false(equal(&plain, &other));
    assert_false(equal(&none, &plain));
    assert_described(&plain, "object");
    streams_value *all[] = { &first, &second, &third, &plain, &other, &none };
    for (int i = 0; i < 6; i++) assert_ok(streams_value_destroy(all[i]));
    assert_int_equal(a.references, 0);
}

static void objects_refuse(void **state) {
    (void)state;
    streams_object_type type = STREAMS_OBJECT_TYPE_INIT;
    streams_value out = streams_int(1);
    assert_status(STREAMS_NULL_ARGUMENT, streams_value_object(NULL, NULL, &out));
    assert_int_equal(out.kind, STREAMS_VALUE_NULL);
    assert_status(STREAMS_NULL_ARGUMENT, streams_value_object(&type, NULL, NULL));
    const size_t sizes[] = { 0, 1, sizeof type - 1, sizeof type + 1, sizeof type * 2, SIZE_MAX };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        type.size = sizes[i];
        out = streams_int(1);
        assert_status(STREAMS_INVALID_SIZE, streams_value_object(&type, NULL, &out));
        assert_int_equal(out.kind, STREAMS_VALUE_NULL);
    }
}

static void objects_travel(void **state) {
    (void)state;
    thing a = { .references = 1, .number = 7 };
    streams_value value;
    assert_ok(streams_value_object(&thing_type, &a, &value));
    streams_publisher *p = streams_just(&value);
    assert_ok(streams_value_destroy(&value));
    p = streams_map(p, identity, NULL, NULL);
    p = streams_collect(p);
    assert_stream(p, "subscribed [thing 7] finished destroyed");
    assert_int_equal(a.references, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(objects_are_counted),
        test(objects_compare_as_their_type_says),
        test(objects_refuse),
        test(objects_travel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
