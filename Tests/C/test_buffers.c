/* Buffers: what they refuse, and what the callback that makes their failure may do. */

#include "support.h"

static streams_publisher *buffer(streams_publisher *p, int64_t size) {
    return streams_buffer(p, size, STREAMS_PREFETCH_KEEP_FULL, STREAMS_WHEN_FULL_DROP_NEWEST);
}

static streams_status make_nothing(void *context, streams_error **out) {
    counter *self = context;
    self->calls++;
    (void)out;
    return STREAMS_OK;
}

static streams_status break_again(void *context, streams_error **out) {
    (void)context, (void)out;
    return streams_callback_fail_with(1, "test", "broken");
}

/* Sends to the very buffer that is full. */
static streams_status send_again(void *context, streams_error **out) {
    *out = new_error("full");
    return send_int(context, 9);
}

static void bad_arguments_are_refused(void **state) {
    (void)state;
    const int64_t sizes[] = { 0, -1, INT64_MIN };
    counter c = { 0 };
    for (size_t i = 0; i < 3; i++) {
        assert_refused(STREAMS_INVALID_ARGUMENT, "streams_buffer", buffer(ints(1), sizes[i]));
        assert_refused(STREAMS_INVALID_ARGUMENT, "streams_buffer_or_fail",
            streams_buffer_or_fail(
                ints(1), sizes[i], STREAMS_PREFETCH_KEEP_FULL, make_nothing, &c, counter_destroy));
    }
    const streams_prefetch prefetch = (streams_prefetch)2;
    const streams_when_full when_full = (streams_when_full)2;
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_buffer",
        streams_buffer(ints(1), 1, prefetch, STREAMS_WHEN_FULL_DROP_NEWEST));
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_buffer",
        streams_buffer(ints(1), 1, STREAMS_PREFETCH_KEEP_FULL, when_full));
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_buffer_or_fail",
        streams_buffer_or_fail(ints(1), 1, prefetch, make_nothing, &c, counter_destroy));
    assert_int_equal(c.destroyed, 4);
}

static void a_buffer_may_be_as_great_as_one_likes(void **state) {
    (void)state;
    assert_stream(buffer(ints(2), INT64_MAX), "subscribed 1 2 finished destroyed");
    assert_stream(buffer(ints(3), 1), "subscribed 1 2 3 finished destroyed");
}

/* What becomes of a buffer of one that gets two values, and is asked for all. */
static void overflow(
    streams_subject *subject, streams_make_error_fn make_error, void *context, const char *expected) {
    recorder r = { 0 };
    streams_publisher *p = streams_subject_publisher(subject);
    p = streams_buffer_or_fail(p, 1, STREAMS_PREFETCH_BY_REQUEST, make_error, context, NULL);
    recorder_subscribe(&r, p, 0);
    assert_ok(send_int(subject, 1));
    assert_ok(send_int(subject, 2));
    assert_log(&r.log, "subscribed");
    assert_ok(streams_subscription_request(r.subscription, STREAMS_UNLIMITED));
    assert_log(&r.log, expected);
    recorder_end(&r);
}

static void a_buffer_that_is_full_fails(void **state) {
    (void)state;
    counter c = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    overflow(subject, send_again, subject, "1 failed(full) destroyed");
    overflow(subject, break_again, NULL, "1 failed(broken) destroyed");
    overflow(subject, make_nothing, &c,
        "1 failed(the error made by a callback is NULL) destroyed");
    assert_int_equal(c.calls, 1);
    assert_ok(streams_release(subject));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(bad_arguments_are_refused),
        test(a_buffer_may_be_as_great_as_one_likes),
        test(a_buffer_that_is_full_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
