#ifndef STREAMS_REFERENCES_H
#define STREAMS_REFERENCES_H

#include <stdbool.h>
#include <stdint.h>

/// Adds to the reference count in an object's second word, or subtracts from it, where no other thread
/// counts. Returns false, and changes nothing, if the word is negative before or after, which leaves it to
/// the Swift runtime: the last reference is released, there are too many, they are counted in a side table,
/// or not at all.
static inline bool streams_count_references(void *object, uint64_t difference) {
    uint64_t *counts = (uint64_t *)object + 1;
    uint64_t old = *counts;
    uint64_t new = old + difference;
    if (__builtin_expect((int64_t)(old | new) < 0, false)) return false;
    *counts = new;
    return true;
}

#endif
