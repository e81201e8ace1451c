#define _GNU_SOURCE
#include "streams_stack.h"

#include <pthread.h>
#include <stddef.h>

_Thread_local uintptr_t streams_stack_limit_value __attribute__((tls_model("initial-exec"))) = UINTPTR_MAX;

_Thread_local bool streams_trampoline_value __attribute__((tls_model("initial-exec"))) = false;

_Thread_local bool streams_left_value __attribute__((tls_model("initial-exec"))) = false;

/// What is kept for the way between two places that look, for the library's part and the callbacks'.
enum { STREAMS_STACK_RESERVE = 128 * 1024 };

static _Thread_local uintptr_t lowest __attribute__((tls_model("initial-exec"))) = 0;

static void ask(void) {
    pthread_attr_t attributes;
    void *start = NULL;
    size_t size = 0;
    streams_stack_limit_value = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    if (pthread_attr_getstack(&attributes, &start, &size) == 0) {
        // A small stack gives what it can.
        size_t reserve = size / 4 < STREAMS_STACK_RESERVE ? size / 4 : STREAMS_STACK_RESERVE;
        lowest = (uintptr_t)start;
        streams_stack_limit_value = lowest + reserve;
    }
    (void)pthread_attr_destroy(&attributes);
}

bool streams_frame_is_low(uintptr_t frame) {
    if (streams_stack_limit_value == UINTPTR_MAX) ask();
    return frame >= lowest && frame < streams_stack_limit_value;
}
