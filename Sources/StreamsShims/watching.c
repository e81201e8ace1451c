#define _GNU_SOURCE
#include "watching.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t is_ready = PTHREAD_ONCE_INIT;
static streams_watched_publisher *publishers;
static streams_watched_stream *streams; // the newest
static uint32_t last_publisher, last_stream;

/* A thread that a fork has left behind may have held it. */
static void after_fork_in_child(void) {
    pthread_mutex_init(&lock, NULL);
}

static void make_ready(void) {
    pthread_atfork(NULL, NULL, after_fork_in_child);
}

void streams_watch_lock(void) {
    pthread_once(&is_ready, make_ready);
    pthread_mutex_lock(&lock);
}

void streams_watch_unlock(void) {
    pthread_mutex_unlock(&lock);
}

int64_t streams_watch_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ---- Publishers ------------------------------------------------------------------------------------ */

static keeping keeping_of(const char *name) {
    static const struct {
        const char *name;
        keeping keeping;
    } known[] = { { "buffer", KEEPS }, { "receive_on", HANDS_OVER }, { "delay", HANDS_OVER },
        { "zip", KEEPS_TO_PAIR }, { "zip_with", KEEPS_TO_PAIR } };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(name, known[i].name) == 0) return known[i].keeping;
    }
    return KEEPS_NONE;
}

streams_watched_publisher *streams_watch_publisher(
    const char *name, size_t length, const uint32_t *upstreams, size_t count) {
    streams_watched_publisher *made = calloc(1, sizeof *made + count * sizeof *upstreams);
    if (made == NULL) return NULL;
    made->name = strndup(name, length);
    if (made->name == NULL) return free(made), NULL;
    made->references = 1;
    made->is_listed = (streams_tracing() & (STREAMS_TRACE_LIST | STREAMS_TRACE_FILE)) != 0;
    made->keeping = keeping_of(made->name);
    for (size_t i = 0; i < count; i++) {
        if (upstreams[i] != 0) made->upstreams[made->count++] = upstreams[i];
    }
    streams_watch_lock();
    made->number = ++last_publisher;
    made->next = publishers;
    if (publishers != NULL) publishers->previous = made;
    publishers = made;
    streams_watch_unlock();
    return made;
}

uint32_t streams_watched_number(const streams_watched_publisher *publisher) {
    return publisher == NULL ? 0 : publisher->number;
}

/* With the lock. */
static void release_publisher(streams_watched_publisher *publisher) {
    if (--publisher->references > 0) return;
    if (publisher->next != NULL) publisher->next->previous = publisher->previous;
    *(publisher->previous != NULL ? &publisher->previous->next : &publishers) = publisher->next;
    for (track *each = publisher->tracks, *next; each != NULL; each = next) {
        next = each->next;
        free(each);
    }
    free(publisher->name);
    free(publisher->place);
    free(publisher);
}

void streams_unwatch_publisher(streams_watched_publisher *publisher) {
    if (publisher == NULL) return;
    streams_watch_lock();
    release_publisher(publisher);
    streams_watch_unlock();
}

/* Takes a text, if there is one, and leaves the old one there. It becomes part of a line, whose fields tabs
 * divide. */
static void exchange(char **text, char **new) {
    char *old = *text;
    if (*new == NULL) return;
    for (char *each = *new; *each != '\0'; each++) {
        if (*each == '\t' || *each == '\n' || *each == '\r') *each = ' ';
    }
    *text = *new;
    *new = old;
}

void streams_watch_label(uint32_t number, char *name, char *place) {
    streams_watch_lock();
    streams_watched_publisher *found = publishers;
    while (found != NULL && found->number != number) found = found->next;
    if (found != NULL) {
        exchange(&found->name, &name);
        exchange(&found->place, &place);
        streams_trace_name(found);
    }
    streams_watch_unlock();
    free(name);
    free(place);
}

/* ---- Streams --------------------------------------------------------------------------------------- */

streams_watched_stream *streams_watch_stream(
    streams_watched_publisher *publisher, streams_watched_stream *parent) {
    streams_watched_stream *made = publisher == NULL ? NULL : calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    made->references = 1;
    made->publisher = publisher;
    made->parent = parent;
    made->moment = streams_watch_now();
    streams_watch_lock();
    publisher->references++;
    if (parent != NULL) parent->references++;
    made->number = ++last_stream;
    made->next = streams;
    if (streams != NULL) streams->previous = made;
    streams = made;
    streams_watch_unlock();
    return made;
}

void streams_unwatch_stream(streams_watched_stream *stream) {
    if (stream == NULL) return;
    streams_watch_lock();
    __atomic_store_n(&stream->has_ended, true, __ATOMIC_RELAXED);
    while (stream != NULL && --stream->references == 0) {
        streams_watched_stream *parent = stream->parent;
        if (stream->next != NULL) stream->next->previous = stream->previous;
        *(stream->previous != NULL ? &stream->previous->next : &streams) = stream->next;
        release_publisher(stream->publisher);
        free(stream);
        stream = parent;
    }
    streams_watch_unlock();
}

const streams_watched_stream *streams_newest_watched(void) {
    return streams;
}

static void happened(streams_watched_stream *stream, int event) {
    __atomic_store_n(&stream->moment, streams_watch_now(), __ATOMIC_RELAXED);
    __atomic_store_n(&stream->event, event, __ATOMIC_RELAXED);
}

static void demand_more(streams_watched_stream *stream, int64_t amount) {
    int64_t old = get(&stream->demand), new;
    do {
        new = old == INT64_MAX || __builtin_add_overflow(old, amount, &new) ? INT64_MAX : new;
    } while (!__atomic_compare_exchange_n(
        &stream->demand, &old, new, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/* Notes that one of its upstreams has sent this many values. */
static void note_taken(streams_watched_stream *stream, int64_t values) {
    add(&stream->taken, 1);
    int64_t most = get(&stream->most);
    while (most < values && !__atomic_compare_exchange_n(&stream->most, &most, values, true, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED)) continue;
}

uint64_t streams_watch_begin(
    streams_watched_publisher *publisher, streams_watched_stream *stream, int event, const char *text,
    size_t length, int64_t amount) {
    if (stream != NULL) {
        happened(stream, event);
        switch (event) {
        case STREAMS_WATCH_VALUE:
            demand_more(stream, -1);
            break;
        case STREAMS_WATCH_REQUEST:
            demand_more(stream, amount);
            break;
        case STREAMS_WATCH_COMPLETION:
        case STREAMS_WATCH_FAILURE:
        case STREAMS_WATCH_CANCEL:
            __atomic_store_n(&stream->has_ended, true, __ATOMIC_RELAXED);
            break;
        default:
            break;
        }
    }
    uint64_t begun = 0;
    if ((streams_tracing() & STREAMS_TRACE_FILE) != 0) {
        begun = streams_trace_begin(publisher, stream, event, text, length, amount);
    }
    /* Counted afterwards: the trace numbers values from 0. */
    if (stream != NULL && event == STREAMS_WATCH_VALUE) {
        int64_t values = add(&stream->values, 1);
        if (stream->parent != NULL) note_taken(stream->parent, values);
    }
    bool is_counted = event == STREAMS_WATCH_VALUE || event == STREAMS_WATCH_REQUEST;
    if (stream != NULL && begun != 0 && is_counted) streams_trace_counters(stream);
    return begun;
}

void streams_watch_demand(streams_watched_stream *stream, int64_t amount) {
    if (stream == NULL || amount <= 0) return;
    demand_more(stream, amount);
    if ((streams_tracing() & STREAMS_TRACE_FILE) != 0) streams_trace_counters(stream);
}

int64_t streams_watch_waiting(const streams_watched_stream *stream) {
    int64_t sent = get(&stream->values), waiting = 0;
    if (stream->publisher->keeping == KEEPS_TO_PAIR) {
        waiting = get(&stream->most) - sent;
    } else if (stream->publisher->keeping != KEEPS_NONE) {
        waiting = get(&stream->taken) - sent - get(&stream->dropped);
    }
    return waiting > 0 ? waiting : 0;
}

/* ---- Drops ----------------------------------------------------------------------------------------- */

void streams_watch_drop(streams_watched_stream *stream, int64_t count) {
    if (stream == NULL) return;
    add(&stream->dropped, count);
    happened(stream, STREAMS_WATCH_DROP);
    long tracing = streams_tracing();
    if ((tracing & STREAMS_TRACE_FILE) != 0) {
        streams_trace_drop(stream, count);
        streams_trace_counters(stream);
    }
    if ((tracing & STREAMS_TRACE_DROPS) != 0) streams_warn_of_drops(stream);
}
