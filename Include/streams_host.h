/*
 * streams_host.h - what bindings of other languages need besides streams.h.
 *
 * C programs need none of this. The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_HOST_H
#define STREAMS_HOST_H

#include "streams.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ========================================================================
 * Managed runtimes
 *
 * A host is a runtime with objects and a lock, such as Python's. It registers
 * a table of its own native functions once. From then on the library calls the
 * host's functions itself, and takes the lock once for a run of calls instead
 * of crossing the border at every operator.
 *
 * A host object travels as a STREAMS_VALUE_OBJECT whose as.object is the
 * host's own pointer. The host's null object and the null value are the same
 * thing and turn into each other. Every other value turns into a host object
 * only when a host function is about to see it.
 *
 * A callable is a handle for a host function. It is the context of one of the
 * functions streams_callable_..., which have the shapes that operators take:
 *
 *     streams_callable *f = streams_callable_create(host, function);
 *     p = streams_map(p, streams_callable_transform, f, streams_callable_destroy);
 *
 * So no operator has a variant for hosts, and each fuses all the same.
 *
 * An error that a host function raises becomes a streams_error: its domain is
 * the host's name, its code 0, its message the error's description, its object
 * the host's error object itself. It fails the stream like any other.
 * ======================================================================== */

/*
 * The memory of an object, as streams_host.buffer fills it in. Py_buffer
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
    /* Whether nobody may write there. */
    int read_only;
    /* How many dimensions it has. */
    int dimensions;
    /* What an item is, in the words of Python's struct: "q", "d". */
    const char *format;
    /* How many items there are in each dimension. */
    ptrdiff_t *shape;
    /* How far an item is from the next in each dimension, in bytes. */
    ptrdiff_t *strides;
    /* For the host, as is what follows. */
    ptrdiff_t *suboffsets;
    /* For the host. */
    void *internal;
} streams_host_buffer;

/*
 * A host's functions. Where a comment names a function of CPython, that
 * function fits as it is.
 *
 * All but enter, leave, holds, current and resume are called with the lock held,
 * by any thread. The library never enters while it holds a lock of its own. A thread
 * that has to wait for its turn to deliver, and has entered, suspends itself
 * meanwhile. "New" means a reference that the library releases; other objects
 * are borrowed. NULL, or a negative int, with an error pending in the host
 * says that the function has raised that error.
 *
 * Everything must be set, except call_one, for which call does as well,
 * take_error or else the three after it, and what is said to be optional.
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
    /* Whether this thread has the lock, 1 or 0. The code that the library
     * calls may have given it away, so the library asks before it relies on a
     * lock that it has taken. Optional: without it the library enters anew for
     * each call. PyGILState_Check */
    int (*holds)(void);
    /* Gives the lock away, however nested, until resume is called with the
     * result, on the same thread. Optional, both or none, and with holds; the
     * lock of a host without them is one that no thread needs in order to get
     * out of a callback. PyEval_SaveThread */
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
    /* The same in three steps, used if take_error is NULL. PyErr_Fetch */
    void (*fetch_error)(void **type, void **error, void **trace);
    /* PyErr_NormalizeException */
    void (*normalize_error)(void **type, void **error, void **trace);
    /* PyException_SetTraceback */
    int (*attach_trace)(void *error, void *trace);
    /* Reports and clears a pending error that no one can be told of; the
     * callable that raised it may be NULL. PyErr_WriteUnraisable */
    void (*report_error)(void *callable);
    /* The class of the errors that concern nothing but a stream. Any other,
     * such as a wish to end the program, fails the stream likewise, past any
     * streams_retry, and is besides handed to `escaped`, which is to see to it
     * that the call that led here raises it. Optional, with the next two. PyExc_Exception */
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
    /* A callable of the host's that is called with what a receiver returned,
     * if to_int64 takes it for no demand: it returns the demand that was
     * meant, or raises an error that says what is wrong. The library retains
     * it. Optional. */
    void *to_demand;
    /* A callable of the host's that makes an object of a group or a window,
     * which is a value that holds a publisher: (handle, an integer; the key, if
     * it is a group). It takes the handle over, unless it raises an error. The
     * library retains it. Optional: without it, such a value is a foreign
     * object. */
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
    /* Puts items in the place of others; called with no items (NULL), in order
     * to empty a list. Optional. PyList_SetSlice */
    int (*list_replace)(void *list, ptrdiff_t from, ptrdiff_t to, void *items);
    /* What a weak reference refers to, borrowed; the null object if that is
     * gone. Optional. PyWeakref_GetObject */
    void *(*target)(void *weak);
    /* The class of the errors that say that calls are nested too deep. Where
     * one fails a stream, its receiver is told when the calls have returned
     * down to the outermost into the library, for there is no room before.
     * Optional, and unused without error_matches. PyExc_RecursionError */
    void *depth_error;
    /* Makes what the host knows a thread by; NULL if it cannot. Called once,
     * with `runtime`, by each thread of a queue or a pool before it takes the
     * lock for the first time, without the lock and while no fork is under
     * way: so it may not wait for the lock. Before the thread ends it gives
     * the lock back once more than it has taken it, and with that lets go of
     * what was made. Optional: without it enter has to make it, each time.
     * PyThreadState_New */
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
    /* What the host knows the thread by that has the lock at this moment. A
     * thread that has taken the lock, and finds the same as then, still has it:
     * that takes less time than to ask holds. So it must be another, or NULL, as
     * soon as that thread has given the lock away, and is no name for the calling
     * thread; after NULL, holds is asked. Optional, and unused without holds.
     * _PyThreadState_UncheckedGet */
    void *(*current)(void);
    /* Whether each object begins with the number of references to it, an
     * intptr_t. The library then counts them itself where retain and release
     * would do no more: as long as the lower 32 bits, as a signed number, are
     * above 0, and above 1 to take one away. Where they are below 0 the object
     * is immortal, and its references need not be counted. Optional. True of
     * CPython where its stable ABI holds */
    bool counts;
    /* Where in a weak reference the library finds what target would answer, as
     * a pointer, if the number of references to that is not 0. Optional: without
     * it, or counts, target is called. */
    size_t target_offset;
    /* A callable of the host's: (null). Each thread of a queue or a pool calls it,
     * with the lock, before anything else of the host's, once new_thread has made
     * what the host knows the thread by. The library retains it. Optional. */
    void *thread_begins;
    /* What the host knows the calling thread by, without the lock; NULL if that
     * is nothing. Optional, as are the five that follow, all or none.
     * PyGILState_GetThisThreadState */
    void *(*known)(void);
    /* A new copy of the context variables that the calling thread sees. Taken by
     * each operator with a scheduler for each subscription that is made by a
     * thread that the host knows: what the scheduler then runs for it sees these.
     * NULL with an error pending if there is none. PyContext_CopyCurrent */
    void *(*current_context)(void);
    /* The same of those in a context. PyContext_Copy */
    void *(*copy_context)(void *context);
    /* Has the calling thread see these variables; -1 with an error pending if
     * somebody does already. PyContext_Enter */
    int (*enter_context)(void *context);
    /* Ends that, on the same thread; -1 with an error pending. PyContext_Exit */
    int (*exit_context)(void *context);
    /* A new weak reference to an object, such as target is given; callback is
     * NULL. PyWeakref_NewRef */
    void *(*weak)(void *object, void *callback);
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
        NULL, NULL, NULL, NULL, NULL, NULL }

/* What streams_host.equals is asked for: whether the first comes before the
 * second. Py_LT */
#define STREAMS_HOST_LESS 0

/* The same: whether they are equal. Py_EQ */
#define STREAMS_HOST_EQUAL 2

/* What streams_host.buffer is asked for. PyBUF_ND | PyBUF_FORMAT */
#define STREAMS_HOST_NUMBERS 12

/*
 * Registers a host and gives it a number, which is never 0.
 *
 * Ownership: copies the table and the name; the null object is borrowed.
 * Threads: any.
 * Errors: STREAMS_NULL_ARGUMENT (naming the missing function),
 *   STREAMS_INVALID_SIZE, STREAMS_INVALID_UTF8, STREAMS_LIMIT. *host is then 0.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_host_register(const streams_host *table, uint32_t *host);

/*
 * Tells the library that the runtime is shutting down. After it returns the
 * host's lock is not taken again. What has been begun with the lock held, as
 * by a function that calls this, runs to its end.
 * Callables then fail with STREAMS_TERMINATED in the domain "streams",
 * subscribers made of host functions fall silent, and host objects that values
 * still hold are abandoned, not released. Doing it twice is harmless.
 *
 * Ownership: none.
 * Threads: any; best without the host's lock. Waits for other threads that have
 *   the lock or are about to take it, for half a second at most; not from
 *   inside a function of a host's.
 * Errors: STREAMS_INVALID_ARGUMENT for an unknown host.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_host_retire(uint32_t host);

/*
 * Makes values of host objects.
 *
 * Ownership: borrows objects and retains each one; values[0 ... count - 1] are
 *   overwritten and yours. The arrays may be NULL if count is 0.
 * Threads: any, with or without the host's lock.
 * Errors: STREAMS_INVALID_ARGUMENT for an unknown host, STREAMS_TERMINATED for
 *   a retired one, STREAMS_NULL_ARGUMENT (an array, or an object in it). All
 *   values are then null.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_host_values(
    uint32_t host, void *const *objects, size_t count, streams_value *values);

/*
 * Makes an array value of an object in whose memory integers of 64 bits, or
 * doubles, lie in a row. Nothing is copied: the object's memory stays where it is
 * until the value and its slices are gone, and what lies there is the array.
 *
 * Ownership: borrows object, and retains its memory; *out is overwritten and
 *   yours.
 * Threads: any, with or without the host's lock.
 * Errors: STREAMS_INVALID_ARGUMENT for an unknown host, STREAMS_TERMINATED for
 *   a retired one, STREAMS_NULL_ARGUMENT; STREAMS_INVALID_VALUE if the object has
 *   no such memory; STREAMS_OUT_OF_RANGE. *out is then null.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_host_numbers(uint32_t host, void *object, streams_value *out);

/*
 * Makes a host object of a value: the object itself if it is one of this
 * host's, else a new one of the matching kind; a list, or an array, becomes a
 * host list. An object that is not this host's cannot be one.
 *
 * Ownership: borrows value; the result is a new reference, in the host's sense.
 * Threads: any, with or without the host's lock.
 * Errors: NULL with STREAMS_INVALID_ARGUMENT for an unknown host,
 *   STREAMS_TERMINATED for a retired one, STREAMS_NULL_ARGUMENT,
 *   STREAMS_INVALID_VALUE (also for a foreign object), STREAMS_INVALID_UTF8,
 *   STREAMS_OUT_OF_MEMORY, STREAMS_LIMIT; STREAMS_CALLBACK_FAILED if the host
 *   raised an error, which is taken from it and described in the last message.
 * Since: 1.0.0
 */
STREAMS_API void *streams_host_object(uint32_t host, const streams_value *value);

/*
 * Sends a host object to a subject: streams_host_values, streams_subject_send
 * and streams_value_destroy in one.
 *
 * Ownership: borrows everything; the library retains what it keeps.
 * Threads: any. Better without the host's lock, for subscribers may block;
 *   legal with it.
 * Errors: as streams_subject_send and streams_host_values.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_host_send(
    streams_subject *subject, uint32_t host, void *object);

/*
 * Sends an array of host objects to a subject, as streams_subject_send_values
 * does.
 *
 * Ownership: borrows everything; the library retains what it keeps. objects
 *   may be NULL if count is 0.
 * Threads: as streams_host_send.
 * Errors: as streams_subject_send_values and streams_host_values.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_host_send_objects(
    streams_subject *subject, uint32_t host, void *const *objects, size_t count);

/*
 * Sends the numbers that lie in the memory of an object: streams_host_numbers,
 * streams_subject_send_numbers and streams_value_destroy in one.
 *
 * Ownership: borrows everything; the library retains the object's memory for as
 *   long as somebody keeps the numbers.
 * Threads: as streams_host_send.
 * Errors: as streams_subject_send_numbers and streams_host_numbers.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_host_send_numbers(
    streams_subject *subject, uint32_t host, void *object);

/* A native method of a host with one argument. A PyCFunction with METH_O. */
typedef void *(*streams_method_fn)(void *self, void *argument);

/*
 * The native method through which a host sends without anything in between:
 * self is an object of the host's, in whose memory, `offset` bytes from its
 * start, lies a pointer to an integer object that holds a subject's handle, or
 * NULL. The argument is the object to send, as by streams_host_send, and the
 * result is the host's null. A send to a subject that has completed does
 * nothing. One that fails otherwise, or in which an error has escaped, returns
 * what raise(status) does, which is to raise an error.
 *
 * The method is called with the host's lock held.
 *
 * Ownership: borrows raise; the library retains it, instead of the one given
 *   before. The method lives as long as the library.
 * Threads: any, with or without the host's lock.
 * Errors: NULL with STREAMS_INVALID_ARGUMENT for an unknown host,
 *   STREAMS_TERMINATED for a retired one, STREAMS_NULL_ARGUMENT,
 *   STREAMS_INVALID_ARGUMENT for a negative offset, STREAMS_LIMIT for a host
 *   that is not among the first eight.
 * Since: 1.0.0
 */
STREAMS_API streams_method_fn streams_host_send_method(
    uint32_t host, void *raise, ptrdiff_t offset);

/*
 * The native method through which a host lets go of an object of the library's:
 * self is an object in whose memory lies a handle, as for streams_host_send_method.
 * An integer object that is 0 takes its place, in one step as the host's other
 * threads see it, and then streams_release is called. Where there is no handle, or
 * 0, nothing happens. The argument is not used; the result is the host's null. If an
 * error has escaped meanwhile it is what raise(STREAMS_OK) returns.
 *
 * The method is called with the host's lock held, also when the host is retired.
 *
 * Ownership: as streams_host_send_method, with which it shares raise and offset.
 * Threads: any, with or without the host's lock.
 * Errors: as streams_host_send_method.
 * Since: 1.0.0
 */
STREAMS_API streams_method_fn streams_host_close_method(
    uint32_t host, void *raise, ptrdiff_t offset);

/* A native function of a host that sets an attribute: 0, or -1 with an error
 * pending. A setter of CPython's. */
typedef int (*streams_setter_fn)(void *self, void *value, void *closure);

/*
 * What the closure is of functions that read and set a value: it lives as long as
 * they are called with it. Only a published value needs one.
 */
typedef struct streams_host_attribute {
    /* The published value's name, or what messages call anything else that has a
     * value: text that ends with NUL. */
    const char *name;
    /* Setting the attribute to this object does nothing: a host may have it as
     * the default of an argument. Optional. */
    void *absent;
} streams_host_attribute;

/*
 * The native function that reads what an object of the host's has as its value,
 * with nothing in between: self is an object in whose memory lies a handle, as for
 * streams_host_send_method, of a current-value subject, a property, a binding or an
 * observable object; of that the closure tells, a streams_host_attribute, which of
 * its values is meant, and of what has no handle any more, how to call it. The
 * result is a new object, as by streams_host_object. What fails returns what
 * raise(status) does, which is to raise an error: where the status is
 * STREAMS_CALLBACK_FAILED, streams_last_error says which. A getter of CPython's.
 *
 * It is called with the host's lock held, also when the host is retired.
 *
 * Ownership: as streams_host_send_method, with which it shares raise and offset:
 *   those that were given last are used.
 * Threads: any, with or without the host's lock.
 * Errors: as streams_host_send_method.
 * Since: 1.0.0
 */
STREAMS_API streams_method_fn streams_host_value_getter(
    uint32_t host, void *raise, ptrdiff_t offset);

/*
 * The native function that sets such a value: to the object that it is given,
 * which the library retains. An observable object that has no value of that name
 * gets it. Where raise(status) raises no error nothing has happened, and the
 * result is 0.
 *
 * Ownership: as streams_host_value_getter.
 * Threads: any, with or without the host's lock.
 * Errors: as streams_host_send_method.
 * Since: 1.0.0
 */
STREAMS_API streams_setter_fn streams_host_value_setter(
    uint32_t host, void *raise, ptrdiff_t offset);

/* A native function of a host with any number of arguments. A PyCFunction with
 * METH_FASTCALL. */
typedef void *(*streams_call_fn)(void *self, void *const *arguments, ptrdiff_t count);

/* A function of the library that a host calls through streams_host_call. */
typedef struct streams_host_function {
    /* What messages call it: text that ends with NUL. */
    const char *name;
    /* The function, as a pointer without its type. Each of its parameters is a
     * handle, another pointer, or an integer. */
    void *function;
    /* How many parameters it has, at most STREAMS_HOST_PARAMETERS. */
    size_t parameters;
    /* Those of them that are objects of the host's, borrowed: 1 << i for each. */
    uint64_t objects;
    /* Whether it returns an int, as is a streams_status, and not a handle. */
    bool returns_int;
} streams_host_function;

/* How many parameters a function may have that a host calls. */
#define STREAMS_HOST_PARAMETERS 8

/*
 * The native function through which a host calls functions of the library with
 * nothing in between: self is an integer object, the address of a
 * streams_host_function, which lives as long as it is called with it. The
 * arguments are integer objects, also for pointers, or the host's null for NULL, or
 * whatever object is the function's; the result is a new integer object. The
 * function is called with the host's lock held, and gives it away where it waits
 * for its turn to deliver: so it must be none that waits for anything else, such as
 * streams_run.
 * Arguments that do not fit are refused with what raise(status) does, where the
 * status is STREAMS_INVALID_SIZE for their number, and STREAMS_INVALID_VALUE for
 * one of them: the function is then not called.
 *
 * It is called with the host's lock held, also when the host is retired.
 *
 * Ownership: as streams_host_send_method, with which it shares raise.
 * Threads: any, with or without the host's lock.
 * Errors: as streams_host_send_method.
 * Since: 1.0.0
 */
STREAMS_API streams_call_fn streams_host_call(uint32_t host, void *raise, ptrdiff_t offset);

/*
 * Sends an array of host objects through an emitter, as
 * streams_emitter_send_values does.
 *
 * Ownership: borrows everything; the library retains what it keeps. objects
 *   may be NULL if count is 0; taken may be NULL.
 * Threads: as streams_host_send.
 * Errors: as streams_emitter_send_values and streams_host_values.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_host_emit(
    streams_emitter *emitter, uint32_t host, void *const *objects, size_t count, size_t *taken);

/*
 * Makes a cold publisher of an iterable: each subscription begins an iterator,
 * takes one item for each value demanded and never one more, and lets go of
 * the iterator at the end or when it is cancelled. Items are taken on the
 * thread that requests, never concurrently and never recursively. An error
 * raised by the iterator fails the stream.
 *
 * Ownership: borrows iterable; the library retains it; the result is yours.
 * Threads: any, with or without the host's lock.
 * Errors: NULL with STREAMS_INVALID_ARGUMENT for an unknown host,
 *   STREAMS_TERMINATED for a retired one, STREAMS_NULL_ARGUMENT,
 *   STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_host_publisher(uint32_t host, void *iterable);

/*
 * Fills in a source that calls host functions, for one call of
 * streams_publisher_create:
 *
 *     open(emitter) -> state     the emitter's handle as an integer, borrowed
 *     produce(state, max)        unlimited is 9223372036854775807
 *     close(state)               what it raises is reported by the host
 *
 * The state is any object; the library holds it until the subscription is
 * closed. An error that open or produce raises fails the stream.
 *
 * Ownership: borrows the functions; the library retains them. *out is
 *   overwritten; streams_publisher_create takes its context, or else you call
 *   out->destroy(out->context).
 * Threads: any, with or without the host's lock.
 * Errors: STREAMS_INVALID_ARGUMENT for an unknown host, STREAMS_TERMINATED for
 *   a retired one, STREAMS_NULL_ARGUMENT. *out is then
 *   as STREAMS_SOURCE_INIT.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_host_source(
    uint32_t host, void *open, void *produce, void *close, streams_source *out);

/*
 * Fills in an operator that calls host functions, for one call of streams_lift:
 *
 *     open(emitter) -> state      the emitter's handle as an integer, borrowed
 *     on_value(state, value)
 *     on_completion(state, error) the error's handle as an integer, borrowed, or
 *                                 the host's null
 *     close(state)                what it raises is reported by the host
 *
 * The state is any object; the library holds it until the subscription is
 * closed. An error that open, on_value or on_completion raises fails the
 * stream; what they return is ignored, but for the state.
 *
 * Ownership: borrows the functions; the library retains them. *out is
 *   overwritten; streams_lift takes its context, or else you call
 *   out->destroy(out->context).
 * Threads: any, with or without the host's lock.
 * Errors: STREAMS_INVALID_ARGUMENT for an unknown host, STREAMS_TERMINATED for
 *   a retired one, STREAMS_NULL_ARGUMENT. *out is then
 *   as STREAMS_OPERATOR_INIT.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_host_operator(
    uint32_t host, void *open, void *on_value, void *on_completion, void *close, streams_operator *out);

/*
 * Fills in a scheduler that calls host functions, for one call of
 * streams_custom_scheduler_create:
 *
 *     now(null) -> moment        an integer; called with the host's null
 *     schedule(moment, action)   the action's handle as an integer, borrowed
 *                                until it has run or is cancelled
 *     cancel(action)             the same handle, which is stale afterwards
 *
 * An action whose schedule raises is rejected: the stream that waits for it
 * fails with what was raised. Otherwise what they raise is reported by the host.
 * A now that raises, or returns no integer, is 0.
 *
 * Ownership: borrows the functions; the library retains them. *out is
 *   overwritten; streams_custom_scheduler_create takes its context, or else you
 *   call out->destroy(out->context).
 * Threads: any, with or without the host's lock.
 * Errors: STREAMS_INVALID_ARGUMENT for an unknown host, STREAMS_TERMINATED for
 *   a retired one, STREAMS_NULL_ARGUMENT. *out is then as
 *   STREAMS_CUSTOM_SCHEDULER_INIT.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_host_scheduler(
    uint32_t host, void *now, void *schedule, void *cancel, streams_custom_scheduler *out);

/*
 * Has streams keep a host object: each stream, debouncer and throttler that is
 * made with the scheduler from now on retains it for as long as it uses the
 * scheduler. An object that owns the scheduler's handle so lives, and with it
 * the scheduler goes on, for as long as something waits for it.
 *
 * Ownership: borrows scheduler and weak, a weak reference to the object, which
 *   the library retains. It replaces the one of an earlier call.
 * Threads: any, with or without the host's lock. The object may be released on
 *   any thread, with the lock.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_INVALID_ARGUMENT for an unknown host or one that has no target,
 *   STREAMS_TERMINATED for a retired one, STREAMS_NULL_ARGUMENT.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_host_keep_scheduler(
    uint32_t host, streams_scheduler *scheduler, void *weak);

/*
 * Makes a handle for a host function, to be used as the context of one of the
 * functions below.
 *
 * Ownership: borrows function; the library retains it. The result is yours
 *   until you give it to an operator together with streams_callable_destroy.
 * Threads: any, with or without the host's lock.
 * Errors: NULL with STREAMS_INVALID_ARGUMENT for an unknown host,
 *   STREAMS_TERMINATED for a retired one, STREAMS_NULL_ARGUMENT,
 *   STREAMS_LIMIT. An operator that is given NULL for a
 *   callable fails in its turn.
 * Since: 1.0.0
 */
STREAMS_API streams_callable *streams_callable_create(uint32_t host, void *function);

/*
 * Releases a callable: a streams_destroy_fn.
 *
 * Ownership: takes one reference to the callable.
 * Threads: any, with or without the host's lock.
 * Errors: none; a bad handle sets the last error, except NULL, which is
 *   ignored.
 * Since: 1.0.0
 */
STREAMS_API void streams_callable_destroy(void *callable);

/*
 * Calls function(in) and returns its result: a streams_transform_fn, for
 * streams_map and streams_compact_map, which drops the host's null.
 *
 * Ownership: borrows callable and in; *out is handed over as by any callback.
 * Threads: as the operator it is given to.
 * Errors: STREAMS_CALLBACK_FAILED if the function raised an error, which is
 *   named as by streams_callback_fail; STREAMS_TERMINATED if the host is
 *   retired; STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT; STREAMS_INVALID_VALUE for a foreign object, and for
 *   what is no value the same as streams_value_copy.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_callable_transform(
    void *callable, const streams_value *in, streams_value *out);

/*
 * Calls function(in, kind) and returns its result: a streams_transform_batch_fn,
 * for streams_map_batch. kind is in's, as an integer. What is in the host's own
 * memory, by streams_host_numbers, comes as the object that it belongs to or a part
 * of that, other numbers as a bytes object, and a list as a host list. The result
 * is an object that streams_host_numbers takes, or an iterable of values.
 *
 * Ownership: borrows callable and in; *out is handed over as by any callback.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform; STREAMS_INVALID_VALUE also if `in` is
 *   neither an array nor a list.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_callable_transform_batch(
    void *callable, const streams_value *in, streams_value *out);

/*
 * Calls function() without arguments and gives what it returns: a
 * streams_get_value_fn, for streams_binding_create.
 *
 * Ownership: borrows callable; *out is handed over as by any callback.
 * Threads: as the binding it is given to.
 * Errors: as streams_callable_transform.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_callable_get_value(void *callable, streams_value *out);

/*
 * Calls function(value) for what it does: a streams_set_value_fn, for
 * streams_binding_create. The function is the same as that which gets the value.
 *
 * Ownership: borrows callable and value.
 * Threads: as the binding it is given to.
 * Errors: as streams_callable_transform.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_callable_set_value(void *callable, const streams_value *value);

/*
 * Calls function(scope, input), with the scope's handle as an integer, and gives what
 * it returns: a streams_body_fn, for streams_scope_tree_create and
 * streams_scope_child.
 *
 * Ownership: borrows everything; *out is handed over as by any callback.
 * Threads: as the tree it is given to.
 * Errors: as streams_callable_transform; STREAMS_WRONG_KIND and
 *   STREAMS_STALE_HANDLE also for the scope.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_callable_body(
    void *callable, streams_scope *scope, const streams_value *input, streams_value *out);

/*
 * Calls function(in) and returns whether its result is true: a
 * streams_predicate_fn, for streams_filter.
 *
 * Ownership: borrows everything.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_callable_predicate(
    void *callable, const streams_value *in, bool *result);

/*
 * Calls function(previous, current) and returns whether its result is true: a
 * streams_compare_fn, for streams_remove_duplicates_by.
 *
 * Ownership: borrows everything.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_callable_compare(
    void *callable, const streams_value *previous, const streams_value *current, bool *same);

/*
 * Calls function(first, second) and returns whether its result is true: a
 * streams_order_fn, for streams_min_by and streams_max_by.
 *
 * Ownership: borrows everything.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_callable_order(
    void *callable, const streams_value *first, const streams_value *second, bool *is_before);

/*
 * Calls function(accumulated, in) and returns its result: a
 * streams_combine_fn, for streams_scan and streams_reduce.
 *
 * Ownership: borrows callable and inputs; *out is handed over.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_callable_combine(
    void *callable, const streams_value *accumulated, const streams_value *in,
    streams_value *out);

/*
 * Calls function(values[0], values[1], ...) and returns its result: a
 * streams_combine_values_fn, for streams_zip_with and the like.
 *
 * Ownership: borrows callable and values; *out is handed over.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_callable_combine_values(
    void *callable, const streams_value *values, size_t count, streams_value *out);

/*
 * Calls function(in), whose result is a publisher handle as an integer: a
 * streams_expand_fn, for streams_flat_map and streams_switch_to_latest.
 *
 * Ownership: borrows callable and in; takes over one reference to the
 *   publisher that the function returns.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_callable_expand(
    void *callable, const streams_value *in, streams_publisher **out);

/*
 * Calls function(in), whose result is a property handle as an integer: a
 * streams_expand_property_fn, for streams_property_flat_map.
 *
 * Ownership: borrows callable and in; takes over one reference to the property
 *   that the function returns.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_callable_expand_property(
    void *callable, const streams_value *in, streams_property **out);

/*
 * Calls function(error), where error is the handle as an integer, borrowed for
 * the call, and whose result is a publisher handle as an integer: a
 * streams_recover_fn, for streams_catch.
 *
 * Ownership: borrows callable and error; takes over one reference to the
 *   publisher that the function returns.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_callable_recover(
    void *callable, const streams_error *error, streams_publisher **out);

/*
 * Calls function(error), where error is the handle as an integer, borrowed for
 * the call, and whose result is an error handle as an integer: a
 * streams_transform_error_fn, for streams_map_error.
 *
 * Ownership: borrows callable and error; takes over one reference to the error
 *   that the function returns.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_callable_transform_error(
    void *callable, const streams_error *error, streams_error **out);

/*
 * Calls function(null) with the host's null, whose result is a publisher handle
 * as an integer: a streams_make_publisher_fn, for streams_deferred.
 *
 * Ownership: borrows callable; takes over one reference to the publisher that the
 *   function returns.
 * Threads: as the publisher it is given to.
 * Errors: as streams_callable_transform.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_callable_make_publisher(
    void *callable, streams_publisher **out);

/*
 * Calls function(null) with the host's null, whose result is an error handle as
 * an integer: a streams_make_error_fn, for streams_buffer_or_fail.
 *
 * Ownership: borrows callable; takes over one reference to the error that the
 *   function returns.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_callable_make_error(void *callable, streams_error **out);

/*
 * Calls function(error), where error is the handle as an integer, borrowed for
 * the call, and returns whether its result is true: a
 * streams_error_predicate_fn, for streams_retry_backoff.
 *
 * Ownership: borrows everything.
 * Threads: as the operator it is given to.
 * Errors: as streams_callable_transform.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_callable_error_predicate(
    void *callable, const streams_error *error, bool *result);

/*
 * Calls function(text) with a string object: a streams_write_fn, for
 * streams_print. An error it raises is reported by the host.
 *
 * Ownership: borrows everything.
 * Threads: as the operator it is given to.
 * Errors: none; a bad handle sets the last error.
 * Since: 1.0.0
 */
STREAMS_API void streams_callable_write(void *callable, const char *text, size_t length);

/*
 * Calls function(null) with the host's null: a streams_action_fn, for
 * streams_scheduler_schedule. An error it raises is reported by the host.
 *
 * Ownership: borrows callable.
 * Threads: as the scheduler that runs it.
 * Errors: none; a bad handle sets the last error.
 * Since: 1.0.0
 */
STREAMS_API void streams_callable_action(void *callable);

/* Calls a host function with an array of arguments. A vectorcallfunc. */
typedef void *(*streams_call_value_fn)(
    void *callable, void *const *arguments, size_t count, void *names);

/*
 * Host functions that receive a stream. Any may be NULL. Handles come as
 * integers, borrowed for the call; an end without error comes as the host's
 * null.
 */
typedef struct streams_host_callables {
    size_t size; /* sizeof(streams_host_callables) */
    /* (subscription) */
    void *on_subscription;
    /* (value) -> additional demand, an integer; the host's null is 0 */
    void *on_value;
    /* (list of values) -> additional demand */
    void *on_values;
    /* (bytes object of packed int64 in native order) -> additional demand.
     * Called instead of on_values for a batch of nothing but integers. An array
     * in the host's own memory, by streams_host_numbers, comes as the object that
     * it belongs to, or as a part of that. */
    void *on_int64s;
    /* (bytes object of packed doubles in native order, or the host's own memory)
     * -> additional demand. Called instead of on_values for a batch of nothing
     * but doubles. */
    void *on_doubles;
    /* (error, or null) */
    void *on_completion;
    /* (null); events only */
    void *on_cancel;
    /* (demand); events only. Unlimited is 9223372036854775807. */
    void *on_request;
    /* A weak reference to a list that holds all functions above. If it is set
     * the library retains none of them: once the list is gone the receiver is
     * silent, and the library empties the list when the receiver's stream is
     * over. So the host knows who owns the functions, and its collector can
     * follow. Needs list_replace and target. See streams_host_owner_finalizer. */
    void *owner;
    /* Calls on_value, as `call` does; it need not be able to call anything else.
     * Optional, and unused without owner. PyVectorcall_Function(on_value), if
     * that stays the same */
    streams_call_value_fn call_value;
} streams_host_callables;

/* No functions, to begin with. */
#define STREAMS_HOST_CALLABLES_INIT \
    { sizeof(streams_host_callables), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL }

/*
 * Fills in a subscriber that calls host functions, for one call of
 * streams_sink. Needs on_value or on_values; on_int64s and on_doubles need
 * on_values. An integer from 9223372036854775807 on is unlimited demand. If a
 * function that receives values raises an error, or returns a demand that is
 * negative or no integer, the stream is cancelled and on_completion receives
 * that error. Errors raised by on_subscription and on_completion are reported
 * by the host.
 *
 * Ownership: borrows the functions; the library retains them. *out is
 *   overwritten; streams_sink takes its context, or else you call
 *   out->destroy(out->context).
 * Threads: any, with or without the host's lock.
 * Errors: STREAMS_INVALID_ARGUMENT for an unknown host, STREAMS_TERMINATED for
 *   a retired one, STREAMS_NULL_ARGUMENT, STREAMS_INVALID_SIZE (callables),
 *   STREAMS_LIMIT. *out is then as
 *   STREAMS_SUBSCRIBER_INIT.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_host_subscriber(uint32_t host,
    const streams_host_callables *callables, uint64_t demand, streams_subscriber *out);

/*
 * Subscribes a host's functions to a publisher, as a subscriber that
 * streams_host_subscriber has filled in would be: on_value gets the values one by
 * one, and on_completion, which may be NULL, the end. owner and call_value are
 * optional, as in streams_host_callables.
 *
 * Ownership: consumes publisher; borrows the functions, as streams_host_subscriber
 *   does; the result is yours, and the stream lives for as long as it does.
 * Threads: any, with or without the host's lock.
 * Errors: NULL, as streams_host_subscriber and streams_sink.
 * Since: 1.0.0
 */
STREAMS_API streams_cancellable *streams_host_sink(
    STREAMS_CONSUMES streams_publisher *publisher, uint32_t host, uint64_t demand, void *on_value,
    void *on_completion, void *owner, streams_call_value_fn call_value);

/* Hears that an object of a host's is about to go. The tp_finalize of a
 * PyTypeObject. */
typedef void (*streams_finalizer_fn)(void *object);

/*
 * What a host is to call, from then on, with each list that is an owner, see
 * streams_host_callables, before that lets go of the functions or the host's
 * collector of what they refer to. In return the library does not follow the weak
 * reference for each value, but only when an owner has gone. In each such list,
 * `offset` bytes from its start, lies a word, an uintptr_t, that is 0 at first and is
 * the library's: it becomes 1 when the list has gone or its stream is over.
 *
 * The finalizer is called with the host's lock held, also when the host is retired.
 * It runs none of the host's code.
 *
 * Ownership: none. The finalizer lives as long as the library.
 * Threads: any, with or without the host's lock.
 * Errors: NULL with STREAMS_INVALID_ARGUMENT for an unknown host or an offset that
 *   is not positive, STREAMS_TERMINATED for a retired one, STREAMS_LIMIT for a host
 *   that is not among the first eight.
 * Since: 1.0.0
 */
STREAMS_API streams_finalizer_fn streams_host_owner_finalizer(uint32_t host, ptrdiff_t offset);

/*
 * Fills in event handlers that call host functions, for one call of
 * streams_handle_events. Results are ignored; on_values, on_int64s and
 * on_doubles are not used. Errors that the functions raise are reported by the
 * host.
 *
 * Ownership: borrows the functions; the library retains them. *out is
 *   overwritten; streams_handle_events takes its context, or else you call
 *   out->destroy(out->context).
 * Threads: any, with or without the host's lock.
 * Errors: as streams_host_subscriber; *out is then as
 *   STREAMS_EVENT_HANDLERS_INIT.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_host_event_handlers(uint32_t host,
    const streams_host_callables *callables, streams_event_handlers *out);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_HOST_H */
