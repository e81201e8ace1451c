/*
 * member.h - what the producer and the worker in C share: a connection, a report of
 * what they have done each half second, and an end when standard input ends.
 */

#ifndef CLUSTER_MEMBER_H
#define CLUSTER_MEMBER_H

#include <stdatomic.h>
#include <streams_nats.h>

typedef struct member {
    streams_nats_connection *connection;
    atomic_ullong total; /* jobs that are published, or done */
    atomic_ullong again; /* those of them that had been delivered before */
    streams_scheduler *queue;
    streams_cancellable *reports;
} member;

/* Connects, and begins to report on the subject "stats." and the name. */
void member_begin(member *self, const char *server, const char *name);

/* Waits until standard input ends, which whoever has started the program keeps open: if it is killed, its
 * members end too. */
void member_wait(void);

/* Stops reporting, prints the last report, and disconnects. Returns the program's status. */
int member_end(member *self);

/* Ends the program because of what cannot be: a call has failed, or a stream. */
_Noreturn void member_fail(const char *why);

/* An on_completion: a stream that fails ends the program. */
void member_completed(void *context, const streams_error *error);

#endif
