/*
 * scopes.h - what the C tests of scopes share.
 */

#ifndef STREAMS_TEST_SCOPES_H
#define STREAMS_TEST_SCOPES_H

#include "state.h"

/* What bodies write down. */
extern test_log runs;

/* A binding of a subject that nobody else knows. */
streams_binding *bound(int64_t initial);

/* A tree that is updated by hand. */
streams_scope_tree *tree_of(streams_body_fn body, void *context);
streams_status update(streams_scope_tree *tree);

/* It fails with an error of this code. */
void assert_update_fails(streams_scope_tree *tree, int64_t code);
void assert_shown(streams_scope_tree *tree, const char *expected);

/* Something that a body can read. */
typedef struct reading {
    const char *name;
    const void *handle;
    streams_status (*read)(const void *handle, streams_value *out);
} reading;

streams_status read_binding(const void *handle, streams_value *out);

/* ---- Bodies -------------------------------------------------------------- */

/* Their input; nothing; a value of the environment. They say that they run. */
streams_status show_input(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out);
streams_status show_nothing(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out);
streams_status show_theme(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out);

/* The value of the binding that is its context. */
streams_status show_number(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out);

/* A task, or the end of a context. */
void say_gone(void *context);

#endif
