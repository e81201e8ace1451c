/* destroy(context) runs exactly once, after the last call, in every way that a
 * stream can come to its end. */

#include "support.h"

/* Every callback of the chain shares this context; it counts what is wrong. */
typedef struct life {
    counter counter;
    int inside;
    bool destroyed_inside;
    bool called_after_destroy;
    int contexts; /* that were given to the library */
} life;

static void life_destroy(void *context) {
    life *self = context;
    if (self->inside > 0 && self->contexts == 1) self->destroyed_inside = true;
    self->counter.destroyed++;
}

static void enter(life *self) {
    self->inside++;
    self->counter.calls++;
    if (self->counter.destroyed >= self->contexts) self->called_after_destroy = true;
}

static streams_status life_map(void *context, const streams_value *in, streams_value *out) {
    life *self = context;
    enter(self);
    *out = streams_int(in->as.integer + 1);
    self->inside--;
    return in->as.integer == 33 ? streams_callback_fail_with(1, "test", "33") : STREAMS_OK;
}

static streams_status life_filter(void *context, const streams_value *in, bool *result) {
    life *self = context;
    (void)in;
    enter(self);
    *result = true;
    self->inside--;
    return STREAMS_OK;
}

static streams_status life_compare(
    void *context, const streams_value *a, const streams_value *b, bool *same) {
    life *self = context;
    (void)same;
    enter(self);
    self->inside--;
    return a->as.integer == b->as.integer ? STREAMS_LIMIT : STREAMS_OK;
}

static streams_status life_sum(
    void *context, const streams_value *accumulated, const streams_value *in, streams_value *out) {
    life *self = context;
    (void)accumulated;
    enter(self);
    *out = streams_int(in->as.integer);
    self->inside--;
    return STREAMS_OK;
}

static streams_status life_expand(void *context, const streams_value *in, streams_publisher **out) {
    life *self = context;
    enter(self);
    *out = streams_just(in);
    self->inside--;
    return STREAMS_OK;
}

/* Its publishers neither end nor send. */
static streams_status life_expand_endlessly(
    void *context, const streams_value *in, streams_publisher **out) {
    life *self = context;
    (void)in;
    enter(self);
    *out = streams_prefix(streams_drop_first(streams_empty(false), 1), 2);
    self->inside--;
    return STREAMS_OK;
}

static streams_status life_recover(void *context, const streams_error *error, streams_publisher **out) {
    life *self = context;
    enter(self);
    streams_value code = streams_int(streams_error_code(error) + 1000);
    *out = streams_just(&code);
    self->inside--;
    return STREAMS_OK;
}

static void life_event(void *context, const streams_value *value) {
    (void)value;
    life *self = context;
    enter(self);
    self->inside--;
}

static void life_write(void *context, const char *text, size_t length) {
    (void)text, (void)length;
    life *self = context;
    enter(self);
    self->inside--;
}

typedef streams_publisher *(*attach)(streams_publisher *p, life *self);

static streams_publisher *attach_map(streams_publisher *p, life *l) {
    return l->contexts++, streams_map(p, life_map, l, life_destroy);
}
static streams_publisher *attach_filter(streams_publisher *p, life *l) {
    return l->contexts++, streams_filter(p, life_filter, l, life_destroy);
}
static streams_publisher *attach_compact_map(streams_publisher *p, life *l) {
    return l->contexts++, streams_compact_map(p, life_map, l, life_destroy);
}
static streams_publisher *attach_remove_duplicates(streams_publisher *p, life *l) {
    return l->contexts++, streams_remove_duplicates_by(p, life_compare, l, life_destroy);
}
static streams_publisher *attach_scan(streams_publisher *p, life *l) {
    streams_value zero = streams_int(0);
    return l->contexts++, streams_scan(p, &zero, life_sum, l, life_destroy);
}
static streams_publisher *attach_reduce(streams_publisher *p, life *l) {
    streams_value zero = streams_int(0);
    return l->contexts++, streams_reduce(p, &zero, life_sum, l, life_destroy);
}
static streams_publisher *attach_flat_map(streams_publisher *p, life *l) {
    return l->contexts++, streams_flat_map(p, 2, life_expand, l, life_destroy);
}
static streams_publisher *attach_endless_flat_map(streams_publisher *p, life *l) {
    return l->contexts++, streams_flat_map(p, 2, life_expand_endlessly, l, life_destroy);
}
static streams_publisher *attach_catch(streams_publisher *p, life *l) {
    return l->contexts++, streams_catch(p, life_recover, l, life_destroy);
}
static streams_publisher *attach_events(streams_publisher *p, life *l) {
    streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
    handlers.context = l;
    handlers.on_value = life_event;
    handlers.destroy = life_destroy;
    return l->contexts++, streams_handle_events(p, &handlers);
}
static streams_publisher *attach_print(streams_publisher *p, life *l) {
    return l->contexts++, streams_print(p, "x", life_write, l, life_destroy);
}
static streams_publisher *attach_merge(streams_publisher *p, life *l) {
    streams_publisher *children[] = { attach_map(p, l), attach_map(streams_empty(false), l) };
    return streams_merge(children, 2);
}
static streams_publisher *attach_zip(streams_publisher *p, life *l) {
    streams_publisher *children[] = { attach_map(p, l), attach_map(ints(64), l) };
    return streams_zip(children, 2);
}
static streams_publisher *attach_combine_latest(streams_publisher *p, life *l) {
    streams_publisher *children[] = { attach_map(p, l), attach_map(ints(2), l) };
    return streams_combine_latest(children, 2);
}
static streams_publisher *attach_nested_flat_map(streams_publisher *p, life *l) {
    return attach_flat_map(attach_flat_map(attach_map(p, l), l), l);
}
static streams_publisher *attach_prefix(streams_publisher *p, life *l) {
    return streams_prefix(attach_map(p, l), 2);
}
static streams_publisher *attach_long_chain(streams_publisher *p, life *l) {
    p = attach_filter(attach_map(attach_compact_map(p, l), l), l);
    p = attach_events(attach_scan(attach_remove_duplicates(p, l), l), l);
    return attach_catch(attach_flat_map(attach_map(p, l), l), l);
}

static const struct {
    const char *name;
    attach attach;
} operators[] = {
    { "map", attach_map },
    { "filter", attach_filter },
    { "compact_map", attach_compact_map },
    { "remove_duplicates_by", attach_remove_duplicates },
    { "scan", attach_scan },
    { "reduce", attach_reduce },
    { "flat_map", attach_flat_map },
    { "flat_map that goes on", attach_endless_flat_map },
    { "catch", attach_catch },
    { "handle_events", attach_events },
    { "print", attach_print },
    { "merge", attach_merge },
    { "zip", attach_zip },
    { "combine_latest", attach_combine_latest },
    { "flat_map in flat_map", attach_nested_flat_map },
    { "prefix", attach_prefix },
    { "a long chain", attach_long_chain },
};
enum { OPERATORS = sizeof operators / sizeof operators[0] };

/* ---- Ways to end -------------------------------------------------------------------- */

typedef struct scene {
    streams_subject *subject;
    recorder recorder;
    life *life;
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
    (void)send_int(s->subject, 33);
    (void)send_int(s->subject, 5);
}

static void end_by_cancel(scene *s) {
    send_some(s);
    streams_cancel(s->recorder.ticket);
    send_some(s);
}

static void end_by_release(scene *s) {
    send_some(s);
    streams_release(s->recorder.ticket);
    s->recorder.ticket = NULL;
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

static void drop_ticket(recorder *self, const streams_value *value) {
    (void)value;
    if (self->ticket != NULL) streams_release(self->ticket);
    self->ticket = NULL;
}

static void end_by_release_inside_a_value(scene *s) {
    s->recorder.on_value = drop_ticket;
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
    { "release of the ticket", end_by_release },
    { "cancel of the subscription", end_by_subscription },
    { "cancel inside a value", end_inside_a_value },
    { "release of the ticket inside a value", end_by_release_inside_a_value },
    { "finish without a value", end_without_a_value },
    { "nothing", end_at_once },
};
enum { ENDINGS = sizeof endings / sizeof endings[0] };

static void check(const life *l, const recorder *r, const char *operator_name, const char *ending) {
    bool good = l->counter.destroyed == l->contexts && !l->destroyed_inside && !l->called_after_destroy &&
                r->destroyed == 1;
    if (good) return;
    fail_msg("%s, %s: %d of %d contexts destroyed%s%s, subscriber destroyed %d times", operator_name, ending,
        l->counter.destroyed, l->contexts, l->destroyed_inside ? ", inside a call" : "",
        l->called_after_destroy ? ", called afterwards" : "", r->destroyed);
}

static void run_through_all(uint64_t demand, bool batches) {
    for (int o = 0; o < OPERATORS; o++) {
        for (int e = 0; e < ENDINGS; e++) {
            life l = { .contexts = 0 };
            scene s = { .life = &l, .recorder = { .batches = batches } };
            s.subject = streams_passthrough_subject_create();
            recorder_subscribe(
                &s.recorder, operators[o].attach(streams_subject_publisher(s.subject), &l), demand);
            endings[e].end(&s);
            recorder_end(&s.recorder);
            /* The subject lives on: nothing of the stream may hang on it. */
            check(&l, &s.recorder, operators[o].name, endings[e].name);
            assert_ok(streams_release(s.subject));
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
    for (int o = 0; o < OPERATORS; o++) {
        life l = { .contexts = 0 };
        recorder r = { 0 };
        streams_subject *subject = streams_passthrough_subject_create();
        recorder_subscribe(
            &r, operators[o].attach(streams_subject_publisher(subject), &l), STREAMS_UNLIMITED);
        assert_ok(send_int(subject, 1));
        assert_ok(streams_release(subject));
        recorder_end(&r);
        check(&l, &r, operators[o].name, "subject released");
    }
}

static void never_subscribed(void **state) {
    (void)state;
    for (int o = 0; o < OPERATORS; o++) {
        life l = { .contexts = 0 };
        streams_publisher *p = operators[o].attach(ints(3), &l);
        assert_int_equal(l.counter.destroyed, 0);
        assert_ok(streams_release(p));
        assert_int_equal(l.counter.destroyed, l.contexts);
        assert_int_equal(l.counter.calls, 0);
    }
}

static void subscribed_twice(void **state) {
    (void)state;
    for (int o = 0; o < OPERATORS; o++) {
        life l = { .contexts = 0 };
        recorder first = { 0 }, second = { 0 };
        streams_publisher *p = operators[o].attach(ints(3), &l);
        assert_ok(streams_retain(p));
        assert_ok(streams_retain(p));
        recorder_subscribe(&first, p, STREAMS_UNLIMITED);
        recorder_subscribe(&second, p, 1);
        recorder_end(&first);
        recorder_end(&second);
        assert_true(l.counter.destroyed < l.contexts);
        assert_ok(streams_release(p));
        check(&l, &first, operators[o].name, "subscribed twice");
        assert_int_equal(second.destroyed, 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(every_operator_in_every_ending),
        test(with_finite_demand),
        test(without_demand),
        test(in_batches),
        test(the_subject_goes_first),
        test(never_subscribed),
        test(subscribed_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
