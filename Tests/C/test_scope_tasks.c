/* Tasks of scopes: when they begin and end, and what they take down. */

#include "scopes.h"

typedef struct job {
    int64_t number;
} job;

static void begin_job(void *context) { log_add(&runs, "begin%lld", (long long)((job *)context)->number); }

static void end_job(void *context) {
    log_add(&runs, "end%lld", (long long)((job *)context)->number);
    free(context);
}

/* Asks for a task with the value of a binding as input, but if that is negative. */
static streams_status do_task(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)input;
    streams_status status = streams_binding_get_value(context, out);
    log_add(&runs, "body");
    if (status != STREAMS_OK || out->as.integer < 0) return status;
    job *made = malloc(sizeof *made);
    if (made == NULL) return STREAMS_OUT_OF_MEMORY;
    made->number = out->as.integer;
    streams_value tens = streams_int(made->number / 10);
    return streams_scope_task(scope, "job", &tens, begin_job, made, end_job);
}

static void a_task_begins_and_ends_with_its_input(void **state) {
    (void)state;
    streams_binding *input = bound(10);
    streams_scope_tree *tree = tree_of(do_task, input);
    assert_ok(update(tree));
    assert_log(&runs, "body begin10");
    assert_ok(set(input, 11)); /* an equal input: what is new is released */
    assert_ok(update(tree));
    assert_log(&runs, "body end11");
    assert_ok(set(input, 20));
    assert_ok(update(tree));
    assert_log(&runs, "body end10 begin20");
    assert_ok(set(input, -1));
    assert_ok(update(tree));
    assert_log(&runs, "body end20");
    assert_ok(set(input, 30));
    assert_ok(update(tree));
    assert_log(&runs, "body begin30");
    assert_ok(streams_release(tree));
    assert_log(&runs, "end30");
    assert_ok(streams_release(input));
}

static void take_down(void *context) {
    streams_scope_tree **tree = context;
    log_add(&runs, "down");
    streams_release(*tree);
}

static streams_status take_down_in_task(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)input, (void)out;
    log_add(&runs, "body");
    return streams_scope_task(scope, "end", NULL, take_down, context, say_gone);
}

static streams_status take_down_in_body(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)input, (void)out;
    take_down(context);
    streams_status status = streams_scope_child(scope, NULL, NULL, show_nothing, NULL, say_gone);
    log_add(&runs, "body");
    return status;
}

static void a_tree_is_taken_down_from_within(void **state) {
    (void)state;
    streams_body_fn bodies[] = { take_down_in_task, take_down_in_body };
    const char *expected[] = { "body down gone", "down body gone" };
    for (int i = 0; i < 2; i++) {
        streams_scope_tree *tree = tree_of(bodies[i], &tree);
        assert_ok(update(tree));
        assert_log(&runs, expected[i]);
        assert_status(STREAMS_STALE_HANDLE, update(tree));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_task_begins_and_ends_with_its_input),
        test(a_tree_is_taken_down_from_within),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
