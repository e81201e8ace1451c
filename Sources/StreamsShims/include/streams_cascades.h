#ifndef STREAMS_CASCADES_H
#define STREAMS_CASCADES_H

#include "streams_threads.h"

/// What the thread has of the changes of properties that it is making, in a frame further up its stack; NULL
/// if it makes none.
static inline void *streams_cascade(void) {
    return streams_this_thread.cascade;
}

static inline void streams_set_cascade(void *cascade) {
    streams_this_thread.cascade = cascade;
}

/// Where a frame further up the thread's stack finds what it is to release; NULL if there is no such frame.
static inline void *streams_remains(void) {
    return streams_this_thread.remains;
}

static inline void streams_set_remains(void *remains) {
    streams_this_thread.remains = remains;
}

/// How many functions of properties the thread is running, one within the other.
static inline int streams_property_functions(void) {
    return streams_this_thread.property_functions;
}

static inline void streams_add_property_functions(int count) {
    streams_this_thread.property_functions += count;
}

#endif
