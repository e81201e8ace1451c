#ifndef STREAMS_SHIMS_H
#define STREAMS_SHIMS_H

#include <pthread.h>
#include <stdbool.h>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define STREAMS_HAS_SINGLE_THREADED 1
#endif

/// True while the process has never had a second thread, or has joined them all. Synchronisation may then use
/// plain loads and stores: whoever starts the next thread synchronises with it.
static inline bool streams_process_is_single_threaded(void) {
#ifdef STREAMS_HAS_SINGLE_THREADED
    return __libc_single_threaded != 0;
#else
    return false;
#endif
}

/// A number that no other running thread has. It is even, and never 0.
static inline unsigned long streams_current_thread(void) {
#if defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))
    // Where the thread's own block of memory begins: pthread_self() without the call.
    return (unsigned long)__builtin_thread_pointer();
#else
    return (unsigned long)pthread_self();
#endif
}

extern bool streams_introspected __attribute__((visibility("hidden")));

/// Whether anybody watches what publishers and subscribers do.
static inline bool streams_is_introspected(void) {
    return __atomic_load_n(&streams_introspected, __ATOMIC_RELAXED);
}

static inline void streams_set_introspected(bool value) {
    __atomic_store_n(&streams_introspected, value, __ATOMIC_RELAXED);
}

#endif
