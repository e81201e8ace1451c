/* Eight threads send through receive_on to one loop, while timers fire there, others are taken back, and
 * subscriptions come and go. Nothing is lost, nothing comes twice, and each sender's values come in order. */

#include <pthread.h>
#include <sched.h>

#include "support.h"

enum { SENDERS = 8,
    BATCH = 5,
    /* What a sender's values begin with. */
    STRIDE = 1000000000 };

static const int64_t FOREVER = INT64_C(60000000000);
static const int64_t MILLISECOND = INT64_C(1000000);

static int64_t values_in_all(void) { return under_valgrind() ? 4000 : 1000000; }

/* ---- Who receives ---------------------------------------------------------------------- */

/* Looks at the values of all senders, on the loop's thread. */
typedef struct audience {
    pthread_t home;
    int64_t next[SENDERS]; /* the number that each sender is to come with, or a later one */
    bool may_miss;         /* whether it has come late, and leaves before the end */
    bool is_disordered, is_misplaced, is_late;
    int64_t values;
    atomic_int ends, destroyed;
} audience;

static void hear_one(audience *self, int64_t value) {
    int64_t sender = value / STRIDE, number = value % STRIDE;
    if (number < self->next[sender] || (number > self->next[sender] && !self->may_miss)) {
        self->is_disordered = true;
    }
    self->next[sender] = number + 1;
    self->values++;
}

static uint64_t hear(void *context, const streams_value *values, size_t count) {
    audience *self = context;
    if (pthread_equal(pthread_self(), self->home) == 0) self->is_misplaced = true;
    if (self->ends > 0 || self->destroyed > 0) self->is_late = true;
    for (size_t i = 0; i < count; i++) hear_one(self, values[i].as.integer);
    return 0;
}

static void hear_end(void *context, const streams_error *error) {
    (void)error;
    ((audience *)context)->ends++;
}

static void leave(void *context) { ((audience *)context)->destroyed++; }

static streams_cancellable *attend(audience *self, streams_publisher *p) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = self;
    subscriber.on_values = hear;
    subscriber.on_completion = hear_end;
    subscriber.destroy = leave;
    return streams_sink(p, &subscriber);
}

static void assert_heard_well(const audience *self) {
    assert_false(self->is_disordered);
    assert_false(self->is_misplaced);
    assert_false(self->is_late);
    assert_int_equal(self->destroyed, 1);
}

/* ---- Who sends ------------------------------------------------------------------------- */

typedef struct sender {
    streams_subject *subject;
    int64_t first, count;
    pthread_t thread;
} sender;

/* Single values, and now and then a batch. */
static void *send_all(void *context) {
    const sender *self = context;
    for (int64_t i = 0; i < self->count;) {
        int64_t batch[BATCH];
        size_t size = i % 97 == 0 && self->count - i >= BATCH ? BATCH : 1;
        for (size_t k = 0; k < size; k++) batch[k] = self->first + i++;
        (void)(size == 1 ? send_int(self->subject, *batch)
                         : streams_subject_send_int64s(self->subject, batch, size));
    }
    return NULL;
}

/* ---- What else goes on ----------------------------------------------------------------- */

/* A thread that subscribes, and cancels; and that sets timers, and takes half of them back. */
typedef struct bustle {
    streams_scheduler *loop;
    streams_subject *subject;
    pthread_t home, thread;
    atomic_bool is_over, is_done;
    int64_t rounds;
    atomic_llong set, fired, forgotten;
    bool has_failed;
} bustle;

static void fire(void *context) { ((bustle *)context)->fired++; }
static void forget(void *context) { ((bustle *)context)->forgotten++; }

static void set_timers(bustle *self) {
    int64_t now = streams_scheduler_now(self->loop);
    for (int64_t i = 0; i < 4; i++) {
        uint64_t timer = streams_scheduler_schedule(self->loop, now + i * 20000, fire, self, forget);
        self->set++;
        if (i % 2 == 1) (void)streams_scheduler_cancel(self->loop, timer);
    }
}

static void come_and_go(bustle *self) {
    audience *passerby = calloc(1, sizeof *passerby);
    if (passerby == NULL) return;
    passerby->home = self->home;
    passerby->may_miss = true;
    streams_publisher *p = streams_subject_publisher(self->subject);
    streams_cancellable *cancellable = attend(passerby, streams_receive_on(p, self->loop));
    set_timers(self);
    (void)streams_release(cancellable);
    /* The loop may be in the midst of a delivery, and lets go after that. */
    while (passerby->destroyed == 0) (void)sched_yield();
    if (passerby->is_disordered || passerby->is_misplaced || passerby->is_late) self->has_failed = true;
    free(passerby);
}

static void *keep_busy(void *context) {
    bustle *self = context;
    do {
        come_and_go(self);
        self->rounds++;
    } while (!self->is_over);
    self->is_done = true;
    return NULL;
}

/* ---- The tests ------------------------------------------------------------------------- */

static void begin(sender *senders, streams_subject **subjects, size_t count) {
    for (int64_t i = 0; i < SENDERS; i++) {
        senders[i] = (sender){ subjects[(size_t)i % count], i * STRIDE, values_in_all() / SENDERS, 0 };
        assert_int_equal(pthread_create(&senders[i].thread, NULL, send_all, &senders[i]), 0);
    }
}

static void end(bustle *others, sender *senders) {
    for (int i = 0; i < SENDERS; i++) assert_int_equal(pthread_join(senders[i].thread, NULL), 0);
    others->is_over = true;
    /* A value may be waiting for the loop that nobody else will run. */
    while (!others->is_done) assert_ok(streams_loop_run_once(others->loop, MILLISECOND));
    assert_int_equal(pthread_join(others->thread, NULL), 0);
    while (others->forgotten < others->set) assert_ok(streams_loop_run_once(others->loop, FOREVER));
    assert_false(others->has_failed);
    assert_true(others->rounds > 0 && others->fired > 0);
    assert_true(others->fired * 2 >= others->set); /* only those are taken back that were to be */
}

/* Each value goes to a subject, all of which end in one stream or in one each. */
static void hand_over(size_t count) {
    audience audiences[SENDERS] = { 0 };
    sender senders[SENDERS];
    streams_subject *subjects[SENDERS];
    streams_cancellable *cancellables[SENDERS];
    streams_scheduler *loop = streams_loop_create();
    for (size_t i = 0; i < count; i++) {
        subjects[i] = streams_passthrough_subject_create();
        audiences[i].home = pthread_self();
        cancellables[i] =
            attend(&audiences[i], streams_receive_on(streams_subject_publisher(subjects[i]), loop));
    }
    bustle others = { .loop = loop, .subject = *subjects, .home = pthread_self() };
    assert_int_equal(pthread_create(&others.thread, NULL, keep_busy, &others), 0);
    begin(senders, subjects, count);
    int64_t expected = values_in_all() / SENDERS * SENDERS, heard = 0;
    while (heard < expected) {
        assert_ok(streams_loop_run_once(loop, FOREVER));
        heard = 0;
        for (size_t i = 0; i < count; i++) heard += audiences[i].values;
    }
    end(&others, senders);
    for (size_t i = 0; i < count; i++) assert_ok(finish(subjects[i]));
    (void)streams_loop_run_once(loop, 0);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(audiences[i].ends, 1);
        assert_int_equal(audiences[i].values, expected / (int64_t)count);
        assert_ok(streams_release(cancellables[i]));
        assert_ok(streams_release(subjects[i]));
        assert_heard_well(&audiences[i]);
    }
    assert_ok(streams_release(loop));
}

static void eight_threads_send_through_one_stream(void **state) {
    (void)state;
    hand_over(1);
}

static void eight_threads_send_through_a_stream_each(void **state) {
    (void)state;
    hand_over(SENDERS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(eight_threads_send_through_one_stream),
        test(eight_threads_send_through_a_stream_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
