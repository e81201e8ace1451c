#ifndef STREAMS_HANDLES_H
#define STREAMS_HANDLES_H

#include <stdint.h>

/// The greatest number of chunks of slots in the handle table.
enum { STREAMS_HANDLE_CHUNKS = 1 << 18 };

/// The chunks of the handle table. Static, because every call reads it, and a Swift variable with an
/// initializer is checked at each use. Zero pages cost nothing.
extern uintptr_t streams_handle_chunks_value[STREAMS_HANDLE_CHUNKS] __attribute__((visibility("hidden")));

static inline uintptr_t *streams_handle_chunks(void) {
    return streams_handle_chunks_value;
}

#endif
