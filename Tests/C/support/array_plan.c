#include "array_plan.h"

static const char *const action_names[] = { "send", "send an array", "send to the other subject", "set",
    "subscribe", "cancel", "cancel another", "release", "request", "finish", "fail", "let time pass",
    "replace on another thread" };

static uint64_t chance;

/* streams_map_batch takes an array as one event, as a sink of arrays does. */
static int some_operator(void) {
    int which = below(&chance, attachment_count);
    return strcmp(attachments[which].function, "streams_map_batch") == 0 ? some_operator() : which;
}

plan some_plan(uint64_t seed) {
    chance = seed;
    plan p = { .count = 1 + below(&chance, OPERATORS), .sinks = 1 + below(&chance, 2) };
    p.form = below(&chance, 3);
    for (int i = 0; i < SUBJECTS; i++) p.subjects[i] = below(&chance, 3);
    for (int i = 0; i < p.count; i++) {
        p.operators[i] = some_operator();
        p.seconds[i] = below(&chance, 4);
        p.counts[i] = below(&chance, 2) == 0 ? 1000 : 1 + below(&chance, 4);
        p.times[i] = 1 + below(&chance, 20);
        p.answers[i] = below(&chance, 3) > 0;
    }
    p.demand = below(&chance, 2) == 0 ? STREAMS_UNLIMITED : (uint64_t)below(&chance, 5);
    p.more = (uint64_t)below(&chance, 2);
    p.acts_in_functions = below(&chance, 2) == 0;
    p.busy_functions = below(&chance, 2) == 0;
    p.acts_count = p.acts_in_functions ? 1 : below(&chance, SCRIPT + 1);
    for (int i = 0; i < p.acts_count; i++)
        p.acts[i] = (act){ 1 + below(&chance, 6), below(&chance, 2), (enum action)below(&chance, ACTIONS) };
    return p;
}

void print_plan(const plan *p) {
    static const char *const subjects[] = { "passthrough", "current value", "replay" };
    static const char *const forms[] = { "values", "integers", "doubles" };
    print_error("subjects: %s, %s\n", subjects[p->subjects[0]], subjects[p->subjects[1]]);
    for (int i = 0; i < p->count; i++)
        print_error("%s, second publisher %d, count %d, time %d, answer %d\n",
            attachments[p->operators[i]].function, p->seconds[i], (int)p->counts[i], (int)p->times[i],
            p->answers[i]);
    print_error("%d sinks demand %lld, and %d more; arrays of %s\n", p->sinks, (long long)p->demand,
        (int)p->more, forms[p->form]);
    if (p->busy_functions) print_error("functions are busy\n");
    for (int i = 0; i < p->acts_count; i++)
        print_error("%s %d, %s %d: %s\n", p->acts_in_functions ? "functions" : "sink", p->acts[i].sink,
            p->acts_in_functions ? "call" : "signal", p->acts[i].at, action_names[p->acts[i].action]);
}
