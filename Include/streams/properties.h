/*
 * streams/properties.h - values to read and to watch, derived from others.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_PROPERTIES_H
#define STREAMS_PROPERTIES_H

#include "base.h"
#include "callbacks.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Properties
 *
 * A property is a value that can be read now, and watched from now on; only its
 * source changes it. It follows a subject, or starts with a value and goes on with
 * those of a publisher. Other properties can be derived from it, and have a value
 * too.
 *
 * When a source changes, everything derived from it is computed once, each property
 * after those that it is derived from. Only then are the subscribers notified, each
 * at most once. So a property that is derived from one source along several paths
 * never combines an old value with a new one. A source is what
 * streams_property_of_subject and streams_property_of_publisher make: two properties
 * of one subject are two sources.
 *
 * If a callback fails, its property has no value until the callback makes the next
 * one: reading the property fails, and its subscribers receive the error. The same
 * is true of all properties derived from it.
 *
 * A function that derives a property borrows the one that it is given. The result
 * keeps the given property alive, and so do the subscribers of the result; nothing
 * keeps the result alive. So if a source or a callback watches or returns a
 * property that is derived from its own property, it keeps itself alive for ever.
 *
 * A callback is called once when its property is made, and once for each change, on
 * the thread that makes the change. A change that a callback or a subscriber makes
 * takes effect when all subscribers have been notified. A change that a callback
 * makes while its property is being made takes effect when the property has been
 * made. If each change leads to another, 1,000 times in a row, or to several,
 * 50,000 in all, the source has no value but an error with the code STREAMS_LIMIT;
 * further changes are skipped until the source is changed again.
 * ======================================================================== */

/*
 * Makes a property that never changes. A subscriber gets the value and the end.
 *
 * Ownership: copies value; the result is yours.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_UTF8, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_property *streams_property_create(const streams_value *value);

/*
 * Makes a property that follows a current-value subject, and keeps it until that
 * completes. If it fails, the property has no value any more.
 *
 * Ownership: borrows subject; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND (also for another subject), STREAMS_LIMIT.
 */
STREAMS_API streams_property *streams_property_of_subject(streams_subject *subject);

/*
 * Makes a property from its first value and a publisher of the later ones, which is
 * subscribed to immediately, with unlimited demand. If the publisher sends values
 * immediately, the property starts with the last of them. If it fails, the property
 * has no value any more. The publisher of a published value sends before the value
 * is stored: to follow a published value, use streams_binding_property with its
 * binding: that property equals the value after each change.
 *
 * Ownership: copies initial; consumes then; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE (see rule 3 of streams.h),
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT,
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_property *streams_property_of_publisher(
    const streams_value *initial, STREAMS_CONSUMES streams_publisher *then);

/*
 * Reads a property.
 *
 * Ownership: borrows property; *out is overwritten and yours.
 * Threads: any; it never waits.
 * Errors: STREAMS_CALLBACK_FAILED if it has no value, because a function or a
 *   publisher has failed: streams_last_error returns its error. Further
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT. *out is then null.
 */
STREAMS_API streams_status streams_property_get_value(
    const streams_property *property, streams_value *out);

/*
 * Returns a publisher of the value that the property has at the time of
 * subscription, and of those that follow. A subscriber that is behind on demand
 * gets only the latest. Finishes when all sources have, and fails if the property
 * has no value.
 *
 * Ownership: borrows property; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_publisher *streams_property_all_values(streams_property *property);

/*
 * Returns a publisher of the values that come after the subscription; otherwise as
 * streams_property_all_values.
 *
 * Ownership: borrows property; the result is yours.
 * Errors: as streams_property_all_values.
 */
STREAMS_API streams_publisher *streams_property_subsequent_values(streams_property *property);

/*
 * Makes a property whose value is what the callback makes of another property's value.
 *
 * Ownership: borrows property; takes context; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_LIMIT; STREAMS_NULL_ARGUMENT if a callback is NULL. Its failure is not an
 *   error of this call.
 */
STREAMS_API streams_property *streams_property_map(streams_property *property,
    streams_transform_fn transform, void *context, streams_destroy_fn destroy);

/*
 * Makes a property whose value is the last one for which the callback answered true; it
 * starts with initial_fallback if the callback answers false for the current one.
 *
 * Ownership: borrows property; copies initial_fallback; takes context; the result is
 *   yours.
 * Errors: as streams_property_map; STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY for the value.
 */
STREAMS_API streams_property *streams_property_filter(streams_property *property,
    const streams_value *initial_fallback, streams_predicate_fn predicate, void *context,
    streams_destroy_fn destroy);

/*
 * Makes a property whose value is the callback's last result that is not null; it
 * starts with initial_fallback if the result for the current value is null.
 *
 * Ownership: as streams_property_filter.
 * Errors: as streams_property_filter.
 */
STREAMS_API streams_property *streams_property_compact_map(streams_property *property,
    const streams_value *initial_fallback, streams_transform_fn transform, void *context,
    streams_destroy_fn destroy);

/*
 * Makes a property that starts with initial. At each value of the given property,
 * it changes to what the callback makes of its own value and that one.
 *
 * Ownership: borrows property; copies initial; takes context; the result is yours.
 * Errors: as streams_property_filter.
 */
STREAMS_API streams_property *streams_property_scan(streams_property *property,
    const streams_value *initial, streams_combine_fn combine, void *context, streams_destroy_fn destroy);

/*
 * Makes a property that follows another one, but does not change when the new value
 * is the same as its own, according to the callback or, if that is NULL, to
 * streams_value_equal.
 *
 * Ownership: borrows property; takes context; the result is yours.
 * Errors: as streams_property_map.
 */
STREAMS_API streams_property *streams_property_remove_duplicates(streams_property *property,
    streams_compare_fn is_same, void *context, streams_destroy_fn destroy);

/*
 * Makes a property that follows the latest of the properties that the callback
 * makes from the values of the given property. It must not follow a property that
 * is derived from itself: if it would, it has the error STREAMS_PROTOCOL_VIOLATION,
 * in the domain "streams", instead of a value.
 *
 * Ownership: borrows property; takes context; the result is yours.
 * Errors: as streams_property_map.
 */
STREAMS_API streams_property *streams_property_flat_map(streams_property *property,
    streams_expand_property_fn transform, void *context, streams_destroy_fn destroy);

/*
 * Makes a property that has the current value now, and takes later ones when the
 * scheduler runs. The properties derived from it are a graph of their own: combined
 * with the given property, they are behind until the scheduler has run. When the
 * scheduler is released, the result keeps the value that it has.
 *
 * Ownership: borrows both; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_property *streams_property_receive_on(
    streams_property *property, streams_scheduler *scheduler);

/*
 * Makes a property whose value is what the callback makes of the values of several
 * properties, in the order of the array; without a callback, a list of these values.
 * It changes whenever one of them does, and once when several do. Without properties,
 * the callback gets no values: count is 0.
 *
 * Ownership: borrows the properties; there may be none; takes context; the result
 *   is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY;
 *   STREAMS_NULL_ARGUMENT if properties is NULL and count is not 0;
 *   STREAMS_OUT_OF_RANGE.
 */
STREAMS_API streams_property *streams_property_combine_latest(
    streams_property *const *properties, size_t count, streams_combine_values_fn combine, void *context,
    streams_destroy_fn destroy);

/*
 * Makes a property whose value is what the callback makes of the first values of
 * several properties, then of the second ones, and so on; without a callback, a
 * list of these values. Values that have no partner yet wait. A subscriber gets the
 * end when no further values can come.
 *
 * Ownership: as streams_property_combine_latest.
 * Errors: as streams_property_combine_latest.
 */
STREAMS_API streams_property *streams_property_zip(
    streams_property *const *properties, size_t count, streams_combine_values_fn combine, void *context,
    streams_destroy_fn destroy);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_PROPERTIES_H */
