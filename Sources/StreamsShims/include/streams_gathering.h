#ifndef STREAMS_GATHERING_H
#define STREAMS_GATHERING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "streams_threads.h"

/// What has been made of the first values of a batch, and is going to be delivered together, while a function
/// is called for the next.
///
/// What that function does with the library comes after them, as if each had been delivered when it was made:
/// every call that comes from outside delivers first what this thread has gathered. So nobody asks after a
/// function whether it has done something, and functions that compute cost nothing.
typedef struct streams_gathering {
    /// Delivers what lies from `start` to `end`, and moves `start` there before.
    void (*deliver)(struct streams_gathering *gathering);
    const void *gatherer;
    void *start;
    void *end;
    /// The value that a function has been called with last; NULL if that is noted elsewhere.
    const void *value;
    struct streams_gathering *outer;
} streams_gathering;

/// Only the last that has begun on this thread can have gathered anything: what led to it came from outside.
static inline void streams_gathering_begin(streams_gathering *gathering) {
    gathering->outer = streams_this_thread.gathering;
    streams_this_thread.gathering = gathering;
}

/// Nearly always the last that has begun ends first. Where a program switches between stacks amid a batch it
/// may be another.
static inline void streams_gathering_end(streams_gathering *gathering) {
    void **place = &streams_this_thread.gathering;
    while (*place != NULL && *place != gathering) place = (void **)&((streams_gathering *)*place)->outer;
    if (*place != NULL) *place = gathering->outer;
}

/// What this thread has gathered and not delivered; NULL if there is nothing.
static inline streams_gathering *streams_gathered(void) {
    streams_gathering *gathering = streams_this_thread.gathering;
    if (__builtin_expect(gathering == NULL, true) || gathering->start == gathering->end) return NULL;
    return gathering;
}

#endif
