/* Scopes below scopes: which is which, what they keep, the environment. */

#include "scopes.h"

/* ---- Identity and state ------------------------------------------------------------ */

/* Shows its input and a counter; the task counts. */
static streams_status show_row(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    streams_value zero = streams_int(0), pair[2] = { *input };
    streams_binding *count = streams_scope_state(scope, "count", &zero), **kept = context;
    log_add(&runs, "%lld", (long long)input->as.integer);
    streams_status status = streams_binding_get_value(count, &pair[1]);
    if (status == STREAMS_OK) status = streams_value_list(pair, 2, out);
    if (kept != NULL && *kept == NULL && input->as.integer == 2) {
        *kept = count;
        return status;
    }
    streams_release(count);
    return status;
}

/* One child for each item of a list; the item is its key and its input. */
static streams_status show_rows(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    void **self = context;
    (void)input, (void)out;
    streams_value items;
    streams_status status = streams_binding_get_value(self[0], &items);
    for (uint32_t i = 0; i < items.size && status == STREAMS_OK; i++)
        status = streams_scope_child(scope, &items.as.items[i], &items.as.items[i], show_row, self[1], NULL);
    streams_value_destroy(&items);
    return status;
}

static streams_status set_list(streams_binding *binding, const int64_t *numbers, size_t count) {
    streams_value items[8], list;
    for (size_t i = 0; i < count; i++) items[i] = streams_int(numbers[i]);
    streams_status status = streams_value_list(items, count, &list);
    if (status == STREAMS_OK) status = streams_binding_set_value(binding, &list);
    streams_value_destroy(&list);
    return status;
}

static void a_child_is_known_by_its_key(void **state) {
    (void)state;
    streams_binding *kept = NULL, *items = bound(0);
    void *context[] = { items, &kept };
    assert_ok(set_list(items, (int64_t[]){ 1, 2, 3 }, 3));
    streams_scope_tree *tree = tree_of(show_rows, context);
    assert_ok(update(tree));
    assert_log(&runs, "1 2 3");
    assert_ok(set(kept, 7));
    assert_ok(update(tree));
    assert_log(&runs, "2");
    assert_ok(set(kept, 7));
    assert_ok(update(tree));
    assert_log(&runs, "");
    assert_ok(set_list(items, (int64_t[]){ 3, 4, 2 }, 3));
    assert_ok(update(tree));
    assert_log(&runs, "4");
    assert_shown(tree, "[[0, null], [1, [3, 0]], [1, [4, 0]], [1, [2, 7]]]");
    assert_ok(set_list(items, (int64_t[]){ 2, 2, 4 }, 3));
    assert_ok(update(tree));
    assert_log(&runs, "2");
    assert_shown(tree, "[[0, null], [1, [2, 7]], [1, [2, 0]], [1, [4, 0]]]");
    assert_ok(set_list(items, NULL, 0));
    assert_ok(update(tree));
    assert_ok(set(kept, 8)); /* of a scope that is gone */
    assert_ok(update(tree));
    assert_log(&runs, "");
    assert_shown(tree, "[[0, null]]");
    assert_ok(streams_release(tree));
    assert_ok(set(kept, 9));
    assert_ok(streams_release(kept));
    assert_ok(streams_release(items));
}

static counter contexts[2];

/* A child with the value of a binding as input, or another context or body if that is 2 or 3. */
static streams_status show_child(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)input;
    streams_status status = streams_binding_get_value(context, out);
    if (status != STREAMS_OK) return status;
    streams_value halved = streams_int(out->as.integer / 4);
    counter *other = &contexts[out->as.integer % 4 >= 2];
    streams_body_fn body = out->as.integer % 4 == 3 ? show_nothing : show_input;
    return streams_scope_child(scope, NULL, &halved, body, other, counter_destroy);
}

static void another_input_context_or_body_runs_the_child(void **state) {
    (void)state;
    memset(contexts, 0, sizeof contexts);
    streams_binding *choice = bound(0);
    streams_scope_tree *tree = tree_of(show_child, choice);
    assert_ok(update(tree));
    assert_log(&runs, "input");
    assert_ok(set(choice, 1)); /* the same child: only the context is another reference */
    assert_ok(update(tree));
    assert_log(&runs, "");
    assert_int_equal(contexts[0].destroyed, 1);
    assert_ok(set(choice, 2));
    assert_ok(update(tree));
    assert_log(&runs, "input");
    assert_int_equal(contexts[0].destroyed, 2);
    assert_ok(set(choice, 3));
    assert_ok(update(tree));
    assert_log(&runs, "nothing");
    assert_ok(set(choice, 7));
    assert_ok(update(tree));
    assert_log(&runs, "nothing");
    assert_ok(streams_release(tree));
    assert_int_equal(contexts[0].destroyed + contexts[1].destroyed, 5);
    assert_ok(streams_release(choice));
}

/* ---- The environment ----------------------------------------------------------------- */

/* Gives the value of a binding to its child, but if that is 0; shows its own. */
static streams_status give_theme(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    streams_value theme;
    (void)input;
    log_add(&runs, "give");
    streams_status status = streams_binding_get_value(context, &theme);
    if (status == STREAMS_OK && theme.as.integer != 0)
        status = streams_scope_set_environment_value(scope, "theme", &theme);
    if (status == STREAMS_OK) status = streams_scope_child(scope, NULL, NULL, show_theme, NULL, NULL);
    if (status == STREAMS_OK) status = streams_scope_get_environment_value(scope, "theme", out);
    return status;
}

static void the_environment_reaches_down_to_the_next_that_gives(void **state) {
    (void)state;
    streams_binding *given = bound(0);
    streams_scope_tree *tree = tree_of(give_theme, given);
    assert_ok(update(tree));
    assert_log(&runs, "give theme");
    assert_shown(tree, "[[0, null], [1, null]]");
    streams_value dark = streams_text("dark");
    assert_ok(streams_scope_tree_set_environment_value(tree, "theme", &dark));
    assert_ok(update(tree));
    assert_log(&runs, "give theme");
    assert_shown(tree, "[[0, \"dark\"], [1, \"dark\"]]");
    assert_ok(streams_scope_tree_set_environment_value(tree, "theme", &dark));
    assert_ok(update(tree));
    assert_log(&runs, "");
    assert_ok(set(given, 3));
    assert_ok(update(tree));
    assert_log(&runs, "give theme");
    assert_shown(tree, "[[0, \"dark\"], [1, 3]]");
    assert_ok(streams_scope_tree_set_environment_value(tree, "theme", NULL));
    assert_ok(update(tree));
    assert_log(&runs, "give");
    assert_shown(tree, "[[0, null], [1, 3]]");
    assert_ok(set(given, 0));
    assert_ok(update(tree));
    assert_log(&runs, "give theme");
    assert_shown(tree, "[[0, null], [1, null]]");
    assert_ok(streams_release(tree));
    assert_ok(streams_release(given));
}

static void the_first_update_finds_the_environment(void **state) {
    (void)state;
    streams_value dark = streams_text("dark");
    streams_scope_tree *tree = tree_of(show_theme, NULL);
    assert_ok(streams_scope_tree_set_environment_value(tree, "theme", &dark));
    assert_ok(update(tree));
    assert_log(&runs, "theme");
    assert_shown(tree, "[[0, \"dark\"]]");
    assert_ok(streams_release(tree));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_child_is_known_by_its_key),
        test(another_input_context_or_body_runs_the_child),
        test(the_environment_reaches_down_to_the_next_that_gives),
        test(the_first_update_finds_the_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
