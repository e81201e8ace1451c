/*
 * streams.h - Combine's model for C: publishers, subscribers, demand.
 *
 * A publisher describes a stream of values. Nothing flows until a subscriber
 * is attached, and no more values flow than the subscriber has demanded. Operators
 * sit in between. A stream ends once: it finishes, or it fails with an error. The
 * program below reads three temperatures as a stream, converts them and prints
 * them.
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
 *         streams_cancellable *cancellable = streams_sink(p, &subscriber);
 *         if (cancellable == NULL) return fprintf(stderr, "%s\n", streams_last_message()), 1;
 *         return streams_release(cancellable) != STREAMS_OK;
 *     }
 *
 * Compile it with
 *
 *     cc program.c $(pkg-config --cflags --libs streams)
 *
 * Nine rules hold everywhere; the functions' comments only add to them.
 *
 * 1. OWNERSHIP. An operator consumes the publishers it is given and returns a new
 *    one that you own. streams_sink, streams_run, streams_subscribe and the
 *    functions that assign consume their publisher too. STREAMS_CONSUMES stands
 *    before each parameter that is consumed; all others are borrowed. To use a
 *    publisher twice, retain it first. What a function returns is yours to release,
 *    unless its comment says "borrowed".
 *
 * 2. HANDLES are tokens, not addresses; the library never dereferences one. A call
 *    with a handle that is NULL, has been released, or is of another kind returns a
 *    status. A handle read as intptr_t is positive. Releasing or cancelling
 *    anything inside a callback is legal.
 *
 * 3. ERRORS. An action returns a status, and 0 is success. A function that returns
 *    a handle returns NULL when it fails. Every failing call leaves its status, its
 *    name and a sentence in the last error of the thread. An operator given a NULL
 *    publisher returns NULL and keeps the error that is already there, so one check
 *    at the end of a chain is enough. An operator that fails has still consumed its
 *    publishers and called destroy(context). No call aborts the process because of
 *    its arguments; only a pointer to the wrong memory cannot be detected. Any call
 *    may be refused with STREAMS_LIMIT if it is nested too deep: if too little of
 *    the thread's stack is left, or inside 65535 other calls with the same handle.
 *
 *    A function that has no memory for a copy of an argument of any size (text,
 *    bytes, lists, arrays) returns STREAMS_OUT_OF_MEMORY; nothing is lost, and the
 *    call can be repeated. If there is no memory for a copy of a callback's result,
 *    or for a list that a stream makes of its values, the stream fails with that
 *    code. But if memory runs out for the library's own small objects, or for
 *    values that it gathers itself (in a buffer, in collect, or while they wait for
 *    their turn), the process ends, as it does with GLib. It also ends if memory
 *    runs out while the library turns its copy of something into another form:
 *    labels, names and keys, the events of streams_record, and long lists of
 *    publishers or properties.
 *
 * 4. CALLBACKS come as (function, context, destroy). destroy may be NULL; otherwise
 *    it is called exactly once, after the last call of the function, never while
 *    one is running, and also if the call that took the callback fails. Callbacks
 *    must not throw C++ exceptions or longjmp out.
 *
 * 5. VALUES passed to a callback are borrowed for the length of the call.
 *    Values passed to a function are borrowed too: the library copies what it
 *    keeps.
 *
 * 6. THREADS. Unless its comment says otherwise, a function may be called from any
 *    thread and from inside any callback. A callback runs on the thread that caused
 *    it. Calls to one subscriber are never concurrent, and no lock of the library
 *    is held while a callback runs. Do not release a handle on one thread while
 *    another is about to use it without a reference of its own; if that happens,
 *    the second thread's call returns a status.
 *
 *    A send returns when its values have been delivered, or dropped for lack of
 *    demand. While another thread delivers to the same stream, a send waits for its
 *    turn. So a callback must never wait (by joining it, for example) for a thread that
 *    may be sending to the stream that called. Cancellations and releases never wait. A
 *    request does not wait either, unless values are ready for it, such as those of a
 *    sequence: then it sends them, and waits for its turn like a send. So a callback
 *    must not wait for a thread that requests values of the stream that called. A
 *    thread that delivers also does the work that other threads leave to it. If
 *    they leave work faster than the callbacks can do it, as a window of 1 ns can,
 *    the call returns only when they pause.
 *
 *    Waiting for a turn cannot deadlock: if thread A would wait for thread B, and B
 *    already waits for A, A leaves its values to B and returns. B delivers them before
 *    everything that is sent to the same stream later, by any thread: if a callback on
 *    B sends, the values that were left are delivered first, while that callback is
 *    still running. A value that is sent during this delivery comes after the value
 *    that the callback sends: it is left too, and its send returns before it is
 *    delivered. A callback may also send to a passthrough subject whose subscribers
 *    demand a finite number of values. The values that were left then wait for the
 *    demand that the callback returns, and the value that it sends waits with them.
 *
 *    A thread must not end inside a call, for example by pthread_exit in a
 *    callback: its work would stay unfinished for ever. The functions that wait
 *    (streams_run and those that run a loop) hold back a pthread_cancel, also in
 *    the callbacks that they call. It takes effect when they have returned, and
 *    does not make them return sooner: use streams_loop_stop, or cancel the stream.
 *    Other calls do not hold it back; if one of their callbacks calls a
 *    cancellation point, such as write, the program has to deal with that: see
 *    pthread_setcancelstate.
 *
 * 7. STRUCTS that may grow begin with their size. Start from the matching
 *    ..._INIT macro. A size that this library does not know is refused with
 *    STREAMS_INVALID_SIZE; fields that an older program does not have count
 *    as zero.
 *
 * 8. DEPTH. Streams nest on the stack: operators in each other, and calls made
 *    inside callbacks. The library keeps a reserve of the thread's stack: 128 KB,
 *    but of a stack below 512 KB only a quarter, at least 24 KB, and of a stack
 *    below 48 KB half. When only the reserve is left, a call that could call back
 *    returns STREAMS_LIMIT and does nothing, and a stream whose next value or
 *    subscription would nest too deep fails with the code STREAMS_LIMIT in the
 *    domain "streams". An operator takes up to 2 KB: at least 100 of them in a row
 *    fit on a stack of 512 KB, and 1000 on one of 8 MB. A chain that does not fit
 *    can still be built and released. streams_release is never refused; on a deep
 *    stack, what it releases may be destroyed only when the calls around it have
 *    returned. A callback that needs more than half of the reserve must check the
 *    stack itself. A thread needs a stack of 32 KB: every function and every
 *    operator works on it, even as the first call of the process, and leaves 8 KB
 *    to a callback, or 4 KB in a stream that is tracked or traced. Swift's setup of
 *    a type, which happens once, takes more than that; where the thread's stack is
 *    short, it runs on a stack of the library's own. The library does not check the
 *    stacks of fibers: a fiber needs 64 KB where a thread needs 32 KB.
 *
 * 9. FORKS AND SIGNALS. After fork, the child may use everything except a stream in
 *    which another thread of the parent was running at that moment; the child may
 *    only release such a stream. A queue or a pool has no threads in the child, as
 *    if it had been released: make another. The little memory that the lost threads
 *    held is leaked. Keeping callbacks and their locks usable after a fork is up to
 *    the program. Call no function in a signal handler: let the handler wake a
 *    thread, for example by writing to a pipe, and call from that thread.
 *
 * COMMENTS. A function's comment says who owns its arguments and its result
 * (Ownership), where it may be called (Threads), how it fails (Errors), and which
 * version introduced it (Since). A section that is missing has its default:
 *
 *     Threads: any.
 *     Errors: NULL with the common ones.
 *     Since: 1.0.0
 *
 * The default of Errors is for functions that consume a handle and return another.
 * The common ones are STREAMS_NULL_HANDLE (see rule 3), STREAMS_STALE_HANDLE,
 * STREAMS_WRONG_KIND (a handle of the wrong kind is not consumed), STREAMS_LIMIT,
 * and STREAMS_NULL_ARGUMENT if a callback is NULL. Comments add the function's own.
 *
 * CONTENTS. Each part is a header in the folder streams, and this one includes them
 * all. Each section begins with its title.
 *
 *     base.h
 *         Version                     of these headers, and of the library that runs
 *         Status and errors of calls  what a call answers, and the last error
 *         Handles                     retain, release, and how many there are
 *     values.h
 *         Values                      what flows: numbers, text, bytes, lists, arrays
 *         Objects                     pointers of your own as values
 *     errors.h
 *         Errors of streams           why a stream fails
 *     callbacks.h
 *         Callbacks                   the shapes of functions that operators take
 *     publishers.h
 *         Publishers                  of values that exist already
 *     custom.h
 *         Publishers of your own      files, sockets, generators
 *         Operators of your own       of values one by one
 *     subjects.h
 *         Subjects                    publishers that are fed by calls
 *         Futures                     one value, later
 *     operators.h
 *         Operators                   what holds for all; from streams_map to
 *                                     streams_replace_nil
 *     reducing.h
 *         Reducing                    from streams_scan to streams_collect_count
 *         Buffering                   values that wait for demand
 *     selecting.h
 *         Selecting                   from streams_prefix to streams_replace_empty
 *     combining.h
 *         Combining                   from streams_flat_map to streams_prepend
 *     failing.h
 *         Failures and ends           from streams_catch to streams_repeat
 *     debugging.h
 *         Watching                    from streams_handle_events to
 *                                     streams_breakpoint_on_error
 *         Seeing                      what a stream is made of, and what happens in it
 *         Finding faults              where values are dropped or wait, and which streams live
 *     sharing.h
 *         Sharing                     one stream for several subscribers
 *     schedulers.h
 *         Schedulers                  loops, queues, pools, virtual time
 *     timing.h
 *         Time                        operators with a scheduler, from
 *                                     streams_debounce to streams_retry_backoff
 *     dividing.h
 *         Dividing                    into groups and windows
 *     subscribers.h
 *         Subscribers                 streams_sink, streams_run, requests, cancelling
 *     observable_objects.h
 *         Observable objects          named values that notify before they change
 *     properties.h
 *         Properties                  values to read and to watch, derived from others
 *     bindings.h
 *         Bindings                    values that are kept elsewhere, to read and to set
 *     scopes.h
 *         Scopes                      functions that run again when what they read changes
 *     inline.h
 *         Inline helpers              values on the stack: streams_int, streams_text
 *
 * streams_host.h has what bindings for other languages need in addition.
 *
 * A tool that reads declarations can define STREAMS_NO_INLINE to get plain C
 * without attributes, static assertions and function bodies. Nothing is lost: every
 * inline helper is made of the functions declared here.
 */

#ifndef STREAMS_H
#define STREAMS_H

/* In the order of the contents. */
/* clang-format off */
#include "streams/base.h"
#include "streams/values.h"
#include "streams/errors.h"
#include "streams/callbacks.h"
#include "streams/publishers.h"
#include "streams/custom.h"
#include "streams/subjects.h"
#include "streams/operators.h"
#include "streams/reducing.h"
#include "streams/selecting.h"
#include "streams/combining.h"
#include "streams/failing.h"
#include "streams/debugging.h"
#include "streams/sharing.h"
#include "streams/schedulers.h"
#include "streams/timing.h"
#include "streams/dividing.h"
#include "streams/subscribers.h"
#include "streams/observable_objects.h"
#include "streams/properties.h"
#include "streams/bindings.h"
#include "streams/scopes.h"
#include "streams/inline.h"
/* clang-format on */

#endif /* STREAMS_H */
