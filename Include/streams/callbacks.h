/*
 * streams/callbacks.h - the shapes of functions that operators take.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_CALLBACKS_H
#define STREAMS_CALLBACKS_H

#include "base.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Callbacks
 *
 * A callback that returns anything but STREAMS_OK fails the stream: upstream is
 * cancelled, and downstream receives the error that the callback named with
 * streams_callback_fail, or else one in the domain "streams.callback" whose code is
 * the status returned. If the callback returns the status of the last call that
 * failed inside it, the message is that call's name and message; an error that
 * streams_last_error returns is passed on as it is. The callback's `out` is then
 * ignored, but not destroyed: do not leave an owned value there.
 * ======================================================================== */

/*
 * Turns a value into another. *out is null when the callback is called.
 *
 * The library takes over a result with an owner, and destroys it. A result without
 * one, such as text in a buffer of yours, must stay valid until this callback or
 * its destroy is called next; the library copies it right after the return. To
 * return the input or a part of it, use streams_value_copy(in, out); *out = *in
 * would give away a reference that is not yours.
 *
 * One subscription never calls its callback concurrently. Two subscriptions to the
 * same publisher share the context, and may call at the same time.
 */
typedef streams_status (*streams_transform_fn)(
    void *context, const streams_value *in, streams_value *out);

/*
 * Transforms several values into as many others. `in` is an array of integers or of
 * doubles or, where the values are not all of one of these kinds, a list; it is
 * never empty. `out` follows the rules of streams_transform_fn and must be an array
 * or a list of the size of `in`. To keep `in`, use streams_value_copy, which copies
 * numbers only if they have no owner.
 */
typedef streams_status (*streams_transform_batch_fn)(
    void *context, const streams_value *in, streams_value *out);

/* Decides on a value. *result is false when the callback is called. */
typedef streams_status (*streams_predicate_fn)(
    void *context, const streams_value *in, bool *result);

/* Compares two values. *same is false when the callback is called. */
typedef streams_status (*streams_compare_fn)(
    void *context, const streams_value *previous, const streams_value *current, bool *same);

/* Decides whether the first value comes before the second. *is_before is false when
 * the callback is called. */
typedef streams_status (*streams_order_fn)(
    void *context, const streams_value *first, const streams_value *second, bool *is_before);

/* Combines what is accumulated so far with the next value. `out` follows the
 * rules of streams_transform_fn. */
typedef streams_status (*streams_combine_fn)(
    void *context, const streams_value *accumulated, const streams_value *in, streams_value *out);

/* Makes one value from several: one from each publisher, in their order. `out` follows
 * the rules of streams_transform_fn. */
typedef streams_status (*streams_combine_values_fn)(
    void *context, const streams_value *values, size_t count, streams_value *out);

/* Makes a publisher from a value. *out is NULL when the callback is called; the
 * library takes over the publisher put there. Leaving NULL with STREAMS_OK fails
 * the stream with STREAMS_NULL_HANDLE in the domain "streams". A handle of another
 * kind fails it with STREAMS_WRONG_KIND, and is released. */
typedef streams_status (*streams_expand_fn)(
    void *context, const streams_value *in, streams_publisher **out);

/* Makes a property from a value. *out is NULL when the callback is called; the
 * library takes over the reference put there. Leaving NULL with STREAMS_OK fails
 * with STREAMS_NULL_HANDLE in the domain "streams". A handle of another kind fails
 * with STREAMS_WRONG_KIND, and is released. */
typedef streams_status (*streams_expand_property_fn)(
    void *context, const streams_value *in, streams_property **out);

/* Makes a publisher. `out` follows the rules of streams_expand_fn. */
typedef streams_status (*streams_make_publisher_fn)(void *context, streams_publisher **out);

/* Makes the publisher that takes over after a failure. The error is borrowed;
 * `out` follows the rules of streams_expand_fn. */
typedef streams_status (*streams_recover_fn)(
    void *context, const streams_error *error, streams_publisher **out);

/* Makes an error from another. The error is borrowed. *out is NULL when the callback
 * is called; the library takes over the reference put there: to keep the error as it
 * is, streams_retain it. Leaving NULL with STREAMS_OK fails the stream with
 * STREAMS_NULL_HANDLE in the domain "streams". */
typedef streams_status (*streams_transform_error_fn)(
    void *context, const streams_error *error, streams_error **out);

/* Makes an error. `out` follows the rules of streams_transform_error_fn. */
typedef streams_status (*streams_make_error_fn)(void *context, streams_error **out);

/* Decides on an error, which is borrowed. *result is false when the callback is
 * called. */
typedef streams_status (*streams_error_predicate_fn)(
    void *context, const streams_error *error, bool *result);

/* Returns a binding's current value. `out` follows the rules of
 * streams_transform_fn. */
typedef streams_status (*streams_get_value_fn)(void *context, streams_value *out);

/* Replaces a binding's value. */
typedef streams_status (*streams_set_value_fn)(void *context, const streams_value *value);

/* Runs in a scope, and makes what the scope shows: see "Scopes". The scope and the
 * input are lent. `out` follows the rules of streams_transform_fn. */
typedef streams_status (*streams_body_fn)(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out);

/* Receives text: UTF-8, length bytes, not ended by NUL. */
typedef void (*streams_write_fn)(void *context, const char *text, size_t length);

/*
 * Names the error with which the running callback is about to fail. Call it
 * last, in the form
 *
 *     return streams_callback_fail(error);
 *
 * It returns STREAMS_CALLBACK_FAILED, or the status of a bad handle: in every case
 * a failure. If the callback then returns STREAMS_OK, or has no status to return,
 * it has not failed, and the error is dropped. A callback that runs in between and
 * names an error replaces it. Outside of a callback nothing fails. See also
 * streams_callback_fail_with.
 *
 * Ownership: borrows error; the library retains it.
 * Threads: the one that runs the callback.
 * Errors: never STREAMS_OK. Only STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE and
 *   STREAMS_WRONG_KIND set the last error.
 */
STREAMS_API streams_status streams_callback_fail(const streams_error *error);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_CALLBACKS_H */
