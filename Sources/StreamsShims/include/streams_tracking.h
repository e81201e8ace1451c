#ifndef STREAMS_TRACKING_H
#define STREAMS_TRACKING_H

#include <stddef.h>

#include "streams_threads.h"

/// The object with the tracked calls that this thread is in; NULL outside them.
static inline void *streams_tracked_calls(void) {
    return streams_this_thread.tracked_calls;
}

static inline void streams_set_tracked_calls(void *calls) {
    streams_this_thread.tracked_calls = calls;
}

/// Whether new publishers and subjects are tracked.
enum { STREAMS_TRACE_OFF,
    STREAMS_TRACE_ON,
    STREAMS_TRACE_UNDECIDED };

/// Undecided until the environment has been read.
extern unsigned char streams_trace_state __attribute__((visibility("hidden")));

/// One load when a pipeline is made, and none for its values.
static inline long streams_tracing(void) {
    return __atomic_load_n(&streams_trace_state, __ATOMIC_RELAXED);
}

static inline void streams_set_tracing(long state) {
    __atomic_store_n(&streams_trace_state, (unsigned char)state, __ATOMIC_RELAXED);
}

/// The environment variable's value; NULL if it is unset, or if the process has privileges that its user does
/// not.
__attribute__((visibility("hidden"))) const char *streams_trace_setting(void);

/// Opens a file for appending, and creates it if need be. Returns -1 if that fails.
__attribute__((visibility("hidden"))) int streams_open_log(const char *name);

/// Writes the whole text, unless that fails.
__attribute__((visibility("hidden"))) void streams_write_all(int descriptor, const char *text, size_t length);

#endif
