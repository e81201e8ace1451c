/*
 * streams/host_methods.h - native methods for the classes of a managed runtime.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_HOST_METHODS_H
#define STREAMS_HOST_METHODS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Methods of hosts
 * ======================================================================== */

/* A native method of a host with one argument. A PyCFunction with METH_O. */
typedef void *(*streams_method_fn)(void *self, void *argument);

/*
 * Returns the native method through which a host sends directly. self is an object
 * of the host. Its memory contains, `offset` bytes from the start, a pointer to an
 * integer object that holds a subject's handle, or NULL. The argument is the object
 * to send, as in streams_host_send, and the result is the host's null. A send to a
 * subject that has completed does nothing. A send that fails otherwise, or in which
 * an error has escaped, returns the result of raise(status), which should raise an
 * error.
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
 */
STREAMS_API streams_method_fn streams_host_send_method(
    uint32_t host, void *raise, ptrdiff_t offset);

/*
 * Returns the native method through which a host releases an object of the library.
 * self is an object whose memory contains a handle, as for streams_host_send_method.
 * An integer object that is 0 replaces the handle, atomically for the host's other
 * threads, and then streams_release is called. If there is no handle, or 0, nothing
 * happens. The argument is not used; the result is the host's null or, if an error
 * has escaped during the call, what raise(STREAMS_OK) returns.
 *
 * The method is called with the host's lock held, also when the host is retired.
 *
 * Ownership: as streams_host_send_method, with which it shares raise and offset.
 * Threads: any, with or without the host's lock.
 * Errors: as streams_host_send_method.
 */
STREAMS_API streams_method_fn streams_host_close_method(
    uint32_t host, void *raise, ptrdiff_t offset);

/* A native function of a host that sets an attribute: 0, or -1 with an error
 * pending. A setter of CPython's. */
typedef int (*streams_setter_fn)(void *self, void *value, void *closure);

/*
 * The closure of functions that read and set a value. It must live as long as they
 * are called with it. Only a published value needs one.
 */
typedef struct streams_host_attribute {
    /* The published value's name, or for other objects the name in messages: text
     * that ends with NUL. */
    const char *name;
    /* Setting the attribute to this object does nothing: a host may use it as the
     * default of an argument. Optional. */
    void *absent;
} streams_host_attribute;

/*
 * Returns the native function that reads the value of a host's object directly.
 * self is an object whose memory contains, as for streams_host_send_method, the
 * handle of a current-value subject, a property, a binding or an observable object.
 * The closure, a streams_host_attribute, tells which value of an observable object
 * is meant, and names an object that has no handle any more. The result is a new
 * object, as from streams_host_object. A failing call returns the result of
 * raise(status), which should raise an error: where the status is
 * STREAMS_CALLBACK_FAILED, streams_last_error returns which. A getter of CPython's.
 *
 * It is called with the host's lock held, also when the host is retired.
 *
 * Ownership: as streams_host_send_method, with which it shares raise and offset:
 *   those that were given last are used.
 * Threads: any, with or without the host's lock.
 * Errors: as streams_host_send_method.
 */
STREAMS_API streams_method_fn streams_host_value_getter(
    uint32_t host, void *raise, ptrdiff_t offset);

/*
 * Returns the native function that sets such a value to the object that it is
 * given, which the library retains. If an observable object has no value of that
 * name, it is added. If raise(status) raises no error, nothing has happened, and
 * the result is 0.
 *
 * Ownership: as streams_host_value_getter.
 * Threads: any, with or without the host's lock.
 * Errors: as streams_host_send_method.
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
    /* Which of them are objects of the host's, borrowed: 1 << i for each. */
    uint64_t objects;
    /* Whether it returns an int, such as a streams_status, and not a handle. */
    bool returns_int;
} streams_host_function;

/* How many parameters a function that a host calls may have. */
#define STREAMS_HOST_PARAMETERS 8

/*
 * Returns the native function through which a host calls functions of the library
 * directly. self is an integer object, the address of a streams_host_function,
 * which must live as long as it is used. The arguments are integer objects, also
 * for pointers, the host's null for NULL, or an object where the function takes
 * one; the result is a new integer object. The function is called with the host's
 * lock held, and releases the lock while it waits for its turn to deliver: so it
 * must not be a function that waits for anything else, such as streams_run. If the
 * arguments do not fit, raise(status) is called instead of the function: the status
 * is STREAMS_INVALID_SIZE if their number is wrong, and STREAMS_INVALID_VALUE if
 * one of them is.
 *
 * It is called with the host's lock held, also when the host is retired.
 *
 * Ownership: as streams_host_send_method, with which it shares raise.
 * Threads: any, with or without the host's lock.
 * Errors: as streams_host_send_method.
 */
STREAMS_API streams_call_fn streams_host_call(uint32_t host, void *raise, ptrdiff_t offset);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_HOST_METHODS_H */
