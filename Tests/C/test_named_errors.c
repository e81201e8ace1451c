/* An error that a callback has named belongs to that callback: when it returns
 * without failing, the error is forgotten, and no later failure is charged
 * with it. */

#include "support.h"

static streams_error *named;
static int called;

static void name_one(void) {
    called++;
    (void)streams_callback_fail(named);
}

/* ---- Callbacks of every kind that name an error and succeed ---------------- */

static streams_status transform(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    name_one();
    return streams_value_copy(in, out);
}
static streams_status predicate(void *context, const streams_value *in, bool *result) {
    (void)context, (void)in;
    name_one();
    *result = true;
    return STREAMS_OK;
}
static streams_status reject(void *context, const streams_value *in, bool *result) {
    (void)context, (void)in, (void)result;
    name_one();
    return STREAMS_OK;
}
static streams_status compare(void *context, const streams_value *a, const streams_value *b, bool *same) {
    (void)context, (void)a, (void)b, (void)same;
    name_one();
    return STREAMS_OK;
}
static streams_status combine(
    void *context, const streams_value *accumulated, const streams_value *in, streams_value *out) {
    (void)context, (void)accumulated;
    name_one();
    return streams_value_copy(in, out);
}
static streams_status expand(void *context, const streams_value *in, streams_publisher **out) {
    (void)context;
    name_one();
    *out = streams_just(in);
    return STREAMS_OK;
}
static streams_status recover(void *context, const streams_error *error, streams_publisher **out) {
    (void)context, (void)error;
    name_one();
    *out = ints(1);
    return STREAMS_OK;
}
static void write_text(void *context, const char *text, size_t length) {
    (void)context, (void)text, (void)length;
    name_one();
}
static void notice(void *context) {
    (void)context;
    name_one();
}
static void notice_subscription(void *context, streams_subscription *subscription) {
    (void)context, (void)subscription;
    name_one();
}
static void notice_value(void *context, const streams_value *value) {
    (void)context, (void)value;
    name_one();
}
static void notice_completion(void *context, const streams_error *error) {
    (void)context, (void)error;
    name_one();
}
static void notice_request(void *context, uint64_t demand) {
    (void)context, (void)demand;
    name_one();
}
static uint64_t take_value(void *context, const streams_value *value) {
    (void)context, (void)value;
    name_one();
    return 0;
}
static uint64_t take_values(void *context, const streams_value *values, size_t count) {
    (void)context, (void)values, (void)count;
    name_one();
    return 0;
}
static streams_status open_source(void *context, streams_emitter *emitter, void **state) {
    (void)context, (void)emitter, (void)state;
    name_one();
    return STREAMS_OK;
}
static streams_status produce(void *state, streams_emitter *emitter, uint64_t max) {
    (void)state, (void)max;
    name_one();
    return streams_emitter_finish(emitter);
}
static bool equals(void *a, void *b) {
    name_one();
    return a == b;
}
static size_t describe(void *object, char *buffer, size_t capacity) {
    (void)object;
    name_one();
    return (size_t)snprintf(buffer, capacity, "it");
}

/* ---- Streams that call them ------------------------------------------------- */

static void run(streams_publisher *p) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    recorder r = { 0 };
    subscriber = recorder_subscriber(&r, STREAMS_UNLIMITED);
    (void)streams_release(streams_sink(p, &subscriber));
    recorder_end(&r);
}

static streams_publisher *all_events(bool failing) {
    streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
    handlers.on_subscription = notice_subscription;
    handlers.on_value = notice_value;
    handlers.on_completion = notice_completion;
    handlers.on_request = notice_request;
    handlers.on_cancel = notice;
    return streams_handle_events(failing ? failed() : streams_prefix(ints(3), 3), &handlers);
}

static void run_map(void) { run(streams_map(ints(2), transform, NULL, NULL)); }
static void run_maps(void) {
    run(streams_map(streams_map(ints(2), transform, NULL, NULL), add_one, NULL, NULL));
}
static void run_long_row(void) {
    streams_publisher *p = ints(2);
    for (int i = 0; i < 9; i++) p = streams_map(p, transform, NULL, NULL);
    run(p);
}
static void run_filter(void) { run(streams_filter(ints(2), predicate, NULL, NULL)); }
static void run_rejecting(void) { run(streams_filter(ints(2), reject, NULL, NULL)); }
static void run_filter_of_text(void) {
    streams_value text = streams_text("a string that is too long to be kept anywhere but in memory");
    streams_publisher *p = streams_map(streams_just(&text), identity, NULL, NULL);
    run(streams_filter(streams_filter(p, predicate, NULL, NULL), reject, NULL, NULL));
}
static void run_compact_map(void) { run(streams_compact_map(ints(2), transform, NULL, NULL)); }
static void run_compare(void) { run(streams_remove_duplicates_by(ints(2), compare, NULL, NULL)); }
static void run_scan(void) {
    streams_value zero = streams_int(0);
    run(streams_scan(ints(2), &zero, combine, NULL, NULL));
}
static void run_reduce(void) {
    streams_value zero = streams_int(0);
    run(streams_reduce(ints(2), &zero, combine, NULL, NULL));
}
static void run_flat_map(void) { run(streams_flat_map(ints(2), 1, expand, NULL, NULL)); }
static void run_catch(void) { run(streams_catch(failed(), recover, NULL, NULL)); }
static void run_print(void) { run(streams_print(ints(2), NULL, write_text, NULL, NULL)); }
static void run_destroy(void) { run(streams_map(ints(2), add_one, NULL, notice)); }
static void run_events(void) { run(all_events(false)); }
static void run_failing_events(void) { run(all_events(true)); }
static void run_cancelled_events(void) { run(streams_prefix(all_events(false), 1)); }
static void run_source(void) {
    streams_source source = STREAMS_SOURCE_INIT;
    source.open = open_source;
    source.produce = produce;
    source.close = notice;
    source.destroy = notice;
    run(streams_publisher_create(&source));
}
static void run_subscriber(streams_publisher *p, bool batches) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.on_subscription = notice_subscription;
    subscriber.on_value = take_value;
    if (batches) subscriber.on_values = take_values;
    subscriber.on_completion = notice_completion;
    subscriber.destroy = notice;
    (void)streams_release(streams_sink(p, &subscriber));
}
static void run_sink(void) { run_subscriber(ints(2), false); }
static void run_batches(void) { run_subscriber(ints(2), true); }
static void run_failing_sink(void) { run_subscriber(failed(), false); }
static void run_object(void) {
    static const streams_object_type type = { sizeof type, notice, notice, equals, describe };
    streams_value value = streams_null();
    bool same = false;
    char text[8];
    (void)streams_value_object(&type, &called, &value);
    (void)streams_value_equal(&value, &value, &same);
    (void)streams_value_describe(&value, text, sizeof text, NULL);
    (void)streams_value_destroy(&value);
}
static void run_outside(void) { name_one(); }

static const struct {
    const char *name;
    void (*run)(void);
} kinds[] = {
    { "map", run_map },
    { "map, map", run_maps },
    { "nine maps", run_long_row },
    { "filter", run_filter },
    { "filter that rejects", run_rejecting },
    { "filter of text", run_filter_of_text },
    { "compact_map", run_compact_map },
    { "remove_duplicates_by", run_compare },
    { "scan", run_scan },
    { "reduce", run_reduce },
    { "flat_map", run_flat_map },
    { "catch", run_catch },
    { "print", run_print },
    { "destroy", run_destroy },
    { "events", run_events },
    { "events of a failure", run_failing_events },
    { "events of a cancellation", run_cancelled_events },
    { "source", run_source },
    { "sink", run_sink },
    { "sink of batches", run_batches },
    { "sink of a failure", run_failing_sink },
    { "object", run_object },
    { "no callback", run_outside },
};

/* ---- What fails later ------------------------------------------------------- */

typedef struct failure {
    char domain[32];
    int64_t code;
} failure;

static void note_failure(recorder *self, const streams_error *error) {
    failure *noted = self->extra;
    snprintf(noted->domain, sizeof noted->domain, "%s", streams_error_domain(error));
    noted->code = streams_error_code(error);
}

static failure failure_of(streams_publisher *p) {
    failure noted = { .code = 0 };
    recorder r = { .on_completion = note_failure, .extra = &noted };
    recorder_subscribe(&r, p, STREAMS_UNLIMITED);
    recorder_end(&r);
    return noted;
}

static streams_status fail_plainly(void *context, const streams_value *in, streams_value *out) {
    (void)context, (void)in, (void)out;
    return STREAMS_CALLBACK_FAILED;
}

static void no_later_failure_is_charged(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        named = new_error("named");
        called = 0;
        kinds[i].run();
        if (called == 0) fail_msg("%s: not called", kinds[i].name);
        failure later = failure_of(streams_map(ints(1), fail_plainly, NULL, NULL));
        if (strcmp(later.domain, "streams.callback") != 0 || later.code != STREAMS_CALLBACK_FAILED)
            fail_msg("%s: the failure is %s %d", kinds[i].name, later.domain, (int)later.code);
        assert_ok(streams_release(named));
    }
    streams_clear_last_error();
}

/* The object that the error carries is released as well, at once. */
static atomic_int held;
static void hold(void *object) { (void)object, held++; }
static void let_go(void *object) { (void)object, held--; }

static void what_is_forgotten_is_released(void **state) {
    (void)state;
    static const streams_object_type type = { sizeof type, hold, let_go, NULL, NULL };
    streams_value value = streams_null();
    assert_ok(streams_value_object(&type, NULL, &value));
    named = streams_error_create(1, "test", "carries", &value);
    assert_ok(streams_value_destroy(&value));
    run(streams_map(ints(1), transform, NULL, NULL));
    assert_ok(streams_release(named));
    assert_int_equal(held, 0);
}

/* ---- Callbacks inside callbacks --------------------------------------------- */

static streams_subject *inner;

static streams_status name_send_and_fail(void *context, const streams_value *in, streams_value *out) {
    (void)context, (void)in, (void)out;
    streams_status status = streams_callback_fail(named);
    (void)send_int(inner, 1);
    return status;
}

static void what_happens_in_between_leaves_the_name_alone(void **state) {
    (void)state;
    named = streams_error_create(7, "test", "mine", NULL);
    inner = streams_passthrough_subject_create();
    recorder r = { 0 };
    streams_publisher *p = streams_map(streams_subject_publisher(inner), add_one, NULL, NULL);
    recorder_subscribe(&r, streams_filter(p, is_even, NULL, NULL), STREAMS_UNLIMITED);
    failure mine = failure_of(streams_map(ints(1), name_send_and_fail, NULL, NULL));
    assert_string_equal(mine.domain, "test");
    assert_int_equal(mine.code, 7);
    assert_log(&r.log, "subscribed 2");
    recorder_end(&r);
    assert_ok(streams_release(inner));
    assert_ok(streams_release(named));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(no_later_failure_is_charged),
        test(what_is_forgotten_is_released),
        test(what_happens_in_between_leaves_the_name_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
