#define _GNU_SOURCE
#include "streams_alone.h"
#include "streams_clock.h"

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// ThreadSanitizer does not know of barriers that one thread has others pass.
#if defined(__has_feature)
#define CAN_BE_ALONE !__has_feature(thread_sanitizer)
#else
#define CAN_BE_ALONE true
#endif

streams_sole_thread streams_sole;

/// Whether threads can be made to see each other, and children of forks to begin anew.
static bool can_be_alone = false;

static uint32_t number_now(void) {
    return __atomic_load_n(&streams_sole.number, __ATOMIC_ACQUIRE);
}

static bool change(uint32_t old, uint32_t new) {
    return __atomic_compare_exchange_n(
        &streams_sole.number, &old, new, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/// Sees to it that the threads that run have stored what they were storing, and load anew.
///
/// Processes may forbid themselves calls of the system. A thread's stores are seen by others within
/// nanoseconds, or when it is interrupted, so a millisecond does as well.
static void have_all_see(void) {
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) return;
    nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

/// Waits a while for a thread that may have been interrupted.
static void wait_some(int round) {
    if (round < 100) {
        sched_yield();
    } else {
        nanosleep(&(struct timespec){ .tv_nsec = 50000 }, NULL);
    }
}

/// For the one that has come second.
static void end_solitude(void) {
    have_all_see();
    for (int round = 0; __atomic_load_n(&streams_sole.is_at_work, __ATOMIC_ACQUIRE) != 0; round++) {
        wait_some(round);
    }
    __atomic_store_n(&streams_sole.number, STREAMS_ALONE_NEVER, __ATOMIC_RELEASE);
}

bool streams_begin_alone_slowly(void) {
    uint32_t thread = streams_this_thread.number_if_sole = streams_current_thread();
    for (int round = 0;; round++) {
        uint32_t number = number_now();
        if (number == thread && streams_is_still_alone(thread)) return true;
        if (number == STREAMS_ALONE_NEVER) return false;
        if (number == STREAMS_ALONE_NOBODY) {
            change(number, can_be_alone ? thread : STREAMS_ALONE_NEVER);
        } else if (number == STREAMS_ALONE_NO_LONGER) {
            wait_some(round);
        } else if (number != thread && change(number, STREAMS_ALONE_NO_LONGER)) {
            end_solitude();
        }
    }
}

/// Before all else that is done when the library is loaded.
__attribute__((constructor(101))) static void begin(void) {
    const int command = MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;
    can_be_alone = CAN_BE_ALONE && syscall(SYS_membarrier, command, 0, 0) == 0 &&
                   madvise(&streams_sole, sizeof streams_sole, MADV_WIPEONFORK) == 0;
}
