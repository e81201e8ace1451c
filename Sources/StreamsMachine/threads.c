#include "streams_bias.h"
#include "streams_clock.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef uint32_t word_t;

static uint32_t owner_of(uint32_t word) {
    return word & ~(uint32_t)STREAMS_WORD_MARKS;
}

/* ---- Threads ---- */

_Thread_local streams_thread streams_this_thread __attribute__((tls_model("initial-exec"))) = {
    .stack_limit = UINTPTR_MAX, .bias_number = STREAMS_BIAS_NO_NUMBER
};

static word_t next_number = 2 * STREAMS_WORD_PROMISED;

/// In the child of a fork: threads with smaller numbers do not exist, except the one that forked.
static uint32_t first_number_since_fork = 0;
static uint32_t forking_thread = 0;

uint32_t streams_number_thread(void) {
    uint32_t number;
    do {
        number = __atomic_fetch_add(&next_number, STREAMS_WORD_MARKS + 1, __ATOMIC_RELAXED);
    } while (number <= STREAMS_WORD_PROMISED);
    streams_this_thread.number = number;
    if (streams_this_thread.gatherers == 0) streams_this_thread.number_if_not_gathering = number;
    return number;
}

static uint32_t forks = 0;

uint32_t streams_fork_count(void) {
    return forks;
}

static bool is_gone(uint32_t thread) {
    return thread < first_number_since_fork && thread != forking_thread;
}

/* ---- Which thread waits for which ---- */

typedef streams_waiter waiter;

static pthread_mutex_t waiters_lock = PTHREAD_MUTEX_INITIALIZER;
static waiter *waiters = NULL;

static uint32_t owner_now(const word_t *word) {
    return owner_of(__atomic_load_n(word, __ATOMIC_RELAXED));
}

/// Puts the thread's waits that have not been visited before `after`; if asked for, only those in which it
/// sleeps.
static waiter *waits_of(uint32_t thread, bool asleep, waiter *after) {
    for (waiter *each = waiters; each != NULL; each = each->next) {
        if (each->thread != thread || each->is_passed || (asleep && !each->is_asleep)) continue;
        each->is_passed = true;
        each->after = after;
        after = each;
    }
    return after;
}

/// Whether the owner waits, directly or through others, for something of the thread; if asked for, whether
/// all of these sleep.
///
/// Waiting threads keep what they own, so a cycle is complete when the last of its threads checks. A thread
/// that is noted here and owns its word has been waiting, and is about to go on.
static bool leads_to(uint32_t owner, bool asleep, uint32_t thread) {
    for (waiter *each = waiters; each != NULL; each = each->next) each->is_passed = false;
    bool leads = owner == thread;
    waiter *left = waits_of(owner, asleep, NULL);
    while (left != NULL && !leads) {
        const waiter *each = left;
        uint32_t next = owner_now(each->word);
        left = left->after;
        leads = next == thread;
        if (next != each->thread) left = waits_of(next, asleep, left);
    }
    return leads;
}

static void add(waiter *new) {
    new->next = waiters;
    waiters = new;
}

/// Notes that a thread waits. Returns false, and notes nothing, if that would be a deadlock.
static bool add_waiter(waiter *new) {
    pthread_mutex_lock(&waiters_lock);
    uint32_t owner = owner_now(new->word);
    bool may_wait = !leads_to(owner, false, new->thread);
    if (may_wait)
        add(new);
    else
        streams_this_thread.owner_sleeps = leads_to(owner, true, new->thread);
    pthread_mutex_unlock(&waiters_lock);
    return may_wait;
}

void streams_wait_is_over(const streams_waiter *old) {
    pthread_mutex_lock(&waiters_lock);
    waiter **place = &waiters;
    while (*place != old) {
        place = &(*place)->next;
    }
    *place = old->next;
    pthread_mutex_unlock(&waiters_lock);
}

void streams_wait_is_due(streams_waiter *new, const void *address) {
    *new = (waiter){ .thread = streams_current_thread(), .word = address };
    pthread_mutex_lock(&waiters_lock);
    add(new);
    pthread_mutex_unlock(&waiters_lock);
}

static void after_fork_in_child(void) {
    forks++;
    first_number_since_fork = __atomic_load_n(&next_number, __ATOMIC_RELAXED);
    forking_thread = streams_this_thread.number;
    pthread_mutex_init(&waiters_lock, NULL);
    waiter **place = &waiters;
    while (*place != NULL) {
        if ((*place)->thread == forking_thread) {
            place = &(*place)->next;
        } else {
            *place = (*place)->next;
        }
    }
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(NULL, NULL, after_fork_in_child);
}

/* ---- Waiting ---- */

void *(*streams_before_waiting)(void) = NULL;
void (*streams_after_waiting)(void *) = NULL;

void *streams_waiting_begins(void) {
    void *(*before)(void) = __atomic_load_n(&streams_before_waiting, __ATOMIC_ACQUIRE);
    return before != NULL ? before() : NULL;
}

void streams_waiting_ends(void *given_away) {
    if (given_away != NULL) streams_after_waiting(given_away);
}

static void sleep_while(word_t *word, uint32_t value) {
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static bool take(word_t *word, uint32_t *current, uint32_t desired) {
    return __atomic_compare_exchange_n(word, current, desired, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/// The word's value after its owner, and its work, have left it.
static uint32_t left_behind(uint32_t value) {
    uint32_t work = value & STREAMS_WORD_HAS_WORK;
    // A mark is cleared together with the owner, so the thread that has set this one still waits, except in
    // the child of a fork.
    bool has_starved = (value & STREAMS_WORD_STARVED) != 0 && first_number_since_fork == 0;
    uint32_t marks = work | (has_starved ? (uint32_t)STREAMS_WORD_AWAITED : 0);
    return marks != 0 ? STREAMS_WORD_PROMISED | marks : 0;
}

/// Exchanges the word for what its owner leaves. Returns the old value.
static uint32_t leave(word_t *word, bool keeps_work) {
    uint32_t value = __atomic_load_n(word, __ATOMIC_RELAXED), left = 0;
    do {
        // Only the owner clears the mark of work, before it looks for the work: so work that is announced
        // later is not missed.
        bool stays = keeps_work && (value & STREAMS_WORD_HAS_WORK) != 0;
        left = stays ? value & ~(uint32_t)STREAMS_WORD_HAS_WORK : left_behind(value);
    } while (!__atomic_compare_exchange_n(word, &value, left, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    return value;
}

static void wake_one(word_t *word) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

bool streams_word_release(void *word) {
    uint32_t value = leave(word, true);
    if ((value & STREAMS_WORD_HAS_WORK) != 0) return false;
    if ((value & STREAMS_WORD_AWAITED) != 0) wake_one(word);
    return true;
}

bool streams_word_release_to_next(void *word) {
    uint32_t value = leave(word, false);
    if ((value & STREAMS_WORD_AWAITED) != 0) wake_one(word);
    return (value & STREAMS_WORD_HAS_WORK) == 0;
}

/// Whether a thread may take the word. A promised word is for threads that have slept: the thread that has
/// released it would be back before they are awake. In the child of a fork they may not exist.
static bool is_free(uint32_t value, bool has_slept) {
    uint32_t owner = owner_of(value);
    bool is_promised = owner == STREAMS_WORD_PROMISED && (value & STREAMS_WORD_AWAITED) != 0;
    if (is_promised) return has_slept || first_number_since_fork != 0;
    return owner == 0 || owner == STREAMS_WORD_PROMISED || is_gone(owner);
}

/// The work that a thread takes over with such a word: it was left while the word had no owner.
static uint32_t work_left(uint32_t value) {
    return owner_of(value) == STREAMS_WORD_PROMISED ? value & STREAMS_WORD_HAS_WORK : 0;
}

/// Tries for a short time: most words are free again before a thread would be asleep.
static bool take_soon(word_t *word, uint32_t thread) {
    for (int attempt = 0; attempt < 100; attempt++) {
        uint32_t current = __atomic_load_n(word, __ATOMIC_RELAXED);
        if (is_free(current, false) && take(word, &current, thread | work_left(current))) {
            return true;
        }
        streams_pause();
    }
    return false;
}

/// How often a thread is woken in vain before it has starved. A thread that retakes a word immediately is
/// faster than one that must wake up, which is good for throughput, but must not go on forever.
enum { PATIENCE = 4 };

/// Other threads may sleep too: a thread that takes the word here keeps the mark, at the cost of one needless
/// wake.
static void take_sleeping(word_t *word, uint32_t thread) {
    uint32_t marks = STREAMS_WORD_AWAITED;
    uint32_t current = __atomic_load_n(word, __ATOMIC_RELAXED);
    for (int sleeps = 0;;) {
        if (is_free(current, sleeps > 0)) {
            if (take(word, &current, thread | STREAMS_WORD_AWAITED | work_left(current))) {
                return;
            }
        } else if ((current & marks) == marks || take(word, &current, current | marks)) {
            sleep_while(word, current | marks);
            current = __atomic_load_n(word, __ATOMIC_RELAXED);
            if (++sleeps == PATIENCE) marks |= STREAMS_WORD_STARVED;
        }
    }
}

bool streams_word_wait(void *address, uint32_t thread, bool may_refuse) {
    word_t *word = address;
    if (take_soon(word, thread)) {
        return true;
    }
    if (!may_refuse) {
        take_sleeping(word, thread);
        return true;
    }
    waiter this = { .thread = thread, .word = word, .is_asleep = true };
    if (!add_waiter(&this)) {
        return false;
    }
    void *given_away = streams_waiting_begins();
    take_sleeping(word, thread);
    streams_wait_is_over(&this);
    streams_waiting_ends(given_away);
    return true;
}
