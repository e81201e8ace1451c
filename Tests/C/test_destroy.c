/* destroy: never while the context is in use, and free to call the library. */

#include "support.h"

typedef struct suicide {
    counter counter;
    streams_cancellable *cancellable;
    bool destroyed_during_call;
} suicide;

static streams_status map_and_release(void *context, const streams_value *in, streams_value *out) {
    suicide *self = context;
    if (self->cancellable != NULL) streams_release(self->cancellable);
    self->cancellable = NULL;
    if (self->counter.destroyed > 0) self->destroyed_during_call = true;
    *out = *in;
    return STREAMS_OK;
}

static void a_callback_that_ends_its_own_stream(void **state) {
    (void)state;
    suicide s = { .cancellable = NULL };
    recorder r = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *p = streams_subject_publisher(subject);
    p = streams_map(p, map_and_release, &s, counter_destroy);
    recorder_subscribe(&r, streams_filter(p, is_even, NULL, NULL), STREAMS_UNLIMITED);
    s.cancellable = r.cancellable;
    r.cancellable = NULL;
    assert_ok(send_int(subject, 2));
    assert_false(s.destroyed_during_call);
    recorder_end(&r);
    assert_int_equal(s.counter.destroyed, 1);
    assert_log(&r.log, "subscribed destroyed");
    assert_ok(streams_release(subject));
}

/* Subscribers may release handles, and start streams, in destroy. */
static void release_in_destroy(void *context) {
    recorder *r = context;
    streams_subject *subject = r->extra;
    streams_release(subject);
    r->destroyed++;
}

static void destroy_may_call_the_library(void **state) {
    (void)state;
    recorder r = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    r.extra = subject;
    streams_subscriber subscriber = recorder_subscriber(&r, STREAMS_UNLIMITED);
    subscriber.destroy = release_in_destroy;
    r.cancellable = streams_sink(streams_subject_publisher(subject), &subscriber);
    assert_ok(streams_cancel(r.cancellable));
    assert_int_equal(r.destroyed, 1);
    assert_int_equal(streams_handle_kind(subject), STREAMS_KIND_NONE);
    recorder_end(&r);
}

/* The stage fails where the stack is low, and when its subscriber is told, nothing but that keeps it. */
static void cancel_in_destroy(void *context) {
    recorder *r = context;
    (void)streams_cancel(r->cancellable);
    log_add(&r->log, "cancelled");
}

static streams_status fail_to_map(void *context, const streams_value *in, streams_value *out) {
    (void)context, (void)in, (void)out;
    return STREAMS_CALLBACK_FAILED;
}

static void nothing_follows_a_cancellation_in_destroy(void **state) {
    (void)state;
    recorder r = { .batches = true };
    streams_subject *subject = streams_passthrough_subject_create();
    streams_cancellable *itself = streams_subscribe(streams_subject_publisher(subject), subject);
    streams_publisher *p = streams_subject_publisher(subject);
    recorder_subscribe(&r, streams_map(p, fail_to_map, &r, cancel_in_destroy), STREAMS_UNLIMITED);
    const int64_t values[] = { 1, 2 };
    (void)streams_subject_send_int64s(subject, values, 2);
    assert_log(&r.log, "subscribed cancelled destroyed");
    recorder_end(&r);
    assert_ok(streams_release(itself));
    assert_ok(streams_release(subject));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_callback_that_ends_its_own_stream),
        test(destroy_may_call_the_library),
        test(nothing_follows_a_cancellation_in_destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
