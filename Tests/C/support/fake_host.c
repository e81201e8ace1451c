#include "fake_host.h"

#include <pthread.h>

static pthread_mutex_t lock;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int depth;
static atomic_int live;
static _Thread_local fake_object *pending;
static fake_object null_object = { .references = 1, .kind = FAKE_NULL };

static void prepare(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

int fake_live_objects(void) { return live; }

int fake_lock_depth(void) { return depth; }

void assert_clean(void) {
    assert_int_equal(fake_live_objects(), 0);
    assert_int_equal(fake_lock_depth(), 0);
}

fake_object *fake_null(void) { return &null_object; }

static fake_object *create(enum fake_kind kind) {
    fake_object *object = calloc(1, sizeof *object);
    if (object == NULL) abort();
    object->references = 1;
    object->kind = kind;
    live++;
    return object;
}

void fake_retain(void *object) {
    fake_object *self = object;
    self->references++;
}

void fake_release(void *object) {
    fake_object *self = object;
    if (--self->references > 0 || self == &null_object) return;
    if (self->freed != NULL) self->freed();
    size_t count = self->kind == FAKE_LIST ? self->length : self->kind == FAKE_ITERATOR ? 1
                                                                                        : 0;
    for (size_t i = 0; i < count; i++) {
        if (self->items[i] != NULL) fake_release(self->items[i]);
    }
    free(self->items);
    free(self->text);
    free(self);
    live--;
}

fake_object *fake_int(int64_t integer) {
    fake_object *object = create(FAKE_INT);
    object->integer = integer;
    return object;
}

static fake_object *text_of(enum fake_kind kind, const char *text, size_t length) {
    fake_object *object = create(kind);
    object->text = calloc(length + 1, 1);
    if (object->text == NULL) abort();
    if (length > 0) memcpy(object->text, text, length);
    object->length = length;
    return object;
}

fake_object *fake_text(const char *text) { return text_of(FAKE_TEXT, text, strlen(text)); }

fake_object *fake_list(size_t count) {
    fake_object *object = create(FAKE_LIST);
    object->items = calloc(count + 1, sizeof *object->items);
    if (object->items == NULL) abort();
    object->length = count;
    return object;
}

fake_object *fake_callable(fake_function function, void *context) {
    fake_object *object = create(FAKE_FUNCTION);
    object->function = function;
    object->context = context;
    return object;
}

fake_object *fake_raise(const char *message) {
    pending = text_of(FAKE_ERROR, message, strlen(message));
    return NULL;
}


/* ---- The table ----------------------------------------------------------- */

static int host_enter(void) {
    pthread_once(&once, prepare);
    pthread_mutex_lock(&lock);
    depth++;
    return 7;
}

static void host_leave(int token) {
    if (token != 7) abort();
    depth--;
    pthread_mutex_unlock(&lock);
}

static void *host_call(void *callable, void *const *arguments, size_t count, void *names) {
    fake_object *self = callable;
    if (names != NULL) abort();
    if (self->kind != FAKE_FUNCTION) return fake_raise("not callable");
    fake_object *copies[4] = { 0 };
    for (size_t i = 0; i < count && i < 4; i++) copies[i] = arguments[i];
    return self->function(self->context, copies, count);
}

static void *host_call_one(void *callable, void *argument) {
    void *arguments[1] = { argument };
    return host_call(callable, arguments, 1, NULL);
}

static void *host_iterate(void *iterable) {
    fake_object *self = iterable;
    if (self->kind != FAKE_LIST) return fake_raise("not iterable");
    fake_object *iterator = create(FAKE_ITERATOR);
    iterator->items = calloc(1, sizeof *iterator->items);
    if (iterator->items == NULL) abort();
    iterator->items[0] = self;
    fake_retain(self);
    return iterator;
}

/* A list's item that is an error is raised. */
static void *host_next(void *iterator) {
    fake_object *self = iterator, *list = self->items[0];
    if (self->integer == (int64_t)list->length) return NULL;
    fake_object *item = list->items[self->integer++];
    if (item->kind == FAKE_ERROR) return fake_raise(item->text);
    fake_retain(item);
    return item;
}

static void *host_take_error(void) {
    fake_object *error = pending;
    pending = NULL;
    return error;
}

static void host_report_error(void *callable) {
    (void)callable;
    if (pending != NULL) fake_release(pending);
    pending = NULL;
}

static int host_is_true(void *object) {
    fake_object *self = object;
    if (self->kind == FAKE_ERROR) return fake_raise("neither true nor false"), -1;
    return self->integer != 0 || self->length != 0;
}

static ptrdiff_t host_hash(void *object) {
    fake_object *self = object;
    if (self->kind == FAKE_ERROR) return fake_raise("not hashable"), -1;
    return (ptrdiff_t)(self->integer & 1);
}

static int host_equals(void *a, void *b, int operation) {
    fake_object *left = a, *right = b;
    if (operation != STREAMS_HOST_EQUAL && operation != STREAMS_HOST_LESS) abort();
    if (left->kind == FAKE_ERROR) return fake_raise("not comparable"), -1;
    if (operation == STREAMS_HOST_LESS) return left->kind == FAKE_INT && left->integer < right->integer;
    if (left->kind != right->kind || left->length != right->length) return 0;
    if (left->kind == FAKE_TEXT) return memcmp(left->text, right->text, left->length) == 0;
    return left == right || (left->kind == FAKE_INT && left->integer == right->integer);
}

static void *host_describe(void *object) {
    fake_object *self = object;
    char text[64] = "thing";
    if (self->kind == FAKE_TEXT || self->kind == FAKE_ERROR)
        return text_of(FAKE_TEXT, self->text, self->length);
    if (self->kind == FAKE_INT) snprintf(text, sizeof text, "<%" PRId64 ">", self->integer);
    return fake_text(text);
}

static const char *host_text(void *string, ptrdiff_t *length) {
    fake_object *self = string;
    if (self->kind != FAKE_TEXT) return fake_raise("no text"), NULL;
    *length = (ptrdiff_t)self->length;
    return self->text;
}

static int64_t host_to_int64(void *object) {
    fake_object *self = object;
    if (self->kind != FAKE_INT) return fake_raise("no integer"), -1;
    return self->integer;
}

static void *host_from_bool(long value) {
    fake_object *object = create(FAKE_BOOL);
    object->integer = value;
    return object;
}

static void *host_from_int64(int64_t value) { return fake_int(value); }

static void *host_from_double(double value) {
    fake_object *object = create(FAKE_DOUBLE);
    object->real = value;
    return object;
}

static void *host_from_text(const char *text, ptrdiff_t length) {
    return text_of(FAKE_TEXT, text, (size_t)length);
}

static void *host_from_bytes(const char *bytes, ptrdiff_t length) {
    return text_of(FAKE_BYTES, bytes, (size_t)length);
}

static void *host_list_create(ptrdiff_t count) { return fake_list((size_t)count); }

static int host_list_set(void *list, ptrdiff_t index, void *item) {
    fake_object *self = list;
    self->items[index] = item;
    return 0;
}

/* A weak reference is an object whose context is what it refers to. */
static void *host_target(void *weak) {
    const fake_object *self = weak;
    return self->context == NULL ? &null_object : self->context;
}

streams_host fake_host_table(void) {
    streams_host table = STREAMS_HOST_INIT;
    table.name = "fake";
    table.null_object = &null_object;
    table.enter = host_enter;
    table.leave = host_leave;
    table.retain = fake_retain;
    table.release = fake_release;
    table.call_one = host_call_one;
    table.call = host_call;
    table.iterate = host_iterate;
    table.next = host_next;
    table.take_error = host_take_error;
    table.report_error = host_report_error;
    table.is_true = host_is_true;
    table.equals = host_equals;
    table.hash = host_hash;
    table.describe = host_describe;
    table.text = host_text;
    table.to_int64 = host_to_int64;
    table.from_bool = host_from_bool;
    table.from_int64 = host_from_int64;
    table.from_double = host_from_double;
    table.from_text = host_from_text;
    table.from_bytes = host_from_bytes;
    table.list_create = host_list_create;
    table.list_set = host_list_set;
    table.target = host_target;
    return table;
}

static int empty_nothing(void *list, ptrdiff_t from, ptrdiff_t to, void *items) {
    (void)list, (void)from, (void)to, (void)items;
    return 0;
}

streams_host fake_telling_table(int (*holds)(void), void *(*current)(void)) {
    streams_host table = fake_host_table();
    table.holds = holds;
    table.current = current;
    table.list_replace = empty_nothing;
    table.counts = true;
    table.target_offset = offsetof(fake_object, context);
    return table;
}

uint32_t fake_host(void) {
    static uint32_t host;
    if (host == 0) {
        streams_host table = fake_host_table();
        if (streams_host_register(&table, &host) != STREAMS_OK) fail_msg("%s", streams_last_message());
    }
    return host;
}
