/* Nothing that calls itself uses up the stack: what cannot be done on it fails with
 * STREAMS_LIMIT, and everything is released. */

#include "depth.h"

/* ---- Subjects that feed each other ------------------------------------------------ */

static bool assignments_in_a_circle(void) {
    const streams_value zero = streams_int(0);
    streams_subject *a = streams_current_value_subject_create(&zero);
    streams_subject *b = streams_current_value_subject_create(&zero);
    streams_cancellable *there = streams_assign(streams_subject_publisher(a), b);
    streams_cancellable *back = streams_assign(streams_subject_publisher(b), a);
    bool right = must(there != NULL) && must(back != NULL);
    right &= must(send_int(a, 1) == STREAMS_OK);
    /* The circle is cut; both can still be used. */
    right &= must(send_int(a, 2) == STREAMS_OK) && must(send_int(b, 3) == STREAMS_OK);
    streams_value value;
    right &= must(streams_current_value_subject_get_value(b, &value) == STREAMS_OK);
    right &= must(value.as.integer == 3);
    right &= must(streams_release(there) == STREAMS_OK) && must(streams_release(back) == STREAMS_OK);
    return must(streams_release(a) == STREAMS_OK) && must(streams_release(b) == STREAMS_OK) && right;
}

static bool a_subject_fed_by_itself(void) {
    const streams_value zero = streams_int(0);
    bool right = true;
    for (int kind = 0; kind < 2; kind++) {
        streams_subject *subject =
            kind == 0 ? streams_passthrough_subject_create() : streams_current_value_subject_create(&zero);
        outcome o;
        begin(&o, streams_subject_publisher(subject));
        streams_cancellable *loop = streams_subscribe(streams_subject_publisher(subject), subject);
        right &= must(loop != NULL);
        (void)send_int(subject, 1);
        right &= must(is_limit(&o));
        right &= must(send_int(subject, 2) == STREAMS_TERMINATED);
        right &= must(end(&o)) && must(streams_release(loop) == STREAMS_OK);
        right &= must(streams_release(subject) == STREAMS_OK);
    }
    streams_clear_last_error();
    return right;
}

/* One subject feeds the next. */
static bool a_row_of_subjects(void) {
    int count = many();
    streams_subject **subjects = calloc((size_t)count, sizeof *subjects);
    streams_cancellable **cancellables = calloc((size_t)count, sizeof *cancellables);
    bool right = true;
    for (int i = 0; i < count; i++) {
        subjects[i] = streams_passthrough_subject_create();
        streams_publisher *previous = i > 0 ? streams_subject_publisher(subjects[i - 1]) : NULL;
        if (i > 0) cancellables[i] = streams_subscribe(previous, subjects[i]);
        right &= subjects[i] != NULL && (i == 0 || cancellables[i] != NULL);
    }
    outcome o;
    begin(&o, streams_subject_publisher(subjects[count - 1]));
    right &= must(send_int(subjects[0], 1) == STREAMS_OK);
    right &= must(o.values == 1 || is_limit(&o));
    right &= must(end(&o));
    for (int i = 0; i < count; i++) right &= streams_release(subjects[i]) == STREAMS_OK;
    for (int i = count - 1; i > 0; i--) right &= streams_release(cancellables[i]) == STREAMS_OK;
    free(subjects);
    free(cancellables);
    return must(right);
}

static void subjects_may_feed_each_other(void **state) {
    (void)state;
    assert_true(assignments_in_a_circle() && on_small_stack(assignments_in_a_circle));
    assert_true(a_subject_fed_by_itself() && on_small_stack(a_subject_fed_by_itself));
    assert_true(a_row_of_subjects() && on_small_stack(a_row_of_subjects));
}

/* ---- Sinks in sinks, and objects in objects ------------------------------------------ */

/* A sink inside the sink inside the sink. */
static int sinks;
static streams_status last_status;
static uint64_t sink_again(void *context, const streams_value *value) {
    (void)value;
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = context;
    subscriber.on_value = sink_again;
    if (++sinks >= many()) return 0;
    streams_cancellable *cancellable = streams_sink(ints(1), &subscriber);
    if (cancellable == NULL)
        last_status = streams_last_status();
    else
        (void)streams_release(cancellable);
    return 0;
}

static bool sinks_in_sinks(void) {
    sinks = 0;
    last_status = STREAMS_OK;
    const streams_value one = streams_int(1);
    (void)sink_again(NULL, &one);
    streams_clear_last_error();
    return must(sinks > 100) && must(sinks == many() || last_status == STREAMS_LIMIT);
}

/* Objects that hold the next one. */
typedef struct knot {
    streams_value next;
} knot;
static atomic_int knots;
static void release_knot(void *object) {
    knot *self = object;
    (void)streams_value_destroy(&self->next);
    free(self);
    knots--;
}

static bool objects_that_hold_objects(void) {
    static const streams_object_type type = { sizeof type, NULL, release_knot, NULL, NULL };
    streams_value last = streams_null();
    for (int i = 0; i < many(); i++) {
        knot *each = calloc(1, sizeof *each);
        each->next = last;
        knots++;
        (void)streams_value_object(&type, each, &last);
    }
    bool right = must(streams_value_destroy(&last) == STREAMS_OK);
    return must(knots == 0) && right;
}

static void sinks_and_objects_may_nest(void **state) {
    (void)state;
    assert_true(sinks_in_sinks() && on_small_stack(sinks_in_sinks));
    assert_true(objects_that_hold_objects() && on_small_stack(objects_that_hold_objects));
}

/* ---- The smallest stack ----------------------------------------------------------- */

enum { SMALLEST_STACK = 32 * 1024,
    ROW = 600 };

static outcome ended_there;

static bool cancels(void) { return must(streams_cancel(ended_there.cancellable) == STREAMS_OK); }
static bool releases(void) {
    streams_cancellable *cancellable = ended_there.cancellable;
    ended_there.cancellable = NULL;
    return must(streams_release(cancellable) == STREAMS_OK);
}

/* What was made where there is enough is ended where there is hardly any. */
static void a_long_row_may_end_on_the_smallest_stack(void **state) {
    (void)state;
    bool (*ways[])(void) = { cancels, releases };
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        streams_subject *subject = streams_passthrough_subject_create();
        streams_publisher *row = streams_subject_publisher(subject);
        for (int i = 0; i < ROW; i++) row = streams_remove_duplicates(streams_prefix(row, 100));
        begin(&ended_there, row);
        assert_non_null(ended_there.cancellable);
        assert_true(on_stack_of(SMALLEST_STACK, ways[way]));
        assert_int_equal(send_int(subject, 1), STREAMS_OK);
        assert_int_equal(ended_there.values, 0);
        assert_true(end(&ended_there));
        assert_int_equal(streams_release(subject), STREAMS_OK);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        /* The first: nothing has been looked up by the Swift runtime yet. */
        test(a_long_row_may_end_on_the_smallest_stack),
        test(subjects_may_feed_each_other),
        test(sinks_and_objects_may_nest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
