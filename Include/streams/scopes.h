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
 * What a program shows is a function of what it knows. A scope is the place of such
 * a function, its body, in a tree: the body reads what it needs, and asks for the
 * scopes below. When something that it has read has changed, it runs again in the
 * next update, and no other body does; SwiftUI's State, Binding, ObservedObject and
 * Environment, without its views. What is drawn, and with what, is the program's.
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
 * READING. A body has read what it gets, on its own thread, from
 * streams_scope_get_environment_value, streams_binding_get_value,
 * streams_property_get_value, streams_observable_object_get_value and
 * streams_current_value_subject_get_value; also in what it calls, such as the
 * subscribers of a subject that it sends to, but not where something is compared or
 * released, nor in another tree. What it does not get again when it runs again counts
 * no more. The end of a subject changes no value.
 *
 * IDENTITY. A child is the one that it was, with its state, if the body asks for one
 * with the same key. One that it does not ask for again is removed, with all below.
 *
 * UPDATES. All that changes until an update comes is seen by it together. It goes in
 * rounds: first it runs the bodies of what has changed, parents before children, and
 * then the tasks that these have asked for. What these change makes another round,
 * up to 100; if that is not the end, the update is given up, which is an error.
 *
 * FAILURES. If a body fails, its scope shows what it showed before, and keeps the
 * children and all else that it has not asked for again; what it has read before
 * counts on. The other bodies run. What it fails with is the answer of
 * streams_scope_tree_update, until it has run again without a failure. Where a
 * scheduler updates, a subscriber of streams_scope_tree_updates may ask for it.
 *
 * A body must not wait for another thread that changes what it reads. Of the
 * functions below, those with a scope are for its own body while that runs, on the
 * thread on which it runs, but for streams_scope_invalidate.
 * ======================================================================== */

/*
 * Makes a tree with one scope. Its body runs first in the first update. A scheduler
 * runs the updates; without one they are made by streams_scope_tree_update. The tree
 * is taken down when its last reference is released: what its scopes keep is let go,
 * and no body runs any more. In a body or a task, that is done when this has
 * returned.
 *
 * A scheduler that is released makes no more updates. One that rejects an update is
 * asked again when something else changes. An immediate one is refused: an update
 * cannot run within what asks for it.
 *
 * Ownership: borrows scheduler, which may be NULL; copies input, and NULL stands for
 *   the null value; takes context; the result is yours. A context that keeps the tree
 *   keeps itself.
 * Threads: any. The bodies run on whichever thread updates, one at a time.
 * Errors: NULL with STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY; STREAMS_INVALID_ARGUMENT for an immediate
 *   scheduler.
 */
STREAMS_API streams_scope_tree *streams_scope_tree_create(streams_scheduler *scheduler,
    const streams_value *input, streams_body_fn body, void *context, streams_destroy_fn destroy);

/*
 * Makes the update that is due, if there is one and no other is under way.
 *
 * Ownership: borrows tree.
 * Errors: STREAMS_CALLBACK_FAILED if there is a body that has failed when it ran
 *   last, or an update that was given up: streams_last_error says with what. Further
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND; STREAMS_LIMIT
 *   where calls are nested too deep.
 */
STREAMS_API streams_status streams_scope_tree_update(streams_scope_tree *tree);

/*
 * The publisher of the ends of updates: of the number of bodies that each has run.
 * It publishes on the thread that updates, and finishes when the tree is taken down.
 * A subscriber without demand misses updates.
 *
 * Ownership: borrows tree; the result is yours, and does not keep the tree.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_publisher *streams_scope_tree_updates(streams_scope_tree *tree);

/*
 * Gives what there is to show: a list with a list of two for each scope, of how deep
 * it is, as an integer from 0 on, and of what its body has made. Each scope is
 * followed by those below it, in the order in which its body has asked for them. While
 * an update is under way, a part may be new and another old.
 *
 * Ownership: borrows tree; *out is overwritten and yours.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT; STREAMS_CALLBACK_FAILED if there is not memory enough.
 *   *out is then null.
 */
STREAMS_API streams_status streams_scope_tree_get_shown(streams_scope_tree *tree, streams_value *out);

/*
 * Gives the whole tree a value of the environment. The bodies that have read another
 * one run again in the next update.
 *
 * Ownership: borrows tree and key; copies value, and NULL gives none.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_LIMIT where calls are nested too deep, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_status streams_scope_tree_set_environment_value(
    streams_scope_tree *tree, const char *key, const streams_value *value);

/*
 * Asks for a scope below. If there was none with that key, or it has another body,
 * context or input than before, its body runs in this update, after this one has
 * returned. What cannot be compared is another input.
 *
 * Children with the null key, or with one key, are told apart by the order in which
 * they are asked for.
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
 * The binding of a value that the scope keeps until it is removed. The first time
 * that the body asks for a name makes the value; later on initial counts no more. To
 * set it to a value that is equal changes nothing.
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
 * Has an action run once in this update, after the bodies, and again when the body
 * asks for the same name with another input. destroy(context) ends what the action
 * has begun: it is called before the action runs with another input, when the body has
 * run without asking for it, and when the scope is removed. Asked for with an equal
 * input, the task stays, and the new context is released at once: so destroy has to
 * do with a context of which no action has run. A name is for one task: of several
 * that a body asks for, only the last begins. SwiftUI's onAppear, onDisappear,
 * onChange and task.
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
 * Reads a value of the environment: what the nearest scope above gives under the key,
 * or else the tree, or null.
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
 * Gives the scopes below a value of the environment. What the body does not give
 * again when it runs again, it gives no more.
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
 * Sees to it that a scope's body runs again in the next update, for a change of
 * something that the library does not know. If the scope has been removed, does
 * nothing and succeeds. To use a scope outside of its body, retain it there; the
 * handle that is lent is another one each time.
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
