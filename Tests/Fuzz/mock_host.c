#include "mock_host.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int live;
static mock_object *newest;
atomic_bool mock_retired;
_Thread_local int mock_held;
_Thread_local mock_object *mock_pending;
/* The count of the thread that has the lock. */
static void *_Atomic holder;
static mock_object null_object = { .references = 1, .kind = MOCK_NULL };
void (*mock_fault)(const char *what);

static void prepare(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

void mock_enter(void) {
    pthread_once(&once, prepare);
    pthread_mutex_lock(&lock);
    holder = &mock_held;
    mock_held++;
}

void mock_leave(void) {
    if (--mock_held == 0) holder = NULL;
    pthread_mutex_unlock(&lock);
}

void *mock_current(void) { return holder; }

void *mock_suspend(void) {
    intptr_t held = mock_held;
    for (intptr_t i = 0; i < held; i++) mock_leave();
    return (void *)held;
}

void mock_resume(void *state) {
    for (intptr_t i = 0; i < (intptr_t)state; i++) mock_enter();
}

int mock_live_objects(void) { return live; }
mock_object *mock_newest(void) { return newest; }
void mock_retire(bool now) { mock_retired = now; }

/* ---- Objects ---------------------------------------------------------------- */

mock_object *mock_create(int kind) {
    mock_object *object = calloc(1, sizeof *object);
    if (object == NULL) abort();
    object->references = 1;
    object->kind = kind;
    live++;
    object->next = newest;
    if (newest != NULL) newest->previous = object;
    newest = object;
    return object;
}

void mock_retain(mock_object *object) { object->references++; }

void mock_release(mock_object *object) {
    intptr_t left = --object->references;
    if (left < 0) mock_fault("host: an object is released more often than retained");
    if (left != 0 || object == &null_object) return;
    if (object->hook != NULL) {
        mock_object *pending = mock_pending;
        mock_pending = NULL;
        object->references = 1;
        object->hook(object, MOCK_FREED, NULL, 0);
        mock_clear_error();
        mock_pending = pending;
    }
    if (object->target != NULL && object->target != &null_object)
        object->target->target = object->kind == MOCK_LIST ? &null_object : NULL;
    if (object->kind == MOCK_LIST) mock_empty(object);
    if (object->kind == MOCK_ITERATOR) mock_release(object->items[0]);
    if (object->next != NULL) object->next->previous = object->previous;
    *(object->previous != NULL ? &object->previous->next : &newest) = object->next;
    free(object->items);
    free(object->text);
    free(object);
    live--;
}

void mock_empty(mock_object *list) {
    while (list->length > 0) {
        mock_object *item = list->items[--list->length];
        if (item != NULL) mock_release(item);
    }
}

mock_object *mock_null(void) {
    null_object.references++;
    return &null_object;
}

mock_object *mock_int(int64_t integer) {
    mock_object *object = mock_create(MOCK_INT);
    object->integer = integer;
    return object;
}

mock_object *mock_text_of(int kind, const char *text, size_t length) {
    mock_object *object = mock_create(kind);
    object->text = calloc(length + 1, 1);
    if (object->text == NULL) abort();
    if (length > 0) memcpy(object->text, text, length);
    object->length = length;
    return object;
}

mock_object *mock_text(const char *text, size_t length) { return mock_text_of(MOCK_TEXT, text, length); }

mock_object *mock_list(size_t count) {
    mock_object *object = mock_create(MOCK_LIST);
    object->items = calloc(count + 1, sizeof(mock_object *));
    if (object->items == NULL) abort();
    object->length = count;
    return object;
}

mock_object *mock_function(mock_hook hook, uint32_t id, uint32_t sub) {
    mock_object *object = mock_create(MOCK_FUNCTION);
    object->hook = hook;
    object->id = id;
    object->sub = sub;
    return object;
}

/* ---- Owners ------------------------------------------------------------------ */

enum { OWNERS = 24 };
/* The newest; each knows the one before. */
static mock_object *owners;
static streams_finalizer_fn finalize;

mock_object *mock_owner(mock_object *const *functions, size_t count) {
    mock_object *weak = mock_create(MOCK_WEAK), *list = mock_list(count);
    for (size_t i = 0; i < count; i++) mock_retain(list->items[i] = functions[i]);
    weak->target = list;
    list->target = weak;
    list->older = owners;
    return owners = list, weak;
}

void mock_lose_owners(bool all) {
    for (;;) {
        mock_object **last = &owners;
        int count = 0;
        for (; *last != NULL && (*last)->older != NULL; count++) last = &(*last)->older;
        mock_object *lost = *last;
        if (lost == NULL || (!all && count < OWNERS)) return;
        *last = NULL;
        if (finalize != NULL) finalize(lost);
        mock_release(lost);
    }
}

void mock_finalize_owners(streams_finalizer_fn finalizer) { finalize = finalizer; }

void mock_clear_error(void) {
    mock_object *error = mock_pending;
    mock_pending = NULL;
    if (error != NULL) mock_release(error);
}

void *mock_raise(const char *message) {
    mock_clear_error();
    mock_pending = mock_text_of(MOCK_ERROR, message, strlen(message));
    return NULL;
}
