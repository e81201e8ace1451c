/*
 * array_run.h - runs a plan, with arrays or with as many single sends, and writes down what all hear.
 */

#ifndef STREAMS_TEST_ARRAY_RUN_H
#define STREAMS_TEST_ARRAY_RUN_H

#include "array_plan.h"

enum { SINKS = 6 };

struct sink;

/* One run of a plan. */
typedef struct {
    const plan *plan;
    bool arrays;
    fixture *f;
    streams_subject *subjects[SUBJECTS], *active, *bystander;
    streams_publisher *publisher;
    struct sink *sinks[SINKS * 4];
    int sink_count, inner_count;
    int64_t next;
    int calls, function_calls;
    bool is_endless; /* it has made enough calls, and is not over */
    char heard[1 << 16];
    size_t length;
} run;

/* From beginning to end; what was heard stays in the run. */
void play(run *r, const plan *p, bool arrays, fixture *f);

#endif /* STREAMS_TEST_ARRAY_RUN_H */
