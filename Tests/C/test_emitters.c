/* Emitters: what sends for a publisher of one's own, from outside and from several threads. */

#include <pthread.h>
#include <sched.h>

#include "source.h"

/* ---- The emitter ------------------------------------------------------------------- */

static void sends_from_outside(void **state) {
    (void)state;
    source s = { .idle = true, .keeps_emitter = true };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), 2);
    assert_log(&r.log, "subscribed");
    assert_int_equal(streams_emitter_demand(s.emitter), 2);
    streams_value values[] = { streams_int(1), streams_int(2), streams_int(3) };
    assert_ok(streams_emitter_send(s.emitter, &values[0]));
    assert_int_equal(streams_emitter_demand(s.emitter), 1);
    size_t taken = 99;
    assert_status(STREAMS_DEMAND_EXCEEDED, streams_emitter_send_values(s.emitter, values, 3, &taken));
    assert_int_equal(taken, 1);
    assert_int_equal(streams_emitter_demand(s.emitter), 0);
    assert_status(STREAMS_DEMAND_EXCEEDED, streams_emitter_send(s.emitter, &values[0]));
    assert_ok(streams_emitter_send_values(s.emitter, NULL, 0, &taken));
    assert_int_equal(taken, 0);
    assert_log(&r.log, "1 1");
    /* Finishing needs no demand. */
    assert_ok(streams_emitter_finish(s.emitter));
    assert_status(STREAMS_TERMINATED, streams_emitter_finish(s.emitter));
    assert_status(STREAMS_TERMINATED, streams_emitter_send(s.emitter, &values[0]));
    taken = 99;
    assert_status(STREAMS_TERMINATED, streams_emitter_send_values(s.emitter, values, 3, &taken));
    assert_int_equal(taken, 0);
    recorder_end(&r);
    assert_log(&r.log, "finished destroyed");
    assert_ok(streams_release(s.emitter));
}

static void demand_may_be_unlimited(void **state) {
    (void)state;
    source s = { .idle = true, .keeps_emitter = true };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), STREAMS_UNLIMITED);
    assert_true(streams_emitter_demand(s.emitter) == STREAMS_UNLIMITED);
    recorder_end(&r);
    assert_ok(streams_release(s.emitter));
}

static void counts_demand_that_arrives_while_delivering(void **state) {
    (void)state;
    source s = { .idle = true, .keeps_emitter = true };
    recorder r = { .more = 1 };
    recorder_subscribe(&r, source_publisher(&s), 1);
    streams_value values[] = { streams_int(10), streams_int(20), streams_int(30), streams_int(40) };
    size_t taken = 0;
    assert_ok(streams_emitter_send_values(s.emitter, values, 4, &taken));
    assert_int_equal(taken, 4);
    assert_int_equal(streams_emitter_demand(s.emitter), 1);
    recorder_end(&r);
    assert_log(&r.log, "subscribed 10 20 30 40 destroyed");
    assert_false(s.overlapped);
    assert_ok(streams_release(s.emitter));
}

static void emitters_refuse(void **state) {
    (void)state;
    source s = { .next = 1, .last = 100, .portion = 1, .keeps_emitter = true };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), 10);
    streams_value bad = { .kind = 77 }, text = streams_text("\xff"), values[2] = { streams_int(1), bad };
    size_t taken = 99;
    assert_status(STREAMS_NULL_ARGUMENT, streams_emitter_send(s.emitter, NULL));
    assert_status(STREAMS_INVALID_VALUE, streams_emitter_send(s.emitter, &bad));
    assert_status(STREAMS_INVALID_UTF8, streams_emitter_send(s.emitter, &text));
    assert_status(STREAMS_NULL_ARGUMENT, streams_emitter_send_values(s.emitter, NULL, 2, &taken));
    assert_int_equal(taken, 0);
    taken = 99;
    assert_status(STREAMS_INVALID_VALUE, streams_emitter_send_values(s.emitter, values, 2, &taken));
    assert_int_equal(taken, 0);
    assert_status(STREAMS_NULL_HANDLE, streams_emitter_fail(s.emitter, NULL));
    assert_int_equal(streams_emitter_demand(s.emitter), 9);
    recorder_end(&r);
    assert_log(&r.log, "subscribed 1 destroyed");
    assert_ok(streams_release(s.emitter));
}

static void fails_with_an_error(void **state) {
    (void)state;
    source s = { .next = 1, .last = 100, .portion = 1, .keeps_emitter = true };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), 10);
    streams_error *error = new_error("gone");
    assert_ok(streams_emitter_fail(s.emitter, error));
    assert_status(STREAMS_TERMINATED, streams_emitter_fail(s.emitter, error));
    assert_ok(streams_release(error));
    recorder_end(&r);
    assert_log(&r.log, "subscribed 1 failed(gone) destroyed");
    assert_ok(streams_release(s.emitter));
}

/* ---- What a source that confirms its values looks at ------------------------------------ */

static atomic_bool is_asked, may_answer;

static streams_status answer_late(void *state, streams_emitter *emitter, uint64_t max) {
    (void)state;
    (void)emitter;
    (void)max;
    is_asked = true;
    while (!may_answer) sched_yield();
    return STREAMS_OK;
}

static void *request_one(void *subscription) {
    assert_ok(streams_subscription_request(subscription, 1));
    return NULL;
}

/* The source is closed only when another thread has asked it; the send must not look like a success. */
static void a_value_that_fails_is_refused_while_the_source_is_asked(void **state) {
    (void)state;
    source s = { .keeps_emitter = true };
    streams_source made = STREAMS_SOURCE_INIT;
    made.context = &s;
    made.open = source_open;
    made.produce = answer_late;
    made.close = source_close;
    made.destroy = source_destroy;
    recorder r = { .more = STREAMS_FAIL };
    recorder_subscribe(&r, streams_publisher_create(&made), 0);
    is_asked = may_answer = false;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, request_one, r.subscription), 0);
    while (!is_asked) sched_yield();
    streams_value value = streams_int(1);
    assert_ok(streams_emitter_send(s.emitter, &value));
    assert_int_equal(s.closed, 0);
    assert_int_equal(streams_emitter_refusals(s.emitter), 1);
    may_answer = true;
    pthread_join(thread, NULL);
    assert_int_equal(s.closed, 1);
    recorder_end(&r);
    assert_ok(streams_release(s.emitter));
}

static void create_refuses(void **state) {
    (void)state;
    source s = { 0 };
    streams_source made = STREAMS_SOURCE_INIT;
    made.context = &s;
    made.destroy = source_destroy;
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_publisher_create", streams_publisher_create(NULL));
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_publisher_create", streams_publisher_create(&made));
    assert_int_equal(s.destroyed, 1);
    made.produce = source_produce;
    const size_t sizes[] = { 0, 8, sizeof made - 1, sizeof made + 8, SIZE_MAX };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        made.size = sizes[i];
        assert_refused(STREAMS_INVALID_SIZE, "streams_publisher_create", streams_publisher_create(&made));
    }
    assert_int_equal(s.destroyed, 1);
}

/* ---- Threads -------------------------------------------------------------------------- */

enum { SENDERS = 3,
    EACH = 2000 };

typedef struct racer {
    streams_emitter *emitter;
    int64_t base;
    atomic_int *sent;
    atomic_bool *stop;
} racer;

static void *send_many(void *context) {
    racer *self = context;
    for (int64_t i = 0; i < EACH; i++) {
        streams_value value = streams_int(self->base + i);
        streams_status status = streams_emitter_send(self->emitter, &value);
        if (status == STREAMS_OK) {
            (*self->sent)++;
        } else if (status == STREAMS_DEMAND_EXCEEDED) {
            i--;
        } else {
            break;
        }
    }
    return NULL;
}

typedef struct collector {
    int64_t last[SENDERS];
    int received;
    bool disorder;
    int inside;
    bool overlapped;
    atomic_int destroyed;
} collector;

static uint64_t collect(void *context, const streams_value *value) {
    collector *self = context;
    if (self->inside++ > 0) self->overlapped = true;
    int64_t sender = value->as.integer / 1000000, number = value->as.integer % 1000000;
    if (number <= self->last[sender]) self->disorder = true;
    self->last[sender] = number;
    self->received++;
    self->inside--;
    return 1;
}

static void collected(void *context) { ((collector *)context)->destroyed++; }

static void emitters_take_values_from_several_threads(void **state) {
    (void)state;
    source s = { .idle = true, .keeps_emitter = true };
    collector c = { .last = { -1, -1, -1 } };
    streams_source made = STREAMS_SOURCE_INIT;
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    made.context = &s;
    made.open = source_open;
    made.produce = source_produce;
    subscriber.context = &c;
    subscriber.demand = 4; /* less than there are senders in a burst */
    subscriber.on_value = collect;
    subscriber.destroy = collected;
    streams_cancellable *cancellable = streams_sink(streams_publisher_create(&made), &subscriber);
    atomic_int sent = 0;
    pthread_t threads[SENDERS];
    racer racers[SENDERS];
    for (int i = 0; i < SENDERS; i++) {
        racers[i] = (racer){ .emitter = s.emitter, .base = i * 1000000, .sent = &sent };
        assert_int_equal(pthread_create(&threads[i], NULL, send_many, &racers[i]), 0);
    }
    for (int i = 0; i < SENDERS; i++) pthread_join(threads[i], NULL);
    assert_ok(streams_release(cancellable));
    assert_ok(streams_release(s.emitter));
    assert_int_equal(sent, SENDERS * EACH);
    assert_int_equal(c.received, SENDERS * EACH);
    assert_int_equal(c.destroyed, 1);
    assert_false(c.disorder);
    assert_false(c.overlapped);
}

static void *wake_many(void *context) {
    racer *self = context;
    while (!*self->stop) {
        if (streams_emitter_wake(self->emitter) != STREAMS_OK) break;
    }
    return NULL;
}

static void waking_from_several_threads_never_overlaps(void **state) {
    (void)state;
    atomic_bool stop = false;
    source s = { .next = 1, .last = 20000, .portion = 3, .keeps_emitter = true };
    pthread_t threads[2];
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), STREAMS_UNLIMITED);
    racer waker = { .emitter = s.emitter, .stop = &stop };
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&threads[i], NULL, wake_many, &waker), 0);
    /* They stop when the stream has ended. */
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    recorder_end(&r);
    assert_int_equal(r.values, 20000);
    assert_false(s.overlapped);
    assert_int_equal(s.closed, 1);
    assert_int_equal(s.destroyed, 1);
    assert_ok(streams_release(s.emitter));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(sends_from_outside),
        test(demand_may_be_unlimited),
        test(counts_demand_that_arrives_while_delivering),
        test(emitters_refuse),
        test(fails_with_an_error),
        test(a_value_that_fails_is_refused_while_the_source_is_asked),
        test(create_refuses),
        test(emitters_take_values_from_several_threads),
        test(waking_from_several_threads_never_overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
