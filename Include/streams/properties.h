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
 * A property is a value that can be read now, and watched from now on; only what it
 * is made of changes it. It follows a subject, or starts with a value and goes on
 * with those of a publisher, and from properties other properties are derived,
 * which have a value too.
 *
 * When a source changes, everything derived from it is computed once, each property
 * after all it is derived from, and only then is anybody told, each at most once. So
 * a property that is derived from one source along several paths never combines an
 * old value with a new one. A source is what streams_property_of_subject and
 * streams_property_of_publisher make: two properties of one subject are two sources.
 *
 * A function that fails leaves its property without a value until it makes the next
 * one: reading it fails, who watches it receives the error, and so it is with all
 * that is derived from it.
 *
 * Functions that derive one borrow the property that they are given. The result
 * keeps it, and so does who watches; nothing keeps what is derived. So a source, or
 * a function, that watches or gives what is derived from its own property keeps
 * itself for ever. A function is called once when the property is made, and once for
 * each change, on the thread that makes it. A change that is made in a function or by
 * who is told takes effect when all have been told. Where that leads to another
 * change, and so on, 1,000 times, or where each leads to several, and 50,000 have
 * come of one, the source has no value, but an error with the code STREAMS_LIMIT,
 * and what follows is passed over, until somebody changes it again.
 * ======================================================================== */

/*
 * Makes a property that never changes. Who watches it gets the value and the end.
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
 * Makes a property with its first value and a publisher of the further ones, which
 * is subscribed to at once, with unlimited demand. If that sends values at once, the
 * property starts with the last of them. If it fails, the property has no value any
 * more.
 * The publisher of a published value sends before that is stored: a property of one
 * is streams_binding_property of its binding, which is equal to it after each change.
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
 * Threads: any; it waits for nobody.
 * Errors: STREAMS_CALLBACK_FAILED if it has no value, because a function or a
 *   publisher has failed: streams_last_error says with what. Further
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT. *out is then null.
 */
STREAMS_API streams_status streams_property_get_value(
    const streams_property *property, streams_value *out);

/*
 * The publisher of the value that the property has when somebody subscribes, and of
 * those that follow. A subscriber that is behind on demand gets only the latest.
 * Finishes when all sources have, and fails if the property has no value.
 *
 * Ownership: borrows property; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_publisher *streams_property_all_values(streams_property *property);

/*
 * The publisher of the values that come after the subscription; otherwise as
 * streams_property_all_values.
 *
 * Ownership: borrows property; the result is yours.
 * Errors: as streams_property_all_values.
 */
STREAMS_API streams_publisher *streams_property_subsequent_values(streams_property *property);

/*
 * A property of what the callback makes of another one's value.
 *
 * Ownership: borrows property; takes context; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT;
 *   STREAMS_NULL_ARGUMENT if a callback is NULL. That it fails is no error of this
 *   call.
 */
STREAMS_API streams_property *streams_property_map(streams_property *property,
    streams_transform_fn transform, void *context, streams_destroy_fn destroy);

/*
 * A property of the last value that the callback approved of; at first, if it does
 * not approve of the current one, it is initial_fallback.
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
 * A property of the last value that the callback made which is not null; at first,
 * if it makes null of the current one, it is initial_fallback.
 *
 * Ownership: as streams_property_filter.
 * Errors: as streams_property_filter.
 */
STREAMS_API streams_property *streams_property_compact_map(streams_property *property,
    const streams_value *initial_fallback, streams_transform_fn transform, void *context,
    streams_destroy_fn destroy);

/*
 * A property that starts with initial and goes on with what the callback makes of the
 * last value that it made and each that comes.
 *
 * Ownership: borrows property; copies initial; takes context; the result is yours.
 * Errors: as streams_property_filter.
 */
STREAMS_API streams_property *streams_property_scan(streams_property *property,
    const streams_value *initial, streams_combine_fn combine, void *context, streams_destroy_fn destroy);

/*
 * A property that does not change when a value comes that is the same as its own: as
 * the callback says or, if that is NULL, streams_value_equal.
 *
 * Ownership: borrows property; takes context; the result is yours.
 * Errors: as streams_property_map.
 */
STREAMS_API streams_property *streams_property_remove_duplicates(streams_property *property,
    streams_compare_fn is_same, void *context, streams_destroy_fn destroy);

/*
 * A property that follows the property which the callback makes of another one's
 * value, and with the next value the next one, in its place. It must not follow what
 * is derived from itself; then it has the error STREAMS_PROTOCOL_VIOLATION, in the
 * domain "streams", in the place of a value.
 *
 * Ownership: borrows property; takes context; the result is yours.
 * Errors: as streams_property_map.
 */
STREAMS_API streams_property *streams_property_flat_map(streams_property *property,
    streams_expand_property_fn transform, void *context, streams_destroy_fn destroy);

/*
 * A property that has the current value now, and takes those that come when the
 * scheduler runs. What is derived from it is a graph of its own: combined with the
 * property itself, it is behind until the scheduler has run; when that is released,
 * it keeps the value that it has.
 *
 * Ownership: borrows both; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_property *streams_property_receive_on(
    streams_property *property, streams_scheduler *scheduler);

/*
 * A property of what the callback makes of the values of several properties, in the
 * order of the array, or, if it is NULL, of a list of them. It changes whenever one of
 * them does, and once when several do. Of no properties the callback gets no values:
 * count is 0.
 *
 * Ownership: borrows the properties, of which there may be none; takes context; the
 *   result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY;
 *   STREAMS_NULL_ARGUMENT if properties is NULL and count is not 0;
 *   STREAMS_OUT_OF_RANGE.
 */
STREAMS_API streams_property *streams_property_combine_latest(
    streams_property *const *properties, size_t count, streams_combine_values_fn combine, void *context,
    streams_destroy_fn destroy);

/*
 * A property of what the callback makes of the first values of several properties,
 * then of the second ones, and so on, or, if it is NULL, of a list of them. Values
 * that have no partner yet wait. Who watches it gets the end when no further ones can
 * come.
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
