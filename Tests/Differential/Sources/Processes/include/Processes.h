#ifndef STREAMS_DIFFERENTIAL_PROCESSES_H
#define STREAMS_DIFFERENTIAL_PROCESSES_H

#include <sys/types.h>

/// Calls fork(). Swift does not import it, because a child may not go on if other threads were running.
pid_t process_fork(void);

/// Waits for a child until `milliseconds` have passed. Returns its status as waitpid() reports it, or -1 if
/// it is still running.
int process_wait(pid_t child, int milliseconds);

/// Maps `size` bytes of zeroes that children of this process share with it.
void *process_share(size_t size);

#endif
