// What the list of live streams and the trace file share.
#ifndef STREAMS_SHIMS_WATCHING_H
#define STREAMS_SHIMS_WATCHING_H

#include "streams_tracking.h"
#include "streams_watching.h"

/// The slices of one thread in one publisher. They nest, as calls of a thread do.
typedef struct track {
    struct track *next;
    uint32_t thread;
    uint32_t number;
} track;

/// How a publisher deals with the values that it takes: most do not keep any.
typedef enum keeping {
    KEEPS_NONE,
    KEEPS,        /* some, each of which it sends or drops */
    HANDS_OVER,   /* each until it has sent it, maybe on another thread, in order */
    KEEPS_TO_PAIR /* those whose counterparts have not come */
} keeping;

struct streams_watched_publisher {
    streams_watched_publisher *next, *previous; // newest first
    uint32_t number;
    uint32_t references;
    bool is_listed; // made for the list or a trace file, not only for warnings, which need no counts
    keeping keeping;
    char *name, *place;
    track *tracks;  // of this file:
    uint32_t file;  // which trace file knows the name
    uint32_t count; // of the upstreams
    uint32_t upstreams[];
};

struct streams_watched_stream {
    streams_watched_stream *next, *previous; // newest first
    streams_watched_publisher *publisher;
    streams_watched_stream *parent;
    uint32_t number;
    uint32_t references;
    int64_t values, demand, taken, dropped; // how many it has sent, owes, got from upstreams, and lost
    int64_t most;                           // how many it has got from the upstream that sent most
    int64_t moment;                         // of the last event
    int event;
    bool has_ended;
};

/// Held around each access to what is not a counter.
STREAMS_HIDDEN void streams_watch_lock(void);
STREAMS_HIDDEN void streams_watch_unlock(void);

STREAMS_HIDDEN int64_t streams_watch_now(void);
/// With the lock.
STREAMS_HIDDEN const streams_watched_stream *streams_newest_watched(void);
STREAMS_HIDDEN void streams_warn_of_drops(const streams_watched_stream *stream);

/// How many values wait in the publisher for this stream. With the lock.
STREAMS_HIDDEN int64_t streams_watch_waiting(const streams_watched_stream *stream);

STREAMS_HIDDEN uint64_t streams_trace_begin(
    streams_watched_publisher *publisher, streams_watched_stream *stream, int event, const char *text,
    size_t length, int64_t amount);
STREAMS_HIDDEN void streams_trace_counters(streams_watched_stream *stream);
STREAMS_HIDDEN void streams_trace_drop(streams_watched_stream *stream, int64_t count);
/// The name has changed. With the lock.
STREAMS_HIDDEN void streams_trace_name(streams_watched_publisher *publisher);

static inline int64_t get(const int64_t *number) {
    return __atomic_load_n(number, __ATOMIC_RELAXED);
}

static inline int64_t add(int64_t *number, int64_t more) {
    return __atomic_add_fetch(number, more, __ATOMIC_RELAXED);
}

#endif
