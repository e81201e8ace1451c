/* Scopes: what is read and runs again, by the thousand, while threads change it. */

#include <pthread.h>

#include "scopes.h"

/* ---- What is read ----------------------------------------------------------------- */

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
        test(one_row_of_a_thousand_runs_again),
        test(threads_set_what_is_read_while_two_update),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
