/* Runs one operation and checks what it answered. */
#include "arguments.h"
#include "choose.h"

/* What is known about an operation's handles before it runs. */
typedef struct expectation {
    record *given_up[PARAMS + ITEMS];
    int given_up_count;
    bool surely_bad; /* a handle that is not NULL and cannot be taken */
} expectation;

static bool alive(const record *r) {
    return r != NULL && (r->references > 0 || r->lent > 0 || r->ever_lent || r->given);
}

static void expect_handle(expectation *e, const param *what, uint64_t token, bool gives_up) {
    record *r = find_record(token);
    if (token == 0) return;
    bool fits = alive(r) && (what->detail == 0 || r->kind == what->detail);
    if (!fits) e->surely_bad = true;
    if (gives_up && fits && r->references > 0) {
        r->references--;
        e->given_up[e->given_up_count++] = r;
    } else if (gives_up && !is_concurrent() && !(r != NULL && r->given)) {
        e->surely_bad = true;
    }
}

static void expect_handles(expectation *e, const function_info *f, const node *n, const slot *a) {
    for (int i = 0; i < f->count; i++) {
        const param *what = &f->params[i];
        bool takes = what->consumed || f->role == GIVES_UP;
        if (what->kind == P_HANDLE) expect_handle(e, what, a[i].u, takes);
        if (what->kind == P_HANDLES && a[i].p != NULL)
            for (int k = 0; k < n->args[i].small; k++)
                expect_handle(e, what, (uint64_t)(uintptr_t)((void **)a[i].p)[k], takes);
        /* A callable that goes with its own destroy is given away. */
        bool given =
            what->kind == P_CONTEXT && n->args[i].how == HOW_NODE && i + 1 < f->count && a[i + 1].f != NULL;
        if (given) {
            record *r = find_record(a[i].u);
            if (r != NULL && r->references > 0) {
                r->references--;
                r->given = true;
            } else if (r != NULL) {
                r->overdrawn = true;
            }
        }
    }
}

static uint32_t context_of_handle(const function_info *f, const slot *a) {
    for (int i = 0; i < f->count; i++) {
        record *r = f->params[i].kind == P_HANDLE ? find_record(a[i].u) : NULL;
        if (r != NULL && r->context != 0) return r->context;
    }
    return 0;
}

/* Writes down which context the call is given, before any of its callbacks can run. */
static void give_context(uint32_t number, const function_info *f, const node *n) {
    state *its = &states[number];
    for (int i = 0; i < f->count; i++) {
        const param *what = &f->params[i];
        if (what->kind == P_CONTEXT && n->args[i].how == HOW_OWN)
            its->given = i + 1 < f->count && n->args[i + 1].how == HOW_OWN ? GIVEN_WITH_DESTROY : GIVEN;
        if (what->kind == P_OBJECT) {
            /* retain and release are the first two callbacks. */
            its->counted = n->args[i - 1].how == HOW_OWN && (n->args[i - 1].bits & 6) == 0;
            its->given = GIVEN;
        }
        if (what->kind != P_STRUCT || n->args[i].how != HOW_OWN || n->args[i].size != 0) continue;
        const struct_info *s = &structs[what->detail];
        for (int k = 0; k < s->count; k++) {
            const param *field = &s->fields[k].what;
            bool set = !(n->args[i].bits >> k & 1);
            if (field->kind == P_CONTEXT) its->given = GIVEN;
            if (field->kind == P_UINT64) demand(number, n->items[0].bits);
            if (field->kind != P_CALLBACK || !set) continue;
            if (callbacks[field->detail].role == ENDS_STATE) its->has_close = true;
            if (callbacks[field->detail].role == SUBSCRIBED) its->has_subscribed = true;
            if (callbacks[field->detail].role == ENDS_CONTEXT) its->given = GIVEN_WITH_DESTROY;
        }
    }
}

/* Whether a failure of the function is to leave its name in the thread's last error. */
static bool leaves_error(const function_info *f) {
    /* What a callable's function raises is told to the stream, not to the thread. */
    return f->as_callback < 0 && f->role != ALWAYS_FAILS && f->result.kind != P_VOID;
}

static void check_last_error(const function_info *f, streams_status status) {
    if (streams_last_status() == status && strcmp(streams_last_function(), f->name) == 0) return;
    violation("last error: %s answers %s, and the last error is %s of \"%s\"", f->name,
        streams_status_name(status), streams_status_name(streams_last_status()), streams_last_function());
}

static streams_status status_of(const function_info *f, const slot *r) {
    switch (f->result.kind) {
    case P_STATUS: return strcmp(f->name, "streams_last_status") == 0 ? STREAMS_OK : (streams_status)r->u;
    case P_HANDLE:
    case P_HOST_OBJECT:
    case P_METHOD: return r->p != NULL ? STREAMS_OK : streams_last_status();
    case P_VOID:
    case P_ENUM: return STREAMS_OK;
    default: break;
    }
    /* What has called back may have left others' errors. */
    bool has_called_back = takes(f, P_CALLBACK) && r->u != 0;
    bool can_fail = f->count > 0 && f->params[0].kind == P_HANDLE && !has_called_back;
    return can_fail ? streams_last_status() : STREAMS_OK;
}

static void check_status(
    const function_info *f, streams_status status, const slot *r, const expectation *e) {
    bool pointer =
        f->result.kind == P_HANDLE || f->result.kind == P_HOST_OBJECT || f->result.kind == P_METHOD;
    /* streams_last_error has nothing to tell most of the time, and that is no failure. */
    bool failed = status != STREAMS_OK || (pointer && r->p == NULL && f->statuses != 0);
    if (f->role == ALWAYS_FAILS && !failed) violation("status: %s answers STREAMS_OK", f->name);
    if (!failed && e->surely_bad && !is_concurrent() && f->result.kind != P_VOID &&
        f->result.kind != P_ENUM)
        violation(
            "bad handle: %s takes a handle that is stale, of another kind, or not the caller's to give up",
            f->name);
    if (!failed) return;
    if (leaves_error(f)) check_last_error(f, pointer && status == STREAMS_OK ? STREAMS_STATUS_LAST : status);
    if (pointer && strcmp(streams_last_function(), f->name) != 0) return;
    /* It answers with the status that it is given. */
    bool is_given = f->role == ALWAYS_FAILS && takes(f, P_ENUM);
    if (!is_given && (status < 0 || status > 31 || !(f->statuses >> status & 1)))
        violation(
            "status: %s answers %s, which its comment does not name", f->name, streams_status_name(status));
}

/* A callable passes on what its function returns, which may be any number. */
static bool is_handle(uint64_t token, int kind) {
    return (int)streams_handle_kind((const void *)(uintptr_t)token) == kind;
}

static void keep_results(
    uint32_t number, const function_info *f, streams_status status, slot *r, room *room) {
    state *its = &states[number];
    const node *n = &script->nodes[number];
    if (f->result.kind == P_HANDLE && r->p != NULL) {
        record *old = find_record(r->u);
        if (old != NULL && !is_concurrent())
            violation("token: %s returns a handle that has been given out before", f->name);
        note_handle(r->u, f->result.detail, 1, f->result.detail == STREAMS_KIND_CANCELLABLE ? number : 0);
        its->handle = r->u;
        remember(number, finds_group(f) ? POOL_GROUPS : f->result.detail);
    }
    if (f->result.kind == P_METHOD && r->p != NULL) its->method = r->f, call_method(number);
    if (f->result.kind == P_HOST_OBJECT && r->p != NULL) drop_host_object(r->p);
    for (int i = 0; i < f->count; i++) {
        int kind = f->params[i].kind;
        if (n->args[i].how == HOW_NULL) continue;
        if (kind == P_OUT_HANDLE && status == STREAMS_OK &&
            is_handle(room->out_handle, f->params[i].detail)) {
            note_handle(room->out_handle, f->params[i].detail, 1, 0);
            its->handle = room->out_handle;
            remember(number, f->params[i].detail);
        }
        if (kind == P_OUT_VALUE || kind == P_OUT_VALUES) {
            if (n->args[i].how == HOW_SAME) continue;
            its->values_count = kind == P_OUT_VALUE ? 1 : (int)n->args[i - 1].bits;
            for (int k = 0; k < its->values_count && status != STREAMS_OK; k++)
                if (its->values[k].kind != STREAMS_VALUE_NULL || its->values[k].owner != NULL)
                    violation("out: %s fails and leaves a value", f->name);
            its->owns_values = status == STREAMS_OK;
            if (its->owns_values) remember(number, POOL_VALUES);
        }
        if (kind == P_OUT_STRUCT && status == STREAMS_OK) {
            its->has_struct = true;
            remember(number, POOL_STRUCTS + f->params[i].detail);
        }
    }
}

/* What the call takes is nobody else's from now on. */
static void forget_arguments(const function_info *f, const node *n) {
    for (int i = 0; i < f->count; i++) {
        if (n->args[i].how != HOW_NODE) continue;
        if (f->params[i].kind == P_STRUCT) states[n->args[i].node].has_struct = false;
        if (f->params[i].kind == P_INOUT_VALUE) states[n->args[i].node].owns_values = false;
    }
}

/* Whether somebody else has to stop what it runs. */
bool needs_stop(const node *n) {
    const function_info *f = &functions[n->what];
    return f->role == RUNS_LOOP && (f->count == 1 || (int64_t)n->args[1].bits == FOR_EVER);
}

void run_operation(uint32_t number) {
    const node *n = &script->nodes[number];
    const function_info *f = &functions[n->what];
    slot a[PARAMS] = { { 0 } }, r = { 0 };
    room room;
    expectation e = { .given_up_count = 0 };
    fill_arguments(number, a, &room);
    room.out_handle = 0;
    forget_arguments(f, n);
    expect_handles(&e, f, n, a);
    give_context(number, f, n);
    uint32_t context = context_of_handle(f, a);
    if (f->role == REQUESTS && context != 0) demand(context, a[1].u);
    frame *outer = self.frame;
    streams_clear_last_error();
    shared->calls[self.number]++;
    int stopped = needs_stop(n) ? stop_soon(a[0].u) : -1;
    invoke(n->what, a, &r);
    stop_no_more(stopped);
    self.frame = outer;
    streams_status status = status_of(f, &r);
    shared->called[n->what]++;
    if (status == STREAMS_OK) shared->succeeded[n->what]++;
    if (outer != NULL) note_triple(outer, n->what);
    if (status == STREAMS_OK && f->role == CANCELS) was_cancelled(context);
    if (status == STREAMS_OK && f->role == ADDS) note_handle(a[0].u, 0, 1, 0);
    /* What a failed release did not take. */
    if (f->role == GIVES_UP && status != STREAMS_OK)
        for (int i = 0; i < e.given_up_count; i++) e.given_up[i]->references++;
    bool last = f->role == GIVES_UP && status == STREAMS_OK && e.given_up_count == 1 &&
                e.given_up[0]->references == 0;
    if (last && e.given_up[0]->kind == STREAMS_KIND_CANCELLABLE && !is_concurrent())
        was_cancelled(e.given_up[0]->context);
    if (status == STREAMS_INVALID_SIZE && states[number].given == GIVEN_WITH_DESTROY)
        states[number].given = 0;
    if (f->role == RETIRES && status == STREAMS_OK) after_retire((uint32_t)a[0].u);
    check_status(f, status, &r, &e);
    keep_results(number, f, status, &r, &room);
    drop_arguments(number, &room);
}

void drop_struct(uint32_t number) {
    state *its = &states[number];
    const function_info *f = &functions[script->nodes[number].what];
    its->has_struct = false;
    for (int i = 0; i < f->count; i++) {
        if (f->params[i].kind != P_OUT_STRUCT) continue;
        const struct_info *info = &structs[f->params[i].detail];
        void *context = NULL;
        streams_destroy_fn destroy = NULL;
        for (int k = 0; k < info->count; k++) {
            const void *at = its->struct_ + info->fields[k].offset;
            if (info->fields[k].what.kind == P_CONTEXT) memcpy(&context, at, sizeof context);
            if (strcmp(info->fields[k].what.name, "destroy") == 0) memcpy(&destroy, at, sizeof(void *));
        }
        if (destroy != NULL) destroy(context);
    }
}
