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

#endif
