#ifndef STREAMS_TELLING_H
#define STREAMS_TELLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "streams_threads.h"

/// What each value that a managed runtime's functions are told of needs of the runtime, in one line of the
/// processor's cache. The functions are those of the runtime's table.
typedef struct streams_host_line {
    void *(*current)(void);
    void *(*target)(void *weak);
    void (*retain)(void *object);
    void (*release)(void *object);
    void *(*call_one)(void *function, void *argument);
    void *null_object;
    /// The runtime's number, or one that no runtime has, if it lacks one of the functions.
    uint32_t id;
    /// How often functions have been called. Belongs to whoever has the runtime's lock.
    uint32_t calls;
} streams_host_line;

/// After so many calls somebody looks up, a power of two.
enum { STREAMS_CALLS_IN_A_ROW = 1024 };

static inline bool streams_is_time_to_look_up(uint32_t calls) {
    return (calls & (STREAMS_CALLS_IN_A_ROW - 1)) == 0;
}

/// What has become of a call. If both are NULL the function has answered null, which is released. Without an
/// owner, but with a result, nothing has been done. With an owner, it and the result are the caller's to
/// release; the result is NULL with an error pending.
typedef struct streams_answer {
    void *owner;
    void *result;
} streams_answer;

/// Calls a function that belongs to what a weak reference refers to, if this thread has the runtime's lock,
/// and all goes as it goes nearly always. This is C because it is half of the instructions that Swift
/// makes of it.
static inline __attribute__((always_inline)) streams_answer streams_tell(
    streams_host_line *host, void *weak, void *function, void *object) {
    streams_thread *thread = &streams_this_thread;
    streams_answer answer = { NULL, weak };
    if (thread->entered_host != host->id || thread->host_thread == NULL) return answer;
    if (host->current() != thread->host_thread) return answer;
    if (streams_is_time_to_look_up(host->calls + 1)) return answer;
    void *owner = host->target(weak);
    if (owner == NULL || owner == host->null_object) return answer;
    host->calls++;
    host->retain(owner);
    // The runtime's own code may give the lock away.
    thread->entered_host = 0;
    answer.result = host->call_one(function, object);
    if (answer.result == host->null_object) {
        host->release(answer.result);
        host->release(owner);
        answer.result = NULL;
    } else {
        answer.owner = owner;
    }
    thread->entered_host = host->id;
    return answer;
}

#endif
