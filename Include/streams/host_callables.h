/*
 * streams/host_callables.h - functions of a managed runtime in the shapes that operators take.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_HOST_CALLABLES_H
#define STREAMS_HOST_CALLABLES_H

#include "base.h"
#include "callbacks.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Callables
 * ======================================================================== */

/*
 * Makes a handle for a host function, to be used as the context of one of the
 * functions below.
 *
 * Ownership: borrows function; the library retains it. The result is yours
 *   until you give it to an operator together with streams_callable_destroy.
 * Threads: any, with or without the host's lock.
 * Errors: NULL with STREAMS_INVALID_ARGUMENT for an unknown host,
 *   STREAMS_TERMINATED for a retired one, STREAMS_NULL_ARGUMENT,
 *   STREAMS_LIMIT. An operator that is given NULL for a
 *   callable fails in its turn.
 */
STREAMS_API streams_callable *streams_callable_create(uint32_t host, void *function);

/*
 * Releases a callable: a streams_destroy_fn.
 *
 * Ownership: takes one reference to the callable.
 * Threads: any, with or without the host's lock.
 * Errors: none; a bad handle sets the last error, except NULL, which is
 *   ignored.
 */
STREAMS_API void streams_callable_destroy(void *callable);

/*
 * Calls function(in) and returns its result: a streams_transform_fn, for
 * streams_map and streams_compact_map, which drops the host's null.
 *
 * Ownership: borrows callable and in; the caller takes over *out, as from any
 *   callback.
 * Threads: as the operator it is given to.
 * Errors: STREAMS_CALLBACK_FAILED if the function raised an error, which is named
 *   as by streams_callback_fail; STREAMS_TERMINATED if the host is retired;
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT; STREAMS_INVALID_VALUE for an object that is not the
 *   host's, and for a malformed value the same as streams_value_copy.
 */
STREAMS_API streams_status streams_callable_transform(
    void *callable, const streams_value *in, streams_value *out);

/*
 * Calls function(in, kind) and returns its result: a streams_transform_batch_fn,
 * for streams_map_batch. kind is the kind of in, as an integer. Numbers in the
 * host's own memory (see streams_host_numbers) come as the object that they belong
 * to, or as a part of it, other numbers as a bytes object, and a list as a host
 * list. The result is an object that streams_host_numbers takes, or an iterable of
 * values.
 *
 * Ownership: borrows callable and in; the caller takes over *out, as from any
 *   callback.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform; STREAMS_INVALID_VALUE also if `in` is
 *   neither an array nor a list.
 */
STREAMS_API streams_status streams_callable_transform_batch(
    void *callable, const streams_value *in, streams_value *out);

/*
 * Calls function() without arguments and returns its result: a
 * streams_get_value_fn, for streams_binding_create.
 *
 * Ownership: borrows callable; the caller takes over *out, as from any callback.
 * Threads: as the binding it is given to.
 * Errors: as streams_callable_transform.
 */
STREAMS_API streams_status streams_callable_get_value(void *callable, streams_value *out);

/*
 * Calls function(value) and ignores its result: a streams_set_value_fn, for
 * streams_binding_create. It is the function that also gets the value.
 *
 * Ownership: borrows callable and value.
 * Threads: as the binding it is given to.
 * Errors: as streams_callable_transform.
 */
STREAMS_API streams_status streams_callable_set_value(void *callable, const streams_value *value);

/*
 * Calls function(scope, input), with the scope's handle as an integer, and returns
 * its result: a streams_body_fn, for streams_scope_tree_create and
 * streams_scope_child.
 *
 * Ownership: borrows everything; the caller takes over *out, as from any callback.
 * Threads: as the tree it is given to.
 * Errors: as streams_callable_transform; STREAMS_WRONG_KIND and
 *   STREAMS_STALE_HANDLE also for the scope.
 */
STREAMS_API streams_status streams_callable_body(
    void *callable, streams_scope *scope, const streams_value *input, streams_value *out);

/*
 * Calls function(in) and returns whether its result is true: a
 * streams_predicate_fn, for streams_filter.
 *
 * Ownership: borrows everything.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 */
STREAMS_API streams_status streams_callable_predicate(
    void *callable, const streams_value *in, bool *result);

/*
 * Calls function(previous, current) and returns whether its result is true: a
 * streams_compare_fn, for streams_remove_duplicates_by.
 *
 * Ownership: borrows everything.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 */
STREAMS_API streams_status streams_callable_compare(
    void *callable, const streams_value *previous, const streams_value *current, bool *same);

/*
 * Calls function(first, second) and returns whether its result is true: a
 * streams_order_fn, for streams_min_by and streams_max_by.
 *
 * Ownership: borrows everything.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 */
STREAMS_API streams_status streams_callable_order(
    void *callable, const streams_value *first, const streams_value *second, bool *is_before);

/*
 * Calls function(accumulated, in) and returns its result: a
 * streams_combine_fn, for streams_scan and streams_reduce.
 *
 * Ownership: borrows callable and inputs; the caller takes over *out.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 */
STREAMS_API streams_status streams_callable_combine(
    void *callable, const streams_value *accumulated, const streams_value *in,
    streams_value *out);

/*
 * Calls function(values[0], values[1], ...) and returns its result: a
 * streams_combine_values_fn, for streams_zip_with and the like.
 *
 * Ownership: borrows callable and values; the caller takes over *out.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 */
STREAMS_API streams_status streams_callable_combine_values(
    void *callable, const streams_value *values, size_t count, streams_value *out);

/*
 * Calls function(in), whose result is a publisher handle as an integer: a
 * streams_expand_fn, for streams_flat_map and streams_switch_to_latest.
 *
 * Ownership: borrows callable and in; takes over one reference to the
 *   publisher that the function returns.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 */
STREAMS_API streams_status streams_callable_expand(
    void *callable, const streams_value *in, streams_publisher **out);

/*
 * Calls function(in), whose result is a property handle as an integer: a
 * streams_expand_property_fn, for streams_property_flat_map.
 *
 * Ownership: borrows callable and in; takes over one reference to the property
 *   that the function returns.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 */
STREAMS_API streams_status streams_callable_expand_property(
    void *callable, const streams_value *in, streams_property **out);

/*
 * Calls function(error), where error is the handle as an integer, borrowed for
 * the call, and whose result is a publisher handle as an integer: a
 * streams_recover_fn, for streams_catch.
 *
 * Ownership: borrows callable and error; takes over one reference to the
 *   publisher that the function returns.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 */
STREAMS_API streams_status streams_callable_recover(
    void *callable, const streams_error *error, streams_publisher **out);

/*
 * Calls function(error), where error is the handle as an integer, borrowed for
 * the call, and whose result is an error handle as an integer: a
 * streams_transform_error_fn, for streams_map_error.
 *
 * Ownership: borrows callable and error; takes over one reference to the error
 *   that the function returns.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 */
STREAMS_API streams_status streams_callable_transform_error(
    void *callable, const streams_error *error, streams_error **out);

/*
 * Calls function(null) with the host's null, whose result is a publisher handle
 * as an integer: a streams_make_publisher_fn, for streams_deferred.
 *
 * Ownership: borrows callable; takes over one reference to the publisher that the
 *   function returns.
 * Threads: as the publisher it is given to.
 * Errors: as streams_callable_transform.
 */
STREAMS_API streams_status streams_callable_make_publisher(
    void *callable, streams_publisher **out);

/*
 * Calls function(null) with the host's null, whose result is an error handle as
 * an integer: a streams_make_error_fn, for streams_buffer_or_fail.
 *
 * Ownership: borrows callable; takes over one reference to the error that the
 *   function returns.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 */
STREAMS_API streams_status streams_callable_make_error(void *callable, streams_error **out);

/*
 * Calls function(error), where error is the handle as an integer, borrowed for
 * the call, and returns whether its result is true: a
 * streams_error_predicate_fn, for streams_retry_backoff.
 *
 * Ownership: borrows everything.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 */
STREAMS_API streams_status streams_callable_error_predicate(
    void *callable, const streams_error *error, bool *result);

/*
 * Calls function(text) with a string object: a streams_write_fn, for
 * streams_print. An error it raises is reported by the host.
 *
 * Ownership: borrows everything.
 * Threads: as the operator it is given to.
 * Errors: none; a bad handle sets the last error.
 */
STREAMS_API void streams_callable_write(void *callable, const char *text, size_t length);

/*
 * Calls function(null) with the host's null: a streams_action_fn, for
 * streams_scheduler_schedule. An error it raises is reported by the host.
 *
 * Ownership: borrows callable.
 * Threads: as the scheduler that runs it.
 * Errors: none; a bad handle sets the last error.
 */
STREAMS_API void streams_callable_action(void *callable);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_HOST_CALLABLES_H */
