/*
 * streams/observable_objects.h - named values that notify before they change.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_OBSERVABLE_OBJECTS_H
#define STREAMS_OBSERVABLE_OBJECTS_H

#include "base.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Observable objects
 *
 * An observable object has values with names, which can be read, set and watched:
 * Combine's ObservableObject, and its Published properties.
 *
 *     streams_observable_object *car = streams_observable_object_create();
 *     streams_value charge = streams_double(50);
 *     streams_observable_object_add(car, "charge", &charge);
 *     p = streams_observable_object_publisher(car, "charge");
 *
 * When a value is set, the object's subscribers are first notified that it is about
 * to change. Then the value's own subscribers get the new one, while reading still
 * gives the old one. Only then is the new one stored. So a value that a subscriber
 * sets while it receives one of the same name is delivered to all subscribers and
 * then lost: the value that was set first is stored last.
 *
 * Names are text that ends with NUL, and are copied.
 * ======================================================================== */

/*
 * Makes an object without values.
 *
 * Ownership: the result is yours.
 * Errors: NULL with STREAMS_LIMIT.
 */
STREAMS_API streams_observable_object *streams_observable_object_create(void);

/*
 * Adds a value to an object. It stays there for as long as the object lives.
 *
 * Ownership: borrows everything; the library copies name and initial.
 * Errors: STREAMS_INVALID_ARGUMENT if there is one of that name already. Further
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_status streams_observable_object_add(
    streams_observable_object *object, const char *name, const streams_value *initial);

/*
 * Reads a value.
 *
 * Ownership: borrows object and name; *out is overwritten and yours.
 * Threads: any; it never waits.
 * Errors: STREAMS_INVALID_ARGUMENT if there is none of that name. Further
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY. *out is
 *   then null.
 */
STREAMS_API streams_status streams_observable_object_get_value(
    const streams_observable_object *object, const char *name, streams_value *out);

/*
 * Sets a value, after it has notified all subscribers.
 *
 * Ownership: borrows everything; the library copies what it keeps of value.
 * Threads: any, also several at once: each subscriber receives one value after
 *   another.
 * Errors: STREAMS_INVALID_ARGUMENT if there is none of that name. Further
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_status streams_observable_object_set_value(
    streams_observable_object *object, const char *name, const streams_value *value);

/*
 * Returns a publisher of a value: of the current one for each new subscriber, and
 * then of each that is set, before it is stored. A subscriber that is behind on
 * demand gets only the latest. It never ends. It does not keep the object alive,
 * and is silent when that is gone.
 *
 * Ownership: borrows object and name; the result is yours.
 * Errors: NULL with STREAMS_INVALID_ARGUMENT if there is none of that name,
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_UTF8, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_publisher *streams_observable_object_publisher(
    streams_observable_object *object, const char *name);

/*
 * Returns a publisher that sends the null value before any of the object's values
 * changes. A subscriber without demand misses it. It never ends. It does not keep
 * the object alive, and is silent when that is gone. Combine's objectWillChange.
 *
 * Ownership: borrows object; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_publisher *streams_observable_object_will_change(streams_observable_object *object);

/*
 * Notifies the object's subscribers that it is about to change. Call it before
 * something changes that is not one of its values.
 *
 * Ownership: borrows object.
 * Threads: as streams_observable_object_set_value.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_LIMIT where calls are nested too deep.
 */
STREAMS_API streams_status streams_observable_object_send_will_change(streams_observable_object *object);

/*
 * Sets an object's value to each value of the publisher, with unlimited demand. The
 * completion is not passed on. The stream does not keep the object alive, so the
 * publisher may be made from the object itself; when the object is gone, the stream
 * is cancelled. Combine's assign(to: &$name).
 *
 * Assignments in a cycle pass each value around until the stack is used up; then
 * this stream ends, silently as always.
 *
 * Ownership: consumes publisher; borrows object and name; the result is yours, and
 *   releasing its last reference cancels.
 * Errors: NULL with STREAMS_NULL_HANDLE (see rule 3 of streams.h),
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT,
 *   STREAMS_INVALID_UTF8, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY;
 *   STREAMS_INVALID_ARGUMENT if there is no value of that name.
 */
STREAMS_API streams_cancellable *streams_assign_to_published(
    STREAMS_CONSUMES streams_publisher *publisher, streams_observable_object *object, const char *name);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_OBSERVABLE_OBJECTS_H */
