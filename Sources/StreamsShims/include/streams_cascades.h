#ifndef STREAMS_CASCADES_H
#define STREAMS_CASCADES_H

#include "streams_threads.h"

/// The thread's changes of properties that a frame further up its stack is making; NULL if there is none.
static inline void *streams_cascade(void) {
    return streams_this_thread.cascade;
}

static inline void streams_set_cascade(void *cascade) {
    streams_this_thread.cascade = cascade;
}

/// The list of objects to release of a frame further up the thread's stack; NULL if there is no such frame.
static inline void *streams_remains(void) {
    return streams_this_thread.remains;
}

static inline void streams_set_remains(void *remains) {
    streams_this_thread.remains = remains;
}

/// How many functions of properties the thread is running, nested in each other.
static inline int streams_property_functions(void) {
    return streams_this_thread.property_functions;
}

static inline void streams_add_property_functions(int count) {
    streams_this_thread.property_functions += count;
}

#endif
