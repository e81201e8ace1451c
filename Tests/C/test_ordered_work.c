/* What Docs/c.md makes of a map, a buffer and a concat_map: results in the order of
 * their values, of work that is done several at a time. */

#include "support.h"

enum { VALUES = 30 };

typedef struct work work;
typedef struct job {
    work *of;
    streams_promise *result;
    int64_t number;
} job;

struct work {
    streams_scheduler *clock;
    uint32_t random;
    int64_t fails; /* the number whose work does */
    int begun, running, most, out_of_order;
    int64_t last; /* that was done */
    job jobs[VALUES];
};

static void finish_job(void *context) {
    job *self = context;
    self->of->running--;
    self->of->out_of_order += self->number < self->of->last;
    self->of->last = self->number;
    streams_value number = streams_int(self->number);
    if (self->number != self->of->fails) {
        (void)streams_promise_resolve(self->result, &number);
        return;
    }
    streams_error *error = new_error("no");
    (void)streams_promise_reject(self->result, error);
    (void)streams_release(error);
}
static void end_job(void *context) { (void)streams_release(((job *)context)->result); }

static void keep(void *promise) { (void)streams_retain(promise); }
static void let_go(void *promise) { (void)streams_release(promise); }
static const streams_object_type promised = { sizeof promised, keep, let_go, NULL, NULL };

static streams_status begin(void *context, const streams_value *number, streams_value *out) {
    work *self = context;
    job *next = &self->jobs[self->begun++];
    *next = (job){ self, streams_promise_create(), number->as.integer };
    if (++self->running > self->most) self->most = self->running;
    self->random = self->random * 1664525 + 1013904223;
    streams_nanoseconds time = streams_scheduler_now(self->clock) + (self->random >> 24) % 7;
    streams_status status = streams_value_object(&promised, next->result, out);
    (void)streams_scheduler_schedule(self->clock, time, finish_job, next, end_job);
    return status;
}

static streams_status result(void *context, const streams_value *promise, streams_publisher **out) {
    (void)context;
    *out = streams_promise_publisher(promise->as.object);
    return *out != NULL ? STREAMS_OK : streams_last_status();
}

static streams_publisher *in_order(work *self, int64_t at_once) {
    streams_publisher *p = streams_map(ints(VALUES), begin, self, NULL);
    p = streams_buffer(p, at_once - 1, STREAMS_PREFETCH_KEEP_FULL, STREAMS_WHEN_FULL_DROP_NEWEST);
    return streams_concat_map(p, result, NULL, NULL);
}

static work starting(uint32_t seed) {
    return (work){ .clock = streams_virtual_scheduler_create(), .random = seed };
}

/* "subscribed 1 2 ... last" and the end. */
static void assert_values(recorder *r, int last, const char *end) {
    test_log expected = { .length = 0 };
    log_add(&expected, "subscribed");
    for (int n = 1; n <= last; n++) log_add(&expected, "%d", n);
    if (*end != 0) log_add(&expected, "%s", end);
    assert_log(&r->log, expected.text);
}

static void results_come_in_the_order_of_the_values(void **state) {
    (void)state;
    int out_of_order = 0;
    for (uint32_t seed = 0; seed < 50; seed++) {
        int64_t at_once = 2 + seed % 7;
        work self = starting(seed);
        recorder r = { 0 };
        recorder_subscribe(&r, in_order(&self, at_once), STREAMS_UNLIMITED);
        assert_ok(streams_virtual_scheduler_run(self.clock));
        assert_values(&r, VALUES, "finished destroyed");
        assert_int_equal(self.most, at_once);
        out_of_order += self.out_of_order;
        recorder_end(&r);
        assert_ok(streams_release(self.clock));
    }
    assert_true(out_of_order > 100);
}

static void a_failure_comes_in_its_turn(void **state) {
    (void)state;
    for (uint32_t seed = 0; seed < 50; seed++) {
        work self = starting(seed);
        self.fails = 1 + seed % VALUES;
        recorder r = { 0 };
        recorder_subscribe(&r, in_order(&self, 5), STREAMS_UNLIMITED);
        assert_ok(streams_virtual_scheduler_run(self.clock));
        assert_values(&r, (int)self.fails - 1, "failed(no) destroyed");
        assert_true(self.begun <= self.fails + 4);
        recorder_end(&r);
        assert_ok(streams_release(self.clock));
    }
}

static void no_more_is_begun_than_is_asked_for(void **state) {
    (void)state;
    work self = starting(1);
    recorder r = { 0 };
    recorder_subscribe(&r, in_order(&self, 3), 4);
    assert_ok(streams_virtual_scheduler_run(self.clock));
    assert_values(&r, 4, "");
    int begun = self.begun;
    assert_true(begun <= 4 + 3);
    assert_ok(streams_subscription_request(r.subscription, 1));
    assert_ok(streams_virtual_scheduler_run(self.clock));
    assert_true(self.begun <= begun + 1);
    recorder_end(&r);
    assert_ok(streams_release(self.clock));
}

static void what_is_cancelled_lets_go_of_everything(void **state) {
    (void)state;
    work self = starting(1);
    recorder r = { 0 };
    recorder_subscribe(&r, in_order(&self, 3), STREAMS_UNLIMITED);
    assert_int_equal(self.begun, 3);
    recorder_end(&r);
    assert_ok(streams_virtual_scheduler_run(self.clock));
    assert_int_equal(self.begun, 3);
    assert_ok(streams_release(self.clock));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(results_come_in_the_order_of_the_values),
        test(a_failure_comes_in_its_turn),
        test(no_more_is_begun_than_is_asked_for),
        test(what_is_cancelled_lets_go_of_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
