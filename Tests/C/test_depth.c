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

/* ---- Callbacks that call ------------------------------------------------------------ */

/* A row of subjects whose subscribers send on to the next. */
typedef struct link {
    streams_subject *subject;
    streams_cancellable *cancellable;
    struct link *next;
    int *reached;
    streams_status *status;
    void (*act)(struct link *next);
} link;

/* The innermost call is the one that is refused. */
static void note_status(const link *next, streams_status status) {
    if (status != STREAMS_OK) *next->status = status;
}
static void send_on(link *next) { note_status(next, send_int(next->subject, 1)); }
static void send_batch_on(link *next) {
    const int64_t number = 1;
    note_status(next, streams_subject_send_int64s(next->subject, &number, 1));
}
static void finish_on(link *next) { note_status(next, finish(next->subject)); }
static void release_on(link *next) {
    if (next->cancellable != NULL) note_status(next, streams_release(next->cancellable));
    next->cancellable = NULL;
}
static void cancel_on(link *next) { note_status(next, streams_cancel(next->cancellable)); }

static void go_on(link *self) {
    ++*self->reached;
    if (self->next != NULL) self->act(self->next);
}
static uint64_t link_value(void *context, const streams_value *value) {
    (void)value;
    go_on(context);
    return 0;
}
static void link_completion(void *context, const streams_error *error) {
    (void)error;
    link *self = context;
    if (self->act == finish_on) go_on(self);
}
static void link_destroy(void *context) {
    link *self = context;
    if (self->act == release_on) go_on(self);
}
static void link_cancel(void *context) {
    link *self = context;
    if (self->act == cancel_on) go_on(self);
}

static int count_links(void (*act)(link *), void (*start)(link *), streams_status *status) {
    int count = many(), reached = 0;
    *status = STREAMS_OK;
    link *links = calloc((size_t)count, sizeof *links);
    for (int i = 0; i < count; i++) {
        streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
        streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
        links[i] = (link){ streams_passthrough_subject_create(), NULL, i + 1 < count ? &links[i + 1] : NULL,
            &reached, status, act };
        subscriber.context = handlers.context = &links[i];
        subscriber.on_value = link_value;
        subscriber.on_completion = link_completion;
        subscriber.destroy = link_destroy;
        handlers.on_cancel = link_cancel;
        links[i].cancellable = streams_sink(
            streams_handle_events(streams_subject_publisher(links[i].subject), &handlers), &subscriber);
    }
    start(&links[0]);
    for (int i = 0; i < count; i++) {
        links[i].act = NULL;
        links[i].next = NULL;
    }
    for (int i = 0; i < count; i++) {
        if (links[i].cancellable != NULL) (void)streams_release(links[i].cancellable);
        (void)streams_release(links[i].subject);
    }
    free(links);
    streams_clear_last_error();
    return reached;
}

static bool callbacks_go_as_deep_as_there_is_stack(void) {
    streams_status status;
    bool right = true;
    void (*const acts[])(link *) = { send_on, send_batch_on, finish_on, cancel_on };
    for (int i = 0; i < 4; i++) {
        int reached = count_links(acts[i], acts[i], &status);
        if (reached < 50 || (reached != many() && status != STREAMS_LIMIT)) {
            print_error("way %d reached %d, %s\n", i, reached, streams_status_name(status));
            right = false;
        }
    }
    /* A release is never refused: what it ends is ended later. */
    right &= must(count_links(release_on, release_on, &status) == many()) && must(status == STREAMS_OK);
    return right;
}

static void callbacks_may_call_on_and_on(void **state) {
    (void)state;
    assert_true(callbacks_go_as_deep_as_there_is_stack());
    assert_true(on_small_stack(callbacks_go_as_deep_as_there_is_stack));
}

/* Releases one sink as deep as calls go, and sends to it further up, before all callbacks have returned. */
typedef struct deep_release {
    streams_subject *nested, *released;
    streams_cancellable *cancellable;
    int depth, released_at, late_values;
} deep_release;

static uint64_t count_late(void *context, const streams_value *value) {
    (void)value;
    ((deep_release *)context)->late_values++;
    return 0;
}

static uint64_t release_at_the_bottom(void *context, const streams_value *value) {
    deep_release *self = context;
    int here = ++self->depth;
    if (self->released_at == 0 && streams_subject_send(self->nested, value) == STREAMS_LIMIT) {
        self->released_at = here;
        (void)streams_release(self->cancellable);
    }
    if (here == self->released_at / 2) (void)streams_subject_send(self->released, value);
    return 0;
}

static bool a_release_is_heard_at_once(void) {
    deep_release self = { .nested = streams_passthrough_subject_create(),
        .released = streams_passthrough_subject_create() };
    streams_subscriber late = STREAMS_SUBSCRIBER_INIT, deep = STREAMS_SUBSCRIBER_INIT;
    late.context = deep.context = &self;
    late.on_value = count_late;
    deep.on_value = release_at_the_bottom;
    self.cancellable = streams_sink(streams_subject_publisher(self.released), &late);
    streams_cancellable *other = streams_sink(streams_subject_publisher(self.nested), &deep);
    bool right = must(send_int(self.nested, 1) == STREAMS_OK);
    right &= must(self.released_at > 50) && must(self.late_values == 0);
    (void)streams_release(other);
    (void)streams_release(self.nested);
    (void)streams_release(self.released);
    streams_clear_last_error();
    return right;
}

static void a_sink_released_deep_down_hears_nothing_more(void **state) {
    (void)state;
    assert_true(a_release_is_heard_at_once());
    assert_true(on_small_stack(a_release_is_heard_at_once));
}

/* ---- Publishers made while a stream runs ------------------------------------------------ */

static int depth;

static streams_status expand_again(void *context, const streams_value *in, streams_publisher **out) {
    depth++;
    *out = streams_flat_map(streams_just(in), 1, expand_again, context, NULL);
    return STREAMS_OK;
}

static streams_status expand_often(void *context, const streams_value *in, streams_publisher **out) {
    const streams_value less = streams_int(in->as.integer - 1);
    depth++;
    *out = in->as.integer == 0 ? streams_just(in)
                               : streams_flat_map(streams_just(&less), 1, expand_often, context, NULL);
    return STREAMS_OK;
}

static streams_status recover_again(void *context, const streams_error *error, streams_publisher **out) {
    depth++;
    *out = streams_catch(streams_fail(error), recover_again, context, NULL);
    return STREAMS_OK;
}

static bool endless_publishers(void) {
    outcome o;
    depth = 0;
    begin(&o, streams_flat_map(ints(1), 1, expand_again, NULL, NULL));
    bool right = must(is_limit(&o)) && must(depth > 20) && must(end(&o));
    const streams_value deep = streams_int(50);
    depth = 0;
    begin(&o, streams_flat_map(streams_just(&deep), 1, expand_often, NULL, NULL));
    right &= must(o.values == 1) && must(depth == 51) && must(!o.failed) && must(end(&o));
    depth = 0;
    begin(&o, streams_catch(failed(), recover_again, NULL, NULL));
    return must(is_limit(&o)) && must(depth > 20) && must(end(&o)) && right;
}

static void publishers_may_make_publishers(void **state) {
    (void)state;
    assert_true(endless_publishers());
    assert_true(on_small_stack(endless_publishers));
}

/* A callback that waits: the failure of what it waits for is left to the calls around it. */
typedef struct wait_within {
    outcome inner, run;
    bool was_left, is_told;
    streams_status caught_up, has_run;
} wait_within;

static void note_failure(void *context, const streams_error *error) {
    outcome *o = &((wait_within *)context)->run;
    o->ended = true;
    o->failed = error != NULL;
}

static uint64_t take_nothing(void *context, const streams_value *value) {
    (void)context, (void)value;
    return 0;
}

static uint64_t start_and_wait(void *context, const streams_value *value) {
    (void)value;
    wait_within *self = context;
    begin(&self->inner, streams_flat_map(ints(1), 1, expand_again, NULL, NULL));
    self->was_left = !self->inner.ended;
    self->caught_up = streams_catch_up();
    self->is_told = is_limit(&self->inner);
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = self;
    subscriber.on_value = take_nothing;
    subscriber.on_completion = note_failure;
    streams_publisher *again = streams_flat_map(ints(1), 1, expand_again, NULL, NULL);
    self->has_run = streams_run(again, &subscriber, 60 * STREAMS_SECOND);
    return 0;
}

static bool a_wait_in_a_callback(void) {
    wait_within self = { .was_left = false };
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &self;
    subscriber.on_value = start_and_wait;
    const streams_value one = streams_int(1);
    bool right = must(streams_catch_up() == STREAMS_OK);
    streams_cancellable *cancellable = streams_sink(streams_just(&one), &subscriber);
    right &= must(self.was_left) && must(self.caught_up == STREAMS_OK) && must(self.is_told);
    right &= must(self.has_run == STREAMS_OK) && must(self.run.failed);
    right &= must(streams_release(cancellable) == STREAMS_OK) && must(end(&self.inner));
    streams_clear_last_error();
    return right;
}

static void a_callback_may_wait(void **state) {
    (void)state;
    assert_true(a_wait_in_a_callback());
    assert_true(on_small_stack(a_wait_in_a_callback));
}

/* Each level is fed later, and the value of the innermost passes through all of them. */
static streams_subject *inner_subject;
static streams_status expand_later(void *context, const streams_value *in, streams_publisher **out) {
    (void)in;
    streams_subject *next = streams_passthrough_subject_create();
    *out = streams_flat_map(streams_subject_publisher(next), 1, expand_later, context, NULL);
    if (inner_subject != NULL) (void)streams_release(inner_subject);
    inner_subject = next;
    depth++;
    return STREAMS_OK;
}

static bool levels_that_come_one_by_one(void) {
    outcome o;
    int levels = under_valgrind() ? 500 : 20000;
    bool right = true;
    depth = 0;
    streams_subject *first = inner_subject = streams_passthrough_subject_create();
    (void)streams_retain(first);
    begin(&o, streams_flat_map(streams_subject_publisher(first), 1, expand_later, NULL, NULL));
    for (int i = 0; i < levels && !o.ended; i++) {
        streams_subject *current = inner_subject;
        (void)streams_retain(current);
        right &= send_int(current, i) == STREAMS_OK;
        (void)streams_release(current);
    }
    right &= must(depth == levels || is_limit(&o));
    right &= must(end(&o));
    right &= must(streams_release(inner_subject) == STREAMS_OK);
    return must(streams_release(first) == STREAMS_OK) && right;
}

static void levels_may_come_one_by_one(void **state) {
    (void)state;
    assert_true(levels_that_come_one_by_one());
    assert_true(on_small_stack(levels_that_come_one_by_one));
}

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
        test(callbacks_may_call_on_and_on),
        test(a_sink_released_deep_down_hears_nothing_more),
        test(publishers_may_make_publishers),
        test(a_callback_may_wait),
        test(levels_may_come_one_by_one),
        test(sinks_and_objects_may_nest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
