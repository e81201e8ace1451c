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
 * A subject is fed by calls, and passes each value to all its subscribers. A send
 * made inside a callback is delivered before the outer send returns.
 *
 * A subject does not wait for demand: a subscriber misses the values that are sent
 * while its demand is zero, and the send succeeds. A subscriber of a current-value
 * subject gets the latest value when it requests again, or the next value if it has
 * returned demand, as in Combine. A subscriber of a replay subject gets as many of
 * the latest values as the subject keeps. A source that must not lose values, and
 * can wait, should be a publisher of your own.
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
 * STREAMS_UNLIMITED, and gives them to each new subscriber as it requests them. A
 * subscriber that is behind on demand misses nothing that is kept; beyond that it
 * misses the oldest. A subscriber with demand misses nothing, whatever the size is.
 * The completion comes after these values, even for a subscriber that subscribes
 * after the completion.
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
 * Sends an array of values. Each subscriber gets the same as from single sends,
 * much faster, even if a callback sends, subscribes, requests, cancels or ends
 * something during the array. With several subscribers, all of them get a value
 * before the next one is sent, unless all take arrays (by on_values, on_numbers or
 * streams_map_batch) and have demanded everything: then each gets the whole array.
 * For a subscriber that takes arrays, an array is one event: what its callback does
 * takes effect after the array. If one of several subscribers cancels during the
 * array, its destroy may be called after the array. Who subscribes on another thread
 * during the array gets what is sent after it. It also gets what the only subscriber
 * has not taken, if that one is cancelled, and the rest of the array, once a callback
 * has subscribed, requested, cancelled or ended something or sent to this subject. If
 * a connection that passes values from one subject to another is cancelled on another
 * thread during the array, a single subscriber of the other may still get the rest.
 * All values are checked first; if one is bad, nothing is sent.
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
 * streams_subject_send_values. A subscriber that takes arrays gets the array
 * itself, or the part of it for which there is demand; keeping an array that has no
 * owner makes a copy.
 *
 * Ownership: borrows numbers.
 * Threads: as streams_subject_send.
 * Errors: STREAMS_TERMINATED, STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT;
 *   STREAMS_INVALID_VALUE if it is not an array of numbers; STREAMS_LIMIT where calls
 *   are nested too deep.
 */
STREAMS_API streams_status streams_subject_send_numbers(
    streams_subject *subject, const streams_value *numbers);

/*
 * Completes the subject: it finishes if error is NULL and fails with the error
 * otherwise. Later subscribers receive only the completion. If a callback completes
 * the subject while a value is being delivered, the subscribers that this value has
 * not reached yet receive only the completion too, as in Combine.
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
 * Sets the value of a current-value subject and sends it to all subscribers. Unlike
 * streams_subject_send it changes the value, and succeeds, even after completion;
 * then no subscriber is notified.
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
 * Returns a publisher of what the subject sends. It keeps the subject alive.
 *
 * Ownership: borrows subject; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_publisher *streams_subject_publisher(streams_subject *subject);


/* ========================================================================
 * Futures
 *
 * A future publishes one value, or fails, when its promise is kept: Combine's
 * Future. Later subscribers get the same. A value waits until it is asked for, a
 * failure does not.
 *
 * A promise that is released before it is kept never will be. Its future then never
 * ends, as in Combine; its subscribers can cancel.
 * ======================================================================== */

/*
 * Makes a promise and its future.
 *
 * Ownership: the result is yours.
 * Errors: NULL with STREAMS_LIMIT.
 */
STREAMS_API streams_promise *streams_promise_create(void);

/*
 * Returns the future of a promise. It does not keep the promise alive.
 *
 * Ownership: borrows promise; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_publisher *streams_promise_publisher(streams_promise *promise);

/*
 * Keeps a promise with a value, which all subscribers with demand get. Only the
 * first call counts.
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
