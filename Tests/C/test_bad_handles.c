/* Every exported function with every kind of bad handle (NULL, stale, released
 * twice, of a wrong kind, and numbers that never were handles), and with NULL
 * where it needs a pointer. */

#include "rows.h"

/* A call that failed has let go of what it was given, and has called nobody. */
static void expect_nothing_kept(const fixture *f, const char *function, size_t live) {
    if (f->life.counter.destroyed != f->life.contexts || f->life.counter.calls != 0) {
        fail_msg(
            "%s destroyed %d of %d contexts", function, f->life.counter.destroyed, f->life.contexts);
    }
    if (streams_live_handles() != live) fail_msg("%s leaks, or releases what is not its own", function);
    if (f->not_cleared) fail_msg("%s leaves something where it writes to", function);
}

static void refuses(fixture *f, const handle_row *row, const void *bad, streams_status expected) {
    streams_clear_last_error();
    size_t live = streams_live_handles();
    streams_status status = row->call((void *)(uintptr_t)bad, f);
    if (status != expected) {
        fail_msg("%s answers %s to %p, not %s", row->function, streams_status_name(status), bad,
            streams_status_name(expected));
    }
    if (expected != STREAMS_OK) assert_last(expected, row->function);
    expect_nothing_kept(f, row->function, live);
}

static void null_is_refused(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f);
    for (int i = 0; i < handle_row_count; i++) {
        const handle_row *each = &handle_rows[i];
        if (each->null == NULL_IS_FINE) continue;
        refuses(&f, each, NULL, STREAMS_NULL_HANDLE);
    }
    fixture_end(&f);
}

static void null_in_a_chain_keeps_the_first_error(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f);
    for (int i = 0; i < handle_row_count; i++) {
        const handle_row *each = &handle_rows[i];
        if (each->null != NULL_IS_CHAIN) continue;
        assert_null(streams_prefix(ints(3), -1));
        streams_status status = each->call(NULL, &f);
        if (status != STREAMS_INVALID_ARGUMENT || strcmp(streams_last_function(), "streams_prefix") != 0) {
            fail_msg("%s loses the first error", each->function);
        }
    }
    assert_int_equal(f.life.counter.destroyed, f.life.contexts);
    fixture_end(&f);
}

/* Whatever else is wrong with the calls that follow. */
static void other_mistakes_keep_the_first_error(void **state) {
    (void)state;
    streams_subscriber empty = { .size = sizeof empty };
    streams_backoff backoff = { .size = sizeof backoff };
    streams_scheduler *queue = streams_queue_create();
    void *const made[] = {
        streams_prefix(ints(3), -1),
        streams_sink(NULL, NULL),
        streams_sink(NULL, &empty),
        streams_delay(NULL, 4, NULL),
        streams_throttle(NULL, -4, (streams_scheduler *)&empty, true),
        streams_timeout(NULL, -4, NULL, (streams_error *)queue),
        streams_measure_interval(NULL, NULL),
        streams_receive_on(NULL, NULL),
        streams_retry_backoff(NULL, &backoff, NULL, NULL, NULL, NULL),
        streams_lift(NULL, NULL),
        streams_handle_events(NULL, NULL),
        streams_breakpoint(NULL, NULL),
        streams_with_latest_from(NULL, (streams_publisher *)queue),
        streams_map(NULL, NULL, NULL, NULL),
        streams_buffer(NULL, 0, 0, 9),
    };
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) assert_null(made[i]);
    assert_last(STREAMS_INVALID_ARGUMENT, "streams_prefix");
    assert_int_equal(streams_run(NULL, NULL, 0), STREAMS_INVALID_ARGUMENT);
    assert_int_equal(streams_run(NULL, &empty, -5), STREAMS_INVALID_ARGUMENT);
    assert_last(STREAMS_INVALID_ARGUMENT, "streams_prefix");
    assert_ok(streams_release(queue));
}

static void stale_is_refused(void **state) {
    (void)state;
    fixture old, f;
    fixture_begin(&old);
    fixture_end(&old);
    /* Takes the places of the old handles. */
    fixture_begin(&f);
    for (int i = 0; i < handle_row_count; i++) {
        const handle_row *each = &handle_rows[i];
        for (int kind = 0; kind < kind_count; kind++) {
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
        const handle_row *each = &handle_rows[i];
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
        const handle_row *each = &handle_rows[i];
        if (each->accepts == STREAMS_KIND_NONE) continue;
        for (int kind = 0; kind < kind_count; kind++) {
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
    const void *numbers[16 + 32 * 64];
    size_t count = 0;
    fixture f;
    fixture_begin(&f);
    void *memory = malloc(16);
    const uintptr_t fixed[] = { 1, 2, 3, 7, 8, 255, 4096, 0xdeadbeef, UINTPTR_MAX, UINTPTR_MAX - 1,
        UINTPTR_MAX / 2, UINTPTR_MAX / 2 + 1, (uintptr_t)&local, (uintptr_t)memory,
        (uintptr_t)&null_is_refused, (uintptr_t)"text" };
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) numbers[count++] = (const void *)fixed[i];
    for (int kind = 0; kind < kind_count; kind++) {
        for (unsigned bit = 0; bit < sizeof(uintptr_t) * 8; bit++) {
            uintptr_t changed = (uintptr_t)handle_of(&f, kinds[kind]) ^ (uintptr_t)1 << bit;
            const void *number = (const void *)changed;
            /* Another place's handle, by chance. */
            if (streams_handle_kind(number) == STREAMS_KIND_NONE && number != NULL) numbers[count++] = number;
        }
    }
    for (int i = 0; i < handle_row_count; i++) {
        const handle_row *each = &handle_rows[i];
        for (size_t n = 0; n < count; n++) {
            if (streams_handle_kind(numbers[n]) != STREAMS_KIND_NONE) continue;
            refuses(&f, each, numbers[n], STREAMS_STALE_HANDLE);
        }
    }
    free(memory);
    fixture_end(&f);
}

static void a_missing_argument_is_refused(void **state) {
    (void)state;
    for (int i = 0; i < argument_row_count; i++) {
        const argument_row *each = &argument_rows[i];
        fixture f;
        fixture_begin(&f);
        streams_clear_last_error();
        size_t live = streams_live_handles();
        streams_status status = each->call(&f);
        if (status != STREAMS_NULL_ARGUMENT) {
            const char *name = streams_status_name(status);
            fail_msg("%s without %s answers %s", each->function, each->parameter, name);
        }
        assert_last(STREAMS_NULL_ARGUMENT, each->function);
        expect_nothing_kept(&f, each->function, live);
        fixture_end(&f);
    }
}

static void the_good_handles_of_the_fixture_are_good(void **state) {
    (void)state;
    /* The rows are about the handle: with a good one each call works. */
    for (int i = 0; i < handle_row_count; i++) {
        const handle_row *each = &handle_rows[i];
        fixture f;
        if (each->accepts == STREAMS_KIND_NONE) continue;
        /* The fixture's host function returns no handle. */
        if (strstr(each->function, "streams_callable_expand") == each->function) continue;
        if (strcmp(each->function, "streams_callable_recover") == 0) continue;
        if (strstr(each->function, "streams_callable_make_") == each->function) continue;
        fixture_begin(&f);
        /* What is consumed or destroyed must be there afterwards. */
        const void *good = handle_of(&f, each->accepts);
        bool consumed = each->null == NULL_IS_CHAIN ||
                        strcmp(each->function, "streams_callable_destroy") == 0 ||
                        strcmp(each->function, "streams_binding_create") == 0;
        if (consumed) assert_ok(streams_retain(good));
        streams_clear_last_error();
        streams_status status = each->call((void *)(uintptr_t)good, &f);
        bool refused =
            status == STREAMS_NULL_HANDLE || status == STREAMS_STALE_HANDLE || status == STREAMS_WRONG_KIND;
        if (refused) fail_msg("%s refuses a good handle: %s", each->function, streams_last_message());
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
        test(null_is_refused),
        test(null_in_a_chain_keeps_the_first_error),
        test(other_mistakes_keep_the_first_error),
        test(stale_is_refused),
        test(released_twice_is_refused),
        test(wrong_kind_is_refused),
        test(numbers_are_refused),
        test(a_missing_argument_is_refused),
        test(the_good_handles_of_the_fixture_are_good),
        test(handle_kind_answers_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
