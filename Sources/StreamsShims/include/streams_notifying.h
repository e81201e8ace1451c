#ifndef STREAMS_NOTIFYING_H
#define STREAMS_NOTIFYING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "streams_references.h"
#include "streams_threads.h"

/// What each call of a managed runtime's function for a value needs of the runtime, in one cache line. See
/// `streams_host`, whose members these are.
typedef struct streams_host_line {
    void *(*current)(void);
    void (*release)(void *object);
    void *null_object;
    size_t target_offset;
    /// The offset in an owner of the word that says whether it is gone; 0 if the loss of owners is not
    /// reported.
    size_t owner_offset;
    /// The runtime's number; or one that no runtime has, if it lacks one of these members or does not count
    /// references.
    uint32_t id;
    /// How often functions have been called. Like the members below, it is guarded by the runtime's lock.
    uint32_t calls;
    /// The number of owners that have gone, plus one.
    uint64_t losses;
    /// The runtime itself.
    void *runtime;
} streams_host_line;

/// A subscriber, for the delivery of single values.
typedef struct streams_listener {
    /// Notifies the first of `count` subscribers, which follow each other in a subject's list, and as many
    /// after it as can be notified together: what they have in common is then checked once. Returns how many
    /// it has notified; if 0, or if there is no such function, the first is notified like any subscriber. A
    /// subscriber that is a plain function has only this member, and loses it when its stream ends.
    intptr_t (*notify)(struct streams_listener *first, void **subscribers, intptr_t count, const void *value);
    /// The runtime to whose function the values go by the fast path, until the stream ends; else NULL.
    streams_host_line *host;
    /// The runtime's `losses` when the function's owner was last found.
    uint64_t checked;
    void *function;
    void *(*call)(void *function, void *const *arguments, size_t count, void *names);
    /// A weak reference to the list that owns the function.
    void *owner;
    /// Calls the function by the slow path.
    void *receiver;
    /// The subscriber's callbacks, which contain this.
    void *callbacks;
} streams_listener;

static inline const void *streams_notify_function(const streams_listener *listener) {
    return (const void *)__atomic_load_n(&listener->notify, __ATOMIC_RELAXED);
}

static inline void streams_stop_notifying(void *listener) {
    __atomic_store_n(&((streams_listener *)listener)->notify, NULL, __ATOMIC_RELAXED);
}

static inline streams_host_line *streams_listening_host(const streams_listener *listener) {
    return __atomic_load_n(&listener->host, __ATOMIC_RELAXED);
}

static inline void streams_deactivate(streams_listener *listener) {
    __atomic_store_n(&listener->host, NULL, __ATOMIC_RELAXED);
}

/// The number of calls between two polls, a power of two.
enum { STREAMS_CALLS_IN_A_ROW = 1024 };

static inline bool streams_is_time_to_look_up(uint32_t calls) {
    return (calls & (STREAMS_CALLS_IN_A_ROW - 1)) == 0;
}

/// How many calls may be made before the next one must poll.
static inline uint32_t streams_calls_left(const streams_host_line *host) {
    return STREAMS_CALLS_IN_A_ROW - 1 - (host->calls & (STREAMS_CALLS_IN_A_ROW - 1));
}

static inline void streams_release_object(const streams_host_line *host, void *object) {
    if (!streams_drop_reference(object)) host->release(object);
}

/// Whether this thread holds the runtime's lock. It still does when a function of the runtime has returned.
static inline bool streams_can_notify(const streams_host_line *host) {
    const streams_thread *thread = &streams_this_thread;
    if (thread->entered_host != host->id || thread->host_thread == NULL) return false;
    return host->current() == thread->host_thread;
}

/// Fetches the parts of a listener that each value needs, unless it is NULL.
static inline void streams_fetch(const streams_listener *listener) {
    __builtin_prefetch(listener);
    __builtin_prefetch((const char *)&listener->owner - 1);
}

/// Whether the list that owns a listener's function exists. If the runtime reports the loss of owners, that
/// is not checked again before the next loss.
static __attribute__((noinline, unused)) bool streams_find_owner(
    const streams_host_line *host, streams_listener *listener) {
    const char *owner = *(char **)((char *)listener->owner + host->target_offset);
    if (owner == host->null_object || streams_object_references(owner) == 0) return false;
    if (host->owner_offset == 0) return true;
    if (*(const uintptr_t *)(owner + host->owner_offset) != 0) return false;
    listener->checked = host->losses;
    return true;
}

/// From here on the loss of owners is reported. Without the fast path that does not matter.
static inline void streams_expect_losses(streams_host_line *host, size_t offset) {
    if (host->id != UINT32_MAX) host->owner_offset = offset;
}

/// Notes that an owner is being freed: its functions exist until this returns.
static inline void streams_lose_owner(streams_host_line *host, void *owner) {
    uintptr_t *is_gone = (uintptr_t *)((char *)owner + host->owner_offset);
    if (host->owner_offset == 0 || *is_gone != 0) return;
    *is_gone = 1;
    host->losses++;
}

/// Notes that the stream of an owner has ended: its loss does not matter any more.
static inline void streams_part_owner(const streams_host_line *host, void *owner) {
    if (host->owner_offset != 0) *(uintptr_t *)((char *)owner + host->owner_offset) = 1;
}

/// A value for listeners of a runtime whose lock this thread holds.
typedef struct streams_notification {
    /// The runtime's object, which is the value.
    void *object;
    const void *value;
    /// The thread's pending error before a listener is notified.
    uint64_t pending_error;
    /// The function that was called last, if it is kept alive for the next listener, which has the same one.
    void *kept;
    /// How many null objects have been returned and not yet released.
    intptr_t nulls;
    /// The outcome of a call that was not of the most frequent kind: whether it was made, and its result,
    /// which must be released, or NULL with an error pending. The null object need not be released.
    bool was_called;
    void *result;
} streams_notification;

/// Calls a listener's function with the object. Returns true if the function has returned null and named no
/// error, as nearly always; otherwise stores the outcome of the call. `next` is the listener to be notified
/// after it, or NULL: references that the two have in common are not counted in between. The caller counts
/// the call, and ends the notification. It is C because Swift makes twice as many instructions of it.
static inline __attribute__((always_inline)) bool streams_notify(
    streams_host_line *host, streams_notification *notification, streams_listener *listener,
    const streams_listener *next) {
    streams_thread *thread = &streams_this_thread;
    if (__builtin_expect(listener->checked != host->losses, 0) && !streams_find_owner(host, listener)) {
        notification->was_called = false;
        return false;
    }
    // Its owner may be freed during the call.
    void *function = listener->function;
    if (notification->kept == NULL) streams_retain_object(function);
    notification->kept = function;
    // The runtime's own code may release the lock.
    thread->entered_host = 0;
    void *result = listener->call(function, &notification->object, 1, NULL);
    if (__builtin_expect(result != host->null_object, 0)) goto care;
    notification->nulls++;
    // Before the next listener is looked at, because this may run the runtime's own code too.
    if (next == NULL || next->function != function) {
        notification->kept = NULL;
        streams_release_object(host, function);
    }
    if (__builtin_expect(thread->pending_error != notification->pending_error, 0)) goto care;
    thread->entered_host = host->id;
    return true;
care:
    thread->entered_host = host->id;
    notification->was_called = true;
    notification->result = result;
    return false;
}

/// Releases the function that was kept, and the results.
static inline void streams_end_notification(
    const streams_host_line *host, streams_notification *notification) {
    void *kept = notification->kept;
    intptr_t nulls = notification->nulls;
    notification->kept = NULL;
    notification->nulls = 0;
    if (streams_object_references(host->null_object) > 0) *(intptr_t *)host->null_object -= nulls;
    if (kept == NULL) return;
    streams_this_thread.entered_host = 0;
    streams_release_object(host, kept);
    streams_this_thread.entered_host = host->id;
}

#endif
