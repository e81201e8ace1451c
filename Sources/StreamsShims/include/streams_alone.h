#ifndef STREAMS_ALONE_H
#define STREAMS_ALONE_H

#include <stdbool.h>
#include <stdint.h>

#include "streams_threads.h"

/// How large pages are. Where they are larger, no thread is ever alone.
enum { STREAMS_ALONE_PAGE = 4096 };

/// Which of a process's threads uses the library, as long as it is one. What others may change too is changed
/// by atomic operations, which cost as much as ten plain ones; a thread that is alone does without, however
/// many threads there are that do something else.
///
/// A second thread that comes has the first one see that, and it see what the first is doing, by a barrier in
/// both, and waits while the first is between begin and end. From then on there is no thread alone. The
/// system sets this to zero in the child of a fork, so that a thread may be alone there again.
typedef struct streams_sole_thread {
    /// The thread's number, or one of those below. In a page of its own.
    _Alignas(STREAMS_ALONE_PAGE) uint32_t number;
    /// Set while it does something that others must not see half done. Not beside the number: it is loaded
    /// as soon as this is stored, and would wait.
    _Alignas(64) uint32_t is_at_work;
} streams_sole_thread;

enum {
    /// No thread has come yet.
    STREAMS_ALONE_NOBODY = 0,
    /// A second thread has come, and waits until the first is not at work.
    STREAMS_ALONE_NO_LONGER = 1,
    /// Threads of the process use the library, or cannot be made to see each other.
    STREAMS_ALONE_NEVER = 2,
    /// What a thread has for its number that has not come yet.
    STREAMS_ALONE_NOT_ASKED = 3
};

extern streams_sole_thread streams_sole __attribute__((visibility("hidden")));

/// The same for a thread that has not been alone, or is no longer.
__attribute__((visibility("hidden"))) bool streams_begin_alone_slowly(void);

/// Ends what has been begun. Nothing foreign may have been called meanwhile, and nothing that waits.
static inline void streams_end_alone(void) {
    __atomic_store_n(&streams_sole.is_at_work, 0, __ATOMIC_RELEASE);
}

/// Says that the thread is at work, and asks once more: a second thread has seen the one, or this one sees
/// the other.
static inline bool streams_is_still_alone(uint32_t number) {
    __atomic_store_n(&streams_sole.is_at_work, 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
#ifdef STREAMS_PERTURBED
    streams_give_way();
#endif
    if (__builtin_expect(__atomic_load_n(&streams_sole.number, __ATOMIC_RELAXED) == number, 1)) return true;
    streams_end_alone();
    return false;
}

/// Whether plain loads and stores will do for what otherwise needs an atomic operation. If so, they are to be
/// followed by `streams_end_alone`. If not, `streams_begin_alone` is to be asked, which is more code.
static inline bool streams_begin_alone_at_once(void) {
#ifdef STREAMS_PLAIN
    return false;
#else
    if (streams_process_is_single_threaded()) return true;
    uint32_t number = __atomic_load_n(&streams_sole.number, __ATOMIC_RELAXED);
    return number == streams_this_thread.number_if_sole && streams_is_still_alone(number);
#endif
}

/// The same for good: if not, no thread is alone any more. To be asked before each operation.
static inline bool streams_begin_alone(void) {
#ifdef STREAMS_PLAIN
    return false;
#else
    if (streams_begin_alone_at_once()) return true;
    uint32_t number = __atomic_load_n(&streams_sole.number, __ATOMIC_RELAXED);
    return number != STREAMS_ALONE_NEVER && streams_begin_alone_slowly();
#endif
}

#endif
