/* Storage of values: handed over without a copy, shared by slices, and as strings of C's. */

#include <stdlib.h>

#include "support.h"

static streams_value kept_text(const char *text, counter *destroyed) {
    streams_value value;
    assert_ok(streams_value_string_nocopy(text, strlen(text), destroyed, counter_destroy, &value));
    return value;
}

static streams_value slice(const streams_value *value, size_t offset, size_t length) {
    streams_value part = streams_int(5);
    assert_ok(streams_value_slice(value, offset, length, &part));
    return part;
}

static void assert_no_slice(
    streams_status status, const streams_value *value, size_t offset, size_t length) {
    streams_value part = streams_int(5);
    assert_status(status, streams_value_slice(value, offset, length, &part));
    assert_int_equal(part.kind, STREAMS_VALUE_NULL);
}

static uint64_t keep(void *context, const streams_value *value) {
    assert_ok(streams_value_copy(value, context));
    return 0;
}

/* ---- Without a copy ---------------------------------------------------------- */

static void memory_goes_through_a_stream_as_it_is(void **state) {
    (void)state;
    counter destroyed = { 0 };
    const char *text = "größer";
    streams_value value = kept_text(text, &destroyed), received = { 0 };
    streams_subscriber subscriber = { .size = sizeof subscriber, .demand = 1, .on_value = keep };
    subscriber.context = &received;
    streams_publisher *mapped = streams_map(streams_just(&value), identity, NULL, NULL);
    assert_ok(streams_release(streams_sink(mapped, &subscriber)));
    assert_ptr_equal(received.as.text, text);
    assert_ok(streams_value_destroy(&value));
    assert_int_equal(destroyed.destroyed, 0);
    assert_ok(streams_value_destroy(&received));
    assert_int_equal(destroyed.destroyed, 1);
}

static void a_gigabyte_goes_through_too(void **state) {
    (void)state;
    size_t size = (size_t)1 << (under_valgrind() ? 20 : 30);
    char *memory = calloc(size, 1);
    assert_non_null(memory);
    streams_value bytes, text, part;
    assert_ok(streams_value_bytes_nocopy(memory, size, NULL, NULL, &bytes));
    assert_ok(streams_value_string_nocopy(memory, size, memory, free, &text));
    part = slice(&text, size - 3, 3);
    assert_ok(streams_value_destroy(&text));
    assert_ok(streams_value_destroy(&bytes));
    assert_ptr_equal(part.as.text, memory + size - 3);
    streams_value expected = streams_text_n("\0\0\0", 3);
    assert_true(equal(&part, &expected));
    assert_ok(streams_value_destroy(&part));
}

static void what_is_refused_is_destroyed(void **state) {
    (void)state;
    counter destroyed = { 0 };
    streams_value value = streams_int(5);
    assert_status(STREAMS_INVALID_UTF8,
        streams_value_string_nocopy("\xff", 1, &destroyed, counter_destroy, &value));
    assert_int_equal(value.kind, STREAMS_VALUE_NULL);
    assert_status(STREAMS_OUT_OF_RANGE,
        streams_value_bytes_nocopy("a", (size_t)1 << 33, &destroyed, counter_destroy, &value));
    assert_status(
        STREAMS_NULL_ARGUMENT, streams_value_bytes_nocopy(NULL, 1, &destroyed, counter_destroy, &value));
    assert_status(
        STREAMS_NULL_ARGUMENT, streams_value_bytes_nocopy("a", 1, &destroyed, counter_destroy, NULL));
    assert_int_equal(destroyed.destroyed, 4);
}

/* Each one's context is the next. */
static void destroy_value(void *context) {
    assert_ok(streams_value_destroy(context));
    free(context);
}

static void a_long_chain_is_let_go_of(void **state) {
    (void)state;
    streams_value *last = NULL;
    for (int i = 0; i < 100000; i++) {
        streams_value *next = malloc(sizeof *next);
        assert_non_null(next);
        assert_ok(streams_value_bytes_nocopy("a", 1, last, last == NULL ? NULL : destroy_value, next));
        last = next;
    }
    destroy_value(last);
}

/* ---- Slices ------------------------------------------------------------------- */

static void slices_share_the_storage(void **state) {
    (void)state;
    counter destroyed = { 0 };
    streams_value whole = kept_text("a größer b", &destroyed);
    streams_value word = slice(&whole, 2, 8), rest = slice(&word, 2, 4), none = slice(&whole, 12, 0);
    assert_ok(streams_value_destroy(&whole));
    assert_described(&word, "größer");
    assert_described(&rest, "öß");
    assert_int_equal(none.size, 0);
    assert_ok(streams_value_destroy(&word));
    assert_ok(streams_value_destroy(&none));
    assert_int_equal(destroyed.destroyed, 0);
    assert_ok(streams_value_destroy(&rest));
    assert_int_equal(destroyed.destroyed, 1);
}

static void slices_of_borrowed_memory_are_copies(void **state) {
    (void)state;
    char text[] = "abcdef";
    streams_value borrowed = streams_text(text), items[] = { borrowed, streams_int(2), streams_int(3) };
    streams_value part = slice(&borrowed, 1, 3), list = streams_list(items, 3), pair = slice(&list, 0, 2);
    memset(text, 'x', 6);
    assert_described(&part, "bcd");
    assert_described(&pair, "[\"abcdef\", 2]");
    assert_ok(streams_value_destroy(&part));
    assert_ok(streams_value_destroy(&pair));
}

static void slices_of_lists_are_values_of_their_own(void **state) {
    (void)state;
    streams_value items[600], list;
    for (int i = 0; i < 600; i++) {
        streams_value inner = streams_int(i);
        streams_value borrowed = streams_list(&inner, 1);
        assert_ok(streams_value_copy(&borrowed, &items[i]));
    }
    assert_ok(streams_value_list(items, 600, &list));
    streams_value other;
    assert_ok(streams_value_list(items, 600, &other));
    for (int i = 0; i < 600; i++) assert_ok(streams_value_destroy(&items[i]));
    /* Lists that begin at the same place, once as long as each other and once not. */
    streams_value parts[] = { slice(&list, 0, 1), slice(&list, 0, 300), slice(&list, 0, 301) };
    streams_value others[] = { slice(&other, 0, 1), slice(&other, 0, 300), slice(&other, 0, 300) };
    assert_true(equal(&parts[1], &others[1]));
    assert_false(equal(&parts[2], &others[2]));
    streams_value both[] = { streams_list(parts, 3), streams_list(others, 3) };
    assert_false(equal(&both[0], &both[1]));
    for (int i = 0; i < 3; i++) {
        assert_ok(streams_value_destroy(&parts[i]));
        assert_ok(streams_value_destroy(&others[i]));
    }
    assert_ok(streams_value_destroy(&list));
    assert_ok(streams_value_destroy(&other));
}

static void slices_have_bounds(void **state) {
    (void)state;
    counter destroyed = { 0 };
    streams_value whole = kept_text("größer", &destroyed), borrowed = streams_text("größer");
    streams_value number = streams_int(1), broken = streams_bytes(NULL, 0), same = streams_text("a");
    broken.size = 3;
    const streams_value *const texts[] = { &whole, &borrowed };
    for (int i = 0; i < 2; i++) {
        assert_no_slice(STREAMS_INVALID_ARGUMENT, texts[i], 9, 0);
        assert_no_slice(STREAMS_INVALID_ARGUMENT, texts[i], 1, 8);
        assert_no_slice(STREAMS_INVALID_ARGUMENT, texts[i], 1, SIZE_MAX);
        assert_no_slice(STREAMS_INVALID_ARGUMENT, texts[i], SIZE_MAX, 1);
        assert_no_slice(STREAMS_INVALID_UTF8, texts[i], 3, 1);
        assert_no_slice(STREAMS_INVALID_UTF8, texts[i], 0, 3);
    }
    assert_no_slice(STREAMS_INVALID_VALUE, &number, 0, 0);
    assert_no_slice(STREAMS_INVALID_VALUE, &broken, 0, 2);
    assert_no_slice(STREAMS_NULL_ARGUMENT, NULL, 0, 0);
    assert_status(STREAMS_INVALID_ARGUMENT, streams_value_slice(&same, 0, 1, &same));
    assert_int_equal(same.size, 1);
    assert_ok(streams_value_destroy(&whole));
}

/* ---- Strings of C's ------------------------------------------------------------ */

static void a_string_of_c_ends_with_nul(void **state) {
    (void)state;
    streams_value number = streams_int(1), empty = streams_text(""), inside = streams_text_n("a\0b", 3);
    char text[] = { 'a', 'b', 'c' };
    streams_value value = streams_text_n(text, 3), copy;
    assert_ok(streams_value_c_string(&value, &copy));
    assert_string_equal(copy.as.text, "abc");
    assert_int_equal(copy.size, 3);
    assert_ok(streams_value_destroy(&copy));
    assert_ok(streams_value_c_string(&empty, &copy));
    assert_string_equal(copy.as.text, "");
    assert_ok(streams_value_destroy(&copy));
    for (size_t size = 900; size < 1000; size++) {
        char *long_text = calloc(size + 1, 1);
        assert_non_null(long_text);
        memset(long_text, 'a', size);
        streams_value borrowed = streams_text_n(long_text, size);
        assert_ok(streams_value_c_string(&borrowed, &copy));
        assert_string_equal(copy.as.text, long_text);
        assert_ok(streams_value_destroy(&copy));
        free(long_text);
    }
    assert_status(STREAMS_INVALID_VALUE, streams_value_c_string(&inside, &copy));
    assert_int_equal(copy.kind, STREAMS_VALUE_NULL);
    assert_status(STREAMS_INVALID_VALUE, streams_value_c_string(&number, &copy));
    assert_status(STREAMS_INVALID_ARGUMENT, streams_value_c_string(&value, &value));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(memory_goes_through_a_stream_as_it_is),
        test(a_gigabyte_goes_through_too),
        test(what_is_refused_is_destroyed),
        test(a_long_chain_is_let_go_of),
        test(slices_share_the_storage),
        test(slices_of_borrowed_memory_are_copies),
        test(slices_of_lists_are_values_of_their_own),
        test(slices_have_bounds),
        test(a_string_of_c_ends_with_nul),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
