#ifndef STREAMS_REFERENCES_H
#define STREAMS_REFERENCES_H

#include <stdbool.h>
#include <stdint.h>

/// Adds to the reference count in the second word of an object of Swift's, or subtracts from it, where no
/// other thread counts. Returns false, and changes nothing, if the word is negative before or after, which
/// leaves it to the Swift runtime: the last reference is released, there are too many, they are counted in a
/// side table, or not at all.
static inline bool streams_count_references(void *object, uint64_t difference) {
    uint64_t *counts = (uint64_t *)object + 1;
    uint64_t old = *counts;
    uint64_t new = old + difference;
    if (__builtin_expect((int64_t)(old | new) < 0, false)) return false;
    *counts = new;
    return true;
}

// CPython's counts: an object's first word.

/// The number of references to an object of CPython's; negative if it is immortal.
static inline int32_t streams_object_references(const void *object) {
    return (int32_t)*(const intptr_t *)object;
}

static inline void streams_retain_object(void *object) {
    if (streams_object_references(object) > 0) ++*(intptr_t *)object;
}

/// Releases a reference, unless it is the last one. Returns whether it has been released.
static inline bool streams_drop_reference(void *object) {
    int32_t references = streams_object_references(object);
    if (__builtin_expect(references > 1, 1)) --*(intptr_t *)object;
    return references != 1;
}

#endif
