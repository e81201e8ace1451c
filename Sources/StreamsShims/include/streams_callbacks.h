#ifndef STREAMS_CALLBACKS_H
#define STREAMS_CALLBACKS_H

#include <stdint.h>

#include "streams_threads.h"

/// The number of the latest note of this thread's callbacks: an error that one has named, or a failed call of
/// one; 0 if it has been used or forgotten. Numbers are not reused. One comparison tells whether a callback
/// has noted anything.
static inline uint64_t streams_pending_error(void) {
    return streams_this_thread.pending_error;
}

static inline void streams_set_pending_error(uint64_t number) {
    streams_this_thread.pending_error = number;
}

#endif
