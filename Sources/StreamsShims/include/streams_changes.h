#ifndef STREAMS_CHANGES_H
#define STREAMS_CHANGES_H

#include "streams_threads.h"

/// The innermost change that this thread has announced and not yet made, or NULL.
static inline void *streams_change(void) { return streams_this_thread.change; }

/// Sets the innermost change that this thread has announced.
static inline void streams_set_change(void *change) { streams_this_thread.change = change; }

#endif
