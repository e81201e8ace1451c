/* By-content hash and order of values. */

#include <float.h>
#include <math.h>

#include "fake_host.h"
#include "support.h"

static uint64_t hash_of(streams_value value) {
    uint64_t hash = 1;
    assert_ok(streams_value_hash(&value, &hash));
    return hash;
}

static int order_of(streams_value a, streams_value b) {
    int order = 5, reverse = 5;
    assert_ok(streams_value_compare(&a, &b, &order));
    assert_ok(streams_value_compare(&b, &a, &reverse));
    assert_int_equal(order, -reverse);
    return order;
}

static const double zeros[] = { 0.0, -0.0 }, negative[] = { -0.0, 0.0 };
static const int64_t integers[] = { INT64_MIN, INT64_MAX };

/* In their order, none equal to the next. */
static size_t some_values(streams_value *values) {
    static streams_value items[3];
    items[0] = streams_int(1), items[1] = streams_text("a"), items[2] = streams_double(NAN);
    const streams_value all[] = {
        streams_null(),
        streams_bool(false),
        streams_bool(true),
        streams_double(-INFINITY),
        streams_double(-0x1p63 * 2),
        streams_int(INT64_MIN),
        streams_double(-0x1p63),
        streams_double(-1.5),
        streams_int(-1),
        streams_int(0),
        streams_double(-0.0),
        streams_double(DBL_TRUE_MIN),
        streams_int(1),
        streams_double(1),
        streams_double(1.5),
        streams_int(1LL << 53),
        streams_double(0x1p53),
        streams_int((1LL << 53) + 1),
        streams_int(INT64_MAX),
        streams_double(0x1p63),
        streams_double(INFINITY),
        streams_double(NAN),
        streams_text(""),
        streams_text_n("a", 1),
        streams_text_n("a\0", 2),
        streams_text_n("a\0b", 3),
        streams_text("ab"),
        streams_text("\xc3\xa4"),
        streams_bytes("", 0),
        streams_bytes("\0", 1),
        streams_bytes("\x7f", 1),
        streams_bytes("\xff", 1),
        streams_list(NULL, 0),
        streams_list(items, 1),
        streams_list(items, 2),
        streams_list(items, 3),
        streams_list(&items[1], 1),
        streams_int64s(NULL, 0),
        streams_int64s(integers, 1),
        streams_int64s(integers, 2),
        streams_int64s(&integers[1], 1),
        streams_doubles(NULL, 0),
        streams_doubles(zeros, 1),
        streams_doubles(zeros, 2),
    };
    memcpy(values, all, sizeof all);
    return sizeof all / sizeof *all;
}

static void there_is_one_order_of_all_kinds(void **state) {
    (void)state;
    streams_value values[64];
    size_t count = some_values(values);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            assert_int_equal(order_of(values[i], values[k]), i < k ? -1 : i > k);
}

static void what_is_equal_has_one_hash_and_no_order(void **state) {
    (void)state;
    streams_value values[64];
    size_t count = some_values(values), apart = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            bool same = equal(&values[i], &values[k]);
            if (same) assert_true(hash_of(values[i]) == hash_of(values[k]));
            apart += hash_of(values[i]) != hash_of(values[k]);
            if (!isnan(values[i].as.real) && i != k) assert_false(same);
        }
    assert_true(apart > count * (count - 2)); /* hardly two the same */
    assert_true(hash_of(streams_double(0.0)) == hash_of(streams_double(-0.0)));
    assert_int_equal(order_of(streams_double(0.0), streams_double(-0.0)), 0);
    assert_true(hash_of(streams_doubles(zeros, 2)) == hash_of(streams_doubles(negative, 2)));
    assert_int_equal(order_of(streams_doubles(zeros, 2), streams_doubles(negative, 2)), 0);
    assert_int_equal(order_of(streams_double(NAN), streams_double(-NAN)), 0);
}

/* Chosen at random they would have some 650 of 1,024 places. */
static void integers_are_spread_whatever_their_distance(void **state) {
    (void)state;
    for (int shift = 0; shift < 54; shift++) {
        bool taken[1024] = { false };
        int places = 0;
        for (int64_t i = -512; i < 512; i++) {
            bool *place = &taken[hash_of(streams_int(i * (INT64_C(1) << shift))) % 1024];
            if (!*place) places++;
            *place = true;
        }
        if (places < 500) fail_msg("of multiples of 2^%d: %d places of 1024", shift, places);
    }
}

static void copies_are_found_by_their_content(void **state) {
    (void)state;
    char text[] = "some text", other[] = "some text";
    streams_value items[] = { streams_text(text), streams_int(1) };
    streams_value again[] = { streams_text(other), streams_int(1) }, copy;
    assert_true(hash_of(streams_list(items, 2)) == hash_of(streams_list(again, 2)));
    streams_value list = streams_list(items, 2);
    assert_ok(streams_value_copy(&list, &copy));
    assert_true(hash_of(copy) == hash_of(list));
    assert_int_equal(order_of(copy, list), 0);
    again[1] = streams_int(2);
    assert_true(hash_of(streams_list(items, 2)) != hash_of(streams_list(again, 2)));
    assert_int_equal(order_of(copy, streams_list(again, 2)), -1);
    assert_ok(streams_value_destroy(&copy));
}

static void lists_without_end_have_both(void **state) {
    (void)state;
    streams_value list = doubled_list(1), same = doubled_list(1), greater = doubled_list(2);
    assert_true(hash_of(list) == hash_of(same));
    assert_int_equal(order_of(list, same), 0);
    assert_int_equal(order_of(list, greater), -1);
    assert_ok(streams_value_destroy(&list));
    assert_ok(streams_value_destroy(&same));
    assert_ok(streams_value_destroy(&greater));
}

static void objects_are_as_their_type_says(void **state) {
    (void)state;
    const streams_object_type type = STREAMS_OBJECT_TYPE_INIT;
    int things[2];
    streams_value first, same, second, number = streams_int(1);
    assert_ok(streams_value_object(&type, &things[0], &first));
    assert_ok(streams_value_object(&type, &things[0], &same));
    assert_ok(streams_value_object(&type, &things[1], &second));
    assert_true(hash_of(first) == hash_of(same) && hash_of(first) != hash_of(second));
    assert_int_equal(order_of(first, same), 0);
    assert_int_equal(order_of(first, number), 1);
    int order = 5;
    assert_status(STREAMS_INVALID_VALUE, streams_value_compare(&first, &second, &order));
    assert_int_equal(order, 0);
    assert_ok(streams_value_destroy(&first));
    assert_ok(streams_value_destroy(&same));
    assert_ok(streams_value_destroy(&second));
}

static void a_host_orders_its_own(void **state) {
    (void)state;
    void *objects[] = { fake_int(1), fake_int(2), fake_int(1), fake_text("x") };
    streams_value values[4];
    assert_ok(streams_host_values(fake_host(), objects, 4, values));
    assert_int_equal(order_of(values[0], values[1]), -1);
    assert_int_equal(order_of(values[0], values[2]), 0);
    assert_true(hash_of(values[0]) == hash_of(values[2]));
    int order = 5;
    assert_status(STREAMS_INVALID_VALUE, streams_value_compare(&values[3], &values[0], &order));
    for (int i = 0; i < 4; i++) assert_ok(streams_value_destroy(&values[i]));
    for (int i = 0; i < 4; i++) fake_release(objects[i]);
    assert_clean();
}

static void what_is_wrong_is_refused(void **state) {
    (void)state;
    streams_value good = streams_int(1), bad = { .kind = 99 }, text = streams_text_n("\xff", 1);
    int order = 5;
    uint64_t hash = 5;
    assert_status(STREAMS_INVALID_VALUE, streams_value_compare(&good, &bad, &order));
    assert_int_equal(order, 0);
    assert_status(STREAMS_INVALID_UTF8, streams_value_hash(&text, &hash));
    assert_true(hash == 0);
    assert_status(STREAMS_NULL_ARGUMENT, streams_value_compare(&good, &good, NULL));
    assert_status(STREAMS_NULL_ARGUMENT, streams_value_hash(&good, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(there_is_one_order_of_all_kinds),
        test(what_is_equal_has_one_hash_and_no_order),
        test(integers_are_spread_whatever_their_distance),
        test(copies_are_found_by_their_content),
        test(lists_without_end_have_both),
        test(objects_are_as_their_type_says),
        test(a_host_orders_its_own),
        test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
