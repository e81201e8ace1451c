/*
 * mock_host.h - a managed runtime as small as can be: counted objects, an
 * error slot for each thread, and a lock that knows who holds it. A function
 * of the table that is called without the lock is a fault, and one that takes
 * the lock after the host was retired. Stands alone: a printed program is
 * compiled with it.
 */

#ifndef STREAMS_MOCK_HOST_H
#define STREAMS_MOCK_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include <streams_host.h>

enum {
    MOCK_NULL,
    MOCK_BOOL,
    MOCK_INT,
    MOCK_DOUBLE,
    MOCK_TEXT,
    MOCK_BYTES,
    MOCK_LIST,
    MOCK_FUNCTION,
    MOCK_ITERATOR,
    MOCK_ERROR,
    MOCK_WEAK,
    MOCK_SPITEFUL /* raises where it can */
};

typedef struct mock_object mock_object;

/* What happens to an object while the lock is held: it is called (returns a
 * new object, or NULL after mock_raise), let go of, or asked something. */
enum { MOCK_CALLED,
    MOCK_FREED,
    MOCK_ASKED };
typedef mock_object *(*mock_hook)(mock_object *self, int event, mock_object *const *arguments, size_t count);

struct mock_object {
    _Atomic intptr_t references; /* which the library may count itself */
    int kind, asked;
    int64_t integer; /* also a bool, and an iterator's place */
    double real;
    char *text;
    size_t length;
    mock_object **items; /* of a list; an iterator's list is the first */
    mock_object *target; /* of a weak reference: the list, or null; of that list: the weak reference */
    mock_object *older;  /* of lists that own functions */
    uintptr_t lost;      /* of these, too: the library's */
    mock_hook hook;
    uint32_t id, sub;             /* whatever the hook needs */
    mock_object *previous, *next; /* of all that are alive, the newest first */
};

/* The lock, for whoever makes objects. */
void mock_enter(void);
void mock_leave(void);
void *mock_current(void);
/* Gives the lock away, however often this thread has taken it, until it is resumed. */
void *mock_suspend(void);
void mock_resume(void *state);

/* All with the lock held; each result is a new reference. */
mock_object *mock_create(int kind);
mock_object *mock_int(int64_t integer);
mock_object *mock_text(const char *text, size_t length);
mock_object *mock_list(size_t count);
mock_object *mock_null(void);
mock_object *mock_function(mock_hook hook, uint32_t id, uint32_t sub);
/* A weak reference to a new list of functions, which retains them. The list is kept
 * until it is lost, the newest few only where all are. */
mock_object *mock_owner(mock_object *const *functions, size_t count);
void mock_lose_owners(bool all);
/* What is called with each such list that is about to be lost, unless it is null. */
void mock_finalize_owners(streams_finalizer_fn finalizer);
/* Empties a list. */
void mock_empty(mock_object *list);
/* As the table's call, for one that has been given with the function. */
void *mock_call_value(void *callable, void *const *arguments, size_t count, void *names);
void *mock_raise(const char *message);
void mock_retain(mock_object *object);
void mock_release(mock_object *object);
void mock_clear_error(void);

int mock_live_objects(void);
mock_object *mock_newest(void);
/* From now on the table may not take the lock. */
void mock_retire(bool retired);
/* Set it: what to do when the library breaks a rule. */
extern void (*mock_fault)(const char *what);

/* How many threads something is kept for. */
extern _Atomic int mock_kept_threads;

/* What the table needs of the objects. */
extern _Atomic bool mock_retired;
extern _Thread_local int mock_held;
extern _Thread_local mock_object *mock_pending;
mock_object *mock_text_of(int kind, const char *text, size_t length);

/* The table; `plain` without the functions that may be missing. */
streams_host mock_table(bool plain);
/* That of a host that is not retired with the first. */
streams_host mock_other_table(bool plain);

#endif /* STREAMS_MOCK_HOST_H */
