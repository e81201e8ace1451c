#ifndef STREAMS_SPARE_STACK_H
#define STREAMS_SPARE_STACK_H

/// Calls a function on a spare stack, or on the thread's own if there is no memory for one. The function
/// calls no user's code, and returns.
__attribute__((visibility("hidden"))) void streams_call_on_spare_stack(
    void (*function)(void *), void *context);

#endif
