#ifndef STREAMS_FORKS_H
#define STREAMS_FORKS_H

/// Begins something that no other thread may be within when the process forks, since the child would find
/// it half done, or a lock taken that nobody gives back. Returns what `streams_let_forks` needs. Calls
/// nest.
///
/// A fork waits for those within, and they only for each other; whoever comes meanwhile waits for the forks
/// that are under way, and the next fork for them. None waits for ever: a handler of the program's own may
/// run within a fork too, and need a lock that a waiting thread has.
__attribute__((visibility("hidden"))) void *streams_hold_forks(void);
__attribute__((visibility("hidden"))) void streams_let_forks(void *place);

#endif
