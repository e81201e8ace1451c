#define _GNU_SOURCE
#include "streams_bias.h"
#include "streams_clock.h"

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// ThreadSanitizer does not know of barriers that one thread imposes on others.
#if defined(__has_feature)
#define CAN_BIAS !__has_feature(thread_sanitizer)
#else
#define CAN_BIAS true
#endif

streams_bias_owner streams_bias;

/// Whether barriers can be imposed on other threads, and children of forks start with zeros.
static bool can_bias = false;

static uint32_t number_now(void) {
    return __atomic_load_n(&streams_bias.number, __ATOMIC_ACQUIRE);
}

static bool change(uint32_t old, uint32_t new) {
    return __atomic_compare_exchange_n(
        &streams_bias.number, &old, new, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/// Makes all running threads pass a barrier.
///
/// A process may forbid itself the system call. A thread's stores become visible to others within
/// nanoseconds, or when it is interrupted, so a millisecond does as well.
static void pass_barriers(void) {
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

/// Revokes the bias of the first thread, for the second.
static void revoke_bias(void) {
    pass_barriers();
    for (int round = 0; __atomic_load_n(&streams_bias.is_at_work, __ATOMIC_ACQUIRE) != 0; round++) {
        wait_some(round);
    }
    __atomic_store_n(&streams_bias.number, STREAMS_BIAS_OFF, __ATOMIC_RELEASE);
}

bool streams_bias_acquire_slowly(void) {
    uint32_t thread = streams_this_thread.bias_number = streams_current_thread();
    for (int round = 0;; round++) {
        uint32_t number = number_now();
        if (number == thread && streams_bias_confirm(thread)) return true;
        if (number == STREAMS_BIAS_OFF) return false;
        if (number == STREAMS_BIAS_NOBODY) {
            change(number, can_bias ? thread : STREAMS_BIAS_OFF);
        } else if (number == STREAMS_BIAS_REVOKING) {
            wait_some(round);
        } else if (number != thread && change(number, STREAMS_BIAS_REVOKING)) {
            revoke_bias();
        }
    }
}

/// Runs before all other initialization of the library.
__attribute__((constructor(101))) static void begin(void) {
    const int command = MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;
    can_bias = CAN_BIAS && syscall(SYS_membarrier, command, 0, 0) == 0 &&
               madvise(&streams_bias, sizeof streams_bias, MADV_WIPEONFORK) == 0;
}
