/* The handles that the library gave out, and how many references of each are the fuzzer's. */
#include "fuzz.h"

enum { SLOTS = 32768 };
static record records[SLOTS];
static _Atomic uint32_t used[SLOTS / 2];
static _Atomic uint32_t used_count;

static uint32_t place(uint64_t token) { return (uint32_t)((token * 0x9e3779b97f4a7c15u) >> 49); }

record *find_record(uint64_t token) {
    if (token == 0) return NULL;
    for (uint32_t at = place(token);; at = (at + 1) % SLOTS) {
        uint64_t there = records[at].token;
        if (there == token) return &records[at];
        if (there == 0) return NULL;
    }
}

record *note_handle(uint64_t token, int kind, int references, uint32_t context) {
    for (uint32_t at = place(token);; at = (at + 1) % SLOTS) {
        uint64_t there = 0;
        if (atomic_compare_exchange_strong(&records[at].token, &there, token)) {
            uint32_t number = used_count++;
            if (number >= SLOTS / 2) endless();
            used[number] = at;
            records[at].kind = (uint32_t)kind;
            records[at].context = context;
            there = token;
        }
        if (there == token) {
            records[at].references += references;
            return &records[at];
        }
    }
}

void reset_handles(void) {
    for (uint32_t i = 0; i < used_count; i++) memset(&records[used[i]], 0, sizeof(record));
    used_count = 0;
}

/* Gives up what is left of a handle. What other threads did to it meanwhile was not counted exactly. */
static bool release_record(record *each) {
    const void *handle = (const void *)(uintptr_t)each->token;
    bool any = false;
    if (is_concurrent()) {
        while (streams_release(handle) == STREAMS_OK) any = true;
        each->references = 0;
        return any;
    }
    while (each->references > 0) {
        each->references--;
        any = true;
        streams_status status = streams_release(handle);
        if (status != STREAMS_OK && !each->overdrawn && !property_is_off("lost reference"))
            violated("lost reference: releasing a reference that is the caller's answers %s",
                streams_status_name(status));
        if (each->kind == STREAMS_KIND_CANCELLABLE && each->references == 0) was_cancelled(each->context);
    }
    return any;
}

void release_everything(void) {
    bool backwards = script->seed >> 7 & 1;
    for (bool any = true; any;) {
        any = false;
        /* It may keep a callback's error, and what that carries. */
        streams_clear_last_error();
        for (uint32_t i = 0; i < used_count; i++)
            any |= release_record(&records[used[backwards ? used_count - 1 - i : i]]);
        for (uint32_t i = 1; i < script->count && i < NODES; i++) {
            state *each = &states[i];
            for (int v = 0; each->owns_values && v < each->values_count; v++) {
                streams_value value = each->values[v];
                memset(&each->values[v], 0, sizeof value);
                if (value.owner == NULL) continue;
                any = true;
                (void)streams_value_destroy(&value);
            }
            each->owns_values = false;
            if (each->has_struct) any = true, drop_struct(i);
        }
    }
}
