/*
 * streams/schedulers.h - where and when delayed work runs.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_SCHEDULERS_H
#define STREAMS_SCHEDULERS_H

#include "base.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Schedulers
 *
 * A scheduler decides where and when the delayed work of operators runs. Time is
 * counted in whole nanoseconds. Loops and queues use the system's monotonic clock,
 * as clock_gettime reports it; a virtual scheduler and one of your own have their
 * own time.
 *
 *     streams_loop_create        runs what is due when you call it, on your
 *                                thread; a program with a loop of its own
 *                                watches the descriptor
 *     streams_queue_create       a thread of its own
 *     streams_pool_create        threads that many queues share
 *     streams_virtual_scheduler_create
 *                                for tests: its time passes only when you say so
 *     streams_immediate_scheduler_create
 *                                runs everything immediately
 *     streams_custom_scheduler_create
 *                                a loop that you have already
 *
 * The actions of one scheduler run one after another, except on an immediate one.
 *
 * A value or an end that waits on a scheduler keeps everything downstream alive
 * until its time has come, or the scheduler is released. A cancellation releases
 * what waits on loops and queues. On virtual schedulers and your own, some
 * operators keep it: there the destroy of a subscriber may be called later than its
 * cancellation. On a loop, receive_on, subscribe_on and an end that waits also keep
 * it, until the loop runs.
 *
 * RELEASING THE LAST REFERENCE TO A SCHEDULER drops what waits for it: keep it for
 * as long as its streams run. A stream that needs it after that fails with
 * STREAMS_STALE_HANDLE in the domain "streams": when it is subscribed to, when a
 * value or its end would go through the scheduler, or when more is demanded. The
 * failure is delivered on the thread that causes it. A stream that only waits,
 * waits until it is cancelled. Streams can use an immediate scheduler, and the time
 * of any scheduler, even after the release.
 * ======================================================================== */

/* A length of time, or a moment. INT64_MAX is for ever, or never. */
typedef int64_t streams_nanoseconds;

/* A thousand nanoseconds. */
#define STREAMS_MICROSECOND 1000LL
/* A thousand microseconds, to be multiplied: 250 * STREAMS_MILLISECOND. */
#define STREAMS_MILLISECOND 1000000LL
/* A thousand milliseconds. */
#define STREAMS_SECOND 1000000000LL

/* Runs a scheduled action. */
typedef void (*streams_action_fn)(void *context);

/*
 * Makes a scheduler that runs everything immediately, even delayed actions, inside
 * the call that schedules it. Its time stands still at 0.
 *
 * Ownership: yours.
 * Errors: NULL with STREAMS_LIMIT.
 */
STREAMS_API streams_scheduler *streams_immediate_scheduler_create(void);

/*
 * Makes a scheduler whose time is virtual and begins at 0. Time passes only by the
 * calls below, and actions that are due run inside these calls, on their thread:
 * for tests, and for programs that have a clock of their own.
 *
 * Ownership: yours. It need not outlive the publishers made with it; but only
 *   its owner can let its time pass.
 * Errors: NULL with STREAMS_LIMIT.
 */
STREAMS_API streams_scheduler *streams_virtual_scheduler_create(void);

/*
 * Lets time pass, and runs the actions that become due: in the order of their
 * times, and those of the same moment in the order in which they were scheduled.
 * With 0, it runs only those that are due already. Time ends after 292 years.
 *
 * An action that a callback schedules within that time runs in this call too. When
 * 1,000,000 actions have run at the moment in which they were scheduled, for example
 * because streams feed each other while no time passes, the call stops; another call
 * continues. A callback may let time pass too, and so may another thread: each call
 * counts from the moment at which it begins, and time passes to the latest of their
 * ends.
 *
 * Ownership: borrows scheduler.
 * Threads: any; of two that let time pass, each runs some of the actions.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_INVALID_ARGUMENT if time is negative or the scheduler is not a
 *   virtual one; STREAMS_LIMIT, also if it stops at a moment.
 */
STREAMS_API streams_status streams_virtual_scheduler_advance(
    streams_scheduler *scheduler, streams_nanoseconds time);

/*
 * Lets time pass until no action is left, and runs all of them. It stops when
 * 1,000,000 actions have run, because a repeated action has no end; another call
 * continues.
 *
 * Ownership: borrows scheduler.
 * Threads: as streams_virtual_scheduler_advance.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_INVALID_ARGUMENT if the scheduler is not a virtual one;
 *   STREAMS_LIMIT, also if it stops.
 */
STREAMS_API streams_status streams_virtual_scheduler_run(streams_scheduler *scheduler);

/*
 * Makes an event loop: a scheduler whose actions run inside the calls below, on
 * their thread.
 *
 * A program that has nothing else to wait for calls streams_loop_run. One with a
 * loop of its own, epoll or libuv or GLib, watches streams_loop_descriptor, and
 * calls streams_loop_run_once when the descriptor can be read from. Use epoll
 * without EPOLLET, because there may be more to do.
 *
 * In the child of a fork the loop goes on by itself with the actions that were
 * scheduled. Its descriptor is then another one with the same number: watch it
 * anew.
 *
 * Ownership: yours.
 * Errors: NULL with STREAMS_LIMIT, also if the process has no descriptor left.
 */
STREAMS_API streams_scheduler *streams_loop_create(void);

/*
 * The loop's descriptor: it can be read from while something is due and no thread
 * runs the loop, or at the time of an action that was cancelled. Only watch it: it
 * belongs to the loop and is closed with it. In the child of a fork ask for it
 * again.
 *
 * Ownership: borrows loop.
 * Errors: -1 with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_INVALID_ARGUMENT if the scheduler is not a loop.
 */
STREAMS_API int32_t streams_loop_descriptor(const streams_scheduler *loop);

/*
 * Runs the actions that are due. If there are none, waits until one is, for timeout
 * at most, and runs it; with 0 it does not wait. Actions that are scheduled during
 * the call run the next time. A signal that the program handles ends the wait, and
 * so does streams_loop_stop. A pthread_cancel does not; it takes effect afterwards.
 *
 * Ownership: borrows loop.
 * Threads: any, one at a time; also from inside what the loop runs.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_INVALID_ARGUMENT if the scheduler is not a loop, or if another thread
 *   runs it; STREAMS_LIMIT.
 */
STREAMS_API streams_status streams_loop_run_once(streams_scheduler *loop, streams_nanoseconds timeout);

/*
 * Runs what becomes due, until the moment `time` or until streams_loop_stop. A
 * pthread_cancel takes effect afterwards.
 *
 * Ownership: borrows loop.
 * Threads: as streams_loop_run_once.
 * Errors: as streams_loop_run_once.
 */
STREAMS_API streams_status streams_loop_run_until(streams_scheduler *loop, streams_nanoseconds time);

/*
 * Runs what becomes due, until streams_loop_stop. A pthread_cancel takes effect
 * afterwards.
 *
 * Ownership: borrows loop.
 * Threads: as streams_loop_run_once.
 * Errors: as streams_loop_run_once.
 */
STREAMS_API streams_status streams_loop_run(streams_scheduler *loop);

/*
 * Ends the streams_loop_run, streams_loop_run_until or streams_loop_run_once that
 * is under way, after the actions that are due now; if none is, it ends the next
 * one. Of two nested calls it ends the inner one.
 *
 * Ownership: borrows loop.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND;
 *   STREAMS_INVALID_ARGUMENT if the scheduler is not a loop.
 */
STREAMS_API streams_status streams_loop_stop(streams_scheduler *loop);

/*
 * Makes a serial queue with a thread of its own, which gets no signals.
 *
 * Ownership: yours. When it is released, its thread ends by itself.
 * Errors: NULL with STREAMS_LIMIT, also if the system has no thread left.
 */
STREAMS_API streams_scheduler *streams_queue_create(void);

/*
 * Makes threads that serial queues share.
 *
 * Ownership: yours. The threads end when the pool and its queues are released.
 * Errors: NULL with STREAMS_INVALID_ARGUMENT if threads is 0 or more than 1024;
 *   STREAMS_LIMIT, also if the system has no more threads.
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
 *   run, like any scheduler; the pool may be released earlier.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_scheduler *streams_pool_queue(streams_pool *pool);

/*
 * A scheduler of your own, for a program that has a loop with timers already.
 *
 * It must run each action once with streams_action_run, at its time or later.
 * Actions with the same time run in the order in which they came, and no two run at
 * once. An action that is never run is kept until the scheduler is released: a
 * scheduler that cannot run one must call streams_action_reject.
 *
 * now and schedule must be set; cancel may be NULL: running a cancelled action only
 * returns STREAMS_STALE_HANDLE.
 */
typedef struct streams_custom_scheduler {
    size_t size; /* sizeof(streams_custom_scheduler) */
    /* Passed to all of them. */
    void *context;
    /* The present moment. */
    streams_nanoseconds (*now)(void *context);
    /* Takes an action for `time`, which may have passed already: then run it as
     * soon as possible, but not from within this call. The action is borrowed until
     * it has run or is cancelled. */
    void (*schedule)(void *context, streams_nanoseconds time, streams_action *action);
    /* Cancels an action, which is stale when this returns. Not called before the
     * schedule that was given the action has returned. */
    void (*cancel)(void *context, streams_action *action);
    /* Releases the context. */
    streams_destroy_fn destroy;
} streams_custom_scheduler;

/* A scheduler without functions, to begin with; now and schedule must be set. */
#define STREAMS_CUSTOM_SCHEDULER_INIT \
    { sizeof(streams_custom_scheduler), NULL, NULL, NULL, NULL, NULL }

/*
 * Makes a scheduler of your own.
 *
 * When it is released, each action that has not run is cancelled. Streams that
 * were made with it may still ask it for the time until they end; only then is
 * destroy called.
 *
 * Ownership: copies the struct and takes its context; the result is yours. On
 *   failure destroy is called, unless the struct is NULL or of invalid size.
 * Threads: any. The callbacks may be called by any thread that uses a stream,
 *   also by several at once.
 * Errors: NULL with STREAMS_NULL_ARGUMENT (scheduler, now, schedule),
 *   STREAMS_INVALID_SIZE, STREAMS_LIMIT.
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
 */
STREAMS_API streams_status streams_action_run(streams_action *action);

/*
 * Rejects an action that a scheduler of yours was given and will never run, because
 * the program's loop has ended, or takes no more. The stream that waits for it
 * fails.
 *
 * Ownership: ends the loan of action; borrows error, which may be NULL: the
 *   stream then fails with STREAMS_CALLBACK_FAILED in the domain "streams".
 * Threads: any, also inside the schedule that is given the action.
 * Errors: STREAMS_NULL_HANDLE (action), STREAMS_WRONG_KIND; STREAMS_STALE_HANDLE if
 *   action has run, was rejected or was cancelled, or error is stale;
 *   STREAMS_TERMINATED if no stream waits for it: the action came from
 *   streams_scheduler_schedule, a debouncer or a throttler, and is released;
 *   STREAMS_LIMIT.
 */
STREAMS_API streams_status streams_action_reject(streams_action *action, const streams_error *error);

/*
 * Returns the present moment of a scheduler's time; for a virtual scheduler, how
 * much of its time has passed. While an action of a virtual scheduler runs, that is
 * the moment when the action was due, unless more time has passed since then.
 *
 * Ownership: borrows scheduler.
 * Errors: 0 with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND.
 */
STREAMS_API streams_nanoseconds streams_scheduler_now(const streams_scheduler *scheduler);

/*
 * Schedules one call of a function at a moment of the scheduler's time; if that has
 * passed, as soon as possible. Returns a number for streams_scheduler_cancel.
 *
 *     streams_scheduler_schedule(
 *         loop, streams_scheduler_now(loop) + 20 * STREAMS_MILLISECOND, tick, NULL, NULL);
 *
 * A waiting action takes 100 bytes, even when there are a million.
 *
 * Ownership: borrows scheduler; takes context. destroy is called when the
 *   action has run, was cancelled, or is forgotten with the scheduler.
 * Threads: any; action is called on the thread that runs the scheduler.
 * Errors: 0 with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_NULL_ARGUMENT (action), STREAMS_LIMIT;
 *   STREAMS_STALE_HANDLE also for a queue in the child of a fork.
 */
STREAMS_API uint64_t streams_scheduler_schedule(streams_scheduler *scheduler, streams_nanoseconds time,
    streams_action_fn action, void *context, streams_destroy_fn destroy);

/*
 * Cancels an action of streams_scheduler_schedule, unless it has run or is running;
 * then, and for any other number, it does nothing.
 *
 * Ownership: borrows scheduler.
 * Errors: STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE, STREAMS_WRONG_KIND.
 */
STREAMS_API streams_status streams_scheduler_cancel(streams_scheduler *scheduler, uint64_t number);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_SCHEDULERS_H */
