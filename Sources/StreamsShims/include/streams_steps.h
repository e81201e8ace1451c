#ifndef STREAMS_STEPS_H
#define STREAMS_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// The kinds of stateless steps.
enum { STREAMS_STEP_MAP, STREAMS_STEP_FILTER, STREAMS_STEP_COMPACT_MAP };

/// A stateless step of the C ABI: a callback that makes a value of a value, or decides on one.
typedef struct streams_raw_step {
    union {
        int32_t (*transform)(void *context, const void *in, void *out);
        int32_t (*predicate)(void *context, const void *in, bool *result);
        const void *function;
    } call;
    void *context;
    int kind;
} streams_raw_step;

/// A value on its way through steps. Values are the 24 bytes of streams_value: kind and size, content, owner.
typedef struct streams_passage {
    const streams_raw_step *step;
    const streams_raw_step *end;
    /// Where the value is now.
    const void *current;
    /// Two places for what is on the way, and the one for what comes out.
    void *next;
    void *other;
    void *result;
    /// Where the current step has put what it made.
    void *out;
    /// 1 if the current value owns something that must be released, else 0.
    uint64_t owns;
    /// What the last callback returned.
    int32_t status;
} streams_passage;

/// How far streams_pass got.
enum {
    /// Through the last step.
    STREAMS_PASSED,
    /// A filter dropped the current value.
    STREAMS_PASS_DROPPED,
    /// A callback failed, or made something other than a number, or made it of a value that must be released.
    STREAMS_PASS_CARE
};

/// Runs callbacks one after the other for as long as they succeed and make numbers, which need no clean-up. This is
/// C because it is half as many instructions as what Swift makes of the same loop.
static inline int streams_pass(streams_passage *passage) {
    const streams_raw_step *step = passage->step;
    const streams_raw_step *end = passage->end;
    const void *current = passage->current;
    void *next = passage->next;
    void *other = passage->other;
    int outcome = STREAMS_PASSED;
    for (; step != end; step++) {
        if (step->kind == STREAMS_STEP_FILTER) {
            bool keep = false;
            int32_t status = step->call.predicate(step->context, current, &keep);
            if (status == 0 && keep) continue;
            passage->status = status;
            outcome = status == 0 ? STREAMS_PASS_DROPPED : STREAMS_PASS_CARE;
            break;
        }
        // The last step writes to where the result belongs: copying what was written just before stalls.
        void *out = step + 1 == end ? passage->result : next;
        uint64_t words[3] = {0, 0, 0};
        memcpy(out, words, sizeof words);
        int32_t status = step->call.transform(step->context, current, out);
        memcpy(words, out, sizeof words);
        // Kind and size are one word; the kinds of numbers are 0 to 3, and their size is 0.
        if (((words[0] >> 2) | words[2] | passage->owns | (uint32_t)status) != 0) {
            passage->status = status;
            passage->out = out;
            outcome = STREAMS_PASS_CARE;
            break;
        }
        if (words[0] == 0 && step->kind == STREAMS_STEP_COMPACT_MAP) {
            outcome = STREAMS_PASS_DROPPED;
            break;
        }
        current = out;
        next = other;
        other = out;
    }
    passage->step = step;
    passage->current = current;
    passage->next = next;
    passage->other = other;
    return outcome;
}

/// Moves on to what the current step has made.
static inline void streams_pass_step(streams_passage *passage) {
    passage->current = passage->out;
    passage->next = passage->other;
    passage->other = passage->out;
    passage->step++;
}

#endif
