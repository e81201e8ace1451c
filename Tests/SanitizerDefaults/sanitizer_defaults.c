#include "sanitizer_defaults.h"

/*
 * AddressSanitizer asks for this by name. It would look for leaks too, and find
 * those that are the tests' own: a stream that nobody ends keeps itself alive,
 * here as in Combine, and many a test looks at one and leaves it. That nothing
 * outlives the end of a stream is what LifetimeTracker, the counts of
 * Tests/Allocations and valgrind check.
 */
const char *__asan_default_options(void) { return "detect_leaks=0:detect_stack_use_after_return=1"; }

/*
 * ThreadSanitizer asks for this. What is written before an observer is added and
 * read by the observer is in order by NotificationCenter's own lock, which comes
 * compiled, without a sanitizer: a program of Foundation and nothing else that
 * does so is reported too.
 */
const char *__tsan_default_suppressions(void) {
    return "race:*24NotificationSubscription*tcfcy*cfU*\n";
}
