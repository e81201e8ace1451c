#ifndef STREAMS_STEPS_H
#define STREAMS_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "streams_callbacks.h"
#include "streams_gathering.h"

/// The kinds of stateless steps.
enum { STREAMS_STEP_MAP,
    STREAMS_STEP_FILTER,
    STREAMS_STEP_COMPACT_MAP };

/// A stateless step of the C ABI: a callback that maps a value to another, or a predicate.
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
    /// The last step that makes a value; those after it are filters. NULL if all are.
    const streams_raw_step *maker;
    /// Where the value is now.
    const void *current;
    /// Two places for intermediate values, and the one for the result.
    void *next;
    void *other;
    void *result;
    /// The place of the current step's result.
    void *out;
    /// 1 if the current value owns something that must be released, else 0.
    uint64_t owns;
    /// What streams_pending_error() was before the first callback.
    uint64_t named;
    /// Not 0 once the stream has ended, which a callback may cause. Then no further callback is called for
    /// the value.
    const unsigned char *ended;
    /// What the last callback returned.
    int32_t status;
    /// The answer of the last filter, if its callback needs the slow path.
    bool keeps;
} streams_passage;

/// How far streams_pass got.
enum {
    /// Through the last step.
    STREAMS_PASSED,
    /// A filter dropped the current value.
    STREAMS_PASS_DROPPED,
    /// A callback failed, or named an error, or ended the stream, or made something other than a number, or
    /// made it of a value that must be released.
    STREAMS_PASS_CARE,
    /// No value is on its way.
    STREAMS_PASS_DONE
};

/// Whether the stream has ended, as a number.
static inline uint64_t streams_has_ended(const unsigned char *ended) {
    return __atomic_load_n(ended, __ATOMIC_RELAXED);
}

/// True if a callback succeeded and left a number without an owner, so that nothing must be taken over or
/// released, and if it has named no error and not ended the stream: then `marks` is 0.
static inline bool streams_is_plain(int32_t status, const void *value, uint64_t marks) {
    uint64_t words[3];
    memcpy(words, value, sizeof words);
    // Kind and size are one word; the kinds of numbers are 0 to 3, and their size is 0.
    return ((words[0] >> 2) | words[2] | (uint32_t)status | marks) == 0;
}

/// Makes a place null that holds a number without an owner, or nothing, by its kind and size. It stores no
/// more than that, because the processor commits one store at a time.
static inline void streams_make_null(void *place) {
    memset(place, 0, 8);
}

/// Copies a value that owns nothing, word by word. A copy of two words in one instruction would have to wait
/// until their separate stores are complete.
static inline void streams_copy_plain(void *to, const void *from) {
    for (int each = 0; each < 3; each++) {
        uint64_t word = ((const uint64_t *)from)[each];
        // Prevents the compiler from combining two words.
        __asm__("" : "+r"(word));
        ((uint64_t *)to)[each] = word;
    }
}

/// The most maps in a row that `streams_pass_maps` takes.
enum { STREAMS_MAPS_IN_A_ROW = 8 };

// One map of a row: the one that `rest - 1` others follow.
#define STREAMS_MAP_STEP(rest, place) \
    out = (place); \
    streams_make_null(out); \
    step = end - (rest); \
    status = step->call.transform(step->context, current, out); \
    if (!streams_is_plain(status, out, *named | streams_has_ended(ended))) goto care; \
    current = out;

// The steps of a row. The last one writes directly to the result's place: copying what has just been written
// stalls.
#define STREAMS_MAPS_1 STREAMS_MAP_STEP(1, result)
#define STREAMS_MAPS_2 STREAMS_MAP_STEP(2, even) STREAMS_MAPS_1
#define STREAMS_MAPS_3 STREAMS_MAP_STEP(3, odd) STREAMS_MAPS_2
#define STREAMS_MAPS_4 STREAMS_MAP_STEP(4, even) STREAMS_MAPS_3
#define STREAMS_MAPS_5 STREAMS_MAP_STEP(5, odd) STREAMS_MAPS_4
#define STREAMS_MAPS_6 STREAMS_MAP_STEP(6, even) STREAMS_MAPS_5
#define STREAMS_MAPS_7 STREAMS_MAP_STEP(7, odd) STREAMS_MAPS_6
#define STREAMS_MAPS_8 STREAMS_MAP_STEP(8, even) STREAMS_MAPS_7

// Passes all values through a row of that many maps.
#define STREAMS_MAPS(steps) \
    case steps: \
        for (; index < count; index++, value += 24) { \
            current = gathering->value = value; \
            STREAMS_MAPS_##steps \
                gathering->end = result += 24; \
        } \
        break;

/// Passes values through steps that are all maps, each value through all of them before the next. Returns the
/// number of results, which are gathered. If that is less than `count`, the next value has stopped at a step
/// that needs the slow path, as `passage` shows. The results must own nothing before, and no error may be
/// pending.
///
/// The steps are written out, in a separate loop for each number of steps: a loop over steps takes half as
/// many instructions again, and choosing the start for each value takes half a nanosecond.
static inline size_t streams_pass_maps(
    streams_passage *passage, const void *values, size_t count, streams_gathering *gathering) {
    const streams_raw_step *end = passage->end;
    const streams_raw_step *step;
    const unsigned char *ended = passage->ended;
    const uint64_t *named = &streams_this_thread.pending_error;
    uint64_t even[3] = { 0 };
    uint64_t odd[3] = { 0 };
    const char *value = values;
    char *result = gathering->end;
    const void *current;
    void *out;
    int32_t status;
    size_t index = 0;
    switch (end - passage->step) {
        STREAMS_MAPS(1)
        STREAMS_MAPS(2)
        STREAMS_MAPS(3)
        STREAMS_MAPS(4)
        STREAMS_MAPS(5)
        STREAMS_MAPS(6)
        STREAMS_MAPS(7)
        STREAMS_MAPS(8)
    }
    return count;
care:
    // Values in the local places are moved to those of the passage, which outlive this call.
    if (current == even || current == odd) {
        memcpy(passage->other, current, 24);
        current = passage->other;
    }
    if (out != result) {
        memcpy(passage->next, out, 24);
        out = passage->next;
    }
    passage->step = step;
    passage->current = current;
    passage->result = result;
    passage->out = out;
    passage->status = status;
    return index;
}

/// Calls callbacks one after the other while they succeed and make numbers, which need no cleanup. It is C
/// because Swift makes twice as many instructions of the same loop.
static inline int streams_pass(streams_passage *passage) {
    // Local copies, because to the compiler a callback could change the passage.
    const streams_raw_step *step = passage->step;
    const streams_raw_step *end = passage->end;
    const streams_raw_step *maker = passage->maker;
    const void *current = passage->current;
    void *next = passage->next;
    void *other = passage->other;
    int reached = STREAMS_PASSED;
    for (; step != end; step++) {
        if (step->kind == STREAMS_STEP_FILTER) {
            bool keep = false;
            int32_t status = step->call.predicate(step->context, current, &keep);
            uint64_t named = streams_pending_error() ^ passage->named;
            if (((uint32_t)status | named | streams_has_ended(passage->ended)) != 0) {
                passage->status = status;
                passage->keeps = keep;
                reached = STREAMS_PASS_CARE;
                break;
            }
            if (keep) continue;
            reached = STREAMS_PASS_DROPPED;
            break;
        }
        // The last one writes directly to the result's place: copying what has just been written stalls.
        void *out = step == maker ? passage->result : next;
        memset(out, 0, 24);
        int32_t status = step->call.transform(step->context, current, out);
        uint64_t named = streams_pending_error() ^ passage->named;
        if (!streams_is_plain(status, out, named | passage->owns | streams_has_ended(passage->ended))) {
            passage->status = status;
            passage->out = out;
            reached = STREAMS_PASS_CARE;
            break;
        }
        if (step->kind == STREAMS_STEP_COMPACT_MAP && *(const uint32_t *)out == 0) {
            reached = STREAMS_PASS_DROPPED;
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
    return reached;
}

/// The stack that values on their way need: places for intermediate values and for a result.
typedef struct streams_pass_room {
    streams_passage passage;
    uint64_t places[3][3];
} streams_pass_room;

/// Initializes a room, whatever it contains.
static inline streams_passage *streams_pass_begin(streams_pass_room *room, const unsigned char *ended) {
    room->passage.next = room->places[0];
    room->passage.other = room->places[1];
    room->passage.owns = 0;
    room->passage.named = streams_pending_error();
    room->passage.ended = ended;
    return &room->passage;
}

/// Passes one value through steps while they succeed and make numbers. No error may be pending before.
/// Returns the value's address afterwards; NULL if it was dropped; the room, whose passage shows how far it
/// has come, if a step needs the slow path.
///
/// A predicate gets the place of a bool, which is no buffer: protecting it would cost each value.
__attribute__((visibility("hidden"), no_stack_protector)) const void *streams_pass_single(
    streams_pass_room *room, const streams_raw_step *step, const streams_raw_step *end, const void *value,
    const unsigned char *ended);

/// Takes a value that has passed all steps.
typedef void (*streams_deliver_passed)(void *context, const void *value);

/// Passes values through steps, each through all of them and to `deliver` before the next, while no error is
/// pending and the stream has not ended. Returns how many it has passed. The next has either not begun or,
/// if `stopped` is set, has come to a step that needs the slow path, as the room's passage shows.
__attribute__((visibility("hidden"), no_stack_protector)) size_t streams_pass_each(
    streams_pass_room *room, const streams_raw_step *step, const streams_raw_step *end, const void *values,
    size_t count, const unsigned char *ended, streams_deliver_passed deliver, void *context, bool *stopped);

/// Sets the place of that value's result.
static inline void *streams_pass_result(streams_pass_room *room, const streams_raw_step *maker) {
    streams_passage *passage = &room->passage;
    bool is_made = maker != NULL && passage->step > maker;
    passage->maker = maker;
    passage->result = is_made                  ? (void *)(uintptr_t)passage->current
                      : passage->step == maker ? passage->out
                                               : memset(room->places[2], 0, 24);
    return passage->result;
}

/// Passes values through steps of any kinds, each value through all of them before the next. Returns the
/// number of values that have been gathered or dropped. The next, if there is one, has come as far as
/// `reached` says: to a step that needs the slow path, or through filters only and it is not a number. The
/// results must own nothing before.
static inline size_t streams_pass_row(
    streams_passage *passage, const void *values, size_t count, streams_gathering *gathering, int *reached) {
    // Local copies, because to the compiler a callback could change the passage.
    const streams_raw_step *first = passage->step;
    const streams_raw_step *end = passage->end;
    const streams_raw_step *maker = passage->maker;
    const unsigned char *ended = passage->ended;
    uint64_t named = passage->named;
    void *next = passage->next;
    void *other = passage->other;
    const char *value = values;
    char *result = gathering->end;
    const streams_raw_step *step;
    const void *current;
    void *out = next;
    int32_t status = 0;
    bool keep = false;
    size_t index = 0;
    memset(next, 0, 24);
    memset(other, 0, 24);
    *reached = STREAMS_PASS_DONE;
    for (; index < count; index++, value += 24) {
        current = gathering->value = value;
        for (step = first; step != end; step++) {
            if (step->kind == STREAMS_STEP_FILTER) {
                keep = false;
                status = step->call.predicate(step->context, current, &keep);
                uint64_t marks = (streams_pending_error() ^ named) | streams_has_ended(ended);
                if (((uint32_t)status | marks) != 0) goto care;
                if (keep) continue;
                goto dropped;
            }
            // The last one writes directly to the result's place: copying what has just been written stalls.
            out = step == maker ? result : next;
            streams_make_null(out);
            status = step->call.transform(step->context, current, out);
            uint64_t marks = (streams_pending_error() ^ named) | streams_has_ended(ended);
            if (!streams_is_plain(status, out, marks)) goto care;
            if (step->kind == STREAMS_STEP_COMPACT_MAP && *(const uint32_t *)out == 0) goto dropped;
            current = out;
            void *used = next;
            next = other;
            other = used;
        }
        if (maker == NULL) {
            if (!streams_is_plain(0, value, 0)) {
                passage->current = value;
                *reached = STREAMS_PASSED;
                break;
            }
            memcpy(result, value, 24);
        }
        gathering->end = result += 24;
    dropped:;
    }
    return index;
care:
    passage->step = step;
    passage->current = current;
    passage->next = next;
    passage->other = other;
    passage->result = result;
    passage->out = out;
    passage->status = status;
    passage->keeps = keep;
    *reached = STREAMS_PASS_CARE;
    return index;
}

/// Continues after a filter that keeps the current value.
static inline void streams_pass_filter(streams_passage *passage) {
    passage->step++;
}

/// Continues with the result of the current step.
static inline void streams_pass_step(streams_passage *passage) {
    passage->current = passage->out;
    passage->next = passage->other;
    passage->other = passage->out;
    passage->step++;
}

#endif
