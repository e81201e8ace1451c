/* Whose a reference is: what callers may give up, and what only the library holds. */

#include "support.h"

/* What calls inside a callback answered. */
typedef struct answers {
    streams_subject *subject;
    streams_status status[8];
    int count;
} answers;

static void note(answers *self, streams_status status) {
    if (self->count < 8) self->status[self->count++] = status;
}

#define assert_answers(self, ...) \
    assert_answers_((self), (const streams_status[]){ __VA_ARGS__ }, \
        (int)(sizeof((const streams_status[]){ __VA_ARGS__ }) / sizeof(streams_status)))
static void assert_answers_(const answers *self, const streams_status *expected, int count) {
    assert_int_equal(self->count, count);
    for (int i = 0; i < count; i++) assert_int_equal(self->status[i], expected[i]);
}

static void release_twice(recorder *r, const streams_value *value) {
    (void)value;
    answers *self = r->extra;
    note(self, streams_release(self->subject));
    note(self, streams_release(self->subject));
    note(self, streams_retain(self->subject));
    note(self, send_int(self->subject, 2));
    note(self, streams_handle_kind(self->subject) == STREAMS_KIND_NONE ? STREAMS_OK : STREAMS_LIMIT);
}

static void a_surplus_release_inside_a_send_is_refused(void **state) {
    (void)state;
    answers a = { .subject = streams_passthrough_subject_create() };
    recorder r = { .on_value = release_twice, .extra = &a };
    recorder_subscribe(&r, streams_subject_publisher(a.subject), STREAMS_UNLIMITED);
    assert_ok(send_int(a.subject, 1));
    streams_subject *next = streams_passthrough_subject_create();
    assert_ptr_not_equal(next, a.subject);
    assert_ok(streams_release(next));
    assert_answers(&a, STREAMS_OK, STREAMS_STALE_HANDLE, STREAMS_STALE_HANDLE, STREAMS_STALE_HANDLE,
        STREAMS_OK);
    recorder_end(&r);
    assert_log(&r.log, "subscribed 1 destroyed");
}

static void release_borrowed_subscription(void *context, streams_subscription *subscription) {
    answers *self = context;
    note(self, streams_release(subscription));
    note(self, streams_subscription_request(subscription, 1));
    note(self, streams_retain(subscription));
    note(self, streams_release(subscription));
    note(self, streams_release(subscription));
    note(self, streams_subscription_request(subscription, 1));
}

static void release_borrowed_error(void *context, const streams_error *error) {
    answers *self = context;
    note(self, streams_release(error));
    note(self, streams_error_code(error) == 42 ? STREAMS_OK : STREAMS_LIMIT);
}

static uint64_t ignore_value(void *context, const streams_value *value) {
    (void)context, (void)value;
    return 0;
}

static void what_is_borrowed_cannot_be_given_up(void **state) {
    (void)state;
    answers a = { .count = 0 };
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &a;
    subscriber.demand = 0;
    subscriber.on_value = ignore_value;
    subscriber.on_subscription = release_borrowed_subscription;
    streams_cancellable *cancellable = streams_sink(ints(3), &subscriber);
    assert_answers(&a, STREAMS_STALE_HANDLE, STREAMS_OK, STREAMS_OK, STREAMS_OK, STREAMS_STALE_HANDLE,
        STREAMS_OK);
    assert_ok(streams_release(cancellable));

    a.count = 0;
    subscriber.on_subscription = NULL;
    subscriber.on_completion = release_borrowed_error;
    streams_error *error = streams_error_create(42, "test", "42", NULL);
    cancellable = streams_sink(streams_fail(error), &subscriber);
    assert_answers(&a, STREAMS_STALE_HANDLE, STREAMS_OK);
    assert_ok(streams_release(error));
    assert_ok(streams_release(cancellable));
}

static streams_status release_emitter(void *state, streams_emitter *emitter, uint64_t max) {
    answers *self = state;
    (void)max;
    note(self, streams_release(emitter));
    note(self, streams_emitter_finish(emitter));
    return STREAMS_OK;
}

static void an_emitter_is_borrowed(void **state) {
    (void)state;
    answers a = { .count = 0 };
    streams_source source = STREAMS_SOURCE_INIT;
    source.context = &a;
    source.produce = release_emitter;
    assert_stream(streams_publisher_create(&source), "subscribed finished destroyed");
    assert_answers(&a, STREAMS_STALE_HANDLE, STREAMS_OK);
}

static void cancel_and_release(recorder *r, const streams_value *value) {
    (void)value;
    note(r->extra, streams_release(r->cancellable));
    note(r->extra, streams_release(r->cancellable));
    note(r->extra, streams_cancel(r->cancellable));
    r->cancellable = NULL;
}

static void a_cancellable_released_inside_its_own_stream(void **state) {
    (void)state;
    answers a = { .subject = streams_passthrough_subject_create() };
    recorder r = { .on_value = cancel_and_release, .extra = &a };
    recorder_subscribe(&r, streams_subject_publisher(a.subject), STREAMS_UNLIMITED);
    assert_ok(send_int(a.subject, 1));
    assert_answers(&a, STREAMS_OK, STREAMS_STALE_HANDLE, STREAMS_STALE_HANDLE);
    recorder_end(&r);
    assert_ok(streams_release(a.subject));
}

/* More lives than a place has generations. */
static void no_handle_is_ever_given_out_twice(void **state) {
    (void)state;
    const int lives = under_valgrind() ? 1000 : (1 << 24) + 1000;
    streams_publisher *first = streams_empty(true);
    assert_ok(streams_release(first));
    int again = 0;
    for (int i = 0; i < lives; i++) {
        streams_publisher *p = streams_empty(true);
        again += p == first || p == NULL;
        (void)streams_release(p);
    }
    assert_int_equal(again, 0);
    assert_int_equal(streams_handle_kind(first), STREAMS_KIND_NONE);
}

static void as_many_references_as_one_likes(void **state) {
    (void)state;
    enum { MANY = 100000 };
    streams_publisher *p = ints(1);
    int failed_calls = 0;
    for (int i = 0; i < MANY; i++) failed_calls += streams_retain(p) != STREAMS_OK;
    for (int i = 0; i < MANY; i++) failed_calls += streams_release(p) != STREAMS_OK;
    assert_int_equal(failed_calls, 0);
    assert_ok(streams_release(p));
    assert_status(STREAMS_STALE_HANDLE, streams_release(p));
}

static void no_more_references_than_can_be_counted(void **state) {
    (void)state;
    const int limit = under_valgrind() ? 1000 : 2097151;
    streams_publisher *p = ints(1);
    int refused = 0;
    for (int i = 1; i < limit; i++) refused += streams_retain(p) != STREAMS_OK;
    if (limit > 1000) assert_status(STREAMS_LIMIT, streams_retain(p));
    for (int i = 0; i < limit; i++) refused += streams_release(p) != STREAMS_OK;
    assert_int_equal(refused, 0);
    assert_status(STREAMS_STALE_HANDLE, streams_release(p));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_surplus_release_inside_a_send_is_refused),
        test(what_is_borrowed_cannot_be_given_up),
        test(an_emitter_is_borrowed),
        test(a_cancellable_released_inside_its_own_stream),
        test(no_handle_is_ever_given_out_twice),
        test(as_many_references_as_one_likes),
        test(no_more_references_than_can_be_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
