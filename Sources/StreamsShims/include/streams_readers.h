#ifndef STREAMS_READERS_H
#define STREAMS_READERS_H

#include "streams_threads.h"

/// The scope whose body is running on this thread, and which is notified of what the body reads; NULL if
/// there is none.
static inline void *streams_reader(void) { return streams_this_thread.reader; }

/// Sets the scope that is notified of reads on this thread.
static inline void streams_set_reader(void *reader) { streams_this_thread.reader = reader; }

/// The counter of values that subscriptions made on this thread drop, or NULL.
static inline void *streams_drops(void) { return streams_this_thread.drops; }

/// Sets the counter for subscriptions that are made on this thread from now on.
static inline void streams_set_drops(void *drops) { streams_this_thread.drops = drops; }

/// How often a value that was sent on this thread has come to a part of a stream that had ended.
static inline uint64_t streams_refusals(void) { return streams_this_thread.refusals; }

/// Counts one more.
static inline void streams_note_refusal(void) { streams_this_thread.refusals++; }

/// Takes the count back, so that a send around this one does not find what this one has counted.
static inline void streams_set_refusals(uint64_t count) { streams_this_thread.refusals = count; }

/// What this thread does when it has cancelled all upstreams of a stream, or NULL while it cancels none.
static inline void *streams_cancellation(void) { return streams_this_thread.cancellation; }

/// Sets that.
static inline void streams_set_cancellation(void *later) { streams_this_thread.cancellation = later; }

/// What has been requested on this thread: in the low half, how often a subject, or a property, has been
/// subscribed to or asked for values; in the high half, how often a concatenation has been asked for values
/// that had not begun with its second publisher, or has begun with it.
static inline uint64_t streams_source_requests(void) { return streams_this_thread.source_requests; }

/// Counts one more of a subject.
static inline void streams_note_subject_request(void) { streams_this_thread.source_requests++; }

/// Counts one more of a concatenation.
static inline void streams_note_waiting_suffix(void) {
    streams_this_thread.source_requests += UINT64_C(1) << 32;
}

/// The number of the subscription that this thread is making; 0 if it makes none that has one.
static inline uint32_t streams_subscribing(void) { return streams_this_thread.subscribing; }

/// Sets that.
static inline void streams_set_subscribing(uint32_t number) { streams_this_thread.subscribing = number; }

/// The number of the subscription for which this thread makes a prompt request; 0 if it makes none.
static inline uint32_t streams_requesting_for(void) { return streams_this_thread.requesting_for; }

/// Sets that.
static inline void streams_set_requesting_for(uint32_t number) {
    streams_this_thread.requesting_for = number;
}

/// Whether the owner of the word for which this thread could not wait last sleeps until this one goes on.
static inline bool streams_owner_sleeps(void) { return streams_this_thread.owner_sleeps; }

#endif
