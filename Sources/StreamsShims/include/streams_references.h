#ifndef STREAMS_REFERENCES_H
#define STREAMS_REFERENCES_H

#include <stdbool.h>
#include <stdint.h>

/// Adds to the references that an object counts in its second word, or takes from them, where nobody else
/// counts. Returns false, and changes nothing, where the word says that this is for the Swift runtime, by
/// being negative before or after: the last reference goes, there are too many, they are counted in a table
/// of their own, or nobody counts.
static inline bool streams_count_references(void *object, uint64_t difference) {
    uint64_t *counts = (uint64_t *)object + 1;
    uint64_t old = *counts;
    uint64_t new = old + difference;
    if (__builtin_expect((int64_t)(old | new) < 0, false)) return false;
    *counts = new;
    return true;
}

#endif
