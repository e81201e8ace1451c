#ifndef STREAMS_HOSTS_H
#define STREAMS_HOSTS_H

#include <stdbool.h>
#include <stdint.h>

#include "streams_threads.h"

/// The number of the managed runtime whose lock this thread last took, or 0. Cleared while the runtime's own
/// code runs. Other code that is called may have released the lock: see `Host.isEntered`.
static inline uint32_t streams_entered_host(void) {
    return streams_this_thread.entered_host;
}

static inline void streams_set_entered_host(uint32_t host) {
    streams_this_thread.entered_host = host;
}

/// The runtime's record of this thread at the time when it took the lock, or NULL.
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

/// Whether an error has escaped from a stream on this thread, see `Host`, and its native method has not seen
/// it yet.
static inline bool streams_has_escaped(void) {
    return streams_this_thread.has_escaped;
}

static inline void streams_set_escaped(bool value) {
    streams_this_thread.has_escaped = value;
}

/// The `HostContext` in which this thread must run a managed runtime's code, once its lock is taken. NULL if
/// there is none, or the code already runs in it.
static inline void *streams_context(void) {
    return streams_this_thread.context;
}

static inline void streams_set_context(void *context) {
    streams_this_thread.context = context;
}

/// The `HostReceiver` that this thread is subscribing, until that gets its subscription, or NULL.
static inline void *streams_attached(void) {
    return streams_this_thread.attached;
}

static inline void streams_set_attached(void *receiver) {
    streams_this_thread.attached = receiver;
}

/// The hosts, by number less one, as references that are never released.
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

/// Must be the last call on such a thread: a managed runtime may keep a record of it.
__attribute__((visibility("hidden"))) void streams_end_own_thread(void);

/// The number of the runtime that keeps a record of this thread, or 0.
static inline uint32_t streams_kept_host(void) {
    return streams_this_thread.kept_host;
}

static inline void streams_set_kept_host(uint32_t host) {
    streams_this_thread.kept_host = host;
}

/// Calls a function, during which forks wait. It must not wait for a thread that forks.
__attribute__((visibility("hidden"))) void *streams_make_for_thread(void *(*make)(void *), void *argument);

extern void (*streams_own_thread_ends)(void) __attribute__((visibility("hidden")));

/// Sets the function that each of the library's own threads calls at its end.
static inline void streams_set_own_thread_ends(void (*ends)(void)) {
    __atomic_store_n(&streams_own_thread_ends, ends, __ATOMIC_RELEASE);
}

/// Sets the functions that are called before and after each wait for a turn.
static inline void streams_set_waiting(void *(*before)(void), void (*after)(void *state)) {
    __atomic_store_n(&streams_after_waiting, after, __ATOMIC_RELEASE);
    __atomic_store_n(&streams_before_waiting, before, __ATOMIC_RELEASE);
}

#endif
