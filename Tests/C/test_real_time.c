/* Operators with timers on every scheduler whose time is the real one. What is looked at is what comes, in
 * which order, and how many times; never when. The same cases are in Swift and in Python. */

#include <poll.h>
#include <pthread.h>
#include <time.h>

#include "support.h"

enum { SOON = 1000000 };                                  /* a moment that passes */
static const int64_t LONG = INT64_C(100000) * 1000000000; /* one that does not, while a test runs */

/* ---- A scheduler of one's own: the thread of the test runs what is due ------------------ */

enum { MOST = 64 };

typedef struct own {
    struct {
        streams_nanoseconds time;
        streams_action *action;
    } waiting[MOST];
    int count;
} own;

static streams_nanoseconds own_now(void *context) {
    struct timespec now;
    (void)context;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (streams_nanoseconds)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Before those that are due later. */
static void own_schedule(void *context, streams_nanoseconds time, streams_action *action) {
    own *self = context;
    int at = self->count++;
    for (; at > 0 && self->waiting[at - 1].time > time; at--) self->waiting[at] = self->waiting[at - 1];
    self->waiting[at].time = time;
    self->waiting[at].action = action;
}

static void own_remove(own *self, int at) {
    self->count--;
    for (; at < self->count; at++) self->waiting[at] = self->waiting[at + 1];
}

static void own_cancel(void *context, streams_action *action) {
    own *self = context;
    for (int i = 0; i < self->count; i++) {
        if (self->waiting[i].action == action) own_remove(self, i);
    }
}

static void own_run_first(own *self) {
    if (self->count == 0 || self->waiting[0].time > own_now(self)) {
        (void)poll(NULL, 0, 1);
        return;
    }
    streams_action *action = self->waiting[0].action;
    own_remove(self, 0);
    (void)streams_action_run(action);
}

/* ---- What a case needs ----------------------------------------------------------------- */

typedef enum kind { LOOP,
    QUEUE,
    POOL,
    OWN,
    KINDS } kind;
static const char *const kind_names[KINDS] = { "a loop", "a queue", "a pool's queue", "one's own" };

typedef struct bench {
    kind kind;
    streams_scheduler *scheduler;
    streams_pool *pool;
    own own;
    streams_subject *subject;
    bool has_lengths; /* whether the values are lengths of time */
    /* What has come: numbers, lists in parentheses, + for a length of time, | or x at the end. */
    char text[64];
    atomic_int length, signals, destroyed;
} bench;

static streams_scheduler *own_create(own *self) {
    streams_custom_scheduler callbacks = STREAMS_CUSTOM_SCHEDULER_INIT;
    callbacks.context = self;
    callbacks.now = own_now;
    callbacks.schedule = own_schedule;
    callbacks.cancel = own_cancel;
    return streams_custom_scheduler_create(&callbacks);
}

static void open_bench(bench *self) {
    if (self->kind == LOOP) self->scheduler = streams_loop_create();
    if (self->kind == QUEUE) self->scheduler = streams_queue_create();
    if (self->kind == POOL) self->pool = streams_pool_create(2);
    if (self->kind == POOL) self->scheduler = streams_pool_queue(self->pool);
    if (self->kind == OWN) self->scheduler = own_create(&self->own);
    self->subject = streams_passthrough_subject_create();
    assert_non_null(self->scheduler);
}

static void note(bench *self, char mark) {
    int at = self->length;
    if (at + 1 < (int)sizeof self->text) self->text[at] = mark;
    self->length = at + 1;
}

static void note_value(bench *self, const streams_value *value) {
    if (value->kind != STREAMS_VALUE_LIST) {
        int64_t n = value->as.integer;
        note(self, n < 0 ? '-' : self->has_lengths ? '+'
                                                   : (char)('0' + n));
        return;
    }
    note(self, '(');
    for (size_t i = 0; i < value->size; i++) note_value(self, &value->as.items[i]);
    note(self, ')');
}

static uint64_t hear(void *context, const streams_value *values, size_t count) {
    bench *self = context;
    for (size_t i = 0; i < count; i++) {
        note_value(self, &values[i]);
        self->signals++;
    }
    return 0;
}

static void hear_end(void *context, const streams_error *error) {
    bench *self = context;
    note(self, error == NULL ? '|' : 'x');
    self->signals++;
}

static void leave(void *context) { ((bench *)context)->destroyed++; }

/* Lets a moment pass. */
static void let_run(bench *self) {
    if (self->kind == LOOP)
        (void)streams_loop_run_once(self->scheduler, SOON);
    else if (self->kind == OWN)
        own_run_first(&self->own);
    else
        (void)poll(NULL, 0, 1);
}

/* Waits until there are so many. */
static void await(bench *self, const atomic_int *what, int count) {
    for (int i = 0; i < 60000 && *what < count; i++) let_run(self);
}

/* ---- Cases ----------------------------------------------------------------------------- */

typedef streams_publisher *maker(streams_publisher *p, streams_scheduler *scheduler);

static streams_publisher *delay(streams_publisher *p, streams_scheduler *s) {
    return streams_delay(p, SOON, s);
}

static streams_publisher *debounce_soon(streams_publisher *p, streams_scheduler *s) {
    return streams_debounce(p, SOON, s);
}

static streams_publisher *debounce_long(streams_publisher *p, streams_scheduler *s) {
    return streams_debounce(p, LONG, s);
}

static streams_publisher *throttle_latest(streams_publisher *p, streams_scheduler *s) {
    return streams_throttle(p, SOON, s, true);
}

static streams_publisher *throttle_first(streams_publisher *p, streams_scheduler *s) {
    return streams_throttle(p, SOON, s, false);
}

static streams_publisher *timeout_soon(streams_publisher *p, streams_scheduler *s) {
    return streams_timeout(p, SOON, s, NULL);
}

static streams_publisher *timeout_long(streams_publisher *p, streams_scheduler *s) {
    return streams_timeout(p, LONG, s, NULL);
}

static streams_publisher *lists_soon(streams_publisher *p, streams_scheduler *s) {
    return streams_collect_by_time(p, SOON, s);
}

static streams_publisher *lists_long(streams_publisher *p, streams_scheduler *s) {
    return streams_collect_by_time(p, LONG, s);
}

static streams_publisher *lists_of_two(streams_publisher *p, streams_scheduler *s) {
    return streams_collect_by_time_or_count(p, LONG, 2, s);
}

static streams_publisher *intervals(streams_publisher *p, streams_scheduler *s) {
    return streams_measure_interval(p, s);
}

static streams_publisher *elsewhere(streams_publisher *p, streams_scheduler *s) {
    return streams_receive_on(p, s);
}

static streams_publisher *begun_elsewhere(streams_publisher *p, streams_scheduler *s) {
    const int64_t more[] = { 1, 2, 3 };
    (void)streams_release(p);
    return streams_subscribe_on(streams_sequence_int64s(more, 3), s);
}

/* What is sent: numbers, | or x for the end, and ~ to wait for another signal. */
typedef struct real_case {
    const char *name;
    maker *make;
    const char *sent, *expected;
} real_case;

static const real_case cases[] = {
    { "delay", delay, "123|", "123|" },
    { "delay: a failure", delay, "12x", "12x" },
    { "debounce", debounce_soon, "1~2~|", "12|" },
    { "debounce: a finish drops what waits", debounce_long, "123|", "|" },
    { "throttle: the latest", throttle_latest, "1~2~|", "12|" },
    { "throttle: the first", throttle_first, "1~2~x", "12x" },
    { "timeout", timeout_soon, "", "|" },
    { "timeout: in time", timeout_long, "12|", "12|" },
    { "collect_by_time", lists_soon, "1~2~|", "(1)(2)|" },
    { "collect_by_time: a finish", lists_long, "123|", "(123)|" },
    { "collect_by_time_or_count", lists_of_two, "12345|", "(12)(34)(5)|" },
    { "measure_interval", intervals, "12|", "++|" },
    { "receive_on", elsewhere, "12345|", "12345|" },
    { "receive_on: a failure", elsewhere, "12x", "12x" },
    { "subscribe_on", begun_elsewhere, "", "123|" },
};
enum { CASES = sizeof cases / sizeof *cases };

/* A list is one signal. */
static int signals_in(const char *expected) {
    int signals = 0;
    bool in_list = false;
    for (; *expected != '\0'; expected++) {
        if (*expected == '(' || *expected == ')') in_list = *expected == '(';
        signals += !in_list;
    }
    return signals;
}

static void take_steps(bench *self, const char *steps) {
    for (int awaited = 0; *steps != '\0'; steps++) {
        if (*steps == '~')
            await(self, &self->signals, ++awaited);
        else if (*steps == '|')
            assert_ok(finish(self->subject));
        else if (*steps == 'x')
            assert_ok(fail_with(self->subject, "oops"));
        else
            assert_ok(send_int(self->subject, *steps - '0'));
    }
}

static void run_case(const real_case *each, kind kind) {
    bench self = { .kind = kind, .has_lengths = each->make == intervals };
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &self;
    subscriber.on_values = hear;
    subscriber.on_completion = hear_end;
    subscriber.destroy = leave;
    open_bench(&self);
    streams_publisher *p = each->make(streams_subject_publisher(self.subject), self.scheduler);
    streams_cancellable *cancellable = streams_sink(p, &subscriber);
    assert_non_null(cancellable);
    take_steps(&self, each->sent);
    await(&self, &self.signals, signals_in(each->expected));
    assert_ok(streams_release(cancellable));
    await(&self, &self.destroyed, 1); /* what is scheduled lets go when it has run */
    if (strcmp(self.text, each->expected) != 0) {
        fail_msg("%s on %s: %s, not %s", each->name, kind_names[kind], self.text, each->expected);
    }
    assert_int_equal(self.destroyed, 1);
    assert_ok(streams_release(self.subject));
    assert_ok(streams_release(self.scheduler));
    if (self.pool != NULL) assert_ok(streams_release(self.pool));
}

static void run_cases(kind kind) {
    for (int i = 0; i < CASES; i++) run_case(&cases[i], kind);
}

static void on_a_loop(void **state) {
    (void)state;
    run_cases(LOOP);
}

static void on_a_queue(void **state) {
    (void)state;
    run_cases(QUEUE);
}

static void on_a_queue_of_a_pool(void **state) {
    (void)state;
    run_cases(POOL);
}

static void on_a_scheduler_of_ones_own(void **state) {
    (void)state;
    run_cases(OWN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(on_a_loop),
        test(on_a_queue),
        test(on_a_queue_of_a_pool),
        test(on_a_scheduler_of_ones_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
