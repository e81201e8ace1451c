#define _GNU_SOURCE
#include "streams_forks.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "streams_clock.h"

/// How long a fork waits for threads, and threads for a fork, in nanoseconds. Much longer than either takes,
/// even with few processors: if a fork goes on too early, its child may hang.
enum { PLACES = 64,
    FORK_WAITS = 1000000000,
    OTHERS_WAIT = 250000000 };

/// A thread's published state: how deep it is nested in operations that a fork waits for.
typedef struct {
    _Alignas(64) uint32_t depth;
    uint32_t is_taken;
} place;

/// The places of all threads that have existed at the same time, which are never freed.
typedef struct block {
    place places[PLACES];
    struct block *next;
} block;

static block first;
static _Thread_local place *mine __attribute__((tls_model("initial-exec"))) = NULL;
static pthread_key_t thread_ends;
/// The number of threads that are about to fork, and of those that wait for that.
static uint32_t forks = 0, waiting = 0;

static void give_back(void *taken) {
    mine = NULL;
    __atomic_store_n(&((place *)taken)->is_taken, 0, __ATOMIC_RELEASE);
}

static block *after(block *each) {
    block *next = __atomic_load_n(&each->next, __ATOMIC_ACQUIRE);
    if (next != NULL) return next;
    block *new = aligned_alloc(64, sizeof *new);
    if (new == NULL) return NULL;
    *new = (block){ 0 };
    if (__atomic_compare_exchange_n(&each->next, &next, new, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        return new;
    }
    free(new);
    return next;
}

static place *take_place(void) {
    for (block *each = &first; each != NULL; each = after(each)) {
        for (size_t i = 0; i < PLACES; i++) {
            place *found = &each->places[i];
            uint32_t expected = 0;
            if (__atomic_load_n(&found->is_taken, __ATOMIC_RELAXED) != 0) continue;
            if (!__atomic_compare_exchange_n(
                    &found->is_taken, &expected, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
                continue;
            }
            pthread_setspecific(thread_ends, found);
            return mine = found;
        }
    }
    return NULL;
}

static uint32_t forks_now(void) {
    return __atomic_load_n(&forks, __ATOMIC_RELAXED);
}

/// Waits until no fork is in progress. Returns false if none of them ends for a long time: one may wait for a
/// lock that this thread holds.
static bool wait_for_forks(void) {
    uint32_t before = 0;
    int64_t limit = 0;
    for (uint32_t count = forks_now(); count != 0; count = forks_now()) {
        int64_t now = streams_clock_now();
        if (count != before) limit = now + OTHERS_WAIT;
        if (now >= limit) return false;
        streams_clock_sleep(&forks, before = count, limit);
    }
    return true;
}

/// Lets the forks in progress go first.
static void give_way(place *taken) {
    bool may_wait;
    __atomic_fetch_add(&waiting, 1, __ATOMIC_SEQ_CST);
    // A fork that begins just after the wait may not have seen this thread.
    do {
        __atomic_store_n(&taken->depth, 0, __ATOMIC_RELEASE);
        may_wait = wait_for_forks();
        __atomic_store_n(&taken->depth, 1, __ATOMIC_SEQ_CST);
    } while (may_wait && forks_now() != 0);
    if (__atomic_sub_fetch(&waiting, 1, __ATOMIC_SEQ_CST) == 0) streams_clock_wake_all(&waiting);
}

/// Plain loads and stores: a fork uses a barrier to make its mark visible to all threads, and theirs to it.
void *streams_hold_forks(void) {
    place *taken = mine != NULL ? mine : take_place();
    if (taken == NULL) return NULL;
    uint32_t depth = taken->depth;
    __atomic_store_n(&taken->depth, depth + 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    // Another fork may be waiting for threads that are already inside.
    if (depth == 0 && __builtin_expect(forks_now() != 0, 0)) give_way(taken);
    return taken;
}

void streams_let_forks(void *address) {
    place *taken = address;
    if (taken != NULL) __atomic_store_n(&taken->depth, taken->depth - 1, __ATOMIC_RELEASE);
}

static void wait_for(const place *each, int64_t limit) {
    if (each == mine) return;
    while (__atomic_load_n(&each->depth, __ATOMIC_ACQUIRE) > 0 && streams_clock_now() < limit) sched_yield();
}

/// Threads that wait for other forks go before this one: otherwise threads that fork all the time would
/// starve them.
static void let_others_in(void) {
    int64_t limit = streams_clock_now() + FORK_WAITS;
    uint32_t count;
    while ((count = __atomic_load_n(&waiting, __ATOMIC_SEQ_CST)) != 0 && streams_clock_now() < limit) {
        streams_clock_sleep(&waiting, count, limit);
    }
}

static void before_fork(void) {
    let_others_in();
    __atomic_fetch_add(&forks, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    int64_t limit = streams_clock_now() + FORK_WAITS;
    for (block *each = &first; each != NULL; each = __atomic_load_n(&each->next, __ATOMIC_ACQUIRE)) {
        for (size_t i = 0; i < PLACES; i++) wait_for(&each->places[i], limit);
    }
}

static void after_fork(void) {
    __atomic_fetch_sub(&forks, 1, __ATOMIC_SEQ_CST);
    streams_clock_wake_all(&forks);
}

/// There are no other threads, and no other forks.
static void after_fork_in_child(void) {
    forks = waiting = 0;
    for (block *each = &first; each != NULL; each = each->next) {
        for (size_t i = 0; i < PLACES; i++) {
            if (&each->places[i] != mine) each->places[i] = (place){ 0 };
        }
    }
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_key_create(&thread_ends, give_back);
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}
