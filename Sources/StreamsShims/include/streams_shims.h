#ifndef STREAMS_SHIMS_H
#define STREAMS_SHIMS_H

#include <stdbool.h>

#include "streams_threads.h"

extern bool streams_introspected __attribute__((visibility("hidden")));

/// Whether publishers and subscribers are being introspected.
static inline bool streams_is_introspected(void) {
    return __atomic_load_n(&streams_introspected, __ATOMIC_RELAXED);
}

static inline void streams_set_introspected(bool value) {
    __atomic_store_n(&streams_introspected, value, __ATOMIC_RELAXED);
}

#endif
