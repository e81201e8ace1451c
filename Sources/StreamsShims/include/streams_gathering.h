#ifndef STREAMS_GATHERING_H
#define STREAMS_GATHERING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "streams_threads.h"

/// The results made of the first values of a batch, which will be delivered together, while a function is
/// called for the next value.
///
/// The effects of the function on the library come after them, as if each result had been delivered when it
/// was made: every call from outside first delivers what this thread has gathered. So a function's effects
/// need not be checked afterwards, and functions that only compute cost nothing.
typedef struct streams_gathering {
    /// Delivers the results from `start` to `end`, and first moves `start` to `end`.
    void (*deliver)(struct streams_gathering *gathering);
    const void *gatherer;
    void *start;
    void *end;
    /// The value that the function was last called with; NULL if that is noted elsewhere.
    const void *value;
    struct streams_gathering *outer;
} streams_gathering;

/// Only the latest on this thread can have results: the call that led to it came from outside, and delivered
/// them.
static inline void streams_gathering_begin(streams_gathering *gathering) {
    gathering->outer = streams_this_thread.gathering;
    streams_this_thread.gathering = gathering;
}

/// Nearly always the latest ends first. Where a program switches between stacks during a batch it may be
/// another.
static inline void streams_gathering_end(streams_gathering *gathering) {
    void **place = &streams_this_thread.gathering;
    while (*place != NULL && *place != gathering) place = (void **)&((streams_gathering *)*place)->outer;
    if (*place != NULL) *place = gathering->outer;
}

/// The results that this thread has gathered and not delivered, or NULL.
static inline streams_gathering *streams_gathered(void) {
    streams_gathering *gathering = streams_this_thread.gathering;
    if (__builtin_expect(gathering == NULL, true) || gathering->start == gathering->end) return NULL;
    return gathering;
}

#endif
