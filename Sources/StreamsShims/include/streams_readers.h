#ifndef STREAMS_READERS_H
#define STREAMS_READERS_H

#include "streams_threads.h"

/// Who is told of what is read on this thread: the scope whose body is running, or NULL.
static inline void *streams_reader(void) { return streams_this_thread.reader; }

/// Sets who is told of what is read on this thread.
static inline void streams_set_reader(void *reader) { streams_this_thread.reader = reader; }

#endif
