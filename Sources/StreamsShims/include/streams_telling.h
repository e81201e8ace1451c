#ifndef STREAMS_TELLING_H
#define STREAMS_TELLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "streams_threads.h"

/// What each value that a managed runtime's functions are told of needs of the runtime, in one line of the
/// processor's cache. See `streams_host`, whose members these are.
typedef struct streams_host_line {
    void *(*current)(void);
    void (*release)(void *object);
    void *null_object;
    size_t target_offset;
    /// Where an owner has the word that says whether it is gone; 0 if nobody tells when one goes.
    size_t owner_offset;
    /// The runtime's number, or one that no runtime has, if it lacks one of these or does not count.
    uint32_t id;
    /// How often functions have been called. Belongs, like what follows, to whoever has the runtime's lock.
    uint32_t calls;
    /// How often an owner has gone, and one more.
    uint64_t losses;
    /// The runtime itself.
    void *runtime;
} streams_host_line;

/// A subscriber, as whoever tells it of single values sees it.
typedef struct streams_listener {
    /// Tells the first of so many subscribers, which follow each other in a subject's list, and as many after
    /// it as can be told together: what they have in common is then asked once. Returns how many have been
    /// told; with 0, or where there is no such function, the first is told as any subscriber is. A subscriber
    /// that is a plain function has this member only, and loses it with its stream's end.
    intptr_t (*tell)(struct streams_listener *first, void **subscribers, intptr_t count, const void *value);
    /// The runtime whose function the values go to, by a short way, until the stream ends; else NULL.
    streams_host_line *host;
    /// The runtime's `losses` when the function's owner was last seen to be there.
    uint64_t checked;
    void *function;
    void *(*call)(void *function, void *const *arguments, size_t count, void *names);
    /// A weak reference to the list that owns the function.
    void *owner;
    /// What calls the function by the long way.
    void *receiver;
    /// The subscriber's callbacks, whose part this is.
    void *callbacks;
} streams_listener;

static inline const void *streams_tell_of(const streams_listener *listener) {
    return (const void *)__atomic_load_n(&listener->tell, __ATOMIC_RELAXED);
}

static inline void streams_stop_telling(void *listener) {
    __atomic_store_n(&((streams_listener *)listener)->tell, NULL, __ATOMIC_RELAXED);
}

static inline streams_host_line *streams_listening_host(const streams_listener *listener) {
    return __atomic_load_n(&listener->host, __ATOMIC_RELAXED);
}

static inline void streams_deactivate(streams_listener *listener) {
    __atomic_store_n(&listener->host, NULL, __ATOMIC_RELAXED);
}

/// After so many calls somebody looks up, a power of two.
enum { STREAMS_CALLS_IN_A_ROW = 1024 };

static inline bool streams_is_time_to_look_up(uint32_t calls) {
    return (calls & (STREAMS_CALLS_IN_A_ROW - 1)) == 0;
}

/// How many calls there may be before somebody has to look up, which the next one is then to do.
static inline uint32_t streams_calls_left(const streams_host_line *host) {
    return STREAMS_CALLS_IN_A_ROW - 1 - (host->calls & (STREAMS_CALLS_IN_A_ROW - 1));
}

/// The number of references to an object of a runtime that counts them there; negative if it is immortal.
static inline int32_t streams_references(const void *object) {
    return (int32_t)*(const intptr_t *)object;
}

static inline void streams_retain_object(void *object) {
    if (streams_references(object) > 0) ++*(intptr_t *)object;
}

/// Gives up a reference, unless it is the last one; returns whether it is given up.
static inline bool streams_drop_reference(void *object) {
    int32_t references = streams_references(object);
    if (__builtin_expect(references > 1, 1)) --*(intptr_t *)object;
    return references != 1;
}

static inline void streams_release_object(const streams_host_line *host, void *object) {
    if (!streams_drop_reference(object)) host->release(object);
}

/// Whether this thread has the runtime's lock. It still has it when a function of the runtime's has returned.
static inline bool streams_can_tell(const streams_host_line *host) {
    const streams_thread *thread = &streams_this_thread;
    if (thread->entered_host != host->id || thread->host_thread == NULL) return false;
    return host->current() == thread->host_thread;
}

/// Fetches what each value looks at in a listener, unless it is NULL.
static inline void streams_fetch(const streams_listener *listener) {
    __builtin_prefetch(listener);
    __builtin_prefetch((const char *)&listener->owner - 1);
}

/// Whether the list that owns a listener's function is there. Where the runtime tells when one goes, that is
/// not looked up again before the next has gone.
static __attribute__((noinline, unused)) bool streams_find_owner(
    const streams_host_line *host, streams_listener *listener) {
    const char *owner = *(char **)((char *)listener->owner + host->target_offset);
    if (owner == host->null_object || streams_references(owner) == 0) return false;
    if (host->owner_offset == 0) return true;
    if (*(const uintptr_t *)(owner + host->owner_offset) != 0) return false;
    listener->checked = host->losses;
    return true;
}

/// From here on somebody tells when an owner goes. Where nobody is told the short way that does not matter.
static inline void streams_expect_losses(streams_host_line *host, size_t offset) {
    if (host->id != UINT32_MAX) host->owner_offset = offset;
}

/// Notes that an owner goes: its functions are there until this returns.
static inline void streams_lose_owner(streams_host_line *host, void *owner) {
    uintptr_t *is_gone = (uintptr_t *)((char *)owner + host->owner_offset);
    if (host->owner_offset == 0 || *is_gone != 0) return;
    *is_gone = 1;
    host->losses++;
}

/// Notes that an owner's stream is over: whether it goes does not matter any more.
static inline void streams_part_owner(const streams_host_line *host, void *owner) {
    if (host->owner_offset != 0) *(uintptr_t *)((char *)owner + host->owner_offset) = 1;
}

/// A value on its way to listeners of a runtime whose lock this thread has.
typedef struct streams_telling {
    /// The runtime's object, which is the value.
    void *object;
    const void *value;
    /// The last error of this thread before a listener is told.
    uint64_t pending_error;
    /// The function that was called last, if it is kept alive for the next listener, who has the same.
    void *kept;
    /// How many null objects have been returned and not been released yet.
    intptr_t nulls;
    /// What has become of a call that has not gone as nearly always: whether there was one, and its result,
    /// which is to be released, or NULL with an error pending. The null object need not be.
    bool was_called;
    void *result;
} streams_telling;

/// Calls a listener's function with the object. Returns true if it has answered null and named no error, as
/// nearly always, else says what has become of the call. `next` is who is told after it, if anybody is: what
/// the two have in common is not counted in between. The caller counts the call, and ends the telling. This
/// is C because it is half of the instructions that Swift makes of it.
static inline __attribute__((always_inline)) bool streams_tell(
    streams_host_line *host, streams_telling *telling, streams_listener *listener,
    const streams_listener *next) {
    streams_thread *thread = &streams_this_thread;
    if (__builtin_expect(listener->checked != host->losses, 0) && !streams_find_owner(host, listener)) {
        telling->was_called = false;
        return false;
    }
    // Its owner may go meanwhile.
    void *function = listener->function;
    if (telling->kept == NULL) streams_retain_object(function);
    telling->kept = function;
    // The runtime's own code may give the lock away.
    thread->entered_host = 0;
    void *result = listener->call(function, &telling->object, 1, NULL);
    if (__builtin_expect(result != host->null_object, 0)) goto care;
    telling->nulls++;
    // Before anything is asked of the next one: this may run the runtime's own code, too.
    if (next == NULL || next->function != function) {
        telling->kept = NULL;
        streams_release_object(host, function);
    }
    if (__builtin_expect(thread->pending_error != telling->pending_error, 0)) goto care;
    thread->entered_host = host->id;
    return true;
care:
    thread->entered_host = host->id;
    telling->was_called = true;
    telling->result = result;
    return false;
}

/// Releases what has been kept, and what has been returned.
static inline void streams_end_telling(const streams_host_line *host, streams_telling *telling) {
    void *kept = telling->kept;
    intptr_t nulls = telling->nulls;
    telling->kept = NULL;
    telling->nulls = 0;
    if (streams_references(host->null_object) > 0) *(intptr_t *)host->null_object -= nulls;
    if (kept == NULL) return;
    streams_this_thread.entered_host = 0;
    streams_release_object(host, kept);
    streams_this_thread.entered_host = host->id;
}

#endif
