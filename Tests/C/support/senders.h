/* Threads that send to a program's subjects, and amid values send too: so some wait for each other. */

#ifndef STREAMS_TEST_SENDERS_H
#define STREAMS_TEST_SENDERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "streams.h"

enum { THREADS = 3,
    SENT = 100 /* by each thread, and about as many in answer */ };

typedef struct {
    void *context;
    void (*send)(void *context, uint64_t *chance); /* sends a value to one of the subjects */
    void (*end)(void *context, int thread);        /* what a thread does in the end; NULL for nothing */
    streams_subject *other;                        /* for whose values the thread that sends them sends too */
    atomic_bool begun;
} senders;

/* Runs the threads; `amid`, if it is not NULL, while they send. */
void run_senders(senders *self, uint64_t seed, void (*amid)(void *context));

/* From within a value: sends another one, now and then, but not amid such a value. */
void answer(bool also_to_the_other);

/* A subscriber of `other`, and of whatever else is to be answered. */
uint64_t hear_other(void *context, const streams_value *value);

#endif /* STREAMS_TEST_SENDERS_H */
