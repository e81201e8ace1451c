/* Values: kinds, copies, equality, descriptions, and what is refused. */

#include <float.h>
#include <math.h>

#include "support.h"

/* ---- Help ------------------------------------------------------------------ */

/* A value that all functions refuse with this status. */
static void assert_bad(const streams_value *value, streams_status status) {
    streams_value out = streams_int(5);
    char text[8];
    assert_status(status, streams_value_copy(value, &out));
    assert_int_equal(out.kind, STREAMS_VALUE_NULL);
    assert_status(status, streams_value_list(value, 1, &out));
    assert_int_equal(out.kind, STREAMS_VALUE_NULL);
    assert_status(status, streams_value_describe(value, text, sizeof text, NULL));
    assert_refused(status, "streams_just", streams_just(value));
    assert_refused(status, "streams_sequence", streams_sequence(value, 1));
    assert_refused(
        status, "streams_current_value_subject_create", streams_current_value_subject_create(value));
    assert_refused(status, "streams_error_create", streams_error_create(1, "d", "m", value));

    counter destroyed = { 0 };
    assert_refused(status, "streams_scan", streams_scan(ints(1), value, sum, &destroyed, counter_destroy));
    assert_refused(
        status, "streams_reduce", streams_reduce(ints(1), value, sum, &destroyed, counter_destroy));
    assert_int_equal(destroyed.destroyed, 2);

    streams_value zero = streams_int(0);
    streams_subject *subject = streams_current_value_subject_create(&zero);
    streams_value both[2] = { zero, *value };
    assert_status(status, streams_subject_send(subject, value));
    assert_status(status, streams_subject_send_values(subject, both, 2));
    assert_status(status, streams_current_value_subject_set_value(subject, value));
    assert_ok(streams_current_value_subject_get_value(subject, &out));
    assert_true(equal(&out, &zero));
    assert_ok(streams_release(subject));
}

/* ---- Tests ------------------------------------------------------------------ */

static void a_zeroed_struct_is_null(void **state) {
    (void)state;
    streams_value zeroed, null = streams_null();
    memset(&zeroed, 0, sizeof zeroed);
    assert_true(equal(&zeroed, &null));
    assert_described(&zeroed, "null");
}

static void describes_every_kind(void **state) {
    (void)state;
    streams_value items[] = { streams_int(1), streams_double(2), streams_text("a \"b\""), streams_null() };
    streams_value list = streams_list(items, 4), nested = streams_list(&list, 1),
                  empty = streams_list(NULL, 0);
    streams_value yes = streams_bool(true), no = streams_bool(false), number = streams_int(-42);
    streams_value half = streams_double(1.5), whole = streams_double(2), tenth = streams_double(0.1);
    streams_value text = streams_text("größer"), bytes = streams_bytes("abc", 3),
                  one_byte = streams_bytes("a", 1);
    assert_described(&yes, "true");
    assert_described(&no, "false");
    assert_described(&number, "-42");
    assert_described(&half, "1.5");
    assert_described(&whole, "2.0");
    assert_described(&tenth, "0.1");
    assert_described(&text, "größer");
    assert_described(&bytes, "3 bytes");
    char counted[32];
    assert_ok(streams_value_describe(&one_byte, counted, sizeof counted, NULL));
    assert_memory_equal(counted, "1 byte", 6);
    assert_described(&empty, "[]");
    char described[64];
    assert_ok(streams_value_describe(&list, described, sizeof described, NULL));
    assert_memory_equal(described, "[1, 2.0, \"a ", 12);
    assert_ok(streams_value_describe(&nested, described, sizeof described, NULL));
    assert_memory_equal(described, "[[1, 2.0, ", 10);
}

static void doubles_read_back_exactly(void **state) {
    (void)state;
    const double numbers[] = { 0.1, 1.0 / 3, 1e300, -1e-300, DBL_MAX, DBL_MIN, 4.9e-324, 123456789.125,
        -0.0 };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char text[64];
        streams_value value = streams_double(numbers[i]);
        assert_ok(streams_value_describe(&value, text, sizeof text, NULL));
        double back = strtod(text, NULL);
        assert_memory_equal(&back, &numbers[i], sizeof back);
        assert_non_null(strpbrk(text, ".e"));
    }
}

static void a_description_has_an_end(void **state) {
    (void)state;
    streams_value list = doubled_list(1);
    size_t needed = 0;
    assert_ok(streams_value_describe(&list, NULL, 0, &needed));
    assert_in_range(needed, 10000, 100000);
    char *text = malloc(needed + 1);
    assert_ok(streams_value_describe(&list, text, needed + 1, NULL));
    assert_non_null(strstr(text, "…]"));
    free(text);
    assert_ok(streams_value_destroy(&list));
}

static void so_has_a_comparison(void **state) {
    (void)state;
    streams_value list = doubled_list(1), same = doubled_list(1), other = doubled_list(2);
    assert_true(equal(&list, &same));
    assert_false(equal(&list, &other));
    streams_value lists[] = { list, same, other };
    for (int i = 0; i < 3; i++) assert_ok(streams_value_destroy(&lists[i]));
}

static void describe_follows_snprintf(void **state) {
    (void)state;
    streams_value text = streams_text("aüb"); /* 4 bytes */
    char buffer[8];
    size_t needed = 0;
    assert_ok(streams_value_describe(&text, NULL, 0, &needed));
    assert_int_equal(needed, 4);
    memset(buffer, '#', sizeof buffer);
    assert_ok(streams_value_describe(&text, buffer, 5, NULL));
    assert_memory_equal(buffer, "a\xc3\xbc"
                                "b\0###",
        8);
    /* Never half a character. */
    memset(buffer, '#', sizeof buffer);
    assert_ok(streams_value_describe(&text, buffer, 3, &needed));
    assert_string_equal(buffer, "a");
    assert_int_equal(buffer[3], '#');
    assert_int_equal(needed, 4);
    memset(buffer, '#', sizeof buffer);
    assert_ok(streams_value_describe(&text, buffer, 1, &needed));
    assert_memory_equal(buffer, "\0#", 2);
    memset(buffer, '#', sizeof buffer);
    assert_ok(streams_value_describe(&text, buffer, 0, &needed));
    assert_int_equal(buffer[0], '#');
}

static void describe_refuses(void **state) {
    (void)state;
    streams_value value = streams_int(1);
    char buffer[4];
    size_t needed = 0;
    assert_status(STREAMS_NULL_ARGUMENT, streams_value_describe(NULL, buffer, sizeof buffer, &needed));
    assert_status(STREAMS_NULL_ARGUMENT, streams_value_describe(&value, NULL, 4, &needed));
    assert_status(STREAMS_NULL_ARGUMENT, streams_value_describe(&value, NULL, 0, NULL));
}

static void equality(void **state) {
    (void)state;
    streams_value one = streams_int(1), real = streams_double(1), yes = streams_bool(true),
                  two = streams_int(2);
    streams_value nan = streams_double(NAN), zero = streams_double(0), minus_zero = streams_double(-0.0);
    streams_value text = streams_text("ab"), other = streams_text("ac"), longer = streams_text("abc");
    streams_value bytes = streams_bytes("ab", 2), none = streams_text_n(NULL, 0), empty = streams_text("");
    streams_value a[] = { one, text }, b[] = { one, text }, c[] = { text, one };
    streams_value list = streams_list(a, 2), same = streams_list(b, 2), swapped = streams_list(c, 2);
    streams_value shorter = streams_list(a, 1);
    assert_true(equal(&one, &one));
    assert_false(equal(&one, &two));
    assert_false(equal(&one, &real));
    assert_false(equal(&one, &yes));
    assert_false(equal(&nan, &nan));
    assert_true(equal(&zero, &minus_zero));
    assert_true(equal(&text, &text));
    assert_false(equal(&text, &other));
    assert_false(equal(&text, &longer));
    assert_false(equal(&text, &bytes));
    assert_true(equal(&none, &empty));
    assert_true(equal(&list, &same));
    assert_false(equal(&list, &swapped));
    assert_false(equal(&list, &shorter));
}

static void text_may_contain_nul(void **state) {
    (void)state;
    streams_value text = streams_text_n("a\0b", 3), copy;
    assert_ok(streams_value_copy(&text, &copy));
    assert_int_equal(copy.size, 3);
    assert_memory_equal(copy.as.text, "a\0b", 3);
    assert_true(equal(&text, &copy));
    assert_ok(streams_value_destroy(&copy));
}

static void copies_own_their_memory(void **state) {
    (void)state;
    char memory[] = "first";
    streams_value borrowed = streams_text(memory), list = streams_list(&borrowed, 1), text, copy, copied_list;
    assert_ok(streams_value_string(memory, 5, &text));
    assert_ok(streams_value_copy(&borrowed, &copy));
    assert_ok(streams_value_list(&borrowed, 1, &copied_list));
    memcpy(memory, "later", 5);
    assert_described(&text, "first");
    assert_described(&copy, "first");
    assert_described(&copied_list, "[\"first\"]");
    assert_described(&list, "[\"later\"]");

    /* A copy of an owned value shares its storage, and outlives it. */
    streams_value again;
    assert_ok(streams_value_copy(&text, &again));
    assert_ptr_equal(again.as.text, text.as.text);
    assert_ok(streams_value_destroy(&text));
    assert_described(&again, "first");
    assert_ok(streams_value_destroy(&again));
    assert_ok(streams_value_destroy(&copy));
    assert_ok(streams_value_destroy(&copied_list));
}

static void lists_own_their_items(void **state) {
    (void)state;
    streams_value text, list, copy;
    assert_ok(streams_value_string("shared", 6, &text));
    streams_value items[] = { text, streams_int(1), text };
    assert_ok(streams_value_list(items, 3, &list));
    assert_ok(streams_value_destroy(&text));
    assert_described(&list, "[\"shared\", 1, \"shared\"]");
    /* An item outlives the list if it is copied. */
    assert_ok(streams_value_copy(&list.as.items[2], &copy));
    assert_ok(streams_value_destroy(&list));
    assert_described(&copy, "shared");
    assert_ok(streams_value_destroy(&copy));
}

static void destroying_twice_is_harmless(void **state) {
    (void)state;
    streams_value text, number = streams_int(4);
    assert_ok(streams_value_string("x", 1, &text));
    assert_ok(streams_value_destroy(&text));
    assert_int_equal(text.kind, STREAMS_VALUE_NULL);
    assert_ok(streams_value_destroy(&text));
    assert_ok(streams_value_destroy(&number));
    assert_int_equal(number.kind, STREAMS_VALUE_NULL);
    assert_status(STREAMS_NULL_ARGUMENT, streams_value_destroy(NULL));
    streams_value unknown = { .kind = 99, .as.integer = 7 };
    assert_status(STREAMS_INVALID_VALUE, streams_value_destroy(&unknown));
    assert_int_equal(unknown.kind, 99);
}

static void copy_refuses(void **state) {
    (void)state;
    streams_value value = streams_int(1), out = streams_int(2);
    assert_status(STREAMS_NULL_ARGUMENT, streams_value_copy(NULL, &out));
    assert_int_equal(out.kind, STREAMS_VALUE_NULL);
    assert_status(STREAMS_NULL_ARGUMENT, streams_value_copy(&value, NULL));
    assert_status(STREAMS_INVALID_ARGUMENT, streams_value_copy(&value, &value));
    assert_int_equal(value.as.integer, 1);
}

static void makers_refuse(void **state) {
    (void)state;
    streams_value out = streams_int(1), item = streams_int(1);
    assert_status(STREAMS_NULL_ARGUMENT, streams_value_string(NULL, 1, &out));
    assert_int_equal(out.kind, STREAMS_VALUE_NULL);
    assert_status(STREAMS_NULL_ARGUMENT, streams_value_string("a", 1, NULL));
    out = item;
    assert_status(STREAMS_INVALID_UTF8, streams_value_string("\xff", 1, &out));
    assert_int_equal(out.kind, STREAMS_VALUE_NULL);
    assert_status(STREAMS_NULL_ARGUMENT, streams_value_bytes(NULL, 1, &out));
    assert_status(STREAMS_NULL_ARGUMENT, streams_value_bytes("a", 1, NULL));
    assert_status(STREAMS_NULL_ARGUMENT, streams_value_list(NULL, 1, &out));
    assert_status(STREAMS_NULL_ARGUMENT, streams_value_list(&item, 1, NULL));
    assert_ok(streams_value_string(NULL, 0, &out));
    assert_int_equal(out.kind, STREAMS_VALUE_STRING);
    assert_ok(streams_value_destroy(&out));
    assert_ok(streams_value_bytes(NULL, 0, &out));
    assert_int_equal(out.kind, STREAMS_VALUE_BYTES);
    assert_ok(streams_value_destroy(&out));
    assert_ok(streams_value_list(NULL, 0, &out));
    assert_described(&out, "[]");
    assert_ok(streams_value_destroy(&out));
#if SIZE_MAX > UINT32_MAX
    const size_t too_long = (size_t)UINT32_MAX + 1;
    assert_status(STREAMS_OUT_OF_RANGE, streams_value_string("a", too_long, &out));
    assert_status(STREAMS_OUT_OF_RANGE, streams_value_bytes("a", too_long, &out));
    assert_status(STREAMS_OUT_OF_RANGE, streams_value_list(&item, too_long, &out));
    assert_refused(STREAMS_OUT_OF_RANGE, "streams_sequence", streams_sequence(&item, too_long));
    assert_refused(
        STREAMS_OUT_OF_RANGE, "streams_sequence_int64s", streams_sequence_int64s(&item.as.integer, too_long));
    assert_refused(
        STREAMS_OUT_OF_RANGE, "streams_sequence_doubles", streams_sequence_doubles(&item.as.real, too_long));
    streams_value text = streams_text_n("a", too_long);
    assert_status(STREAMS_INVALID_VALUE, streams_value_copy(&text, &out));
#endif
}

static void unknown_kinds_are_refused(void **state) {
    (void)state;
    const uint32_t kinds[] = { 10, 11, 255, 65536, INT32_MAX, UINT32_MAX };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        streams_value value = { .kind = kinds[i], .size = 3, .as.bits = 12345 };
        assert_bad(&value, STREAMS_INVALID_VALUE);
        streams_value list = streams_list(&value, 1);
        assert_bad(&list, STREAMS_INVALID_VALUE);
    }
    streams_value row[] = { streams_int(1), { .kind = 77 } };
    streams_subject *subject = streams_passthrough_subject_create();
    assert_int_equal(streams_subject_send_values(subject, row, 2), STREAMS_INVALID_VALUE);
    assert_string_equal(
        streams_last_message(), "values has, at index 1, a value that has the kind 77, which no value has");
    streams_clear_last_error();
    assert_ok(streams_release(subject));
}

static void malformed_values_are_refused(void **state) {
    (void)state;
    streams_value text = { .kind = STREAMS_VALUE_STRING, .size = 3 };
    streams_value bytes = { .kind = STREAMS_VALUE_BYTES, .size = 3 };
    streams_value list = { .kind = STREAMS_VALUE_LIST, .size = 3 };
    streams_value object = { .kind = STREAMS_VALUE_OBJECT, .as.object = &text };
    assert_bad(&text, STREAMS_INVALID_VALUE);
    assert_bad(&bytes, STREAMS_INVALID_VALUE);
    assert_bad(&list, STREAMS_INVALID_VALUE);
    assert_bad(&object, STREAMS_INVALID_VALUE);
}

static void invalid_utf8_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = { "\x80", "a\xff", "\xc0\x80", "\xc3", "\xe2\x82", "\xed\xa0\x80",
        "\xf4\x90\x80\x80", "\xf0\x80\x80\x80", "\xf8\x88\x80\x80\x80", "ok \xe2\x28\xa1 ok" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        streams_value value = streams_text(bad[i]);
        assert_bad(&value, STREAMS_INVALID_UTF8);
        streams_value list = streams_list(&value, 1);
        assert_bad(&list, STREAMS_INVALID_UTF8);
    }
    static const char *const good[] = { "", "a", "\xc2\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbf",
        "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf" };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        streams_value value;
        assert_ok(streams_value_string(good[i], strlen(good[i]), &value));
        assert_described(&value, good[i]);
        assert_ok(streams_value_destroy(&value));
    }
}

static void nesting_has_a_limit(void **state) {
    (void)state;
    streams_value lists[80];
    lists[0] = streams_list(NULL, 0);
    for (int i = 1; i < 80; i++) lists[i] = streams_list(&lists[i - 1], 1);
    /* 64 lists in each other are good, 65 are not. */
    streams_value copy;
    assert_ok(streams_value_copy(&lists[63], &copy));
    assert_true(equal(&copy, &lists[63]));
    bool result = true;
    assert_status(STREAMS_LIMIT, streams_value_equal(&lists[70], &lists[70], &result));
    assert_false(result);
    streams_value deeper;
    assert_status(STREAMS_LIMIT, streams_value_list(&copy, 1, &deeper));
    assert_ok(streams_value_destroy(&copy));
    assert_bad(&lists[64], STREAMS_LIMIT);
    assert_bad(&lists[79], STREAMS_LIMIT);
}

static void helpers_make_values(void **state) {
    (void)state;
    streams_value none = streams_text(NULL), text = streams_text("abc"), empty = streams_bytes(NULL, 0);
    assert_int_equal(none.kind, STREAMS_VALUE_NULL);
    assert_int_equal(text.size, 3);
    assert_null(text.owner);
    assert_int_equal(empty.kind, STREAMS_VALUE_BYTES);
    assert_int_equal(streams_bool(true).as.boolean, true);
    assert_int_equal(streams_int(-3).as.integer, -3);
    assert_true(streams_double(2.5).as.real == 2.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_zeroed_struct_is_null),
        test(describes_every_kind),
        test(doubles_read_back_exactly),
        test(describe_follows_snprintf),
        test(a_description_has_an_end),
        test(so_has_a_comparison),
        test(describe_refuses),
        test(equality),
        test(text_may_contain_nul),
        test(copies_own_their_memory),
        test(lists_own_their_items),
        test(destroying_twice_is_harmless),
        test(copy_refuses),
        test(makers_refuse),
        test(unknown_kinds_are_refused),
        test(malformed_values_are_refused),
        test(invalid_utf8_is_refused),
        test(nesting_has_a_limit),
        test(helpers_make_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
