/* Operators of several publishers: those that callbacks make, and arrays of them. */

#include "support.h"

/* ---- flat_map, catch and the like: publishers made by callbacks ---------------------------------- */

static streams_status expand_to_nothing(void *context, const streams_value *in, streams_publisher **out) {
    (void)context, (void)in, (void)out;
    return STREAMS_OK;
}

static streams_status expand_to_number(void *context, const streams_value *in, streams_publisher **out) {
    (void)context, (void)in;
    *out = (streams_publisher *)(uintptr_t)0x1234567;
    return STREAMS_OK;
}

static streams_status expand_to_subject(void *context, const streams_value *in, streams_publisher **out) {
    (void)in;
    *out = context;
    return streams_retain(context);
}

static streams_status recover_with_nothing(
    void *context, const streams_error *error, streams_publisher **out) {
    (void)context, (void)error, (void)out;
    return STREAMS_OK;
}

static streams_status recover_with_subject(
    void *context, const streams_error *error, streams_publisher **out) {
    (void)error;
    *out = context;
    return streams_retain(context);
}

static streams_status rename_to_nothing(void *context, const streams_error *error, streams_error **out) {
    (void)context, (void)error, (void)out;
    return STREAMS_OK;
}

static streams_status rename_to_context(void *context, const streams_error *error, streams_error **out) {
    (void)error;
    *out = context;
    return streams_retain(context);
}

/* The borrowed error, without a reference of the callback's. */
static streams_status rename_to_itself(void *context, const streams_error *error, streams_error **out) {
    (void)context;
    *out = (streams_error *)(uintptr_t)error;
    return STREAMS_OK;
}

static void bad_handles_of_callbacks_fail_the_stream(void **state) {
    (void)state;
    size_t live = streams_live_handles();
    streams_subject *subject = streams_passthrough_subject_create();
    streams_clear_last_error();
    assert_fails_inside(streams_flat_map(ints(1), 1, expand_to_nothing, NULL, NULL), STREAMS_NULL_HANDLE);
    assert_fails_inside(streams_flat_map(ints(1), 1, expand_to_number, NULL, NULL), STREAMS_STALE_HANDLE);
    assert_fails_inside(streams_flat_map(ints(1), 1, expand_to_subject, subject, NULL), STREAMS_WRONG_KIND);
    assert_fails_inside(
        streams_switch_to_latest(ints(1), expand_to_nothing, NULL, NULL), STREAMS_NULL_HANDLE);
    assert_fails_inside(
        streams_switch_to_latest(ints(1), expand_to_number, NULL, NULL), STREAMS_STALE_HANDLE);
    assert_fails_inside(streams_catch(failed(), recover_with_nothing, NULL, NULL), STREAMS_NULL_HANDLE);
    assert_fails_inside(streams_catch(failed(), recover_with_subject, subject, NULL), STREAMS_WRONG_KIND);
    assert_fails_inside(streams_map_error(failed(), rename_to_nothing, NULL, NULL), STREAMS_NULL_HANDLE);
    assert_fails_inside(streams_map_error(failed(), rename_to_context, subject, NULL), STREAMS_WRONG_KIND);
    assert_fails_inside(streams_map_error(failed(), rename_to_itself, NULL, NULL), STREAMS_STALE_HANDLE);
    assert_ok(streams_release(subject));
    /* What has been handed over is released, whatever it is. */
    assert_int_equal(streams_live_handles(), live);
}

/* The recorder's subscription is cancelled while catch subscribes to the replacement, which never ends. */
static void cancel_recorder(void *context, streams_subscription *subscription) {
    (void)subscription;
    assert_ok(streams_subscription_cancel(((recorder *)context)->subscription));
}

static streams_status recover_and_cancel(
    void *context, const streams_error *error, streams_publisher **out) {
    (void)error;
    streams_subject *subject = streams_passthrough_subject_create();
    streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
    handlers.context = context;
    handlers.on_subscription = cancel_recorder;
    *out = streams_handle_events(streams_subject_publisher(subject), &handlers);
    assert_ok(streams_release(subject));
    return STREAMS_OK;
}

static void a_catch_cancelled_while_it_goes_on_keeps_nothing(void **state) {
    (void)state;
    counter c = { 0 };
    recorder r = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *p = streams_map(streams_subject_publisher(subject), add_one, &c, counter_destroy);
    recorder_subscribe(&r, streams_catch(p, recover_and_cancel, &r, NULL), STREAMS_UNLIMITED);
    streams_error *error = streams_error_create(1, "test", "gone", NULL);
    assert_ok(streams_subject_send_completion(subject, error));
    assert_ok(streams_release(error));
    assert_ok(streams_release(subject));
    recorder_end(&r);
    assert_log(&r.log, "subscribed destroyed");
    assert_int_equal(c.destroyed, 1);
}

static void flat_map_with_no_publishers_never_asks(void **state) {
    (void)state;
    counter c = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { 0 };
    streams_publisher *p = streams_subject_publisher(subject);
    recorder_subscribe(&r, streams_flat_map(p, 0, expand_twice, &c, counter_destroy), STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 1));
    assert_int_equal(c.calls, 0);
    assert_ok(finish(subject));
    recorder_end(&r);
    assert_log(&r.log, "subscribed finished destroyed");
    assert_stream(streams_flat_map(streams_empty(true), 0, expand_twice, &c, counter_destroy),
        "subscribed finished destroyed");
    assert_int_equal(c.destroyed, 2);
    assert_ok(streams_release(subject));
}

static streams_status expand_to_retained(void *context, const streams_value *in, streams_publisher **out) {
    (void)in;
    streams_status status = streams_retain(context);
    if (status == STREAMS_OK) *out = context;
    return status;
}

static void a_callback_may_return_one_publisher_again_and_again(void **state) {
    (void)state;
    streams_publisher *shared = ints(2);
    streams_publisher *p = streams_flat_map(ints(3), STREAMS_UNLIMITED, expand_to_retained, shared, NULL);
    assert_stream(p, "subscribed 1 2 1 2 1 2 finished destroyed");
    assert_ok(streams_release(shared));
}

static void a_long_flat_map_does_not_recurse(void **state) {
    (void)state;
    enum { LONG = 100000 };
    int64_t *numbers = calloc(LONG, sizeof *numbers);
    recorder r = { .more = 1 };
    streams_publisher *p = streams_sequence_int64s(numbers, LONG);
    recorder_subscribe(&r, streams_flat_map(p, 1, expand_twice, NULL, NULL), 1);
    recorder_end(&r);
    assert_int_equal(r.values, 2 * LONG);
    free(numbers);
}

/* ---- Arrays of publishers ------------------------------------------------------------- */

static void arrays(void **state) {
    (void)state;
    typedef streams_publisher *(*combine)(streams_publisher *const *, size_t);
    const combine all[] = { streams_merge, streams_combine_latest, streams_zip };
    const char *const names[] = { "streams_merge", "streams_combine_latest", "streams_zip" };
    for (int i = 0; i < 3; i++) {
        assert_stream(all[i](NULL, 0), "subscribed finished destroyed");
        assert_refused(STREAMS_NULL_ARGUMENT, names[i], all[i](NULL, 2));
        /* Every good one is consumed. */
        size_t live = streams_live_handles();
        streams_publisher *children[] = { ints(1), NULL, ints(1) };
        assert_refused(STREAMS_NULL_HANDLE, names[i], all[i](children, 3));
        assert_int_equal(streams_live_handles(), live);
    }
}

static void one_publisher_twice_needs_two_references(void **state) {
    (void)state;
    streams_publisher *p = ints(2);
    assert_ok(streams_retain(p));
    streams_publisher *twice[] = { p, p };
    assert_stream(streams_zip(twice, 2), "subscribed [1, 1] [2, 2] finished destroyed");
    p = ints(2);
    streams_publisher *once[] = { p, p };
    assert_refused(STREAMS_STALE_HANDLE, "streams_merge", streams_merge(once, 2));
}

static void many_publishers(void **state) {
    (void)state;
    enum { MANY = 50 };
    streams_publisher *children[MANY];
    recorder r = { 0 };
    for (int i = 0; i < MANY; i++) children[i] = ints(2);
    recorder_subscribe(&r, streams_merge(children, MANY), STREAMS_UNLIMITED);
    recorder_end(&r);
    assert_int_equal(r.values, 2 * MANY);

    for (int i = 0; i < MANY; i++) children[i] = ints((size_t)i + 1);
    r = (recorder){ 0 };
    recorder_subscribe(&r, streams_zip(children, MANY), STREAMS_UNLIMITED);
    recorder_end(&r);
    assert_int_equal(r.values, 1);

    for (int i = 0; i < MANY; i++) children[i] = ints(1);
    r = (recorder){ 0 };
    recorder_subscribe(&r, streams_combine_latest(children, MANY), STREAMS_UNLIMITED);
    recorder_end(&r);
    assert_int_equal(r.values, 1);
}

static streams_status fail_the_upstream(void *context, const streams_value *in, streams_publisher **out) {
    streams_error *error = new_error("over");
    assert_ok(streams_subject_send_completion(context, error));
    assert_ok(streams_release(error));
    if (in->as.integer == 1) *out = streams_just(in);
    /* Else it fails at once, for there is no publisher. */
    return STREAMS_OK;
}

static uint64_t count_value(void *context, const streams_value *value) {
    (void)value;
    ((counter *)context)->calls++;
    return 0;
}

/* Nobody would ever ask for its value, nor cancel it. */
static void a_publisher_made_while_the_upstream_fails_is_let_go(void **state) {
    (void)state;
    for (int64_t value = 1; value <= 2; value++) {
        counter c = { 0 };
        streams_subject *subject = streams_passthrough_subject_create();
        streams_publisher *p = streams_subject_publisher(subject);
        streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
        subscriber.context = &c;
        subscriber.demand = 0;
        subscriber.on_value = count_value;
        subscriber.destroy = counter_destroy;
        streams_cancellable *cancellable =
            streams_sink(streams_switch_to_latest(p, fail_the_upstream, subject, NULL), &subscriber);
        assert_ok(send_int(subject, value));
        assert_ok(streams_release(cancellable));
        assert_ok(streams_release(subject));
        assert_int_equal(c.calls, 0);
        assert_int_equal(c.destroyed, 1);
    }
}

/* ---- Values that come while others are combined -------------------------------------------------- */

enum { TURNS = 1000 };

static struct {
    streams_subject *subject;
    int64_t references[TURNS];
    int made, alive, most_alive;
} replacing;

static void retain_one(void *object) { ++*(int64_t *)object; }
static void release_one(void *object) {
    if (--*(int64_t *)object == 0) replacing.alive--;
}

static streams_status send_another(void) {
    static const streams_object_type type = { sizeof type, retain_one, release_one, NULL, NULL };
    streams_value value;
    assert_ok(streams_value_object(&type, &replacing.references[replacing.made++], &value));
    if (++replacing.alive > replacing.most_alive) replacing.most_alive = replacing.alive;
    streams_status status = streams_subject_send(replacing.subject, &value);
    streams_value_destroy(&value);
    return status;
}

static streams_status replace_first(
    void *context, const streams_value *values, size_t count, streams_value *out) {
    (void)context, (void)count;
    assert_ok(send_another());
    return streams_value_copy(&values[1], out);
}

/* Also where all come within one turn, as those that are asked for by who subscribes. */
static void values_that_are_replaced_are_let_go_of_at_once(void **state) {
    (void)state;
    int64_t numbers[TURNS] = { 0 };
    counter c = { 0 };
    streams_value first = streams_int(0);
    replacing.subject = streams_current_value_subject_create(&first);
    streams_publisher *both[2] = { streams_subject_publisher(replacing.subject),
        streams_sequence_int64s(numbers, TURNS) };
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &c;
    subscriber.on_value = count_value;
    streams_cancellable *cancellable =
        streams_sink(streams_combine_latest_with(both, 2, replace_first, NULL, NULL), &subscriber);
    assert_int_equal(c.calls, TURNS);
    assert_int_equal(replacing.made, TURNS);
    assert_in_range(replacing.most_alive, 1, 3);
    assert_ok(streams_release(cancellable));
    assert_ok(streams_release(replacing.subject));
    assert_int_equal(replacing.alive, 0);
}

/* What a function of combine_latest_with sees while it sends to one of the sides, and what is seen then. */
static struct {
    streams_subject *subject;
    int64_t latest, right, wrong;
} changing;

static streams_status change_first(
    void *context, const streams_value *values, size_t count, streams_value *out) {
    (void)context, (void)count;
    int64_t first = values[0].as.integer, second = values[1].as.integer;
    if (first == changing.latest)
        changing.right++;
    else
        changing.wrong++;
    for (int64_t more = second % 3; more > 0; more--) {
        changing.latest = 10 * second + more;
        assert_ok(send_int(changing.subject, changing.latest));
    }
    if (values[0].as.integer != first || values[1].as.integer != second) changing.wrong++;
    *out = streams_int(second);
    return STREAMS_OK;
}

static void the_latest_value_is_seen_however_many_have_been_replaced(void **state) {
    (void)state;
    counter c = { 0 };
    streams_subject *second = streams_passthrough_subject_create();
    changing.subject = streams_passthrough_subject_create();
    streams_publisher *both[2] = { streams_subject_publisher(changing.subject),
        streams_subject_publisher(second) };
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &c;
    subscriber.on_value = count_value;
    streams_cancellable *cancellable =
        streams_sink(streams_combine_latest_with(both, 2, change_first, NULL, NULL), &subscriber);
    assert_ok(send_int(changing.subject, changing.latest = 7));
    for (int64_t i = 0; i < TURNS; i++) {
        assert_ok(send_int(second, i));
        if (i % 5 == 0) assert_ok(send_int(changing.subject, changing.latest = -i));
    }
    assert_int_equal(changing.wrong, 0);
    assert_int_equal(changing.right, TURNS + TURNS / 5);
    assert_int_equal(c.calls, TURNS + TURNS / 5);
    assert_ok(streams_release(cancellable));
    assert_ok(streams_release(second));
    assert_ok(streams_release(changing.subject));
}

/* A function that ends a side of zip_with, whose result comes all the same, and then the end. */
static streams_status finish_first(
    void *context, const streams_value *values, size_t count, streams_value *out) {
    *out = streams_int(values[0].as.integer + values[count - 1].as.integer);
    return streams_subject_send_completion(context, NULL);
}

static void a_function_may_end_a_side_of_zip(void **state) {
    (void)state;
    streams_subject *first = streams_passthrough_subject_create();
    streams_publisher *both[2] = { streams_subject_publisher(first), ints(2) };
    recorder r = { 0 };
    recorder_subscribe(&r, streams_zip_with(both, 2, finish_first, first, NULL), STREAMS_UNLIMITED);
    assert_ok(send_int(first, 2));
    recorder_end(&r);
    assert_log(&r.log, "subscribed 3 finished destroyed");
    assert_ok(streams_release(first));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(bad_handles_of_callbacks_fail_the_stream),
        test(a_catch_cancelled_while_it_goes_on_keeps_nothing),
        test(flat_map_with_no_publishers_never_asks),
        test(a_callback_may_return_one_publisher_again_and_again),
        test(a_long_flat_map_does_not_recurse),
        test(arrays),
        test(one_publisher_twice_needs_two_references),
        test(many_publishers),
        test(a_publisher_made_while_the_upstream_fails_is_let_go),
        test(values_that_are_replaced_are_let_go_of_at_once),
        test(the_latest_value_is_seen_however_many_have_been_replaced),
        test(a_function_may_end_a_side_of_zip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
