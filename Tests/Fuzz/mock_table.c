/* The functions of the mock host that the library calls. */
#include "mock_host.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each function of the table begins with this. */
static void entered(const char *function) {
    char text[128];
    if (mock_held > 0) return;
    snprintf(text, sizeof text, "host: %s is called without the lock", function);
    mock_fault(text);
}

/* Asks an object; true if it raises. */
static bool spites(mock_object *object) {
    if (object->hook != NULL && object->kind != MOCK_FUNCTION) object->hook(object, MOCK_ASKED, NULL, 0);
    if (object->kind != MOCK_SPITEFUL || object->asked++ % 2 == 0) return false;
    mock_raise("out of spite");
    return true;
}

static int table_enter(void) {
    if (mock_retired) mock_fault("host: enter is called after the host was retired");
    mock_enter();
    return mock_held;
}

static int other_enter(void) {
    mock_enter();
    return mock_held;
}

/* What is kept for a thread that has called new_thread, until the lock is given
 * back once more than it was taken. */
static _Thread_local bool is_kept;
_Atomic int mock_kept_threads;

static void *table_new_thread(void *runtime) {
    if (runtime != &mock_retired) mock_fault("host: new_thread is not given the runtime");
    if (mock_held > 0 || is_kept) mock_fault("host: new_thread is called twice, or with the lock");
    is_kept = true;
    mock_kept_threads++;
    return &is_kept;
}

static void table_leave(int token) {
    if (is_kept && token == mock_held + 1) {
        is_kept = false;
        mock_kept_threads--;
        return;
    }
    if (token != mock_held)
        mock_fault("host: leave is called with a token that is not the last one of enter");
    mock_leave();
}

static int table_holds(void) { return mock_held > 0; }

static void *table_suspend(void) {
    entered("suspend");
    return mock_suspend();
}

static void table_retain(void *object) {
    entered("retain");
    mock_retain(object);
}

static void table_release(void *object) {
    entered("release");
    mock_release(object);
}

static void *table_call(void *callable, void *const *arguments, size_t count, void *names) {
    entered("call");
    mock_object *self = callable;
    if (names != NULL) mock_fault("host: call is given names");
    if (mock_pending != NULL) mock_fault("host: call is called while an error is pending");
    if (self->kind != MOCK_FUNCTION) return mock_raise("not callable");
    mock_object *given[4] = { 0 };
    for (size_t i = 0; i < count && i < 4; i++) given[i] = arguments[i];
    return self->hook(self, MOCK_CALLED, given, count);
}

static void *table_call_one(void *callable, void *argument) {
    entered("call_one");
    void *arguments[1] = { argument };
    return table_call(callable, arguments, 1, NULL);
}

void *mock_call_value(void *callable, void *const *arguments, size_t count, void *names) {
    entered("call_value");
    if (count != 1) mock_fault("host: call_value is not given one value");
    return table_call(callable, arguments, count, names);
}

static void *table_iterate(void *iterable) {
    entered("iterate");
    mock_object *self = iterable;
    if (self->kind != MOCK_LIST) return mock_raise("not iterable");
    mock_object *iterator = mock_create(MOCK_ITERATOR);
    iterator->items = calloc(1, sizeof(mock_object *));
    if (iterator->items == NULL) abort();
    iterator->items[0] = self;
    mock_retain(self);
    return iterator;
}

/* A spiteful item is raised. */
static void *table_next(void *iterator) {
    entered("next");
    mock_object *self = iterator, *list = self->items[0];
    if (list->hook != NULL) list->hook(list, MOCK_ASKED, NULL, 0);
    if (self->integer >= (int64_t)list->length) return NULL;
    mock_object *item = list->items[self->integer++];
    if (spites(item)) return NULL;
    mock_retain(item);
    return item;
}

static void *table_take_error(void) {
    entered("take_error");
    mock_object *error = mock_pending;
    mock_pending = NULL;
    return error;
}

static void table_fetch_error(void **type, void **error, void **trace) {
    entered("fetch_error");
    *type = mock_pending != NULL ? mock_null() : NULL;
    *error = mock_pending;
    *trace = mock_pending != NULL ? mock_null() : NULL;
    mock_pending = NULL;
}

static void table_normalize_error(void **type, void **error, void **trace) {
    entered("normalize_error");
    (void)type, (void)error, (void)trace;
}

static int table_attach_trace(void *error, void *trace) {
    entered("attach_trace");
    (void)error, (void)trace;
    return 0;
}

static void table_report_error(void *callable) {
    entered("report_error");
    (void)callable;
    mock_clear_error();
}

static int table_is_true(void *object) {
    entered("is_true");
    mock_object *self = object;
    return spites(self) ? -1 : self->integer != 0 || self->length != 0;
}

static ptrdiff_t table_hash(void *object) {
    entered("hash");
    mock_object *self = object;
    return spites(self) ? -1 : (ptrdiff_t)(self->integer & 7);
}

static int table_equals(void *a, void *b, int operation) {
    entered("equals");
    mock_object *left = a, *right = b;
    if (operation == STREAMS_HOST_LESS) return spites(left) ? -1 : left->integer < right->integer;
    if (operation != STREAMS_HOST_EQUAL) mock_fault("host: equals is asked for something else");
    if (spites(left)) return -1;
    if (left->kind != right->kind || left->length != right->length) return 0;
    if (left->kind == MOCK_TEXT) return memcmp(left->text, right->text, left->length) == 0;
    return left == right || (left->kind == MOCK_INT && left->integer == right->integer);
}

static void *table_describe(void *object) {
    entered("describe");
    mock_object *self = object;
    char text[64] = "thing";
    if (spites(self)) return NULL;
    if (self->kind == MOCK_TEXT || self->kind == MOCK_ERROR)
        return mock_text_of(MOCK_TEXT, self->text, self->length);
    if (self->kind == MOCK_INT) snprintf(text, sizeof text, "<%" PRId64 ">", self->integer);
    return mock_text(text, strlen(text));
}

static const char *table_text(void *string, ptrdiff_t *length) {
    entered("text");
    mock_object *self = string;
    if (self->kind != MOCK_TEXT) return mock_raise("no text");
    *length = (ptrdiff_t)self->length;
    return self->text;
}

static int64_t table_to_int64(void *object) {
    entered("to_int64");
    mock_object *self = object;
    if (self->kind != MOCK_INT) return mock_raise("no integer"), -1;
    return self->integer;
}

static void *table_from_bool(long value) {
    entered("from_bool");
    mock_object *object = mock_create(MOCK_BOOL);
    object->integer = value;
    return object;
}

static void *table_from_int64(int64_t value) {
    entered("from_int64");
    return mock_int(value);
}

static void *table_from_double(double value) {
    entered("from_double");
    mock_object *object = mock_create(MOCK_DOUBLE);
    object->real = value;
    return object;
}

static void *table_from_text(const char *text, ptrdiff_t length) {
    entered("from_text");
    return mock_text(text, (size_t)length);
}

static void *table_from_bytes(const char *bytes, ptrdiff_t length) {
    entered("from_bytes");
    return mock_text_of(MOCK_BYTES, bytes, (size_t)length);
}

static void *table_list_create(ptrdiff_t count) {
    entered("list_create");
    return mock_list((size_t)count);
}

static int table_list_set(void *list, ptrdiff_t index, void *item) {
    entered("list_set");
    mock_object *self = list;
    if (index < 0 || (size_t)index >= self->length)
        mock_fault("host: list_set is given a place that is none");
    self->items[index] = item;
    return 0;
}

static int table_list_replace(void *list, ptrdiff_t from, ptrdiff_t to, void *items) {
    entered("list_replace");
    if (from != 0 || to != PTRDIFF_MAX || items != NULL)
        mock_fault("host: list_replace is asked for something else");
    mock_empty(list);
    return 0;
}

/* Each object but those that are made for it is a weak reference to itself, for as long as there is one. */
static void *table_target(void *weak) {
    entered("target");
    mock_object *self = weak;
    return self->kind == MOCK_WEAK ? self->target : weak;
}

static int table_buffer(void *object, streams_host_buffer *out, int flags) {
    entered("buffer");
    mock_object *self = object;
    if (flags != STREAMS_HOST_NUMBERS) mock_fault("host: buffer is asked for something else");
    bool is_number = self->kind == MOCK_INT;
    if (!is_number && ((self->kind != MOCK_BYTES && self->kind != MOCK_TEXT) || self->length < 8))
        return mock_raise("no numbers"), -1;
    memset(out, 0, sizeof *out);
    mock_retain(self);
    out->memory = is_number ? (void *)&self->integer : (void *)self->text;
    out->object = self;
    out->length = is_number ? 8 : (ptrdiff_t)(self->length / 8 * 8);
    out->item_size = 8;
    out->dimensions = 1;
    out->format = self->length % 2 ? "d" : "q";
    return 0;
}

static void table_release_buffer(streams_host_buffer *buffer) {
    entered("release_buffer");
    mock_release(buffer->object);
}

static void *table_part(void *object, ptrdiff_t from, ptrdiff_t to) {
    entered("part");
    mock_object *self = object;
    if (from < 0 || to < from || (size_t)to * 8 > self->length)
        mock_fault("host: part is asked for too much");
    return mock_text_of(MOCK_BYTES, self->text + from * 8, (size_t)(to - from) * 8);
}

streams_host mock_table(bool plain) {
    streams_host table = STREAMS_HOST_INIT;
    table.name = "mock";
    mock_enter();
    table.null_object = mock_null();
    mock_leave();
    table.enter = table_enter;
    table.leave = table_leave;
    table.holds = table_holds;
    table.current = plain ? NULL : mock_current;
    table.suspend = table_suspend;
    table.resume = mock_resume;
    table.retain = table_retain;
    table.release = table_release;
    table.call_one = plain ? NULL : table_call_one;
    table.call = table_call;
    table.iterate = table_iterate;
    table.next = table_next;
    table.take_error = plain ? NULL : table_take_error;
    table.fetch_error = table_fetch_error;
    table.normalize_error = table_normalize_error;
    table.attach_trace = table_attach_trace;
    table.report_error = table_report_error;
    table.is_true = table_is_true;
    table.equals = table_equals;
    table.hash = plain ? NULL : table_hash;
    table.describe = table_describe;
    table.text = table_text;
    table.to_int64 = table_to_int64;
    table.from_bool = table_from_bool;
    table.from_int64 = table_from_int64;
    table.from_double = table_from_double;
    table.from_text = table_from_text;
    table.from_bytes = table_from_bytes;
    table.list_create = table_list_create;
    table.list_set = table_list_set;
    table.list_replace = plain ? NULL : table_list_replace;
    table.target = plain ? NULL : table_target;
    table.counts = !plain;
    table.target_offset = plain ? 0 : offsetof(mock_object, target);
    table.new_thread = plain ? NULL : table_new_thread;
    table.runtime = &mock_retired;
    table.buffer = plain ? NULL : table_buffer;
    table.release_buffer = plain ? NULL : table_release_buffer;
    table.part = plain ? NULL : table_part;
    return table;
}

streams_host mock_other_table(bool plain) {
    streams_host table = mock_table(plain);
    table.enter = other_enter;
    return table;
}
