/* What a library that stands on this one is offered: to fail as its calls do, to know its own objects, and
 * numbers for its handles that are none of this library's. */

#include "support.h"

static void assert_failure(streams_status status, const char *function, const char *message) {
    assert_int_equal(streams_last_status(), status);
    assert_string_equal(streams_last_function(), function);
    assert_string_equal(streams_last_message(), message);
}

/* ---- Errors ------------------------------------------------------------------------------------------- */

static void a_failure_is_set_and_kept_by_a_chain(void **state) {
    (void)state;
    const streams_status statuses[] = { STREAMS_INVALID_ARGUMENT, 1000, STREAMS_STATUS_LAST };
    for (size_t i = 0; i < 3; i++) {
        char function[] = "other_map", message[] = "count is negative";
        assert_int_equal(streams_set_last_error(statuses[i], function, message), statuses[i]);
        memset(function, 'x', sizeof function - 1);
        memset(message, 'x', sizeof message - 1);
        assert_failure(statuses[i], "other_map", "count is negative");
        assert_null(streams_count(streams_map(NULL, NULL, NULL, NULL)));
        assert_failure(statuses[i], "other_map", "count is negative");
        assert_null(streams_last_error());
    }
    streams_clear_last_error();
    assert_failure(STREAMS_OK, "", "");
}

static void the_last_texts_may_be_set_again(void **state) {
    (void)state;
    assert_null(streams_prefix(ints(1), -1));
    (void)streams_set_last_error(1001, "other_prefix", streams_last_message());
    assert_failure(1001, "other_prefix", "count is -1; it must be at least 0");
    (void)streams_set_last_error(1002, streams_last_function(), streams_last_function());
    assert_failure(1002, "other_prefix", "other_prefix");
    streams_clear_last_error();
}

static void texts_are_cut_and_made_utf8(void **state) {
    (void)state;
    char text[3000];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    (void)streams_set_last_error(1000, text, text);
    assert_int_equal(strlen(streams_last_function()), 1000);
    assert_int_equal(strlen(streams_last_message()), 1000);
    (void)streams_set_last_error(1000, "", "a\xff"
                                           "b");
    assert_failure(1000, "", "a\xef\xbf\xbd"
                             "b");
    streams_clear_last_error();
}

static void what_is_no_failure_is_refused(void **state) {
    (void)state;
    assert_int_equal(streams_set_last_error(1000, NULL, ""), STREAMS_NULL_ARGUMENT);
    assert_failure(STREAMS_NULL_ARGUMENT, "streams_set_last_error", "function is NULL");
    assert_status(STREAMS_NULL_ARGUMENT, streams_set_last_error(1000, "", NULL));
    const int none[] = { 0, -1, INT32_MIN };
    for (int i = 0; i < 3; i++)
        assert_status(STREAMS_INVALID_ARGUMENT, streams_set_last_error((streams_status)none[i], "f", "m"));
    streams_clear_last_error();
}

static void *look(void *context) {
    *(streams_status *)context = streams_last_status();
    (void)streams_set_last_error(1000, "f", "m");
    return NULL;
}

static void a_failure_is_of_its_thread(void **state) {
    (void)state;
    streams_status seen = STREAMS_STATUS_LAST;
    (void)streams_set_last_error(1001, "mine", "m");
    on_another_thread(look, &seen);
    assert_int_equal(seen, STREAMS_OK);
    assert_failure(1001, "mine", "m");
    streams_clear_last_error();
}

static streams_status other_call(void *context, const streams_value *in, streams_value *out) {
    (void)context, (void)in, (void)out;
    return streams_set_last_error(1003, "other_call", "the disk is full");
}

/* As with a failing call of this library's: see STREAMS_CALLBACK_FAILED. */
static void a_callback_passes_it_on(void **state) {
    (void)state;
    assert_stream(streams_map(ints(1), other_call, NULL, NULL),
        "subscribed failed(other_call: the disk is full) destroyed");
}

/* ---- Objects ------------------------------------------------------------------------------------------ */

static const streams_object_type mine = STREAMS_OBJECT_TYPE_INIT, others = STREAMS_OBJECT_TYPE_INIT;

static void an_object_says_its_type(void **state) {
    (void)state;
    int thing = 0;
    streams_value a, b, copy, list;
    assert_ok(streams_value_object(&mine, &thing, &a));
    assert_ok(streams_value_object(&others, NULL, &b));
    assert_ok(streams_value_copy(&a, &copy));
    assert_ok(streams_value_list(&a, 1, &list));
    assert_ptr_equal(streams_value_object_type(&a), &mine);
    assert_ptr_equal(streams_value_object_type(&b), &others);
    assert_ptr_equal(streams_value_object_type(&copy), &mine);
    assert_ptr_equal(streams_value_object_type(&list.as.items[0]), &mine);
    assert_null(streams_value_object_type(&list));
    streams_value *all[] = { &a, &b, &copy, &list };
    for (int i = 0; i < 4; i++) assert_ok(streams_value_destroy(all[i]));
    assert_null(streams_value_object_type(&a));
}

static void other_values_have_none(void **state) {
    (void)state;
    streams_value number = streams_int(3), text = streams_text("a"), by_hand = { 0 }, unknown = { 0 };
    by_hand.kind = STREAMS_VALUE_OBJECT;
    by_hand.as.object = &number;
    unknown.kind = 77;
    const streams_value *all[] = { NULL, &number, &text, &by_hand, &unknown };
    for (int i = 0; i < 5; i++) assert_null(streams_value_object_type(all[i]));
    assert_int_equal(streams_last_status(), STREAMS_OK);
}

/* ---- Handles ------------------------------------------------------------------------------------------ */

static void large_numbers_are_no_handles(void **state) {
    (void)state;
    streams_publisher *p = ints(1);
    for (int bit = 58; bit < 64; bit++)
        for (uintptr_t low = 0; low < 3; low++) {
            uintptr_t number = (uintptr_t)1 << bit | (low == 2 ? (uintptr_t)p : low);
            const void *handle = (const void *)number;
            assert_int_equal(streams_handle_kind(handle), STREAMS_KIND_NONE);
            assert_status(STREAMS_STALE_HANDLE, streams_retain(handle));
            assert_status(STREAMS_STALE_HANDLE, streams_release(handle));
        }
    assert_ok(streams_release(p));
    streams_clear_last_error();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_failure_is_set_and_kept_by_a_chain),
        test(the_last_texts_may_be_set_again),
        test(texts_are_cut_and_made_utf8),
        test(what_is_no_failure_is_refused),
        test(a_failure_is_of_its_thread),
        test(a_callback_passes_it_on),
        test(an_object_says_its_type),
        test(other_values_have_none),
        test(large_numbers_are_no_handles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
