#ifndef STREAMS_READERS_H
#define STREAMS_READERS_H

#include "streams_threads.h"

/// Who is told of what is read on this thread: the scope whose body is running, or NULL.
static inline void *streams_reader(void) { return streams_this_thread.reader; }

/// Sets who is told of what is read on this thread.
static inline void streams_set_reader(void *reader) { streams_this_thread.reader = reader; }

/// Who counts what is dropped by what is subscribed to on this thread, or NULL.
static inline void *streams_drops(void) { return streams_this_thread.drops; }

/// Sets who counts what is dropped by what is subscribed to on this thread from now on.
static inline void streams_set_drops(void *drops) { streams_this_thread.drops = drops; }

/// How often a subject has been subscribed to, or asked for values, on this thread.
static inline uint32_t streams_subject_requests(void) { return streams_this_thread.subject_requests; }

/// Notes that it has been.
static inline void streams_note_subject_request(void) { streams_this_thread.subject_requests++; }

#endif
