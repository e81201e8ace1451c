/*
 * streams/debugging.h - what a stream is made of, and what happens in it.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_DEBUGGING_H
#define STREAMS_DEBUGGING_H

#include "base.h"
#include "callbacks.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Watching
 * ======================================================================== */

/*
 * Callbacks that watch a stream without changing it. Any of them may be NULL. They
 * are released, and destroy is called, once every subscription has ended and the
 * publisher is gone.
 */
typedef struct streams_event_handlers {
    size_t size; /* sizeof(streams_event_handlers) */
    /* Passed to all of them. */
    void *context;
    /* The subscriber is about to receive its subscription; borrowed. It can be
     * cancelled, now or later, without a call of on_cancel; but only the subscriber
     * can request: streams_subscription_request refuses this subscription. */
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
    /* Releases the context. */
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
 * Errors: NULL with the common ones; STREAMS_NULL_ARGUMENT if handlers is
 *   NULL, STREAMS_INVALID_SIZE.
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
 * Errors: NULL with the common ones; a write of NULL is stdout, as for printf.
 *   STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_publisher *streams_print(
    STREAMS_CONSUMES streams_publisher *publisher, const char *prefix, streams_write_fn write,
    void *context, streams_destroy_fn destroy);


/*
 * Callbacks that answer whether to stop in the debugger, before an event is passed
 * on. Any of them may be NULL. They are released, and destroy is called, once every
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
    /* Releases the context. */
    streams_destroy_fn destroy;
} streams_breakpoints;

/* Breakpoints without callbacks, to begin with. */
#define STREAMS_BREAKPOINTS_INIT \
    { sizeof(streams_breakpoints), NULL, NULL, NULL, NULL, NULL }

/*
 * Raises SIGTRAP on the running thread when a callback answers true: a debugger
 * stops there. Without a debugger, and without a handler in the program, the signal
 * ends the process. If the program goes on, the event is passed on.
 *
 * Ownership: consumes publisher; copies the struct and takes its context; the
 *   result is yours. On failure destroy is called, unless the struct is NULL
 *   or of invalid size.
 * Errors: NULL with the common ones; STREAMS_NULL_ARGUMENT if breakpoints is
 *   NULL, STREAMS_INVALID_SIZE.
 */
STREAMS_API streams_publisher *streams_breakpoint(
    STREAMS_CONSUMES streams_publisher *publisher, const streams_breakpoints *breakpoints);

/*
 * Raises SIGTRAP, as streams_breakpoint does, when the stream fails.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_breakpoint_on_error(STREAMS_CONSUMES streams_publisher *publisher);


/* ========================================================================
 * Seeing
 *
 * A publisher can describe what it is made of, and a tracker writes what happens
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
 * happened. The lines of what a call causes on its thread are indented, for all
 * trackers together: with several in a chain, the lines of one nest in those of
 * another. The beginning of a call is written when the first call within it begins.
 * A line nested deeper than 32 gives its depth instead of being indented further.
 *
 * Everything passes through a tracker unchanged, one value at a time. The values
 * are written as streams_value_describe does. Calls on the same thread while a line
 * is being written are not tracked.
 * ======================================================================== */

/*
 * Writes what a publisher is made of as a tree: a line for each publisher, above
 * those that it was made of. The names are those of these headers without streams_:
 *
 *     merge
 *       filter
 *         passthrough_subject
 *       just
 *
 * The last line has no line end. A publisher that was shown above is not shown
 * again. Publishers nested more than 100 deep, and those after 1000 lines, are left
 * out, as "…" shows. Publishers that callbacks return are not known before the
 * call.
 *
 * Follows snprintf, as streams_value_describe does.
 *
 * Ownership: borrows everything.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_NULL_ARGUMENT (buffer with a capacity; or buffer and needed both),
 *   STREAMS_LIMIT.
 */
STREAMS_API streams_status streams_publisher_describe(
    const streams_publisher *publisher, char *buffer, size_t capacity, size_t *needed);

/*
 * Writes a line about each call between a publisher and its subscribers; it begins
 * with the label and a colon. Values that the publisher drops, for lack of demand
 * or of room, have a line too. write is called for a whole line, its line end
 * included, on the thread on which the call is made.
 *
 * Ownership: consumes publisher; copies label, which may be NULL for none;
 *   takes context; the result is yours.
 * Errors: NULL with the common ones; a write of NULL is stderr.
 *   STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_publisher *streams_track(STREAMS_CONSUMES streams_publisher *publisher, const char *label,
    streams_write_fn write, void *context, streams_destroy_fn destroy);

/*
 * Puts a tracker around a subject, which also writes what is sent through the
 * result. Values that are sent to subject itself reach the same subscribers.
 *
 * Ownership: borrows subject, which lives for as long as the result; copies
 *   label, which may be NULL for none; takes context; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY,
 *   STREAMS_LIMIT; a write of NULL is stderr.
 */
STREAMS_API streams_subject *streams_track_subject(streams_subject *subject, const char *label,
    streams_write_fn write, void *context, streams_destroy_fn destroy);

/*
 * Gives every publisher and every subject that is made from now on a tracker, whose
 * label is its name without streams_. Those made before stay as they are. A second
 * call replaces the first, for those made later.
 *
 * The environment can do this without a change to the program, until this function
 * or streams_trace_stop is called: STREAMS_TRACE=1 traces everything to stderr, and
 * the name of a file appends the trace to that file (a name that ends in .json
 * makes a file of events: see streams_trace_to_file); 0 or nothing traces nothing.
 * If the file cannot be written, the trace goes to stderr and says so. While
 * nothing is traced, each publisher that is made costs a load, and its values
 * nothing.
 *
 * Ownership: takes context, which is destroyed when the last tracker that writes to
 *   it is gone, after another call or streams_trace_stop.
 * Threads: any; it concerns all of them.
 * Errors: none; a write of NULL is stderr.
 */
STREAMS_API void streams_trace_start(
    streams_write_fn write, void *context, streams_destroy_fn destroy);

/*
 * Publishers and subjects that are made from now on have no tracker. Trackers that
 * were made before go on writing for as long as they live.
 *
 * Ownership: none.
 * Threads: any; it concerns all of them.
 * Errors: none.
 */
STREAMS_API void streams_trace_stop(void);

/* ========================================================================
 * Finding faults
 *
 * Warnings, a list and a file, which are free while they are off. Each concerns the
 * publishers and subjects that are made while it is on, and their streams. The
 * environment can switch them on for a program that does not call these functions.
 * The warnings and the file end when they are switched off; a stream in the list
 * stays there for as long as it lives.
 * ======================================================================== */

/*
 * Says where values are dropped: the first time that a publisher drops a value, for
 * lack of demand or of room, a line on the standard error output names it and what
 * comes after it in the stream. A publisher at the same place, with the same things
 * after it, is not named again, and at most 256 are named.
 *
 *     streams: passthrough_subject drops values on the way to buffer: there is no
 *     demand for them, or no room
 *
 * (This is one line.) STREAMS_WARN=drops in the environment does it without a change
 * to the program. It costs nothing for each value, and a small object for each
 * publisher in a stream; publishers that cannot drop, such as map and filter, are
 * neither named nor slower. streams_dropped counts in any case.
 *
 * Ownership: none.
 * Threads: any; it concerns all of them.
 * Errors: none.
 */
STREAMS_API void streams_warn_about_drops(bool is_on);

/*
 * Keeps a list of the live streams, for streams_live_streams. STREAMS_WATCH=1 in the
 * environment does it too. Values then pass one at a time, as through a tracker.
 *
 * Ownership: none.
 * Threads: any; it concerns all of them.
 * Errors: none.
 */
STREAMS_API void streams_watch_streams(bool is_on);

/*
 * Writes the list of live streams: those that have been subscribed to, and have
 * neither ended nor been cancelled or released. The first line has the names of the
 * fields. Then there is a line for each publisher in a stream, the oldest first.
 * Tabs separate the fields:
 *
 *     number   of this subscription, from 1
 *     of       the number of the subscription downstream of this one; 0 at the end
 *              of a stream
 *     name     the publisher's function without streams_, or what streams_label says
 *     place    where it was made, if streams_label says so
 *     values   how many it has sent
 *     demand   how many it may still send, or "unlimited"
 *     waiting  how many it keeps: a buffer's content, what receive_on and delay have
 *              not delivered, what zip has no counterparts for
 *     dropped  how many it has dropped for lack of demand or room
 *     event    the last that happened: subscribe, subscription, value, request, drop
 *     seconds  how long ago that was
 *
 * It lists only what was made while streams_watch_streams or a trace file was on.
 * Follows snprintf, as streams_value_describe does.
 *
 * Ownership: borrows everything.
 * Errors: STREAMS_NULL_ARGUMENT (buffer with a capacity; or buffer and needed both),
 *   STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_status streams_live_streams(char *buffer, size_t capacity, size_t *needed);

/*
 * Writes what happens to a file in the trace event format, in JSON, which Perfetto
 * (ui.perfetto.dev), chrome://tracing and "python -m streams view" show. A name that
 * ends in .json in STREAMS_TRACE does it without a change to the program.
 *
 * Each publisher is a track with its name, one for each thread that runs in it. Calls
 * are slices, which nest as the calls did; the slice for a value is named after the value.
 * Demand, and what waits in buffers and the like, are counters. Drops, cancellations and
 * failures are instants. Arrows lead from the call that brings a value to
 * receive_on or delay to the call that sends it on.
 *
 * The file is replaced, unless another process is writing its trace there: a
 * program that has inherited STREAMS_TRACE from such a process says so, and is not
 * traced. A path to something other than a file, such as a pipe, is refused. NULL
 * ends the trace. The exit of the process ends it too; if the process is killed,
 * only the last bracket is missing, which viewers accept. A child process does not
 * write to the file. Each event is written at once: a value takes about ten
 * microseconds for each publisher on its way. If an event cannot be written, because
 * the disk is full for example, the trace ends with the event before it, and a line
 * on standard error says so.
 *
 * Ownership: borrows path.
 * Threads: any; it concerns all of them.
 * Errors: STREAMS_INVALID_ARGUMENT if the file cannot be opened.
 */
STREAMS_API streams_status streams_trace_to_file(const char *path);

/*
 * Names a publisher, a subject or a connectable in the list, the trace file and
 * the warnings: for bindings, and for programs with many publishers of the same
 * kind. It has no effect on one that was made while none of these was on.
 *
 * Ownership: borrows handle; copies label and place, either of which may be NULL,
 *   which leaves it as it is.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND,
 *   STREAMS_INVALID_UTF8, STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_status streams_label(const void *handle, const char *label, const char *place);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_DEBUGGING_H */
