/* Scopes: what runs again, identity, state, tasks, the environment, failures, endings, threads. */

#include <pthread.h>

#include "support.h"

/* What bodies write down. */
static test_log runs;

static streams_binding *bound(int64_t initial) {
    streams_value value = streams_int(initial);
    streams_subject *subject = streams_current_value_subject_create(&value);
    streams_binding *binding = streams_binding_of_subject(subject);
    streams_release(subject);
    return binding;
}

static streams_status set(streams_binding *binding, int64_t number) {
    streams_value value = streams_int(number);
    return streams_binding_set_value(binding, &value);
}

static streams_status update(streams_scope_tree *tree) { return streams_scope_tree_update(tree); }

/* It fails with an error of this code. */
static void assert_update_fails(streams_scope_tree *tree, int64_t code) {
    assert_int_equal(streams_scope_tree_update(tree), STREAMS_CALLBACK_FAILED);
    assert_last(STREAMS_CALLBACK_FAILED, "streams_scope_tree_update");
    streams_error *error = streams_last_error();
    assert_int_equal(streams_error_code(error), code);
    assert_ok(streams_release(error));
    streams_clear_last_error();
}

static void assert_shown(streams_scope_tree *tree, const char *expected) {
    streams_value shown;
    assert_ok(streams_scope_tree_get_shown(tree, &shown));
    assert_described(&shown, expected);
    assert_ok(streams_value_destroy(&shown));
}

static streams_scope_tree *tree_of(streams_body_fn body, void *context) {
    streams_scope_tree *tree = streams_scope_tree_create(NULL, NULL, body, context, NULL);
    assert_non_null(tree);
    return tree;
}

/* ---- What is read ----------------------------------------------------------------- */

/* Reads something that a body can read. */
typedef struct reading {
    const char *name;
    const void *handle;
    streams_status (*read)(const void *handle, streams_value *out);
} reading;

static streams_status read_binding(const void *handle, streams_value *out) {
    return streams_binding_get_value(handle, out);
}

static streams_status read_property(const void *handle, streams_value *out) {
    return streams_property_get_value(handle, out);
}

static streams_status read_object(const void *handle, streams_value *out) {
    return streams_observable_object_get_value(handle, "x", out);
}

static streams_status read_subject(const void *handle, streams_value *out) {
    return streams_current_value_subject_get_value((void *)(uintptr_t)handle, out);
}

static streams_status show_reading(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    const reading *self = context;
    (void)scope, (void)input;
    log_add(&runs, "%s", self->name);
    return self->read(self->handle, out);
}

enum { READINGS = 4 };

static streams_status show_readings(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)input, (void)out;
    log_add(&runs, "all");
    for (int i = 0; i < READINGS; i++) {
        reading *each = (reading *)context + i;
        streams_status status = streams_scope_child(scope, NULL, NULL, show_reading, each, NULL);
        if (status != STREAMS_OK) return status;
    }
    return STREAMS_OK;
}

static void a_body_runs_again_when_what_it_read_has_changed(void **state) {
    (void)state;
    streams_value one = streams_int(1), two = streams_int(2);
    streams_subject *subject = streams_current_value_subject_create(&one);
    streams_subject *source = streams_current_value_subject_create(&one);
    streams_property *property = streams_property_of_subject(source);
    streams_observable_object *object = streams_observable_object_create();
    assert_ok(streams_observable_object_add(object, "x", &one));
    assert_ok(streams_observable_object_add(object, "y", &one));
    streams_binding *binding = bound(1);
    reading all[READINGS] = { { "binding", binding, read_binding }, { "property", property, read_property },
        { "object", object, read_object }, { "subject", subject, read_subject } };
    streams_scope_tree *tree = tree_of(show_readings, all);
    assert_shown(tree, "[]");
    assert_ok(update(tree));
    assert_log(&runs, "all binding property object subject");
    assert_shown(tree, "[[0, null], [1, 1], [1, 1], [1, 1], [1, 1]]");
    assert_ok(update(tree));
    assert_log(&runs, "");
    assert_ok(set(binding, 2));
    assert_ok(update(tree));
    assert_log(&runs, "binding");
    assert_ok(streams_subject_send(source, &two));
    assert_ok(update(tree));
    assert_log(&runs, "property");
    assert_ok(streams_observable_object_set_value(object, "y", &two));
    assert_ok(update(tree));
    assert_log(&runs, "");
    assert_ok(streams_observable_object_set_value(object, "x", &two));
    assert_ok(streams_current_value_subject_set_value(subject, &two));
    assert_ok(streams_current_value_subject_set_value(subject, &two));
    assert_ok(update(tree));
    assert_log(&runs, "object subject");
    assert_shown(tree, "[[0, null], [1, 2], [1, 2], [1, 2], [1, 2]]");
    assert_ok(streams_release(tree));
    assert_ok(set(binding, 3));
    assert_log(&runs, "");
    assert_ok(streams_release(binding));
    assert_ok(streams_release(object));
    assert_ok(streams_release(property));
    assert_ok(streams_release(source));
    assert_ok(streams_release(subject));
}

/* Reads the second binding while the first has 1. */
static streams_status show_one_of_two(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    streams_binding **two = context;
    (void)scope, (void)input;
    log_add(&runs, "run");
    streams_status status = streams_binding_get_value(two[0], out);
    if (status != STREAMS_OK || out->as.integer != 1) return status;
    return streams_binding_get_value(two[1], out);
}

static void what_is_not_read_again_counts_no_more(void **state) {
    (void)state;
    streams_binding *two[] = { bound(1), bound(10) };
    streams_scope_tree *tree = tree_of(show_one_of_two, two);
    assert_ok(update(tree));
    assert_ok(set(two[1], 11));
    assert_ok(update(tree));
    assert_shown(tree, "[[0, 11]]");
    assert_ok(set(two[0], 2));
    assert_ok(update(tree));
    assert_log(&runs, "run run run");
    assert_ok(set(two[1], 12));
    assert_ok(update(tree));
    assert_log(&runs, "");
    assert_shown(tree, "[[0, 2]]");
    assert_ok(streams_release(tree));
    assert_ok(streams_release(two[0]));
    assert_ok(streams_release(two[1]));
}

/* Reads a subject that has ended. */
static void an_end_changes_nothing(void **state) {
    (void)state;
    streams_value one = streams_int(1);
    for (int fails = 0; fails < 2; fails++) {
        streams_error *error = streams_error_create(1, "test", "why", NULL);
        streams_subject *early = streams_current_value_subject_create(&one);
        streams_subject *late = streams_current_value_subject_create(&one);
        assert_ok(streams_subject_send_completion(early, fails ? error : NULL));
        reading all[READINGS] = { { "early", early, read_subject }, { "late", late, read_subject },
            { "early", early, read_subject }, { "early", early, read_subject } };
        streams_scope_tree *tree = tree_of(show_readings, all);
        assert_ok(update(tree));
        assert_log(&runs, "all early late early early");
        assert_ok(streams_subject_send_completion(late, fails ? error : NULL));
        assert_ok(update(tree));
        assert_log(&runs, "");
        assert_ok(streams_release(tree));
        assert_ok(streams_release(early));
        assert_ok(streams_release(late));
        assert_ok(streams_release(error));
    }
}

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

/* A child with the value of a binding as input, or another context or body if that is 2 or 3. */
static streams_status show_input(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)context, (void)scope;
    log_add(&runs, "input");
    return streams_value_copy(input, out);
}

static streams_status show_nothing(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)context, (void)scope, (void)input, (void)out;
    log_add(&runs, "nothing");
    return STREAMS_OK;
}

static counter contexts[2];

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

/* ---- Tasks -------------------------------------------------------------------------- */

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
    assert_ok(set(input, 11)); /* an equal input: what is new is let go of */
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

static void say_gone(void *context) {
    (void)context;
    log_add(&runs, "gone");
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

/* ---- The environment ----------------------------------------------------------------- */

static streams_status show_theme(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)context, (void)input;
    log_add(&runs, "theme");
    return streams_scope_get_environment_value(scope, "theme", out);
}

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

static streams_status show_number(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)scope, (void)input;
    return streams_binding_get_value(context, out);
}

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

/* ---- Many ------------------------------------------------------------------------------ */

enum { ROWS = 1000 };

static streams_status show_many(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)input, (void)out;
    streams_binding **rows = context;
    for (int64_t i = 0; i < ROWS; i++) {
        streams_value key = streams_int(i);
        streams_status status = streams_scope_child(scope, &key, NULL, show_number, rows[i], NULL);
        if (status != STREAMS_OK) return status;
    }
    return STREAMS_OK;
}

static void one_row_of_a_thousand_runs_again(void **state) {
    (void)state;
    static streams_binding *rows[ROWS];
    for (int i = 0; i < ROWS; i++) rows[i] = bound(i);
    size_t before = streams_live_handles();
    streams_scope_tree *tree = tree_of(show_many, rows);
    recorder r = { 0 };
    recorder_subscribe(&r, streams_scope_tree_updates(tree), STREAMS_UNLIMITED);
    assert_ok(update(tree));
    assert_ok(set(rows[500], -1));
    assert_ok(update(tree));
    assert_log(&r.log, "subscribed 1001 1");
    assert_ok(streams_release(tree));
    recorder_end(&r);
    assert_int_equal(streams_live_handles(), before);
    for (int i = 0; i < ROWS; i++) assert_ok(streams_release(rows[i]));
}

enum { WRITERS = 4 };

static void *write_numbers(void *context) {
    for (int64_t i = 1; i <= 2000; i++)
        if (set(context, i) != STREAMS_OK) return context;
    return NULL;
}

static void *update_often(void *context) {
    streams_scope_tree *tree = context;
    for (int i = 0; i < 2000; i++)
        if (update(tree) != STREAMS_OK) return context;
    return NULL;
}

static void threads_set_what_is_read_while_two_update(void **state) {
    (void)state;
    streams_binding *rows[READINGS];
    reading all[READINGS];
    for (int i = 0; i < READINGS; i++) {
        rows[i] = bound(0);
        all[i] = (reading){ "x", rows[i], read_binding };
    }
    static test_log ignored;
    ignored = runs;
    runs.length = sizeof runs.text - 1; /* full: it is not for several threads */
    streams_scope_tree *tree = tree_of(show_readings, all);
    pthread_t threads[WRITERS + 2];
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_numbers, rows[i]), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[WRITERS + i], NULL, update_often, tree), 0);
    for (int i = 0; i < WRITERS + 2; i++) {
        void *failed;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    assert_ok(update(tree));
    runs = ignored;
    assert_shown(tree, "[[0, null], [1, 2000], [1, 2000], [1, 2000], [1, 2000]]");
    assert_ok(streams_release(tree));
    for (int i = 0; i < READINGS; i++) assert_ok(streams_release(rows[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_body_runs_again_when_what_it_read_has_changed),
        test(what_is_not_read_again_counts_no_more),
        test(an_end_changes_nothing),
        test(a_child_is_known_by_its_key),
        test(another_input_context_or_body_runs_the_child),
        test(a_task_begins_and_ends_with_its_input),
        test(a_tree_is_taken_down_from_within),
        test(the_environment_reaches_down_to_the_next_that_gives),
        test(the_first_update_finds_the_environment),
        test(a_scope_that_fails_stays_what_it_was),
        test(what_a_body_read_before_it_failed_counts),
        test(an_update_without_an_end_is_given_up),
        test(scopes_nest_until_a_limit),
        test(a_scope_is_for_its_own_body),
        test(what_compares_is_no_part_of_the_body),
        test(what_ends_a_task_is_no_part_of_the_body),
        test(of_tasks_with_one_name_the_last_counts),
        test(a_scheduler_makes_one_update_of_many_changes),
        test(a_scheduler_that_cannot_update_is_refused),
        test(a_scheduler_that_rejects_an_update_is_asked_again),
        test(one_row_of_a_thousand_runs_again),
        test(threads_set_what_is_read_while_two_update),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
