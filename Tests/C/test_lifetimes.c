/* destroy(context) runs exactly once, after the last call, in every way that a
 * stream can come to its end. */

#include "rows.h"

/* ---- Every operator, and some around others ------------------------------------ */

/* An operator after a map, so that there is always a context. */
static streams_publisher *with(const char *function, streams_publisher *p, fixture *f) {
    for (int i = 0; i < attachment_count; i++) {
        if (strcmp(attachments[i].function, function) == 0) return attachments[i].attach(p, NULL, f);
    }
    streams_release(p);
    return NULL;
}

static streams_publisher *mapped(streams_publisher *p, fixture *f) { return with("streams_map", p, f); }

/* Its publishers neither end nor send. */
static streams_status expand_endlessly(void *context, const streams_value *in, streams_publisher **out) {
    bool unused;
    (void)row_predicate(context, in, &unused);
    *out = streams_prefix(streams_drop_first(streams_empty(false), 1), 2);
    return STREAMS_OK;
}

static streams_publisher *endless_flat_map(streams_publisher *p, fixture *f) {
    return streams_flat_map(mapped(p, f), 2, expand_endlessly, taken(f), row_destroy);
}

static streams_publisher *nested_flat_map(streams_publisher *p, fixture *f) {
    return with("streams_flat_map", with("streams_flat_map", mapped(p, f), f), f);
}

/* Waits for the one while it has the other. */
static streams_publisher *half_zip(streams_publisher *p, fixture *f) {
    streams_publisher *both[] = { with("streams_subscribe_on", ints(3), f), mapped(p, f) };
    return streams_zip(both, 2);
}

static streams_publisher *long_chain(streams_publisher *p, fixture *f) {
    static const char *const functions[] = { "streams_compact_map", "streams_map", "streams_filter",
        "streams_remove_duplicates_by", "streams_scan", "streams_handle_events", "streams_map",
        "streams_flat_map", "streams_catch" };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) p = with(functions[i], p, f);
    return p;
}

static const struct {
    const char *name;
    streams_publisher *(*attach)(streams_publisher *p, fixture *f);
} nested[] = {
    { "flat_map that goes on", endless_flat_map },
    { "flat_map in flat_map", nested_flat_map },
    { "zip with a subscription that waits", half_zip },
    { "a long chain", long_chain },
};
enum { NESTED = sizeof nested / sizeof nested[0] };

static int operator_count(void) { return attachment_count + NESTED; }

static const char *operator_name(int o) {
    return o < NESTED ? nested[o].name : attachments[o - NESTED].function;
}

/* Attaches it to the subject, or to a sequence if there is none. */
static streams_publisher *attach(int o, streams_subject *subject, fixture *f) {
    streams_publisher *sources[2] = { NULL, NULL };
    bool takes_two = o >= NESTED && attachments[o - NESTED].takes_two;
    for (int i = 0; i < (takes_two ? 2 : 1); i++) {
        sources[i] = subject != NULL ? streams_subject_publisher(subject) : ints(3);
    }
    if (o < NESTED) return nested[o].attach(sources[0], f);
    if (takes_two) sources[1] = mapped(sources[1], f);
    return attachments[o - NESTED].attach(mapped(sources[0], f), sources[1], f);
}

/* ---- Ways to end -------------------------------------------------------------------- */

typedef struct scene {
    streams_subject *subject;
    recorder recorder;
    fixture fixture;
} scene;

static void send_some(scene *s) {
    const int64_t integers[] = { 1, 2, 3 };
    (void)streams_subject_send_int64s(s->subject, integers, 3);
    (void)send_int(s->subject, 4);
}

static void end_by_finish(scene *s) {
    send_some(s);
    (void)finish(s->subject);
}

static void end_by_failure(scene *s) {
    send_some(s);
    (void)fail_with(s->subject, "over");
}

static void end_by_failing_callback(scene *s) {
    send_some(s);
    (void)send_int(s->subject, -33);
    (void)send_int(s->subject, 5);
}

static void end_by_cancel(scene *s) {
    send_some(s);
    streams_cancel(s->recorder.cancellable);
    send_some(s);
}

static void end_by_release(scene *s) {
    send_some(s);
    streams_release(s->recorder.cancellable);
    s->recorder.cancellable = NULL;
}

static void end_by_subscription(scene *s) {
    send_some(s);
    streams_subscription_cancel(s->recorder.subscription);
}

static void cancel_at_two(recorder *self, const streams_value *value) {
    (void)value;
    if (self->values == 2) streams_subscription_cancel(self->subscription);
}

static void end_inside_a_value(scene *s) {
    s->recorder.on_value = cancel_at_two;
    send_some(s);
    send_some(s);
}

static void drop_cancellable(recorder *self, const streams_value *value) {
    (void)value;
    if (self->cancellable != NULL) streams_release(self->cancellable);
    self->cancellable = NULL;
}

static void end_by_release_inside_a_value(scene *s) {
    s->recorder.on_value = drop_cancellable;
    send_some(s);
    send_some(s);
}

static void end_without_a_value(scene *s) { (void)finish(s->subject); }

static void end_at_once(scene *s) { (void)s; }

static const struct {
    const char *name;
    void (*end)(scene *s);
} endings[] = {
    { "finish", end_by_finish },
    { "failure", end_by_failure },
    { "a failing callback", end_by_failing_callback },
    { "cancel", end_by_cancel },
    { "release of the cancellable", end_by_release },
    { "cancel of the subscription", end_by_subscription },
    { "cancel inside a value", end_inside_a_value },
    { "release of the cancellable inside a value", end_by_release_inside_a_value },
    { "finish without a value", end_without_a_value },
    { "nothing", end_at_once },
};
enum { ENDINGS = sizeof endings / sizeof endings[0] };

static void check(const life *l, const recorder *r, const char *name, const char *ending) {
    bool good = l->counter.destroyed == l->contexts && !l->called_after_destroy && r->destroyed == 1;
    if (good) return;
    fail_msg("%s, %s: %d of %d contexts destroyed%s, subscriber destroyed %d times", name, ending,
        l->counter.destroyed, l->contexts, l->called_after_destroy ? ", called afterwards" : "",
        r->destroyed);
}

static void run_through_all(uint64_t demand, bool batches) {
    for (int o = 0; o < operator_count(); o++) {
        for (int e = 0; e < ENDINGS; e++) {
            scene s = { .recorder = { .batches = batches } };
            fixture_begin(&s.fixture);
            s.subject = streams_passthrough_subject_create();
            recorder_subscribe(&s.recorder, attach(o, s.subject, &s.fixture), demand);
            assert_true(let_happen(&s.fixture));
            endings[e].end(&s);
            recorder_end(&s.recorder);
            assert_true(let_time_pass(&s.fixture));
            /* The subject lives on: nothing of the stream may hang on it. */
            check(&s.fixture.life, &s.recorder, operator_name(o), endings[e].name);
            assert_ok(streams_release(s.subject));
            fixture_end(&s.fixture);
        }
    }
}

static void every_operator_in_every_ending(void **state) {
    (void)state;
    run_through_all(STREAMS_UNLIMITED, false);
}

static void with_finite_demand(void **state) {
    (void)state;
    run_through_all(2, false);
}

static void without_demand(void **state) {
    (void)state;
    run_through_all(0, false);
}

static void in_batches(void **state) {
    (void)state;
    run_through_all(STREAMS_UNLIMITED, true);
}

static void the_subject_goes_first(void **state) {
    (void)state;
    for (int o = 0; o < operator_count(); o++) {
        fixture f;
        fixture_begin(&f);
        recorder r = { 0 };
        streams_subject *subject = streams_passthrough_subject_create();
        recorder_subscribe(&r, attach(o, subject, &f), STREAMS_UNLIMITED);
        assert_true(let_happen(&f));
        assert_ok(send_int(subject, 1));
        assert_ok(streams_release(subject));
        recorder_end(&r);
        assert_true(let_time_pass(&f));
        check(&f.life, &r, operator_name(o), "subject released");
        fixture_end(&f);
    }
}

/* What waits on it is released, and holds nothing else. */
static void the_scheduler_goes_first(void **state) {
    (void)state;
    for (int o = 0; o < operator_count(); o++) {
        for (int cancelled_first = 0; cancelled_first < 2; cancelled_first++) {
            fixture f;
            fixture_begin(&f);
            recorder r = { 0 };
            recorder_subscribe(&r, attach(o, NULL, &f), STREAMS_UNLIMITED);
            if (cancelled_first) recorder_end(&r);
            assert_ok(streams_release(f.scheduler));
            if (!cancelled_first) recorder_end(&r);
            check(&f.life, &r, operator_name(o), "scheduler released");
            f.scheduler = streams_virtual_scheduler_create();
            fixture_end(&f);
        }
    }
}

static void never_subscribed(void **state) {
    (void)state;
    for (int o = 0; o < operator_count(); o++) {
        fixture f;
        fixture_begin(&f);
        streams_publisher *p = attach(o, NULL, &f);
        assert_int_equal(f.life.counter.destroyed, 0);
        assert_ok(streams_release(p));
        assert_int_equal(f.life.counter.destroyed, f.life.contexts);
        assert_int_equal(f.life.counter.calls, 0);
        fixture_end(&f);
    }
}

static void subscribed_twice(void **state) {
    (void)state;
    for (int o = 0; o < operator_count(); o++) {
        fixture f;
        fixture_begin(&f);
        recorder first = { 0 }, second = { 0 };
        streams_publisher *p = attach(o, NULL, &f);
        assert_ok(streams_retain(p));
        assert_ok(streams_retain(p));
        recorder_subscribe(&first, p, STREAMS_UNLIMITED);
        recorder_subscribe(&second, p, 1);
        recorder_end(&first);
        recorder_end(&second);
        assert_true(let_time_pass(&f));
        assert_true(f.life.counter.destroyed < f.life.contexts);
        assert_ok(streams_release(p));
        check(&f.life, &first, operator_name(o), "subscribed twice");
        assert_int_equal(second.destroyed, 1);
        fixture_end(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(every_operator_in_every_ending),
        test(with_finite_demand),
        test(without_demand),
        test(in_batches),
        test(the_subject_goes_first),
        test(the_scheduler_goes_first),
        test(never_subscribed),
        test(subscribed_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
