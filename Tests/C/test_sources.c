/* Publishers of one's own: produce on demand, wake, emitters, the end. */

#include <pthread.h>

#include "support.h"

/* ---- A source that counts, and writes down what it is asked --------------------- */

typedef struct source source;
struct source {
    test_log log;
    int64_t next;
    int64_t last;     /* finishes after it */
    uint64_t portion; /* sends at most so many a call; 0: all it is asked for */
    bool wakes;       /* wakes itself when it has sent a portion */
    bool ends_later;  /* finishes in a call of its own, not right after the last value */
    bool idle;        /* sends nothing itself */
    streams_status produce_status;
    streams_status open_status;
    void (*on_open)(source *self, streams_emitter *emitter);
    streams_emitter *emitter; /* retained in open */
    bool keeps_emitter;
    int opened, closed, destroyed;
    int inside; /* of produce */
    bool overlapped;
};

static streams_status source_open(void *context, streams_emitter *emitter, void **state) {
    source *self = context;
    self->opened++;
    log_add(&self->log, "open");
    *state = self;
    if (self->keeps_emitter) {
        streams_retain(emitter);
        self->emitter = emitter;
    }
    if (self->on_open != NULL) self->on_open(self, emitter);
    return self->open_status;
}

static streams_status source_produce(void *state, streams_emitter *emitter, uint64_t max) {
    source *self = state;
    if (self->inside++ > 0) self->overlapped = true;
    if (max >= INT64_MAX) {
        log_add(&self->log, "produce(unlimited)");
    } else {
        log_add(&self->log, "produce(%" PRIu64 ")", max);
    }
    streams_status status = self->produce_status;
    if (self->idle) return self->inside--, STREAMS_OK;
    uint64_t portion = self->portion > 0 && self->portion < max ? self->portion : max;
    for (; status == STREAMS_OK && portion > 0 && self->next <= self->last; portion--) {
        streams_value value = streams_int(self->next++);
        status = streams_emitter_send(emitter, &value);
    }
    if (status == STREAMS_OK && self->next > self->last) {
        if (!self->ends_later || portion > 0) status = streams_emitter_finish(emitter);
    } else if (status == STREAMS_OK && self->wakes) {
        status = streams_emitter_wake(emitter);
    }
    if (status == STREAMS_TERMINATED) status = STREAMS_OK; /* cancelled meanwhile */
    self->inside--;
    return status;
}

static void source_close(void *state) {
    source *self = state;
    self->closed++;
    log_add(&self->log, "close");
}

static void source_destroy(void *context) {
    source *self = context;
    self->destroyed++;
    log_add(&self->log, "destroy");
}

static streams_publisher *source_publisher(source *self) {
    streams_source made = STREAMS_SOURCE_INIT;
    made.context = self;
    made.open = source_open;
    made.produce = source_produce;
    made.close = source_close;
    made.destroy = source_destroy;
    return streams_publisher_create(&made);
}

/* ---- On demand ------------------------------------------------------------------- */

static void produces_what_is_asked_for(void **state) {
    (void)state;
    source s = { .next = 1, .last = 6 };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), 2);
    assert_log(&r.log, "subscribed 1 2");
    assert_log(&s.log, "open produce(2)");
    assert_ok(streams_subscription_request(r.subscription, 3));
    assert_log(&s.log, "produce(3)");
    assert_log(&r.log, "3 4 5");
    assert_ok(streams_subscription_request(r.subscription, STREAMS_UNLIMITED));
    assert_log(&r.log, "6 finished destroyed");
    assert_log(&s.log, "produce(unlimited) close destroy");
    recorder_end(&r);
    assert_int_equal(s.closed, 1);
}

static void without_demand_it_is_not_asked(void **state) {
    (void)state;
    source s = { .next = 1, .last = 3 };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), 0);
    assert_log(&s.log, "open");
    recorder_end(&r);
    assert_log(&r.log, "subscribed destroyed");
    assert_log(&s.log, "close destroy");
}

static void returned_demand_is_asked_for_in_a_loop(void **state) {
    (void)state;
    source s = { .next = 1, .last = 100000 };
    recorder r = { .more = 1 };
    /* A log of this length is cut short; the count matters. */
    recorder_subscribe(&r, source_publisher(&s), 1);
    recorder_end(&r);
    assert_int_equal(r.values, 100000);
    assert_false(s.overlapped);
    assert_int_equal(s.closed, 1);
    assert_int_equal(s.destroyed, 1);
}

static void request_one_more(recorder *self, const streams_value *value) {
    (void)value;
    streams_subscription_request(self->subscription, 1);
}

static void a_request_inside_a_value_does_not_recurse(void **state) {
    (void)state;
    source s = { .next = 1, .last = 100000 };
    recorder r = { .on_value = request_one_more };
    recorder_subscribe(&r, source_publisher(&s), 1);
    recorder_end(&r);
    assert_int_equal(r.values, 100000);
    assert_false(s.overlapped);
}

static void a_short_portion_rests_until_new_demand(void **state) {
    (void)state;
    source s = { .next = 1, .last = 9, .portion = 2 };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), 5);
    assert_log(&r.log, "subscribed 1 2");
    assert_log(&s.log, "open produce(5)");
    assert_ok(streams_subscription_request(r.subscription, 1));
    /* All that is open: 3 of the first request and 1 of the second. */
    assert_log(&s.log, "produce(4)");
    assert_log(&r.log, "3 4");
    recorder_end(&r);
    assert_log(&s.log, "close destroy");
}

static void a_source_may_wake_itself(void **state) {
    (void)state;
    source s = { .next = 1, .last = 7, .portion = 2, .wakes = true };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), STREAMS_UNLIMITED);
    recorder_end(&r);
    assert_log(&r.log, "subscribed 1 2 3 4 5 6 7 finished destroyed");
    assert_false(s.overlapped);
}

static void wake_asks_again(void **state) {
    (void)state;
    source s = { .next = 1, .last = 9, .portion = 1, .keeps_emitter = true };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), 3);
    assert_log(&r.log, "subscribed 1");
    assert_log(&s.log, "open produce(3)");
    assert_ok(streams_emitter_wake(s.emitter));
    assert_log(&s.log, "produce(2)");
    assert_ok(streams_emitter_wake(s.emitter));
    assert_log(&s.log, "produce(1)");
    assert_log(&r.log, "2 3");
    /* Without demand nothing happens. */
    assert_ok(streams_emitter_wake(s.emitter));
    assert_log(&s.log, "");
    recorder_end(&r);
    assert_status(STREAMS_TERMINATED, streams_emitter_wake(s.emitter));
    assert_ok(streams_release(s.emitter));
}

static void each_subscriber_starts_afresh(void **state) {
    (void)state;
    source s = { .last = 3 };
    streams_publisher *p = source_publisher(&s);
    for (int i = 0; i < 3; i++) {
        s.next = 1;
        assert_ok(streams_retain(p));
        assert_stream(p, "subscribed 1 2 3 finished destroyed");
    }
    assert_int_equal(s.opened, 3);
    assert_int_equal(s.closed, 3);
    assert_int_equal(s.destroyed, 0);
    assert_ok(streams_release(p));
    assert_int_equal(s.destroyed, 1);
}

static void the_end_may_come_later(void **state) {
    (void)state;
    source s = { .next = 1, .last = 2, .ends_later = true };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), 2);
    assert_log(&r.log, "subscribed 1 2");
    assert_ok(streams_subscription_request(r.subscription, 1));
    assert_log(&r.log, "finished destroyed");
    recorder_end(&r);
    assert_log(&s.log, "open produce(2) produce(1) close destroy");
}

/* ---- Cancellation and failure ------------------------------------------------------ */

static void cancel_inside(recorder *self, const streams_value *value) {
    if (value->as.integer == 2) streams_subscription_cancel(self->subscription);
}

static void cancelled_inside_a_value(void **state) {
    (void)state;
    source s = { .next = 1, .last = 9, .keeps_emitter = true };
    recorder r = { .on_value = cancel_inside };
    recorder_subscribe(&r, source_publisher(&s), STREAMS_UNLIMITED);
    assert_int_equal(s.next, 4); /* the third send is refused */
    assert_int_equal(s.closed, 1);
    streams_value value = streams_int(1);
    assert_status(STREAMS_TERMINATED, streams_emitter_send(s.emitter, &value));
    assert_status(STREAMS_TERMINATED, streams_emitter_finish(s.emitter));
    assert_int_equal(streams_emitter_demand(s.emitter), 0);
    recorder_end(&r);
    assert_log(&r.log, "subscribed 1 2 destroyed");
    assert_ok(streams_release(s.emitter));
    assert_int_equal(s.destroyed, 1);
}

static void a_failing_produce_fails_the_stream(void **state) {
    (void)state;
    source s = { .next = 1, .last = 9, .produce_status = STREAMS_LIMIT };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), 1);
    recorder_end(&r);
    assert_non_null(strstr(r.log.text, "subscribed failed("));
    assert_non_null(strstr(r.log.text, "destroyed"));
    assert_log(&s.log, "open produce(1) close destroy");
}

static void a_failing_open_fails_the_stream_without_close(void **state) {
    (void)state;
    source s = { .next = 1, .last = 9, .open_status = STREAMS_LIMIT };
    recorder r = { 0 };
    recorder_subscribe(&r, source_publisher(&s), 1);
    recorder_end(&r);
    assert_non_null(strstr(r.log.text, "subscribed failed("));
    assert_log(&s.log, "open destroy");
}

static void finish_in_open(source *self, streams_emitter *emitter) {
    streams_value value = streams_int(1);
    log_add(&self->log, "%s", streams_status_name(streams_emitter_send(emitter, &value)));
    log_add(&self->log, "%s", streams_status_name(streams_emitter_finish(emitter)));
}

static void finishing_in_open_waits_for_the_subscription(void **state) {
    (void)state;
    source s = { .next = 1, .last = 9, .on_open = finish_in_open };
    assert_stream(source_publisher(&s), "subscribed finished destroyed");
    /* There is no demand yet. */
    assert_log(&s.log, "open STREAMS_DEMAND_EXCEEDED STREAMS_OK close destroy");
}

static void fail_in_open(source *self, streams_emitter *emitter) {
    streams_error *error = streams_error_create(1, "d", "not today", NULL);
    log_add(&self->log, "%s", streams_status_name(streams_emitter_fail(emitter, error)));
    streams_release(error);
}

static void failing_in_open_waits_for_the_subscription(void **state) {
    (void)state;
    source s = { .next = 1, .last = 9, .on_open = fail_in_open };
    assert_stream(source_publisher(&s), "subscribed failed(not today) destroyed");
    assert_log(&s.log, "open STREAMS_OK close destroy");
}

static void without_open_the_state_is_the_context(void **state) {
    (void)state;
    source s = { .next = 1, .last = 2 };
    streams_source made = STREAMS_SOURCE_INIT;
    made.context = &s;
    made.produce = source_produce;
    assert_stream(streams_publisher_create(&made), "subscribed 1 2 finished destroyed");
}

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
    streams_cancellable *ticket = streams_sink(streams_publisher_create(&made), &subscriber);
    atomic_int sent = 0;
    pthread_t threads[SENDERS];
    racer racers[SENDERS];
    for (int i = 0; i < SENDERS; i++) {
        racers[i] = (racer){ .emitter = s.emitter, .base = i * 1000000, .sent = &sent };
        assert_int_equal(pthread_create(&threads[i], NULL, send_many, &racers[i]), 0);
    }
    for (int i = 0; i < SENDERS; i++) pthread_join(threads[i], NULL);
    assert_ok(streams_release(ticket));
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
        test(produces_what_is_asked_for),
        test(without_demand_it_is_not_asked),
        test(returned_demand_is_asked_for_in_a_loop),
        test(a_request_inside_a_value_does_not_recurse),
        test(a_short_portion_rests_until_new_demand),
        test(a_source_may_wake_itself),
        test(wake_asks_again),
        test(each_subscriber_starts_afresh),
        test(the_end_may_come_later),
        test(cancelled_inside_a_value),
        test(a_failing_produce_fails_the_stream),
        test(a_failing_open_fails_the_stream_without_close),
        test(finishing_in_open_waits_for_the_subscription),
        test(failing_in_open_waits_for_the_subscription),
        test(without_open_the_state_is_the_context),
        test(sends_from_outside),
        test(demand_may_be_unlimited),
        test(counts_demand_that_arrives_while_delivering),
        test(emitters_refuse),
        test(fails_with_an_error),
        test(create_refuses),
        test(emitters_take_values_from_several_threads),
        test(waking_from_several_threads_never_overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
