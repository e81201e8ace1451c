#include "streams_readers.h"
#include "streams_steps.h"

// A step, and where to continue. Several of them are written out: the processor predicts a call badly if its
// target changes each time.
#define STEP \
    if (step->kind == STREAMS_STEP_FILTER) { \
        keep = false; \
        status = step->call.predicate(step->context, current, &keep); \
        if (((uint32_t)status | *named) != 0) goto care; \
        if (!keep) return NULL; \
    } else { \
        streams_make_null(out); \
        status = step->call.transform(step->context, current, out); \
        if (!streams_is_plain(status, out, *named)) goto care; \
        if (step->kind == STREAMS_STEP_COMPACT_MAP && *(const uint32_t *)out == 0) return NULL; \
        current = out; \
        out = (void *)((uintptr_t)out ^ places); \
    } \
    step++; \
    if (step == end) return current; \
    if (streams_has_ended(ended) != 0) return NULL;

/// Passes one value through steps: see streams_pass_single. The room's places must own nothing before. They
/// own nothing afterwards either, unless it returns the room.
static inline __attribute__((always_inline)) const void *pass_value(
    streams_pass_room *room, const streams_raw_step *step, const streams_raw_step *end, const void *value,
    const unsigned char *ended) {
    const uint64_t *named = &streams_this_thread.pending_error;
    const uintptr_t places = (uintptr_t)room->places[0] ^ (uintptr_t)room->places[1];
    void *out = room->places[0];
    const void *current = value;
    int32_t status;
    bool keep = false;
    for (;;) {
        STEP STEP STEP STEP
    }
care:
    room->passage = (streams_passage){
        .step = step,
        .end = end,
        .current = current,
        .next = out,
        .other = (void *)((uintptr_t)out ^ places),
        .out = out,
        .ended = ended,
        .status = status,
        .keeps = keep,
    };
    return room;
}

const void *streams_pass_single(
    streams_pass_room *room, const streams_raw_step *step, const streams_raw_step *end, const void *value,
    const unsigned char *ended) {
    memset(room->places, 0, sizeof room->places[0] * 2);
    return pass_value(room, step, end, value, ended);
}

size_t streams_pass_each(
    streams_pass_room *room, const streams_raw_step *step, const streams_raw_step *end, const void *values,
    size_t count, const unsigned char *ended, streams_deliver_passed deliver, void *context, bool *stopped) {
    const char *value = values;
    size_t index = 0;
    memset(room->places, 0, sizeof room->places[0] * 2);
    *stopped = false;
    for (; index < count; index++, value += 24) {
        if ((streams_pending_error() | streams_has_ended(ended)) != 0) break;
        const void *reached = pass_value(room, step, end, value, ended);
        if (reached == room) {
            *stopped = true;
            break;
        }
        if (reached != NULL) {
            deliver(context, reached);
        } else if (streams_has_ended(ended) != 0) {
            streams_note_refusal();
        }
    }
    return index;
}
