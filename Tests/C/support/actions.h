/*
 * actions.h - what the C tests of schedulers share.
 */

#ifndef STREAMS_TEST_ACTIONS_H
#define STREAMS_TEST_ACTIONS_H

#include "support.h"

enum { MINUTE = 60000 /* milliseconds */ };

/* A word for a log, as the context of an action. */
typedef struct word {
    test_log *log;
    const char *text;
} word;

void say(void *context);
void say_destroyed(void *context);

/* Counts the calls of an action whose context is a counter. */
void count(void *context);

/* Says a word at a time from now. Returns its number. */
uint64_t at(streams_scheduler *scheduler, streams_nanoseconds later, word *what);

/* Waits for other threads, for a minute at most. */
bool reaches(atomic_int *number, int expected);

/* Ends a child of a fork. Under valgrind it becomes another program: what the
 * parent's threads had on their stacks, which are not there, would count as lost. */
_Noreturn void end_child(bool well);

#endif
