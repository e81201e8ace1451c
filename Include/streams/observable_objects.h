/*
 * streams/observable_objects.h - named values that tell before they change.
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
 * When a value is set, the object's subscribers are told first that it is about to
 * change, and then the value's own get the new one, while reading still gives the
 * old one. Then the new one is there to be read. So a value that a subscriber sets
 * while it is being told of one of the same name is told to all and then lost: the
 * first that was set is stored last.
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
 * Threads: any; it waits for nobody.
 * Errors: STREAMS_INVALID_ARGUMENT if there is none of that name. Further
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY. *out is
 *   then null.
 */
STREAMS_API streams_status streams_observable_object_get_value(
    const streams_observable_object *object, const char *name, streams_value *out);

/*
 * Sets a value, and tells everybody of it before.
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
 * The publisher of a value: of the current one for each new subscriber, and then
 * of each that is set, before it is stored. A subscriber that is behind on demand
 * gets only the latest. It never ends, and is silent when the object is gone,
 * which it does not keep.
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
 * The publisher of the moments before any of the values changes: it publishes the
 * null value. A subscriber without demand misses it. It never ends, and is silent
 * when the object is gone, which it does not keep. Combine's objectWillChange.
 *
 * Ownership: borrows object; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_publisher *streams_observable_object_will_change(streams_observable_object *object);

/*
 * Tells the object's subscribers that it is about to change: before a change of
 * something that is none of its values.
 *
 * Ownership: borrows object.
 * Threads: as streams_observable_object_set_value.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_LIMIT where calls are nested too deep.
 */
STREAMS_API streams_status streams_observable_object_send_will_change(streams_observable_object *object);

/*
 * Sets an object's value to each value of the publisher, with unlimited demand.
 * The completion is not passed on. It does not keep the object, so the publisher
 * may be made of the object itself; when that is gone, the stream is cancelled.
 * Combine's assign(to: &$name).
 *
 * In a circle of assignments each value goes round until the stack is used up;
 * then this stream ends, silently like any of its ends.
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
