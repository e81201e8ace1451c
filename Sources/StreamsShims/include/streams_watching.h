#ifndef STREAMS_WATCHING_H
#define STREAMS_WATCHING_H

#include <stddef.h>
#include <stdint.h>

/// A publisher that was made while streams were watched, and one subscription to it. They are records for the
/// list of live streams, the trace file and the warnings, and have no part in the stream. Each function
/// accepts NULL, which is a record for which there was no memory.
typedef struct streams_watched_publisher streams_watched_publisher;
typedef struct streams_watched_stream streams_watched_stream;

/// In the order of TrackingWords.Event.
enum {
    STREAMS_WATCH_SUBSCRIBE,
    STREAMS_WATCH_SUBSCRIPTION,
    STREAMS_WATCH_VALUE,
    STREAMS_WATCH_COMPLETION,
    STREAMS_WATCH_FAILURE,
    STREAMS_WATCH_REQUEST,
    STREAMS_WATCH_CANCEL,
    STREAMS_WATCH_SEND,
    STREAMS_WATCH_SEND_COMPLETION,
    STREAMS_WATCH_SEND_SUBSCRIPTION,
    STREAMS_WATCH_DROP
};

#define STREAMS_HIDDEN __attribute__((visibility("hidden")))

/// A record of a publisher that is made of others, of which it gets the numbers; 0 stands for one without a
/// record. It lives until it is released and its last stream is gone.
STREAMS_HIDDEN streams_watched_publisher *streams_watch_publisher(
    const char *name, size_t length, const uint32_t *upstreams, size_t count);
STREAMS_HIDDEN uint32_t streams_watched_number(const streams_watched_publisher *publisher);
STREAMS_HIDDEN void streams_unwatch_publisher(streams_watched_publisher *publisher);

/// Names the publisher with this number, and says where it was made. Either may be NULL; takes both, which
/// `free` frees.
STREAMS_HIDDEN void streams_watch_label(uint32_t number, char *name, char *place);

/// A record of a subscription to the publisher on behalf of the parent, NULL for the end of a stream.
STREAMS_HIDDEN streams_watched_stream *streams_watch_stream(
    streams_watched_publisher *publisher, streams_watched_stream *parent);
STREAMS_HIDDEN void streams_unwatch_stream(streams_watched_stream *stream);

/// A call begins, and ends. The text is the value or the like, and only needed for a trace file. The result
/// belongs to the end.
STREAMS_HIDDEN uint64_t streams_watch_begin(
    streams_watched_publisher *publisher, streams_watched_stream *stream, int event, const char *text,
    size_t length, int64_t amount);
STREAMS_HIDDEN void streams_watch_end(uint64_t begun);

/// A value has returned demand; INT64_MAX is unlimited.
STREAMS_HIDDEN void streams_watch_demand(streams_watched_stream *stream, int64_t amount);
STREAMS_HIDDEN void streams_watch_drop(streams_watched_stream *stream, int64_t count);

/// The list of live streams as text, which the caller frees; NULL if there is no memory.
STREAMS_HIDDEN char *streams_list_watched(void);

/// Begins a trace file, or ends it if the name is NULL. Returns 0, or the error number.
STREAMS_HIDDEN int streams_open_trace(const char *name);

#endif
