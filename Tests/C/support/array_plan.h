/*
 * array_plan.h - programs made at random that send arrays, and what acts amid the values.
 */

#ifndef STREAMS_TEST_ARRAY_PLAN_H
#define STREAMS_TEST_ARRAY_PLAN_H

#include "rows.h"

enum { OPERATORS = 4,
    SUBJECTS = 2,
    SCRIPT = 3 };

enum action { SEND,
    SEND_ARRAY,
    SEND_TO_THE_OTHER,
    SET,
    SUBSCRIBE,
    CANCEL,
    CANCEL_ANOTHER,
    RELEASE,
    REQUEST,
    FINISH,
    FAIL,
    PASS_TIME,
    REPLACE, /* another thread cancels the sink and subscribes anew */
    ACTIONS };

/* What is done with the how-manieth signal of a sink, or call of a function. */
typedef struct {
    int at, sink;
    enum action action;
} act;

typedef struct {
    int subjects[SUBJECTS]; /* their kinds */
    int count, operators[OPERATORS], seconds[OPERATORS];
    int64_t counts[OPERATORS];
    streams_nanoseconds times[OPERATORS];
    bool answers[OPERATORS];
    uint64_t demand, more;
    int sinks;
    bool acts_in_functions, busy_functions;
    act acts[SCRIPT];
    int acts_count;
    int form; /* of arrays */
} plan;

/* One seed makes one plan. */
plan some_plan(uint64_t seed);
void print_plan(const plan *p);

#endif /* STREAMS_TEST_ARRAY_PLAN_H */
