/* Properties: where values come from, what is derived from them, failures, lifetimes, re-entrance. */

#include <pthread.h>

#include "support.h"

static streams_subject *current(int64_t initial) {
    streams_value value = streams_int(initial);
    return streams_current_value_subject_create(&value);
}

static streams_property *of(streams_subject *subject) { return streams_property_of_subject(subject); }

/* The value; -1 if there is none. */
static int64_t value_of(const streams_property *property) {
    streams_value value;
    if (streams_property_get_value(property, &value) != STREAMS_OK) return -1;
    int64_t result = value.as.integer;
    streams_value_destroy(&value);
    return result;
}

static void assert_value(const streams_property *property, const char *expected) {
    streams_value value;
    assert_ok(streams_property_get_value(property, &value));
    assert_described(&value, expected);
    assert_ok(streams_value_destroy(&value));
}

static void watch(recorder *r, streams_property *property) {
    recorder_subscribe(r, streams_property_all_values(property), STREAMS_UNLIMITED);
}

static void let_go(streams_property *property, streams_subject *subject) {
    assert_ok(streams_release(property));
    assert_ok(streams_release(subject));
}

/* ---- Where values come from ---------------------------------------------------- */

static void a_constant_has_its_value_and_ends(void **state) {
    (void)state;
    streams_value five = streams_int(5);
    streams_property *property = streams_property_create(&five);
    assert_value(property, "5");
    assert_stream(streams_property_all_values(property), "subscribed 5 finished destroyed");
    assert_stream(streams_property_subsequent_values(property), "subscribed finished destroyed");
    assert_ok(streams_release(property));
}

static void a_property_follows_a_subject(void **state) {
    (void)state;
    streams_subject *subject = current(1);
    streams_property *property = of(subject);
    recorder all = { 0 }, further = { 0 };
    watch(&all, property);
    recorder_subscribe(&further, streams_property_subsequent_values(property), STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 2));
    assert_value(property, "2");
    assert_log(&all.log, "subscribed 1 2");
    assert_log(&further.log, "subscribed 2");
    assert_ok(finish(subject));
    assert_value(property, "2");
    assert_log(&all.log, "finished destroyed");
    assert_log(&further.log, "finished destroyed");
    recorder_end(&all);
    recorder_end(&further);
    let_go(property, subject);
}

static void a_subject_that_fails_leaves_no_value(void **state) {
    (void)state;
    streams_subject *subject = current(1);
    streams_property *property = of(subject);
    recorder r = { 0 };
    watch(&r, property);
    assert_ok(fail_with(subject, "over"));
    assert_log(&r.log, "subscribed 1 failed(over) destroyed");
    assert_int_equal(value_of(property), -1);
    assert_string_equal(streams_last_message(), "over");
    recorder_end(&r);
    let_go(property, subject);
}

static void a_property_follows_a_publisher(void **state) {
    (void)state;
    streams_value zero = streams_int(0);
    streams_subject *subject = streams_passthrough_subject_create();
    streams_property *sent = streams_property_of_publisher(&zero, ints(3));
    streams_property *later = streams_property_of_publisher(&zero, streams_subject_publisher(subject));
    assert_value(sent, "3");
    assert_stream(streams_property_all_values(sent), "subscribed 3 finished destroyed");
    assert_value(later, "0");
    assert_ok(send_int(subject, 4));
    assert_value(later, "4");
    assert_ok(streams_release(sent));
    let_go(later, subject);
    streams_value bad = streams_text("\xff");
    assert_refused(STREAMS_INVALID_UTF8, "streams_property_of_publisher",
        streams_property_of_publisher(&bad, ints(1)));
    subject = streams_passthrough_subject_create();
    assert_refused(STREAMS_WRONG_KIND, "streams_property_of_subject", of(subject));
    assert_ok(streams_release(subject));
}

static void who_is_behind_gets_the_latest(void **state) {
    (void)state;
    streams_subject *subject = current(0);
    streams_property *property = of(subject);
    recorder r = { 0 };
    recorder_subscribe(&r, streams_property_all_values(property), 1);
    for (int i = 1; i < 4; i++) assert_ok(send_int(subject, i));
    assert_log(&r.log, "subscribed 0");
    assert_ok(streams_subscription_request(r.subscription, 2));
    assert_log(&r.log, "3");
    recorder_end(&r);
    let_go(property, subject);
}

/* ---- What is derived ------------------------------------------------------------ */

static streams_status next_digit(
    void *context, const streams_value *accumulated, const streams_value *in, streams_value *out) {
    (void)context;
    *out = streams_int(accumulated->as.integer * 10 + in->as.integer);
    return STREAMS_OK;
}

static void derived_properties_have_values(void **state) {
    (void)state;
    streams_value fallback = streams_int(-5);
    streams_subject *subject = current(1);
    streams_property *property = of(subject);
    streams_property *derived[] = {
        streams_property_map(property, add_one, NULL, NULL),
        streams_property_filter(property, &fallback, is_even, NULL, NULL),
        streams_property_compact_map(property, &fallback, half_if_even, NULL, NULL),
        streams_property_scan(property, &fallback, next_digit, NULL, NULL),
        streams_property_remove_duplicates(property, NULL, NULL, NULL),
        streams_property_remove_duplicates(property, same_parity, NULL, NULL),
    };
    enum { COUNT = sizeof derived / sizeof derived[0] };
    const char *logs[COUNT] = { "subscribed 2 4 4 5", "subscribed -5 4", "subscribed -5 2",
        "subscribed -5 -47 -467 -4666", "subscribed 1 3 4", "subscribed 1 4" };
    recorder r[COUNT] = { { .more = 0 } };
    for (int i = 0; i < COUNT; i++) watch(&r[i], derived[i]);
    assert_ok(send_int(subject, 3));
    assert_ok(send_int(subject, 3));
    assert_ok(send_int(subject, 4));
    for (int i = 0; i < COUNT; i++) {
        assert_log(&r[i].log, logs[i]);
        recorder_end(&r[i]);
        assert_ok(streams_release(derived[i]));
    }
    let_go(property, subject);
}

static streams_status sum_of_all(
    void *context, const streams_value *values, size_t count, streams_value *out) {
    int64_t total = 0;
    for (size_t i = 0; i < count; i++) total += values[i].as.integer;
    if (context != NULL) ((counter *)context)->calls++;
    *out = streams_int(total);
    return STREAMS_OK;
}

static void several_properties_are_joined(void **state) {
    (void)state;
    streams_subject *a = current(1), *b = current(10);
    streams_property *of_both[] = { of(a), of(b) };
    streams_property *list = streams_property_combine_latest(of_both, 2, NULL, NULL, NULL);
    streams_property *total = streams_property_combine_latest(of_both, 2, sum_of_all, NULL, NULL);
    streams_property *pairs = streams_property_zip(of_both, 2, NULL, NULL, NULL);
    streams_property *empty = streams_property_combine_latest(NULL, 0, NULL, NULL, NULL);
    streams_property *nothing = streams_property_zip(NULL, 0, sum_of_all, NULL, NULL);
    assert_value(empty, "[]");
    assert_value(nothing, "0");
    assert_ok(send_int(a, 2));
    assert_ok(send_int(a, 3));
    assert_value(list, "[3, 10]");
    assert_value(total, "13");
    assert_value(pairs, "[1, 10]");
    assert_ok(send_int(b, 20));
    assert_value(pairs, "[2, 20]");
    streams_property *all[] = { list, total, pairs, empty, nothing, of_both[0], of_both[1] };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) assert_ok(streams_release(all[i]));
    assert_ok(streams_release(a));
    assert_ok(streams_release(b));
}

/* A diamond changes once for each change of its source, and never mixes old with new. */
static void a_diamond_shows_a_change_once(void **state) {
    (void)state;
    counter c = { 0 };
    streams_subject *subject = current(1);
    streams_property *property = of(subject), *sides[3];
    sides[0] = streams_property_map(property, add_one, NULL, NULL);
    sides[1] = streams_property_map(sides[0], add_one, NULL, NULL);
    sides[2] = property;
    streams_property *total = streams_property_combine_latest(sides, 3, sum_of_all, &c, NULL);
    recorder r = { 0 };
    watch(&r, total);
    assert_ok(send_int(subject, 10));
    assert_ok(send_int(subject, 100));
    assert_log(&r.log, "subscribed 6 33 303");
    assert_int_equal(c.calls, 3);
    recorder_end(&r);
    for (int i = 0; i < 2; i++) assert_ok(streams_release(sides[i]));
    assert_ok(streams_release(total));
    let_go(property, subject);
}

static void a_property_is_received_on_a_scheduler(void **state) {
    (void)state;
    streams_scheduler *scheduler = streams_virtual_scheduler_create();
    streams_subject *subject = current(1);
    streams_property *property = of(subject);
    streams_property *received = streams_property_receive_on(property, scheduler);
    assert_ok(send_int(subject, 2));
    assert_value(received, "1");
    assert_ok(streams_virtual_scheduler_run(scheduler));
    assert_value(received, "2");
    assert_ok(streams_release(received));
    assert_ok(streams_release(scheduler));
    let_go(property, subject);
}

/* ---- Failures --------------------------------------------------------------------- */

static streams_status three_fails(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    if (in->as.integer == 3) return streams_callback_fail_with(3, "test", "three");
    *out = streams_int(in->as.integer);
    return STREAMS_OK;
}

static void a_function_that_fails_leaves_no_value_until_the_next(void **state) {
    (void)state;
    streams_subject *subject = current(1);
    streams_property *property = of(subject);
    streams_property *mapped = streams_property_map(property, three_fails, NULL, NULL);
    streams_property *of_it = streams_property_map(mapped, add_one, NULL, NULL);
    streams_property *both[] = { property, of_it };
    streams_property *joined = streams_property_combine_latest(both, 2, NULL, NULL, NULL);
    recorder r = { 0 };
    watch(&r, joined);
    assert_ok(send_int(subject, 3));
    assert_log(&r.log, "subscribed [1, 2] failed(three) destroyed");
    streams_value value = streams_int(1);
    assert_int_equal(streams_property_get_value(joined, &value), STREAMS_CALLBACK_FAILED);
    assert_int_equal(value.kind, STREAMS_VALUE_NULL);
    streams_error *error = streams_last_error();
    assert_int_equal(streams_error_code(error), 3);
    assert_string_equal(streams_error_domain(error), "test");
    assert_ok(streams_release(error));
    assert_last(STREAMS_CALLBACK_FAILED, "streams_property_get_value");
    streams_clear_last_error();
    assert_null(streams_last_error());
    assert_stream(streams_property_all_values(joined), "subscribed failed(three) destroyed");
    assert_ok(send_int(subject, 4));
    assert_value(joined, "[4, 5]");
    recorder_end(&r);
    assert_ok(streams_release(joined));
    assert_ok(streams_release(of_it));
    assert_ok(streams_release(mapped));
    let_go(property, subject);
}

static void what_remembers_goes_on_after_a_failure(void **state) {
    (void)state;
    streams_value zero = streams_int(0);
    streams_subject *subject = current(1);
    streams_property *property = of(subject);
    streams_property *mapped = streams_property_map(property, three_fails, NULL, NULL);
    streams_property *total = streams_property_scan(mapped, &zero, sum, NULL, NULL);
    streams_property *changes = streams_property_remove_duplicates(mapped, NULL, NULL, NULL);
    streams_property *even = streams_property_filter(mapped, &zero, is_even, NULL, NULL);
    const int64_t sent[] = { 4, 3, 4 };
    const int64_t totals[] = { 4, -1, 8 }, evens[] = { 4, -1, 4 };
    for (int i = 0; i < 3; i++) {
        assert_ok(send_int(subject, sent[i]));
        assert_int_equal(value_of(total), totals[i]);
        assert_int_equal(value_of(changes), evens[i]);
        assert_int_equal(value_of(even), evens[i]);
    }
    assert_ok(streams_release(total));
    assert_ok(streams_release(changes));
    assert_ok(streams_release(even));
    assert_ok(streams_release(mapped));
    let_go(property, subject);
}

static void every_function_may_fail(void **state) {
    (void)state;
    streams_value zero = streams_int(0);
    streams_subject *subject = current(1);
    streams_property *property = of(subject);
    streams_property *derived[] = {
        streams_property_map(property, broken_transform, NULL, NULL),
        streams_property_filter(property, &zero, broken_predicate, NULL, NULL),
        streams_property_compact_map(property, &zero, broken_transform, NULL, NULL),
        streams_property_scan(property, &zero, broken_combine, NULL, NULL),
        streams_property_remove_duplicates(property, broken_compare, NULL, NULL),
    };
    assert_ok(send_int(subject, 2));
    for (size_t i = 0; i < sizeof derived / sizeof derived[0]; i++) {
        assert_int_equal(value_of(derived[i]), -1);
        assert_string_equal(streams_last_message(), "broken");
        assert_ok(streams_release(derived[i]));
    }
    let_go(property, subject);
}

/* ---- Properties of properties ------------------------------------------------------ */

static streams_status choose(void *context, const streams_value *in, streams_property **out) {
    streams_property *const *from = context;
    *out = from[in->as.integer];
    return *out == NULL ? STREAMS_OK : streams_retain(*out);
}

static void what_is_no_property_is_let_go_of(void **state) {
    (void)state;
    size_t live = streams_live_handles();
    streams_subject *which = current(0);
    streams_property *chooser = of(which), *from[] = { (streams_property *)which };
    streams_property *property = streams_property_flat_map(chooser, choose, from, NULL);
    assert_int_equal(value_of(property), -1);
    assert_string_equal(streams_last_message(),
        "the property made by a callback is a handle of the kind subject, not property");
    assert_ok(streams_release(property));
    let_go(chooser, which);
    assert_int_equal(streams_live_handles(), live);
}

static void the_latest_property_is_followed(void **state) {
    (void)state;
    streams_subject *which = current(0), *a = current(10), *b = current(20);
    streams_property *chooser = of(which), *from[] = { of(a), of(b), NULL };
    streams_property *property = streams_property_flat_map(chooser, choose, from, NULL);
    recorder r = { 0 };
    watch(&r, property);
    assert_ok(send_int(a, 11));
    assert_ok(send_int(b, 21));
    assert_ok(send_int(which, 1));
    assert_ok(send_int(a, 12));
    assert_ok(send_int(b, 22));
    assert_log(&r.log, "subscribed 10 11 21 22");
    assert_ok(send_int(which, 2));
    assert_int_equal(value_of(property), -1);
    streams_error *error = streams_last_error();
    assert_int_equal(streams_error_code(error), STREAMS_NULL_HANDLE);
    assert_ok(streams_release(error));
    assert_ok(send_int(which, 0));
    assert_value(property, "12");
    recorder_end(&r);
    let_go(from[0], a);
    let_go(from[1], b);
    assert_ok(streams_release(property));
    let_go(chooser, which);
}

static void a_property_that_is_to_follow_itself_fails(void **state) {
    (void)state;
    streams_value zero = streams_int(0);
    streams_subject *which = current(0);
    streams_property *chooser = of(which), *from[3] = { streams_property_create(&zero) };
    streams_property *property = from[1] = streams_property_flat_map(chooser, choose, from, NULL);
    from[2] = streams_property_map(property, add_one, NULL, NULL);
    for (int i = 1; i < 3; i++) {
        assert_ok(send_int(which, i));
        assert_int_equal(value_of(property), -1);
        streams_error *error = streams_last_error();
        assert_int_equal(streams_error_code(error), STREAMS_PROTOCOL_VIOLATION);
        assert_ok(streams_release(error));
        assert_ok(send_int(which, 0));
        assert_value(property, "0");
        assert_value(from[2], "1");
    }
    for (int i = 0; i < 3; i++) assert_ok(streams_release(from[i]));
    let_go(chooser, which);
}

/* What is derived from it gets a higher place, all the way up, when it follows a long chain. */
static void a_long_chain_is_put_above_another(void **state) {
    (void)state;
    const int length = under_valgrind() ? 2000 : 100000;
    streams_subject *which = current(0), *source = current(1);
    streams_property *chooser = of(which), *low = of(source), *from[] = { low, NULL };
    for (int side = 0; side < 2; side++) {
        streams_property *end =
            side == 0 ? of(source) : streams_property_flat_map(chooser, choose, from, NULL);
        for (int i = 0; i < length; i++) {
            streams_property *next = streams_property_map(end, add_one, NULL, NULL);
            assert_non_null(next);
            assert_ok(streams_release(end));
            end = next;
        }
        if (side == 0) {
            from[1] = end;
            continue;
        }
        assert_int_equal(value_of(end), length + 1);
        assert_ok(send_int(which, 1));
        assert_int_equal(value_of(end), 2 * length + 1);
        assert_ok(send_int(source, 2));
        assert_int_equal(value_of(end), 2 * length + 2);
        assert_ok(streams_release(end));
    }
    assert_ok(streams_release(from[1]));
    let_go(low, source);
    let_go(chooser, which);
}

/* ---- Lifetimes ------------------------------------------------------------------- */

static void what_is_derived_keeps_its_sources_and_nothing_keeps_it(void **state) {
    (void)state;
    counter source = { 0 }, map = { 0 };
    streams_value zero = streams_int(0);
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *then =
        streams_map(streams_subject_publisher(subject), add_one, &source, counter_destroy);
    streams_property *property = streams_property_of_publisher(&zero, then);
    streams_property *mapped = streams_property_map(property, add_one, &map, counter_destroy);
    assert_ok(streams_release(property));
    recorder r = { 0 };
    streams_publisher *values = streams_property_all_values(mapped);
    assert_ok(streams_release(mapped));
    assert_ok(streams_retain(values));
    recorder_subscribe(&r, values, STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 1));
    assert_log(&r.log, "subscribed 1 3");
    recorder_end(&r);
    assert_int_equal(source.destroyed + map.destroyed, 0);
    assert_ok(streams_release(values));
    assert_int_equal(source.destroyed, 1);
    assert_int_equal(map.destroyed, 1);
    assert_ok(streams_release(subject));
}

static void many_properties_leave_nothing_behind(void **state) {
    (void)state;
    enum { COUNT = 100 };
    const int rounds = under_valgrind() ? 10 : 1000;
    counter c = { 0 };
    streams_subject *subject = current(0);
    streams_property *source = of(subject), *made[COUNT];
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < COUNT; i++)
            made[i] = streams_property_map(i % 3 ? made[i - 1] : source, add_one, &c, counter_destroy);
        assert_ok(send_int(subject, round));
        assert_int_equal(value_of(made[COUNT - 1]), round + 1);
        for (int i = 0; i < COUNT; i++) assert_ok(streams_release(made[i]));
    }
    assert_int_equal(c.destroyed, rounds * COUNT);
    let_go(source, subject);
}

/* ---- Inside a callback ------------------------------------------------------------- */

static void send_one_more(recorder *self, const streams_value *value) {
    if (value->as.integer < 4) send_int(self->extra, value->as.integer + 1);
}

static void a_change_by_a_watcher_comes_after(void **state) {
    (void)state;
    streams_subject *subject = current(1);
    streams_property *property = of(subject);
    recorder first = { .on_value = send_one_more, .extra = subject }, second = { 0 };
    watch(&second, property);
    watch(&first, property);
    assert_log(&first.log, "subscribed 1 2 3 4");
    assert_log(&second.log, "subscribed 1 2 3 4");
    recorder_end(&first);
    recorder_end(&second);
    let_go(property, subject);
}

/* The subject fails, as in any circle, and what follows it has no value. */
static void a_circle_without_an_end_fails(void **state) {
    (void)state;
    streams_subject *subject = current(1);
    streams_property *property = of(subject);
    streams_publisher *values = streams_map(streams_property_all_values(property), add_one, NULL, NULL);
    streams_cancellable *ticket = streams_subscribe(values, subject);
    assert_int_equal(value_of(property), -1);
    assert_non_null(strstr(streams_last_message(), "without an end"));
    assert_stream(streams_subject_publisher(subject),
        "subscribed failed(changes follow from each other without an end) destroyed");
    assert_ok(streams_release(ticket));
    let_go(property, subject);
}

static streams_status raise(void *context, const streams_value *in, streams_value *out) {
    *out = streams_int(in->as.integer);
    return in->as.integer == 0 ? STREAMS_OK : send_int(context, in->as.integer + 1);
}

/* A later change from outside is a value again. */
static void a_function_that_changes_its_source_for_ever_is_stopped(void **state) {
    (void)state;
    streams_subject *subject = current(0);
    streams_property *property = of(subject);
    streams_property *raised = streams_property_map(property, raise, subject, NULL);
    assert_ok(send_int(subject, 1));
    assert_int_equal(value_of(property), -1);
    assert_int_equal(value_of(raised), -1);
    assert_ok(send_int(subject, 0));
    assert_int_equal(value_of(raised), 0);
    assert_ok(streams_release(raised));
    let_go(property, subject);
}

/* Everything that a function may do with the very property. */
typedef struct intruder {
    streams_subject *subject;
    streams_property *property, *made;
    streams_cancellable *ticket;
    int destroyed;
    bool wrong;
} intruder;

static streams_status intrude(void *context, const streams_value *in, streams_value *out) {
    intruder *self = context;
    streams_value seen = streams_null();
    *out = streams_int(in->as.integer);
    if (in->as.integer != 2) return STREAMS_OK;
    /* It is not there yet, and what is set now comes next. */
    self->wrong |= value_of(self->property) != 1;
    self->wrong |= send_int(self->subject, 5) != STREAMS_OK;
    self->wrong |= streams_property_get_value(self->property, &seen) != STREAMS_OK;
    self->made = streams_property_map(self->property, add_one, NULL, NULL);
    self->wrong |= self->made == NULL || value_of(self->made) != 2;
    self->wrong |= streams_cancel(self->ticket) != STREAMS_OK;
    self->wrong |= streams_release(self->property) != STREAMS_OK;
    return STREAMS_OK;
}

static void intruder_destroy(void *context) {
    intruder *self = context;
    self->destroyed++;
    self->wrong |= send_int(self->subject, 7) != STREAMS_OK;
}

static void a_function_does_everything_to_its_property(void **state) {
    (void)state;
    intruder self = { .subject = current(1) };
    streams_property *source = of(self.subject);
    recorder r = { 0 };
    self.property = streams_property_map(source, intrude, &self, intruder_destroy);
    watch(&r, self.property);
    self.ticket = r.ticket;
    assert_ok(send_int(self.subject, 2));
    assert_false(self.wrong);
    assert_log(&r.log, "subscribed 1 destroyed");
    assert_int_equal(value_of(source), 5);
    assert_int_equal(value_of(self.made), 6);
    assert_int_equal(self.destroyed, 0);
    assert_ok(streams_release(self.made));
    assert_int_equal(self.destroyed, 1);
    assert_int_equal(value_of(source), 7);
    assert_false(self.wrong);
    recorder_end(&r);
    let_go(source, self.subject);
}

static void release_all(recorder *self, const streams_value *value) {
    intruder *its = self->extra;
    if (value->as.integer != 2) return;
    its->wrong |= streams_release(its->property) != STREAMS_OK;
    its->wrong |= streams_cancel(its->ticket) != STREAMS_OK;
}

static void a_watcher_cancels_and_releases(void **state) {
    (void)state;
    intruder self = { .subject = current(1) };
    self.property = of(self.subject);
    recorder r = { .on_value = release_all, .extra = &self }, other = { 0 };
    watch(&r, self.property);
    watch(&other, self.property);
    self.ticket = r.ticket;
    for (int i = 2; i < 4; i++) assert_ok(send_int(self.subject, i));
    assert_log(&r.log, "subscribed 1 2 destroyed");
    assert_log(&other.log, "subscribed 1 2 3");
    assert_false(self.wrong);
    recorder_end(&r);
    recorder_end(&other);
    assert_ok(streams_release(self.subject));
}

/* ---- Threads ----------------------------------------------------------------------- */

enum { THREADS = 4,
    CHANGES = 1000 };

typedef struct race {
    streams_subject *subjects[2];
    streams_property *total, *twice;
    _Atomic bool wrong;
} race;

static void *change_and_derive(void *context) {
    race *self = context;
    for (int i = 0; i < CHANGES; i++) {
        send_int(self->subjects[i % 2], 2 * i);
        streams_property *derived = streams_property_map(self->total, add_one, NULL, NULL);
        self->wrong = self->wrong || value_of(derived) % 2 != 1 || value_of(self->twice) % 4 != 0;
        streams_release(derived);
    }
    return NULL;
}

static void look_for_mixtures(recorder *self, const streams_value *value) {
    race *its = self->extra;
    its->wrong = its->wrong || value->as.integer % 4 != 0;
    self->log.length = 0;
}

static void threads_change_what_is_derived(void **state) {
    (void)state;
    pthread_t threads[THREADS];
    race self = { .subjects = { current(0), current(0) } };
    streams_property *sources[] = { of(self.subjects[0]), of(self.subjects[1]) };
    self.total = streams_property_combine_latest(sources, 2, sum_of_all, NULL, NULL);
    streams_property *sides[] = { self.total, self.total };
    self.twice = streams_property_combine_latest(sides, 2, sum_of_all, NULL, NULL);
    recorder r = { .on_value = look_for_mixtures, .extra = &self };
    watch(&r, self.twice);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, change_and_derive, &self), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_false(self.wrong);
    recorder_end(&r);
    assert_ok(streams_release(self.twice));
    assert_ok(streams_release(self.total));
    for (int i = 0; i < 2; i++) let_go(sources[i], self.subjects[i]);
}

/* ---- Circles in which each change leads to several ------------------------------- */

static uint64_t set_another(void *context, const streams_value *value) {
    streams_value next = streams_int(value->as.integer + 1);
    (void)streams_current_value_subject_set_value(context, &next);
    return 0;
}

static void a_circle_that_widens_ends(void **state) {
    (void)state;
    streams_value value = streams_int(1);
    streams_subject *subject = streams_current_value_subject_create(&value);
    streams_property *property = streams_property_of_subject(subject);
    streams_cancellable *tickets[2];
    for (int i = 0; i < 2; i++) {
        streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
        subscriber.on_value = set_another;
        subscriber.context = subject;
        tickets[i] = streams_sink(streams_property_subsequent_values(property), &subscriber);
    }
    assert_ok(streams_current_value_subject_set_value(subject, &value));
    assert_int_equal(streams_property_get_value(property, &value), STREAMS_CALLBACK_FAILED);
    streams_error *error = streams_last_error();
    assert_int_equal(streams_error_code(error), STREAMS_LIMIT);
    assert_ok(streams_release(error));
    streams_clear_last_error();
    for (int i = 0; i < 2; i++) assert_ok(streams_release(tickets[i]));
    assert_ok(streams_release(property));
    assert_ok(streams_release(subject));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_constant_has_its_value_and_ends),
        test(a_property_follows_a_subject),
        test(a_subject_that_fails_leaves_no_value),
        test(a_property_follows_a_publisher),
        test(who_is_behind_gets_the_latest),
        test(derived_properties_have_values),
        test(several_properties_are_joined),
        test(a_diamond_shows_a_change_once),
        test(a_property_is_received_on_a_scheduler),
        test(a_function_that_fails_leaves_no_value_until_the_next),
        test(what_remembers_goes_on_after_a_failure),
        test(every_function_may_fail),
        test(what_is_no_property_is_let_go_of),
        test(the_latest_property_is_followed),
        test(a_property_that_is_to_follow_itself_fails),
        test(a_long_chain_is_put_above_another),
        test(what_is_derived_keeps_its_sources_and_nothing_keeps_it),
        test(many_properties_leave_nothing_behind),
        test(a_change_by_a_watcher_comes_after),
        test(a_circle_without_an_end_fails),
        test(a_function_that_changes_its_source_for_ever_is_stopped),
        test(a_function_does_everything_to_its_property),
        test(a_watcher_cancels_and_releases),
        test(threads_change_what_is_derived),
        test(a_circle_that_widens_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
