#ifndef STREAMS_FORKS_H
#define STREAMS_FORKS_H

/// Begins an operation that no other thread may be in when the process forks, because the child would find it
/// half done, or a lock held that no thread releases. Returns the argument for `streams_let_forks`. Calls
/// nest.
///
/// A fork waits for threads within such operations, and these wait only for each other. A thread that comes
/// later waits for the forks in progress, and the next fork for it. No wait is forever: one of the program's
/// own fork handlers may need a lock that a waiting thread holds.
__attribute__((visibility("hidden"))) void *streams_hold_forks(void);
__attribute__((visibility("hidden"))) void streams_let_forks(void *place);

#endif
