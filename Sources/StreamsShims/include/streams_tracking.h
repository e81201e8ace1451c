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

/// What happens with publishers and subjects that are made now: lines about them, events in a file, entries
/// in the list of live streams, warnings of what they drop.
enum { STREAMS_TRACE_OFF = 0,
    STREAMS_TRACE_LINES = 1,
    STREAMS_TRACE_FILE = 2,
    STREAMS_TRACE_LIST = 4,
    STREAMS_TRACE_DROPS = 8,
    STREAMS_TRACE_UNDECIDED = 16 };

/// Undecided until the environment has been read.
extern unsigned char streams_trace_state __attribute__((visibility("hidden")));

/// One load when a pipeline is made, and none for its values.
static inline long streams_tracing(void) {
    return __atomic_load_n(&streams_trace_state, __ATOMIC_RELAXED);
}

static inline void streams_set_tracing(long part, bool is_on) {
    if (is_on) {
        __atomic_fetch_or(&streams_trace_state, (unsigned char)part, __ATOMIC_RELAXED);
    } else {
        __atomic_fetch_and(&streams_trace_state, (unsigned char)~part, __ATOMIC_RELAXED);
    }
}

/// Reads the environment and begins what it says, except for lines: returns where they go, or NULL. A process
/// with privileges that its user does not have reads nothing.
__attribute__((visibility("hidden"))) const char *streams_read_trace_settings(void);

/// Opens a file for appending, and creates it if need be. Returns -1 if that fails.
__attribute__((visibility("hidden"))) int streams_open_log(const char *name);

/// Writes the whole text. Returns 0, or the error number if that fails.
__attribute__((visibility("hidden"))) int streams_write_all(int descriptor, const char *text, size_t length);

/// Says on standard error that a trace ends because of an error number.
__attribute__((visibility("hidden"))) void streams_report_trace_end(const char *name, int error);

#endif
