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
 * COMMENTS. A function's comment says what becomes of what it is given, and of what
 * it returns (Ownership), where it may be called (Threads), how it fails (Errors), and
 * which version had it first (Since). Where it does not say, these hold:
 *
 *     Threads: any.
 *     Errors: NULL with the common ones.
 *     Since: 1.0.0
 *
 * These errors are those of functions that consume a handle and return another. The
 * common ones are STREAMS_NULL_HANDLE (see rule 3),
 * STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND (the reference is not consumed:
 * there is none of that kind), STREAMS_LIMIT, and
 * STREAMS_NULL_ARGUMENT if a callback is NULL. Comments add what is particular.
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
 *         Errors of streams           with what a stream fails
 *     callbacks.h
 *         Callbacks                   the shapes of functions that operators take
 *     publishers.h
 *         Publishers                  of what is there already
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
 *         Observable objects          named values that tell before they change
 *     properties.h
 *         Properties                  values to read and to watch, derived from others
 *     bindings.h
 *         Bindings                    values that somebody else keeps, to read and to set
 *     scopes.h
 *         Scopes                      functions that run again when what they read changes
 *     inline.h
 *         Inline helpers              values on the stack: streams_int, streams_text
 *
 * What bindings of other languages need besides is in streams_host.h.
 *
 * A tool that reads declarations defines STREAMS_NO_INLINE and gets plain C
 * without attributes, static assertions and function bodies. Nothing is lost:
 * every inline helper is made of the functions declared here.
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
