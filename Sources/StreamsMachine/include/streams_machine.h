#ifndef STREAMS_MACHINE_H
#define STREAMS_MACHINE_H

/// Everything that relies on the processor, the kernel, or the inside of the Swift runtime and of CPython
/// beyond what they promise, or that knows of stacks, forks and threads. All other code asks here.
///
/// With `STREAMS_PLAIN` the library is built without what is for speed: biased locking, and reference
/// counts that it changes itself; with `STREAMS_UNCOUNTED` only without the latter. What keeps a promise of
/// streams.h stays: the spare stack, and forks that wait.

/// `streams_bias_acquire`, `streams_bias_release`: plain loads and stores in the place of atomic operations,
/// as long as one thread has used the library.
#include "streams_bias.h"
/// `streams_clock_now`, `_sleep`, `_wake`, alarms: the monotonic clock, and futexes.
#include "streams_clock.h"
/// `streams_hold_forks`, `streams_let_forks`: no fork while something is half done.
#include "streams_forks.h"
/// `streams_count_references`, `streams_retain_object`, `streams_drop_reference`: counts of Swift's and
/// CPython's objects, changed in place.
#include "streams_references.h"
/// `streams_call_on_spare_stack`: room for functions of the Swift runtime that need much stack.
#include "streams_spare_stack.h"
/// `streams_stack_is_low`, `streams_stack_is_short`: how much is left of the thread's stack.
#include "streams_stack.h"
/// `streams_current_thread`, `streams_word_wait`, `streams_word_release`: numbers of threads, and words that
/// one thread owns.
#include "streams_threads.h"
/// `streams_call_words`: calls a function whose parameters are known at run time only.
#include "streams_words.h"

#endif
