#ifndef STREAMS_MEMORY_H
#define STREAMS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "streams_threads.h"

/// Whether memory of this size is available: allocates and frees it. Not inline, and with a store that must
/// be made, because a compiler removes an unused allocation.
bool streams_has_room(size_t size) __attribute__((visibility("hidden")));

/// Ensures memory of this size for the object that this thread makes next. Returns whether there is any.
bool streams_make_room(size_t size) __attribute__((visibility("hidden")));

/// The two texts joined, to be released with free(); NULL if there is no memory.
char *streams_joined(const char *first, const char *second) __attribute__((visibility("hidden")));

/// The function of this thread that last ran out of memory, if there was none to store more about it either;
/// else NULL.
static inline const char *streams_exhausted(void) {
    return streams_this_thread.exhausted;
}

static inline void streams_set_exhausted(const char *function) {
    streams_this_thread.exhausted = function;
}

/// Fetches memory that will be read soon.
static inline void streams_prefetch(const void *memory) { __builtin_prefetch(memory); }

/// An object with the thread's further state, or NULL.
static inline void *streams_thread_state(void) {
    return streams_this_thread.state;
}

static inline void streams_set_thread_state(void *state) {
    streams_this_thread.state = state;
}

#endif
