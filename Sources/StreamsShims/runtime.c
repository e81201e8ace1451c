#ifdef STREAMS_STATIC_RUNTIME
#define _GNU_SOURCE
#include "streams_clock.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// A fork waits until no other thread is within a function of the Swift runtime that takes the runtime's
// locks: whoever owned one then is not in the child, which would wait for it for ever. The linker leads
// the library's calls of these functions here (--wrap; the Makefile reads their names from this file).

/// What a thread says of itself: how deep it is within such functions.
typedef struct {
    _Alignas(64) uint32_t depth;
    uint32_t is_taken;
} place;

/// Threads beyond so many are not waited for.
static place places[256];
static _Thread_local place *mine __attribute__((tls_model("initial-exec"))) = NULL;
static place nobodys;
static pthread_key_t thread_ends;
static uint32_t fork_waits = 0;

static void give_back(void *taken) {
    mine = NULL;
    __atomic_store_n(&((place *)taken)->is_taken, 0, __ATOMIC_RELEASE);
}

static place *take_place(void) {
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        uint32_t expected = 0;
        if (__atomic_load_n(&places[i].is_taken, __ATOMIC_RELAXED) != 0) continue;
        if (!__atomic_compare_exchange_n(
                &places[i].is_taken, &expected, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) continue;
        pthread_setspecific(thread_ends, &places[i]);
        return mine = &places[i];
    }
    return mine = &nobodys;
}

/// Plain loads and stores: a fork has all threads see its mark, and shows it theirs, by a barrier
/// (`membarrier`).
static place *enter(void) {
    place *taken = mine != NULL ? mine : take_place();
    if (taken == &nobodys) return taken;
    uint32_t depth = taken->depth;
    __atomic_store_n(&taken->depth, depth + 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    // Those already inside may be what another one waits for.
    while (depth == 0 && __builtin_expect(__atomic_load_n(&fork_waits, __ATOMIC_RELAXED) != 0, 0)) {
        __atomic_store_n(&taken->depth, 0, __ATOMIC_RELEASE);
        streams_clock_sleep(&fork_waits, 1, INT64_MAX);
        __atomic_store_n(&taken->depth, 1, __ATOMIC_SEQ_CST);
    }
    return taken;
}

static void leave(place *taken) {
    if (taken != &nobodys) __atomic_store_n(&taken->depth, taken->depth - 1, __ATOMIC_RELEASE);
}

typedef struct {
    void *first, *second;
} words;

/// Passes on all that is passed in registers: every one of these functions takes six words or fewer, and
/// returns two or fewer.
#define WRAP(function) \
    words __real_##function(void *, void *, void *, void *, void *, void *); \
    __attribute__((visibility("hidden"))) words __wrap_##function( \
        void *a, void *b, void *c, void *d, void *e, void *f) { \
        place *taken = enter(); \
        words result = __real_##function(a, b, c, d, e, f); \
        leave(taken); \
        return result; \
    }

WRAP(swift_checkMetadataState)
WRAP(swift_conformsToProtocol)
WRAP(swift_dynamicCast)
WRAP(swift_getAssociatedConformanceWitness)
WRAP(swift_getAssociatedTypeWitness)
WRAP(swift_getCanonicalPrespecializedGenericMetadata)
WRAP(swift_getExtendedExistentialTypeMetadata)
WRAP(swift_getFixedArrayTypeMetadata)
WRAP(swift_getForeignTypeMetadata)
WRAP(swift_getFunctionTypeMetadata0)
WRAP(swift_getFunctionTypeMetadata2)
WRAP(swift_getGenericMetadata)
WRAP(swift_getMetatypeMetadata)
WRAP(swift_getSingletonMetadata)
WRAP(swift_getTupleTypeMetadata)
WRAP(swift_getTupleTypeMetadata2)
WRAP(swift_getTupleTypeMetadata3)
WRAP(swift_getTypeByMangledNameInContext2)
WRAP(swift_getTypeByMangledNameInContextInMetadataState2)
WRAP(swift_getWitnessTable)
WRAP(swift_once)

/// Those inside wait for each other only. Should one not come back all the same, the fork goes on without it.
static void before_fork(void) {
    __atomic_store_n(&fork_waits, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    int64_t limit = streams_clock_now() + 500000000;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (&places[i] == mine) continue;
        while (__atomic_load_n(&places[i].depth, __ATOMIC_ACQUIRE) > 0 && streams_clock_now() < limit) {
            sched_yield();
        }
    }
}

static void after_fork(void) {
    __atomic_store_n(&fork_waits, 0, __ATOMIC_SEQ_CST);
    streams_clock_wake_all(&fork_waits);
}

/// The runtime's locks carry the kernel's number of their owner, which it remembers for each thread. In
/// the child of a fork the one thread there is has another number: a lock that it takes under the old one
/// is never given to a thread that waits for it. Zero lets it be asked for anew.
extern __thread int runtime_thread_number __asm__("_ZZN5swift14threading_impl5linux13ulock_get_tidEvE3tid");

static void after_fork_in_child(void) {
    runtime_thread_number = 0;
    fork_waits = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (&places[i] != mine) places[i] = (place){ 0 };
    }
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_key_create(&thread_ends, give_back);
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}
#endif
