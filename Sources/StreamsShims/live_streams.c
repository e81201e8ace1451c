#define _GNU_SOURCE
#include "watching.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- The list -------------------------------------------------------------------------------------- */

static const char *const events[] = { "subscribe", "subscription", "value", "completion", "failure",
    "request", "cancel", "send", "send_completion", "send_subscription", "drop" };

/* The number of what comes next in the stream, and is listed. */
static uint32_t listed_parent(const streams_watched_stream *stream) {
    do stream = stream->parent;
    while (stream != NULL && !stream->publisher->is_listed);
    return stream == NULL ? 0 : stream->number;
}

static void print_stream(FILE *out, const streams_watched_stream *stream, int64_t now) {
    const streams_watched_publisher *publisher = stream->publisher;
    int64_t demand = get(&stream->demand);
    uint32_t of = listed_parent(stream);
    const char *place = publisher->place == NULL ? "" : publisher->place;
    fprintf(out, "%u\t%u\t%s\t%s\t%lld\t", stream->number, of, publisher->name, place,
        (long long)get(&stream->values));
    if (demand == INT64_MAX) {
        fputs("unlimited", out);
    } else {
        fprintf(out, "%lld", (long long)(demand < 0 ? 0 : demand));
    }
    // Another thread may have been later; and a locale may have another point.
    long long ago = now > get(&stream->moment) ? (now - get(&stream->moment)) / 1000 : 0;
    fprintf(out, "\t%lld\t%lld\t%s\t%lld.%06lld\n", (long long)streams_watch_waiting(stream),
        (long long)get(&stream->dropped), events[__atomic_load_n(&stream->event, __ATOMIC_RELAXED)],
        ago / 1000000, ago % 1000000);
}

char *streams_list_watched(void) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) return NULL;
    fputs("number\tof\tname\tplace\tvalues\tdemand\twaiting\tdropped\tevent\tseconds\n", out);
    int64_t now = streams_watch_now();
    streams_watch_lock();
    const streams_watched_stream *oldest = streams_newest_watched();
    while (oldest != NULL && oldest->next != NULL) oldest = oldest->next;
    for (; oldest != NULL; oldest = oldest->previous) {
        bool is_live = !__atomic_load_n(&oldest->has_ended, __ATOMIC_RELAXED);
        if (is_live && oldest->publisher->is_listed) print_stream(out, oldest, now);
    }
    streams_watch_unlock();
    return fclose(out) == 0 ? text : NULL;
}

/* ---- Warnings -------------------------------------------------------------------------------------- */

/* A line for standard error, as far as there is room. */
typedef struct line {
    size_t length;
    char text[1000];
} line;

static void append(line *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(to->text + to->length, sizeof to->text - to->length, format, arguments);
    va_end(arguments);
    if (more > 0) to->length += (size_t)more;
    if (to->length > sizeof to->text - 1) to->length = sizeof to->text - 1;
}

static void append_publisher(line *to, const streams_watched_publisher *publisher) {
    append(to, "%s", publisher->name);
    if (publisher->place != NULL) append(to, " (%s)", publisher->place);
}

/* Whether the text is new. What does not fit any more counts as known. */
static bool is_new(const line *text) {
    static uint64_t known[256];
    static size_t count;
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < text->length; i++) hash = (hash ^ (unsigned char)text->text[i]) * 1099511628211u;
    for (size_t i = 0; i < count; i++) {
        if (known[i] == hash) return false;
    }
    if (count == sizeof known / sizeof *known) return false;
    known[count++] = hash;
    return true;
}

void streams_warn_of_drops(const streams_watched_stream *stream) {
    line said = { 0 };
    streams_watch_lock(); // for the names
    append(&said, "streams: ");
    append_publisher(&said, stream->publisher);
    append(&said, " drops values");
    for (const streams_watched_stream *each = stream->parent; each != NULL; each = each->parent) {
        append(&said, each == stream->parent ? " on the way to " : ", ");
        append_publisher(&said, each->publisher);
    }
    append(&said, ": there is no demand for them, or no room");
    if (said.length == sizeof said.text - 1) said.length--;
    said.text[said.length++] = '\n';
    bool is_due = is_new(&said);
    streams_watch_unlock();
    if (is_due) streams_write_all(2, said.text, said.length);
}
