/*
 * streams/scopes.h - functions that run again when what they read changes.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_SCOPES_H
#define STREAMS_SCOPES_H

#include "base.h"
#include "callbacks.h"
#include "schedulers.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Scopes
 *
 * What a program shows is a function of its state. A scope is the place of such a
 * function, its body, in a tree: the body reads what it needs, and asks for the
 * scopes below. When something that it has read changes, it runs again in the next
 * update, and no other body does: SwiftUI's State, Binding, ObservedObject and
 * Environment, without its views. What is drawn, and how, is up to the program.
 *
 *     static streams_status show_count(
 *         void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
 *         streams_value zero = streams_int(0);
 *         streams_binding *count = streams_scope_state(scope, "count", &zero);
 *         streams_status status = streams_binding_get_value(count, out);
 *         streams_release(count);
 *         return status;
 *     }
 *     streams_scope_tree *tree = streams_scope_tree_create(loop, NULL, show_count, NULL, NULL);
 *
 * READING. A value counts as read when a body gets it, on its own thread, from
 * streams_scope_get_environment_value, streams_binding_get_value,
 * streams_property_get_value, streams_observable_object_get_value or
 * streams_current_value_subject_get_value. This includes functions that the body
 * calls, such as a subscriber of a subject that it sends to, but not comparisons,
 * releases, or other trees. A value that the body does not read again when it runs
 * again no longer counts. The end of a subject changes no value.
 *
 * IDENTITY. A child stays the same one, with its state, if the body asks for one
 * with the same key again. A child that it does not ask for again is removed, with
 * all below it.
 *
 * UPDATES. One update handles all changes that were made before it. It goes in
 * rounds: each runs the bodies that have read what has changed, parents before
 * children, and then the tasks that these have asked for. Changes that these make
 * lead to another round. After 100 rounds the update is given up, which is an
 * error.
 *
 * FAILURES. If a body fails, its scope shows what it showed before, and keeps the
 * children and everything else that it has not asked for again; its earlier reads
 * still count. The other bodies run. streams_scope_tree_update returns the failure
 * until the body has run again without one. If a scheduler runs the updates, a subscriber
 * of streams_scope_tree_updates may call that function.
 *
 * A body must not wait for another thread that changes what it reads. The functions
 * below that take a scope may be called only by its own body while that runs, on
 * the thread on which it runs, except streams_scope_invalidate.
 * ======================================================================== */

/*
 * Makes a tree with one scope. Its body runs for the first time in the first update.
 * A scheduler runs the updates; without one, streams_scope_tree_update does. The
 * tree is taken down when its last reference is released: its scopes release what
 * they keep, and no body runs any more. Inside a body or a task, that is done when
 * it has returned.
 *
 * A scheduler that is released makes no more updates. One that rejects an update is
 * asked again when something else changes. An immediate one is refused: an update
 * cannot run within the call that asks for it.
 *
 * Ownership: borrows scheduler, which may be NULL; copies input, and NULL stands for
 *   the null value; takes context; the result is yours. A context that keeps the tree
 *   keeps itself.
 * Threads: any. The bodies run on the thread that updates, one at a time.
 * Errors: NULL with STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY; STREAMS_INVALID_ARGUMENT for an immediate
 *   scheduler.
 */
STREAMS_API streams_scope_tree *streams_scope_tree_create(streams_scheduler *scheduler,
    const streams_value *input, streams_body_fn body, void *context, streams_destroy_fn destroy);

/*
 * Runs the update that is due, if there is one and no other is under way.
 *
 * Ownership: borrows tree.
 * Errors: STREAMS_CALLBACK_FAILED if there is a body that has failed when it ran
 *   last, or an update that was given up: streams_last_error returns its error.
 *   Further STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_LIMIT where calls are nested too deep.
 */
STREAMS_API streams_status streams_scope_tree_update(streams_scope_tree *tree);

/*
 * Returns a publisher of the number of bodies that each update has run, sent at its
 * end. It publishes on the thread that updates, and finishes when the tree is taken
 * down. A subscriber without demand misses updates.
 *
 * Ownership: borrows tree; the result is yours, and does not keep the tree.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_publisher *streams_scope_tree_updates(streams_scope_tree *tree);

/*
 * Gives what the scopes show: a list that has a list of two items for each scope,
 * its depth (an integer, from 0 on) and the result of its body. Each scope is
 * followed by those below it, in the order in which its body has asked for them.
 * While an update is under way, a part may be new and another old.
 *
 * Ownership: borrows tree; *out is overwritten and yours.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT; STREAMS_CALLBACK_FAILED if there is not enough memory.
 *   *out is then null.
 */
STREAMS_API streams_status streams_scope_tree_get_shown(streams_scope_tree *tree, streams_value *out);

/*
 * Gives the whole tree a value of the environment. The bodies that have read a
 * different one run again in the next update.
 *
 * Ownership: borrows tree and key; copies value, and NULL gives none.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_LIMIT where calls are nested too deep, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_status streams_scope_tree_set_environment_value(
    streams_scope_tree *tree, const char *key, const streams_value *value);

/*
 * Asks for a child scope. If there was none with that key, or its body, context or
 * input differs from before, its body runs in this update, after the calling one
 * has returned. An input that cannot be compared counts as different.
 *
 * Children with the null key, or with equal keys, are distinguished by the order in
 * which they are asked for.
 *
 * Ownership: borrows scope; copies key and input, and NULL stands for the null value;
 *   takes context, which is used until the next time that the child is asked for.
 * Threads: only in the scope's body.
 * Errors: STREAMS_PROTOCOL_VIOLATION elsewhere. Further STREAMS_NULL_HANDLE,
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT,
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY;
 *   STREAMS_CALLBACK_FAILED if the key has no hash; STREAMS_LIMIT also if 10,000
 *   scopes are in each other.
 */
STREAMS_API streams_status streams_scope_child(streams_scope *scope, const streams_value *key,
    const streams_value *input, streams_body_fn body, void *context, streams_destroy_fn destroy);

/*
 * Returns a binding of a value that the scope keeps until it is removed. The value
 * is initial when the body asks for the name first; later, initial is ignored.
 * Setting it to an equal value changes nothing.
 *
 * Ownership: borrows scope and name; copies initial; the result is yours. It may be
 *   used anywhere, also when the scope is gone.
 * Threads: only in the scope's body; the binding on any.
 * Errors: NULL with STREAMS_PROTOCOL_VIOLATION elsewhere, STREAMS_NULL_HANDLE,
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT,
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_binding *streams_scope_state(
    streams_scope *scope, const char *name, const streams_value *initial);

/*
 * Runs an action once in this update, after the bodies, and again when the body asks
 * for the same name with another input. destroy(context) ends what the action has
 * begun: it is called before the action runs with another input, when the body has run
 * without asking for it, and when the scope is removed. With an equal input the task
 * stays, and the new context is released immediately: so destroy must also accept a
 * context whose action has not run. A name is for one task: if a body asks for
 * several with the same name, only the last begins. SwiftUI's onAppear,
 * onDisappear, onChange and task.
 *
 * Ownership: borrows scope and name; copies input, and NULL stands for the null value;
 *   takes context.
 * Threads: only in the scope's body; the action runs on the thread that updates.
 * Errors: STREAMS_PROTOCOL_VIOLATION elsewhere. Further STREAMS_NULL_HANDLE,
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT,
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_status streams_scope_task(streams_scope *scope, const char *name,
    const streams_value *input, streams_action_fn action, void *context, streams_destroy_fn destroy);

/*
 * Reads a value of the environment: the one that the nearest scope above gives for
 * the key, or else the tree's, or null.
 *
 * Ownership: borrows scope and key; *out is overwritten and yours.
 * Threads: only in the scope's body.
 * Errors: STREAMS_PROTOCOL_VIOLATION elsewhere. Further STREAMS_NULL_HANDLE,
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT,
 *   STREAMS_INVALID_UTF8, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY. *out is then null.
 */
STREAMS_API streams_status streams_scope_get_environment_value(
    streams_scope *scope, const char *key, streams_value *out);

/*
 * Gives the scopes below a value of the environment, which is removed if the body
 * runs again without giving it.
 *
 * Ownership: borrows scope and key; copies value.
 * Threads: only in the scope's body.
 * Errors: STREAMS_PROTOCOL_VIOLATION elsewhere. Further STREAMS_NULL_HANDLE,
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT,
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_status streams_scope_set_environment_value(
    streams_scope *scope, const char *key, const streams_value *value);

/*
 * Makes a scope's body run again in the next update, after a change that the
 * library cannot see. If the scope has been removed, does nothing and succeeds. To
 * use a scope outside of its body, retain it there; the body is lent a different
 * handle each time.
 *
 * Ownership: borrows scope.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_LIMIT where calls are nested too deep.
 */
STREAMS_API streams_status streams_scope_invalidate(streams_scope *scope);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_SCOPES_H */
