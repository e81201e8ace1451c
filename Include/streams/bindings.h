/*
 * streams/bindings.h - values that somebody else keeps, to read and to set.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_BINDINGS_H
#define STREAMS_BINDINGS_H

#include "base.h"
#include "callbacks.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Bindings
 *
 * A binding connects two sides: one has a value, and the other reads, sets and
 * watches it without knowing where it is. Parts of a value have bindings too.
 *
 * What is set is there at once, if it is accepted where it is kept. Bindings that are
 * derived from one binding set one after the other: of two threads that set different
 * parts, neither undoes what the other did. While one sets, and everybody is told,
 * another waits; where two would wait for each other for ever, the value is left to
 * the other thread.
 *
 * A binding keeps what it stands on, and so does who watches it. Nothing keeps the
 * binding.
 * ======================================================================== */

/*
 * Makes a binding of two functions. If changes is NULL, who watches is told, when
 * something is set through this binding or what is derived from it, of what get gives
 * then; otherwise of what changes publishes, and of nothing else. That is subscribed
 * to, with unlimited demand, when somebody watches first.
 *
 * A function that fails makes the call fail that gets or sets, and leaves who watches
 * without a value: the stream fails.
 *
 * Ownership: takes context; consumes changes; the result is yours.
 * Threads: any. The functions are called on whichever thread gets, sets or tells:
 *   set never twice at once, get also while the other runs.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_binding *streams_binding_create(streams_get_value_fn get, streams_set_value_fn set,
    void *context, streams_destroy_fn destroy, STREAMS_CONSUMES streams_publisher *changes);

/*
 * Makes a binding that always has the same value, whatever is set. Who watches it gets
 * the value and the end.
 *
 * Ownership: copies value; the result is yours.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_UTF8, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_binding *streams_binding_constant(const streams_value *value);

/*
 * Makes a binding of the value of a current-value subject, which it keeps.
 *
 * Ownership: borrows subject; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND (also for another subject), STREAMS_LIMIT.
 */
STREAMS_API streams_binding *streams_binding_of_subject(streams_subject *subject);

/*
 * Makes a binding of a value of an object, which it keeps. It finds the value without
 * its name: the fast way to read, set and watch it. Who watches it is told when the
 * value can be read.
 *
 * Ownership: borrows object and name; the result is yours.
 * Errors: as streams_observable_object_publisher.
 */
STREAMS_API streams_binding *streams_observable_object_binding(
    streams_observable_object *object, const char *name);

/*
 * Reads a binding's value.
 *
 * Ownership: borrows binding; *out is overwritten and yours.
 * Errors: STREAMS_CALLBACK_FAILED if a function fails: streams_last_error says with
 *   what. Further STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT; STREAMS_LIMIT where calls are nested too deep. *out is
 *   then null.
 */
STREAMS_API streams_status streams_binding_get_value(const streams_binding *binding, streams_value *out);

/*
 * Sets a binding's value.
 *
 * Ownership: borrows both; the library copies what it keeps.
 * Threads: any, also several at once.
 * Errors: STREAMS_CALLBACK_FAILED if a function fails: streams_last_error says with
 *   what, and nothing is set. Further STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_UTF8, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_status streams_binding_set_value(streams_binding *binding, const streams_value *value);

/*
 * The publisher of the value that the binding has when somebody subscribes, and of
 * each that follows; otherwise as streams_property_all_values.
 *
 * Ownership: borrows binding; the result is yours.
 * Errors: as streams_property_all_values.
 */
STREAMS_API streams_publisher *streams_binding_values(streams_binding *binding);

/*
 * Makes a property that has what the binding has.
 *
 * Ownership: borrows binding; the result is yours.
 * Errors: as streams_property_all_values.
 */
STREAMS_API streams_property *streams_binding_property(streams_binding *binding);

/*
 * A binding of a part of another one's value: of what get makes of it. To set the
 * part sets what set makes of the whole value, which it is given first, and the part.
 *
 * Ownership: borrows binding; takes context; the result is yours.
 * Threads: any. The functions are called on whichever thread gets, sets or tells.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT;
 *   STREAMS_LIMIT also if binding is a part of a part, a hundred times.
 */
STREAMS_API streams_binding *streams_binding_map(streams_binding *binding, streams_transform_fn get,
    streams_combine_fn set, void *context, streams_destroy_fn destroy);

/*
 * A binding as of streams_binding_map, of a part that may be missing for a while:
 * where get fails, the binding has the part's last value, and tells nothing. The
 * part must be there now.
 *
 * Ownership: borrows binding; takes context; the result is yours.
 * Threads: any. The functions are called on whichever thread gets, sets or tells.
 * Errors: as streams_binding_map, and NULL with STREAMS_CALLBACK_FAILED if get fails
 *   now: streams_last_error says with what.
 */
STREAMS_API streams_binding *streams_binding_part(streams_binding *binding, streams_transform_fn get,
    streams_combine_fn set, void *context, streams_destroy_fn destroy);

/*
 * A binding of an item of a list, which must be there now. When it no longer is,
 * because the list is shorter, the binding has the item's last value, tells nothing,
 * and to set it fails.
 *
 * Ownership: borrows binding; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_CALLBACK_FAILED (as streams_binding_get_value),
 *   STREAMS_LIMIT (as streams_binding_map);
 *   STREAMS_INVALID_ARGUMENT if the value is no list that has this item.
 */
STREAMS_API streams_binding *streams_binding_element(streams_binding *binding, size_t index);

/*
 * Sets a binding to each value of the publisher, with unlimited demand. The completion
 * is not passed on, and a value that a function of the binding refuses is passed over.
 *
 * In a circle of assignments each value goes round until the stack is used up, or what
 * is watched has changed 1,000 times; then this stream ends, silently like any of its
 * ends.
 *
 * Ownership: consumes publisher; borrows binding, which the stream keeps until it ends
 *   or is cancelled; the result is yours, and releasing its last reference cancels.
 * Errors: NULL with STREAMS_NULL_HANDLE (see rule 3 of streams.h),
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_cancellable *streams_assign_to_binding(
    STREAMS_CONSUMES streams_publisher *publisher, streams_binding *binding);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_BINDINGS_H */
