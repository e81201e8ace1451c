/* What happens when the library calls back. */
#include "arguments.h"
#include "choose.h"

/* ---- Answers ------------------------------------------------------------------- */

static int find(const callback_info *info, int kind) {
    for (int i = 0; i < info->count; i++)
        if (info->params[i].kind == kind) return i;
    return -1;
}

int out_kind(const callback_info *info) {
    int at = find(info, P_OUT_HANDLE);
    return at >= 0 ? info->params[at].detail : STREAMS_KIND_NONE;
}

/* Makes up what the callback results in; args[0] is the result, args[1] what goes to its out. */
static void choose_result(node *n, const callback_info *info) {
    argument *result = &n->args[0], *out = &n->args[1];
    if (info->result.kind == P_STATUS && chance(8)) {
        const uint64_t statuses[] = { STREAMS_CALLBACK_FAILED, STREAMS_TERMINATED, STREAMS_LIMIT, 1000 };
        result->how = chance(2) ? HOW_FAIL : HOW_BITS;
        result->bits = statuses[below(4)];
    }
    if (info->result.kind == P_UINT64 && chance(3)) {
        result->how = HOW_BITS;
        result->bits = chance(16) ? STREAMS_FAIL : choose_demand();
    }
    if (info->result.kind == P_BOOL) result->how = HOW_BITS, result->bits = below(2);
    if (find(info, P_OUT_SCALAR) >= 0 && chance(2)) out->how = HOW_BITS, out->bits = below(2);
    if (find(info, P_OUT_VALUE) >= 0 && chance(2)) { *out = choose_out(P_VALUE, 0); }
    if (find(info, P_OUT_HANDLE) >= 0 && chance(2)) *out = choose_out(P_HANDLE, out_kind(info));
}

/* A new handle of a kind that callbacks make. */
uint64_t new_handle(int kind) {
    streams_value one = streams_int(1);
    switch (kind) {
    case STREAMS_KIND_ERROR:
        return (uint64_t)(uintptr_t)streams_error_create(1, "fuzz", "a new one", NULL);
    case STREAMS_KIND_PROPERTY: return (uint64_t)(uintptr_t)streams_property_create(&one);
    default: return (uint64_t)(uintptr_t)streams_empty(true);
    }
}

/* A result that is owned is handed over: it is made with a reference of its own. */
static void hand_over_value(const argument *out, const slot *a, int at, const streams_value *first) {
    streams_value made;
    const streams_value *value = out->how == HOW_NULL ? first : value_of(out, &made);
    if (value == NULL) return;
    if (value == &made) {
        *(streams_value *)a[at].p = made;
    } else {
        (void)streams_value_copy(value, a[at].p);
    }
}

static void hand_over_handle(
    const argument *out, const slot *a, int at, const streams_value *first, int kind) {
    uint64_t *to = a[at].p;
    if (out->how == HOW_NULL) {
        bool publishes = first != NULL && kind == STREAMS_KIND_PUBLISHER;
        *to = publishes ? (uint64_t)(uintptr_t)streams_just(first) : new_handle(kind);
        return;
    }
    *to = out->how == HOW_BITS ? out->bits : (uint64_t)states[out->node].handle;
    record *r = find_record(*to);
    if (r != NULL && r->kind == (uint32_t)kind && r->references > 0) r->references--;
}

static uint64_t status_result(const argument *result) {
    if (result->how == HOW_FAIL) return streams_callback_fail_with(7, "fuzz", "a callback fails");
    return result->how == HOW_BITS ? result->bits : STREAMS_OK;
}

static void give_results(const callback_info *info, uint32_t answer, uint32_t context, slot *a, slot *r) {
    static const argument none;
    const argument *result = answer ? &script->nodes[answer].args[0] : &none;
    const argument *out = answer ? &script->nodes[answer].args[1] : &none;
    const streams_value *first = self.frame->value;
    int at;
    if (info->result.kind == P_STATUS) r->u = status_result(result);
    if (info->result.kind == P_UINT64 || info->result.kind == P_BOOL)
        r->u = result->how == HOW_BITS ? result->bits : 0;
    if ((at = find(info, P_BUFFER)) >= 0) r->u = (uint64_t)snprintf(a[at].p, a[at + 1].u, "an object");
    bool ok = info->result.kind != P_STATUS || r->u == STREAMS_OK;
    if (!ok) return;
    if ((at = find(info, P_OUT_STATE)) >= 0) *(void **)a[at].p = new_subscription_state(context);
    if ((at = find(info, P_OUT_SCALAR)) >= 0)
        *(bool *)a[at].p = out->how == HOW_BITS ? out->bits : a[2].p == a[at].p;
    if ((at = find(info, P_OUT_VALUE)) >= 0) hand_over_value(out, a, at, first);
    if ((at = find(info, P_OUT_HANDLE)) >= 0) hand_over_handle(out, a, at, first, out_kind(info));
}

/* ---- Calls ----------------------------------------------------------------------- */

static uint32_t find_answer(uint32_t context, int field, int repeat) {
    for (uint32_t i = script->nodes[context].first; i != 0; i = script->nodes[i].next) {
        const node *n = &script->nodes[i];
        if (n->field == field && n->repeat == repeat) return n->removed ? 0 : i;
    }
    return 0;
}

static bool wants_to_act(const callback_info *info) {
    if (budget <= 0 || self.depth > self.deep) return false;
    if (info->role == OBJECT_RETAIN || info->role == OBJECT_OTHER) return chance(6);
    return self.deep > 100 || chance(2);
}

/* Runs the answer that is written down, or makes one up. Returns its node. */
uint32_t answer_call(int callback, uint32_t context, int field, uint32_t sub, uint64_t handle, int kind) {
    int repeat = states[context].calls[field]++;
    uint32_t answer = 0;
    shared->callbacks[self.number]++;
    if (--patience < 0) endless();
    self.depth++;
    if (!may_act()) {
        /* The sequence is over. */
    } else if (replaying) {
        answer = find_answer(context, field, repeat);
        self.frame->answer = answer;
        if (answer != 0) {
            states[answer].handle = handle;
            run_operations(script->nodes[answer].first);
        }
    } else if (wants_to_act(&callbacks[callback]) && repeat < 0xffff &&
               (answer = new_node(NODE_ANSWER, callback)) != 0) {
        node *n = &script->nodes[answer];
        n->context = context;
        n->field = (uint8_t)field;
        n->repeat = (uint16_t)repeat;
        n->args[2].bits = sub;
        states[answer].handle = handle;
        self.frame->answer = answer;
        if (handle != 0) remember(answer, kind);
        int operations = self.deep > 100 ? 1 : (int)below(3);
        for (int i = 0; i < operations && budget > 0; i++) make_up_operation(answer);
        choose_result(&script->nodes[answer], &callbacks[callback]);
    }
    self.depth--;
    return answer;
}

void fuzz_callback(int callback, slot *a, slot *r) {
    const callback_info *info = &callbacks[callback];
    int opening, handle = find(info, P_HANDLE), value = find(info, P_VALUE);
    enter_thread();
    uint32_t context = enter_context(callback, a, &opening);
    frame here = { .outer = self.frame, .context = context, .callback = callback };
    if (value < 0) value = find(info, P_VALUES);
    if (value >= 0) here.value = a[value].p;
    record *lent = NULL;
    if (handle >= 0 && a[handle].u != 0) {
        here.handle = a[handle].u;
        here.handle_kind = info->params[handle].detail;
        lent = note_handle(here.handle, here.handle_kind, 0, info->role == SUBSCRIBED ? context : 0);
        lent->lent++;
        lent->ever_lent = true;
    }
    self.frame = &here;
    int field = field_of(callback);
    uint32_t answer = answer_call(callback, context, field, 0, here.handle, here.handle_kind);
    self.frame = &here;
    give_results(info, answer, context, a, r);
    self.frame = here.outer;
    if (lent != NULL) lent->lent--;
    leave_context(callback, context, opening, a, r);
    leave_thread();
}

/* Which of its context's callbacks this is: its place in the struct, else 0; the last place is destroy's. */
int field_of(int callback) {
    const callback_info *info = &callbacks[callback];
    if (info->owner < 0) return info->role == ENDS_CONTEXT ? FIELDS - 1 : 0;
    for (int i = 0; i < structs[info->owner].count; i++)
        if (structs[info->owner].fields[i].what.kind == P_CALLBACK &&
            structs[info->owner].fields[i].what.detail == callback)
            return i;
    return 0;
}
