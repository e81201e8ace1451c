#ifndef STREAMS_BIAS_H
#define STREAMS_BIAS_H

#include <stdbool.h>
#include <stdint.h>

#include "streams_threads.h"

/// How large pages are. Where they are larger, there is no bias.
enum { STREAMS_BIAS_PAGE = 4096 };

/// Biased locking, once for the whole library: the thread that it is biased to. What several threads may change
/// is changed by atomic operations, which cost as much as ten plain ones. As long as only one thread of the
/// process has used the library, that one does without, however many others do something else.
///
/// A second thread revokes the bias, for good: a barrier that both pass makes each see what the other has
/// stored, and the second waits while the first is between acquire and release. The system sets this to zero
/// in the child of a fork, where the bias begins anew.
typedef struct streams_bias_owner {
    /// The thread's number, or one of those below. In a page of its own.
    _Alignas(STREAMS_BIAS_PAGE) uint32_t number;
    /// Set between acquire and release: others must not see half of what is done there. Not beside the number: it is loaded
    /// as soon as this is stored, and would wait.
    _Alignas(64) uint32_t is_at_work;
} streams_bias_owner;

enum {
    /// No thread has used the library yet.
    STREAMS_BIAS_NOBODY = 0,
    /// A second thread waits until the first has released the bias.
    STREAMS_BIAS_REVOKING = 1,
    /// Threads of the process use the library, or cannot be made to see each other.
    STREAMS_BIAS_OFF = 2,
    /// The number of a thread that has not used the library yet.
    STREAMS_BIAS_NO_NUMBER = 3
};

extern streams_bias_owner streams_bias __attribute__((visibility("hidden")));

/// Acquires the bias for a thread that did not have it when it looked, or revokes that of another thread.
__attribute__((visibility("hidden"))) bool streams_bias_acquire_slowly(void);

/// Releases the bias. Since it was acquired, no user's code may have been called, and nothing that waits.
static inline void streams_bias_release(void) {
    __atomic_store_n(&streams_bias.is_at_work, 0, __ATOMIC_RELEASE);
}

/// Marks the bias as acquired, and looks once more whose it is: either a second thread sees the mark, or this
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

/// Whether plain loads and stores will do for what otherwise needs an atomic operation. If so, the caller then
/// calls `streams_bias_release`. If not, it calls `streams_bias_acquire`, which is more code.
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
