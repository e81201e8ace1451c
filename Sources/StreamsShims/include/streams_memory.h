#ifndef STREAMS_MEMORY_H
#define STREAMS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "streams_threads.h"

/// Whether memory of this size can be had: takes it and gives it back. A function of its own, with a store
/// that must be made, because a compiler leaves out an allocation that nobody looks at.
bool streams_has_room(size_t size) __attribute__((visibility("hidden")));

/// The same for the object of this size that this thread makes next: it gets the memory that was found here.
bool streams_make_room(size_t size) __attribute__((visibility("hidden")));

/// The two texts in a row, for free(); NULL if there is no memory.
char *streams_joined(const char *first, const char *second) __attribute__((visibility("hidden")));

/// The function that this thread last had no memory for, where there was none for remembering more than that;
/// else NULL.
static inline const char *streams_exhausted(void) {
    return streams_this_thread.exhausted;
}

static inline void streams_set_exhausted(const char *function) {
    streams_this_thread.exhausted = function;
}

/// Fetches memory that is looked at soon.
static inline void streams_prefetch(const void *memory) { __builtin_prefetch(memory); }

/// What else is remembered for this thread, an object; NULL if there is nothing.
static inline void *streams_thread_state(void) {
    return streams_this_thread.state;
}

static inline void streams_set_thread_state(void *state) {
    streams_this_thread.state = state;
}

#endif
