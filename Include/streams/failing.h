/*
 * streams/failing.h - operators for failures and ends.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_FAILING_H
#define STREAMS_FAILING_H

#include "base.h"
#include "callbacks.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Failures and ends
 * ======================================================================== */

/*
 * Replaces a failed upstream by the publisher that the callback makes from the error;
 * the new publisher gets the demand that is still open. A failure of that publisher,
 * or of the callback, fails the stream: Combine's catch and tryCatch.
 *
 * Ownership: consumes publisher; takes context; takes the publisher that the
 *   callback returns; the result is yours.
 * Errors: NULL with the common ones. A bad handle returned by the callback
 *   fails the stream in the domain "streams".
 */
STREAMS_API streams_publisher *streams_catch(STREAMS_CONSUMES streams_publisher *publisher,
    streams_recover_fn handler, void *context, streams_destroy_fn destroy);

/*
 * Replaces the error of a failed upstream by the one that the callback makes from it.
 * A failing callback fails the stream with its own error.
 *
 * Ownership: consumes publisher; takes context; takes the error that the
 *   callback returns; the result is yours.
 * Errors: NULL with the common ones. A bad handle returned by the callback
 *   fails the stream in the domain "streams".
 */
STREAMS_API streams_publisher *streams_map_error(STREAMS_CONSUMES streams_publisher *publisher,
    streams_transform_error_fn transform, void *context, streams_destroy_fn destroy);

/*
 * Publishes each event of the publisher as a value, and then finishes. The value is
 * a list whose first item is a string:
 *
 *   - ["value", value];
 *   - ["finished"];
 *   - ["failed", message, domain, code, object], where the last one is what the
 *     error carries, or null.
 *
 * streams_event makes such values. The end waits for demand as any value does.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_materialize(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Turns the lists that streams_materialize publishes into events again. The first
 * end cancels the publisher. The items after a failure's message may be missing. A
 * value that is not such a list fails the stream with STREAMS_INVALID_VALUE in the
 * domain "streams".
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_dematerialize(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Makes a value that stands for an event, as streams_materialize publishes it: for
 * a failure if error is given, else for a value if value is given, else for the
 * finish.
 *
 * Ownership: borrows value and error, both of which may be NULL; *out is yours, and
 *   what was there before is overwritten.
 * Errors: STREAMS_NULL_ARGUMENT if out is NULL, STREAMS_INVALID_ARGUMENT if value
 *   and out are the same; STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY for value; STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND. *out is then null, except when it is the same as value,
 *   which is left alone.
 */
STREAMS_API streams_status streams_event(
    const streams_value *value, const streams_error *error, streams_value *out);

/*
 * Publishes a value instead of a failure, and finishes. The value waits until it is
 * asked for.
 *
 * Ownership: consumes publisher; copies value; the result is yours.
 * Errors: NULL with the common ones, STREAMS_NULL_ARGUMENT (value),
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_publisher *streams_replace_error(
    STREAMS_CONSUMES streams_publisher *publisher, const streams_value *value);

/*
 * For failures that would be programming errors: replaces a failure by one with the
 * code STREAMS_ASSERTION_FAILED in the domain "streams". Its message begins with
 * prefix and a colon, and names the original failure. The object of the error is
 * kept. Combine ends the process instead. A failure with the code STREAMS_LIMIT in
 * that domain passes through.
 *
 * Ownership: consumes publisher; copies prefix, which may be NULL for none; the
 *   result is yours.
 * Errors: NULL with the common ones; STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_publisher *streams_assert_no_failure(
    STREAMS_CONSUMES streams_publisher *publisher, const char *prefix);

/*
 * Subscribes to the upstream again when it fails, at most retries times; then the
 * failure passes through. The next attempt gets the demand that is still open.
 *
 * If the upstream fails while it is being subscribed to, it is subscribed to again
 * afterwards, in a loop that needs no more stack however often it repeats. The loop
 * ends when no retries are left (with INT64_MAX, never), or when a callback or
 * another thread cancels the stream.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any; the upstream is subscribed to on the thread on which it failed.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if retries is
 *   negative.
 */
STREAMS_API streams_publisher *streams_retry(STREAMS_CONSUMES streams_publisher *publisher, int64_t retries);

/*
 * Subscribes to the publisher again when it finishes, until it has been subscribed
 * to that many times; STREAMS_UNLIMITED sets no bound, and with 0 the stream
 * finishes immediately. The next subscription gets the demand that is still open. A
 * failure passes through. A publisher that finishes immediately without a value is
 * repeated immediately, with or without demand; if there is no bound, this never
 * ends.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_repeat(STREAMS_CONSUMES streams_publisher *publisher, uint64_t times);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_FAILING_H */
