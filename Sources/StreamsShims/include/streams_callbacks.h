#ifndef STREAMS_CALLBACKS_H
#define STREAMS_CALLBACKS_H

#include <stdint.h>

#include "streams_threads.h"

/// The number of what this thread's callbacks have noted last: an error that they have named, or a call of
/// theirs that has failed; 0 if it has been used or forgotten. Numbers are not used again. It tells at the
/// price of a comparison whether a callback has noted anything.
static inline uint64_t streams_pending_error(void) {
    return streams_this_thread.pending_error;
}

static inline void streams_set_pending_error(uint64_t number) {
    streams_this_thread.pending_error = number;
}

#endif
