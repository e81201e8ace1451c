/*
 * fake_host.h - a managed runtime as small as can be: counted objects, one
 * lock, a pending error for each thread.
 */

#ifndef STREAMS_TEST_FAKE_HOST_H
#define STREAMS_TEST_FAKE_HOST_H

#include "support.h"

enum fake_kind { FAKE_NULL,
    FAKE_BOOL,
    FAKE_INT,
    FAKE_DOUBLE,
    FAKE_TEXT,
    FAKE_BYTES,
    FAKE_LIST,
    FAKE_FUNCTION,
    FAKE_ITERATOR,
    FAKE_ERROR };

typedef struct fake_object fake_object;

/* A function of the host. Returns a new object, or NULL after fake_raise. */
typedef fake_object *(*fake_function)(void *context, fake_object *const *arguments, size_t count);

struct fake_object {
    atomic_intptr_t references;
    enum fake_kind kind;
    int64_t integer; /* also a bool, and an iterator's place */
    double real;
    char *text;          /* also bytes */
    size_t length;       /* of text, bytes and lists */
    fake_object **items; /* of a list; an iterator's list is items[0] */
    fake_function function;
    void *context;
    void (*freed)(void); /* called before the object is gone */
};

/* The table. */
streams_host fake_host_table(void);

/* The same of a host that says who has its lock, and whose references the
 * library counts itself: sinks are told the short way. */
streams_host fake_telling_table(int (*holds)(void), void *(*current)(void));

/* Registered once; the same number for every test of a program. */
uint32_t fake_host(void);

/* Objects that are alive, besides the null object. */
int fake_live_objects(void);

/* How often the lock is held right now; 0 outside of calls. */
int fake_lock_depth(void);

/* Nothing of the host is left, and its lock is free. */
void assert_clean(void);

fake_object *fake_null(void); /* borrowed */
fake_object *fake_int(int64_t integer);
fake_object *fake_text(const char *text);
fake_object *fake_list(size_t count); /* of empty places */
fake_object *fake_callable(fake_function function, void *context);
void fake_retain(void *object);
void fake_release(void *object);

/* Raises an error in the host; returns NULL. */
fake_object *fake_raise(const char *message);

#endif /* STREAMS_TEST_FAKE_HOST_H */
