/* Updates of scopes: failures, limits, schedulers. */

#include "scopes.h"

/* ---- Failures -------------------------------------------------------------------------- */

/* Fails while the binding has 13, after it has asked for one of two children. */
static streams_status show_or_fail(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)input;
    streams_value theme = streams_int(5), one = streams_int(1), two = streams_int(2);
    streams_status status = streams_binding_get_value(context, out);
    if (status == STREAMS_OK) status = streams_scope_child(scope, &one, &one, show_theme, NULL, NULL);
    if (status != STREAMS_OK) return status;
    if (out->as.integer == 13) return streams_callback_fail_with(13, "test", "unlucky");
    status = streams_scope_set_environment_value(scope, "theme", &theme);
    if (status == STREAMS_OK) status = streams_scope_child(scope, &two, &two, show_input, NULL, NULL);
    return status;
}

static void a_scope_that_fails_stays_what_it_was(void **state) {
    (void)state;
    streams_binding *number = bound(1);
    streams_scope_tree *tree = tree_of(show_or_fail, number);
    assert_ok(update(tree));
    assert_shown(tree, "[[0, 1], [1, 5], [1, 2]]");
    assert_ok(set(number, 13));
    assert_update_fails(tree, 13);
    assert_shown(tree, "[[0, 1], [1, 5], [1, 2]]");
    assert_update_fails(tree, 13); /* still */
    assert_ok(set(number, 2));
    assert_log(&runs, "theme input");
    assert_ok(update(tree));
    assert_log(&runs, "");
    assert_shown(tree, "[[0, 2], [1, 5], [1, 2]]");
    assert_ok(streams_release(tree));
    assert_ok(streams_release(number));
}

/* Fails once before it has read anything. */
static streams_status fail_at_once(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)scope, (void)input;
    reading *self = context;
    log_add(&runs, "run");
    if (self->name != NULL) return self->read(self->handle, out);
    self->name = "well";
    return STREAMS_OUT_OF_MEMORY;
}

static void what_a_body_read_before_it_failed_counts(void **state) {
    (void)state;
    streams_binding *number = bound(0);
    reading self = { "well", number, read_binding };
    streams_scope_tree *tree = tree_of(fail_at_once, &self);
    assert_ok(update(tree));
    self.name = NULL;
    assert_ok(set(number, 1));
    assert_update_fails(tree, STREAMS_OUT_OF_MEMORY);
    assert_ok(set(number, 2));
    assert_ok(update(tree));
    assert_shown(tree, "[[0, 2]]");
    assert_ok(streams_release(tree));
    assert_ok(streams_release(number));
    assert_log(&runs, "run run run");
}

static streams_status change_what_it_reads(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)scope, (void)input;
    streams_status status = streams_binding_get_value(context, out);
    return status == STREAMS_OK ? set(context, out->as.integer + 1) : status;
}

static void an_update_without_an_end_is_given_up(void **state) {
    (void)state;
    streams_binding *number = bound(0);
    streams_scope_tree *tree = tree_of(change_what_it_reads, number);
    assert_update_fails(tree, STREAMS_LIMIT);
    assert_shown(tree, "[[0, 99]]");
    assert_ok(streams_release(tree));
    assert_ok(streams_release(number));
}

static streams_status nest(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)input, (void)out;
    return streams_scope_child(scope, NULL, NULL, nest, context, NULL);
}

static void scopes_nest_until_a_limit(void **state) {
    (void)state;
    streams_scope_tree *tree = tree_of(nest, NULL);
    assert_update_fails(tree, STREAMS_LIMIT);
    streams_value shown;
    assert_ok(streams_scope_tree_get_shown(tree, &shown));
    assert_int_equal(shown.size, 10000);
    assert_ok(streams_value_destroy(&shown));
    assert_ok(streams_release(tree));
}

/* ---- Schedulers and updates ------------------------------------------------------------ */

static void a_scheduler_makes_one_update_of_many_changes(void **state) {
    (void)state;
    streams_scheduler *clock = streams_virtual_scheduler_create();
    streams_binding *number = bound(0);
    streams_scope_tree *tree = streams_scope_tree_create(clock, NULL, show_number, number, NULL);
    recorder r = { 0 };
    recorder_subscribe(&r, streams_scope_tree_updates(tree), STREAMS_UNLIMITED);
    assert_ok(streams_virtual_scheduler_run(clock));
    assert_log(&r.log, "subscribed 1");
    assert_ok(set(number, 1));
    assert_ok(set(number, 2));
    assert_shown(tree, "[[0, 0]]");
    assert_ok(streams_virtual_scheduler_run(clock));
    assert_log(&r.log, "1");
    assert_shown(tree, "[[0, 2]]");
    assert_ok(streams_release(clock));
    assert_ok(set(number, 3));
    assert_ok(update(tree)); /* by hand, where nobody else does */
    assert_shown(tree, "[[0, 3]]");
    assert_ok(streams_release(tree));
    assert_log(&r.log, "1 finished destroyed");
    recorder_end(&r);
    assert_ok(streams_release(number));
}

static void a_scheduler_that_cannot_update_is_refused(void **state) {
    (void)state;
    counter callback = { 0 };
    streams_scheduler *clock = streams_immediate_scheduler_create();
    assert_refused(STREAMS_INVALID_ARGUMENT, "streams_scope_tree_create",
        streams_scope_tree_create(clock, NULL, show_nothing, &callback, counter_destroy));
    assert_ok(streams_release(clock));
    assert_refused(STREAMS_STALE_HANDLE, "streams_scope_tree_create",
        streams_scope_tree_create(clock, NULL, show_nothing, &callback, counter_destroy));
    assert_int_equal(callback.destroyed, 2);
}

/* A scheduler that runs its last action when it is told to. */
static streams_action *asked;

static streams_nanoseconds no_time(void *context) {
    (void)context;
    return 0;
}

static void take_action(void *context, streams_nanoseconds time, streams_action *action) {
    (void)context, (void)time;
    log_add(&runs, "asked");
    asked = action;
}

static void a_scheduler_that_rejects_an_update_is_asked_again(void **state) {
    (void)state;
    streams_custom_scheduler callbacks = STREAMS_CUSTOM_SCHEDULER_INIT;
    callbacks.now = no_time;
    callbacks.schedule = take_action;
    streams_scheduler *clock = streams_custom_scheduler_create(&callbacks);
    streams_binding *number = bound(0);
    streams_scope_tree *tree = streams_scope_tree_create(clock, NULL, show_number, number, NULL);
    assert_ok(streams_action_run(asked));
    assert_ok(set(number, 1));
    assert_ok(set(number, 2));
    assert_log(&runs, "asked asked");
    assert_status(STREAMS_TERMINATED, streams_action_reject(asked, NULL));
    assert_ok(set(number, 3));
    assert_log(&runs, "asked");
    assert_ok(streams_action_run(asked));
    assert_shown(tree, "[[0, 3]]");
    assert_ok(streams_release(tree));
    assert_ok(streams_release(clock));
    assert_ok(streams_release(number));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_scope_that_fails_stays_what_it_was),
        test(what_a_body_read_before_it_failed_counts),
        test(an_update_without_an_end_is_given_up),
        test(scopes_nest_until_a_limit),
        test(a_scheduler_makes_one_update_of_many_changes),
        test(a_scheduler_that_cannot_update_is_refused),
        test(a_scheduler_that_rejects_an_update_is_asked_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
