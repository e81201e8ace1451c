/*
 * streams.h - Combine's model for C: publishers, subscribers, demand.
 *
 * A publisher describes a stream of values. Nothing flows until a subscriber
 * is attached, and never more values flow than the subscriber has demanded.
 * Operators sit in between. A stream ends once: it finishes, or it fails with
 * an error. The program below reads three temperatures as a stream, converts
 * them and prints them.
 *
 *     #include <stdio.h>
 *     #include <streams.h>
 *
 *     static streams_status celsius(void *context, const streams_value *in, streams_value *out) {
 *         (void)context;
 *         *out = streams_double((in->as.real - 32) / 1.8);
 *         return STREAMS_OK;
 *     }
 *     static uint64_t show(void *context, const streams_value *value) {
 *         (void)context;
 *         printf("%.1f\n", value->as.real);
 *         return 0;
 *     }
 *     int main(void) {
 *         double readings[] = { 40.1, 31.2, 50.4 };
 *         streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
 *         subscriber.on_value = show;
 *         streams_publisher *p = streams_sequence_doubles(readings, 3);
 *         p = streams_map(p, celsius, NULL, NULL);
 *         streams_cancellable *ticket = streams_sink(p, &subscriber);
 *         if (ticket == NULL) return fprintf(stderr, "%s\n", streams_last_message()), 1;
 *         return streams_release(ticket) != STREAMS_OK;
 *     }
 *
 * Compile it with
 *
 *     cc program.c $(pkg-config --cflags --libs streams)
 *
 * Nine rules hold everywhere; the comments below only add to them.
 *
 * 1. OWNERSHIP. An operator consumes the publishers it is given and returns a
 *    new one that you own. So do streams_sink, streams_subscribe and what assigns.
 *    Everything else borrows. To use a publisher twice,
 *    retain it first. STREAMS_CONSUMES stands before whatever is consumed. What
 *    a function returns is yours to release, unless its comment says "borrowed".
 *
 * 2. HANDLES are tokens, not addresses; the library never follows one blindly.
 *    A handle that is NULL, has been released too often, or is of another kind
 *    is answered with a status. A handle read as intptr_t is positive.
 *    Releasing or cancelling anything inside a callback is legal.
 *
 * 3. ERRORS. An action returns a status, and 0 is success. A function that
 *    returns a handle returns NULL when it fails. Every failing call leaves
 *    its status, its name and a sentence in the last error of the thread.
 *    An operator given a NULL publisher returns NULL and keeps the error that is
 *    already there, so one check at the end of a chain is enough. One that
 *    fails has still consumed its publishers and called destroy(context).
 *    No call aborts the process because of its arguments. What cannot be
 *    detected is a pointer to memory that is not what it is said to be. Any
 *    call may be refused with STREAMS_LIMIT if it is nested too deep: in what
 *    is left of the thread's stack, or in 65535 others with the same handle.
 *    Where there is no memory for a copy of what a function is given, which may
 *    be of any size (text, bytes, lists, arrays), it answers with
 *    STREAMS_OUT_OF_MEMORY; nothing is lost, and the call can be made again.
 *    Where there is none for a copy of what a callback made, or for a list that
 *    a stream makes of its values, the stream fails with that code. But where
 *    memory runs out for the small objects that the library is made of, or for
 *    what it gathers by itself, as a buffer does, collect, and values that wait
 *    for their turn, the process ends, as it does with GLib.
 *
 * 4. CALLBACKS come as (function, context, destroy). destroy may be NULL;
 *    otherwise it is called exactly once, after the last call of the function,
 *    never while one is running, and also if the call that was given the
 *    callback fails. Callbacks must not throw C++ exceptions or longjmp out.
 *
 * 5. VALUES passed to a callback are borrowed for the length of the call.
 *    Values passed to a function are borrowed too: the library copies what it
 *    keeps.
 *
 * 6. THREADS. Unless its comment says otherwise, a function may be called from
 *    any thread and from inside any callback. A callback runs on the thread
 *    that caused it. Calls to one subscriber are never concurrent, and no lock
 *    of the library is held while a callback runs. A handle must not be
 *    released by one thread while another is about to use it without a
 *    reference of its own; if it happens, the second gets a status.
 *    A send returns when its values have been delivered, or dropped for lack
 *    of demand. While another thread delivers to the same stream, it waits for
 *    its turn: so a callback must never wait for a thread, as by joining it,
 *    that may be sending to the stream that called. Requests, cancellations
 *    and releases never wait. But a request delivers what waits for it, and
 *    whoever delivers does what other threads leave meanwhile: where they are
 *    quicker than the callbacks, as a window of 1 ns is, it returns when they
 *    pause. Of these waits for a turn none closes a circle:
 *    a thread that would wait for one that waits for it leaves its values to
 *    that one, and returns.
 *    A thread must not end inside a call, as by pthread_exit in a callback: what
 *    it is in the middle of would stay so for ever. A pthread_cancel is held back
 *    by the functions that wait, streams_run and those that run a loop, with the
 *    callbacks that they call, and comes when they have returned, which is not
 *    sooner for it: use streams_loop_stop, or cancel the stream. Other calls do not
 *    hold it back; of a callback that runs in them and calls a cancellation point,
 *    as write is one, it is up to the program: see pthread_setcancelstate.
 *
 * 7. STRUCTS that may grow begin with their size. Start from the matching
 *    ..._INIT macro. A size that this library does not know is refused with
 *    STREAMS_INVALID_SIZE; fields that an older program does not have count
 *    as zero.
 *
 * 8. DEPTH. Streams nest on the stack: operators in each other, and calls made
 *    inside callbacks. Where little is left of the thread's stack (128 KB; a
 *    quarter of one below 512 KB, though not less than 24 KB, or than half of
 *    one below 48 KB), a call that could call back answers STREAMS_LIMIT and
 *    does nothing, and a stream whose next value or subscription would nest too
 *    deep fails with the code STREAMS_LIMIT in the domain "streams". An operator
 *    takes up to 2 KB: at least 100 of them in a row fit on a stack of 512 KB,
 *    and 1000 on one of 8 MB. Whatever does not fit can be built and released
 *    all the same. streams_release is never refused; deep down, what it ends may
 *    be ended when the calls around it have returned. Callbacks that need more
 *    than half of that reserve have to see to it themselves. A thread needs a
 *    stack of 32 KB: every function and every operator works on it, also if it
 *    is the first that the process uses, and leaves 8 KB to a callback. What
 *    the library's language does once for each type takes more than that, and
 *    is done on a stack of the library's own where the thread's is short. The
 *    stacks of fibers are not watched, and need 64 KB for the same.
 *
 * 9. FORKS AND SIGNALS. After fork, the child may use everything but a stream
 *    that another thread of the parent was inside of at that moment; in the
 *    child such a stream may only be released. A queue or a pool has no threads
 *    there, as if it had been released: make another. The little memory that
 *    vanished threads held is not given back. The callbacks, and what
 *    they lock, are yours to keep usable. No function may be called in a signal
 *    handler: wake a thread there, as by writing to a pipe, and call from it.
 *
 * CONTENTS. Each section begins with its title.
 *
 *     Version                     of this header, and of the library that runs
 *     Status and errors of calls  what a call answers, and the last error
 *     Handles                     retain, release, and how many there are
 *     Values                      what flows: numbers, text, bytes, lists, arrays
 *     Objects                     pointers of your own as values
 *     Errors of streams           with what a stream fails
 *     Callbacks                   the shapes of functions that operators take
 *     Publishers                  of what is there already
 *     Publishers of your own      files, sockets, generators
 *     Operators of your own       of values one by one
 *     Subjects                    publishers that are fed by calls
 *     Futures                     one value, later
 *     Operators                   from streams_map to streams_breakpoint
 *     Seeing                      what a stream is made of, and what happens in it
 *     Sharing                     one stream for several subscribers
 *     Schedulers                  loops, queues, pools, virtual time
 *     Time                        operators with a scheduler, from
 *                                 streams_debounce to streams_retry_backoff
 *     Dividing                    into groups and windows
 *     Subscribers                 streams_sink, streams_run, requests, cancelling
 *     Observable objects          named values that tell before they change
 *     Properties                  values to read and to watch, derived from others
 *     Bindings                    values that somebody else keeps, to read and to set
 *     Scopes                      functions that run again when what they read changes
 *     Inline helpers              values on the stack: streams_int, streams_text
 *
 * What bindings of other languages need besides is in streams_host.h.
 *
 * A tool that reads declarations defines STREAMS_NO_INLINE and gets plain C
 * without attributes, static assertions and function bodies. Nothing is lost:
 * every inline helper is made of the functions declared here.
 */

#ifndef STREAMS_H
#define STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) && !defined(STREAMS_NO_INLINE)
#define STREAMS_API __attribute__((visibility("default")))
#else
#define STREAMS_API
#endif

/* Stands before each parameter whose reference a function takes over, also if it
 * fails: see rule 1. It means nothing to the compiler. */
#define STREAMS_CONSUMES

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Version
 * ======================================================================== */

/* Grows when a program that works may have to be changed. */
#define STREAMS_VERSION_MAJOR 1
/* Grows when there is something new. */
#define STREAMS_VERSION_MINOR 0
/* Grows when something has been mended. */
#define STREAMS_VERSION_PATCH 0

/* The version of this header as one number: 1.2.3 is 1002003. */
#define STREAMS_VERSION 1000000

/*
 * The version of the library that is running, in the form of STREAMS_VERSION.
 * Libraries of one major version are compatible; a program needs one that is
 * at least as new as its header.
 *
 * Ownership: none.
 * Threads: any.
 * Errors: none.
 * Since: 1.0.0
 */
STREAMS_API uint32_t streams_version(void);

/*
 * The version of the library that is running, as text: "1.0.0".
 *
 * Ownership: borrowed; the text lives as long as the library.
 * Threads: any.
 * Errors: none.
 * Since: 1.0.0
 */
STREAMS_API const char *streams_version_string(void);


/* ========================================================================
 * Status and errors of calls
 * ======================================================================== */

/*
 * The outcome of a call. Numbers never change their meaning; later versions
 * may add to them, so treat an unknown one as a failure.
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
    /* The size field of a struct is none that this library knows. */
    STREAMS_INVALID_SIZE = 5,
    /* A value is malformed: an unknown kind, or an object nobody owns. */
    STREAMS_INVALID_VALUE = 6,
    /* Text is not well-formed UTF-8. */
    STREAMS_INVALID_UTF8 = 7,
    /* A number is outside what the function takes, as a negative count is. */
    STREAMS_INVALID_ARGUMENT = 8,
    /* Zero values were requested. */
    STREAMS_ZERO_DEMAND = 9,
    /* More values were sent than demanded; the surplus was not taken. */
    STREAMS_DEMAND_EXCEEDED = 10,
    /* The stream has ended or was cancelled; nothing was sent. */
    STREAMS_TERMINATED = 11,
    /* A callback failed, or wants to. */
    STREAMS_CALLBACK_FAILED = 12,
    /* The rules between publisher and subscriber were broken. Mostly seen as
     * the code of a stream's failure, in the domain "streams". */
    STREAMS_PROTOCOL_VIOLATION = 13,
    /* A length exceeds what a value can hold: 4294967295. As the code of a
     * stream's failure, in the domain "streams": a sum does; see streams_sum. */
    STREAMS_OUT_OF_RANGE = 14,
    /* There is no memory for a copy of data of any size; see rule 3 at the top.
     * Also the code of a stream's failure, in the domain "streams". */
    STREAMS_OUT_OF_MEMORY = 15,
    /* A limit of the library is reached: lists nested more than 64 deep, too
     * many live handles, references or hosts, or calls and streams nested
     * deeper than the thread's stack allows (rule 8 at the top). Also the code
     * of a stream's failure, in the domain "streams". */
    STREAMS_LIMIT = 16,
    /* The time that the call was given has passed. */
    STREAMS_TIMED_OUT = 17,
    /* What must not fail has failed. Only seen as the code of a stream's failure,
     * in the domain "streams"; see streams_assert_no_failure. */
    STREAMS_ASSERTION_FAILED = 18,
    /* Never returned. Makes every int from 0 a valid status in C++ too. */
    STREAMS_STATUS_LAST = 0x7fffffff
} streams_status;

/*
 * The name of a status as it is written above: "STREAMS_STALE_HANDLE". For a
 * number that is no status: "STREAMS_UNKNOWN".
 *
 * Ownership: borrowed; the text lives as long as the library.
 * Threads: any.
 * Errors: none. Never NULL.
 * Since: 1.0.0
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
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_last_status(void);

/*
 * The name of the function that failed last on this thread: "streams_map".
 * Empty if there is no last error.
 *
 * Ownership: borrowed; valid until the next failing call of this thread.
 * Threads: any; each thread has its own.
 * Errors: none. Never NULL.
 * Since: 1.0.0
 */
STREAMS_API const char *streams_last_function(void);

/*
 * A sentence about the last failure of this thread that names the argument at
 * fault: "publishers[1] is NULL". Empty if there is no last error.
 *
 * Ownership: borrowed; valid until the next failing call of this thread.
 * Threads: any; each thread has its own.
 * Errors: none. Never NULL.
 * Since: 1.0.0
 */
STREAMS_API const char *streams_last_message(void);

/*
 * Forgets the last error of this thread.
 *
 * Ownership: none.
 * Threads: any; each thread has its own.
 * Errors: none.
 * Since: 1.0.0
 */
STREAMS_API void streams_clear_last_error(void);


/* ========================================================================
 * Handles
 * ======================================================================== */

/* Describes a stream; values flow once it has a subscriber. */
typedef struct streams_publisher streams_publisher;
/* A publisher that is fed by calls: streams_subject_send. */
typedef struct streams_subject streams_subject;
/* What a future publishes when it is kept; see "Futures". */
typedef struct streams_promise streams_promise;
/* A publisher that publishes once it is connected; see "Sharing". */
typedef struct streams_connectable streams_connectable;
/* The link between one subscriber and its publisher: request and cancel. */
typedef struct streams_subscription streams_subscription;
/* The ticket for a running stream. Releasing the last reference cancels. */
typedef struct streams_cancellable streams_cancellable;
/* Why a stream failed. */
typedef struct streams_error streams_error;
/* The sending end of one subscription to a publisher of your own. */
typedef struct streams_emitter streams_emitter;
/* A function of a managed runtime; see streams_host.h. */
typedef struct streams_callable streams_callable;
/* Where and when operators do what they do later; see "Schedulers". */
typedef struct streams_scheduler streams_scheduler;
/* Threads that serial queues share. */
typedef struct streams_pool streams_pool;
/* Something that a scheduler of your own is to run. */
typedef struct streams_action streams_action;
/* Runs the last of the actions that come in quick succession. */
typedef struct streams_debouncer streams_debouncer;
/* Runs one of the actions that come in each interval of time. */
typedef struct streams_throttler streams_throttler;
/* Named values that can be read, set and watched; see "Observable objects". */
typedef struct streams_observable_object streams_observable_object;
/* A value that changes, and can be read and watched; see "Properties". */
typedef struct streams_property streams_property;
/* A value that somebody keeps, to read, to set and to watch; see "Bindings". */
typedef struct streams_binding streams_binding;
/* Functions that run again when what they have read changes; see "Scopes". */
typedef struct streams_scope_tree streams_scope_tree;
/* The place of one of them in its tree. */
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
 * Threads: any.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE; STREAMS_LIMIT if the
 *   handle has 2097151 references.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_retain(const void *handle);

/*
 * Gives up a reference to a handle of any kind. With the last one the handle
 * becomes stale, and what it held is let go:
 *
 *   - a cancellable is cancelled: the subscriber hears nothing more;
 *   - a subject or a connectable lives on in the publishers made from it, a
 *     publisher in its subscriptions, an error where it travels;
 *   - a promise that is not kept will not be: who waits, waits until it cancels;
 *   - a subscription or an emitter only loses its name; the stream goes on;
 *   - an observable object is gone: its publishers publish no more, and what is
 *     assigned to its values ends;
 *   - a property or a binding lives on in its publishers, and in what is derived
 *     from it;
 *   - a scope tree is taken down: what its scopes keep is let go, and no body runs
 *     any more; a scope only loses its name;
 *   - a scheduler forgets what waits for it, which never comes, and takes
 *     nothing more: see Schedulers; a call that runs one returns after the action that it is
 *     at. The threads of queues end when they have nothing left to do.
 *
 * References are yours or the library's own, and this takes only yours: a
 * handle that a callback is lent cannot be released without a reference that
 * was added by streams_retain.
 *
 * Ownership: takes one reference from you.
 * Threads: any, also inside a callback of the very thing that is released.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE (also if the handle is
 *   only borrowed).
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_release(const void *handle);

/*
 * Tells what a handle refers to. Accepts anything, also NULL, stale handles
 * and numbers that never were handles: those are STREAMS_KIND_NONE.
 *
 * Ownership: borrows the handle.
 * Threads: any.
 * Errors: none; leaves the last error alone.
 * Since: 1.0.0
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
 * Since: 1.0.0
 */
STREAMS_API size_t streams_live_handles(void);


/* ========================================================================
 * Values
 *
 * What flows through a stream. Three situations, three rules:
 *
 *   - A value you pass in is borrowed. Text, bytes and lists in your own
 *     memory (owner NULL) need to stay put for the length of the call only;
 *     the library copies.
 *   - A value you are lent, as in a callback, is valid for the length of the
 *     call. To keep it use streams_value_copy, never plain assignment.
 *   - A value that a function or you put into an `out` of type streams_value:
 *     see streams_transform_fn for callbacks; everywhere else it is yours,
 *     and streams_value_destroy ends it.
 * ======================================================================== */

/* The kinds of values, and the member of `as` that each one uses. */
typedef enum streams_value_kind {
    STREAMS_VALUE_NULL = 0,   /* none */
    STREAMS_VALUE_BOOL = 1,   /* boolean */
    STREAMS_VALUE_INT64 = 2,  /* integer */
    STREAMS_VALUE_DOUBLE = 3, /* real */
    STREAMS_VALUE_STRING = 4, /* text: UTF-8, size bytes, may contain NUL, not terminated by it */
    STREAMS_VALUE_BYTES = 5,  /* bytes: size bytes */
    STREAMS_VALUE_LIST = 6,   /* items: size values */
    STREAMS_VALUE_OBJECT = 7, /* object: a pointer of yours; see "Objects" */
    STREAMS_VALUE_INT64S = 8, /* integers: size integers in a row */
    STREAMS_VALUE_DOUBLES = 9 /* reals: size doubles in a row */
} streams_value_kind;

/*
 * A value: 24 bytes, on the stack or in arrays, freely readable.
 *
 * A zeroed struct is the null value. `size` is the length of a string, of
 * bytes (in bytes), of a list (in values) or of an array (in numbers), and 0 for
 * every other kind. When `size` is 0 the pointer may be NULL.
 *
 * An array of numbers is one value, as a list is. streams_subject_send_numbers
 * and streams_sequence_numbers publish its numbers, each a value of its own; they
 * travel together, where they lie, to those who take arrays: streams_map_batch
 * and the on_numbers of a subscriber.
 *
 * `owner` belongs to the library. It is NULL for a plain scalar and for memory
 * that is only borrowed; otherwise it names reference-counted storage. Set it
 * to NULL when you fill in a value yourself and never change it otherwise. A
 * list owns its items: an item of an owned list must not be destroyed.
 *
 * Do not change the pointer or the size of a value with an owner. A part of it
 * that is kept without a copy is made by streams_value_slice; for a look, a
 * value without an owner that points into it will do, as by
 * streams_text_n(value->as.text + 2, 3).
 */
typedef struct streams_value {
    uint32_t kind; /* a streams_value_kind */
    uint32_t size; /* see above */
    /* What the kind says. */
    union {
        bool boolean;
        int64_t integer;
        double real;
        const char *text;
        const uint8_t *bytes;
        const struct streams_value *items;
        const int64_t *integers;
        const double *reals;
        void *object;
        uint64_t bits;
    } as;
    void *owner; /* the library's; see above */
} streams_value;

/* Lets go of a context: called once, when nothing uses it any more. */
typedef void (*streams_destroy_fn)(void *context);

/*
 * Copies a value so that it may be kept: owned storage gets one reference
 * more, borrowed memory is copied, scalars are scalars. Cheap for owned values
 * of any length. This is also how a callback passes its input on.
 *
 * Ownership: borrows value; *out is overwritten, not destroyed, and is yours.
 * Threads: any.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_INVALID_ARGUMENT if value and out are
 *   the same, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY. *out is then null, except when it is the same as
 *   value, which is left alone.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_value_copy(const streams_value *value, streams_value *out);

/*
 * Ends a value that is yours and sets it to null, so doing it twice is
 * harmless. On scalars and borrowed memory it only sets to null.
 *
 * Ownership: takes the value's reference.
 * Threads: any.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE for an unknown kind,
 *   which is left alone.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_value_destroy(streams_value *value);

/*
 * Compares two values. Values of different kinds are different: 1 is not 1.0.
 * Doubles compare as in C, so NaN differs from itself. Strings and bytes
 * compare byte by byte, lists and arrays item by item, objects as their type
 * says.
 *
 * Ownership: borrows both.
 * Threads: any.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_OUT_OF_MEMORY, STREAMS_LIMIT; STREAMS_CALLBACK_FAILED if an object
 *   of a managed runtime raises an error. *equal is then false.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_value_equal(
    const streams_value *a, const streams_value *b, bool *equal);

/*
 * Gives the number by which a hash table finds a value: the same one for values
 * that are equal, those that streams_value_equal says it of, 0.0 and -0.0 for
 * instance. It depends on what a value contains, not on where it lies, and is
 * another one each time that the program runs. Of a list it takes the first
 * thousand items, those of nested lists counted. Objects of a streams_object_type
 * that can be compared have all the same.
 *
 * Ownership: borrows value.
 * Threads: any.
 * Errors: as streams_value_equal. *hash is then 0.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_value_hash(const streams_value *value, uint64_t *hash);

/*
 * Puts two values into an order, for sorting: *order is -1 if a comes first, 1 if
 * b does, and 0 if neither.
 *
 *   - The kinds come in the order null, bool, numbers, strings, bytes, lists,
 *     arrays of integers, arrays of doubles, objects.
 *   - false comes before true. Numbers come in the order of what they are worth,
 *     exactly, also integers and doubles among each other; of two that are worth
 *     the same the integer comes first. NaN comes after all other numbers.
 *   - Strings and bytes compare byte by byte, lists and arrays item by item; what
 *     is a beginning of the other comes first.
 *   - Objects of a managed runtime are compared by it. Other objects have no
 *     order, unless they are equal.
 *
 * It is 0 where streams_value_equal says true, and for two NaNs, only.
 *
 * Ownership: borrows both.
 * Threads: any.
 * Errors: STREAMS_INVALID_VALUE for two objects that have no order; further as
 *   streams_value_equal. *order is then 0.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_value_compare(
    const streams_value *a, const streams_value *b, int *order);

/*
 * Writes a value as text, the way streams_print shows it: null, true, 42, 1.5
 * (a double always shows as one, 2.0, and reads back exactly), text as it is,
 * "3 bytes", [1, 2.0, "text in a list is quoted"], an array as a list, an object
 * as its type says. After 10,000 items, those of nested lists counted, a list ends with "…".
 *
 * Follows snprintf: at most capacity bytes are written, the last of them NUL
 * unless capacity is 0, never half a character, and *needed is the full length
 * without NUL. So *needed >= capacity means that the text was cut short. Pass
 * NULL and 0 to measure. needed may be NULL if buffer is not.
 *
 * Ownership: borrows everything.
 * Threads: any.
 * Errors: STREAMS_NULL_ARGUMENT (value; buffer with a capacity; or buffer and
 *   needed both), STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_value_describe(
    const streams_value *value, char *buffer, size_t capacity, size_t *needed);

/*
 * Makes a string that owns a copy of text.
 *
 * Ownership: borrows text, which may be NULL if length is 0; *out is
 *   overwritten and yours.
 * Threads: any.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_RANGE,
 *   STREAMS_OUT_OF_MEMORY. *out is then null.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_value_string(
    const char *text, size_t length, streams_value *out);

/*
 * Makes bytes that own a copy of the memory given.
 *
 * Ownership: borrows bytes, which may be NULL if length is 0; *out is
 *   overwritten and yours.
 * Threads: any.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_OUT_OF_RANGE, STREAMS_OUT_OF_MEMORY.
 *   *out is then null.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_value_bytes(
    const void *bytes, size_t length, streams_value *out);

/*
 * Makes a string of memory of yours, without a copy. The memory stays as it is
 * until destroy, which is called once, with context, when the last reference to
 * the value and to its slices is gone:
 *
 *     streams_value_string_nocopy(text, length, text, free, &value);
 *
 * Ownership: takes context, also if the call fails; borrows text until destroy
 *   is called. text may be NULL if length is 0. *out is overwritten and yours.
 * Threads: any. destroy is called on the thread that lets go last.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_RANGE.
 *   *out is then null.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_value_string_nocopy(const char *text, size_t length,
    void *context, streams_destroy_fn destroy, streams_value *out);

/*
 * Makes bytes of memory of yours, without a copy, in the way of
 * streams_value_string_nocopy.
 *
 * Ownership: takes context, also if the call fails; borrows bytes until destroy
 *   is called. bytes may be NULL if length is 0. *out is overwritten and yours.
 * Threads: any. destroy is called on the thread that lets go last.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_OUT_OF_RANGE. *out is then null.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_value_bytes_nocopy(const void *bytes, size_t length,
    void *context, streams_destroy_fn destroy, streams_value *out);

/*
 * Makes an array of integers of memory of yours, without a copy, in the way of
 * streams_value_string_nocopy. What lies there when somebody looks is the array:
 * to change it is to change what is published.
 *
 * Ownership: takes context, also if the call fails; borrows integers until
 *   destroy is called. integers may be NULL if count is 0. *out is overwritten
 *   and yours.
 * Threads: any. destroy is called on the thread that lets go last.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_OUT_OF_RANGE; STREAMS_INVALID_ARGUMENT
 *   if integers is no multiple of 8. *out is then null.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_value_int64s_nocopy(const int64_t *integers, size_t count,
    void *context, streams_destroy_fn destroy, streams_value *out);

/*
 * Makes an array of doubles of memory of yours; otherwise as
 * streams_value_int64s_nocopy.
 *
 * Ownership: takes context, also if the call fails; borrows reals until destroy
 *   is called. reals may be NULL if count is 0. *out is overwritten and yours.
 * Threads: any. destroy is called on the thread that lets go last.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_OUT_OF_RANGE; STREAMS_INVALID_ARGUMENT
 *   if reals is no multiple of 8. *out is then null.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_value_doubles_nocopy(const double *reals, size_t count,
    void *context, streams_destroy_fn destroy, streams_value *out);

/*
 * Makes a part of a string, of bytes, of a list or of an array: length bytes,
 * items or numbers, from offset on. A value with an owner shares its storage with the part; of one
 * without, the part is copied.
 *
 * Ownership: borrows value; *out is overwritten and yours.
 * Threads: any.
 * Errors: STREAMS_NULL_ARGUMENT; STREAMS_INVALID_ARGUMENT if the value is not
 *   that long, or value and out are the same; STREAMS_INVALID_VALUE for other
 *   kinds; STREAMS_INVALID_UTF8 if an end is within a character; STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY. *out is then null, except when it is the same as
 *   value, which is left alone.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_value_slice(
    const streams_value *value, size_t offset, size_t length, streams_value *out);

/*
 * Makes a copy of a string that ends with a NUL, which its size does not count,
 * for functions that take text of that kind.
 *
 * Ownership: borrows value; *out is overwritten and yours.
 * Threads: any.
 * Errors: STREAMS_NULL_ARGUMENT; STREAMS_INVALID_VALUE if it is no string, or
 *   contains a NUL; STREAMS_INVALID_ARGUMENT if value and out are the same;
 *   STREAMS_INVALID_UTF8, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY. *out is then
 *   null, except when it is the same as value, which is left alone.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_value_c_string(const streams_value *value, streams_value *out);

/*
 * Makes a list that owns copies of the values given.
 *
 * Ownership: borrows values, which may be NULL if count is 0; *out is
 *   overwritten and yours.
 * Threads: any.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_OUT_OF_RANGE, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY. *out is then
 *   null.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_value_list(
    const streams_value *values, size_t count, streams_value *out);


/* ========================================================================
 * Objects: pointers of your own as values
 * ======================================================================== */

/*
 * What the library needs to know about a pointer of yours in order to carry
 * it. The struct must outlive all values made with it; make it static const.
 * Every function may be NULL and may be called from any thread.
 */
typedef struct streams_object_type {
    size_t size; /* sizeof(streams_object_type) */
    /* Adds a reference. NULL: objects are not counted. */
    void (*retain)(void *object);
    /* Gives one up. NULL: objects are not counted. */
    void (*release)(void *object);
    /* Compares two objects of this type. NULL: the same pointer is equal. */
    bool (*equals)(void *a, void *b);
    /* Writes UTF-8 into buffer as snprintf does and returns the full length
     * without NUL. NULL: the description is "object". */
    size_t (*describe)(void *object, char *buffer, size_t capacity);
} streams_object_type;

/* A type of objects without functions, to begin with. */
#define STREAMS_OBJECT_TYPE_INIT \
    { sizeof(streams_object_type), NULL, NULL, NULL, NULL }

/*
 * Makes a value that holds an object. It calls retain once; release follows
 * once when the last copy of the value is gone, on whichever thread that is.
 * Objects of different types are never equal. An object filled into a
 * streams_value by hand, without an owner, is STREAMS_INVALID_VALUE.
 *
 * Ownership: borrows type for as long as the value lives; your own reference
 *   to the object stays yours; object may be NULL; *out is overwritten and
 *   yours.
 * Threads: any.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_INVALID_SIZE.
 *   *out is then null.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_value_object(
    const streams_object_type *type, void *object, streams_value *out);


/* ========================================================================
 * Errors of streams
 *
 * Two domains belong to the library. In "streams" the code is a streams_status
 * and tells what went wrong inside a stream. In "streams.callback" the code is
 * the status that a callback returned without naming an error.
 * ======================================================================== */

/*
 * Makes an error that a stream can fail with.
 *
 * Ownership: copies domain, message and object; object may be NULL. The result
 *   is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_ARGUMENT (domain, message),
 *   STREAMS_INVALID_UTF8, STREAMS_INVALID_VALUE, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_error *streams_error_create(
    int64_t code, const char *domain, const char *message, const streams_value *object);

/*
 * The error's code. What it means is up to the domain.
 *
 * Ownership: borrows error.
 * Threads: any.
 * Errors: 0 with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND.
 * Since: 1.0.0
 */
STREAMS_API int64_t streams_error_code(const streams_error *error);

/*
 * The error's domain, ended by NUL.
 *
 * Ownership: borrowed; valid as long as the error is.
 * Threads: any.
 * Errors: "" with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND. Never NULL.
 * Since: 1.0.0
 */
STREAMS_API const char *streams_error_domain(const streams_error *error);

/*
 * The error's message for people, ended by NUL.
 *
 * Ownership: borrowed; valid as long as the error is.
 * Threads: any.
 * Errors: "" with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND. Never NULL.
 * Since: 1.0.0
 */
STREAMS_API const char *streams_error_message(const streams_error *error);

/*
 * The value that the error carries, for instance an exception of another
 * language; NULL if it carries none.
 *
 * Ownership: borrowed; valid as long as the error is.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND. NULL for "none" leaves the last error alone.
 * Since: 1.0.0
 */
STREAMS_API const streams_value *streams_error_object(const streams_error *error);

/*
 * The error of the callback because of which the last call of this thread failed
 * that failed, with STREAMS_CALLBACK_FAILED: as streams_property_get_value may,
 * and streams_value_equal. NULL if there was none, or there is no handle for it. It
 * is kept until the next failing call of the thread, or streams_clear_last_error.
 *
 * Ownership: the result is yours.
 * Threads: any; each thread has its own.
 * Errors: none; leaves the last error alone.
 * Since: 1.0.0
 */
STREAMS_API streams_error *streams_last_error(void);


/* ========================================================================
 * Callbacks
 *
 * A callback that returns anything but STREAMS_OK fails the stream: upstream
 * is cancelled, and downstream receives the error that the callback named with
 * streams_callback_fail, or else one in the domain "streams.callback" whose
 * code is the status returned. If that is the status of the last call that has
 * failed within the callback, the message is that call's, after its name, and
 * an error of streams_last_error is passed on as it is. The callback's `out` is
 * then ignored, but not destroyed: do not leave an owned value there.
 * ======================================================================== */

/*
 * Turns a value into another. *out is null when the callback is called.
 *
 * A result with an owner is handed over: the library destroys it. A result
 * without, as text in a buffer of yours, must stay valid until this callback
 * is called again or its destroy is; the library copies right after the
 * return. To return the input or a part of it, use streams_value_copy(in, out);
 * *out = *in would hand over a reference that is not yours.
 *
 * Callbacks that are called by one subscription are never concurrent. Two
 * subscriptions to the same publisher share the context and may be.
 */
typedef streams_status (*streams_transform_fn)(
    void *context, const streams_value *in, streams_value *out);

/*
 * Makes as many values of several. `in` is an array of integers or of doubles or,
 * where the values are not all of one of these kinds, a list; it is never empty.
 * `out` follows the rules of streams_transform_fn and has to be an array or a list
 * of the size of `in`. To keep `in`, use streams_value_copy, which copies numbers
 * only if they have no owner.
 */
typedef streams_status (*streams_transform_batch_fn)(
    void *context, const streams_value *in, streams_value *out);

/* Decides on a value. *result is false when the callback is called. */
typedef streams_status (*streams_predicate_fn)(
    void *context, const streams_value *in, bool *result);

/* Compares two values. *same is false when the callback is called. */
typedef streams_status (*streams_compare_fn)(
    void *context, const streams_value *previous, const streams_value *current, bool *same);

/* Whether the first value comes before the second. *is_before is false when the
 * callback is called. */
typedef streams_status (*streams_order_fn)(
    void *context, const streams_value *first, const streams_value *second, bool *is_before);

/* Combines what is accumulated so far with the next value. `out` follows the
 * rules of streams_transform_fn. */
typedef streams_status (*streams_combine_fn)(
    void *context, const streams_value *accumulated, const streams_value *in, streams_value *out);

/* Makes one value of several, of each publisher one, in their order. `out` follows
 * the rules of streams_transform_fn. */
typedef streams_status (*streams_combine_values_fn)(
    void *context, const streams_value *values, size_t count, streams_value *out);

/* Makes a publisher of a value. *out is NULL when the callback is called; the
 * publisher put there is handed over. Leaving NULL with STREAMS_OK fails the
 * stream with STREAMS_NULL_HANDLE in the domain "streams", another handle with
 * STREAMS_WRONG_KIND; that is released. */
typedef streams_status (*streams_expand_fn)(
    void *context, const streams_value *in, streams_publisher **out);

/* Makes a property of a value. *out is NULL when the callback is called; the
 * reference put there is handed over. Leaving NULL with STREAMS_OK fails with
 * STREAMS_NULL_HANDLE in the domain "streams", another handle with
 * STREAMS_WRONG_KIND; that is released. */
typedef streams_status (*streams_expand_property_fn)(
    void *context, const streams_value *in, streams_property **out);

/* Makes a publisher. `out` follows the rules of streams_expand_fn. */
typedef streams_status (*streams_make_publisher_fn)(void *context, streams_publisher **out);

/* Makes the publisher that takes over after a failure. The error is borrowed;
 * `out` follows the rules of streams_expand_fn. */
typedef streams_status (*streams_recover_fn)(
    void *context, const streams_error *error, streams_publisher **out);

/* Makes an error of another. The error is borrowed. *out is NULL when the
 * callback is called; the reference put there is handed over: to keep the error
 * as it is, streams_retain it. Leaving NULL with STREAMS_OK fails the stream
 * with STREAMS_NULL_HANDLE in the domain "streams". */
typedef streams_status (*streams_transform_error_fn)(
    void *context, const streams_error *error, streams_error **out);

/* Makes an error. `out` follows the rules of streams_transform_error_fn. */
typedef streams_status (*streams_make_error_fn)(void *context, streams_error **out);

/* Decides on an error, which is borrowed. *result is false when the callback is
 * called. */
typedef streams_status (*streams_error_predicate_fn)(
    void *context, const streams_error *error, bool *result);

/* Gives a value that somebody keeps. `out` follows the rules of
 * streams_transform_fn. */
typedef streams_status (*streams_get_value_fn)(void *context, streams_value *out);

/* Keeps another value in the place of that which was there. */
typedef streams_status (*streams_set_value_fn)(void *context, const streams_value *value);

/* Runs in a scope, and says what that shows: see "Scopes". The scope and the input
 * are lent. `out` follows the rules of streams_transform_fn. */
typedef streams_status (*streams_body_fn)(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out);

/* Receives text: UTF-8, length bytes, not ended by NUL. */
typedef void (*streams_write_fn)(void *context, const char *text, size_t length);

/*
 * Names the error with which the running callback is about to fail. Call it
 * last, in the form
 *
 *     return streams_callback_fail(error);
 *
 * for it returns STREAMS_CALLBACK_FAILED, or the status of a bad handle, and
 * so a failure in every case. A callback that names an error and then does
 * not fail, because it returns STREAMS_OK or returns no status, has not
 * failed: the error is forgotten when it returns. A callback that runs and
 * names one in between takes its place. Outside of a callback nothing fails.
 * See also streams_callback_fail_with.
 *
 * Ownership: borrows error; the library retains it.
 * Threads: the one that runs the callback.
 * Errors: never STREAMS_OK. Only STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE and
 *   STREAMS_WRONG_KIND set the last error.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_callback_fail(const streams_error *error);


/* ========================================================================
 * Publishers
 * ======================================================================== */

/* As much as there is. Demand adds up; from 9223372036854775807 on it counts
 * as unlimited and stays so. */
#define STREAMS_UNLIMITED 18446744073709551615ULL

/* A prefetch that follows the demand: no bound where everything is demanded, and
 * 256 values where a limited number is. See streams_group_by. */
#define STREAMS_AS_DEMANDED 0ULL

/*
 * What on_value, on_values and on_numbers return instead of a demand when they
 * fail, with the error that streams_callback_fail has named:
 *
 *     if (write(file, value) < 0) {
 *         streams_callback_fail_with(errno, "file", strerror(errno));
 *         return STREAMS_FAIL;
 *     }
 *
 * The stream is cancelled, and on_completion is called with that error, or else
 * with one in the domain "streams.callback".
 */
#define STREAMS_FAIL 18446744073709551614ULL

/*
 * Publishes one value to each subscriber and finishes. Combine's Just.
 *
 * Ownership: copies value; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_UTF8, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_just(const streams_value *value);

/*
 * Publishes nothing, and finishes at once or, if complete_immediately is
 * false, never. Combine's Empty.
 *
 * Ownership: the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_empty(bool complete_immediately);

/*
 * Publishes nothing and fails at once. Combine's Fail.
 *
 * Ownership: borrows error; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_fail(const streams_error *error);

/*
 * Publishes an array of values, from its beginning to each subscriber, as
 * demanded, and finishes. Combine's Publishers.Sequence.
 *
 * Ownership: copies values, which may be NULL if count is 0; the result is
 *   yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_UTF8, STREAMS_OUT_OF_RANGE, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_sequence(const streams_value *values, size_t count);

/*
 * Publishes an array of integers; otherwise as streams_sequence.
 *
 * Ownership: copies values, which may be NULL if count is 0; the result is
 *   yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_OUT_OF_RANGE,
 *   STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_sequence_int64s(const int64_t *values, size_t count);

/*
 * Publishes an array of doubles; otherwise as streams_sequence.
 *
 * Ownership: copies values, which may be NULL if count is 0; the result is
 *   yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_OUT_OF_RANGE,
 *   STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_sequence_doubles(const double *values, size_t count);

/*
 * Publishes the numbers of an array, each a value of its own; otherwise as
 * streams_sequence. An array with an owner is not copied.
 *
 * Ownership: borrows numbers, and copies what has no owner; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY;
 *   STREAMS_INVALID_VALUE if it is no array of numbers.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_sequence_numbers(const streams_value *numbers);

/*
 * Publishes recorded values, from the first on to each subscriber, as demanded,
 * and then fails with the error, or finishes if error is NULL. Combine's Record.
 *
 * Ownership: copies values, which may be NULL if count is 0; borrows error, which
 *   the publisher keeps; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_UTF8, STREAMS_OUT_OF_RANGE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_record(
    const streams_value *values, size_t count, const streams_error *error);

/*
 * Has the callback make the publisher for each subscriber, when it subscribes. A
 * callback that fails, fails that stream. Combine's Deferred.
 *
 * Ownership: takes context; takes each publisher that the callback returns; the
 *   result is yours.
 * Threads: any; the callback is called on the thread that subscribes. Two
 *   subscriptions may call it concurrently.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_LIMIT.
 *   A bad handle returned by the callback fails the stream in the domain
 *   "streams".
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_deferred(
    streams_make_publisher_fn make, void *context, streams_destroy_fn destroy);


/* ========================================================================
 * Publishers of your own
 *
 * This is how a file, a socket or a generator becomes a publisher that
 * produces on demand. Each subscription gets an emitter of its own:
 *
 *     open(context, emitter, &state)     once, when someone subscribes
 *     produce(state, emitter, max)       when there is demand
 *     close(state)                       once, after the end or a cancellation
 *     destroy(context)                   once, when the publisher is gone
 *                                        and every subscription is closed
 * ======================================================================== */

/*
 * A source of values.
 *
 * produce is asked for at most `max` values: the demand that is open at that
 * moment, never 0, perhaps STREAMS_UNLIMITED. It sends them with the emitter,
 * ends the stream with streams_emitter_finish or streams_emitter_fail, and
 * returns. When it returns without having ended the stream,
 *
 *   - and it has sent all `max` values: it is asked again at once if there is
 *     demand by then, in a loop, not recursively;
 *   - and it has sent fewer: it rests. It is asked again, for all that is then
 *     open, when new demand arrives (also demand that arrived while it ran) or
 *     when streams_emitter_wake is called. Nothing is lost.
 *
 * So a source with nothing to send for now returns and wakes the emitter when
 * there is something; a source that works in portions wakes its emitter before
 * it returns. A source may also retain the emitter and send from elsewhere at
 * any time: demand that such values use up is no longer open.
 *
 * produce runs on the thread that asks: the one that requests, or wakes. It is
 * never called concurrently with, or from inside, itself, nor after the
 * end or a cancellation. A callback that fails ends the stream with its error.
 * What it returns after the end or a cancellation changes nothing: so it may
 * return the status of its last send, which is STREAMS_TERMINATED when nobody
 * listens any more.
 *
 * The emitter is lent for the length of the call. To wake it, or to send, at
 * another time retain it in open, and release it in close.
 *
 * produce must be set; the other functions may be NULL.
 */
typedef struct streams_source {
    size_t size; /* sizeof(streams_source) */
    /* Passed to open and destroy. */
    void *context;
    /* Prepares a subscription, before the subscriber hears of it, and sets
     * *state, which is NULL before. There is no demand yet; finishing or
     * failing takes effect once the subscriber has its subscription. If open
     * fails, close is not called. Without open, the state is the context. */
    streams_status (*open)(void *context, streams_emitter *emitter, void **state);
    /* Sends at most max values; see above. */
    streams_status (*produce)(void *state, streams_emitter *emitter, uint64_t max);
    /* Ends a subscription. Called once, never while produce or a send of the
     * same subscription is running. */
    void (*close)(void *state);
    /* Lets go of the context. */
    streams_destroy_fn destroy;
} streams_source;

/* A source without functions, to begin with; produce must be set. */
#define STREAMS_SOURCE_INIT \
    { sizeof(streams_source), NULL, NULL, NULL, NULL, NULL }

/*
 * Makes a cold publisher of a source: each subscriber starts it afresh.
 *
 * Ownership: copies the struct and takes its context; the result is yours. On
 *   failure destroy is called, unless the struct is NULL or of invalid size.
 * Threads: any. Two subscriptions may call open and produce concurrently.
 * Errors: NULL with STREAMS_NULL_ARGUMENT (source, produce),
 *   STREAMS_INVALID_SIZE, STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_publisher_create(const streams_source *source);

/*
 * Sends one value to the emitter's subscriber and uses up one of its demand.
 *
 * Ownership: borrows value; the library copies what it keeps.
 * Threads: any, also several at once and from inside the subscriber's
 *   callbacks: the subscriber receives one value after another, and OK means
 *   that it received this one or will.
 * Errors: STREAMS_DEMAND_EXCEEDED if there is no demand, STREAMS_TERMINATED
 *   after the end or a cancellation; the value is not taken. Further
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_emitter_send(
    streams_emitter *emitter, const streams_value *value);

/*
 * Sends an array of values, as many as there is demand for, counting demand
 * that arrives while they are delivered. *taken is how many went; it may be
 * NULL. All values are checked first; if one is bad, nothing is sent.
 *
 * Ownership: borrows values, which may be NULL if count is 0; the library
 *   copies what it keeps.
 * Threads: as streams_emitter_send.
 * Errors: STREAMS_DEMAND_EXCEEDED or STREAMS_TERMINATED if fewer than count
 *   were taken; otherwise as streams_emitter_send, and *taken is 0.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_emitter_send_values(
    streams_emitter *emitter, const streams_value *values, size_t count, size_t *taken);

/*
 * Finishes the stream. Needs no demand; behind streams_lift what waits for demand
 * comes first.
 *
 * Ownership: borrows emitter.
 * Threads: as streams_emitter_send; values sent before arrive before.
 * Errors: STREAMS_TERMINATED after the end or a cancellation,
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_LIMIT where calls are nested too deep.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_emitter_finish(streams_emitter *emitter);

/*
 * Fails the stream. Needs no demand; behind streams_lift what waits for demand
 * comes first.
 *
 * Ownership: borrows both.
 * Threads: as streams_emitter_send; values sent before arrive before.
 * Errors: STREAMS_TERMINATED after the end or a cancellation,
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND (for either
 *   handle; the stream then goes on);
 *   STREAMS_LIMIT where calls are nested too deep.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_emitter_fail(
    streams_emitter *emitter, const streams_error *error);

/*
 * The demand that is open: how many values may be sent now. STREAMS_UNLIMITED
 * if there is no bound, 0 after the end or a cancellation.
 *
 * Ownership: borrows emitter.
 * Threads: any; a snapshot if other threads are at work.
 * Errors: 0 with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND.
 * Since: 1.0.0
 */
STREAMS_API uint64_t streams_emitter_demand(const streams_emitter *emitter);

/*
 * Asks the source again: calls produce if there is demand, on this thread, or
 * again after it returns if it is running. Without demand nothing happens.
 *
 * Ownership: borrows emitter.
 * Threads: any, also inside produce.
 * Errors: STREAMS_TERMINATED after the end or a cancellation,
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_LIMIT where calls are nested too deep.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_emitter_wake(streams_emitter *emitter);


/* ========================================================================
 * Operators of your own
 *
 * An operator stands between a publisher and its subscriber. It makes of each
 * value as many others as it likes, and sends them with an emitter; demand is
 * the library's business. Each subscription has a state of its own:
 *
 *     open(context, emitter, &state)           once, when someone subscribes
 *     on_value(state, emitter, value)          for each value of the publisher
 *     on_completion(state, emitter, error)     at most once, at its end
 *     close(state)                             once, after the end or a
 *                                              cancellation
 *     destroy(context)                         once, when the publisher is gone
 *                                              and every subscription is closed
 * ======================================================================== */

/*
 * What an operator does.
 *
 * What it sends is delivered as it is demanded. What it sends beyond that is
 * kept, in order, and delivered later: streams_emitter_send answers OK. The
 * publisher is asked for as many values as are demanded and not there, but for
 * none while something is kept; a value of which the operator makes nothing is
 * replaced by another. streams_emitter_finish and streams_emitter_fail end the
 * stream after what is kept, and cancel the publisher. streams_emitter_demand
 * tells what is demanded at the moment, for whoever makes values at a cost.
 *
 * The callbacks of one state are called one after another: what the publisher
 * sends inside of one comes when that has returned. None is called after the end
 * or a cancellation. One that fails ends the stream with its error, and the
 * publisher is cancelled.
 *
 * The emitter is lent until close; the operator may send with it at any time
 * and on any thread. To use it beside the callbacks, on another thread, retain
 * it in open and release it in close.
 *
 * on_value must be set; the other functions may be NULL.
 */
typedef struct streams_operator {
    size_t size; /* sizeof(streams_operator) */
    /* Passed to open and destroy. */
    void *context;
    /* Prepares a subscription, before the publisher hears of it, and sets
     * *state, which is NULL before. If open fails, so does the stream, and
     * close is not called. Without open, the state is the context. */
    streams_status (*open)(void *context, streams_emitter *emitter, void **state);
    /* A value, which is borrowed. */
    streams_status (*on_value)(void *state, streams_emitter *emitter, const streams_value *value);
    /* The publisher has finished (NULL) or failed; the error is borrowed. The
     * stream ends in the same way when the function returns, after what it
     * sends, unless it has ended the stream otherwise. */
    streams_status (*on_completion)(void *state, streams_emitter *emitter, const streams_error *error);
    /* Ends a subscription. Called once, never while another function of the
     * same subscription is running. */
    void (*close)(void *state);
    /* Lets go of the context. */
    streams_destroy_fn destroy;
} streams_operator;

/* An operator without functions, to begin with; on_value must be set. */
#define STREAMS_OPERATOR_INIT \
    { sizeof(streams_operator), NULL, NULL, NULL, NULL, NULL, NULL }

/*
 * Applies an operator of your own to a publisher.
 *
 *     static streams_status twice(void *state, streams_emitter *emitter, const streams_value *value) {
 *         streams_emitter_send(emitter, value);
 *         return streams_emitter_send(emitter, value);
 *     }
 *
 *     streams_operator behavior = STREAMS_OPERATOR_INIT;
 *     behavior.on_value = twice;
 *     publisher = streams_lift(publisher, &behavior);
 *
 * Ownership: consumes publisher; copies the struct and takes its context; the
 *   result is yours. On failure destroy is called, unless the struct is NULL
 *   or of invalid size.
 * Threads: any. Two subscriptions may call the functions concurrently.
 * Errors: NULL with STREAMS_NULL_HANDLE (see rule 3 at the top),
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT (behavior,
 *   on_value), STREAMS_INVALID_SIZE, STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_lift(
    STREAMS_CONSUMES streams_publisher *publisher, const streams_operator *behavior);


/* ========================================================================
 * Subjects
 *
 * A subject is fed by calls and passes what it gets to all its subscribers.
 * A send made inside a callback is delivered before the outer send returns.
 *
 * A subject does not wait for demand: what is sent while a subscriber's demand
 * is zero, that subscriber misses, and the send succeeds. A subscriber of a
 * current-value subject gets the latest value once it has demand again, and one
 * of a replay subject the latest values, as many as that keeps.
 * Something that must not lose values, and can wait, is a publisher of your own.
 * ======================================================================== */

/*
 * Makes a subject that passes values on and keeps none. A subscriber without
 * demand misses the value. Combine's PassthroughSubject.
 *
 * Ownership: the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_subject *streams_passthrough_subject_create(void);

/*
 * Makes a subject that remembers its latest value and gives it to each new
 * subscriber. A subscriber that is behind on demand gets only the latest.
 * Combine's CurrentValueSubject.
 *
 * Ownership: copies initial; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_UTF8, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_subject *streams_current_value_subject_create(const streams_value *initial);

/*
 * Makes a subject that keeps the latest buffer_size values, or all with
 * STREAMS_UNLIMITED, and gives them to each new subscriber as that requests them.
 * A subscriber that is behind on demand misses nothing that is kept; beyond that it
 * misses the oldest. Who has demand misses nothing, whatever the size is. The
 * completion comes after the values, also to who subscribes after it.
 *
 * Ownership: the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_subject *streams_replay_subject_create(uint64_t buffer_size);

/*
 * Sends a value to all subscribers.
 *
 * Ownership: borrows value; the library copies what it keeps.
 * Threads: any, also several at once: each subscriber receives one value after
 *   another.
 * Errors: STREAMS_TERMINATED after a completion; nothing is sent. Further
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_subject_send(
    streams_subject *subject, const streams_value *value);

/*
 * Sends an array of values: to each subscriber what as many single sends
 * would, much faster. That holds also when a callback sends, subscribes,
 * requests, cancels or ends something meanwhile. With several subscribers each
 * value is for all of them before the next, unless all have on_values or
 * on_numbers and have demanded everything: then each gets the whole array. To a
 * subscriber that takes an array it is one event: what that does comes after
 * the array. All values are checked first; if one is bad, nothing is sent.
 *
 * Ownership: borrows values, which may be NULL if count is 0; the library
 *   copies what it keeps.
 * Threads: as streams_subject_send.
 * Errors: as streams_subject_send.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_subject_send_values(
    streams_subject *subject, const streams_value *values, size_t count);

/*
 * Sends an array of integers; otherwise as streams_subject_send_values.
 *
 * Ownership: borrows values, which may be NULL if count is 0.
 * Threads: as streams_subject_send.
 * Errors: STREAMS_TERMINATED, STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT;
 *   STREAMS_LIMIT where calls are nested too deep.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_subject_send_int64s(
    streams_subject *subject, const int64_t *values, size_t count);

/*
 * Sends an array of doubles; otherwise as streams_subject_send_values.
 *
 * Ownership: borrows values, which may be NULL if count is 0.
 * Threads: as streams_subject_send.
 * Errors: STREAMS_TERMINATED, STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT;
 *   STREAMS_LIMIT where calls are nested too deep.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_subject_send_doubles(
    streams_subject *subject, const double *values, size_t count);

/*
 * Sends the numbers of an array, each a value of its own; otherwise as
 * streams_subject_send_values. Who takes arrays gets the array itself, or the
 * part of it that there is demand for; who keeps an array that has no owner makes
 * a copy.
 *
 * Ownership: borrows numbers.
 * Threads: as streams_subject_send.
 * Errors: STREAMS_TERMINATED, STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT;
 *   STREAMS_INVALID_VALUE if it is no array of numbers; STREAMS_LIMIT where calls
 *   are nested too deep.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_subject_send_numbers(
    streams_subject *subject, const streams_value *numbers);

/*
 * Completes the subject: it finishes if error is NULL and fails with the error
 * otherwise. Later subscribers receive the completion only.
 *
 * Ownership: borrows both.
 * Threads: as streams_subject_send.
 * Errors: STREAMS_TERMINATED if it has completed already,
 *   STREAMS_NULL_HANDLE (subject), STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_LIMIT where calls are nested too deep.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_subject_send_completion(
    streams_subject *subject, const streams_error *error);

/*
 * Reads the latest value of a current-value subject, also after completion.
 *
 * Ownership: *out is overwritten and yours.
 * Threads: any.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND (also
 *   for another subject), STREAMS_NULL_ARGUMENT. *out is then null.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_current_value_subject_get_value(
    const streams_subject *subject, streams_value *out);

/*
 * Sets the value of a current-value subject and sends it to all subscribers.
 * Unlike streams_subject_send it changes the value, and succeeds, also after
 * completion; then nobody is told.
 *
 * Ownership: borrows value; the library copies what it keeps.
 * Threads: as streams_subject_send.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND (also
 *   for another subject), STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_UTF8, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_current_value_subject_set_value(
    streams_subject *subject, const streams_value *value);

/*
 * The publisher of what the subject sends. It keeps the subject alive.
 *
 * Ownership: borrows subject; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_subject_publisher(streams_subject *subject);


/* ========================================================================
 * Futures
 *
 * A future publishes one value, or fails, when somebody keeps its promise:
 * Combine's Future. Subscribers that come afterwards get the same. A value waits
 * until it is asked for, a failure does not.
 *
 * A promise that is released and has not been kept never will be. As in Combine
 * its future then never ends; whoever waits for it can cancel.
 * ======================================================================== */

/*
 * Makes a promise and its future.
 *
 * Ownership: the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_promise *streams_promise_create(void);

/*
 * The future of a promise. It does not keep the promise alive.
 *
 * Ownership: borrows promise; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_promise_publisher(streams_promise *promise);

/*
 * Keeps a promise with a value, which all subscribers get that have asked for it.
 * The first of all calls counts.
 *
 * Ownership: borrows both; the library copies what it keeps.
 * Threads: any, also several at once.
 * Errors: STREAMS_TERMINATED if it has been kept already. Further
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_promise_resolve(
    streams_promise *promise, const streams_value *value);

/*
 * Keeps a promise with an error, with which all subscribers fail.
 *
 * Ownership: borrows both.
 * Threads: any, also several at once.
 * Errors: STREAMS_TERMINATED if it has been kept already,
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND (for either
 *   handle; the promise is then not kept);
 *   STREAMS_LIMIT where calls are nested too deep.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_promise_reject(
    streams_promise *promise, const streams_error *error);


/* ========================================================================
 * Operators
 *
 * All of them: Ownership and Errors as said here, Threads: any.
 *
 * Ownership: the publishers given are consumed and the callback's context is
 * taken, in success and failure; other arguments are borrowed or copied. The
 * result is yours.
 *
 * Errors: NULL with STREAMS_NULL_HANDLE (see rule 3 at the top),
 * STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND (the reference is not consumed:
 * there is none of that kind), STREAMS_LIMIT, and
 * STREAMS_NULL_ARGUMENT if a callback is NULL. The comments name these as
 * "the common ones" and add what is particular.
 *
 * Between a publisher and its subscriber, a run of streams_map, streams_filter
 * and streams_compact_map costs one operator, however long it is. A chain may
 * have any number of operators; how many can run is a matter of the stack
 * (rule 8 at the top).
 *
 * What becomes of an array's values may be delivered together: a callback of
 * such a run can be called for some values before the subscriber has received
 * what came of the first. It does not get ahead of it: when the callback sends,
 * finishes, requests, cancels, subscribes, whatever it calls with a handle, the
 * results before it are delivered first, within that call. So the stream's
 * subscriber hears what it hears where values are sent one by one. A callback
 * that is called already runs to its end, also if those results end the stream;
 * after that none of the run is called any more.
 * ======================================================================== */

/*
 * Transforms each value. A callback that fails, fails the stream, so this is
 * Combine's tryMap as well as its map.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_map(STREAMS_CONSUMES streams_publisher *publisher,
    streams_transform_fn transform, void *context, streams_destroy_fn destroy);

/*
 * Passes on the values for which the callback answers true. A value that is
 * dropped does not use up demand.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_filter(STREAMS_CONSUMES streams_publisher *publisher,
    streams_predicate_fn is_included, void *context, streams_destroy_fn destroy);

/*
 * Transforms each value and drops the results that are null. A value that is
 * dropped does not use up demand.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_compact_map(STREAMS_CONSUMES streams_publisher *publisher,
    streams_transform_fn transform, void *context, streams_destroy_fn destroy);

/*
 * Transforms as many values as there are at a time: numbers that were sent as an
 * array are given to the callback as that array, or as the parts of it that there
 * is demand for. What it makes of them goes on together too.
 *
 *     static streams_status celsius(void *context, const streams_value *in, streams_value *out) {
 *         double *results = malloc(in->size * sizeof *results);
 *         if (results == NULL) return STREAMS_OUT_OF_MEMORY;
 *         for (uint32_t i = 0; i < in->size; i++) results[i] = (in->as.reals[i] - 32) / 1.8;
 *         return streams_value_doubles_nocopy(results, in->size, results, free, out);
 *     }
 *
 * A result of another size, or of another kind, fails the stream with
 * STREAMS_INVALID_VALUE in the domain "streams".
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_map_batch(STREAMS_CONSUMES streams_publisher *publisher,
    streams_transform_batch_fn transform, void *context, streams_destroy_fn destroy);

/*
 * Encodes each value. The same as streams_map, under the name that Combine gives
 * to a transformation by a coder.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_encode(STREAMS_CONSUMES streams_publisher *publisher,
    streams_transform_fn encode, void *context, streams_destroy_fn destroy);

/*
 * Decodes each value; otherwise as streams_encode.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_decode(STREAMS_CONSUMES streams_publisher *publisher,
    streams_transform_fn decode, void *context, streams_destroy_fn destroy);

/*
 * Drops a value that equals the one before it, in the sense of
 * streams_value_equal.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_remove_duplicates(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Drops a value that the callback calls the same as the one before it, whether
 * that one was passed on or dropped.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_remove_duplicates_by(STREAMS_CONSUMES streams_publisher *publisher,
    streams_compare_fn is_same, void *context, streams_destroy_fn destroy);

/*
 * Drops each value that equals one before it, however long ago: kind, then
 * content, as by streams_value_equal. A value that is dropped does not use up
 * demand. All values that were passed on are kept as long as the subscription.
 * Among objects of one type with an equals, and among lists of one size, every one
 * is compared with every other.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_distinct(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Drops each value with the key of one before it, however long ago: otherwise as
 * streams_distinct. The callback makes the key of a value; one that fails, fails
 * the stream.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_distinct_by(STREAMS_CONSUMES streams_publisher *publisher,
    streams_transform_fn key, void *context, streams_destroy_fn destroy);

/*
 * Puts a value in the place of each that is null.
 *
 * Ownership: consumes publisher; copies value; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones, STREAMS_NULL_ARGUMENT (value),
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_replace_nil(
    STREAMS_CONSUMES streams_publisher *publisher, const streams_value *value);

/*
 * Combines each value with what is accumulated so far, beginning with initial,
 * and publishes every intermediate result.
 *
 * Ownership: consumes publisher; copies initial; takes context; the result is
 *   yours.
 * Threads: any.
 * Errors: NULL with the common ones, STREAMS_NULL_ARGUMENT (initial),
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_scan(STREAMS_CONSUMES streams_publisher *publisher,
    const streams_value *initial,
    streams_combine_fn combine, void *context, streams_destroy_fn destroy);

/*
 * Publishes, for each value but the first, a list of two: the value before it, and
 * the value. The first uses up no demand.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_pairwise(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Combines all values, beginning with initial, and publishes the result once
 * the upstream finishes.
 *
 * Ownership: consumes publisher; copies initial; takes context; the result is
 *   yours.
 * Threads: any.
 * Errors: NULL with the common ones, STREAMS_NULL_ARGUMENT (initial),
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_reduce(STREAMS_CONSUMES streams_publisher *publisher,
    const streams_value *initial,
    streams_combine_fn combine, void *context, streams_destroy_fn destroy);

/*
 * Publishes how many values there were, an integer, once the upstream finishes.
 * It asks for all values at once; the result waits until it is asked for.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_count(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Publishes the sum of all values once the stream finishes: the integer 0 if there
 * were none, an integer if all are, and otherwise a double. What is no number fails
 * the stream with STREAMS_INVALID_VALUE in the domain "streams", and a sum of
 * integers that 64 bits cannot hold with STREAMS_OUT_OF_RANGE.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_sum(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Publishes the least value once the upstream finishes, of equal ones the first;
 * finishes without a value if there was none. Numbers are compared by what they
 * are worth, whatever their kinds, strings and bytes byte by byte. Two values of
 * other kinds, or one of each, have no order: the stream then fails with the code
 * STREAMS_INVALID_VALUE in the domain "streams". It asks for all values at once;
 * value and end wait until a value is asked for.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_min(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Publishes the greatest value once the upstream finishes; otherwise as
 * streams_min.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_max(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Publishes the least value, as streams_min, in an order of your own. The callback
 * answers whether one value comes before another; one that fails, fails the
 * stream.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_min_by(STREAMS_CONSUMES streams_publisher *publisher,
    streams_order_fn is_before, void *context, streams_destroy_fn destroy);

/*
 * Publishes the greatest value, as streams_max, in an order of your own. The
 * callback answers whether one value comes before another; one that fails, fails
 * the stream.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_max_by(STREAMS_CONSUMES streams_publisher *publisher,
    streams_order_fn is_before, void *context, streams_destroy_fn destroy);

/*
 * Publishes true and finishes when a value equals the given one, in the sense of
 * streams_value_equal, and cancels the upstream; false once the upstream finishes
 * without such a value. It asks for all values at once; the result waits until it
 * is asked for.
 *
 * Ownership: consumes publisher; copies value; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones, STREAMS_NULL_ARGUMENT (value),
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_contains(
    STREAMS_CONSUMES streams_publisher *publisher, const streams_value *value);

/*
 * Publishes true when a value comes of which the callback answers true, otherwise
 * as streams_contains. A callback that fails, fails the stream.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_contains_where(STREAMS_CONSUMES streams_publisher *publisher,
    streams_predicate_fn predicate, void *context, streams_destroy_fn destroy);

/*
 * Publishes false and finishes when the callback answers false to a value, and
 * cancels the upstream; true once the upstream finishes without such a value, or
 * without any. It asks for all values at once; the result waits until it is asked
 * for. A callback that fails, fails the stream.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_all_satisfy(STREAMS_CONSUMES streams_publisher *publisher,
    streams_predicate_fn predicate, void *context, streams_destroy_fn destroy);

/*
 * Collects all values and publishes them as one list once the upstream
 * finishes; an empty list if there were none.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_collect(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Collects values into lists of count; the last list may be shorter. Each list
 * demanded demands count values of the upstream.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if count is less
 *   than 1 or more than a list can hold.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_collect_count(
    STREAMS_CONSUMES streams_publisher *publisher, int64_t count);

/* How a buffer asks its upstream for values. */
typedef enum streams_prefetch {
    /* For as many as it can hold, and for another one for each that it delivers. */
    STREAMS_PREFETCH_KEEP_FULL = 0,
    /* For all. */
    STREAMS_PREFETCH_BY_REQUEST = 1
} streams_prefetch;

/* What a buffer does with a value when it is full. */
typedef enum streams_when_full {
    /* The value is dropped. */
    STREAMS_WHEN_FULL_DROP_NEWEST = 0,
    /* The value that has been in the buffer longest is dropped. */
    STREAMS_WHEN_FULL_DROP_OLDEST = 1
} streams_when_full;

/*
 * Keeps up to size values until there is demand for them. A finish waits until
 * all are delivered and one more is asked for; a failure does not wait for
 * demand, and what is in the buffer then is lost.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any; values come on the thread that sends, or that requests.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if size is less
 *   than 1, or for an unknown prefetch or when_full.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_buffer(STREAMS_CONSUMES streams_publisher *publisher, int64_t size,
    streams_prefetch prefetch, streams_when_full when_full);

/*
 * Keeps up to size values, as streams_buffer, where none may be lost: a value for
 * which there is no room cancels the upstream. The next request still gets the
 * values that it asks for, and then the failure, whose error the callback makes at
 * that moment. A callback that fails, fails the stream with its own error.
 *
 * Ownership: consumes publisher; takes context; takes the error that the
 *   callback returns; the result is yours.
 * Threads: any; values come on the thread that sends, or that requests.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if size is less
 *   than 1, or for an unknown prefetch. A bad handle returned by the callback
 *   fails the stream in the domain "streams".
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_buffer_or_fail(
    STREAMS_CONSUMES streams_publisher *publisher, int64_t size, streams_prefetch prefetch,
    streams_make_error_fn make_error, void *context, streams_destroy_fn destroy);

/*
 * Passes on the first count values, then finishes and cancels the upstream. A
 * count of 0 passes on nothing, and finishes when the first value comes. A failure
 * of the upstream during the last value does not fail the stream. Demand passes
 * through: the upstream may be asked for more values than are passed on.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if count is
 *   negative.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_prefix(STREAMS_CONSUMES streams_publisher *publisher, int64_t count);

/*
 * Drops the first count values and passes on the rest.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if count is
 *   negative.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_drop_first(
    STREAMS_CONSUMES streams_publisher *publisher, int64_t count);

/*
 * Drops values for as long as the callback answers true, and passes on the first
 * for which it does not and all that follow, about which it is not asked. A value
 * that is dropped does not use up demand. A callback that fails, fails the stream.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_drop_while(STREAMS_CONSUMES streams_publisher *publisher,
    streams_predicate_fn predicate, void *context, streams_destroy_fn destroy);

/*
 * Passes on values for as long as the callback answers true. With the first for
 * which it does not, the stream finishes and the upstream is cancelled. A callback
 * that fails, fails the stream.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_prefix_while(STREAMS_CONSUMES streams_publisher *publisher,
    streams_predicate_fn predicate, void *context, streams_destroy_fn destroy);

/*
 * Passes on the first value only, then finishes and cancels the upstream; finishes
 * without a value if the upstream does. It asks for all values at once, other than
 * streams_prefix, and value and end wait until a value is asked for.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_first(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Passes on the first value for which the callback answers true, then finishes and
 * cancels the upstream; otherwise as streams_first. A callback that fails, fails
 * the stream.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_first_where(STREAMS_CONSUMES streams_publisher *publisher,
    streams_predicate_fn predicate, void *context, streams_destroy_fn destroy);

/*
 * Passes on the last value only, once the upstream finishes; finishes without a
 * value if there was none. It asks for all values at once, and value and end wait
 * until a value is asked for.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_last(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Passes on the last value for which the callback answers true, once the upstream
 * finishes; otherwise as streams_last. A callback that fails, fails the stream.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_last_where(STREAMS_CONSUMES streams_publisher *publisher,
    streams_predicate_fn predicate, void *context, streams_destroy_fn destroy);

/*
 * Passes on the value with this index only, the first being 0, then finishes and
 * cancels the upstream; finishes without a value if there are fewer. A value that
 * is dropped does not use up demand.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if index is
 *   negative or INT64_MAX.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_output_at(
    STREAMS_CONSUMES streams_publisher *publisher, int64_t index);

/*
 * Passes on the values with the indices from lower to below upper, then finishes
 * and cancels the upstream. Where there are none of these, it finishes when the
 * value with the index lower comes, which is dropped. A value that is dropped does
 * not use up demand.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if lower is
 *   negative, or upper is less than lower.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_output_in(
    STREAMS_CONSUMES streams_publisher *publisher, int64_t lower, int64_t upper);

/*
 * Drops values until other publishes one, and then passes on all that follow. A
 * value that is dropped uses up demand. If other ends without a value, the stream
 * ends likewise, and the upstream is cancelled. One value is asked for of other,
 * which is cancelled with it.
 *
 * Ownership: consumes publisher and consumes other; the result is yours. A
 *   handle that is both needs two references.
 * Threads: any.
 * Errors: NULL with the common ones for either.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_drop_until_output(
    STREAMS_CONSUMES streams_publisher *publisher, STREAMS_CONSUMES streams_publisher *other);

/*
 * Passes on values until other publishes one; then the stream finishes, and the
 * upstream is cancelled. An end of other without a value does not matter, be it a
 * failure. One value is asked for of other, which is cancelled with it, and when
 * the upstream ends.
 *
 * Ownership: consumes publisher and consumes other; the result is yours. A
 *   handle that is both needs two references.
 * Threads: any.
 * Errors: NULL with the common ones for either.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_prefix_until_output(
    STREAMS_CONSUMES streams_publisher *publisher, STREAMS_CONSUMES streams_publisher *other);

/*
 * Passes on no value, only the end. It asks for all values at once.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_ignore_output(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Passes on all values, and publishes the given one if the upstream finishes
 * without any. It waits until it is asked for; a failure passes through.
 *
 * Ownership: consumes publisher; copies value; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones, STREAMS_NULL_ARGUMENT (value),
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_replace_empty(
    STREAMS_CONSUMES streams_publisher *publisher, const streams_value *value);

/*
 * Makes a publisher of each value and passes on what all of these publish.
 * At most max_publishers of them are subscribed to at a time; the upstream is
 * asked for more as they finish. STREAMS_UNLIMITED sets no bound; 0 never asks
 * for a value. What they publish comes in the order in which it is published;
 * with 1, in the order of the values.
 *
 * Ownership: consumes publisher; takes context; takes each publisher that the
 *   callback returns; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones. A bad handle returned by the callback
 *   fails the stream in the domain "streams".
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_flat_map(STREAMS_CONSUMES streams_publisher *publisher,
    uint64_t max_publishers,
    streams_expand_fn transform, void *context, streams_destroy_fn destroy);

/*
 * Makes a publisher of each value and passes on what all of these publish, those
 * of the first before those of the second: streams_flat_map with one publisher at
 * a time that loses nothing. Where everything is demanded it asks an upstream that
 * sends when it likes, such as a subject, for everything, and what comes before its
 * time waits. An upstream that answers a request at once, such as a sequence, can
 * wait itself: it is asked for a value when the publisher before has finished, and
 * may be without end. While the demand is limited, every upstream is asked for one
 * at a time. A failure, of the upstream too, and a cancellation drop what waits.
 * With streams_flat_map of one publisher nothing waits.
 *
 * Ownership: consumes publisher; takes context; takes each publisher that the
 *   callback returns; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones. A bad handle returned by the callback
 *   fails the stream in the domain "streams".
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_concat_map(STREAMS_CONSUMES streams_publisher *publisher,
    streams_expand_fn transform, void *context, streams_destroy_fn destroy);

/*
 * Makes a publisher of each value and passes on what the latest of these
 * publishes; the one before is cancelled. It asks the upstream for all values,
 * and the latest publisher for what was demanded and has not come. It finishes
 * when the upstream and the latest publisher have. Combine's map followed by
 * switchToLatest: publishers are no values in C.
 *
 * Ownership: consumes publisher; takes context; takes each publisher that the
 *   callback returns; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones. A bad handle returned by the callback
 *   fails the stream in the domain "streams".
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_switch_to_latest(STREAMS_CONSUMES streams_publisher *publisher,
    streams_expand_fn transform, void *context, streams_destroy_fn destroy);

/*
 * Passes on what any of the publishers publishes, and finishes when all have
 * finished. With no publishers it finishes at once.
 *
 * While demand has a limit, each publisher is asked for one value at a time, as in
 * Combine, and for the next when that has been passed on: so a passthrough subject
 * drops what it is sent meanwhile, also from within the subscriber, and counts it
 * (streams_dropped). A streams_buffer before the merge keeps it.
 *
 * Ownership: consumes every publisher in the array, also on failure, but not
 *   the array; the result is yours. A handle that occurs twice needs two
 *   references.
 * Threads: any.
 * Errors: NULL with the common ones for any element, STREAMS_OUT_OF_MEMORY;
 *   STREAMS_NULL_ARGUMENT if the array is NULL and count is not 0.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_merge(
    STREAMS_CONSUMES streams_publisher *const *publishers, size_t count);

/*
 * Passes on what one of the publishers publishes: that which sends a value, or
 * ends, before the others, which are cancelled. They are subscribed to in the order
 * of the array, until one has sent something. With no publishers it finishes at
 * once.
 *
 * Ownership: as streams_merge.
 * Threads: any.
 * Errors: as streams_merge.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_amb(
    STREAMS_CONSUMES streams_publisher *const *publishers, size_t count);

/*
 * Publishes a list of the latest value of each publisher, in the order of the
 * array, whenever one of them publishes and all have. Finishes when all have
 * finished. With no publishers it finishes at once.
 *
 * A value that one of them sends while a list is being delivered, from within the
 * subscriber on the same thread, takes its place in the next list and makes none of
 * its own, as in Combine: so a subscriber may send to one of the publishers. Lists
 * beyond the demand are dropped, and counted (streams_dropped).
 *
 * Ownership: as streams_merge.
 * Threads: any.
 * Errors: as streams_merge.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_combine_latest(
    STREAMS_CONSUMES streams_publisher *const *publishers, size_t count);

/*
 * Publishes what the callback makes of the latest value of each publisher, whenever
 * one of them publishes and all have: streams_combine_latest without the list. A
 * callback that fails, fails the stream.
 *
 * Ownership: as streams_merge; takes context.
 * Threads: any.
 * Errors: as streams_merge; STREAMS_NULL_ARGUMENT if the callback is NULL.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_combine_latest_with(
    STREAMS_CONSUMES streams_publisher *const *publishers, size_t count,
    streams_combine_values_fn combine, void *context, streams_destroy_fn destroy);

/*
 * Publishes a list of the first value of each publisher, then one of the
 * second, and so on. Finishes when a publisher has finished whose values are
 * used up. With no publishers it finishes at once.
 *
 * Ownership: as streams_merge.
 * Threads: any.
 * Errors: as streams_merge.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_zip(
    STREAMS_CONSUMES streams_publisher *const *publishers, size_t count);

/*
 * Publishes what the callback makes of the first value of each publisher, then of
 * the second ones, and so on: streams_zip without the list. A callback that fails,
 * fails the stream.
 *
 * Ownership: as streams_merge; takes context.
 * Threads: any.
 * Errors: as streams_merge; STREAMS_NULL_ARGUMENT if the callback is NULL.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_zip_with(
    STREAMS_CONSUMES streams_publisher *const *publishers, size_t count,
    streams_combine_values_fn combine, void *context, streams_destroy_fn destroy);

/*
 * Publishes, for each value of publisher, a list of two: that value, and the
 * latest of other. A value that comes before other's first is dropped, and uses up
 * no demand. Other is subscribed to first, and asked for all its values. The
 * stream ends with publisher, and fails if other does; that other finishes does
 * not matter.
 *
 * Ownership: consumes publisher and consumes other; the result is yours. A
 *   handle that is both needs two references.
 * Threads: any.
 * Errors: NULL with the common ones for either.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_with_latest_from(
    STREAMS_CONSUMES streams_publisher *publisher, STREAMS_CONSUMES streams_publisher *other);

/*
 * Publishes, for each value of publisher, what the callback makes of that and of the
 * latest value of other: streams_with_latest_from without the list. A callback that
 * fails, fails the stream.
 *
 * Ownership: consumes publisher and consumes other; takes context; the result is
 *   yours. A handle that is both needs two references.
 * Threads: any.
 * Errors: NULL with the common ones for either.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_with_latest_from_with(
    STREAMS_CONSUMES streams_publisher *publisher, STREAMS_CONSUMES streams_publisher *other,
    streams_combine_values_fn combine, void *context, streams_destroy_fn destroy);

/*
 * Publishes the latest value of publisher whenever trigger publishes one, unless it
 * has been published already. A value stays the latest while there is no demand for
 * it. All values are asked for of both; trigger is subscribed to first. When
 * publisher has finished, its last value waits for trigger, and then the stream
 * finishes. When trigger finishes, the latest value is published for the last time,
 * or dropped and counted if there is no demand for it, and the stream finishes. A
 * failure of either fails it.
 *
 * Ownership: consumes publisher and consumes trigger; the result is yours. A
 *   handle that is both needs two references.
 * Threads: any.
 * Errors: NULL with the common ones for either.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_sample(
    STREAMS_CONSUMES streams_publisher *publisher, STREAMS_CONSUMES streams_publisher *trigger);

/*
 * Passes on what publisher publishes, and when it has finished what other does,
 * which is subscribed to then, with the demand that is left. A failure of either
 * fails the stream.
 *
 * Ownership: consumes publisher and consumes other; the result is yours. A
 *   handle that is both needs two references.
 * Threads: any.
 * Errors: NULL with the common ones for either.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_append(
    STREAMS_CONSUMES streams_publisher *publisher, STREAMS_CONSUMES streams_publisher *other);

/*
 * Passes on what other publishes, and when it has finished what publisher does:
 * streams_append in the other order.
 *
 * Ownership: consumes publisher and consumes other; the result is yours. A
 *   handle that is both needs two references.
 * Threads: any.
 * Errors: NULL with the common ones for either.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_prepend(
    STREAMS_CONSUMES streams_publisher *publisher, STREAMS_CONSUMES streams_publisher *other);

/*
 * Replaces a failed upstream by the publisher that the callback makes of the
 * error, carrying over the demand that is open. A failure of that publisher, or
 * of the callback, fails the stream: Combine's catch and tryCatch.
 *
 * Ownership: consumes publisher; takes context; takes the publisher that the
 *   callback returns; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones. A bad handle returned by the callback
 *   fails the stream in the domain "streams".
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_catch(STREAMS_CONSUMES streams_publisher *publisher,
    streams_recover_fn handler, void *context, streams_destroy_fn destroy);

/*
 * Replaces the error of a failed upstream by the one that the callback makes of
 * it. A callback that fails, fails the stream with its own error.
 *
 * Ownership: consumes publisher; takes context; takes the error that the
 *   callback returns; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones. A bad handle returned by the callback
 *   fails the stream in the domain "streams".
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_map_error(STREAMS_CONSUMES streams_publisher *publisher,
    streams_transform_error_fn transform, void *context, streams_destroy_fn destroy);

/*
 * Publishes what the publisher does as values, and then finishes. Each is a list
 * whose first item is a string:
 *
 *   - ["value", value];
 *   - ["finished"];
 *   - ["failed", message, domain, code, object], where the last one is what the
 *     error carries, or null.
 *
 * streams_event makes such values. The end waits for demand as any value does.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_materialize(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * The way back from streams_materialize: does what the values say, which are lists
 * as that publishes them. With the first end it cancels the publisher. Of a failure
 * what follows the message may be missing. What is no such list fails the stream
 * with STREAMS_INVALID_VALUE in the domain "streams".
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_dematerialize(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Makes a value that stands for what a publisher does, as streams_materialize
 * publishes it: for a failure, if there is an error, else for a value, if there is
 * one, else for the end without a failure.
 *
 * Ownership: borrows value and error, both of which may be NULL; *out is yours, and
 *   what was there before is overwritten.
 * Threads: any.
 * Errors: STREAMS_NULL_ARGUMENT if out is NULL, STREAMS_INVALID_ARGUMENT if value
 *   and out are the same; STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY for value; STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND. *out is then null, except when it is the same as value,
 *   which is left alone.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_event(
    const streams_value *value, const streams_error *error, streams_value *out);

/*
 * Publishes a value in the place of a failure, and finishes. The value waits until
 * it is asked for.
 *
 * Ownership: consumes publisher; copies value; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones, STREAMS_NULL_ARGUMENT (value),
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_replace_error(
    STREAMS_CONSUMES streams_publisher *publisher, const streams_value *value);

/*
 * For failures that would be programming errors: makes of one a failure with the
 * code STREAMS_ASSERTION_FAILED in the domain "streams", whose message names it
 * and begins with prefix and a colon. The object of the error is kept. Combine ends
 * the process. A failure with the code STREAMS_LIMIT there passes through.
 *
 * Ownership: consumes publisher; copies prefix, which may be NULL for none; the
 *   result is yours.
 * Threads: any.
 * Errors: NULL with the common ones; STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_assert_no_failure(
    STREAMS_CONSUMES streams_publisher *publisher, const char *prefix);

/*
 * Subscribes to the upstream again when it fails, at most retries times; then
 * the failure passes through. What was demanded and has not come is demanded
 * of the next attempt.
 *
 * An upstream that fails while it is being subscribed to is subscribed to again
 * when that is over, in a loop that needs no more stack however often. It lasts
 * for as long as there are retries, with INT64_MAX for ever, unless a callback
 * or another thread cancels the stream.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any; the upstream is subscribed to on the thread on which it failed.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if retries is
 *   negative.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_retry(STREAMS_CONSUMES streams_publisher *publisher, int64_t retries);

/*
 * Subscribes to the publisher again when it finishes, until it has been subscribed
 * to so many times; STREAMS_UNLIMITED sets no bound, and with 0 the stream finishes
 * at once. What was demanded and has not come is demanded of the next. A failure
 * passes through. What finishes at once without a value is repeated at once, whether
 * or not anybody demands a value: without a bound that never ends.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_repeat(STREAMS_CONSUMES streams_publisher *publisher, uint64_t times);

/*
 * Callbacks that watch a stream without changing it. Any of them may be NULL.
 * They are dropped, and destroy is called, once every subscription has ended
 * and the publisher is gone.
 */
typedef struct streams_event_handlers {
    size_t size; /* sizeof(streams_event_handlers) */
    /* Passed to all of them. */
    void *context;
    /* The subscriber is about to receive its subscription; borrowed. It can be
     * cancelled, now or later, which on_cancel does not hear of; but demand is
     * the subscriber's to make, and streams_subscription_request refuses it. */
    void (*on_subscription)(void *context, streams_subscription *subscription);
    /* A value is about to be delivered. */
    void (*on_value)(void *context, const streams_value *value);
    /* The stream has finished (NULL) or failed; borrowed. */
    void (*on_completion)(void *context, const streams_error *error);
    /* The subscriber has cancelled. */
    void (*on_cancel)(void *context);
    /* The subscriber has requested values, or returned demand greater than 0
     * from a value. */
    void (*on_request)(void *context, uint64_t demand);
    /* Lets go of the context. */
    streams_destroy_fn destroy;
} streams_event_handlers;

/* Event handlers without callbacks, to begin with. */
#define STREAMS_EVENT_HANDLERS_INIT \
    { sizeof(streams_event_handlers), NULL, NULL, NULL, NULL, NULL, NULL, NULL }

/*
 * Calls back on each event of the stream, before it is passed on.
 *
 * Ownership: consumes publisher; copies the struct and takes its context; the
 *   result is yours. On failure destroy is called, unless the struct is NULL
 *   or of invalid size.
 * Threads: any.
 * Errors: NULL with the common ones; STREAMS_NULL_ARGUMENT if handlers is
 *   NULL, STREAMS_INVALID_SIZE.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_handle_events(
    STREAMS_CONSUMES streams_publisher *publisher, const streams_event_handlers *handlers);

/*
 * Writes a line about each event of the stream, as Combine's print does:
 * "prefix: receive value: (1)". One event may take several calls of write;
 * line ends are written too.
 *
 * Ownership: consumes publisher; copies prefix, which may be NULL for none;
 *   takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones; a write of NULL is stdout, as for printf.
 *   STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_print(
    STREAMS_CONSUMES streams_publisher *publisher, const char *prefix, streams_write_fn write,
    void *context, streams_destroy_fn destroy);


/*
 * Callbacks that answer whether to stop in the debugger, before an event is passed
 * on. Any of them may be NULL. They are dropped, and destroy is called, once every
 * subscription has ended and the publisher is gone.
 */
typedef struct streams_breakpoints {
    size_t size; /* sizeof(streams_breakpoints) */
    /* Passed to all of them. */
    void *context;
    /* The subscriber is about to receive its subscription. */
    bool (*on_subscription)(void *context);
    /* A value is about to be delivered. */
    bool (*on_value)(void *context, const streams_value *value);
    /* The stream has finished (NULL) or failed; borrowed. */
    bool (*on_completion)(void *context, const streams_error *error);
    /* Lets go of the context. */
    streams_destroy_fn destroy;
} streams_breakpoints;

/* Breakpoints without callbacks, to begin with. */
#define STREAMS_BREAKPOINTS_INIT \
    { sizeof(streams_breakpoints), NULL, NULL, NULL, NULL, NULL }

/*
 * Raises SIGTRAP on the running thread when a callback answers true: a debugger
 * stops there. Without one, and without a handler of the program's, the signal
 * ends the process. If the program goes on, the event is passed on.
 *
 * Ownership: consumes publisher; copies the struct and takes its context; the
 *   result is yours. On failure destroy is called, unless the struct is NULL
 *   or of invalid size.
 * Threads: any.
 * Errors: NULL with the common ones; STREAMS_NULL_ARGUMENT if breakpoints is
 *   NULL, STREAMS_INVALID_SIZE.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_breakpoint(
    STREAMS_CONSUMES streams_publisher *publisher, const streams_breakpoints *breakpoints);

/*
 * Raises SIGTRAP, as streams_breakpoint does, when the stream fails.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_breakpoint_on_error(STREAMS_CONSUMES streams_publisher *publisher);


/* ========================================================================
 * Seeing
 *
 * A publisher can say what it is made of, and a tracker tells what happens
 * between a publisher or a subject and its subscribers:
 *
 *     > Subject subscribe
 *         > Subscriber on_subscription
 *             - Subscription request demand: unlimited
 *         < Subscriber on_subscription
 *     < Subject subscribe
 *     > Subject send value: 42
 *         - Subscriber on_value value: 42
 *     < Subject send
 *     > Subscription cancel
 *         - Subscriber released
 *     < Subscription cancel
 *     - Subscription released
 *
 * ">" begins a call and "<" ends it; "-" is a call in which nothing else has
 * happened. What a call leads to on its thread is indented, for all trackers
 * alike: with several in a chain, one's lines nest in another's. That a call
 * begins is written when the first call within it does. What is nested deeper
 * than 32 says how deep instead of being indented further.
 *
 * Everything passes through a tracker unchanged, one value at a time. The values
 * are written as streams_value_describe does. What happens while a line is being
 * written, on the same thread, is not tracked.
 * ======================================================================== */

/*
 * Writes what a publisher is made of as a tree, in the names of this header
 * without streams_, each publisher above those that it was made of, a line each:
 *
 *     merge
 *       filter
 *         passthrough_subject
 *       just
 *
 * The last line has no line end. What has been shown above is not shown again.
 * What is nested more than 100 deep, and what comes after 1000 lines, is left
 * out, which "…" says. What callbacks return is not known before they are called.
 *
 * Follows snprintf, as streams_value_describe does.
 *
 * Ownership: borrows everything.
 * Threads: any.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT (buffer with a capacity; or buffer and needed both),
 *   STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_publisher_describe(
    const streams_publisher *publisher, char *buffer, size_t capacity, size_t *needed);

/*
 * Writes a line about each call between a publisher and its subscribers, which
 * begins with the label and a colon. What the publisher drops, for want of demand
 * or of room, has a line too. write is called for a whole line, its line end
 * included, on the thread on which the call is made.
 *
 * Ownership: consumes publisher; copies label, which may be NULL for none;
 *   takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones; a write of NULL is stderr.
 *   STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_track(STREAMS_CONSUMES streams_publisher *publisher, const char *label,
    streams_write_fn write, void *context, streams_destroy_fn destroy);

/*
 * Puts a tracker around a subject, which tells besides of what is sent through the
 * result. What is sent to subject itself reaches the same subscribers.
 *
 * Ownership: borrows subject, which lives for as long as the result; copies
 *   label, which may be NULL for none; takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY,
 *   STREAMS_LIMIT; a write of NULL is stderr.
 * Since: 1.0.0
 */
STREAMS_API streams_subject *streams_track_subject(streams_subject *subject, const char *label,
    streams_write_fn write, void *context, streams_destroy_fn destroy);

/*
 * From now on every publisher and every subject that is made is made with a
 * tracker, whose label is its name without streams_. What was made before stays
 * as it is. A second call takes the place of the first, for what is made later.
 *
 * The environment does the same without a change to the program: with
 * STREAMS_TRACE=1 everything is traced to stderr, with the name of a file to the
 * end of that, until this or streams_trace_stop is called; with 0 or nothing it is
 * not. A file that cannot be written is stderr, which says so. While nothing is
 * traced, that costs a load for each publisher that is made, and nothing for its
 * values.
 *
 * Ownership: takes context, which is destroyed when the last tracker is gone that
 *   writes to it, after another call or streams_trace_stop.
 * Threads: any; it concerns all of them.
 * Errors: none; a write of NULL is stderr.
 * Since: 1.0.0
 */
STREAMS_API void streams_trace_start(
    streams_write_fn write, void *context, streams_destroy_fn destroy);

/*
 * What is made from now on is made without a tracker. What was made before goes
 * on writing for as long as it lives.
 *
 * Ownership: none.
 * Threads: any; it concerns all of them.
 * Errors: none.
 * Since: 1.0.0
 */
STREAMS_API void streams_trace_stop(void);


/* ========================================================================
 * Sharing
 *
 * A publisher begins anew for each subscriber. To let several have the same
 * values, share it, or make it connectable and say yourself when it begins:
 *
 *     streams_connectable *news = streams_make_connectable(publisher);
 *     a = streams_sink(streams_connectable_publisher(news), &first);
 *     b = streams_sink(streams_connectable_publisher(news), &second);
 *     connection = streams_connect(news);
 *
 * All of them ask the upstream for all values. Unless something is replayed, a
 * subscriber misses what comes while it has no demand, and one that comes after
 * the end gets only that.
 * ======================================================================== */

/*
 * Shares one subscription to the upstream among all subscribers: it is made for
 * the first and cancelled after the last. The next one then makes another.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_share(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Shares one subscription, as streams_share, through a replay subject: who comes
 * late, also after the end, or is behind on demand, gets the latest buffer_size
 * values, or all with STREAMS_UNLIMITED, as for streams_replay_subject_create; with
 * 0 nothing but the end. The upstream is not subscribed to again when it has ended.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_share_replay(
    STREAMS_CONSUMES streams_publisher *publisher, uint64_t buffer_size);

/*
 * Makes a connectable that sends through a passthrough subject of its own.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_connectable *streams_make_connectable(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Makes a connectable that sends through a subject of yours. The subject decides
 * what a subscriber gets that comes late, and may be sent to by others too.
 *
 * Ownership: consumes publisher; borrows subject, which the connectable keeps;
 *   the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones for either handle.
 * Since: 1.0.0
 */
STREAMS_API streams_connectable *streams_multicast(
    STREAMS_CONSUMES streams_publisher *publisher, streams_subject *subject);

/*
 * The publisher of what a connectable sends, for as many subscribers as there
 * are. It keeps the connectable alive.
 *
 * Ownership: borrows connectable; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_connectable_publisher(streams_connectable *connectable);

/*
 * Subscribes to the upstream on behalf of all subscribers. Cancelling the result,
 * or releasing its last reference, cancels the upstream; the subscribers stay, and
 * hear no more until the next connection. So it does when the connectable and all
 * publishers made of it are gone. A second connection besides sends everything a
 * second time.
 *
 * Ownership: borrows connectable; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_cancellable *streams_connect(streams_connectable *connectable);

/*
 * Connects for the first subscriber, and disconnects after the last one has
 * cancelled. The next one then connects anew. A first subscriber that another one
 * joins from inside its on_subscription is connected twice, as in Combine.
 *
 * Ownership: consumes connectable; the result is yours.
 * Threads: any.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_autoconnect(STREAMS_CONSUMES streams_connectable *connectable);


/* ========================================================================
 * Schedulers
 *
 * Where and when operators do what they do later. Time is counted in whole
 * nanoseconds: of the system's monotonic clock, as clock_gettime tells it, for
 * loops and queues; of its own for a virtual scheduler and for one of yours.
 *
 *     streams_loop_create        runs what is due when you say so, on your
 *                                thread; a program with a loop of its own
 *                                watches the descriptor
 *     streams_queue_create       a thread of its own
 *     streams_pool_create        threads that many queues share
 *     streams_virtual_scheduler_create   time that passes when it is told to,
 *                                for tests
 *     streams_immediate_scheduler_create runs everything at once
 *     streams_custom_scheduler_create    what you have already
 *
 * What runs on one scheduler runs one after another, but on an immediate one.
 *
 * An end that waits on a scheduler keeps what is downstream of it until its time
 * has come, or until the scheduler is released. So the destroy of a subscriber
 * may come later than its cancellation. RELEASING THE LAST REFERENCE TO A
 * SCHEDULER ends what waits for it: keep it for as long as its streams run. A
 * stream that needs it after that fails with STREAMS_STALE_HANDLE in the domain
 * "streams": when it is subscribed to, when a value or its end comes that would
 * go by way of the scheduler, or when more is demanded. That failure comes on
 * the thread that brings it about. A stream that only waits, waits until it is
 * cancelled. An immediate scheduler, and the time of any, are not missed.
 * ======================================================================== */

/* A length of time, or a moment. INT64_MAX is for ever, or never. */
typedef int64_t streams_nanoseconds;

/* A thousand nanoseconds. */
#define STREAMS_MICROSECOND 1000LL
/* A thousand microseconds, to be multiplied: 250 * STREAMS_MILLISECOND. */
#define STREAMS_MILLISECOND 1000000LL
/* A thousand milliseconds. */
#define STREAMS_SECOND 1000000000LL

/* Does what was scheduled. */
typedef void (*streams_action_fn)(void *context);

/*
 * Makes a scheduler that runs everything at once, also what is to run later,
 * inside the call that schedules it. Its time stands still at 0.
 *
 * Ownership: yours.
 * Threads: any.
 * Errors: NULL with STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_scheduler *streams_immediate_scheduler_create(void);

/*
 * Makes a scheduler whose time is virtual and begins at 0. It passes only when
 * it is told to, exactly, and what is due runs inside that call, on its thread:
 * for tests, and for programs that have a clock of their own.
 *
 * Ownership: yours. It need not outlive the publishers made with it; but only
 *   its owner can let its time pass.
 * Threads: any.
 * Errors: NULL with STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_scheduler *streams_virtual_scheduler_create(void);

/*
 * Lets time pass, and runs what is due on the way: in the order in which it is
 * due, and what is due at the same moment in the order in which it was
 * scheduled. With 0, only what is due already. Time ends after 292 years.
 *
 * What a callback schedules within the stretch runs in this call too. When
 * 1,000,000 things have run at the moment in which they were scheduled, as where
 * streams feed each other and no time passes, it stops; another call goes on. A callback may let
 * time pass in turn, and so may another thread: each call counts from the moment at
 * which it begins, and time has passed to the latest of their ends.
 *
 * Ownership: borrows scheduler.
 * Threads: any; of two that let time pass, each runs a part of what is due.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_INVALID_ARGUMENT if time is negative or the scheduler is not a
 *   virtual one; STREAMS_LIMIT, also if it stops at a moment.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_virtual_scheduler_advance(
    streams_scheduler *scheduler, streams_nanoseconds time);

/*
 * Lets as much time pass as there is something scheduled for, and runs it all.
 * When 1,000,000 things have run it stops, since what is repeated has no end;
 * another call goes on.
 *
 * Ownership: borrows scheduler.
 * Threads: as streams_virtual_scheduler_advance.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_INVALID_ARGUMENT if the scheduler is not a virtual one;
 *   STREAMS_LIMIT, also if it stops.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_virtual_scheduler_run(streams_scheduler *scheduler);

/*
 * Makes an event loop: a scheduler whose actions run when, and on the thread
 * where, you say so.
 *
 * A program that has nothing else to wait for calls streams_loop_run. One with
 * a loop of its own, epoll or libuv or GLib, watches streams_loop_descriptor,
 * and calls streams_loop_run_once when it can be read from; epoll without
 * EPOLLET, since there may be more to do.
 *
 * In the child of a fork the loop goes on by itself with what was scheduled;
 * its descriptor is then another under the same number: watch it anew.
 *
 * Ownership: yours.
 * Threads: any.
 * Errors: NULL with STREAMS_LIMIT, also if the process has no descriptor left.
 * Since: 1.0.0
 */
STREAMS_API streams_scheduler *streams_loop_create(void);

/*
 * The loop's descriptor: it can be read from while something is due and nobody
 * runs the loop, or at the time of what was cancelled. Watch it only; it belongs
 * to the loop and is closed with it. In the child of a fork ask for it again.
 *
 * Ownership: borrows loop.
 * Threads: any.
 * Errors: -1 with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_INVALID_ARGUMENT if the scheduler is no loop.
 * Since: 1.0.0
 */
STREAMS_API int32_t streams_loop_descriptor(const streams_scheduler *loop);

/*
 * Runs what is due; if that is nothing, waits until something is, for timeout
 * at most, and runs that; with 0 it does not wait. What is scheduled meanwhile
 * runs the next time. A signal that the program handles ends the wait, and so
 * does streams_loop_stop. A pthread_cancel does not; it comes afterwards.
 *
 * Ownership: borrows loop.
 * Threads: any, one at a time; also from inside what the loop runs.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_INVALID_ARGUMENT if the scheduler is no loop, or if another thread
 *   runs it; STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_loop_run_once(streams_scheduler *loop, streams_nanoseconds timeout);

/*
 * Runs what becomes due, until the moment `time` or until streams_loop_stop. Of
 * pthread_cancel as streams_loop_run_once.
 *
 * Ownership: borrows loop.
 * Threads: as streams_loop_run_once.
 * Errors: as streams_loop_run_once.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_loop_run_until(streams_scheduler *loop, streams_nanoseconds time);

/*
 * Runs what becomes due, until streams_loop_stop. Of pthread_cancel as
 * streams_loop_run_once.
 *
 * Ownership: borrows loop.
 * Threads: as streams_loop_run_once.
 * Errors: as streams_loop_run_once.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_loop_run(streams_scheduler *loop);

/*
 * Ends the streams_loop_run or streams_loop_run_until that is under way, after
 * what is due just now, or else the next one; streams_loop_run_once is one too.
 * Of two that are nested it ends the inner one.
 *
 * Ownership: borrows loop.
 * Threads: any.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_INVALID_ARGUMENT if the scheduler is no loop.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_loop_stop(streams_scheduler *loop);

/*
 * Makes a serial queue with a thread of its own, which gets no signals.
 *
 * Ownership: yours. When it is released, its thread ends by itself.
 * Threads: any.
 * Errors: NULL with STREAMS_LIMIT, also if the system has no thread left.
 * Since: 1.0.0
 */
STREAMS_API streams_scheduler *streams_queue_create(void);

/*
 * Makes threads that serial queues share.
 *
 * Ownership: yours. The threads end when the pool and its queues are released.
 * Threads: any.
 * Errors: NULL with STREAMS_INVALID_ARGUMENT if threads is 0 or more than 1024;
 *   STREAMS_LIMIT, also if the system has no more threads.
 * Since: 1.0.0
 */
STREAMS_API streams_pool *streams_pool_create(size_t threads);

/*
 * Makes a serial queue that the pool's threads run: its actions run one after
 * another, those of different queues at the same time. To keep all threads at work,
 * make as many queues, and give each job the next one:
 *
 *     p = streams_subscribe_on(streams_just(job), queues[next++ % THREADS]);
 *     *out = streams_map(p, work, NULL, NULL);  (in the callback of streams_flat_map)
 *
 * Ownership: borrows pool; the result is yours. Keep it for as long as its streams
 *   run, as any scheduler; the pool may be released before.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_scheduler *streams_pool_queue(streams_pool *pool);

/*
 * A scheduler of your own, for a program that has a loop with timers already.
 *
 * Each action is to be run once with streams_action_run, at its time or later,
 * those of one time in the order in which they came, and no two at once. One
 * that is never run is kept until the scheduler is released: of one that it
 * cannot run, a scheduler says so with streams_action_reject.
 *
 * now and schedule must be set; cancel may be NULL: to run an action that was
 * cancelled does nothing but answer STREAMS_STALE_HANDLE.
 */
typedef struct streams_custom_scheduler {
    size_t size; /* sizeof(streams_custom_scheduler) */
    /* Passed to all of them. */
    void *context;
    /* The present moment. */
    streams_nanoseconds (*now)(void *context);
    /* Takes an action for `time`, which may have passed already: then it is to
     * be run as soon as can be, but not from within this call. The action is
     * borrowed until it has run or is cancelled. */
    void (*schedule)(void *context, streams_nanoseconds time, streams_action *action);
    /* Says that an action is not to be run, which is stale when this returns.
     * Not called before the schedule that was given the action has returned. */
    void (*cancel)(void *context, streams_action *action);
    /* Lets go of the context. */
    streams_destroy_fn destroy;
} streams_custom_scheduler;

/* A scheduler without functions, to begin with; now and schedule must be set. */
#define STREAMS_CUSTOM_SCHEDULER_INIT \
    { sizeof(streams_custom_scheduler), NULL, NULL, NULL, NULL, NULL }

/*
 * Makes a scheduler of one's own.
 *
 * When it is released, each action that has not run is cancelled. Streams that
 * were made with it may still ask it for the time until they end, and destroy
 * follows then.
 *
 * Ownership: copies the struct and takes its context; the result is yours. On
 *   failure destroy is called, unless the struct is NULL or of invalid size.
 * Threads: any. The callbacks may be called by any thread that uses a stream,
 *   also by several at once.
 * Errors: NULL with STREAMS_NULL_ARGUMENT (scheduler, now, schedule),
 *   STREAMS_INVALID_SIZE, STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_scheduler *streams_custom_scheduler_create(const streams_custom_scheduler *scheduler);

/*
 * Runs an action that a scheduler of yours was given. It is stale from then on.
 *
 * Ownership: ends the loan of action.
 * Threads: the one on which the scheduler runs things.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_WRONG_KIND; STREAMS_STALE_HANDLE if it
 *   has run or was cancelled; STREAMS_INVALID_ARGUMENT inside the schedule that
 *   is given it, and STREAMS_LIMIT: it can then be run later.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_action_run(streams_action *action);

/*
 * Says that an action, which a scheduler of yours was given, will never be run:
 * the program's loop has ended, or takes no more. The stream that waits for it
 * fails.
 *
 * Ownership: ends the loan of action; borrows error, which may be NULL: the
 *   stream then fails with STREAMS_CALLBACK_FAILED in the domain "streams".
 * Threads: any, also inside the schedule that is given the action.
 * Errors: STREAMS_NULL_HANDLE (action), STREAMS_WRONG_KIND;
 *   STREAMS_STALE_HANDLE if action has run, was rejected or was cancelled, or
 *   error is stale; STREAMS_TERMINATED if no stream hears of it: the action
 *   came from streams_scheduler_schedule, a debouncer or a throttler, and is
 *   let go of; STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_action_reject(streams_action *action, const streams_error *error);

/*
 * The present moment of a scheduler's time. Of a virtual one, how much of it has
 * passed; while something runs that was scheduled, the moment when it was due,
 * unless more time has passed since then.
 *
 * Ownership: borrows scheduler.
 * Threads: any.
 * Errors: 0 with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND.
 * Since: 1.0.0
 */
STREAMS_API streams_nanoseconds streams_scheduler_now(const streams_scheduler *scheduler);

/*
 * Has a function called at a moment of the scheduler's time, once; if that has
 * passed, as soon as can be. Returns a number for streams_scheduler_cancel.
 *
 *     streams_scheduler_schedule(
 *         loop, streams_scheduler_now(loop) + 20 * STREAMS_MILLISECOND, tick, NULL, NULL);
 *
 * A million that wait take 100 bytes each.
 *
 * Ownership: borrows scheduler; takes context. destroy is called when the
 *   action has run, was cancelled, or is forgotten with the scheduler.
 * Threads: any; action is called by whoever runs the scheduler.
 * Errors: 0 with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT (action), STREAMS_LIMIT;
 *   STREAMS_STALE_HANDLE also for a queue in the child of a fork.
 * Since: 1.0.0
 */
STREAMS_API uint64_t streams_scheduler_schedule(streams_scheduler *scheduler, streams_nanoseconds time,
    streams_action_fn action, void *context, streams_destroy_fn destroy);

/*
 * Forgets what streams_scheduler_schedule was given, unless it has run or is
 * running; then, and for any other number, it does nothing.
 *
 * Ownership: borrows scheduler.
 * Threads: any.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_scheduler_cancel(streams_scheduler *scheduler, uint64_t number);


/* ========================================================================
 * Time
 *
 * Operators that measure time, or go elsewhere. Each takes a scheduler, which it
 * borrows: values and the end come on that, unless the comment says otherwise.
 * The subscription, demand and a cancellation wait for nothing, but in
 * streams_subscribe_on. A value, or an end, that waits on a scheduler keeps the
 * subscriber and its context until it has come, or the stream is cancelled.
 * ======================================================================== */

/*
 * Publishes a value only when no other has come for due_time after it. The
 * upstream's demand is unlimited; a value whose time comes while there is no
 * demand is lost. The end is scheduled at once and drops the value that waits.
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; values and the end come on the scheduler.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if due_time is
 *   negative.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_debounce(STREAMS_CONSUMES streams_publisher *publisher,
    streams_nanoseconds due_time, streams_scheduler *scheduler);

/*
 * Publishes each value, and the end, interval after the upstream has sent it.
 * What a subscriber returns for a value is demanded when the value has come, so
 * that no more are under way than were demanded.
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; values and the end come on the scheduler.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if interval is
 *   negative.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_delay(STREAMS_CONSUMES streams_publisher *publisher,
    streams_nanoseconds interval, streams_scheduler *scheduler);

/*
 * Publishes at most one value in each interval: the first at once, and another
 * when interval has passed since the last one that was sent. Of the values that
 * come meanwhile it keeps the latest, or the first if latest is false. The
 * upstream's demand is unlimited; a value that comes while there is no demand is
 * dropped. The end waits for the value that is kept.
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; values and the end come on the scheduler.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if interval is
 *   negative.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_throttle(STREAMS_CONSUMES streams_publisher *publisher,
    streams_nanoseconds interval, streams_scheduler *scheduler, bool latest);

/*
 * Ends the stream when no value comes for interval: it cancels the upstream and
 * fails with the error, or finishes if error is NULL. The time begins to run at
 * the subscription, anew at the first request, and anew at each value.
 *
 * Ownership: consumes publisher; borrows scheduler and error, which the
 *   publisher keeps; the result is yours.
 * Threads: any; values and the end come on the scheduler.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if interval is
 *   negative, or if the scheduler is an immediate one: its time does not pass.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_timeout(STREAMS_CONSUMES streams_publisher *publisher,
    streams_nanoseconds interval, streams_scheduler *scheduler, const streams_error *error);

/*
 * Publishes for each value how much of the scheduler's time has passed since
 * the value before, or since the subscription: a STREAMS_VALUE_INT64, in
 * nanoseconds, negative where the clock has gone back. Nothing is scheduled.
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; values and the end come where the upstream sends them.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_measure_interval(
    STREAMS_CONSUMES streams_publisher *publisher, streams_scheduler *scheduler);

/*
 * Collects values and publishes them as a list at the end of each interval,
 * which count from the subscription. An interval without values publishes
 * nothing; values for which there is no demand wait for a later one. Who demands
 * all lists has all values demanded of the upstream. Else each request demands
 * one value, however many lists it is for, and each value that comes demands
 * another: from the first request on there is always demand, but what an upstream
 * sends on another thread before that reaches it is lost. An interval of 0 is the
 * shortest, a nanosecond, and keeps a scheduler busy.
 *
 * When the upstream finishes, what is left is published, if need be when that is
 * demanded, and then the end. A failure drops what is left. An immediate
 * scheduler has no intervals: there is one list, at the end.
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; lists and the end come on the scheduler.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if interval is
 *   negative.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_collect_by_time(STREAMS_CONSUMES streams_publisher *publisher,
    streams_nanoseconds interval, streams_scheduler *scheduler);

/*
 * Collects values as streams_collect_by_time, and publishes a list also when it
 * has count values. Each list requested, or demanded by what a subscriber returns
 * for one that was full, demands count values of the upstream; what it returns for
 * a list of an interval demands none. A failure is told when the lists that are
 * full have been published, as far as there is demand.
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; lists and the end come on the scheduler.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if interval is
 *   negative, or count less than 1 or more than a list can hold.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_collect_by_time_or_count(STREAMS_CONSUMES streams_publisher *publisher,
    streams_nanoseconds interval, int64_t count, streams_scheduler *scheduler);

/*
 * Delivers values and the end on a scheduler, in their order. What a subscriber
 * returns for a value is demanded when that has been delivered, so that no more
 * are under way than were demanded. On a loop, a queue or a scheduler of one's
 * own, one action delivers all that has come by then, as a batch.
 *
 *     p = streams_subscribe_on(p, queue);  (the work is done there)
 *     p = streams_receive_on(p, loop);     (and the results come here)
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; values and the end come on the scheduler.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_receive_on(
    STREAMS_CONSUMES streams_publisher *publisher, streams_scheduler *scheduler);

/*
 * Subscribes to the upstream on a scheduler, and requests and cancels there: an
 * action for each. What is requested while a request to the upstream is under
 * way, also from within it, is requested when that has returned. On a scheduler
 * of one's own the subscriber has its subscription at once.
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; values and the end come where the upstream sends them.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_subscribe_on(
    STREAMS_CONSUMES streams_publisher *publisher, streams_scheduler *scheduler);

/*
 * How often a stream that has failed is tried again, and how long it waits
 * before each time: delay before the first, and before each other one factor
 * times as long as before, but no longer than longest_delay.
 */
typedef struct streams_backoff {
    size_t size; /* sizeof(streams_backoff) */
    /* How often to try again at most; INT64_MAX by default. */
    int64_t retries;
    /* Before the first retry; a second by default. */
    streams_nanoseconds delay;
    /* More than 0; 2 by default. */
    double factor;
    /* An hour by default. */
    streams_nanoseconds longest_delay;
    /* How much of each wait is left to chance, from 0 to 1, so that many that
     * have failed together do not try again together; 0 by default. */
    double jitter;
} streams_backoff;

/* A backoff with the defaults, to begin with. */
#define STREAMS_BACKOFF_INIT \
    { sizeof(streams_backoff), INT64_MAX, 1000000000, 2, 3600000000000, 0 }

/*
 * Subscribes to the upstream again when it fails, each time after a longer wait.
 * What was requested and has not come is requested from the next subscription.
 * After the last retry, or after a failure for which is_worthwhile says no, the
 * failure is published; if is_worthwhile fails, its own. It may be NULL: every
 * failure is worth another attempt.
 *
 *     streams_backoff backoff = STREAMS_BACKOFF_INIT;
 *     backoff.retries = 5;
 *     p = streams_retry_backoff(p, &backoff, loop, is_temporary, NULL, NULL);
 *
 * A failure that comes when the scheduler has been released is published too.
 *
 * Ownership: consumes publisher; borrows backoff and scheduler; takes context;
 *   the result is yours.
 * Threads: any; the upstream is subscribed to again on the scheduler.
 * Errors: NULL with the common ones; STREAMS_NULL_ARGUMENT (backoff),
 *   STREAMS_INVALID_SIZE; STREAMS_INVALID_ARGUMENT if a part of the backoff is
 *   not as its comment says, or if the scheduler is an immediate one: its time
 *   does not pass.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_retry_backoff(STREAMS_CONSUMES streams_publisher *publisher,
    const streams_backoff *backoff, streams_scheduler *scheduler,
    streams_error_predicate_fn is_worthwhile, void *context, streams_destroy_fn destroy);

/*
 * Counts how often a time has passed: 0, 1, 2 and so on, as STREAMS_VALUE_INT64,
 * the first when `first` has passed since the subscription, and each other one
 * interval later. It counts what it publishes: moments that pass while the
 * scheduler is busy are skipped, and the next number comes at the next moment,
 * in step with those before. Each subscriber has a count of its own; a number for which
 * there is no demand is lost. After count numbers it finishes, whether or not
 * there was demand for them; with STREAMS_UNLIMITED it goes on.
 *
 *     streams_interval(delay, 0, 1, loop)  (a timer for one shot)
 *
 * Ownership: borrows scheduler; the result is yours.
 * Threads: any; values and the end come on the scheduler.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT; STREAMS_INVALID_ARGUMENT if a time is
 *   negative, if interval is 0 and count more than 1, or if the scheduler is an
 *   immediate one: its time does not pass.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_interval(streams_nanoseconds first,
    streams_nanoseconds interval, uint64_t count, streams_scheduler *scheduler);

/*
 * Makes a debouncer, for a program that has no streams: of the actions that come
 * in quick succession it runs the last one, when no other has come for due_time.
 *
 * Ownership: borrows scheduler; the result is yours. When it is released, the
 *   action that waits is forgotten.
 * Threads: any; actions run on the scheduler.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT; STREAMS_INVALID_ARGUMENT if due_time is
 *   negative.
 * Since: 1.0.0
 */
STREAMS_API streams_debouncer *streams_debouncer_create(
    streams_nanoseconds due_time, streams_scheduler *scheduler);

/*
 * Has an action run, unless another one comes in time.
 *
 * Ownership: borrows debouncer; takes context. destroy is called when the action
 *   has run, or is forgotten.
 * Threads: any; action is called by whoever runs the scheduler.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT (action), STREAMS_LIMIT; STREAMS_STALE_HANDLE also if
 *   the scheduler has been released.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_debouncer_execute(streams_debouncer *debouncer,
    streams_action_fn action, void *context, streams_destroy_fn destroy);

/*
 * Makes a throttler, for a program that has no streams: it runs the first action
 * at once, and of those that come within interval after one that has run, the
 * latest or, if latest is false, the first, when that is over.
 *
 * Ownership: borrows scheduler; the result is yours. When it is released, the
 *   action that waits is forgotten.
 * Threads: any; actions run on the scheduler.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT; STREAMS_INVALID_ARGUMENT if interval is
 *   negative.
 * Since: 1.0.0
 */
STREAMS_API streams_throttler *streams_throttler_create(
    streams_nanoseconds interval, streams_scheduler *scheduler, bool latest);

/*
 * Has an action run, unless there are too many.
 *
 * Ownership: borrows throttler; takes context. destroy is called when the action
 *   has run, or is forgotten.
 * Threads: any; action is called by whoever runs the scheduler.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT (action), STREAMS_LIMIT; STREAMS_STALE_HANDLE also if
 *   the scheduler has been released.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_throttler_execute(streams_throttler *throttler,
    streams_action_fn action, void *context, streams_destroy_fn destroy);


/* ========================================================================
 * Dividing
 *
 * A stream can be divided into streams: groups of values with the same key, or
 * windows of successive values. They are values of the stream of them, of the
 * kind STREAMS_VALUE_OBJECT, and streams_value_publisher gives the publisher:
 *
 *     static streams_status count_of(void *context, const streams_value *in, streams_publisher **out) {
 *         (void)context;
 *         *out = streams_count(streams_value_publisher(in));
 *         return STREAMS_OK;
 *     }
 *     p = streams_window_by_count(p, 100, 100, STREAMS_AS_DEMANDED);
 *     p = streams_flat_map(p, STREAMS_UNLIMITED, count_of, NULL, NULL);
 *
 * What is demanded of the stream is groups or windows. Each has one subscriber,
 * who demands its values; any other finishes at once. What there is no demand for
 * waits, and so does what comes before somebody has subscribed. prefetch says how
 * many values may wait, in all of the streams together: the upstream is asked for
 * so many, and for another one for each that has been delivered, so that no more
 * come while so many wait. What an upstream sends that cannot wait for that, as a
 * subject, is lost. With STREAMS_AS_DEMANDED it depends on the demand: whoever
 * demands all of the streams, as streams_flat_map does, has all values asked for,
 * and nothing is lost; what comes before a stream is subscribed to waits in memory,
 * however much it is. Where a limited number of streams is demanded it is 256, and
 * where a limited number of a stream's values is and the upstream has its values
 * ready, as a sequence has. STREAMS_UNLIMITED sets no bound in any case.
 *
 * So each has to be subscribed to, or let go of: one that nobody holds any more,
 * as a value or as a publisher, drops its values, and so does one that is
 * cancelled. Streams that are received one after another, as by
 * streams_concat_map, need a prefetch that holds all values of those that wait.
 *
 * All end when the upstream does, after their values, and then the stream of them
 * does. When that is cancelled, those that have been subscribed to go on, and the
 * others are empty, with what waited in them dropped; the upstream is cancelled
 * with the last of them.
 * ======================================================================== */

/*
 * Divides values into groups by the keys that the callback makes of them, which
 * are equal as streams_value_equal says. A group is sent with its first value, and
 * there is one for each key, also when it has been cancelled. All keys are
 * kept until the end.
 *
 * Ownership: consumes publisher; takes context; the result is yours.
 * Threads: any; values come on the thread that sends, or that requests.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_group_by(
    STREAMS_CONSUMES streams_publisher *publisher, uint64_t prefetch, streams_transform_fn key,
    void *context, streams_destroy_fn destroy);

/*
 * Divides values into windows of count values. The next window begins skip values
 * after another: if that is more, values in between are dropped, and if it is
 * less, windows overlap and a value goes to, and counts in, each that is open. A
 * window is sent with its first value and finishes with its last. It is over
 * before that is told: a value that is sent meanwhile belongs to the next window.
 *
 * Ownership: consumes publisher; the result is yours.
 * Threads: any; values come on the thread that sends, or that requests.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if count or skip is
 *   less than 1.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_window_by_count(
    STREAMS_CONSUMES streams_publisher *publisher, int64_t count, int64_t skip, uint64_t prefetch);

/*
 * Divides values into windows at the end of each interval, which count from the
 * subscription, when the first window is sent; windows may be empty. One that
 * has not been demanded yet goes on.
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; values come on the thread that sends, or that requests, windows
 *   and their ends also on the scheduler.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if interval is
 *   negative, or for an immediate scheduler.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_window_by_time(STREAMS_CONSUMES streams_publisher *publisher,
    streams_nanoseconds interval, uint64_t prefetch, streams_scheduler *scheduler);

/*
 * Divides values into windows as streams_window_by_time, and another window begins
 * also when one has had count values.
 *
 * Ownership: consumes publisher; borrows scheduler; the result is yours.
 * Threads: any; values come on the thread that sends, or that requests, windows
 *   and their ends also on the scheduler.
 * Errors: NULL with the common ones; STREAMS_INVALID_ARGUMENT if interval is
 *   negative, count is less than 1, or for an immediate scheduler.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_window_by_time_or_count(STREAMS_CONSUMES streams_publisher *publisher,
    streams_nanoseconds interval, int64_t count, uint64_t prefetch, streams_scheduler *scheduler);

/*
 * Divides values into windows, the first of which is sent at the subscription,
 * with each value of another publisher; windows may be empty. One that has not
 * been demanded yet goes on. The stream and its windows end with the first end of
 * either publisher, and the other one is cancelled.
 *
 * Ownership: consumes publisher and consumes boundaries; the result is yours. A
 *   boundary retained before may be used again.
 * Threads: any; values come on the thread that sends, or that requests, windows
 *   and their ends also on that of boundaries.
 * Errors: NULL with the common ones.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_window(
    STREAMS_CONSUMES streams_publisher *publisher,
    STREAMS_CONSUMES streams_publisher *boundaries, uint64_t prefetch);

/*
 * The publisher of a group or of a window, which is a value.
 *
 * Ownership: borrows value; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE (also for a value
 *   that is no group or window), STREAMS_INVALID_UTF8, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_value_publisher(const streams_value *value);

/*
 * The key of a group.
 *
 * Ownership: borrows value; *out is overwritten and yours.
 * Threads: any.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE (also for a value that is no
 *   group), STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY; STREAMS_INVALID_ARGUMENT if
 *   value and out are the same. *out is null in all other failures.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_group_key(const streams_value *value, streams_value *out);


/* ========================================================================
 * Subscribers
 * ======================================================================== */

/*
 * Receives a stream. The order of calls is: on_subscription once; then values,
 * never more than demanded in total; then on_completion at most once, and
 * nothing after it or after a cancellation; destroy once, last of all.
 *
 * At least one of on_value and on_values must be set; all else may be NULL.
 */
typedef struct streams_subscriber {
    size_t size; /* sizeof(streams_subscriber) */
    /* Passed to all callbacks. */
    void *context;
    /* How many values are requested at the start, right after on_subscription.
     * STREAMS_UNLIMITED by default; 0 waits for streams_subscription_request. */
    uint64_t demand;
    /* The stream begins. The subscription is borrowed; retain it to request or
     * cancel later. Requesting and cancelling are legal right here. */
    void (*on_subscription)(void *context, streams_subscription *subscription);
    /* A value. Returns how many more are demanded, in addition to what is
     * still open; 0 for none, STREAMS_UNLIMITED to lift the bound, STREAMS_FAIL
     * to cancel the stream with an error. */
    uint64_t (*on_value)(void *context, const streams_value *value);
    /* Some values at a time, at least one, never more than are demanded. If
     * set, all values come this way, and on_value is not called. A batch that
     * was sent as one may arrive in portions. Returns the additional demand. */
    uint64_t (*on_values)(void *context, const streams_value *values, size_t count);
    /* Numbers that travel as an array, at least one, never more than are demanded:
     * each of them is a value. If it is not set they come as any other values.
     * Returns the additional demand. */
    uint64_t (*on_numbers)(void *context, const streams_value *numbers);
    /* The stream has finished (NULL) or failed; the error is borrowed. */
    void (*on_completion)(void *context, const streams_error *error);
    /* Lets go of the context, when no thread is inside the stream any more: with a
     * scheduler that may be a little after on_completion, and on another thread.
     * streams_run waits for it. */
    streams_destroy_fn destroy;
} streams_subscriber;

/* A subscriber with unlimited demand and no callbacks, to begin with. */
#define STREAMS_SUBSCRIBER_INIT \
    { sizeof(streams_subscriber), NULL, STREAMS_UNLIMITED, NULL, NULL, NULL, NULL, NULL, NULL }

/*
 * Subscribes to a publisher: the stream starts to run, and may be over before
 * the call returns.
 *
 * The stream runs until it ends or is cancelled, and RELEASING THE LAST
 * REFERENCE TO THE RESULT CANCELS. Keep it for as long as you want values.
 * Callbacks that cancel do so by the subscription that on_subscription is lent,
 * since they may be called before there is a result.
 *
 * Ownership: consumes publisher; copies the struct and takes its context; the
 *   result is yours. On failure destroy is called, unless the struct is NULL
 *   or of invalid size.
 * Threads: any. The callbacks run on whichever thread delivers, one at a time.
 * Errors: NULL with STREAMS_NULL_HANDLE (see rule 3 at the top),
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT
 *   (subscriber, or on_value and on_values both), STREAMS_INVALID_SIZE,
 *   STREAMS_LIMIT. A failure of the stream itself is
 *   no error of this call; it goes to on_completion.
 * Since: 1.0.0
 */
STREAMS_API streams_cancellable *streams_sink(
    STREAMS_CONSUMES streams_publisher *publisher, const streams_subscriber *subscriber);

/*
 * Subscribes to a publisher and waits for its end, or for timeout at most: then
 * it cancels. 0 does not wait, INT64_MAX waits for ever. When it returns, no
 * callback is called any more, and destroy has been, so the context may be on
 * the stack.
 *
 * The thread sleeps meanwhile, and a pthread_cancel of it comes when this returns. An
 * event loop that it is to run does not run. For a
 * stream on such a loop there are streams_sink, with a streams_loop_stop in
 * on_completion, and streams_loop_run. What a callback holds up should not be waited
 * for inside that callback: a value, a request, an operator's function that sends to
 * the stream that has called. Only where one of this subscriber's own callbacks
 * sends, on another thread, to a stream that the caller of streams_run is inside of,
 * the value is left to that thread, which delivers it later, and the run ends.
 *
 * Ownership: consumes publisher; copies the struct and takes its context. On
 *   failure destroy is called, unless the struct is NULL or of invalid size.
 * Threads: any. The callbacks run on whichever thread delivers, one at a time.
 * Errors: as streams_sink; STREAMS_INVALID_ARGUMENT if timeout is negative;
 *   STREAMS_TIMED_OUT; STREAMS_TERMINATED if the publisher lets go of the
 *   subscriber without an end, as streams_empty(false) does. A failure of the
 *   stream is no error of this call; it goes to on_completion. Nor is a
 *   cancellation by a callback.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_run(STREAMS_CONSUMES streams_publisher *publisher,
    const streams_subscriber *subscriber, streams_nanoseconds timeout);

/*
 * Sets a current-value subject to each value of the publisher, with unlimited
 * demand. The completion is not passed on. Combine's assign.
 *
 * In a circle of assignments each value goes round until the stack is used up;
 * then this stream ends, silently like any of its ends.
 *
 * Ownership: consumes publisher; borrows subject, which the stream keeps alive
 *   until it ends or is cancelled; the result is yours, and releasing its last
 *   reference cancels.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE (see rule 3 at the top),
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND (also for a passthrough subject),
 *   STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_cancellable *streams_assign(
    STREAMS_CONSUMES streams_publisher *publisher, streams_subject *subject);

/*
 * Subscribes a subject to a publisher: values and completion are sent on to
 * the subject's subscribers. Combine's subscribe with a subject.
 *
 * A current-value subject demands all values at once, a passthrough subject
 * once one of its subscribers has demand.
 *
 * Subjects that feed each other in a circle, or one that feeds itself, pass
 * each value on until the stack is used up; then this stream fails with
 * STREAMS_LIMIT, and so does the subject.
 *
 * Ownership: consumes publisher; borrows subject; the result is yours, and
 *   releasing its last reference cancels.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE (see rule 3 at the top),
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_cancellable *streams_subscribe(
    STREAMS_CONSUMES streams_publisher *publisher, streams_subject *subject);

/*
 * Cancels a stream. The subscriber gets no call after this returns, except
 * that a call under way on another thread runs to its end; then its destroy
 * follows. Cancelling again, or after the end, does nothing and succeeds.
 *
 * Ownership: borrows cancellable, which still has to be released.
 * Threads: any, also inside the subscriber's own callbacks.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_LIMIT where calls are nested too deep.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_cancel(streams_cancellable *cancellable);

/*
 * Demands values in addition to what is open. Values may arrive before the
 * call returns; inside on_value they arrive after that callback has returned.
 * After the end or a cancellation it does nothing and succeeds.
 *
 * Ownership: borrows subscription.
 * Threads: any, also inside the subscriber's own callbacks.
 * Errors: STREAMS_ZERO_DEMAND, STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND; STREAMS_PROTOCOL_VIOLATION for the subscription that
 *   streams_handle_events lends, which is somebody else's;
 *   STREAMS_LIMIT where calls are nested too deep.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_subscription_request(
    streams_subscription *subscription, uint64_t demand);

/*
 * Cancels the stream of a subscription, as streams_cancel does.
 *
 * Ownership: borrows subscription.
 * Threads: any, also inside the subscriber's own callbacks.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_LIMIT where calls are nested too deep.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_subscription_cancel(streams_subscription *subscription);

/*
 * How many values have been dropped since the beginning because there was no
 * demand for them, or no room: what a slow subscriber has not got.
 *
 * Of a passthrough subject: what it has dropped, counted for each subscriber that
 * had no demand. Of a replay subject: what it no longer kept for a subscriber that
 * was behind. Of a subscription, or a cancellable that streams_sink returned: what
 * everything has dropped that the stream is made of, such as subjects, buffers,
 * merges and debounces, also what an operator has subscribed to later, as to the
 * publishers of a flat_map, and also after its end. A current-value subject drops
 * nothing: who is behind gets the latest value. 0 for cancellables of other
 * functions. A tracker, and so a trace, has a line for each loss.
 *
 * Ownership: borrows handle.
 * Threads: any; a snapshot if other threads are at work.
 * Errors: 0 with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE; STREAMS_WRONG_KIND if
 *   it is no subject, subscription or cancellable.
 * Since: 1.0.0
 */
STREAMS_API uint64_t streams_dropped(const void *handle);


/* ========================================================================
 * Observable objects
 *
 * An observable object has values with names, which can be read, set and watched:
 * Combine's ObservableObject, and its Published properties.
 *
 *     streams_observable_object *car = streams_observable_object_create();
 *     streams_value charge = streams_double(50);
 *     streams_observable_object_add(car, "charge", &charge);
 *     p = streams_observable_object_publisher(car, "charge");
 *
 * When a value is set, the object's subscribers are told first that it is about to
 * change, and then the value's own get the new one, while reading still gives the
 * old one. Then the new one is there to be read. So a value that a subscriber sets
 * while it is being told of one of the same name is told to all and then lost: the
 * first that was set is stored last.
 *
 * Names are text that ends with NUL, and are copied.
 * ======================================================================== */

/*
 * Makes an object without values.
 *
 * Ownership: the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_observable_object *streams_observable_object_create(void);

/*
 * Adds a value to an object. It stays there for as long as the object lives.
 *
 * Ownership: borrows everything; the library copies name and initial.
 * Threads: any.
 * Errors: STREAMS_INVALID_ARGUMENT if there is one of that name already. Further
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_observable_object_add(
    streams_observable_object *object, const char *name, const streams_value *initial);

/*
 * Reads a value.
 *
 * Ownership: borrows object and name; *out is overwritten and yours.
 * Threads: any; it waits for nobody.
 * Errors: STREAMS_INVALID_ARGUMENT if there is none of that name. Further
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY. *out is
 *   then null.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_observable_object_get_value(
    const streams_observable_object *object, const char *name, streams_value *out);

/*
 * Sets a value, and tells everybody of it before.
 *
 * Ownership: borrows everything; the library copies what it keeps of value.
 * Threads: any, also several at once: each subscriber receives one value after
 *   another.
 * Errors: STREAMS_INVALID_ARGUMENT if there is none of that name. Further
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_observable_object_set_value(
    streams_observable_object *object, const char *name, const streams_value *value);

/*
 * The publisher of a value: of the current one for each new subscriber, and then
 * of each that is set, before it is stored. A subscriber that is behind on demand
 * gets only the latest. It never ends, and is silent when the object is gone,
 * which it does not keep.
 *
 * Ownership: borrows object and name; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_INVALID_ARGUMENT if there is none of that name,
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_UTF8, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_observable_object_publisher(
    streams_observable_object *object, const char *name);

/*
 * The publisher of the moments before any of the values changes: it publishes the
 * null value. A subscriber without demand misses it. It never ends, and is silent
 * when the object is gone, which it does not keep. Combine's objectWillChange.
 *
 * Ownership: borrows object; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_observable_object_will_change(streams_observable_object *object);

/*
 * Tells the object's subscribers that it is about to change: before a change of
 * something that is none of its values.
 *
 * Ownership: borrows object.
 * Threads: as streams_observable_object_set_value.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_LIMIT where calls are nested too deep.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_observable_object_send_will_change(streams_observable_object *object);

/*
 * Sets an object's value to each value of the publisher, with unlimited demand.
 * The completion is not passed on. It does not keep the object, so the publisher
 * may be made of the object itself; when that is gone, the stream is cancelled.
 * Combine's assign(to: &$name).
 *
 * In a circle of assignments each value goes round until the stack is used up;
 * then this stream ends, silently like any of its ends.
 *
 * Ownership: consumes publisher; borrows object and name; the result is yours, and
 *   releasing its last reference cancels.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE (see rule 3 at the top),
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT,
 *   STREAMS_INVALID_UTF8, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY;
 *   STREAMS_INVALID_ARGUMENT if there is no value of that name.
 * Since: 1.0.0
 */
STREAMS_API streams_cancellable *streams_assign_to_published(
    STREAMS_CONSUMES streams_publisher *publisher, streams_observable_object *object, const char *name);


/* ========================================================================
 * Properties
 *
 * A property is a value that can be read now, and watched from now on; only what it
 * is made of changes it. It follows a subject, or starts with a value and goes on
 * with those of a publisher, and from properties other properties are derived,
 * which have a value too.
 *
 * When a source changes, everything derived from it is computed once, each property
 * after all it is derived from, and only then is anybody told, each at most once. So
 * a property that is derived from one source along several paths never combines an
 * old value with a new one. A source is what streams_property_of_subject and
 * streams_property_of_publisher make: two properties of one subject are two sources.
 *
 * A function that fails leaves its property without a value until it makes the next
 * one: reading it fails, who watches it receives the error, and so it is with all
 * that is derived from it.
 *
 * Functions that derive one borrow the property that they are given. The result
 * keeps it, and so does who watches; nothing keeps what is derived. So a source, or
 * a function, that watches or gives what is derived from its own property keeps
 * itself for ever. A function is called once when the property is made, and once for
 * each change, on the thread that makes it. A change that is made in a function or by
 * who is told takes effect when all have been told. Where that leads to another
 * change, and so on, 1,000 times, or where each leads to several, and 50,000 have
 * come of one, the source has no value, but an error with the code STREAMS_LIMIT,
 * and what follows is passed over, until somebody changes it again.
 * ======================================================================== */

/*
 * Makes a property that never changes. Who watches it gets the value and the end.
 *
 * Ownership: copies value; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_UTF8, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_property *streams_property_create(const streams_value *value);

/*
 * Makes a property that follows a current-value subject, and keeps it until that
 * completes. If it fails, the property has no value any more.
 *
 * Ownership: borrows subject; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND (also for another subject), STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_property *streams_property_of_subject(streams_subject *subject);

/*
 * Makes a property with its first value and a publisher of the further ones, which
 * is subscribed to at once, with unlimited demand. If that sends values at once, the
 * property starts with the last of them. If it fails, the property has no value any
 * more.
 * The publisher of a published value sends before that is stored: a property of one
 * is streams_binding_property of its binding, which is equal to it after each change.
 *
 * Ownership: copies initial; consumes then; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE (see rule 3 at the top),
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT,
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_property *streams_property_of_publisher(
    const streams_value *initial, STREAMS_CONSUMES streams_publisher *then);

/*
 * Reads a property.
 *
 * Ownership: borrows property; *out is overwritten and yours.
 * Threads: any; it waits for nobody.
 * Errors: STREAMS_CALLBACK_FAILED if it has no value, because a function or a
 *   publisher has failed: streams_last_error says with what. Further
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT. *out is then null.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_property_get_value(
    const streams_property *property, streams_value *out);

/*
 * The publisher of the value that the property has when somebody subscribes, and of
 * those that follow. A subscriber that is behind on demand gets only the latest.
 * Finishes when all sources have, and fails if the property has no value.
 *
 * Ownership: borrows property; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_property_all_values(streams_property *property);

/*
 * The publisher of the values that come after the subscription; otherwise as
 * streams_property_all_values.
 *
 * Ownership: borrows property; the result is yours.
 * Threads: any.
 * Errors: as streams_property_all_values.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_property_subsequent_values(streams_property *property);

/*
 * A property of what the callback makes of another one's value.
 *
 * Ownership: borrows property; takes context; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT;
 *   STREAMS_NULL_ARGUMENT if a callback is NULL. That it fails is no error of this
 *   call.
 * Since: 1.0.0
 */
STREAMS_API streams_property *streams_property_map(streams_property *property,
    streams_transform_fn transform, void *context, streams_destroy_fn destroy);

/*
 * A property of the last value that the callback approved of; at first, if it does
 * not approve of the current one, it is initial_fallback.
 *
 * Ownership: borrows property; copies initial_fallback; takes context; the result is
 *   yours.
 * Threads: any.
 * Errors: as streams_property_map; STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY for the value.
 * Since: 1.0.0
 */
STREAMS_API streams_property *streams_property_filter(streams_property *property,
    const streams_value *initial_fallback, streams_predicate_fn predicate, void *context,
    streams_destroy_fn destroy);

/*
 * A property of the last value that the callback made which is not null; at first,
 * if it makes null of the current one, it is initial_fallback.
 *
 * Ownership: as streams_property_filter.
 * Threads: any.
 * Errors: as streams_property_filter.
 * Since: 1.0.0
 */
STREAMS_API streams_property *streams_property_compact_map(streams_property *property,
    const streams_value *initial_fallback, streams_transform_fn transform, void *context,
    streams_destroy_fn destroy);

/*
 * A property that starts with initial and goes on with what the callback makes of the
 * last value that it made and each that comes.
 *
 * Ownership: borrows property; copies initial; takes context; the result is yours.
 * Threads: any.
 * Errors: as streams_property_filter.
 * Since: 1.0.0
 */
STREAMS_API streams_property *streams_property_scan(streams_property *property,
    const streams_value *initial, streams_combine_fn combine, void *context, streams_destroy_fn destroy);

/*
 * A property that does not change when a value comes that is the same as its own: as
 * the callback says or, if that is NULL, streams_value_equal.
 *
 * Ownership: borrows property; takes context; the result is yours.
 * Threads: any.
 * Errors: as streams_property_map.
 * Since: 1.0.0
 */
STREAMS_API streams_property *streams_property_remove_duplicates(streams_property *property,
    streams_compare_fn is_same, void *context, streams_destroy_fn destroy);

/*
 * A property that follows the property which the callback makes of another one's
 * value, and with the next value the next one, in its place. It must not follow what
 * is derived from itself; then it has the error STREAMS_PROTOCOL_VIOLATION, in the
 * domain "streams", in the place of a value.
 *
 * Ownership: borrows property; takes context; the result is yours.
 * Threads: any.
 * Errors: as streams_property_map.
 * Since: 1.0.0
 */
STREAMS_API streams_property *streams_property_flat_map(streams_property *property,
    streams_expand_property_fn transform, void *context, streams_destroy_fn destroy);

/*
 * A property that has the current value now, and takes those that come when the
 * scheduler runs. What is derived from it is a graph of its own: combined with the
 * property itself, it is behind until the scheduler has run; when that is released,
 * it keeps the value that it has.
 *
 * Ownership: borrows both; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_property *streams_property_receive_on(
    streams_property *property, streams_scheduler *scheduler);

/*
 * A property of what the callback makes of the values of several properties, in the
 * order of the array, or, if it is NULL, of a list of them. It changes whenever one of
 * them does, and once when several do. Of no properties the callback gets no values:
 * count is 0.
 *
 * Ownership: borrows the properties, of which there may be none; takes context; the
 *   result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY;
 *   STREAMS_NULL_ARGUMENT if properties is NULL and count is not 0;
 *   STREAMS_OUT_OF_RANGE.
 * Since: 1.0.0
 */
STREAMS_API streams_property *streams_property_combine_latest(
    streams_property *const *properties, size_t count, streams_combine_values_fn combine, void *context,
    streams_destroy_fn destroy);

/*
 * A property of what the callback makes of the first values of several properties,
 * then of the second ones, and so on, or, if it is NULL, of a list of them. Values
 * that have no partner yet wait. Who watches it gets the end when no further ones can
 * come.
 *
 * Ownership: as streams_property_combine_latest.
 * Threads: any.
 * Errors: as streams_property_combine_latest.
 * Since: 1.0.0
 */
STREAMS_API streams_property *streams_property_zip(
    streams_property *const *properties, size_t count, streams_combine_values_fn combine, void *context,
    streams_destroy_fn destroy);


/* ========================================================================
 * Bindings
 *
 * A binding connects two sides: one has a value, and the other reads, sets and
 * watches it without knowing where it is. Parts of a value have bindings too.
 *
 * What is set is there at once, if it is accepted where it is kept. Bindings that are
 * derived from one binding set one after the other: of two threads that set different
 * parts, neither undoes what the other did. While one sets, and everybody is told,
 * another waits; where two would wait for each other for ever, the value is left to
 * the other thread.
 *
 * A binding keeps what it stands on, and so does who watches it. Nothing keeps the
 * binding.
 * ======================================================================== */

/*
 * Makes a binding of two functions. If changes is NULL, who watches is told, when
 * something is set through this binding or what is derived from it, of what get gives
 * then; otherwise of what changes publishes, and of nothing else. That is subscribed
 * to, with unlimited demand, when somebody watches first.
 *
 * A function that fails makes the call fail that gets or sets, and leaves who watches
 * without a value: the stream fails.
 *
 * Ownership: takes context; consumes changes; the result is yours.
 * Threads: any. The functions are called on whichever thread gets, sets or tells:
 *   set never twice at once, get also while the other runs.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_binding *streams_binding_create(streams_get_value_fn get, streams_set_value_fn set,
    void *context, streams_destroy_fn destroy, STREAMS_CONSUMES streams_publisher *changes);

/*
 * Makes a binding that always has the same value, whatever is set. Who watches it gets
 * the value and the end.
 *
 * Ownership: copies value; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_UTF8, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_binding *streams_binding_constant(const streams_value *value);

/*
 * Makes a binding of the value of a current-value subject, which it keeps.
 *
 * Ownership: borrows subject; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND (also for another subject), STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_binding *streams_binding_of_subject(streams_subject *subject);

/*
 * Makes a binding of a value of an object, which it keeps. It finds the value without
 * its name: the fast way to read, set and watch it. Who watches it is told when the
 * value can be read.
 *
 * Ownership: borrows object and name; the result is yours.
 * Threads: any.
 * Errors: as streams_observable_object_publisher.
 * Since: 1.0.0
 */
STREAMS_API streams_binding *streams_observable_object_binding(
    streams_observable_object *object, const char *name);

/*
 * Reads a binding's value.
 *
 * Ownership: borrows binding; *out is overwritten and yours.
 * Threads: any.
 * Errors: STREAMS_CALLBACK_FAILED if a function fails: streams_last_error says with
 *   what. Further STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT; STREAMS_LIMIT where calls are nested too deep. *out is
 *   then null.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_binding_get_value(const streams_binding *binding, streams_value *out);

/*
 * Sets a binding's value.
 *
 * Ownership: borrows both; the library copies what it keeps.
 * Threads: any, also several at once.
 * Errors: STREAMS_CALLBACK_FAILED if a function fails: streams_last_error says with
 *   what, and nothing is set. Further STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE,
 *   STREAMS_INVALID_UTF8, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_binding_set_value(streams_binding *binding, const streams_value *value);

/*
 * The publisher of the value that the binding has when somebody subscribes, and of
 * each that follows; otherwise as streams_property_all_values.
 *
 * Ownership: borrows binding; the result is yours.
 * Threads: any.
 * Errors: as streams_property_all_values.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_binding_values(streams_binding *binding);

/*
 * Makes a property that has what the binding has.
 *
 * Ownership: borrows binding; the result is yours.
 * Threads: any.
 * Errors: as streams_property_all_values.
 * Since: 1.0.0
 */
STREAMS_API streams_property *streams_binding_property(streams_binding *binding);

/*
 * A binding of a part of another one's value: of what get makes of it. To set the
 * part sets what set makes of the whole value, which it is given first, and the part.
 *
 * Ownership: borrows binding; takes context; the result is yours.
 * Threads: any. The functions are called on whichever thread gets, sets or tells.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT;
 *   STREAMS_LIMIT also if binding is a part of a part, a hundred times.
 * Since: 1.0.0
 */
STREAMS_API streams_binding *streams_binding_map(streams_binding *binding, streams_transform_fn get,
    streams_combine_fn set, void *context, streams_destroy_fn destroy);

/*
 * A binding as of streams_binding_map, of a part that may be missing for a while:
 * where get fails, the binding has the part's last value, and tells nothing. The
 * part must be there now.
 *
 * Ownership: borrows binding; takes context; the result is yours.
 * Threads: any. The functions are called on whichever thread gets, sets or tells.
 * Errors: as streams_binding_map, and NULL with STREAMS_CALLBACK_FAILED if get fails
 *   now: streams_last_error says with what.
 * Since: 1.0.0
 */
STREAMS_API streams_binding *streams_binding_part(streams_binding *binding, streams_transform_fn get,
    streams_combine_fn set, void *context, streams_destroy_fn destroy);

/*
 * A binding of an item of a list, which must be there now. When it no longer is,
 * because the list is shorter, the binding has the item's last value, tells nothing,
 * and to set it fails.
 *
 * Ownership: borrows binding; the result is yours.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_CALLBACK_FAILED (as streams_binding_get_value),
 *   STREAMS_LIMIT (as streams_binding_map);
 *   STREAMS_INVALID_ARGUMENT if the value is no list that has this item.
 * Since: 1.0.0
 */
STREAMS_API streams_binding *streams_binding_element(streams_binding *binding, size_t index);

/*
 * Sets a binding to each value of the publisher, with unlimited demand. The completion
 * is not passed on, and a value that a function of the binding refuses is passed over.
 *
 * In a circle of assignments each value goes round until the stack is used up, or what
 * is watched has changed 1,000 times; then this stream ends, silently like any of its
 * ends.
 *
 * Ownership: consumes publisher; borrows binding, which the stream keeps until it ends
 *   or is cancelled; the result is yours, and releasing its last reference cancels.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE (see rule 3 at the top),
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_cancellable *streams_assign_to_binding(
    STREAMS_CONSUMES streams_publisher *publisher, streams_binding *binding);


/* ========================================================================
 * Scopes
 *
 * What a program shows is a function of what it knows. A scope is the place of such
 * a function, its body, in a tree: the body reads what it needs, and asks for the
 * scopes below. When something that it has read has changed, it runs again in the
 * next update, and no other body does; SwiftUI's State, Binding, ObservedObject and
 * Environment, without its views. What is drawn, and with what, is the program's.
 *
 *     static streams_status show_count(
 *         void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
 *         streams_value zero = streams_int(0);
 *         streams_binding *count = streams_scope_state(scope, "count", &zero);
 *         streams_status status = streams_binding_get_value(count, out);
 *         streams_release(count);
 *         return status;
 *     }
 *     streams_scope_tree *tree = streams_scope_tree_create(loop, NULL, show_count, NULL, NULL);
 *
 * READING. A body has read what it gets, on its own thread, from
 * streams_scope_get_environment_value, streams_binding_get_value,
 * streams_property_get_value, streams_observable_object_get_value and
 * streams_current_value_subject_get_value; also in what it calls, such as the
 * subscribers of a subject that it sends to, but not where something is compared or
 * let go of, nor in another tree. What it does not get again when it runs again counts
 * no more. The end of a subject changes no value.
 *
 * IDENTITY. A child is the one that it was, with its state, if the body asks for one
 * with the same key. One that it does not ask for again is removed, with all below.
 *
 * UPDATES. All that changes until an update comes is seen by it together. It goes in
 * rounds: first it runs the bodies of what has changed, parents before children, and
 * then the tasks that these have asked for. What these change makes another round,
 * up to 100; if that is not the end, the update is given up, which is an error.
 *
 * FAILURES. If a body fails, its scope shows what it showed before, and keeps the
 * children and all else that it has not asked for again; what it has read before
 * counts on. The other bodies run. What it fails with is the answer of
 * streams_scope_tree_update, until it has run again without a failure. Where a
 * scheduler updates, a subscriber of streams_scope_tree_updates may ask for it.
 *
 * A body must not wait for another thread that changes what it reads. Of the
 * functions below, those with a scope are for its own body while that runs, on the
 * thread on which it runs, but for streams_scope_invalidate.
 * ======================================================================== */

/*
 * Makes a tree with one scope. Its body runs first in the first update. A scheduler
 * runs the updates; without one they are made by streams_scope_tree_update. The tree
 * is taken down when its last reference is released: what its scopes keep is let go,
 * and no body runs any more. In a body or a task, that is done when this has
 * returned.
 *
 * A scheduler that is released makes no more updates. One that rejects an update is
 * asked again when something else changes. An immediate one is refused: an update
 * cannot run within what asks for it.
 *
 * Ownership: borrows scheduler, which may be NULL; copies input, and NULL stands for
 *   the null value; takes context; the result is yours. A context that keeps the tree
 *   keeps itself.
 * Threads: any. The bodies run on whichever thread updates, one at a time.
 * Errors: NULL with STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY; STREAMS_INVALID_ARGUMENT for an immediate
 *   scheduler.
 * Since: 1.0.0
 */
STREAMS_API streams_scope_tree *streams_scope_tree_create(streams_scheduler *scheduler,
    const streams_value *input, streams_body_fn body, void *context, streams_destroy_fn destroy);

/*
 * Makes the update that is due, if there is one and no other is under way.
 *
 * Ownership: borrows tree.
 * Threads: any.
 * Errors: STREAMS_CALLBACK_FAILED if there is a body that has failed when it ran
 *   last, or an update that was given up: streams_last_error says with what. Further
 *   STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND; STREAMS_LIMIT
 *   where calls are nested too deep.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_scope_tree_update(streams_scope_tree *tree);

/*
 * The publisher of the ends of updates: of the number of bodies that each has run.
 * It publishes on the thread that updates, and finishes when the tree is taken down.
 * A subscriber without demand misses updates.
 *
 * Ownership: borrows tree; the result is yours, and does not keep the tree.
 * Threads: any.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 * Since: 1.0.0
 */
STREAMS_API streams_publisher *streams_scope_tree_updates(streams_scope_tree *tree);

/*
 * Gives what there is to show: a list with a list of two for each scope, of how deep
 * it is, as an integer from 0 on, and of what its body has made. Each scope is
 * followed by those below it, in the order in which its body has asked for them. While
 * an update is under way, a part may be new and another old.
 *
 * Ownership: borrows tree; *out is overwritten and yours.
 * Threads: any.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT; STREAMS_CALLBACK_FAILED if there is not memory enough.
 *   *out is then null.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_scope_tree_get_shown(streams_scope_tree *tree, streams_value *out);

/*
 * Gives the whole tree a value of the environment. The bodies that have read another
 * one run again in the next update.
 *
 * Ownership: borrows tree and key; copies value, and NULL gives none.
 * Threads: any.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_LIMIT where calls are nested too deep, STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_scope_tree_set_environment_value(
    streams_scope_tree *tree, const char *key, const streams_value *value);

/*
 * Asks for a scope below. If there was none with that key, or it has another body,
 * context or input than before, its body runs in this update, after this one has
 * returned. What cannot be compared is another input.
 *
 * Children with the null key, or with one key, are told apart by the order in which
 * they are asked for.
 *
 * Ownership: borrows scope; copies key and input, and NULL stands for the null value;
 *   takes context, which is used until the next time that the child is asked for.
 * Threads: only in the scope's body.
 * Errors: STREAMS_PROTOCOL_VIOLATION elsewhere. Further STREAMS_NULL_HANDLE,
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT,
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY;
 *   STREAMS_CALLBACK_FAILED if the key has no hash; STREAMS_LIMIT also if 10,000
 *   scopes are in each other.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_scope_child(streams_scope *scope, const streams_value *key,
    const streams_value *input, streams_body_fn body, void *context, streams_destroy_fn destroy);

/*
 * The binding of a value that the scope keeps until it is removed. The first time
 * that the body asks for a name makes the value; later on initial counts no more. To
 * set it to a value that is equal changes nothing.
 *
 * Ownership: borrows scope and name; copies initial; the result is yours. It may be
 *   used anywhere, also when the scope is gone.
 * Threads: only in the scope's body; the binding on any.
 * Errors: NULL with STREAMS_PROTOCOL_VIOLATION elsewhere, STREAMS_NULL_HANDLE,
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT,
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_binding *streams_scope_state(
    streams_scope *scope, const char *name, const streams_value *initial);

/*
 * Has an action run once in this update, after the bodies, and again when the body
 * asks for the same name with another input. destroy(context) ends what the action
 * has begun: it is called before the action runs with another input, when the body has
 * run without asking for it, and when the scope is removed. Asked for with an equal
 * input, the task stays, and the new context is let go of at once: so destroy has to
 * do with a context of which no action has run. A name is for one task: of several
 * that a body asks for, only the last begins. SwiftUI's onAppear, onDisappear,
 * onChange and task.
 *
 * Ownership: borrows scope and name; copies input, and NULL stands for the null value;
 *   takes context.
 * Threads: only in the scope's body; the action runs on the thread that updates.
 * Errors: STREAMS_PROTOCOL_VIOLATION elsewhere. Further STREAMS_NULL_HANDLE,
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT,
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_scope_task(streams_scope *scope, const char *name,
    const streams_value *input, streams_action_fn action, void *context, streams_destroy_fn destroy);

/*
 * Reads a value of the environment: what the nearest scope above gives under the key,
 * or else the tree, or null.
 *
 * Ownership: borrows scope and key; *out is overwritten and yours.
 * Threads: only in the scope's body.
 * Errors: STREAMS_PROTOCOL_VIOLATION elsewhere. Further STREAMS_NULL_HANDLE,
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT,
 *   STREAMS_INVALID_UTF8, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY. *out is then null.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_scope_get_environment_value(
    streams_scope *scope, const char *key, streams_value *out);

/*
 * Gives the scopes below a value of the environment. What the body does not give
 * again when it runs again, it gives no more.
 *
 * Ownership: borrows scope and key; copies value.
 * Threads: only in the scope's body.
 * Errors: STREAMS_PROTOCOL_VIOLATION elsewhere. Further STREAMS_NULL_HANDLE,
 *   STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT,
 *   STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_scope_set_environment_value(
    streams_scope *scope, const char *key, const streams_value *value);

/*
 * Sees to it that a scope's body runs again in the next update, for a change of
 * something that the library does not know. If the scope has been removed, does
 * nothing and succeeds. To use a scope outside of its body, retain it there; the
 * handle that is lent is another one each time.
 *
 * Ownership: borrows scope.
 * Threads: any.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_LIMIT where calls are nested too deep.
 * Since: 1.0.0
 */
STREAMS_API streams_status streams_scope_invalidate(streams_scope *scope);


/* ========================================================================
 * Inline helpers
 *
 * Values on the stack, made of nothing but the struct itself: they borrow what
 * they point to and need no streams_value_destroy.
 * ======================================================================== */

#ifndef STREAMS_NO_INLINE

/* The null value. */
static inline streams_value streams_null(void) {
    streams_value value;
    value.kind = STREAMS_VALUE_NULL;
    value.size = 0;
    value.as.bits = 0;
    value.owner = NULL;
    return value;
}

/* A bool. */
static inline streams_value streams_bool(bool boolean) {
    streams_value value = streams_null();
    value.kind = STREAMS_VALUE_BOOL;
    value.as.boolean = boolean;
    return value;
}

/* An integer. */
static inline streams_value streams_int(int64_t integer) {
    streams_value value = streams_null();
    value.kind = STREAMS_VALUE_INT64;
    value.as.integer = integer;
    return value;
}

/* A double. */
static inline streams_value streams_double(double real) {
    streams_value value = streams_null();
    value.kind = STREAMS_VALUE_DOUBLE;
    value.as.real = real;
    return value;
}

/* Text, bytes and lists in your own memory. A length that does not fit gives a
 * value of no valid kind, which every function refuses. */
static inline streams_value streams_sized_(uint32_t kind, size_t size) {
    streams_value value = streams_null();
    value.kind = size <= UINT32_MAX ? kind : UINT32_MAX;
    value.size = size <= UINT32_MAX ? size & UINT32_MAX : 0;
    return value;
}

/* A string of length bytes of UTF-8. */
static inline streams_value streams_text_n(const char *text, size_t length) {
    streams_value value = streams_sized_(STREAMS_VALUE_STRING, length);
    value.as.text = text;
    return value;
}

/* A string that ends at its first NUL; the null value if text is NULL. */
static inline streams_value streams_text(const char *text) {
    size_t length = 0;
    if (text == NULL) return streams_null();
    while (text[length] != '\0') length++;
    return streams_text_n(text, length);
}

/* Bytes. */
static inline streams_value streams_bytes(const void *bytes, size_t length) {
    streams_value value = streams_sized_(STREAMS_VALUE_BYTES, length);
#ifdef __cplusplus
    value.as.bytes = static_cast<const uint8_t *>(bytes);
#else
    value.as.bytes = bytes;
#endif
    return value;
}

/* A list. */
static inline streams_value streams_list(const streams_value *items, size_t count) {
    streams_value value = streams_sized_(STREAMS_VALUE_LIST, count);
    value.as.items = items;
    return value;
}

/* An array of integers. */
static inline streams_value streams_int64s(const int64_t *integers, size_t count) {
    streams_value value = streams_sized_(STREAMS_VALUE_INT64S, count);
    value.as.integers = integers;
    return value;
}

/* An array of doubles. */
static inline streams_value streams_doubles(const double *reals, size_t count) {
    streams_value value = streams_sized_(STREAMS_VALUE_DOUBLES, count);
    value.as.reals = reals;
    return value;
}

/* Makes an error and names it: return streams_callback_fail_with(...) ends a
 * callback. Errors: as streams_error_create, and never STREAMS_OK. */
static inline streams_status streams_callback_fail_with(
    int64_t code, const char *domain, const char *message) {
    streams_error *error = streams_error_create(code, domain, message, NULL);
    streams_status status =
        error != NULL ? streams_callback_fail(error) : streams_last_status();
    if (error != NULL) (void)streams_release(error);
    return status;
}

#if UINTPTR_MAX == UINT64_MAX
#ifdef __cplusplus
static_assert(sizeof(streams_value) == 24, "a value is 24 bytes");
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(streams_value) == 24, "a value is 24 bytes");
#endif
#endif

#endif /* STREAMS_NO_INLINE */

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_H */
