#ifndef STREAMS_SPARE_STACK_H
#define STREAMS_SPARE_STACK_H

/// Calls a function on another stack than the thread's, which is kept for that, and on the thread's own where
/// there is no memory for one. The function calls nothing foreign, and returns.
__attribute__((visibility("hidden"))) void streams_call_on_spare_stack(
    void (*function)(void *), void *context);

#endif
