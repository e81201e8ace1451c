/* Arrays leave nothing behind: streams of every operator that are sent arrays,
 * end and are released, again and again, need no more memory than before. */

#include <malloc.h>

#include "rows.h"

enum { ARRAYS = 300,
    ROUNDS = 6,
    /* Less than a word for each array. */
    SPARE = ARRAYS * ROUNDS * 8 };

static uint64_t ignore(void *context, const streams_value *value) {
    (void)context;
    (void)value;
    return 0;
}

/* A stream's life. */
static void live(const attachment *each, fixture *f) {
    static const int64_t numbers[] = { 1, 2, 3, 1 };
    streams_subject *first = streams_passthrough_subject_create();
    streams_subject *second = streams_passthrough_subject_create();
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.on_value = ignore;
    f->life = (life){ 0 };
    f->scheduler = streams_virtual_scheduler_create();
    streams_publisher *other = each->takes_two ? streams_subject_publisher(second) : NULL;
    streams_cancellable *stream =
        streams_sink(each->attach(streams_subject_publisher(first), other, f), &subscriber);
    for (int i = 0; i < ARRAYS; i++) {
        assert_ok(streams_subject_send_int64s(first, numbers, 4));
        assert_ok(streams_subject_send_int64s(second, numbers, 2));
        (void)streams_virtual_scheduler_advance(f->scheduler, 15);
    }
    (void)finish(first);
    (void)finish(second);
    (void)let_time_pass(f);
    assert_ok(streams_release(stream));
    assert_ok(streams_release(first));
    assert_ok(streams_release(second));
    assert_ok(streams_release(f->scheduler));
}

static size_t in_use(void) { return mallinfo2().uordblks; }

static bool grows(const attachment *each, fixture *f) {
    /* A subject that has finished is repeated at once. */
    row_demand = strcmp(each->function, "streams_repeat") == 0 ? 2 : STREAMS_UNLIMITED;
    for (int i = 0; i < 2; i++) live(each, f);
    size_t before = in_use();
    for (int i = 0; i < ROUNDS; i++) live(each, f);
    size_t after = in_use();
    if (after <= before + SPARE) return false;
    print_error("%s: %zu bytes for %d arrays\n", each->function, after - before, ARRAYS * ROUNDS);
    return true;
}

static void arrays_leave_nothing_behind(void **state) {
    (void)state;
    if (under_valgrind()) skip(); /* which looks for leaks itself */
    static fixture f;
    fixture_begin(&f);
    streams_scheduler *scheduler = f.scheduler;
    bool any = false;
    row_count = 1 << 20; /* nothing ends early */
    for (int i = 0; i < attachment_count; i++) any |= grows(&attachments[i], &f);
    f.scheduler = scheduler;
    fixture_end(&f);
    assert_false(any);
}

int main(void) {
    const struct CMUnitTest tests[] = { test(arrays_leave_nothing_behind) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
