#ifndef STREAMS_CALLBACKS_H
#define STREAMS_CALLBACKS_H

#include <stdint.h>

#include "streams_threads.h"

/// The number of the error that this thread's callbacks have named last, 0 if it has been used or forgotten.
/// Numbers are not used again. It tells at the price of a comparison whether a callback has named one.
static inline uint64_t streams_named_error(void) {
    return streams_this_thread.named_error;
}

static inline void streams_set_named_error(uint64_t number) {
    streams_this_thread.named_error = number;
}

#endif
