#include "sanitizer_defaults.h"

/*
 * AddressSanitizer asks for this by name. It would look for leaks too, and find
 * those that are the tests' own: a stream that nobody ends keeps itself alive,
 * here as in Combine, and many a test looks at one and leaves it. That nothing
 * outlives the end of a stream is what LifetimeTracker, the counts of
 * Tests/Allocations and valgrind check.
 */
const char *__asan_default_options(void) { return "detect_leaks=0:detect_stack_use_after_return=1"; }
