#ifdef STREAMS_STATIC_RUNTIME
#include <pthread.h>

#include "streams_bias.h"
#include "streams_forks.h"
#include "streams_references.h"
#include "streams_spare_stack.h"
#include "streams_stack.h"

// A thread within a function of the Swift runtime may own one of the runtime's locks: forks wait for it. The
// linker redirects the library's calls of these functions to the wrappers here (--wrap; the Makefile reads
// their names from this file).

typedef struct {
    void *first, *second;
} words;

typedef words (*passes_words)(void *, void *, void *, void *, void *, void *);

/// A call that is made on another stack: its result, function and arguments.
typedef struct {
    words result;
    passes_words function;
    void *arguments[6];
} moved_call;

static void make_moved_call(void *context) {
    moved_call *call = context;
    void **each = call->arguments;
    call->result = call->function(each[0], each[1], each[2], each[3], each[4], each[5]);
}

/// Calls a function of the runtime with as much stack as it may take: types are made at their first use,
/// which takes much, also on a small stack.
static inline words call_runtime(
    passes_words function, void *a, void *b, void *c, void *d, void *e, void *f) {
    if (__builtin_expect(!streams_stack_is_short(), 1)) return function(a, b, c, d, e, f);
    moved_call call = { .function = function, .arguments = { a, b, c, d, e, f } };
    streams_call_on_spare_stack(make_moved_call, &call);
    return call.result;
}

/// Passes all arguments that are in registers: each of these functions takes six words or fewer, and returns
/// two or fewer.
#define WRAP(function) \
    words __real_##function(void *, void *, void *, void *, void *, void *); \
    __attribute__((visibility("hidden"))) words __wrap_##function( \
        void *a, void *b, void *c, void *d, void *e, void *f) { \
        void *place = streams_hold_forks(); \
        words result = call_runtime(__real_##function, a, b, c, d, e, f); \
        streams_let_forks(place); \
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
WRAP(swift_getKeyPath)
WRAP(swift_getMetatypeMetadata)
WRAP(swift_getSingletonMetadata)
WRAP(swift_getTupleTypeMetadata)
WRAP(swift_getTupleTypeMetadata2)
WRAP(swift_getTupleTypeMetadata3)
WRAP(swift_getTypeByMangledNameInContext2)
WRAP(swift_getTypeByMangledNameInContextInMetadataState2)
WRAP(swift_getWitnessTable)

/// Wraps a function that the runtime runs once, and marks as done by a negative number, as it nearly always
/// is.
#define WRAP_UNLESS_DONE(function) \
    words __real_##function(void *, void *, void *, void *, void *, void *); \
    __attribute__((visibility("hidden"))) void __wrap_##function(int *mark, void *work, void *context) { \
        if (__atomic_load_n(mark, __ATOMIC_ACQUIRE) < 0) return; \
        void *place = streams_hold_forks(); \
        (void)call_runtime(__real_##function, mark, work, context, NULL, NULL, NULL); \
        streams_let_forks(place); \
    }

WRAP_UNLESS_DONE(swift_once)

#ifdef STREAMS_UNCOUNTED
#define WRAP_COUNT(function, plain, difference) \
    void *__real_##function(void *object, uint32_t count); \
    __attribute__((visibility("hidden"))) void *__wrap_##function(void *object, uint32_t count) { \
        return __real_##function(object, count); \
    }
#else
// Changing a reference count takes an atomic operation, which costs as much as ten plain ones. While no other
// thread can count, it is changed here by a load and a store. All other cases are left to the runtime, and in
// a process with one thread to its nonatomic functions. Where there is no object, as in a value that is a
// number, there is nothing to count.

/// The value of one reference in an object's count. Until it is known it is the sign bit, which leaves every
/// word to the runtime. Not static: the compiler would turn it into a choice between two values.
uint64_t streams_one_reference __attribute__((visibility("hidden"))) = UINT64_C(1) << 63;

static inline uint64_t as_references(uint32_t count) {
    return count * streams_one_reference | (streams_one_reference & UINT64_C(1) << 63);
}

/// Wraps a function that adds or subtracts references, one or as many as its second argument says, and may
/// return the object. Callers of functions that count one set no second argument, and it is not read then.
#define WRAP_COUNT(function, plain, difference) \
    void *__real_##function(void *object, uint32_t count); \
    void *plain(void *object, uint32_t count); \
    __attribute__((visibility("hidden"))) void *__wrap_##function(void *object, uint32_t count) { \
        if ((intptr_t)object <= 0) return object; \
        if (!streams_bias_acquire()) return __real_##function(object, count); \
        bool is_counted = streams_count_references(object, difference); \
        streams_bias_release(); \
        if (is_counted) return object; \
        return (streams_process_is_single_threaded() ? plain : __real_##function)(object, count); \
    }

void *swift_initStackObject(void *type, void *object);
void *__real_swift_retain(void *object, uint32_t count);

/// Makes the runtime count to one, and checks how. If it does anything but add to a word that stays positive,
/// it goes on doing all the counting.
__attribute__((constructor)) static void learn_to_count(void) {
    uint64_t object[2] = { 0 };
    swift_initStackObject(NULL, object);
    uint64_t before = object[1];
    __real_swift_retain(object, 1);
    uint64_t one = object[1] - before;
    if (one == UINT64_C(1) << 33 && (int64_t)(before | object[1]) >= 0) streams_one_reference = one;
}
#endif

WRAP_COUNT(swift_retain, swift_nonatomic_retain, streams_one_reference)
WRAP_COUNT(swift_release, swift_nonatomic_release, -streams_one_reference)
WRAP_COUNT(swift_retain_n, swift_nonatomic_retain_n, as_references(count))
WRAP_COUNT(swift_release_n, swift_nonatomic_release_n, -as_references(count))

/// Memory for objects. The next allocation takes the memory for which room was made.
#define WRAP_ALLOCATE(function) \
    void *__real_##function(size_t size, size_t alignment); \
    __attribute__((visibility("hidden"))) void *__wrap_##function(size_t size, size_t alignment) { \
        void *room = streams_this_thread.room; \
        bool fits = room != NULL && size == streams_this_thread.room_size; \
        if (fits) streams_this_thread.room = NULL; \
        return fits ? room : __real_##function(size, alignment); \
    }

WRAP_ALLOCATE(swift_slowAlloc)

/// The runtime's locks contain the kernel's number of their owner, which the runtime caches for each thread.
/// In the child of a fork the only thread has another number: a lock that it takes under the old one is never
/// passed to a thread that waits for it. Zero makes the runtime get the number again.
extern __thread int runtime_thread_number __asm__("_ZZN5swift14threading_impl5linux13ulock_get_tidEvE3tid");

static void after_fork_in_child(void) {
    runtime_thread_number = 0;
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(NULL, NULL, after_fork_in_child);
}
#endif
