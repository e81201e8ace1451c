/*
 * streams/subjects.h - publishers that are fed by calls.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_SUBJECTS_H
#define STREAMS_SUBJECTS_H

#include "base.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Subjects
 *
 * A subject is fed by calls and passes what it gets to all its subscribers.
 * A send made inside a callback is delivered before the outer send returns.
 *
 * A subject does not wait for demand: what is sent while a subscriber's demand
 * is zero, that subscriber misses, and the send succeeds. A subscriber of a
 * current-value subject gets the latest value once it has demand again, and one
 * of a replay subject the latest values, as many as that keeps.
 * Something that must not lose values, and can wait, is a publisher of your own.
 * ======================================================================== */

/*
 * Makes a subject that passes values on and keeps none. A subscriber without
 * demand misses the value. Combine's PassthroughSubject.
 *
 * Ownership: the result is yours.
 * Errors: NULL with STREAMS_LIMIT.
 */
STREAMS_API streams_subject *streams_passthrough_subject_create(void);

/*
 * Makes a subject that remembers its latest value and gives it to each new
 * subscriber. A subscriber that is behind on demand gets only the latest.
 * Combine's CurrentValueSubject.
 *
 * Ownership: copies initial; the result is yours.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_UTF8, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_subject *streams_current_value_subject_create(const streams_value *initial);

/*
 * Makes a subject that keeps the latest buffer_size values, or all with
 * STREAMS_UNLIMITED, and gives them to each new subscriber as that requests them.
 * A subscriber that is behind on demand misses nothing that is kept; beyond that it
 * misses the oldest. Who has demand misses nothing, whatever the size is. The
 * completion comes after the values, also to who subscribes after it.
 *
 * Ownership: the result is yours.
 * Errors: NULL with STREAMS_LIMIT.
 */
STREAMS_API streams_subject *streams_replay_subject_create(uint64_t buffer_size);

/*
 * Sends a value to all subscribers.
 *
 * Ownership: borrows value; the library copies what it keeps.
 * Threads: any, also several at once: each subscriber receives one value after
 *   another.
 * Errors: STREAMS_TERMINATED after a completion; nothing is sent. Further
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_status streams_subject_send(
    streams_subject *subject, const streams_value *value);

/*
 * Sends an array of values: to each subscriber what as many single sends
 * would, much faster. That holds also when a callback sends, subscribes,
 * requests, cancels or ends something meanwhile. With several subscribers each
 * value is for all of them before the next, unless all take arrays, by on_values,
 * on_numbers or streams_map_batch, and have demanded everything: then each gets
 * the whole array. To a subscriber that takes an array it is one event: what that
 * does comes after the array. Where one of several cancels meanwhile, its destroy
 * may be called after the array. All values are checked first; if one is bad,
 * nothing is sent.
 *
 * Ownership: borrows values, which may be NULL if count is 0; the library
 *   copies what it keeps.
 * Threads: as streams_subject_send.
 * Errors: as streams_subject_send.
 */
STREAMS_API streams_status streams_subject_send_values(
    streams_subject *subject, const streams_value *values, size_t count);

/*
 * Sends an array of integers; otherwise as streams_subject_send_values.
 *
 * Ownership: borrows values, which may be NULL if count is 0.
 * Threads: as streams_subject_send.
 * Errors: STREAMS_TERMINATED, STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT;
 *   STREAMS_LIMIT where calls are nested too deep.
 */
STREAMS_API streams_status streams_subject_send_int64s(
    streams_subject *subject, const int64_t *values, size_t count);

/*
 * Sends an array of doubles; otherwise as streams_subject_send_values.
 *
 * Ownership: borrows values, which may be NULL if count is 0.
 * Threads: as streams_subject_send.
 * Errors: STREAMS_TERMINATED, STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT;
 *   STREAMS_LIMIT where calls are nested too deep.
 */
STREAMS_API streams_status streams_subject_send_doubles(
    streams_subject *subject, const double *values, size_t count);

/*
 * Sends the numbers of an array, each a value of its own; otherwise as
 * streams_subject_send_values. Who takes arrays gets the array itself, or the
 * part of it that there is demand for; who keeps an array that has no owner makes
 * a copy.
 *
 * Ownership: borrows numbers.
 * Threads: as streams_subject_send.
 * Errors: STREAMS_TERMINATED, STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT;
 *   STREAMS_INVALID_VALUE if it is no array of numbers; STREAMS_LIMIT where calls
 *   are nested too deep.
 */
STREAMS_API streams_status streams_subject_send_numbers(
    streams_subject *subject, const streams_value *numbers);

/*
 * Completes the subject: it finishes if error is NULL and fails with the error
 * otherwise. Later subscribers receive the completion only.
 *
 * Ownership: borrows both.
 * Threads: as streams_subject_send.
 * Errors: STREAMS_TERMINATED if it has completed already,
 *   STREAMS_NULL_HANDLE (subject), STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_LIMIT where calls are nested too deep.
 */
STREAMS_API streams_status streams_subject_send_completion(
    streams_subject *subject, const streams_error *error);

/*
 * Reads the latest value of a current-value subject, also after completion.
 *
 * Ownership: *out is overwritten and yours.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND (also
 *   for another subject), STREAMS_NULL_ARGUMENT. *out is then null.
 */
STREAMS_API streams_status streams_current_value_subject_get_value(
    const streams_subject *subject, streams_value *out);

/*
 * Sets the value of a current-value subject and sends it to all subscribers.
 * Unlike streams_subject_send it changes the value, and succeeds, also after
 * completion; then nobody is told.
 *
 * Ownership: borrows value; the library copies what it keeps.
 * Threads: as streams_subject_send.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND (also
 *   for another subject), STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_UTF8, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_status streams_current_value_subject_set_value(
    streams_subject *subject, const streams_value *value);

/*
 * The publisher of what the subject sends. It keeps the subject alive.
 *
 * Ownership: borrows subject; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_publisher *streams_subject_publisher(streams_subject *subject);


/* ========================================================================
 * Futures
 *
 * A future publishes one value, or fails, when somebody keeps its promise:
 * Combine's Future. Subscribers that come afterwards get the same. A value waits
 * until it is asked for, a failure does not.
 *
 * A promise that is released and has not been kept never will be. As in Combine
 * its future then never ends; whoever waits for it can cancel.
 * ======================================================================== */

/*
 * Makes a promise and its future.
 *
 * Ownership: the result is yours.
 * Errors: NULL with STREAMS_LIMIT.
 */
STREAMS_API streams_promise *streams_promise_create(void);

/*
 * The future of a promise. It does not keep the promise alive.
 *
 * Ownership: borrows promise; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_publisher *streams_promise_publisher(streams_promise *promise);

/*
 * Keeps a promise with a value, which all subscribers get that have asked for it.
 * The first of all calls counts.
 *
 * Ownership: borrows both; the library copies what it keeps.
 * Threads: any, also several at once.
 * Errors: STREAMS_TERMINATED if it has been kept already. Further
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_status streams_promise_resolve(
    streams_promise *promise, const streams_value *value);

/*
 * Keeps a promise with an error, with which all subscribers fail.
 *
 * Ownership: borrows both.
 * Threads: any, also several at once.
 * Errors: STREAMS_TERMINATED if it has been kept already,
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND (for either
 *   handle; the promise is then not kept);
 *   STREAMS_LIMIT where calls are nested too deep.
 */
STREAMS_API streams_status streams_promise_reject(
    streams_promise *promise, const streams_error *error);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_SUBJECTS_H */
