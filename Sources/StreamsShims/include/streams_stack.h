#ifndef STREAMS_STACK_H
#define STREAMS_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "streams_threads.h"

/// Whether a frame is below the thread's `stack_limit`, which is the highest address there is until the
/// thread has asked for its stack, and 0 if nothing is known. Asks the first time. A frame that is not on
/// that stack at all, as a fiber's is not, is not low.
bool streams_frame_is_low(uintptr_t frame) __attribute__((visibility("hidden")));

/// Whether there is little left of the thread's stack.
///
/// Where the stack is comes from its register: the address of the frame would make each function that asks
/// keep one register for it.
static inline bool streams_stack_is_low(void) {
#if defined(__x86_64__)
    uintptr_t frame;
    __asm__("mov %%rsp, %0" : "=r"(frame));
#elif defined(__aarch64__)
    uintptr_t frame;
    __asm__("mov %0, sp" : "=r"(frame));
#else
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
#endif
    return __builtin_expect(frame < streams_this_thread.stack_limit, false) && streams_frame_is_low(frame);
}

/// Whether the stack has not as much left as the Swift runtime takes where it makes a type that is used for
/// the first time. Of a small stack that is always so.
__attribute__((visibility("hidden"))) bool streams_stack_is_short(void);

/// Whether a frame further up the thread's stack does what is left to it when the frames below have returned,
/// and whether something has been left to it.
enum { STREAMS_NO_TRAMPOLINE,
    STREAMS_TRAMPOLINE,
    STREAMS_TRAMPOLINE_WITH_WORK };

static inline int streams_trampoline(void) {
    return streams_this_thread.trampoline;
}

static inline void streams_set_trampoline(int value) {
    streams_this_thread.trampoline = (uint8_t)value;
}

#endif
