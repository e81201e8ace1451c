/* What only the body of a scope may do while it runs, and what is no part of it. */

#include "scopes.h"

/* Keeps its scope. */
static streams_status keep_scope(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)input, (void)out;
    streams_scope **kept = context;
    log_add(&runs, "run");
    if (*kept != NULL) return STREAMS_OK;
    *kept = scope;
    return streams_retain(scope);
}

/* What only its own body may do, done by others. */
static void *misuse(void *context) {
    streams_scope *scope = context;
    streams_value value = streams_int(1), out = streams_int(5);
    assert_status(
        STREAMS_PROTOCOL_VIOLATION, streams_scope_child(scope, NULL, NULL, show_nothing, NULL, NULL));
    assert_status(STREAMS_PROTOCOL_VIOLATION, streams_scope_task(scope, "x", NULL, say_gone, NULL, NULL));
    assert_status(STREAMS_PROTOCOL_VIOLATION, streams_scope_set_environment_value(scope, "x", &value));
    assert_status(STREAMS_PROTOCOL_VIOLATION, streams_scope_get_environment_value(scope, "x", &out));
    assert_int_equal(out.kind, STREAMS_VALUE_NULL);
    assert_refused(
        STREAMS_PROTOCOL_VIOLATION, "streams_scope_state", streams_scope_state(scope, "x", &value));
    return NULL;
}

static void a_scope_is_for_its_own_body(void **state) {
    (void)state;
    streams_scope *scope = NULL;
    streams_scope_tree *tree = tree_of(keep_scope, &scope);
    assert_ok(update(tree));
    misuse(scope);
    assert_ok(streams_scope_invalidate(scope));
    assert_ok(update(tree));
    assert_log(&runs, "run run");
    assert_ok(streams_release(tree));
    misuse(scope);
    assert_ok(streams_scope_invalidate(scope));
    assert_log(&runs, "");
    assert_ok(streams_release(scope));
}

/* ---- What is no part of a body ---------------------------------------------------------- */

/* What a body lends to functions that are called while it runs. */
typedef struct lender {
    streams_binding *number;
    streams_scope *scope;
    streams_status answer;
} lender;

static lender lent;

/* Reads the number, and asks for a child that nobody expects. */
static void intrude(void) {
    streams_value read, key = streams_int(-1);
    assert_ok(streams_binding_get_value(lent.number, &read));
    lent.answer = streams_scope_child(lent.scope, &key, NULL, show_nothing, NULL, NULL);
}

static bool intrude_and_compare(void *a, void *b) {
    intrude();
    return a == b;
}

static const streams_object_type intruder = { sizeof intruder, NULL, NULL, intrude_and_compare, NULL };

static streams_status ask_for_objects(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)input;
    static char objects[3];
    lent.scope = scope;
    streams_status status = streams_binding_get_value(context, out);
    for (int i = 0; i < 3 && status == STREAMS_OK; i++) {
        streams_value key;
        status = streams_value_object(&intruder, &objects[out->as.integer == 1 ? i : 2 - i], &key);
        if (status != STREAMS_OK) return status;
        status = streams_scope_child(scope, &key, &key, show_input, NULL, NULL);
        streams_value_destroy(&key);
    }
    return status;
}

static void what_compares_is_no_part_of_the_body(void **state) {
    (void)state;
    streams_binding *order = bound(1);
    lent = (lender){ bound(1), NULL, STREAMS_OK };
    streams_scope_tree *tree = tree_of(ask_for_objects, order);
    assert_ok(update(tree));
    assert_log(&runs, "input input input");
    assert_ok(set(order, 2));
    assert_ok(update(tree));
    assert_int_equal(lent.answer, STREAMS_PROTOCOL_VIOLATION);
    assert_ok(set(lent.number, 2)); /* which no body has read */
    recorder r = { 0 };
    recorder_subscribe(&r, streams_scope_tree_updates(tree), STREAMS_UNLIMITED);
    assert_ok(update(tree));
    assert_log(&r.log, "subscribed");
    assert_log(&runs, "");
    assert_ok(streams_release(tree));
    recorder_end(&r);
    assert_ok(streams_release(lent.number));
    assert_ok(streams_release(order));
}

static void intrude_at_last(void *context) {
    (void)context;
    intrude();
}

static streams_status begin_while_positive(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)input;
    streams_status status = streams_binding_get_value(context, out);
    if (status != STREAMS_OK || out->as.integer < 0) return status;
    lent.scope = scope;
    assert_ok(streams_retain(scope));
    return streams_scope_task(scope, "x", NULL, say_gone, NULL, intrude_at_last);
}

static void what_ends_a_task_is_no_part_of_the_body(void **state) {
    (void)state;
    streams_binding *sign = bound(1);
    lent = (lender){ bound(1), NULL, STREAMS_OK };
    streams_scope_tree *tree = tree_of(begin_while_positive, sign);
    assert_ok(update(tree));
    assert_ok(set(sign, -1));
    assert_ok(update(tree));
    assert_int_equal(lent.answer, STREAMS_PROTOCOL_VIOLATION);
    assert_log(&runs, "gone");
    assert_shown(tree, "[[0, -1]]");
    assert_ok(streams_release(lent.scope));
    assert_ok(streams_release(tree));
    assert_ok(streams_release(lent.number));
    assert_ok(streams_release(sign));
}

/* Ends a task that has not begun, and asks for it once more. */
static void ask_again(void *context) {
    log_add(&runs, "end%s", (const char *)context);
    if (strcmp(context, "1") != 0) return;
    streams_value three = streams_int(3);
    lent.answer = streams_scope_task(lent.scope, "x", &three, say_gone, "3", ask_again);
}

static streams_status ask_for_one_task_twice(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)context, (void)input, (void)out;
    lent.scope = scope;
    streams_value one = streams_int(1), two = streams_int(2);
    streams_status status = streams_scope_task(scope, "x", &one, say_gone, "1", ask_again);
    return status == STREAMS_OK ? streams_scope_task(scope, "x", &two, say_gone, "2", ask_again) : status;
}

static void of_tasks_with_one_name_the_last_counts(void **state) {
    (void)state;
    streams_scope_tree *tree = tree_of(ask_for_one_task_twice, NULL);
    assert_ok(update(tree));
    assert_int_equal(lent.answer, STREAMS_PROTOCOL_VIOLATION);
    assert_log(&runs, "end1 end3 gone");
    assert_ok(streams_release(tree));
    assert_log(&runs, "end2");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_scope_is_for_its_own_body),
        test(what_compares_is_no_part_of_the_body),
        test(what_ends_a_task_is_no_part_of_the_body),
        test(of_tasks_with_one_name_the_last_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
