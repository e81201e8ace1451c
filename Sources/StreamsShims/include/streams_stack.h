#ifndef STREAMS_STACK_H
#define STREAMS_STACK_H

#include <stdbool.h>
#include <stdint.h>

/// Where the thread's stack counts as low: below this address. The highest address there is until the thread
/// has asked, 0 if nothing is known.
extern _Thread_local uintptr_t streams_stack_limit_value
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

/// The same for a frame below the limit: asks for the thread's stack the first time. A frame that is not on
/// that stack at all, as a fiber's is not, is not low.
bool streams_frame_is_low(uintptr_t frame) __attribute__((visibility("hidden")));

/// Whether there is little left of the thread's stack.
static inline bool streams_stack_is_low(void) {
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    return __builtin_expect(frame < streams_stack_limit_value, false) && streams_frame_is_low(frame);
}

/// Whether a frame further up the thread's stack does what is left to it when the frames below have returned.
extern _Thread_local bool streams_trampoline_value
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

static inline bool streams_has_trampoline(void) {
    return streams_trampoline_value;
}

static inline void streams_set_trampoline(bool value) {
    streams_trampoline_value = value;
}

/// Whether something has been left to that frame.
extern _Thread_local bool streams_left_value
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

static inline bool streams_has_left(void) {
    return streams_left_value;
}

static inline void streams_set_left(bool value) {
    streams_left_value = value;
}

#endif
