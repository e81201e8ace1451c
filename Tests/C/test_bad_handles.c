/* Every exported function with every kind of bad handle: NULL, stale, released
 * twice, of a wrong kind, and numbers that never were handles. A function of
 * the header without a row fails. */

#include "fake_host.h"
#include "handle_rows.h"

static void refuses(fixture *f, const row *row, const void *bad, streams_status expected) {
    streams_clear_last_error();
    size_t live = streams_live_handles();
    streams_status status = row->call((void *)(uintptr_t)bad, f);
    if (status != expected) {
        fail_msg("%s answers %s to %p, not %s", row->function, streams_status_name(status), bad,
            streams_status_name(expected));
    }
    if (expected != STREAMS_OK) assert_last(expected, row->function);
    if (f->counter.destroyed != f->taken || f->counter.calls != 0) {
        fail_msg("%s destroyed %d of %d contexts", row->function, f->counter.destroyed, f->taken);
    }
    if (streams_live_handles() != live) fail_msg("%s leaks, or releases what is not its own", row->function);
}

static bool in_table(const char *name, size_t length) {
    for (int i = 0; i < handle_row_count; i++) {
        const row *each = &handle_rows[i];
        if (strlen(each->function) == length && strncmp(each->function, name, length) == 0) return true;
    }
    return false;
}

static void every_function_has_a_row(void **state) {
    (void)state;
    char *header = read_file("Include/streams.h");
    char *last = NULL;
    int declared = 0;
    for (char *line = strstr(header, "\nSTREAMS_API "); line != NULL; line = strstr(last, "\nSTREAMS_API ")) {
        char *end = strchr(line + 1, '(');
        char *name = end;
        while (
            name[-1] == '_' || (name[-1] >= 'a' && name[-1] <= 'z') || (name[-1] >= '0' && name[-1] <= '9'))
            name--;
        if (!in_table(name, (size_t)(end - name))) fail_msg("no row for %.*s", (int)(end - name), name);
        declared++;
        last = end;
    }
    free(header);
    int functions = 0;
    for (int i = 0; i < handle_row_count; i++) {
        const row *each = &handle_rows[i];
        functions += i == 0 || strcmp(each->function, each[-1].function) != 0;
    }
    assert_int_equal(functions, declared);
}

static void null_is_refused(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f);
    for (int i = 0; i < handle_row_count; i++) {
        const row *each = &handle_rows[i];
        if (each->call == NULL || each->null == NULL_IS_FINE) continue;
        refuses(&f, each, NULL, STREAMS_NULL_HANDLE);
    }
    fixture_end(&f);
}

static void null_in_a_chain_keeps_the_first_error(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f);
    for (int i = 0; i < handle_row_count; i++) {
        const row *each = &handle_rows[i];
        if (each->call == NULL || each->null != NULL_IS_CHAIN) continue;
        assert_null(streams_prefix(ints(3), -1));
        streams_status status = each->call(NULL, &f);
        if (status != STREAMS_INVALID_ARGUMENT || strcmp(streams_last_function(), "streams_prefix") != 0) {
            fail_msg("%s loses the first error", each->function);
        }
    }
    assert_int_equal(f.counter.destroyed, f.taken);
    fixture_end(&f);
}

static void stale_is_refused(void **state) {
    (void)state;
    fixture old, f;
    fixture_begin(&old);
    fixture_end(&old);
    /* Takes the places of the old handles. */
    fixture_begin(&f);
    for (int i = 0; i < handle_row_count; i++) {
        const row *each = &handle_rows[i];
        if (each->call == NULL) continue;
        for (int kind = 0; kind < KINDS; kind++) {
            refuses(&f, each, handle_of(&old, kinds[kind]), STREAMS_STALE_HANDLE);
        }
    }
    fixture_end(&f);
}

static void released_twice_is_refused(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f);
    for (int i = 0; i < handle_row_count; i++) {
        const row *each = &handle_rows[i];
        if (each->call == NULL) continue;
        streams_publisher *publisher = ints(1);
        streams_error *error = new_error("oops");
        const void *mine = each->accepts == STREAMS_KIND_ERROR ? (void *)error : (void *)publisher;
        assert_ok(streams_release(publisher));
        assert_ok(streams_release(error));
        assert_status(STREAMS_STALE_HANDLE, streams_release(mine));
        refuses(&f, each, mine, STREAMS_STALE_HANDLE);
    }
    fixture_end(&f);
}

static void wrong_kind_is_refused(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f);
    for (int i = 0; i < handle_row_count; i++) {
        const row *each = &handle_rows[i];
        if (each->call == NULL || each->accepts == STREAMS_KIND_NONE) continue;
        for (int kind = 0; kind < KINDS; kind++) {
            if (kinds[kind] == each->accepts) continue;
            const void *wrong = handle_of(&f, kinds[kind]);
            refuses(&f, each, wrong, STREAMS_WRONG_KIND);
            /* Not consumed: there is no reference of that kind. */
            assert_int_equal(streams_handle_kind(wrong), kinds[kind]);
        }
    }
    fixture_end(&f);
}

static void numbers_are_refused(void **state) {
    (void)state;
    int local = 0;
    const void *numbers[16 + KINDS * 64];
    size_t count = 0;
    fixture f;
    fixture_begin(&f);
    void *memory = malloc(16);
    const uintptr_t fixed[] = { 1, 2, 3, 7, 8, 255, 4096, 0xdeadbeef, UINTPTR_MAX, UINTPTR_MAX - 1,
        UINTPTR_MAX / 2, UINTPTR_MAX / 2 + 1, (uintptr_t)&local, (uintptr_t)memory,
        (uintptr_t)&null_is_refused, (uintptr_t)"text" };
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) numbers[count++] = (const void *)fixed[i];
    for (int kind = 0; kind < KINDS; kind++) {
        for (unsigned bit = 0; bit < sizeof(uintptr_t) * 8; bit++) {
            uintptr_t changed = (uintptr_t)handle_of(&f, kinds[kind]) ^ (uintptr_t)1 << bit;
            const void *number = (const void *)changed;
            /* Another place's handle, by chance. */
            if (streams_handle_kind(number) == STREAMS_KIND_NONE && number != NULL) numbers[count++] = number;
        }
    }
    for (int i = 0; i < handle_row_count; i++) {
        const row *each = &handle_rows[i];
        if (each->call == NULL) continue;
        for (size_t n = 0; n < count; n++) {
            if (streams_handle_kind(numbers[n]) != STREAMS_KIND_NONE) continue;
            refuses(&f, each, numbers[n], STREAMS_STALE_HANDLE);
        }
    }
    free(memory);
    fixture_end(&f);
}

static void the_good_handles_of_the_fixture_are_good(void **state) {
    (void)state;
    /* The rows are about the handle: with a good one each call works. */
    for (int i = 0; i < handle_row_count; i++) {
        const row *each = &handle_rows[i];
        fixture f;
        if (each->call == NULL || each->accepts == STREAMS_KIND_NONE) continue;
        /* The fixture's host function returns no publisher. */
        if (strcmp(each->function, "streams_callable_expand") == 0) continue;
        if (strcmp(each->function, "streams_callable_recover") == 0) continue;
        fixture_begin(&f);
        /* What is consumed or destroyed must be there afterwards. */
        const void *good = handle_of(&f, each->accepts);
        bool consumed =
            each->null == NULL_IS_CHAIN || strcmp(each->function, "streams_callable_destroy") == 0;
        if (consumed) assert_ok(streams_retain(good));
        streams_clear_last_error();
        streams_status status = each->call((void *)(uintptr_t)good, &f);
        bool refused =
            status == STREAMS_NULL_HANDLE || status == STREAMS_STALE_HANDLE || status == STREAMS_WRONG_KIND;
        if (refused) fail_msg("%s refuses a good handle: %s", each->function, streams_last_message());
        streams_value_destroy(&row_value);
        fixture_end(&f);
    }
}

static void handle_kind_answers_everything(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f);
    assert_int_equal(streams_handle_kind(NULL), STREAMS_KIND_NONE);
    assert_int_equal(streams_handle_kind(&f), STREAMS_KIND_NONE);
    assert_int_equal(streams_handle_kind((void *)(uintptr_t)12345), STREAMS_KIND_NONE);
    const void *publisher = f.publisher;
    fixture_end(&f);
    assert_int_equal(streams_handle_kind(publisher), STREAMS_KIND_NONE);
    assert_int_equal(streams_last_status(), STREAMS_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(every_function_has_a_row),
        test(null_is_refused),
        test(null_in_a_chain_keeps_the_first_error),
        test(stale_is_refused),
        test(released_twice_is_refused),
        test(wrong_kind_is_refused),
        test(numbers_are_refused),
        test(the_good_handles_of_the_fixture_are_good),
        test(handle_kind_answers_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
