/* A callback that answers with the status of a call that has failed within it: the
 * stream fails with what that call has said. No other failure is charged with it,
 * neither that of another callback nor one with another status. */

#include "rows.h"

static const char words[] = "failed(streams_prefix: count is -1; it must be at least 0) streams.callback 8";
static const char no_words[] =
    "failed(a callback returned STREAMS_INVALID_ARGUMENT (8), and no error is named) streams.callback 8";
static const char other_words[] =
    "failed(a callback returned STREAMS_INVALID_UTF8 (7), and no error is named) streams.callback 7";

/* ---- What callbacks do before they answer ----------------------------------- */

static int calls;

static streams_status fail_a_call(void) {
    streams_status status = made(streams_prefix(ints(3), -1));
    (void)made(streams_prefix(ints(3), 1)); /* as whoever cleans up calls what succeeds */
    return status;
}

static streams_status succeed(void) { return calls++, STREAMS_OK; }
static streams_status fail_with_its_status(void) { return calls++, fail_a_call(); }
static streams_status fail_with_another_status(void) {
    return calls++, (void)fail_a_call(), STREAMS_INVALID_UTF8;
}
static streams_status succeed_all_the_same(void) { return calls++, (void)fail_a_call(), STREAMS_OK; }
static streams_status fail_without_a_call(void) { return calls++, STREAMS_INVALID_ARGUMENT; }
static streams_status fail_at_the_second_time(void) {
    return calls++ == 0 ? succeed_all_the_same() : STREAMS_INVALID_ARGUMENT;
}

/* ---- What comes of it --------------------------------------------------------- */

static fixture f;

static void note_origin(recorder *self, const streams_error *error) {
    if (error == NULL) return;
    log_add(&self->log, "%s %d", streams_error_domain(error), (int)streams_error_code(error));
}

/* What has made a call fail that is not a stream. */
static void note_status(recorder *self, streams_status status) {
    streams_error *error = status == STREAMS_OK ? NULL : streams_last_error();
    if (error == NULL) return;
    log_add(&self->log, "failed(%s)", streams_error_message(error));
    note_origin(self, error);
    (void)streams_release(error);
}

static void change(void) {
    for (int64_t i = 1; i <= 3; i++) (void)send_int(f.subject, i);
    (void)let_time_pass(&f);
}

static void watch_publisher(recorder *r, streams_publisher *p) {
    recorder_subscribe(r, p, 1);
    change();
    (void)streams_subscription_request(r->subscription, 10);
    change();
}

static void use_binding(recorder *r, streams_binding *binding) {
    streams_value value = streams_null();
    note_status(r, streams_binding_get_value(binding, &value));
    note_status(r, streams_binding_set_value(binding, &row_one));
    log_value(&r->log, &value);
    (void)streams_value_destroy(&value);
}

static void watch(recorder *r, const void *something) {
    void *handle = (void *)(uintptr_t)something;
    switch (streams_handle_kind(handle)) {
    case STREAMS_KIND_PUBLISHER: watch_publisher(r, handle); return;
    case STREAMS_KIND_PROPERTY: watch_publisher(r, streams_property_all_values(handle)); break;
    case STREAMS_KIND_BINDING: use_binding(r, handle); break;
    case STREAMS_KIND_SCOPE_TREE: note_status(r, streams_scope_tree_update(handle)); break;
    default: note_status(r, streams_last_status()); return;
    }
    (void)streams_release(handle);
}

/* ---- Each callback, with several sources --------------------------------------- */

static streams_publisher *batch(void) { return ints(5); }
static streams_publisher *singles(void) { return streams_subject_publisher(f.subject); }
static streams_publisher *after_a_step(void) { return streams_map(ints(5), add_one, NULL, NULL); }
static streams_publisher *after_many_steps(void) {
    streams_publisher *p = singles();
    for (int i = 0; i < 9; i++) p = streams_map(p, add_one, NULL, NULL);
    return p;
}

static streams_publisher *(*const sources[])(void) = {
    batch, singles, after_a_step, after_many_steps, failed
};
enum { SOURCES = sizeof sources / sizeof sources[0] };

typedef struct trial {
    const failing_row *row;
    streams_publisher *(*source)(void);
    streams_status (*callback)(void);
    recorder recorder;
    int calls;
} trial;

static void attempt(trial *t) {
    recorder_end(&t->recorder);
    t->recorder = (recorder){ .on_completion = note_origin };
    calls = 0;
    (void)made(streams_prefix(ints(3), -1)); /* what has failed before is none of the callback's business */
    row_failing = t->callback;
    watch(&t->recorder, t->row->make(t->source, &f));
    row_failing = succeed;
    t->calls = calls;
    recorder_end(&t->recorder);
}

/* Within a callback in which calls have failed. */
static streams_status attempt_inside(void *context, const streams_value *in, streams_value *out) {
    (void)in, (void)out;
    attempt(context);
    return STREAMS_OK;
}

static const char *outcome(trial *t, streams_status (*callback)(void), bool inside) {
    fixture_begin(&f);
    t->callback = callback;
    t->recorder = (recorder){ 0 };
    if (inside) {
        recorder around = { 0 };
        recorder_subscribe(&around, streams_map(ints(1), attempt_inside, t, NULL), STREAMS_UNLIMITED);
        recorder_end(&around);
    } else {
        attempt(t);
    }
    fixture_end(&f);
    streams_clear_last_error();
    return t->recorder.log.text;
}

static void expect(trial *t, streams_status (*callback)(void), const char *expected, bool inside) {
    const char *log = outcome(t, callback, inside);
    if (t->calls > 0 && strstr(log, expected) != NULL) return;
    fail_msg("%s, %s: \"%s\", not \"%s\"", t->row->function, t->row->callback, log, expected);
}

/* Returns how often the callback was called, if nothing fails. */
static int try_all(trial *t, bool inside) {
    char undisturbed[sizeof t->recorder.log.text];
    strcpy(undisturbed, outcome(t, succeed, inside));
    int normal = t->calls;
    if (normal == 0) return 0;
    expect(t, fail_with_its_status, words, inside);
    expect(t, fail_with_another_status, other_words, inside);
    expect(t, fail_without_a_call, no_words, inside);
    expect(t, succeed_all_the_same, undisturbed, inside);
    if (normal < 2) return normal;
    /* Some go on with what they have already. */
    const char *log = outcome(t, fail_at_the_second_time, inside);
    if (strstr(log, words) != NULL) fail_msg("%s: charged with another's call: %s", t->row->function, log);
    if (strcmp(log, undisturbed) != 0) expect(t, fail_at_the_second_time, no_words, inside);
    return normal;
}

static void a_failure_has_the_words_of_the_call_whose_status_it_is(void **state) {
    (void)state;
    int repeated = 0;
    for (int row = 0; row < failing_row_count; row++) {
        int most = 0;
        for (int source = 0; source < SOURCES; source++) {
            for (int inside = 0; inside < 2; inside++) {
                trial t = { .row = &failing_rows[row], .source = sources[source] };
                int times = try_all(&t, inside);
                if (times > most) most = times;
            }
        }
        if (most == 0) fail_msg("%s never calls %s", failing_rows[row].function, failing_rows[row].callback);
        repeated += most > 1;
    }
    assert_true(repeated > failing_row_count / 2);
}

/* ---- Callbacks inside callbacks --------------------------------------------------- */

static streams_status fail_a_call_and_go_on(void *context, const streams_value *in, streams_value *out) {
    (void)context, (void)fail_a_call();
    return streams_value_copy(in, out);
}

/* Another stream, in whose callbacks calls fail. */
static void run_another(void) {
    recorder r = { 0 };
    streams_publisher *p = streams_map(ints(2), fail_a_call_and_go_on, NULL, NULL);
    recorder_subscribe(&r, streams_scan(p, &row_one, sum, NULL, NULL), STREAMS_UNLIMITED);
    recorder_end(&r);
}

static streams_status fail_and_run_another(void *context, const streams_value *in, streams_value *out) {
    (void)context, (void)in, (void)out;
    streams_status status = fail_a_call();
    run_another();
    return status;
}

static streams_status name_and_run_another(void *context, const streams_value *in, streams_value *out) {
    (void)context, (void)in, (void)out;
    streams_status status = streams_callback_fail_with(7, "test", "named");
    (void)fail_a_call();
    run_another();
    return status;
}

static streams_status run_another_and_fail(void *context, const streams_value *in, streams_value *out) {
    (void)context, (void)in, (void)out;
    run_another();
    return STREAMS_INVALID_ARGUMENT;
}

/* A callback makes the call fail: there is an error with more than words. */
static streams_status get_what_has_none(void *property, const streams_value *in, streams_value *out) {
    (void)in;
    return streams_property_get_value(property, out);
}

static void assert_fails_with(
    streams_transform_fn transform, void *context, const char *failure) {
    recorder r = { .on_completion = note_origin };
    recorder_subscribe(&r, streams_map(ints(1), transform, context, NULL), STREAMS_UNLIMITED);
    char whole[256];
    snprintf(whole, sizeof whole, "subscribed %s destroyed", failure);
    assert_log(&r.log, whole);
    recorder_end(&r);
}

static void other_streams_do_not_get_in_between(void **state) {
    (void)state;
    assert_fails_with(fail_and_run_another, NULL, words);
    assert_fails_with(name_and_run_another, NULL, "failed(named) test 7");
    assert_fails_with(run_another_and_fail, NULL, no_words);
    streams_clear_last_error();
}

static void the_error_of_a_call_is_passed_on_as_it_is(void **state) {
    (void)state;
    streams_property *property = streams_property_create(&row_one);
    streams_property *broken = streams_property_map(property, broken_transform, NULL, NULL);
    assert_fails_with(get_what_has_none, broken, "failed(broken) test 42");
    assert_ok(streams_release(broken));
    assert_ok(streams_release(property));
    streams_clear_last_error();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_failure_has_the_words_of_the_call_whose_status_it_is),
        test(other_streams_do_not_get_in_between),
        test(the_error_of_a_call_is_passed_on_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
