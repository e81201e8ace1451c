#ifndef STREAMS_CLOCK_H
#define STREAMS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/// Times are nanoseconds of the system's monotonic clock. `INT64_MAX` is never.

/// The present moment.
__attribute__((visibility("hidden"))) int64_t streams_clock_now(void);

/// Sleeps until the word is woken, unless it has another value than this one, or until the time has come. May
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

/// A descriptor that can be read from when its time has come, and never at first. -1 with `errno` if there is
/// none to be had.
__attribute__((visibility("hidden"))) int streams_alarm_create(void);

/// Gives the descriptor a time, instead of the one it has.
__attribute__((visibility("hidden"))) void streams_alarm_set(int alarm, int64_t time);

/// Waits until the descriptor can be read from, a signal has been handled, or the time has come. Returns
/// whether it is the first of these.
__attribute__((visibility("hidden"))) bool streams_alarm_wait(int alarm, int64_t time);

/// In the child of a fork: makes another of the descriptor, which the parent has too.
__attribute__((visibility("hidden"))) void streams_alarm_renew(int alarm);

__attribute__((visibility("hidden"))) void streams_alarm_close(int alarm);

/// How often this process has come out of a fork, itself or as its parents.
__attribute__((visibility("hidden"))) uint32_t streams_fork_count(void);

/// Starts a thread that nobody joins, without signals. Returns 0 or a number of `errno`.
__attribute__((visibility("hidden"))) int streams_start_thread(void *(*main)(void *context), void *context);

/// Gives the calling thread a name, by which debuggers and profilers show it.
__attribute__((visibility("hidden"))) void streams_name_own_thread(void);

/// Holds back a cancellation of this thread, as by pthread_cancel: nobody clears up after frames of Swift
/// that it unwinds. Returns what the other is to be called with, after which it comes.
__attribute__((visibility("hidden"))) int streams_hold_cancellation(void);
__attribute__((visibility("hidden"))) void streams_let_cancellation(int before);

#endif
