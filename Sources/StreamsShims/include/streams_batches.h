#ifndef STREAMS_BATCHES_H
#define STREAMS_BATCHES_H

#include <stdbool.h>

#include "streams_threads.h"

/// What a thread notes of a batch that it is delivering: memory that the library's core lays out, in a
/// list that begins with the latest. It is not on the stack: a program may switch between stacks amid a
/// batch, and put another one in the same place.
typedef struct streams_batch {
    struct streams_batch *outer;
    void *fields[19];
} streams_batch;

/// Adds one to the list. What it holds besides the next outer one is whatever was there before.
__attribute__((visibility("hidden"))) streams_batch *streams_batch_begin(void);

/// Takes it out of the list. Nearly always it is the latest.
__attribute__((visibility("hidden"))) void streams_batch_end(streams_batch *batch);

/// The latest that has not ended; NULL if there is none.
__attribute__((visibility("hidden"))) streams_batch *streams_batch_latest(void);

/// Whether an operator of this thread is making results of a batch, and may hold some that it has not
/// passed on.
static inline bool streams_is_gathering(void) { return streams_this_thread.gatherers != 0; }

/// Counts such operators. One that passes its results on holds none meanwhile.
static inline void streams_begin_gathering(void) {
    streams_this_thread.gatherers++;
    streams_this_thread.number_if_not_gathering = 0;
}

static inline void streams_end_gathering(void) {
    if (--streams_this_thread.gatherers == 0) {
        streams_this_thread.number_if_not_gathering = streams_this_thread.number;
    }
}

#endif
