/* Makes up arguments: mostly such as can work, and any that cannot. */

#include <limits.h>
#include <unistd.h>

#include "fuzz_nats.h"

/* ---- Handles ------------------------------------------------------------------------------------------ */

static streams_nats_connection *connections[2], *stale, *closed;
static streams_publisher *another_kind;
static streams_subject *subject;
static streams_value object;
static char long_text[2000];

void arguments_begin(void) {
    static const streams_object_type type = STREAMS_OBJECT_TYPE_INIT;
    connections[0] = connect_to(&steady);
    connections[1] = connect_soon(&mortal, -1);
    stale = connect_soon(&steady, -1);
    closed = connect_soon(&steady, -1);
    (void)streams_nats_release(stale);
    (void)streams_nats_close(closed);
    another_kind = streams_empty(true);
    subject = streams_passthrough_subject_create();
    (void)streams_value_object(&type, &contexts, &object);
    memset(long_text, 'a', sizeof long_text - 1);
}

void arguments_end(void) {
    /* Nothing that was said has made the server end the connection. */
    if (streams_nats_flush(connections[0], 5 * STREAMS_SECOND) != STREAMS_OK)
        wrong("the connection does not stand any more: %s", streams_last_message());
    for (int i = 0; i < 2; i++) (void)streams_nats_release(connections[i]);
    (void)streams_nats_release(closed);
    (void)streams_release(another_kind);
    (void)streams_release(subject);
    (void)streams_value_destroy(&object);
}

/* Connections that others use are not closed. */
static void *some_connection(const function_info *f, room *r) {
    bool closes = strcmp(f->name, "streams_nats_close") == 0;
    bool releases = strcmp(f->name, "streams_nats_release") == 0;
    void *const bad[] = { NULL, stale, another_kind, &contexts, (void *)(uintptr_t)below(UINT_MAX) };
    r->bad_connection = chance(5);
    if (r->bad_connection) return bad[below(5)];
    streams_nats_connection *good = closes || chance(12) ? closed : connections[chance(4)];
    if (releases && streams_nats_retain(good) != STREAMS_OK) wrong("a connection is not retained");
    return good;
}

static streams_publisher *some_failure(void) {
    streams_error *error = streams_error_create(1, "fuzz", "fails", NULL);
    streams_publisher *made = streams_fail(error);
    (void)streams_release(error);
    return made;
}

static streams_publisher *some_publisher(bool *good) {
    const streams_value *value = some_value();
    void *const bad[] = { NULL, subject, &contexts, (void *)(uintptr_t)below(UINT_MAX) };
    streams_publisher *made = NULL;
    *good = !chance(6);
    if (!*good) return bad[below(4)];
    if (value != NULL && chance(2)) made = streams_repeat(streams_just(value), below(5));
    if (made == NULL && chance(3)) made = some_failure();
    if (made == NULL && chance(3)) made = streams_subject_publisher(subject);
    return made != NULL ? made : streams_empty(true);
}

/* ---- Values ------------------------------------------------------------------------------------------- */

static _Thread_local streams_value given[ITEMS];
static _Thread_local int given_count;

void forget_values(void) {
    while (given_count > 0) (void)streams_value_destroy(&given[--given_count]);
}

static bool make_message(streams_value *out) {
    streams_value payload = streams_text("7");
    const char *headers[] = { "H", "value", "H", "another" };
    const char *id = chance(2) ? "id" : NULL;
    return streams_nats_message_to("s.a", &payload, headers, below(3), id, out) == STREAMS_OK;
}

const streams_value *some_value(void) {
    static streams_value bad[] = { { .kind = 99, .size = 7 }, { .kind = STREAMS_VALUE_BYTES, .size = 7 },
        { .kind = STREAMS_VALUE_OBJECT } };
    if (given_count == ITEMS) return NULL;
    streams_value *out = &given[given_count];
    *out = streams_null();
    switch (below(12)) {
    case 0: return NULL;
    case 1: return &bad[below(3)];
    case 2: return &object;
    case 3: *out = streams_int(7); break;
    case 4: *out = streams_text("7"); break;
    case 5: *out = streams_bytes(long_text, below(sizeof long_text)); break;
    case 6: break;
    case 7: (void)make_message(out); break;
    default:
        if (!kept_message(out)) (void)make_message(out);
    }
    given_count++;
    return out;
}

/* ---- Text and numbers --------------------------------------------------------------------------------- */

static const char *right_text(const char *name) {
    static const struct {
        const char *name, *text;
    } right[] = { { "stream", "S" }, { "durable", "d" }, { "consumer", "d" }, { "filter", "s.>" },
        { "subject", "s.a" }, { "bucket", "b" }, { "key", "k" }, { "header", "H" },
        { "credentials_file", "/dev/null" } };
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++)
        if (strcmp(name, right[i].name) == 0) return right[i].text;
    return NULL;
}

const char *some_text(const char *name) {
    static const char *const texts[] = { NULL, "", "a", "b", "a.b", "a b", "a.*", ">", ".", "a..b",
        "a\r\nPUB x 0", "\"", "\\", "\xff\xfe", "\xc3\xbc", "$JS.API.INFO", "$KV.b.k", "\t", "-", long_text };
    if (strcmp(name, "servers") == 0) {
        const char *const servers[] = { mortal.url, mortal.url, steady.url, "", "nats://127.0.0.1:x", "a b" };
        return servers[below(6)];
    }
    if (strcmp(name, "name") == 0 && !chance(3)) return chance(2) ? "S" : "b";
    return chance(4) ? texts[below(sizeof texts / sizeof texts[0])] : right_text(name);
}

/* Nothing is waited for long. */
static int64_t some_number(const param *what) {
    static const int64_t numbers[] = { 0, 1, -1, 3, 64, 65, INT_MAX, (int64_t)INT_MAX + 1, INT64_MAX,
        INT64_MIN };
    if (strcmp(what->name, "timeout") == 0) return chance(3) ? -below(2) : below(20) * STREAMS_MILLISECOND;
    if (what->kind == P_TIME && !chance(3)) return below(50) * STREAMS_MILLISECOND;
    return chance(3) ? numbers[below(10)] : below(3);
}

static size_t some_size(size_t right) {
    const size_t sizes[] = { 0, 1, right - 1, right + 8, SIZE_MAX };
    return chance(8) ? sizes[below(5)] : right;
}

/* ---- Structs ------------------------------------------------------------------------------------------ */

/* Most are 0, so that most structs can be used. */
static int64_t some_field(const param *what) { return chance(8) ? some_number(what) : 0; }

static void fill_field(const param *what, void *at, size_t whole, room *r) {
    if (what->kind == P_SIZE) *(size_t *)at = some_size(whole);
    if (what->kind == P_CSTRING) *(const char **)at = some_text(what->name);
    if (what->kind == P_TEXTS) *(const char *const **)at = chance(3) ? NULL : r->texts;
    if (what->kind == P_COUNT) *(size_t *)at = chance(12) ? SIZE_MAX : below(3);
    if (what->kind == P_ENUM) *(int *)at = chance(6) ? (int)below(9) - 1 : (int)below(2);
    if (what->kind == P_BOOL) *(bool *)at = below(2);
    if (what->kind == P_CONTEXT) *(void **)at = &contexts;
    if (what->kind == P_INT64 || what->kind == P_TIME || what->kind == P_UINT64)
        *(int64_t *)at = some_field(what);
    if (what->kind != P_CALLBACK) return;
    bool destroys = callbacks[what->detail].role == ENDS_CONTEXT;
    void (*function)(void) = destroys || chance(2) ? trampolines[what->detail] : NULL;
    memcpy(at, &function, sizeof function);
    if (destroys) r->gives_context = true;
}

static void *some_struct(const struct_info *info, room *r) {
    memset(r->structure, 0, sizeof r->structure);
    for (int i = 0; i < TEXTS; i++) r->texts[i] = some_text("subject");
    for (int i = 0; i < info->count; i++)
        /* Many that mean nothing leave the others alone. */
        if (info->fields[i].what.kind != P_CSTRING || i < 4 || chance(6))
            fill_field(&info->fields[i].what, r->structure + info->fields[i].offset, info->size, r);
    /* The library does not know where the context is in a struct of another size. */
    if (*(size_t *)(void *)r->structure != info->size) r->gives_context = false;
    return r->structure;
}

/* ---- Arguments ---------------------------------------------------------------------------------------- */

static void *some_handle(const function_info *f, const param *what, room *r, bool *good) {
    if (what->detail == STREAMS_KIND_NATS_CONNECTION) return some_connection(f, r);
    if (what->detail == STREAMS_KIND_PUBLISHER) return some_publisher(good);
    void *const callables[] = { NULL, subject, (void *)(uintptr_t)below(UINT_MAX) };
    return callables[below(3)];
}

static void choose_argument(const function_info *f, int i, slot *a, room *r) {
    const param *what = &f->params[i];
    bool good = true;
    switch (what->kind) {
    case P_HANDLE: a->p = some_handle(f, what, r, &good); break;
    case P_STRUCT: a->p = chance(12) ? NULL : some_struct(&structs[what->detail], r); break;
    case P_OUT_STRUCT:
        memset(r->structure, 0, sizeof r->structure);
        *(size_t *)(void *)r->structure = some_size(structs[what->detail].size);
        a->p = chance(12) ? NULL : r->structure;
        break;
    case P_CSTRING: a->p = (void *)(uintptr_t)some_text(what->name); break;
    case P_TEXTS:
        for (int k = 0; k < TEXTS; k++) r->texts[k] = some_text("header");
        a->p = chance(4) ? NULL : r->texts;
        break;
    case P_COUNT: a->u = chance(8) ? SIZE_MAX / (1 + below(2)) : below(TEXTS / 2 + 1); break;
    case P_VALUE: a->p = (void *)(uintptr_t)some_value(); break;
    case P_KEPT: a->p = chance(4) ? NULL : streams_nats_keep(some_value()); break;
    case P_OUT_VALUE: a->p = chance(8) ? NULL : &r->out; break;
    case P_OUT_TEXT: a->p = chance(8) ? NULL : &r->text; break;
    case P_OUT_SCALAR: a->p = chance(3) ? NULL : &r->scalar; break;
    case P_BUFFER: a->p = chance(8) ? NULL : r->buffer; break;
    case P_ENUM: a->u = (uint64_t)((int64_t)below(6) - 1); break;
    case P_BOOL: a->u = below(2); break;
    case P_CONTEXT: a->p = &contexts; break;
    case P_CALLBACK:
        if (callbacks[what->detail].role == ENDS_CONTEXT) r->gives_context = true;
        a->f = callbacks[what->detail].role == ENDS_CONTEXT || !chance(4) ? trampolines[what->detail] : NULL;
        break;
    case P_INT64:
    case P_TIME:
    case P_UINT64: a->u = (uint64_t)some_number(what); break;
    default: wrong("%s: nobody knows what to pass for %s", f->name, what->name);
    }
}

void choose_arguments(const function_info *function, slot *a, room *r) {
    memset(r, 0, sizeof *r);
    r->out = streams_null();
    for (int i = 0; i < function->count; i++) choose_argument(function, i, &a[i], r);
    /* A buffer is as long as is said. */
    for (int i = 1; i < function->count; i++)
        if (function->params[i - 1].kind == P_BUFFER) a[i].u = chance(2) ? below(8) : sizeof r->buffer;
}
