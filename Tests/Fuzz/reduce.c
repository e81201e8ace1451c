/* Makes a failing sequence smaller, as long as it fails in the same way. */
#include "fuzz.h"

/* "demand: ..." and "signal 11: ..." fail in the way that stands before the colon. */
static bool same_way(const char *a, const char *b) {
    size_t length = strcspn(a, ":");
    return length == strcspn(b, ":") && strncmp(a, b, length) == 0;
}

static double deadline;

static bool still_fails(const char *failure) {
    char now_[sizeof shared->failure];
    if (now() > deadline) return false;
    bool hangs = strncmp(failure, "hang", 4) == 0;
    double limit = hangs ? 5 : 30;
    return run_trial(now_, sizeof now_, opt.limit < limit ? opt.limit : limit) && same_way(failure, now_);
}

/* Removes portions, ever smaller ones, of the nodes of a kind. Returns whether any went. */
static bool remove_nodes(const char *failure, int type) {
    static uint32_t kept[NODES];
    uint32_t count = 0;
    bool any = false;
    for (uint32_t i = 1; i < script->count && i < NODES; i++)
        if (script->nodes[i].type == type && !script->nodes[i].removed) kept[count++] = i;
    for (uint32_t portion = count > 1 ? count / 2 : count; portion > 0; portion /= 2) {
        for (uint32_t at = 0; at < count;) {
            uint32_t end = at + portion < count ? at + portion : count;
            for (uint32_t i = at; i < end; i++) script->nodes[kept[i]].removed = 1;
            if (still_fails(failure)) {
                memmove(&kept[at], &kept[end], (count - end) * sizeof kept[0]);
                count -= end - at;
                any = true;
            } else {
                for (uint32_t i = at; i < end; i++) script->nodes[kept[i]].removed = 0;
                at = end;
            }
        }
    }
    return any;
}

/* Tries a plainer argument. */
static void try_instead(const char *failure, argument *where, argument plain) {
    argument old = *where;
    if (memcmp(&old, &plain, sizeof old) == 0) return;
    *where = plain;
    if (!still_fails(failure)) *where = old;
}

static void simplify(const char *failure) {
    const argument one = { .how = HOW_OWN, .bits = 1 };
    for (uint32_t i = 1; i < script->count && i < NODES; i++) {
        node *n = &script->nodes[i];
        if (n->removed) continue;
        if (n->type == NODE_ANSWER) {
            try_instead(failure, &n->args[0], (argument){ .how = HOW_NULL });
            try_instead(failure, &n->args[1], (argument){ .how = HOW_NULL });
            continue;
        }
        const function_info *f = &functions[n->what];
        for (int k = 0; k < f->count; k++) {
            const param *what = &f->params[k];
            if (what->kind == P_VALUE) try_instead(failure, &n->args[k], one);
            if (what->kind != P_STRUCT || n->args[k].how != HOW_OWN) continue;
            /* First no callback at all, then one after another. */
            for (int field = 0; field < structs[what->detail].count; field++) {
                argument plain = n->args[k];
                plain.bits |= 1ull << field;
                try_instead(failure, &n->args[k], plain);
            }
            try_instead(failure, &n->items[0], (argument){ .how = HOW_BITS, .bits = UINT64_MAX });
        }
    }
}

static void replace_references(uint32_t old, uint32_t with) {
    for (uint32_t i = 1; i < script->count && i < NODES; i++) {
        node *n = &script->nodes[i];
        for (int k = 0; k < PARAMS; k++)
            if (n->args[k].how == HOW_NODE && n->args[k].node == old) n->args[k].node = with;
        for (int k = 0; k < ITEMS; k++)
            if (n->items[k].how == HOW_NODE && n->items[k].node == old) n->items[k].node = with;
    }
}

/* Takes operators out of chains: what used their result uses their upstream. */
static bool shorten_chains(const char *failure) {
    static program saved;
    bool any = false;
    for (uint32_t i = 1; i < script->count && i < NODES; i++) {
        const node *n = &script->nodes[i];
        const function_info *f = &functions[n->what];
        if (n->type != NODE_OPERATION || n->removed || f->result.kind != P_HANDLE || f->count == 0) continue;
        if (f->params[0].kind != P_HANDLE || f->params[0].detail != f->result.detail ||
            n->args[0].how != HOW_NODE)
            continue;
        memcpy(&saved, script, sizeof saved);
        replace_references(i, n->args[0].node);
        script->nodes[i].removed = 1;
        if (still_fails(failure))
            any = true;
        else
            memcpy(script, &saved, sizeof saved);
    }
    return any;
}

static void unlink_operation(uint32_t number) {
    uint32_t parent = script->nodes[number].parent;
    uint32_t *at = &script->nodes[parent].first;
    while (*at != 0 && *at != number) at = &script->nodes[*at].next;
    if (*at == number) *at = script->nodes[number].next;
}

/* Puts an operation of a callback where no callback is running: before or after what was running then. */
static void hoist(uint32_t number, bool after) {
    uint32_t *at = &script->first[0];
    unlink_operation(number);
    while (*at != 0 && *at < number &&
           (after || script->nodes[*at].next == 0 || script->nodes[*at].next < number))
        at = &script->nodes[*at].next;
    script->nodes[number].parent = 0;
    script->nodes[number].next = *at;
    *at = number;
}

static bool hoist_operations(const char *failure) {
    static program saved;
    bool any = false;
    for (uint32_t i = 1; i < script->count && i < NODES; i++) {
        const node *n = &script->nodes[i];
        if (n->type != NODE_OPERATION || n->removed || n->parent == 0) continue;
        bool good = false;
        for (int after = 0; after < 2 && !good; after++) {
            memcpy(&saved, script, sizeof saved);
            hoist(i, after);
            good = still_fails(failure);
            if (!good) memcpy(script, &saved, sizeof saved);
        }
        any |= good;
    }
    return any;
}

void reduce(const char *failure) {
    deadline = now() + opt.reduce_seconds;
    bool again = still_fails(failure);
    if (!again) {
        fprintf(stderr, "it does not fail again on its own; this is the whole sequence\n");
        return;
    }
    for (int round = 0; round < 6 && again; round++) {
        again = remove_nodes(failure, NODE_OPERATION);
        again |= remove_nodes(failure, NODE_ANSWER);
        again |= shorten_chains(failure);
        again |= hoist_operations(failure);
        if (round == 0) simplify(failure);
    }
}
