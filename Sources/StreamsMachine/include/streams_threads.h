#ifndef STREAMS_THREADS_H
#define STREAMS_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define STREAMS_HAS_SINGLE_THREADED 1
#endif

#ifdef STREAMS_PERTURBED
/// Now and then lets other threads go first.
__attribute__((visibility("hidden"))) void streams_give_way(void);
#endif

/// With `STREAMS_PLAIN` the library is built without biased locking too.
#if defined(STREAMS_PLAIN) && !defined(STREAMS_UNCOUNTED)
#define STREAMS_UNCOUNTED
#endif

/// Whether the library was built without reference counts that it changes itself, which the runtimes do not
/// promise to bear. It is slower then, and otherwise the same.
static inline bool streams_is_uncounted(void) {
#ifdef STREAMS_UNCOUNTED
    return true;
#else
    return false;
#endif
}

/// True while the process has never had a second thread. Synchronization may then use plain loads and stores,
/// because starting that thread synchronizes with it. See `streams_bias_acquire` for the time after.
///
/// It is checked before every such step. In a library that is built for tests, threads yield here: events
/// that otherwise take millions of calls then happen within some thousands.
static inline bool streams_process_is_single_threaded(void) {
#if defined(STREAMS_PERTURBED)
    streams_give_way();
    return false;
#elif defined(STREAMS_PLAIN)
    return false;
#elif defined(STREAMS_HAS_SINGLE_THREADED)
    return __libc_single_threaded != 0;
#else
    return false;
#endif
}

/// The state of each thread, in one place, so that its address is looked up once. A field is described in the
/// header whose functions read and write it.
typedef struct streams_thread {
    uint32_t number;
    uint32_t entered_host;
    uintptr_t stack_limit;
    uint64_t pending_error;
    const char *exhausted;
    uint32_t hosts_inside;
    uint8_t trampoline;
    bool has_escaped;
    bool is_own;
    bool owner_sleeps;
    uint32_t kept_host;
    uint32_t bias_number;
    uint32_t gatherers;
    uint32_t number_if_not_gathering;
    uint64_t source_requests;
    uint32_t subscribing;
    uint32_t requesting_for;
    void *tracked_calls;
    void *reader;
    void *drops;
    void *state;
    void *room;
    size_t room_size;
    void *host_thread;
    void *gathering;
    void *cascade;
    void *remains;
    void *change;
    int property_functions;
    void *context;
    void *attached;
    uint64_t refusals;
    void *cancellation;
} streams_thread;

extern _Thread_local streams_thread streams_this_thread
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

__attribute__((visibility("hidden"))) uint32_t streams_number_thread(void);

/// The thread's number, or 0 if it has none yet.
static inline uint32_t streams_number_of_thread(void) {
    return streams_this_thread.number;
}

/// The thread's number, or 0 if it has none yet or may hold results of a batch that it has not delivered.
static inline uint32_t streams_number_of_sender(void) {
    return streams_this_thread.number_if_not_gathering;
}

/// The thread's number. No other thread has or had it, even in a parent of this process. It is a multiple of
/// 8, and neither 0 nor `STREAMS_WORD_PROMISED`.
static inline uint32_t streams_current_thread(void) {
    uint32_t number = streams_this_thread.number;
    return __builtin_expect(number != 0, 1) ? number : streams_number_thread();
}

/// The lowest bits of a word that otherwise holds the number of its owner, a thread.
enum {
    /// Threads sleep until the word is free.
    STREAMS_WORD_AWAITED = 1,
    /// There is work for the owner.
    STREAMS_WORD_HAS_WORK = 2,
    /// One of the sleeping threads has repeatedly found the word taken.
    STREAMS_WORD_STARVED = 4,
    STREAMS_WORD_MARKS = 7,
    /// The owner of a word that no thread owns, if there is work, which the next owner must do first, or if
    /// it is awaited: then only a thread that has slept may take it.
    STREAMS_WORD_PROMISED = 8
};

/// Waits until the word is free, and makes the thread its owner.
///
/// If `may_refuse` is set, returns false if the owner waits, directly or through others, for a word of this
/// thread: that would be a deadlock. `owner_sleeps` then says whether the owner sleeps until this thread has
/// left a word; if not, it is only about to, as `streams_wait_is_due` says. A word whose owner is a thread
/// that a fork has left behind is taken from it.
__attribute__((visibility("hidden"))) bool streams_word_wait(void *word, uint32_t thread, bool may_refuse);

/// A thread that waits for a word, or is going to. During that the word keeps its address, and the thread
/// keeps what it owns.
typedef struct streams_waiter {
    uint32_t thread;
    bool is_passed;
    bool is_asleep;
    const uint32_t *word;
    struct streams_waiter *next;
    struct streams_waiter *after;
} streams_waiter;

/// Notes that this thread will keep what it owns until the owner of a word, whichever thread that is by then,
/// has left it: an owner that would wait for this thread is refused. Must be called before any thread can own
/// the word; the other function ends it.
__attribute__((visibility("hidden"))) void streams_wait_is_due(streams_waiter *waiter, const void *word);
__attribute__((visibility("hidden"))) void streams_wait_is_over(const streams_waiter *waiter);

/// For the owner of a word with marks. Clears the mark of work and returns false, or releases the word and
/// wakes a thread that waits for it. If one has starved, only a thread that has slept can take the word next.
__attribute__((visibility("hidden"))) bool streams_word_release(void *word);

/// Releases the word even if there is work, which the next owner takes over. Returns whether there is none.
__attribute__((visibility("hidden"))) bool streams_word_release_to_next(void *word);

/// Called, if set, by a thread before it waits for others whose callbacks may be running, and afterwards with
/// the result of the first function: a managed runtime's lock is released during the wait.
extern void *(*streams_before_waiting)(void)__attribute__((visibility("hidden")));
extern void (*streams_after_waiting)(void *) __attribute__((visibility("hidden")));

/// Calls the first of these. Returns the argument for the other.
__attribute__((visibility("hidden"))) void *streams_waiting_begins(void);
__attribute__((visibility("hidden"))) void streams_waiting_ends(void *given_away);

#endif
