#include "scopes.h"

test_log runs;

streams_binding *bound(int64_t initial) {
    streams_subject *subject = current(initial);
    streams_binding *binding = streams_binding_of_subject(subject);
    streams_release(subject);
    return binding;
}

streams_scope_tree *tree_of(streams_body_fn body, void *context) {
    streams_scope_tree *tree = streams_scope_tree_create(NULL, NULL, body, context, NULL);
    assert_non_null(tree);
    return tree;
}

streams_status update(streams_scope_tree *tree) { return streams_scope_tree_update(tree); }

void assert_update_fails(streams_scope_tree *tree, int64_t code) {
    assert_int_equal(streams_scope_tree_update(tree), STREAMS_CALLBACK_FAILED);
    assert_last(STREAMS_CALLBACK_FAILED, "streams_scope_tree_update");
    streams_error *error = streams_last_error();
    assert_int_equal(streams_error_code(error), code);
    assert_ok(streams_release(error));
    streams_clear_last_error();
}

void assert_shown(streams_scope_tree *tree, const char *expected) {
    streams_value shown;
    assert_ok(streams_scope_tree_get_shown(tree, &shown));
    assert_described(&shown, expected);
    assert_ok(streams_value_destroy(&shown));
}

streams_status read_binding(const void *handle, streams_value *out) {
    return streams_binding_get_value(handle, out);
}

/* ---- Bodies -------------------------------------------------------------- */

streams_status show_input(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)context, (void)scope;
    log_add(&runs, "input");
    return streams_value_copy(input, out);
}

streams_status show_nothing(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)context, (void)scope, (void)input, (void)out;
    log_add(&runs, "nothing");
    return STREAMS_OK;
}

streams_status show_theme(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)context, (void)input;
    log_add(&runs, "theme");
    return streams_scope_get_environment_value(scope, "theme", out);
}

streams_status show_number(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)scope, (void)input;
    return streams_binding_get_value(context, out);
}

void say_gone(void *context) {
    (void)context;
    log_add(&runs, "gone");
}
