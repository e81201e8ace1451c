#ifndef STREAMS_NUMBERS_H
#define STREAMS_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "streams_stack.h"

/// An array of 8-byte numbers, and the kind of value that they become.
typedef struct streams_numbers {
    const void *words;
    size_t count;
    uint32_t kind;
} streams_numbers;

/// How many numbers become values at a time: enough to make a batch worthwhile, few enough for the cache.
enum { STREAMS_NUMBERS_PAGE = 512,
    STREAMS_NUMBERS_FEW = 16 };

typedef bool (*streams_send_page)(void *subject, const void *values, size_t count);

static inline __attribute__((always_inline)) bool streams_send_pages(
    streams_numbers numbers, void *subject, streams_send_page send, uint64_t *page, size_t size) {
    // Kind and size, 32 bits each.
    uint64_t head = 0;
    memcpy(&head, &numbers.kind, sizeof numbers.kind);
    const char *word = numbers.words;
    for (size_t left = numbers.count; left > 0;) {
        size_t count = left < size ? left : size;
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

static __attribute__((noinline)) bool streams_send_few_numbers(
    streams_numbers numbers, void *subject, streams_send_page send) {
    uint64_t page[STREAMS_NUMBERS_FEW * 3];
    return streams_send_pages(numbers, subject, send, page, STREAMS_NUMBERS_FEW);
}

static __attribute__((noinline)) bool streams_send_many_numbers(
    streams_numbers numbers, void *subject, streams_send_page send) {
    uint64_t page[STREAMS_NUMBERS_PAGE * 3];
    return streams_send_pages(numbers, subject, send, page, STREAMS_NUMBERS_PAGE);
}

/// Turns numbers into values, the 24 bytes of streams_value, and sends them page by page while `send` returns
/// true. It is C because Swift allocates a page of this size on the heap. A page of a few numbers takes
/// little of the stack, because a send may be nested in others; where the stack is short, many numbers are
/// sent in such pages too.
static inline bool streams_send_numbers(streams_numbers numbers, void *subject, streams_send_page send) {
    bool is_few = numbers.count <= STREAMS_NUMBERS_FEW || streams_stack_is_short();
    return is_few ? streams_send_few_numbers(numbers, subject, send)
                  : streams_send_many_numbers(numbers, subject, send);
}

#endif
