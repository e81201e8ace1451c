/*
 * streams/bindings.h - values that are kept elsewhere, to read and to set.
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
 * watches it without knowing where it is kept. Parts of a value can have bindings
 * too.
 *
 * A value that is set can be read immediately, if the side that keeps it accepts it.
 * Bindings that are derived from the same binding set it one after another, so two threads
 * that set different parts do not undo each other's change. While one thread sets a value
 * and notifies the subscribers, another one waits; where two threads would deadlock, one
 * leaves its value to the other.
 *
 * A binding keeps what it is derived from alive, and so do its subscribers. Nothing
 * keeps the binding alive.
 * ======================================================================== */

/*
 * Makes a binding from two functions. If changes is NULL, subscribers receive the
 * result of get whenever a value is set through this binding or one derived from it.
 * Otherwise they receive what changes publishes, and nothing else; it is subscribed
 * to, with unlimited demand, when the first subscriber comes.
 *
 * If a function fails, so does the call that gets or sets; the stream of a
 * subscriber that would have received the value fails too.
 *
 * Ownership: takes context; consumes changes; the result is yours.
 * Threads: any. The functions are called on the thread that gets, sets or notifies:
 *   set never twice at a time, get also while set runs.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_binding *streams_binding_create(streams_get_value_fn get, streams_set_value_fn set,
    void *context, streams_destroy_fn destroy, STREAMS_CONSUMES streams_publisher *changes);

/*
 * Makes a binding that always has the same value, whatever is set. A subscriber gets
 * the value and the end.
 *
 * Ownership: copies value; the result is yours.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_UTF8, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_binding *streams_binding_constant(const streams_value *value);

/*
 * Makes a binding of the value of a current-value subject, and keeps the subject
 * alive.
 *
 * Ownership: borrows subject; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND (also for another subject), STREAMS_LIMIT.
 */
STREAMS_API streams_binding *streams_binding_of_subject(streams_subject *subject);

/*
 * Makes a binding of an object's value, and keeps the object alive. It needs no
 * look-up of the name, so it is the fast way to read, set and watch the value.
 * Subscribers are notified when the new value can be read.
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
 * Errors: STREAMS_CALLBACK_FAILED if a function fails: streams_last_error returns
 *   its error. Further STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT; STREAMS_LIMIT where calls are nested
 *   too deep. *out is then null.
 */
STREAMS_API streams_status streams_binding_get_value(const streams_binding *binding, streams_value *out);

/*
 * Sets a binding's value.
 *
 * Ownership: borrows both; the library copies what it keeps.
 * Threads: any, also several at once.
 * Errors: STREAMS_CALLBACK_FAILED if a function fails: streams_last_error returns
 *   its error, and nothing is set. Further STREAMS_NULL_HANDLE,
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT,
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_status streams_binding_set_value(streams_binding *binding, const streams_value *value);

/*
 * Returns a publisher of the value that the binding has at the time of
 * subscription, and of each that follows; otherwise as streams_property_all_values.
 *
 * Ownership: borrows binding; the result is yours.
 * Errors: as streams_property_all_values.
 */
STREAMS_API streams_publisher *streams_binding_values(streams_binding *binding);

/*
 * Makes a property that has the binding's value.
 *
 * Ownership: borrows binding; the result is yours.
 * Errors: as streams_property_all_values.
 */
STREAMS_API streams_property *streams_binding_property(streams_binding *binding);

/*
 * Makes a binding of a part of another binding's value: get makes the part from the
 * whole. When the part is set, set is called with the whole value and the part, and
 * the other binding is set to its result.
 *
 * Ownership: borrows binding; takes context; the result is yours.
 * Threads: any. The functions are called on the thread that gets, sets or notifies.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT;
 *   STREAMS_LIMIT also if binding is a part of a part, a hundred times.
 */
STREAMS_API streams_binding *streams_binding_map(streams_binding *binding, streams_transform_fn get,
    streams_combine_fn set, void *context, streams_destroy_fn destroy);

/*
 * Makes a binding of a part, as streams_binding_map does, that may be missing for a
 * while: where get fails, the binding keeps the part's last value and notifies no
 * subscriber. The part must be there now.
 *
 * Ownership: borrows binding; takes context; the result is yours.
 * Threads: any. The functions are called on the thread that gets, sets or notifies.
 * Errors: as streams_binding_map, and NULL with STREAMS_CALLBACK_FAILED if get fails
 *   now: streams_last_error returns its error.
 */
STREAMS_API streams_binding *streams_binding_part(streams_binding *binding, streams_transform_fn get,
    streams_combine_fn set, void *context, streams_destroy_fn destroy);

/*
 * Makes a binding of an item of a list, which must be there now. When the list has
 * become too short for it, the binding keeps the item's last value and notifies no
 * subscriber, and setting it fails.
 *
 * Ownership: borrows binding; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_CALLBACK_FAILED (as streams_binding_get_value),
 *   STREAMS_LIMIT (as streams_binding_map);
 *   STREAMS_INVALID_ARGUMENT if the value is not a list that has this item.
 */
STREAMS_API streams_binding *streams_binding_element(streams_binding *binding, size_t index);

/*
 * Sets a binding to each value of the publisher, with unlimited demand. The completion
 * is not passed on. A value for which a function of the binding fails is skipped and
 * counted (streams_dropped of the result).
 *
 * Assignments in a cycle pass each value around until the stack is used up, or the
 * watched value has changed 1,000 times; then this stream ends, silently as always.
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
