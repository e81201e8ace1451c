/* Publishers that are made while a stream runs, and make more: what there is no stack for fails with
 * STREAMS_LIMIT, also within a callback that waits for it. */

#include "depth.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        test(publishers_may_make_publishers),
        test(a_callback_may_wait),
        test(levels_may_come_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
