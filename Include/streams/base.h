/*
 * streams/base.h - what all the other parts need: the version, statuses, handles.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_BASE_H
#define STREAMS_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) && !defined(STREAMS_NO_INLINE)
#define STREAMS_API __attribute__((visibility("default")))
#else
#define STREAMS_API
#endif

/* Stands before each parameter whose reference a function takes over, even if it
 * fails: see rule 1 of streams.h. It means nothing to the compiler. */
#define STREAMS_CONSUMES

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Version
 * ======================================================================== */

/* Grows when a working program may have to change. */
#define STREAMS_VERSION_MAJOR 1
/* Grows when there is something new. */
#define STREAMS_VERSION_MINOR 0
/* Grows when something has been fixed. */
#define STREAMS_VERSION_PATCH 0

/* The version of these headers as one number: 1.2.3 is 1002003. */
#define STREAMS_VERSION 1000000

/*
 * The version of the library that is running, in the form of STREAMS_VERSION.
 * Libraries of one major version are compatible; a program needs one that is
 * at least as new as its header.
 *
 * Ownership: none.
 * Errors: none.
 */
STREAMS_API uint32_t streams_version(void);

/*
 * The version of the library that is running, as text: "1.0.0".
 *
 * Ownership: borrowed; the text lives as long as the library.
 * Errors: none.
 */
STREAMS_API const char *streams_version_string(void);


/* ========================================================================
 * Status and errors of calls
 * ======================================================================== */

/*
 * The outcome of a call. Numbers never change their meaning; later versions
 * may add to them below 1000, so treat an unknown one as a failure. Numbers from
 * 1000 on belong to libraries that are built on this one.
 */
typedef enum streams_status {
    /* The call did what its comment says. */
    STREAMS_OK = 0,
    /* A handle is NULL. */
    STREAMS_NULL_HANDLE = 1,
    /* A handle has been released already, or never was one. */
    STREAMS_STALE_HANDLE = 2,
    /* A live handle, but of a kind that the function does not take. */
    STREAMS_WRONG_KIND = 3,
    /* A pointer or function that must be given is NULL. */
    STREAMS_NULL_ARGUMENT = 4,
    /* This library does not know the value of a struct's size field. */
    STREAMS_INVALID_SIZE = 5,
    /* A value is malformed: an unknown kind, or an object without an owner. */
    STREAMS_INVALID_VALUE = 6,
    /* Text is not well-formed UTF-8. */
    STREAMS_INVALID_UTF8 = 7,
    /* A number is out of range for the function, such as a negative count. */
    STREAMS_INVALID_ARGUMENT = 8,
    /* Zero values were requested. */
    STREAMS_ZERO_DEMAND = 9,
    /* More values were sent than demanded; the surplus was not taken. */
    STREAMS_DEMAND_EXCEEDED = 10,
    /* The stream has ended or was cancelled; nothing was sent. */
    STREAMS_TERMINATED = 11,
    /* A callback has failed, or returns this in order to fail. */
    STREAMS_CALLBACK_FAILED = 12,
    /* The rules between publisher and subscriber were broken. Mostly seen as
     * the code of a stream's failure, in the domain "streams". */
    STREAMS_PROTOCOL_VIOLATION = 13,
    /* A length exceeds what a value can hold: 4294967295. As the code of a stream's
     * failure, in the domain "streams": a sum is too large; see streams_sum. */
    STREAMS_OUT_OF_RANGE = 14,
    /* There is no memory for a copy of data of any size; see rule 3 of streams.h.
     * Also the code of a stream's failure, in the domain "streams". */
    STREAMS_OUT_OF_MEMORY = 15,
    /* A limit of the library is reached: lists nested more than 64 deep, too
     * many live handles, references or hosts, or calls and streams nested
     * deeper than the thread's stack allows (rule 8 of streams.h). Also the code
     * of a stream's failure, in the domain "streams". */
    STREAMS_LIMIT = 16,
    /* The time that the call was given has passed. */
    STREAMS_TIMED_OUT = 17,
    /* A stream that must not fail has failed. Only seen as the code of a stream's
     * failure, in the domain "streams"; see streams_assert_no_failure. */
    STREAMS_ASSERTION_FAILED = 18,
    /* Never returned. Makes every int from 0 a valid status in C++ too. */
    STREAMS_STATUS_LAST = 0x7fffffff
} streams_status;

/*
 * The name of a status as it is written above: "STREAMS_STALE_HANDLE". For a
 * number that is not a status: "STREAMS_UNKNOWN".
 *
 * Ownership: borrowed; the text lives as long as the library.
 * Errors: none. Never NULL.
 */
STREAMS_API const char *streams_status_name(streams_status status);

/*
 * The status of the last call of this thread that failed, or STREAMS_OK if
 * none has failed since the thread began or streams_clear_last_error was
 * called. A call that succeeds does not change it.
 *
 * Ownership: none.
 * Threads: any; each thread has its own.
 * Errors: none.
 */
STREAMS_API streams_status streams_last_status(void);

/*
 * The name of the function that failed last on this thread: "streams_map".
 * Empty if there is no last error.
 *
 * Ownership: borrowed; valid until the next failing call of this thread.
 * Threads: any; each thread has its own.
 * Errors: none. Never NULL.
 */
STREAMS_API const char *streams_last_function(void);

/*
 * A sentence about the last failure of this thread that names the argument at
 * fault: "publishers[1] is NULL". Empty if there is no last error.
 *
 * Ownership: borrowed; valid until the next failing call of this thread.
 * Threads: any; each thread has its own.
 * Errors: none. Never NULL.
 */
STREAMS_API const char *streams_last_message(void);

/*
 * Forgets the last error of this thread.
 *
 * Ownership: none.
 * Threads: any; each thread has its own.
 * Errors: none.
 */
STREAMS_API void streams_clear_last_error(void);

/*
 * Sets the last error of this thread, for functions of your own that are built on
 * this library: they then fail as its functions do, and the rest of a chain keeps
 * their error (rule 3). The status is one of streams_status, or one of yours from
 * 1000 on.
 *
 *     if (count < 0)
 *         return streams_set_last_error(STREAMS_INVALID_ARGUMENT, __func__, "count is negative");
 *
 * Ownership: borrows both texts, and keeps the first 1000 bytes of each; bytes that
 *   are not UTF-8 are replaced.
 * Errors: never STREAMS_OK: the status. In its place STREAMS_NULL_ARGUMENT for a text
 *   that is NULL, and STREAMS_INVALID_ARGUMENT for a status that is not above 0.
 */
STREAMS_API streams_status streams_set_last_error(
    streams_status status, const char *function, const char *message);


/* ========================================================================
 * Handles
 * ======================================================================== */

/* Describes a stream; values flow once it has a subscriber. */
typedef struct streams_publisher streams_publisher;
/* A publisher that is fed by calls: streams_subject_send. */
typedef struct streams_subject streams_subject;
/* Provides the value that a future publishes; see "Futures". */
typedef struct streams_promise streams_promise;
/* A publisher that publishes once it is connected; see "Sharing". */
typedef struct streams_connectable streams_connectable;
/* The link between one subscriber and its publisher: request and cancel. */
typedef struct streams_subscription streams_subscription;
/* The cancellable for a running stream. Releasing the last reference cancels. */
typedef struct streams_cancellable streams_cancellable;
/* Why a stream failed. */
typedef struct streams_error streams_error;
/* The sending end of one subscription to a publisher of your own. */
typedef struct streams_emitter streams_emitter;
/* A function of a managed runtime; see streams_host.h. */
typedef struct streams_callable streams_callable;
/* Runs the delayed work of operators; see "Schedulers". */
typedef struct streams_scheduler streams_scheduler;
/* Threads that serial queues share. */
typedef struct streams_pool streams_pool;
/* Work that a scheduler of your own must run. */
typedef struct streams_action streams_action;
/* Runs the last of the actions that come in quick succession. */
typedef struct streams_debouncer streams_debouncer;
/* Runs one of the actions that come in each interval of time. */
typedef struct streams_throttler streams_throttler;
/* Named values that can be read, set and watched; see "Observable objects". */
typedef struct streams_observable_object streams_observable_object;
/* A value that changes, and can be read and watched; see "Properties". */
typedef struct streams_property streams_property;
/* Reads, sets and watches a value that is kept elsewhere; see "Bindings". */
typedef struct streams_binding streams_binding;
/* Functions that run again when what they have read changes; see "Scopes". */
typedef struct streams_scope_tree streams_scope_tree;
/* The place of one of these functions in its tree. */
typedef struct streams_scope streams_scope;

/* What a handle refers to. */
typedef enum streams_kind {
    STREAMS_KIND_NONE = 0, /* nothing: NULL, stale, or never a handle */
    STREAMS_KIND_PUBLISHER = 1,
    STREAMS_KIND_SUBJECT = 2,
    STREAMS_KIND_SUBSCRIPTION = 3,
    STREAMS_KIND_CANCELLABLE = 4,
    STREAMS_KIND_ERROR = 5,
    STREAMS_KIND_EMITTER = 6,
    STREAMS_KIND_CALLABLE = 7,
    STREAMS_KIND_SCHEDULER = 8,
    STREAMS_KIND_POOL = 9,
    STREAMS_KIND_ACTION = 10,
    STREAMS_KIND_DEBOUNCER = 11,
    STREAMS_KIND_THROTTLER = 12,
    STREAMS_KIND_CONNECTABLE = 13,
    STREAMS_KIND_PROMISE = 14,
    STREAMS_KIND_OBSERVABLE_OBJECT = 15,
    STREAMS_KIND_PROPERTY = 16,
    STREAMS_KIND_BINDING = 17,
    STREAMS_KIND_SCOPE_TREE = 18,
    STREAMS_KIND_SCOPE = 19
} streams_kind;

/*
 * Adds a reference to a handle of any kind. Each one needs a streams_release.
 *
 * Ownership: the new reference is yours.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE; STREAMS_LIMIT if the
 *   handle has 2097151 references.
 */
STREAMS_API streams_status streams_retain(const void *handle);

/*
 * Removes a reference to a handle of any kind. With the last one the handle becomes
 * stale, and its object is released:
 *
 *   - a cancellable is cancelled: the subscriber gets no further call;
 *   - a subject or a connectable lives on in the publishers made from it, a
 *     publisher in its subscriptions, an error in the streams that carry it;
 *   - a promise that has not been kept never will be: its subscribers wait until
 *     they cancel;
 *   - a subscription or an emitter only loses its handle; the stream goes on;
 *   - an observable object is gone: its publishers publish only what is set through
 *     a binding that still exists, and streams that are assigned to its values end;
 *   - a property or a binding lives on in its publishers, and in those derived from
 *     it;
 *   - a scope tree is taken down: its scopes release what they keep, and no body
 *     runs any more; a scope only loses its handle;
 *   - a scheduler drops the actions that wait for it, and takes no more: see
 *     Schedulers. A call that runs it returns after the current action. The threads of
 *     queues end when they have nothing left to do.
 *
 * This removes only your own references, never the library's: a handle that a
 * callback is lent cannot be released, unless streams_retain has added a reference.
 *
 * Ownership: takes one reference from you.
 * Threads: any, also inside a callback of the object that is released.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE (also if the handle is
 *   only borrowed).
 */
STREAMS_API streams_status streams_release(const void *handle);

/*
 * Returns what a handle refers to. Accepts anything, also NULL, stale handles and
 * numbers that never were handles: those are STREAMS_KIND_NONE. So is every handle of
 * another library whose numbers are from 0x400000000000000 (2 to the power of 58) on:
 * streams_retain and streams_release refuse it with STREAMS_STALE_HANDLE.
 *
 * Ownership: borrows the handle.
 * Errors: none; leaves the last error alone.
 */
STREAMS_API streams_kind streams_handle_kind(const void *handle);

/*
 * The number of live handles in the process, of all kinds. It is 0 when
 * everything has been released and no callback that was lent a handle is
 * running: the last line of a leak test.
 *
 * Ownership: none.
 * Threads: any; a snapshot if other threads are at work.
 * Errors: none.
 */
STREAMS_API size_t streams_live_handles(void);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_BASE_H */
