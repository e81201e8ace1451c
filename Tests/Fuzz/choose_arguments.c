/* Makes up arguments. */
#include "choose.h"

/* ---- What there is to choose from ------------------------------------------- */

static _Atomic uint32_t pools[POOLS][NODES];
static _Atomic uint32_t pool_counts[POOLS];

void remember(uint32_t number, int pool) {
    uint32_t at = pool_counts[pool]++;
    if (at < NODES) pools[pool][at] = number;
}

void reset_pools(void) {
    for (int i = 0; i < POOLS; i++) {
        uint32_t count = pool_counts[i] < NODES ? pool_counts[i] : NODES;
        for (uint32_t k = 0; k < count; k++) pools[i][k] = 0;
        pool_counts[i] = 0;
    }
}

/* One of a pool, mostly a recent one; 0 if there is none. */
static uint32_t pick(int pool) {
    uint32_t count = pool_counts[pool];
    if (count > NODES) count = NODES;
    if (count == 0) return 0;
    uint32_t back = chance(2) ? below(count < 3 ? count : 3) : below(count);
    return pools[pool][count - 1 - back];
}

static bool is_alive(uint32_t number) {
    record *r = find_record(states[number].handle);
    return r != NULL && (r->references > 0 || r->lent > 0);
}

uint32_t pick_alive(int kind, bool owned) {
    for (int i = 0; i < 6; i++) {
        uint32_t number = pick(kind);
        if (number == 0) return 0;
        record *r = find_record(states[number].handle);
        if (r != NULL && (r->references > 0 || (!owned && r->lent > 0))) return number;
    }
    return 0;
}

/* ---- Arguments ----------------------------------------------------------------- */

static uint32_t stale_handle(int kind) {
    for (int i = 0; i < 6; i++) {
        uint32_t number = pick(kind);
        if (number != 0 && !is_alive(number)) return number;
    }
    return 0;
}

static uint64_t forged_handle(int kind) {
    uint32_t number = pick(kind);
    uint64_t real = number != 0 ? states[number].handle : 0;
    const uint64_t forged[] = { 1, 8, UINT64_MAX, real | 1ull << 63, real ^ 1ull << 62, real ^ 1,
        random_bits() | 3ull << 62, real ^ 0xe0, (random_bits() & 0xffff) | 1 };
    uint64_t token = forged[below(sizeof forged / sizeof forged[0])];
    /* By chance a good one, which other threads may be about to get. */
    if (find_record(token) != NULL ||
        streams_handle_kind((const void *)(uintptr_t)token) != STREAMS_KIND_NONE ||
        (is_concurrent() && token < 1ull << 62 && token > 8))
        return 8;
    return token;
}

void choose_handle(argument *a, int kind, bool consumed, bool gives_up) {
    memset(a, 0, sizeof *a);
    uint32_t dice = below(100);
    int from = kind != 0 ? kind : chance(4) ? STREAMS_KIND_OBSERVABLE_OBJECT + (int)below(5)
                                            : 1 + (int)below(7);
    if (dice < 2 && !opt.off_null) return;
    if (dice < 4 && !opt.off_stale && (a->node = stale_handle(from)) != 0) {
        if (!gives_up || !opt.off_surplus) {
            a->how = HOW_NODE;
            return;
        }
    }
    if (dice < 6 && !opt.off_wrong && kind != 0 && (a->node = pick(1 + (int)below(7))) != 0) {
        a->how = HOW_NODE;
        if (!gives_up && !consumed) return;
    }
    if (dice < 8 && !opt.off_forged) {
        a->how = HOW_BITS;
        a->bits = forged_handle(from);
        return;
    }
    bool surplus = !opt.off_surplus && chance(60);
    frame *inside = self.frame;
    bool own = inside != NULL && inside->answer != 0 && inside->handle != 0 && below(100) < 45;
    bool fits = own && (kind == 0 || inside->handle_kind == kind) && (!gives_up || surplus);
    a->node = fits ? inside->answer : pick_alive(from, (gives_up || consumed) && !surplus);
    a->how = a->node != 0 ? HOW_NODE : HOW_NULL;
}

/* A callable of a function that hands over handles leaks them where nobody takes them. */
static void choose_callable(argument *a, int callback, bool consumed) {
    int taken = callback >= 0 ? out_kind(&callbacks[callback]) : STREAMS_KIND_NONE;
    choose_handle(a, STREAMS_KIND_CALLABLE, consumed, consumed);
    const node *n = &script->nodes[a->node];
    int made = STREAMS_KIND_NONE;
    for (int i = 0; a->how == HOW_NODE && i < functions[n->what].count; i++) {
        if (functions[n->what].params[i].kind == P_HOST_OBJECT) made = (int)n->args[i].bits;
    }
    if (made != STREAMS_KIND_NONE && made != taken) a->how = HOW_NULL;
}

/* How deep a value's lists are nested along their first items. */
static int nesting(const streams_value *value) {
    int depth = 0;
    while (value != NULL && value->kind == STREAMS_VALUE_LIST && value->size > 0) {
        depth++;
        value = value->as.items;
    }
    return depth;
}

static void choose_value(argument *a, bool good) {
    memset(a, 0, sizeof *a);
    uint32_t dice = below(100);
    a->how = HOW_OWN;
    a->bits = chance(3) ? random_bits() >> below(64) : below(4);
    if (dice < 45) return;
    if (dice < 60 && self.frame != NULL && self.frame->value != NULL && nesting(self.frame->value) < 4) {
        a->how = HOW_LENT;
    } else if (dice < 75 && (a->node = pick(POOL_VALUES)) != 0) {
        bool mine = script->nodes[a->node].thread == self.number && states[a->node].owns_values;
        a->how = mine ? HOW_NODE : HOW_OWN;
    } else if (dice < 95 || good || opt.off_bad_values) {
        a->small = (uint16_t)below((uint32_t)good_literal_count);
    } else if (dice < 97) {
        a->how = HOW_NULL;
    } else {
        a->small = (uint16_t)below((uint32_t)literal_count);
    }
}

/* Whether one of so many items of a value holds a group or a window; a value
 * that has more may. Lists that share their items are small and have no end. */
static bool may_hold_stream(const streams_value *value, int *left) {
    if (value->kind == STREAMS_VALUE_OBJECT && value->as.object == NULL) return true;
    if (value->kind != STREAMS_VALUE_LIST) return false;
    for (size_t i = 0; i < value->size; i++)
        if (--*left < 0 || may_hold_stream(&value->as.items[i], left)) return true;
    return false;
}

/* Lets nobody keep one that is lent: a subject may be in the stream that it is
 * made of, and would keep itself. */
static void leave_streams(argument *a, const function_info *f) {
    int left = 1000;
    if (self.frame == NULL || self.frame->value == NULL) return;
    if (!may_hold_stream(self.frame->value, &left)) return;
    bool looks = finds_group(f) || strcmp(f->name, "streams_group_key") == 0;
    if (looks && chance(2)) a->how = HOW_LENT;
    if (!looks && a->how == HOW_LENT) a->how = HOW_OWN;
}

uint64_t choose_demand(void) {
    const uint64_t demands[] = { 0, 1, 1, 1, 2, 3, 5, 1000, INT64_MAX, UINT64_MAX, UINT64_MAX,
        (uint64_t)INT64_MAX - 1 };
    return demands[below(sizeof demands / sizeof demands[0])];
}

static int64_t choose_count(void) {
    const int64_t counts[] = { 0, 1, 1, 2, 2, 3, 4, 10, -1, INT64_MAX, INT64_MIN, 4294967295, 4294967296 };
    return counts[below(chance(4) ? 13 : 8)];
}

/* An upstream that fails at once is tried as often as it is said, and retries in
 * retries multiply. */
static int64_t choose_retries(void) {
    const int64_t retries[] = { 0, 1, 1, 2, 3, -1, INT64_MIN };
    return retries[below(chance(4) ? 7 : 5)];
}

/* The same holds for what finishes at once. */
static uint64_t choose_times(void) {
    const uint64_t times[] = { 0, 1, 1, 1, 2, 2, 3 };
    return times[below(7)];
}

/* Streams that feed each other take as long as there are nanoseconds. What waits
 * for ever goes with its scheduler, which streams_run has none of. */
static int64_t choose_time(const function_info *f) {
    bool must_pass = strstr(f->name, "advance") != NULL || strcmp(f->name, "streams_run") == 0;
    if (script->library_threads && !must_pass && chance(8)) return FOR_EVER;
    const int64_t times[] = { 0, 1, 1, 2, 10, 100, 1000, -1, INT64_MIN };
    return times[below(chance(4) ? 9 : 7)];
}

/* Host functions that take values one by one take none at once. */
static void leave_batches(argument *a, const struct_info *s) {
    bool left = chance(3);
    for (int i = 0; i < s->count && !left; i++) {
        const param *field = &s->fields[i].what;
        if (field->kind != P_HOST_OBJECT) continue;
        size_t length = strlen(field->name);
        if (field->name[length - 1] == 's' && strncmp(field->name, "on_", 3) == 0) a->bits |= 1ull << i;
    }
}

static void choose_struct(argument *a, argument *items, int kind) {
    const struct_info *s = &structs[kind];
    a->how = HOW_OWN;
    a->node = pick(POOL_STRUCTS + kind);
    if (a->node != 0 && script->nodes[a->node].thread == self.number && states[a->node].has_struct) {
        a->how = HOW_NODE;
        return;
    }
    if (chance(60) && !opt.off_null) a->how = HOW_NULL;
    if (chance(60)) a->size = (uint8_t)(1 + below(4));
    for (int i = 0; i < s->count; i++)
        if (chance(5)) a->bits |= 1ull << i;
    leave_batches(a, s);
    a->bits |= random_bits() << 16;
    items[0].how = HOW_BITS;
    items[0].bits = choose_demand();
}

static bool is_called(const function_info *f, int i) {
    return f->params[i].kind == P_CALLBACK && callbacks[f->params[i].detail].role != ENDS_CONTEXT;
}

/* The library's own function of this shape, for a callable. */
static argument exported(int shape) {
    argument found = { .how = HOW_NULL };
    for (int k = 0; k < function_count; k++)
        if (functions[k].as_callback == shape && !opt.off_functions[k])
            found = (argument){ .how = HOW_EXPORT, .small = (uint16_t)k };
    return found;
}

static void choose_callback(node *n, const function_info *f, int i) {
    argument *a = &n->args[i];
    /* A tracker without a function writes where the fuzzer writes what it finds. */
    bool is_tracker = strncmp(f->name, "streams_tra", strlen("streams_tra")) == 0;
    a->how = chance(50) && !opt.off_null ? HOW_NULL : HOW_OWN;
    if (!is_called(f, i)) { /* a destroy */
        bool callable = n->args[i - 1].how == HOW_NODE;
        if (chance(8)) a->how = HOW_NULL;
        if (callable && a->how == HOW_OWN) {
            *a = exported(f->params[i].detail);
        }
        return;
    }
    /* The second of two functions has the context of the first. */
    if (i > 0 && is_called(f, i - 1)) {
        if (n->args[i - 1].how == HOW_EXPORT) *a = exported(f->params[i].detail);
        return;
    }
    argument *context = &n->args[is_called(f, i + 1) ? i + 2 : i + 1];
    context->how = HOW_OWN;
    if (is_tracker) a->how = HOW_OWN;
    argument export = exported(f->params[i].detail);
    if (a->how == HOW_NULL || opt.off_hosts || !chance(4) || export.how == HOW_NULL) return;
    argument callable;
    choose_callable(&callable, f->params[i].detail, true);
    if (callable.how != HOW_NODE) return;
    *a = export;
    *context = callable;
}

/* An array and its length, which follows it. */
static void choose_array(node *n, const function_info *f, int i) {
    argument *a = &n->args[i];
    int kind = f->params[i].kind;
    uint32_t most = kind == P_INT64S || kind == P_DOUBLES ? 64 : ITEMS;
    a->how = HOW_OWN;
    a->small = (uint16_t)below(chance(4) ? most + 1 : 4);
    if (chance(30) && !opt.off_null) a->how = HOW_NULL;
    n->args[i + 1].how = HOW_BITS;
    n->args[i + 1].bits = a->small;
    if (a->how == HOW_NULL) return;
    for (int k = 0; k < a->small && k < ITEMS; k++) {
        if (kind == P_HANDLES) choose_handle(&n->items[k], f->params[i].detail, f->params[i].consumed, false);
        if (kind == P_VALUES) {
            choose_value(&n->items[k], false);
            leave_streams(&n->items[k], f);
        }
        if (kind == P_HOST_OBJECTS) choose_host_object(&n->items[k], false, false);
    }
}

static void choose_text(node *n, const function_info *f, int i) {
    argument *a = &n->args[i];
    a->how = chance(20) && !opt.off_null ? HOW_NULL : HOW_OWN;
    a->small = (uint16_t)below((uint32_t)(chance(8) && !opt.off_bad_values ? text_count : good_text_count));
    /* Few names, so that some are there. */
    bool names = strcmp(f->params[i].name, "name") == 0 || strcmp(f->params[i].name, "key") == 0;
    if (names && !chance(8)) a->small = (uint16_t)below(2);
    if (f->params[i].kind == P_CSTRING) return;
    n->args[i + 1].how = HOW_BITS;
    n->args[i + 1].bits = a->how == HOW_NULL ? below(2) : text_lengths[a->small];
    if (f->params[i].kind == P_BUFFER) n->args[i + 1].bits = a->how == HOW_NULL ? 0 : below(65);
    if (chance(200) && f->params[i].kind != P_BUFFER) n->args[i + 1].bits = UINT32_MAX + 1ull;
}

/* Whether the function is one that may be given the publisher of a group, and is given one. */
static bool choose_group(argument *a, const function_info *f) {
    bool subscribes = f->result.detail == STREAMS_KIND_CANCELLABLE && takes(f, P_STRUCT);
    if (!subscribes && f->role != GIVES_UP && f->role != ADDS) return false;
    if (!chance(subscribes ? 3 : 20)) return false;
    *a = (argument){ .how = HOW_NODE, .node = pick_alive(POOL_GROUPS, true) };
    return a->node != 0;
}

void choose_argument(node *n, const function_info *f, int i) {
    argument *a = &n->args[i];
    const param *what = &f->params[i];
    a->how = HOW_BITS;
    switch (what->kind) {
    case P_HANDLE:
        if (f->as_callback >= 0 && i == 0 && f->role != GIVES_UP)
            choose_callable(a, f->as_callback, false);
        else if (!choose_group(a, f))
            choose_handle(a, what->detail, what->consumed, f->role == GIVES_UP);
        break;
    case P_HANDLES:
    case P_VALUES:
    case P_INT64S:
    case P_DOUBLES:
    case P_HOST_OBJECTS: choose_array(n, f, i); break;
    case P_CSTRING:
    case P_TEXT:
    case P_BYTES:
    case P_BUFFER: choose_text(n, f, i); break;
    case P_VALUE:
        choose_value(a, false);
        leave_streams(a, f);
        break;
    case P_INOUT_VALUE:
        choose_value(a, true);
        /* A value that is lent is not the caller's to end. */
        if (a->how == HOW_LENT ||
            (a->how == HOW_NODE && (states[a->node].busy || states[a->node].values_count > 1)))
            a->how = HOW_OWN;
        break;
    case P_CALLBACK: choose_callback(n, f, i); break;
    case P_CONTEXT:
        if (a->how == HOW_BITS && n->args[i - 1].how != HOW_EXPORT) a->how = HOW_OWN;
        break;
    case P_STRUCT: choose_struct(a, n->items, what->detail); break;
    case P_OUT_VALUE:
        a->how = chance(40) && !opt.off_null ? HOW_NULL : HOW_OWN;
        if (chance(40) && f->params[0].kind == P_VALUE && n->args[0].how == HOW_OWN) a->how = HOW_SAME;
        break;
    case P_OUT_VALUES:
    case P_OUT_HANDLE:
    case P_OUT_SCALAR:
    case P_OUT_STRUCT: a->how = chance(40) && !opt.off_null ? HOW_NULL : HOW_OWN; break;
    case P_HOST:
        a->how = chance(25) ? HOW_BITS : HOW_OWN, a->bits = chance(2) ? 0 : random_bits() >> 40;
        break;
    case P_HOST_TABLE:
        a->how = chance(20) ? HOW_NULL : HOW_OWN, a->bits = below(40), a->size = (uint8_t)below(5);
        break;
    case P_HOST_OBJECT:
        choose_host_object(
            a, f->result.kind == P_HANDLE && f->result.detail == STREAMS_KIND_CALLABLE,
            !chance(3)  ? STREAMS_KIND_NONE
            : chance(2) ? STREAMS_KIND_PUBLISHER
            : chance(2) ? STREAMS_KIND_PROPERTY
                        : STREAMS_KIND_ERROR);
        break;
    case P_BOOL: a->bits = below(2); break;
    case P_OFFSET: a->bits = choose_offset(f); break;
    case P_INT64:
        a->bits = (uint64_t)(strcmp(what->name, "retries") == 0 ? choose_retries() : choose_count());
        break;
    case P_TIME: a->bits = (uint64_t)choose_time(f); break;
    case P_UINT64:
        a->bits = strcmp(what->name, "times") == 0 ? choose_times() : choose_demand();
        break;
    case P_SIZE: a->bits = chance(20) ? (uint64_t)1024 * below(2) * (1 + random_bits()) : 1 + below(3); break;
    case P_DOUBLE: a->bits = below(10); break;
    case P_ENUM: a->bits = chance(10) ? 0x7fffffff : below(20); break;
    default: break;
    }
}

/* What a callback hands over. */
argument choose_out(int kind, int detail) {
    argument out;
    if (kind == P_VALUE) {
        choose_value(&out, false);
    } else {
        choose_handle(&out, detail, true, true);
        /* A property whose source is made of itself keeps itself. */
        if (out.how == HOW_NODE && states[out.node].watches) out.how = HOW_NULL;
    }
    return out;
}
