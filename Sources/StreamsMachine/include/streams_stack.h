#ifndef STREAMS_STACK_H
#define STREAMS_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "streams_threads.h"

/// Whether a frame is below the thread's `stack_limit`, which is the highest address until the thread has
/// looked up its stack, and 0 if the stack is unknown. Looks it up the first time. A frame that is not on
/// that stack at all, such as a fiber's, is not low.
bool streams_frame_is_low(uintptr_t frame) __attribute__((visibility("hidden")));

/// Whether little is left of the thread's stack.
///
/// The position comes from the stack register: the address of the frame would make each calling function
/// reserve a register for it.
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

/// Whether less is left of the stack than the Swift runtime takes to make a type that is used for the first
/// time. Always true of a small stack.
__attribute__((visibility("hidden"))) bool streams_stack_is_short(void);

/// Whether a frame further up the thread's stack will do work that frames below leave to it, and whether
/// there is such work.
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
