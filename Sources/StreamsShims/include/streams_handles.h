#ifndef STREAMS_HANDLES_H
#define STREAMS_HANDLES_H

#include <stdint.h>

/// How many chunks of slots the handle table can have.
enum { STREAMS_HANDLE_CHUNKS = 1 << 18 };

/// The chunks of the handle table. Static, because every call looks here, and a variable of Swift's that
/// needs initializing is checked for that at each use. Zero pages cost nothing.
extern uintptr_t streams_handle_chunks_value[STREAMS_HANDLE_CHUNKS] __attribute__((visibility("hidden")));

static inline uintptr_t *streams_handle_chunks(void) {
    return streams_handle_chunks_value;
}

#endif
