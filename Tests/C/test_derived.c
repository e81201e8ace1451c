/* Threads send to subjects with a current value, and the subscriber of a property that is derived from these
 * sends to them amid its values: so some wait for each other, and cannot, and leave what they send. In the
 * end the property is equal to what it is derived from.
 *
 *     FUZZ_SECONDS=600 FUZZ_SEED=5 build/tests/test_derived    looks for longer */

#include <pthread.h>
#include <sched.h>

#include "support.h"

enum { SUBJECTS = 3,
    THREADS = 3,
    VALUES = 100,
    LIMIT = 1000 };

typedef struct {
    streams_subject *subjects[SUBJECTS], *other; /* for whose values the thread that sends them sends too */
    streams_property *properties[SUBJECTS], *combined;
    streams_cancellable *cancellables[2];
    _Atomic int64_t told; /* what the subscriber of the combined property was told last */
    uint64_t seed;
    atomic_bool begun;
} program;

typedef struct {
    program *of;
    uint64_t chance;
    bool is_answering;
    pthread_t thread;
} sender;

static _Thread_local sender *this_sender;

static void send_one(sender *self) {
    (void)send_int(self->of->subjects[below(&self->chance, SUBJECTS)], below(&self->chance, LIMIT));
}

static void *send_all(void *context) {
    sender *self = this_sender = context;
    while (!self->of->begun) (void)sched_yield();
    for (int i = 0; i < VALUES; i++) {
        if (below(&self->chance, 2) == 0)
            send_one(self);
        else
            (void)send_int(self->of->other, i);
    }
    return NULL;
}

/* Sends amid a value, but not amid such a value. */
static void answer(bool also_to_the_other) {
    sender *self = this_sender;
    if (self == NULL || self->is_answering || below(&self->chance, 4) > 0) return;
    self->is_answering = true;
    (void)sched_yield();
    if (also_to_the_other) (void)send_int(self->of->other, 0);
    send_one(self);
    self->is_answering = false;
}

static uint64_t hear_other(void *context, const streams_value *value) {
    (void)context, (void)value;
    answer(false);
    return 0;
}

static uint64_t hear(void *context, const streams_value *value) {
    ((program *)context)->told = value->as.integer;
    answer(true);
    return 0;
}

static streams_status
joined(void *context, const streams_value *values, size_t count, streams_value *out) {
    (void)context;
    int64_t all = 0;
    for (size_t i = 0; i < count; i++) all = all * LIMIT + values[i].as.integer;
    *out = streams_int(all);
    return STREAMS_OK;
}

static void derive(program *self) {
    streams_value zero = streams_int(0);
    for (int i = 0; i < SUBJECTS; i++) {
        self->subjects[i] = streams_current_value_subject_create(&zero);
        self->properties[i] = streams_property_of_subject(self->subjects[i]);
    }
    self->combined = streams_property_combine_latest(self->properties, SUBJECTS, joined, NULL, NULL);
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = self;
    subscriber.on_value = hear;
    self->cancellables[0] = streams_sink(streams_property_all_values(self->combined), &subscriber);
    self->other = streams_passthrough_subject_create();
    subscriber.on_value = hear_other;
    self->cancellables[1] = streams_sink(streams_subject_publisher(self->other), &subscriber);
}

static void run(program *self) {
    sender senders[THREADS];
    for (int i = 0; i < THREADS; i++) {
        senders[i] = (sender){ .of = self, .chance = self->seed * THREADS + (uint64_t)i };
        assert_int_equal(pthread_create(&senders[i].thread, NULL, send_all, &senders[i]), 0);
    }
    self->begun = true;
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(senders[i].thread, NULL), 0);
}

static int64_t value_of(const streams_subject *subject) {
    streams_value value;
    assert_ok(streams_current_value_subject_get_value(subject, &value));
    return value.as.integer;
}

static int64_t value_of_property(const streams_property *property) {
    streams_value value;
    assert_ok(streams_property_get_value(property, &value));
    return value.as.integer;
}

static bool is(const char *what, int64_t value, int64_t expected) {
    if (value == expected) return true;
    print_error("%s is %" PRIi64 ", not %" PRIi64 "\n", what, value, expected);
    return false;
}

static bool all_are_equal(const program *self) {
    int64_t all = 0;
    bool is_right = true;
    for (int i = 0; i < SUBJECTS; i++) {
        all = all * LIMIT + value_of(self->subjects[i]);
        is_right &= is("a property", value_of_property(self->properties[i]), value_of(self->subjects[i]));
    }
    is_right &= is("the combined property", value_of_property(self->combined), all);
    return is("what the property sent last", self->told, all) && is_right;
}

static bool holds(uint64_t seed) {
    program p = { .seed = seed };
    derive(&p);
    run(&p);
    bool is_right = all_are_equal(&p);
    for (int i = 0; i < 2; i++) assert_ok(streams_release(p.cancellables[i]));
    assert_ok(streams_release(p.other));
    assert_ok(streams_release(p.combined));
    for (int i = 0; i < SUBJECTS; i++) {
        assert_ok(streams_release(p.properties[i]));
        assert_ok(streams_release(p.subjects[i]));
    }
    return is_right;
}

static void what_is_derived_ends_equal(void **state) {
    (void)state;
    every_program_holds(holds);
}

int main(void) {
    const struct CMUnitTest tests[] = { test(what_is_derived_ends_equal) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
