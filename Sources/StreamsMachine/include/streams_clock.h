#ifndef STREAMS_CLOCK_H
#define STREAMS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/// Times are nanoseconds of the system's monotonic clock. `INT64_MAX` is never.

/// The current moment.
__attribute__((visibility("hidden"))) int64_t streams_clock_now(void);

/// Sleeps until the word is woken or the time has come, unless the word's value differs from `value`. May
/// return sooner.
__attribute__((visibility("hidden"))) void streams_clock_sleep(void *word, uint32_t value, int64_t time);

/// Wakes a thread that sleeps at the word.
__attribute__((visibility("hidden"))) void streams_clock_wake(void *word);

/// Wakes all threads that sleep at the word.
__attribute__((visibility("hidden"))) void streams_clock_wake_all(void *word);

/// Tells the processor that this thread is waiting for another.
static inline void streams_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/// A descriptor that becomes readable when its time has come, which at first is never. -1 with `errno` if it
/// cannot be made.
__attribute__((visibility("hidden"))) int streams_alarm_create(void);

/// Sets the descriptor's time.
__attribute__((visibility("hidden"))) void streams_alarm_set(int alarm, int64_t time);

/// Waits until the descriptor is readable, a signal has been handled, or the time has come. Returns whether
/// the descriptor is readable.
__attribute__((visibility("hidden"))) bool streams_alarm_wait(int alarm, int64_t time);

/// In the child of a fork: replaces the descriptor, which is shared with the parent.
__attribute__((visibility("hidden"))) void streams_alarm_renew(int alarm);

__attribute__((visibility("hidden"))) void streams_alarm_close(int alarm);

/// The number of forks between the first process and this one.
__attribute__((visibility("hidden"))) uint32_t streams_fork_count(void);

/// Starts a detached thread without signals. Returns 0 or an error number.
__attribute__((visibility("hidden"))) int streams_start_thread(void *(*main)(void *context), void *context);

/// Gives the calling thread a name, by which debuggers and profilers show it.
__attribute__((visibility("hidden"))) void streams_name_own_thread(void);

/// Holds back a cancellation of this thread, as by pthread_cancel: unwinding Swift frames would leave them
/// without cleanup. Returns the argument for `streams_let_cancellation`, after which the cancellation takes
/// effect.
__attribute__((visibility("hidden"))) int streams_hold_cancellation(void);
__attribute__((visibility("hidden"))) void streams_let_cancellation(int before);

#endif
