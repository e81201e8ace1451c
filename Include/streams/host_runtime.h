/*
 * streams/host_runtime.h - a managed runtime and its functions.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_HOST_RUNTIME_H
#define STREAMS_HOST_RUNTIME_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Managed runtimes
 *
 * A host is a runtime with objects and a lock, such as Python's. It registers a
 * table of its own native functions once. From then on the library calls the host's
 * functions itself, and takes the lock once for a run of calls instead of once at
 * every operator.
 *
 * A host object travels as a STREAMS_VALUE_OBJECT whose as.object is the host's own
 * pointer. The host's null object and the null value stand for each other. Every
 * other value becomes a host object only when it is passed to a host function.
 *
 * A callable is a handle for a host function. It is the context of one of the
 * functions streams_callable_..., which have the shapes that operators take:
 *
 *     streams_callable *f = streams_callable_create(host, function);
 *     p = streams_map(p, streams_callable_transform, f, streams_callable_destroy);
 *
 * So no operator needs a variant for hosts, and each still fuses.
 *
 * An error that a host function raises becomes a streams_error: its domain is
 * the host's name, its code 0, its message the error's description, its object
 * the host's error object itself. It fails the stream like any other.
 * ======================================================================== */

/*
 * The memory of an object, filled in by streams_host.buffer. Py_buffer
 */
typedef struct streams_host_buffer {
    /* Where it begins. */
    void *memory;
    /* The object whose memory it is. */
    void *object;
    /* In bytes. */
    ptrdiff_t length;
    /* In bytes too. */
    ptrdiff_t item_size;
    /* Whether the memory is read-only. */
    int read_only;
    /* How many dimensions it has. */
    int dimensions;
    /* What an item is, in the words of Python's struct: "q", "d". */
    const char *format;
    /* How many items there are in each dimension. */
    ptrdiff_t *shape;
    /* The distance from an item to the next in each dimension, in bytes. */
    ptrdiff_t *strides;
    /* For the host. */
    ptrdiff_t *suboffsets;
    /* For the host. */
    void *internal;
} streams_host_buffer;

/*
 * A host's functions. Where a comment names a function of CPython, that
 * function fits as it is.
 *
 * All but enter, leave, holds, current and resume are called with the lock held, by
 * any thread. The library never enters while it holds a lock of its own. A thread
 * that has entered, and has to wait for its turn to deliver, suspends itself for
 * that time. "New" means a reference that the library releases; other objects are
 * borrowed. NULL, or a negative int, with an error pending in the host means that
 * the function has raised that error.
 *
 * Everything must be set, except call_one, which call can replace; take_error, or
 * else the three after it; and those that are called optional.
 */
typedef struct streams_host {
    size_t size; /* sizeof(streams_host) */
    /* The domain of the host's errors; copied. */
    const char *name;
    /* The host's null; lives as long as the host. Py_None */
    void *null_object;

    /* Takes the lock, nested if need be. PyGILState_Ensure */
    int (*enter)(void);
    /* Gives it back. PyGILState_Release */
    void (*leave)(int token);
    /* Whether this thread has the lock, 1 or 0. Code that the library calls may
     * have released it, so the library asks before it relies on a lock that it has
     * taken. Optional: without it the library enters anew for each call.
     * PyGILState_Check */
    int (*holds)(void);
    /* Releases the lock, however nested, until resume is called with the result, on
     * the same thread. Optional, both or none, and with holds; without them, no
     * thread may need the host's lock in order to return from a callback.
     * PyEval_SaveThread */
    void *(*suspend)(void);
    /* PyEval_RestoreThread */
    void (*resume)(void *state);
    /* Py_IncRef */
    void (*retain)(void *object);
    /* May run the host's own code, which leaves a pending error as it is.
     * Py_DecRef */
    void (*release)(void *object);

    /* Calls with one argument; a new result. PyObject_CallOneArg */
    void *(*call_one)(void *callable, void *argument);
    /* Calls with count arguments; a new result. names is NULL.
     * PyObject_Vectorcall */
    void *(*call)(void *callable, void *const *arguments, size_t count, void *names);
    /* A new iterator over an iterable. PyObject_GetIter */
    void *(*iterate)(void *iterable);
    /* The next item, new; NULL at the end, with no error. PyIter_Next */
    void *(*next)(void *iterator);

    /* Takes the pending error, new, and clears it; NULL if there is none.
     * PyErr_GetRaisedException */
    void *(*take_error)(void);
    /* Takes the pending error in three steps, used if take_error is NULL.
     * PyErr_Fetch */
    void (*fetch_error)(void **type, void **error, void **trace);
    /* PyErr_NormalizeException */
    void (*normalize_error)(void **type, void **error, void **trace);
    /* PyException_SetTraceback */
    int (*attach_trace)(void *error, void *trace);
    /* Reports and clears a pending error that cannot be passed to any caller; the
     * callable that raised it may be NULL. PyErr_WriteUnraisable */
    void (*report_error)(void *callable);
    /* The class of the errors that concern nothing but a stream. Any other, such as a
     * request to end the program, fails the stream past any streams_retry, and is also
     * passed to `escaped`, which must make the call that led here raise it. Optional,
     * with the next two. PyExc_Exception */
    void *stream_error;
    /* Whether the pending error is of a class, 1 or 0; 0 if none is pending.
     * PyErr_ExceptionMatches */
    int (*error_matches)(void *error_class);
    /* A callable of the host's: (error). The library retains it. */
    void *escaped;
    /* Runs the handlers of signals that have arrived; -1 if one raises an
     * error. Called now and then in a long run of calls, which then fails with
     * that error. Optional. PyErr_CheckSignals */
    int (*check_signals)(void);

    /* 1, 0, or -1. PyObject_IsTrue */
    int (*is_true)(void *object);
    /* 1, 0, or -1; operation is STREAMS_HOST_EQUAL or, for
     * streams_value_compare, STREAMS_HOST_LESS. PyObject_RichCompareBool */
    int (*equals)(void *a, void *b, int operation);
    /* A new string object that describes the object. PyObject_Str */
    void *(*describe)(void *object);
    /* The UTF-8 of a string object, borrowed. PyUnicode_AsUTF8AndSize */
    const char *(*text)(void *string, ptrdiff_t *length);
    /* The number in an integer object; -1 with an error pending if it is not
     * one. PyLong_AsSsize_t, where that has 64 bits */
    int64_t (*to_int64)(void *object);
    /* A callable of the host's that is called with what a receiver returned, if
     * to_int64 does not accept it as a demand: it returns the demand that was
     * meant, or raises an error that says what is wrong. The library retains it.
     * Optional. */
    void *to_demand;
    /* A callable of the host's that makes an object from a group or a window, which
     * is a value that holds a publisher: (handle, an integer; the key, if it is a
     * group). It takes over the handle, unless it raises an error. The library
     * retains it. Optional: without it, such a value counts as an object that is
     * not the host's. */
    void *from_publisher;

    /* New objects from plain values. PyBool_FromLong */
    void *(*from_bool)(long value);
    /* PyLong_FromLongLong */
    void *(*from_int64)(int64_t value);
    /* PyFloat_FromDouble */
    void *(*from_double)(double value);
    /* PyUnicode_FromStringAndSize */
    void *(*from_text)(const char *text, ptrdiff_t length);
    /* PyBytes_FromStringAndSize */
    void *(*from_bytes)(const char *bytes, ptrdiff_t length);
    /* A new list of count empty places. PyList_New */
    void *(*list_create)(ptrdiff_t count);
    /* Fills a place and takes over the item, also on failure. PyList_SetItem */
    int (*list_set)(void *list, ptrdiff_t index, void *item);
    /* Replaces items by others; called with no items (NULL), in order to empty a
     * list. Optional. PyList_SetSlice */
    int (*list_replace)(void *list, ptrdiff_t from, ptrdiff_t to, void *items);
    /* What a weak reference refers to, borrowed; the null object if that is
     * gone. Optional. PyWeakref_GetObject */
    void *(*target)(void *weak);
    /* The class of the errors raised when calls are nested too deep. If one fails a
     * stream, its receiver gets it when all calls into the library but the
     * outermost have returned, because there is no room earlier. Optional, and
     * unused without error_matches. PyExc_RecursionError */
    void *depth_error;
    /* Makes the state by which the host knows a thread; NULL if it cannot. Called
     * once, with `runtime`, by each thread of a queue or a pool before it takes the
     * lock for the first time, without the lock and while no fork is under way: so
     * it may not wait for the lock. Before the thread ends it gives the lock back
     * once more than it has taken it, and with that releases what was made.
     * Optional: without it enter has to make it, each time. PyThreadState_New */
    void *(*new_thread)(void *runtime);
    /* PyInterpreterState_Get() */
    void *runtime;
    /* A number that equal objects have in common; -1 with an error pending if it
     * has none. Optional: without it streams_distinct compares every object with
     * every other. PyObject_Hash */
    ptrdiff_t (*hash)(void *object);
    /* Fills in where the memory of an object is, which stays until
     * release_buffer; -1 with an error pending if the object has none, or does
     * not have it in one piece. flags is STREAMS_HOST_NUMBERS. Optional, both or
     * none. PyObject_GetBuffer */
    int (*buffer)(void *object, streams_host_buffer *out, int flags);
    /* PyBuffer_Release */
    void (*release_buffer)(streams_host_buffer *buffer);
    /* A new object: a part of one with such memory, in the same memory. Optional:
     * without it a part is copied. PySequence_GetSlice */
    void *(*part)(void *object, ptrdiff_t from, ptrdiff_t to);
    /* The state by which the host knows the thread that has the lock at this
     * moment. If a thread that has taken the lock finds the same state as then, it
     * still has the lock: asking this is faster than calling holds. So the result
     * must change, or be NULL, as soon as that thread has released the lock. It
     * does not identify the calling thread. After NULL, holds is called. Optional,
     * and unused without holds. _PyThreadState_UncheckedGet */
    void *(*current)(void);
    /* Whether each object begins with the number of references to it, an intptr_t.
     * The library then counts them itself where retain and release would do nothing
     * else: as long as the lower 32 bits, as a signed number, are above 0, and
     * above 1 to remove one. Where they are below 0 the object is immortal, and its
     * references need not be counted. Optional. True of CPython where its stable
     * ABI holds */
    bool counts;
    /* The offset, in a weak reference, of a pointer to the object that target would
     * return, provided that the number of references to the object is not 0.
     * Optional: without it, or counts, target is called. */
    size_t target_offset;
    /* A callable of the host's: (null). Each thread of a queue or a pool calls it,
     * with the lock, before anything else of the host's, once new_thread has made
     * the thread's state. The library retains it. Optional. */
    void *thread_begins;
    /* The state by which the host knows the calling thread, without the lock; NULL
     * if there is none. Optional, as are the five that follow, all or none.
     * PyGILState_GetThisThreadState */
    void *(*known)(void);
    /* A new copy of the context variables that the calling thread sees. Each
     * operator with a scheduler takes one for each subscription made by a thread
     * that the host knows: the actions of that subscription see these variables.
     * NULL with an error pending if there is none. PyContext_CopyCurrent */
    void *(*current_context)(void);
    /* A new copy of the variables in a context. PyContext_Copy */
    void *(*copy_context)(void *context);
    /* Makes the calling thread see these variables; -1 with an error pending if the
     * context has been entered already. PyContext_Enter */
    int (*enter_context)(void *context);
    /* Ends that, on the same thread; -1 with an error pending. PyContext_Exit */
    int (*exit_context)(void *context);
    /* A new weak reference to an object, as target takes it; callback is NULL.
     * PyWeakref_NewRef */
    void *(*weak)(void *object, void *callback);
    /* How deep calls may be nested. The library raises that limit while it calls
     * the on_completion of a stream that has failed with depth_error, because the
     * program that has begun the outermost call may itself be as deep. Optional,
     * both or none. Py_GetRecursionLimit */
    int (*depth_limit)(void);
    /* Py_SetRecursionLimit */
    void (*set_depth_limit)(int limit);
} streams_host;

/* A host without functions, to begin with. */
#define STREAMS_HOST_INIT \
    { sizeof(streams_host), NULL, NULL, \
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, \
        NULL, NULL, NULL, NULL, \
        NULL, NULL, NULL, NULL, NULL, \
        NULL, NULL, NULL, NULL, \
        NULL, NULL, NULL, NULL, NULL, NULL, \
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, \
        NULL, NULL, NULL, NULL, NULL, false, 0, NULL, \
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL }

/* An operation of streams_host.equals: whether the first comes before the second.
 * Py_LT */
#define STREAMS_HOST_LESS 0

/* An operation of streams_host.equals: whether they are equal. Py_EQ */
#define STREAMS_HOST_EQUAL 2

/* The flags that streams_host.buffer is called with. PyBUF_ND | PyBUF_FORMAT */
#define STREAMS_HOST_NUMBERS 12

/*
 * Registers a host and gives it a number, which is never 0.
 *
 * Ownership: copies the table and the name; the null object is borrowed.
 * Errors: STREAMS_NULL_ARGUMENT (naming the missing function),
 *   STREAMS_INVALID_SIZE, STREAMS_INVALID_UTF8, STREAMS_LIMIT. *host is then 0.
 */
STREAMS_API streams_status streams_host_register(const streams_host *table, uint32_t *host);

/*
 * Notifies the library that the runtime is shutting down. After it returns, the
 * library does not take the host's lock again. Calls that were begun with the lock
 * held, for example by a function that calls this one, run to their end. Callables
 * then fail with STREAMS_TERMINATED in the domain "streams", subscribers made of
 * host functions receive nothing, and host objects that values still hold are
 * abandoned, not released. Calling it twice is harmless.
 *
 * Ownership: none.
 * Threads: any; best without the host's lock. Waits for other threads that have
 *   the lock or are about to take it, for half a second at most; not from
 *   inside a function of a host's.
 * Errors: STREAMS_INVALID_ARGUMENT for an unknown host.
 */
STREAMS_API streams_status streams_host_retire(uint32_t host);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_HOST_RUNTIME_H */
