#ifndef STREAMS_BIAS_H
#define STREAMS_BIAS_H

#include <stdbool.h>
#include <stdint.h>

#include "streams_threads.h"

/// The page size. Where pages are larger, there is no bias.
enum { STREAMS_BIAS_PAGE = 4096 };

/// Biased locking, once for the whole library: the thread that it is biased to. State that several threads
/// may change needs atomic operations, which cost as much as ten plain ones. While only one thread of the
/// process has used the library, that thread does without them, however many other threads there are.
///
/// A second thread revokes the bias permanently: a barrier that both pass makes the stores of each visible to
/// the other, and the second waits while the first is between acquire and release. The system zeroes this in
/// the child of a fork, where the bias starts anew.
typedef struct streams_bias_owner {
    /// The thread's number, or one of the values below. In a page of its own.
    _Alignas(STREAMS_BIAS_PAGE) uint32_t number;
    /// Set between acquire and release, during which others must not see half-made changes. Not in the
    /// number's cache line: the number is loaded right after this is stored, and would wait.
    _Alignas(64) uint32_t is_at_work;
} streams_bias_owner;

enum {
    /// No thread has used the library yet.
    STREAMS_BIAS_NOBODY = 0,
    /// A second thread waits until the first has released the bias.
    STREAMS_BIAS_REVOKING = 1,
    /// Several threads of the process use the library, or barriers cannot be imposed on them.
    STREAMS_BIAS_OFF = 2,
    /// The number of a thread that has not used the library yet.
    STREAMS_BIAS_NO_NUMBER = 3
};

extern streams_bias_owner streams_bias __attribute__((visibility("hidden")));

/// Acquires the bias for a thread that did not have it, or revokes that of another thread.
__attribute__((visibility("hidden"))) bool streams_bias_acquire_slowly(void);

/// Releases the bias. Since it was acquired, no user's code may have been called, and nothing that waits.
static inline void streams_bias_release(void) {
    __atomic_store_n(&streams_bias.is_at_work, 0, __ATOMIC_RELEASE);
}

/// Marks the bias as acquired, and checks again whose it is: either a second thread sees the mark, or this
/// thread sees that the bias has been revoked.
static inline bool streams_bias_confirm(uint32_t number) {
    __atomic_store_n(&streams_bias.is_at_work, 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
#ifdef STREAMS_PERTURBED
    streams_give_way();
#endif
    if (__builtin_expect(__atomic_load_n(&streams_bias.number, __ATOMIC_RELAXED) == number, 1)) return true;
    streams_bias_release();
    return false;
}

/// Whether plain loads and stores can replace an atomic operation. If so, the caller then calls
/// `streams_bias_release`. If not, it calls `streams_bias_acquire`, which is more code.
static inline bool streams_bias_acquire_at_once(void) {
#ifdef STREAMS_PLAIN
    return false;
#else
    if (streams_process_is_single_threaded()) return true;
    uint32_t number = __atomic_load_n(&streams_bias.number, __ATOMIC_RELAXED);
    return number == streams_this_thread.bias_number && streams_bias_confirm(number);
#endif
}

/// Acquires the bias, before each operation. If that fails, there is none any more.
static inline bool streams_bias_acquire(void) {
#ifdef STREAMS_PLAIN
    return false;
#else
    if (streams_bias_acquire_at_once()) return true;
    uint32_t number = __atomic_load_n(&streams_bias.number, __ATOMIC_RELAXED);
    return number != STREAMS_BIAS_OFF && streams_bias_acquire_slowly();
#endif
}

#endif
