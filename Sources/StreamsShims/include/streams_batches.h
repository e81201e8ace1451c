#ifndef STREAMS_BATCHES_H
#define STREAMS_BATCHES_H

#include <stdbool.h>

#include "streams_threads.h"

/// A thread's notes on a batch that it is delivering: memory that the library's core lays out, in a list that
/// begins with the latest. It is not on the stack: a program may switch between stacks during a batch, and
/// put another stack in the same place.
typedef struct streams_batch {
    struct streams_batch *outer;
    void *fields[19];
} streams_batch;

/// Adds a batch to the list. All its fields except `outer` have arbitrary old contents.
__attribute__((visibility("hidden"))) streams_batch *streams_batch_begin(void);

/// Removes a batch from the list. Nearly always it is the latest.
__attribute__((visibility("hidden"))) void streams_batch_end(streams_batch *batch);

/// The latest batch that has not ended, or NULL.
__attribute__((visibility("hidden"))) streams_batch *streams_batch_latest(void);

/// Whether an operator on this thread is making results of a batch, and may hold some that it has not
/// delivered.
static inline bool streams_is_gathering(void) { return streams_this_thread.gatherers != 0; }

/// Counts these operators. An operator does not count while it delivers its results.
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
