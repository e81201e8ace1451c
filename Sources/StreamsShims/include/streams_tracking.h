#ifndef STREAMS_TRACKING_H
#define STREAMS_TRACKING_H

#include <stddef.h>

#include "streams_threads.h"

/// The object that knows which tracked calls this thread is in; NULL outside of them.
static inline void *streams_tracked_calls(void) {
    return streams_this_thread.tracked_calls;
}

static inline void streams_set_tracked_calls(void *calls) {
    streams_this_thread.tracked_calls = calls;
}

/// Whether what is made is tracked too.
enum { STREAMS_TRACE_OFF,
    STREAMS_TRACE_ON,
    STREAMS_TRACE_UNDECIDED };

/// Undecided until somebody has looked at the environment.
extern unsigned char streams_trace_state __attribute__((visibility("hidden")));

/// One load where a pipeline is made, and nothing where its values pass.
static inline long streams_tracing(void) {
    return __atomic_load_n(&streams_trace_state, __ATOMIC_RELAXED);
}

static inline void streams_set_tracing(long state) {
    __atomic_store_n(&streams_trace_state, (unsigned char)state, __ATOMIC_RELAXED);
}

/// What the environment says, NULL if nothing, or if the process has rights that its user has not.
__attribute__((visibility("hidden"))) const char *streams_trace_setting(void);

/// Opens a file to write at its end, and creates it. Returns -1 if that fails.
__attribute__((visibility("hidden"))) int streams_open_log(const char *name);

/// Writes all of it, unless that fails.
__attribute__((visibility("hidden"))) void streams_write_all(int descriptor, const char *text, size_t length);

#endif
