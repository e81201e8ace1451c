/*
 * streams/host_values.h - objects of a managed runtime as values.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_HOST_VALUES_H
#define STREAMS_HOST_VALUES_H

#include "base.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Objects of hosts
 * ======================================================================== */

/*
 * Makes values from host objects.
 *
 * Ownership: borrows objects and retains each one; values[0 ... count - 1] are
 *   overwritten and yours. The arrays may be NULL if count is 0.
 * Threads: any, with or without the host's lock.
 * Errors: STREAMS_INVALID_ARGUMENT for an unknown host, STREAMS_TERMINATED for
 *   a retired one, STREAMS_NULL_ARGUMENT (an array, or an object in it). All
 *   values are then null.
 */
STREAMS_API streams_status streams_host_values(
    uint32_t host, void *const *objects, size_t count, streams_value *values);

/*
 * Makes an array value from an object whose memory contains integers of 64 bits, or
 * doubles, in a row. Nothing is copied: the object's memory stays in place until
 * the value and its slices are gone, and its contents are the array.
 *
 * Ownership: borrows object, and retains its memory; *out is overwritten and
 *   yours.
 * Threads: any, with or without the host's lock.
 * Errors: STREAMS_INVALID_ARGUMENT for an unknown host, STREAMS_TERMINATED for
 *   a retired one, STREAMS_NULL_ARGUMENT; STREAMS_INVALID_VALUE if the object has
 *   no such memory; STREAMS_OUT_OF_RANGE. *out is then null.
 */
STREAMS_API streams_status streams_host_numbers(uint32_t host, void *object, streams_value *out);

/*
 * Makes a host object from a value: the object itself if it is one of this host's,
 * else a new one of the matching kind; a list, or an array, becomes a host list. An
 * object that is not this host's cannot become one.
 *
 * Ownership: borrows value; the result is a new reference, in the host's sense.
 * Threads: any, with or without the host's lock.
 * Errors: NULL with STREAMS_INVALID_ARGUMENT for an unknown host,
 *   STREAMS_TERMINATED for a retired one, STREAMS_NULL_ARGUMENT,
 *   STREAMS_INVALID_VALUE (also for an object that is not this host's),
 *   STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY, STREAMS_LIMIT;
 *   STREAMS_CALLBACK_FAILED if the host raised an error, which is taken from it and
 *   described in the last message.
 */
STREAMS_API void *streams_host_object(uint32_t host, const streams_value *value);

/*
 * Sends a host object to a subject: streams_host_values, streams_subject_send
 * and streams_value_destroy in one.
 *
 * Ownership: borrows everything; the library retains what it keeps.
 * Threads: any. Better without the host's lock, for subscribers may block;
 *   legal with it.
 * Errors: as streams_subject_send and streams_host_values.
 */
STREAMS_API streams_status streams_host_send(
    streams_subject *subject, uint32_t host, void *object);

/*
 * Sends an array of host objects to a subject, as streams_subject_send_values
 * does.
 *
 * Ownership: borrows everything; the library retains what it keeps. objects
 *   may be NULL if count is 0.
 * Threads: as streams_host_send.
 * Errors: as streams_subject_send_values and streams_host_values.
 */
STREAMS_API streams_status streams_host_send_objects(
    streams_subject *subject, uint32_t host, void *const *objects, size_t count);

/*
 * Sends the numbers that lie in the memory of an object: streams_host_numbers,
 * streams_subject_send_numbers and streams_value_destroy in one.
 *
 * Ownership: borrows everything; the library retains the object's memory for as
 *   long as the numbers are kept.
 * Threads: as streams_host_send.
 * Errors: as streams_subject_send_numbers and streams_host_numbers.
 */
STREAMS_API streams_status streams_host_send_numbers(
    streams_subject *subject, uint32_t host, void *object);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_HOST_VALUES_H */
