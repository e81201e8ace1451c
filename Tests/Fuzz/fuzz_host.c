/* The host's part of a sequence: its objects, and what its functions do. */
#include "arguments.h"
#include "mock_host.h"

enum { FIELD_FREED = FIELDS - 3,
    FIELD_ASKED = FIELDS - 2 };

static uint32_t host;
static _Atomic bool is_retired, has_raise;
static int live_at_begin;
static int cb_call = -1, cb_release, cb_ask;

static int callback_named(const char *name) {
    for (int i = 0; i < callback_count; i++)
        if (strcmp(callbacks[i].name, name) == 0) return i;
    return 0;
}

static void fault(const char *what) { violation("%s", what); }

void begin_host(void) {
    if (cb_call < 0) {
        mock_fault = fault;
        cb_call = callback_named("streams_host.call");
        cb_release = callback_named("streams_host.release");
        cb_ask = callback_named("streams_host.equals");
    }
    if (is_retired) host = 0, mock_finalize_owners(NULL);
    is_retired = false;
    mock_retire(false);
    /* A host that is retired is not told of the ends of threads. */
    mock_kept_threads = 0;
    live_at_begin = mock_live_objects();
}

/* Threads would register one each. */
void register_host(void) {
    if (is_concurrent() && !opt.off_hosts) (void)current_host();
}

/* A host that has not been retired before this sequence. */
uint32_t current_host(void) {
    if (host == 0) {
        streams_host table = mock_table(script->seed & 1);
        if (streams_host_register(&table, &host) != STREAMS_OK)
            exit(0); /* the process has had all of its hosts */
    }
    return host;
}

/* The host keeps the object that raises errors until it gets another one. */
void end_host(void) {
    lose_owners(true);
    /* Releasing it can give the host another one. */
    while (has_raise && !is_retired) {
        has_raise = false;
        mock_enter();
        mock_object *null = mock_null();
        (void)streams_host_send_method(host, null, 0);
        mock_release(null);
        mock_leave();
    }
    has_raise = false;
}

/* Nobody has called the host on this thread: nothing can be pending. */
void check_pending(void) {
    if (mock_pending != NULL && !is_retired)
        violation("host: \"%s\" is left pending", mock_pending->text);
    mock_clear_error();
}

void check_host(void) {
    const mock_object *one = mock_newest();
    if (!is_retired && mock_kept_threads != 0)
        violation("leak: the host keeps something for %d threads that have ended", mock_kept_threads);
    if (is_retired || mock_live_objects() == live_at_begin) return;
    violation("leak: %d objects of the host are alive after all was released; one of kind %d, made by "
              "operation %u, with %td references",
        mock_live_objects() - live_at_begin, one->kind, one->id, (ptrdiff_t)one->references);
}

void after_retire(uint32_t number) {
    if (number != host || host == 0) return;
    is_retired = true;
    if (!is_concurrent()) mock_retire(true);
}

/* ---- What its functions do --------------------------------------------------- */

static mock_object *call_result(
    uint32_t answer, const mock_object *self, mock_object *const *arguments, size_t count) {
    static const argument none;
    const argument *result = answer ? &script->nodes[answer].args[0] : &none;
    const argument *out = answer ? &script->nodes[answer].args[1] : &none;
    if (result->how == HOW_FAIL) return mock_raise("a function of the host fails");
    if (self->integer != STREAMS_KIND_NONE) { /* it makes handles of this kind */
        uint64_t token = out->how == HOW_NODE ? (uint64_t)states[out->node].handle : 0;
        record *r = find_record(token);
        if (r == NULL || r->kind != self->integer || r->references <= 0) token = 0;
        if (token == 0) return mock_int((int64_t)new_handle((int)self->integer));
        r->references--;
        return mock_int((int64_t)token);
    }
    if (result->how == HOW_BITS) return mock_int((int64_t)result->bits);
    /* A handle that it is lent is not its own to hand over. */
    bool is_lent = count > 0 && arguments[0]->kind == MOCK_INT &&
                   streams_handle_kind((void *)(uintptr_t)arguments[0]->integer) != STREAMS_KIND_NONE;
    if (count == 0 || is_lent) return mock_null();
    mock_retain(arguments[count - 1]);
    return arguments[count - 1];
}

static void choose_call_result(uint32_t answer, const mock_object *self) {
    node *n = &script->nodes[answer];
    if (chance(8))
        n->args[0].how = HOW_FAIL;
    else if (chance(2))
        n->args[0] = (argument){ .how = HOW_BITS, .bits = below(3) };
    if (self->integer != STREAMS_KIND_NONE) n->args[1] = choose_out(P_HANDLE, (int)self->integer);
}

static mock_object *hook(mock_object *self_, int event, mock_object *const *arguments, size_t count) {
    int callback = event == MOCK_CALLED ? cb_call : event == MOCK_FREED ? cb_release
                                                                        : cb_ask;
    int field = event == MOCK_CALLED ? (int)self_->sub : event == MOCK_FREED ? FIELD_FREED
                                                                             : FIELD_ASKED;
    frame here = { .outer = self.frame, .context = self_->id, .callback = callback };
    record *lent = NULL;
    /* A handle comes as an integer. */
    if (count > 0 && arguments[0]->kind == MOCK_INT) {
        uint64_t token = (uint64_t)arguments[0]->integer;
        here.handle_kind = (int)streams_handle_kind((const void *)(uintptr_t)token);
        if (here.handle_kind != STREAMS_KIND_NONE) {
            here.handle = token;
            lent = note_handle(token, here.handle_kind, 0, 0);
            lent->lent++;
            lent->ever_lent = true;
        }
    }
    enter_thread();
    self.frame = &here;
    /* The library may wait for another thread: as ctypes does, the lock is given away before it is called. */
    void *given_away = mock_suspend();
    uint32_t answer = answer_call(callback, self_->id, field, self_->sub, here.handle, here.handle_kind);
    mock_resume(given_away);
    if (answer != 0 && !replaying && event == MOCK_CALLED) choose_call_result(answer, self_);
    self.frame = here.outer;
    if (lent != NULL) lent->lent--;
    leave_thread();
    return event == MOCK_CALLED ? call_result(answer, self_, arguments, count) : NULL;
}

/* ---- Objects ------------------------------------------------------------------ */

void choose_host_object(argument *a, bool callable_only, int handed) {
    memset(a, 0, sizeof *a);
    a->how = HOW_OWN;
    a->small = (uint16_t)(callable_only ? OBJECT_FUNCTION : (int)below(OBJECT_KINDS));
    a->bits = callable_only ? (uint64_t)handed : a->small == OBJECT_FUNCTION ? 0
                                                                             : below(5);
    if (chance(40) && !opt.off_null) a->how = HOW_NULL;
}

static mock_object *made(const argument *a, uint32_t number, int sub) {
    mock_object *object;
    switch (a->small) {
    case OBJECT_TEXT: object = mock_text("host", 4); break;
    case OBJECT_NULL: return mock_null();
    case OBJECT_LIST:
        object = mock_list(a->bits);
        for (size_t i = 0; i < a->bits; i++)
            object->items[i] = i == 3 ? mock_create(MOCK_SPITEFUL) : mock_int((int64_t)i);
        break;
    case OBJECT_FUNCTION:
        object = mock_function(hook, number, (uint32_t)sub);
        object->integer = (int64_t)a->bits;
        return object;
    case OBJECT_SPITEFUL: object = mock_create(MOCK_SPITEFUL); break;
    case OBJECT_DOUBLE: object = mock_create(MOCK_DOUBLE); break;
    default: object = mock_int((int64_t)a->bits);
    }
    object->hook = hook;
    object->id = number;
    return object;
}

void *make_host_object(const argument *a, uint32_t number, int sub) {
    if (a->how == HOW_NULL) return NULL;
    mock_enter();
    mock_object *object = made(a, number, sub);
    mock_leave();
    return object;
}

void *make_host_owner(void *const *functions, int count) {
    mock_enter();
    mock_object *owner = mock_owner((mock_object *const *)functions, (size_t)count);
    mock_leave();
    return owner;
}

void lose_owners(bool all) {
    mock_enter();
    mock_lose_owners(all);
    mock_leave();
}

void drop_host_object(void *object) {
    if (object == NULL) return;
    mock_enter();
    mock_release(object);
    mock_leave();
}

void host_table_for(const argument *a, streams_host *table) {
    *table = mock_other_table(a->bits & 1);
    if (a->size == 1) table->size = a->bits;
    char *at = (char *)table + a->bits * sizeof(void *);
    if (a->bits > 0 && (a->bits + 1) * sizeof(void *) <= sizeof *table) memset(at, 0, sizeof(void *));
}

/* ---- What it calls without its own machinery ---------------------------------- */

/* The functions that streams_host_call is given: some that any handle may be passed to. */
static const streams_host_function called[] = {
    { "streams_handle_kind", (void *)streams_handle_kind, 1, 0, true },
    { "streams_cancel", (void *)streams_cancel, 1, 0, true },
    { "streams_subscription_cancel", (void *)streams_subscription_cancel, 1, 0, true },
    { "streams_subscription_request", (void *)streams_subscription_request, 2, 0, true },
    { "streams_subject_send_completion", (void *)streams_subject_send_completion, 2, 0, true },
    { "streams_error_code", (void *)streams_error_code, 1, 1, true }, /* an object for a handle */
};

static mock_object *call_function(
    uint32_t number, streams_call_fn call, mock_object *handle, mock_object *object) {
    const streams_host_function *function = &called[number % (sizeof called / sizeof *called)];
    mock_object *self = mock_int((int64_t)(intptr_t)function);
    void *arguments[] = { handle, object };
    mock_object *result = call(self, arguments, number % 7 == 0 ? 0 : (ptrdiff_t)function->parameters);
    mock_release(self);
    return result;
}

/* What is released is a reference of its own, if the handle is any good. */
static mock_object *call_close(streams_method_fn close, mock_object **self, uint64_t token) {
    void *handle = (void *)(uintptr_t)token;
    mock_object *before = self[0];
    for (int i = 0; i < 2; i++) mock_retain(self[i]);
    bool has_own = streams_retain(handle) == STREAMS_OK;
    mock_object *result = close((void *)self, NULL);
    if (has_own && self[0] == before && self[1] == before) streams_release(handle);
    for (int i = 0; i < 2; i++) mock_release(self[i]);
    return result;
}

bool gives_finalizer(const function_info *f) { return strcmp(f->name, "streams_host_owner_finalizer") == 0; }

uint64_t choose_offset(const function_info *f) {
    if (chance(10)) return (uint64_t)-8;
    return gives_finalizer(f) ? offsetof(mock_object, lost) : 8 * below(2);
}

/* No owner may go between the two. */
void invoke(int function, slot *a, slot *r) {
    if (!gives_finalizer(&functions[function])) {
        fuzz_invoke(function, a, r);
        return;
    }
    mock_enter();
    fuzz_invoke(function, a, r);
    if (r->p != NULL) mock_finalize_owners((streams_finalizer_fn)r->f);
    mock_leave();
}

/* Calls what a function has returned, as the host would: with the lock held. */
void call_method(uint32_t number) {
    const node *n = &script->nodes[number];
    const char *name = functions[n->what].name;
    uint64_t token =
        n->items[0].how == HOW_NODE ? (uint64_t)states[n->items[0].node].handle : n->items[0].bits;
    has_raise = true;
    if (is_retired || gives_finalizer(&functions[n->what])) return;
    mock_enter();
    mock_object *handle = mock_int((int64_t)token);
    mock_object *object = n->items[1].how == HOW_NULL ? mock_null() : made(&n->items[1], number, 2);
    /* What the method is called on holds the handle wherever it may be looked for. */
    mock_object *self[2] = { handle, handle }, *result = NULL;
    streams_host_attribute named = { number % 2 ? "charge" : "name", number % 5 ? NULL : object };
    void (*method)(void) = states[number].method;
    if (strcmp(name, "streams_host_value_setter") == 0) {
        (void)((streams_setter_fn)method)(self, object, &named);
    } else if (strcmp(name, "streams_host_call") == 0) {
        result = call_function(number, (streams_call_fn)method, handle, object);
    } else if (strcmp(name, "streams_host_close_method") == 0) {
        result = call_close((streams_method_fn)method, self, token);
    } else {
        bool is_getter = strcmp(name, "streams_host_value_getter") == 0;
        result = ((streams_method_fn)method)(self, is_getter ? (void *)&named : object);
    }
    if (result != NULL) mock_release(result);
    mock_clear_error();
    mock_release(object);
    mock_release(handle);
    mock_leave();
}
