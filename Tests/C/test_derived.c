/* Threads send to subjects with a current value, and the subscriber of a property that is derived from these
 * sends to them amid its values: so some wait for each other, and cannot, and leave what they send. In the
 * end the property is equal to what it is derived from.
 *
 *     FUZZ_SECONDS=600 FUZZ_SEED=5 build/tests/test_derived    looks for longer */

#include "senders.h"
#include "support.h"

enum { SUBJECTS = 3,
    LIMIT = 1000 };

typedef struct {
    senders senders;
    streams_subject *subjects[SUBJECTS];
    streams_property *properties[SUBJECTS], *combined;
    streams_cancellable *cancellables[3];
    _Atomic int64_t told; /* what the subscriber of the combined property was told last */
} program;

static void send_one(void *context, uint64_t *chance) {
    program *self = context;
    streams_subject *subject = self->subjects[below(chance, SUBJECTS)];
    (void)send_int(subject, below(chance, LIMIT));
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

static streams_cancellable *sink(
    program *self, streams_publisher *p, uint64_t (*on_value)(void *context, const streams_value *value)) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = self;
    subscriber.on_value = on_value;
    return streams_sink(p, &subscriber);
}

static void make_sources(program *self) {
    streams_value zero = streams_int(0);
    for (int i = 0; i < SUBJECTS; i++) {
        self->subjects[i] = streams_current_value_subject_create(&zero);
        self->properties[i] = streams_property_of_subject(self->subjects[i]);
    }
    self->senders.other = streams_passthrough_subject_create();
    self->cancellables[1] = sink(self, streams_subject_publisher(self->senders.other), hear_other);
    self->cancellables[2] = sink(self, streams_property_all_values(self->properties[0]), hear_other);
}

static void derive(void *context) {
    program *self = context;
    self->combined = streams_property_combine_latest(self->properties, SUBJECTS, joined, NULL, NULL);
    self->cancellables[0] = sink(self, streams_property_all_values(self->combined), hear);
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
    program p = { .senders = { .context = &p, .send = send_one } };
    /* The property is derived before the threads send, or meanwhile. */
    bool is_early = seed % 2 == 0;
    make_sources(&p);
    if (is_early) derive(&p);
    run_senders(&p.senders, seed, is_early ? NULL : derive);
    bool is_right = all_are_equal(&p);
    for (int i = 0; i < 3; i++) assert_ok(streams_release(p.cancellables[i]));
    assert_ok(streams_release(p.senders.other));
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
