#define _GNU_SOURCE
#include "streams_stack.h"

#include <pthread.h>
#include <stddef.h>

/// The reserve between two stack checks, for the library's frames and the callbacks'.
enum { STREAMS_STACK_RESERVE = 128 * 1024 };

/// The reserve of a stack below 96 KB, for the library's frames and the callbacks', unless that is more than
/// half of it.
enum { STREAMS_STACK_LEAST = 24 * 1024 };

/// More than the Swift runtime takes to make a type that is used for the first time: 40 KB have been
/// measured. Where less is left, it works on another stack.
enum { STREAMS_STACK_OF_RUNTIME = 64 * 1024 };

/// On a small stack the reserve is smaller.
static size_t reserve_of(size_t size) {
    size_t least = size / 2 < STREAMS_STACK_LEAST ? size / 2 : STREAMS_STACK_LEAST;
    size_t share = size / 4 < STREAMS_STACK_RESERVE ? size / 4 : STREAMS_STACK_RESERVE;
    return share < least ? least : share;
}

static _Thread_local uintptr_t lowest __attribute__((tls_model("initial-exec"))) = 0;

static void ask(void) {
    pthread_attr_t attributes;
    void *start = NULL;
    size_t size = 0;
    streams_this_thread.stack_limit = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    if (pthread_attr_getstack(&attributes, &start, &size) == 0) {
        lowest = (uintptr_t)start;
        streams_this_thread.stack_limit = lowest + reserve_of(size);
    }
    (void)pthread_attr_destroy(&attributes);
}

bool streams_frame_is_low(uintptr_t frame) {
    if (streams_this_thread.stack_limit == UINTPTR_MAX) ask();
    return frame >= lowest && frame < streams_this_thread.stack_limit;
}

bool streams_stack_is_short(void) {
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    if (streams_this_thread.stack_limit == UINTPTR_MAX) ask();
    return frame >= lowest && frame < lowest + STREAMS_STACK_OF_RUNTIME;
}

/// Before the fork the system knows where the stack is: in the child, the first thread's may be in several
/// mappings, as under valgrind, of which only the uppermost would be found.
static void ask_before_fork(void) {
    (void)streams_stack_is_low();
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(ask_before_fork, NULL, NULL);
}
