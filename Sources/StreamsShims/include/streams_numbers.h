#ifndef STREAMS_NUMBERS_H
#define STREAMS_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// An array of numbers of 8 bytes, and the kind of value that they are to become.
typedef struct streams_numbers {
    const void *words;
    size_t count;
    uint32_t kind;
} streams_numbers;

/// How many numbers become values at a time: enough to make a batch worthwhile, few enough for the cache.
enum { STREAMS_NUMBERS_PAGE = 512 };

/// Turns numbers into values, the 24 bytes of streams_value, and has them sent page by page for as long as
/// `send` returns true. The page is C's because Swift takes memory of this size from the heap.
static inline bool streams_send_numbers(
    streams_numbers numbers, void *subject,
    bool (*send)(void *subject, const void *values, size_t count)) {
    uint64_t page[STREAMS_NUMBERS_PAGE * 3];
    // Kind and size, 32 bits each.
    uint64_t head = 0;
    memcpy(&head, &numbers.kind, sizeof numbers.kind);
    const char *word = numbers.words;
    for (size_t left = numbers.count; left > 0;) {
        size_t count = left < STREAMS_NUMBERS_PAGE ? left : STREAMS_NUMBERS_PAGE;
        for (size_t index = 0; index < count; index++, word += 8) {
            page[index * 3] = head;
            memcpy(&page[index * 3 + 1], word, 8);
            page[index * 3 + 2] = 0;
        }
        if (!send(subject, page, count)) return false;
        left -= count;
    }
    return true;
}

#endif
