#ifndef STREAMS_HOSTS_H
#define STREAMS_HOSTS_H

#include <stdbool.h>
#include <stdint.h>

#include "streams_threads.h"

/// The number of the managed runtime whose lock this thread has taken last, 0 if none. It is cleared while
/// the runtime's own code runs. Other code that is called meanwhile may have given the lock away: see
/// `Host.isEntered`.
static inline uint32_t streams_entered_host(void) {
    return streams_this_thread.entered_host;
}

static inline void streams_set_entered_host(uint32_t host) {
    streams_this_thread.entered_host = host;
}

/// What that runtime said it knows this thread by, when the thread took the lock. NULL if nothing.
static inline void *streams_host_thread(void) {
    return streams_this_thread.host_thread;
}

static inline void streams_set_host_thread(void *thread) {
    streams_this_thread.host_thread = thread;
}

/// How many runtimes' locks this thread has taken, or is about to take, further up the stack.
static inline uint32_t streams_hosts_inside(void) {
    return streams_this_thread.hosts_inside;
}

static inline void streams_set_hosts_inside(uint32_t count) {
    streams_this_thread.hosts_inside = count;
}

/// Whether an error has escaped from a stream on this thread, see `Host`, and its native method has not
/// seen it yet.
static inline bool streams_has_escaped(void) {
    return streams_this_thread.has_escaped;
}

static inline void streams_set_escaped(bool value) {
    streams_this_thread.has_escaped = value;
}

/// The `HostContext` that a managed runtime's code on this thread is to run in, once its lock is taken. NULL
/// if there is none, or the runtime's code runs in it already.
static inline void *streams_context(void) {
    return streams_this_thread.context;
}

static inline void streams_set_context(void *context) {
    streams_this_thread.context = context;
}

/// The `HostReceiver` that this thread is subscribing, until it gets its subscription. NULL if there is none.
static inline void *streams_attached(void) {
    return streams_this_thread.attached;
}

static inline void streams_set_attached(void *receiver) {
    streams_this_thread.attached = receiver;
}

/// The hosts, by number less one, as references that are never given up.
enum { STREAMS_HOSTS = 64 };
extern void *streams_hosts_value[STREAMS_HOSTS] __attribute__((visibility("hidden")));

static inline void **streams_hosts(void) {
    return streams_hosts_value;
}

/// Whether this thread is one of the library's own, of a queue or a pool.
static inline bool streams_is_own_thread(void) {
    return streams_this_thread.is_own;
}

static inline void streams_begin_own_thread(void) {
    streams_this_thread.is_own = true;
}

/// To be called last on such a thread: a managed runtime may keep something for it.
__attribute__((visibility("hidden"))) void streams_end_own_thread(void);

/// The number of the runtime that keeps something for this thread, 0 if none does.
static inline uint32_t streams_kept_host(void) {
    return streams_this_thread.kept_host;
}

static inline void streams_set_kept_host(uint32_t host) {
    streams_this_thread.kept_host = host;
}

/// Calls a function, and has forks wait meanwhile. It may not wait for a thread that forks.
__attribute__((visibility("hidden"))) void *streams_make_for_thread(void *(*make)(void *), void *argument);

extern void (*streams_own_thread_ends)(void) __attribute__((visibility("hidden")));

/// Has each of the library's own threads end with the function.
static inline void streams_set_own_thread_ends(void (*ends)(void)) {
    __atomic_store_n(&streams_own_thread_ends, ends, __ATOMIC_RELEASE);
}

/// Has each wait for a turn begin with the one function and end with the other.
static inline void streams_set_waiting(void *(*before)(void), void (*after)(void *state)) {
    __atomic_store_n(&streams_after_waiting, after, __ATOMIC_RELEASE);
    __atomic_store_n(&streams_before_waiting, before, __ATOMIC_RELEASE);
}

#endif
