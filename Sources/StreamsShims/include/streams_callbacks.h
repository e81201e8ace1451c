#ifndef STREAMS_CALLBACKS_H
#define STREAMS_CALLBACKS_H

#include <stdint.h>

/// The number of the error that this thread's callbacks have named last, 0 if it has been used or forgotten.
/// Numbers are not used again. It tells at the price of a comparison whether a callback has named one.
extern _Thread_local uint64_t streams_named_error_value
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

static inline uint64_t streams_named_error(void) {
    return streams_named_error_value;
}

static inline void streams_set_named_error(uint64_t number) {
    streams_named_error_value = number;
}

#endif
