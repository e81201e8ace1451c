#ifndef STREAMS_WORDS_H
#define STREAMS_WORDS_H

#include <stddef.h>
#include <stdint.h>

/// Calls a function whose parameters are pointers and integers, and which returns one. By the calling
/// conventions of 64-bit systems each parameter takes a register or stack slot like a word. There are at most
/// STREAMS_HOST_PARAMETERS of them.
static inline uint64_t streams_call_words(const void *function, const uint64_t *word, size_t count) {
#define W         uint64_t
#define CALL(...) ((W (*)(__VA_ARGS__))(uintptr_t)function)
    switch (count) {
    case 0: return CALL(void)();
    case 1: return CALL(W)(word[0]);
    case 2: return CALL(W, W)(word[0], word[1]);
    case 3: return CALL(W, W, W)(word[0], word[1], word[2]);
    case 4: return CALL(W, W, W, W)(word[0], word[1], word[2], word[3]);
    case 5: return CALL(W, W, W, W, W)(word[0], word[1], word[2], word[3], word[4]);
    case 6: return CALL(W, W, W, W, W, W)(word[0], word[1], word[2], word[3], word[4], word[5]);
    case 7: return CALL(W, W, W, W, W, W, W)(word[0], word[1], word[2], word[3], word[4], word[5], word[6]);
    default:
        return CALL(W, W, W, W, W, W, W, W)(
            word[0], word[1], word[2], word[3], word[4], word[5], word[6], word[7]);
    }
#undef CALL
#undef W
}

#endif
