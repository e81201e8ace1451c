#define _GNU_SOURCE
#include "watching.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// The array form of the trace event format. Each event is written at once, so that a program that is killed
// leaves all of them; the array's end may be missing.

static struct {
    int descriptor;
    uint32_t number;     // of the file, from 1
    uint32_t last_track; // in the file
    pid_t process;
    char *name;   // for messages
    off_t length; // of the whole events that have been written
} file = { .descriptor = -1 };

enum { MOST_OF_A_NAME = 60,
    MOST_OF_A_TEXT = 1000 };

/* ---- JSON ------------------------------------------------------------------------------------------ */

/* The events that one call writes, with the lock. There is room for the longest; stacks may be small. */
static struct {
    size_t length;
    char text[24000];
} out;

#define ADD(...) \
    (out.length += (size_t)snprintf(out.text + out.length, sizeof out.text - out.length, __VA_ARGS__))

/* A text in quotes, cut to a length at the beginning of a character. */
static void add_text(const char *before, const char *text, size_t length, size_t most) {
    bool is_cut = length > most;
    if (is_cut) {
        length = most;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) length--;
    }
    ADD("\"%s", before);
    for (size_t i = 0; i < length; i++) {
        unsigned char each = (unsigned char)text[i];
        if (each < 0x20) {
            ADD("\\u%04x", each);
        } else {
            if (each == '"' || each == '\\') out.text[out.length++] = '\\';
            out.text[out.length++] = (char)each;
        }
    }
    ADD(is_cut ? "…\"" : "\"");
}

static void begin_event(char phase, uint32_t at, int64_t now) {
    ADD(",\n{\"ph\":\"%c\",\"pid\":%d,\"tid\":%u,\"ts\":%lld.%03d", phase, (int)file.process, at,
        (long long)(now / 1000), (int)(now % 1000));
}

/* ---- The file -------------------------------------------------------------------------------------- */

static void close_file(void) {
    if (file.descriptor < 0) return;
    if (getpid() == file.process) streams_write_all(file.descriptor, "\n]\n", 3);
    close(file.descriptor);
    file.descriptor = -1;
    free(file.name);
    file.name = NULL;
}

/* The disk is full, or the like: the trace ends with its last whole event, and the program goes on. */
static void give_up(int error) {
    streams_report_trace_end(file.name == NULL ? "" : file.name, error);
    if (ftruncate(file.descriptor, file.length) == 0) lseek(file.descriptor, file.length, SEEK_SET);
    close_file();
    streams_set_tracing(STREAMS_TRACE_FILE, false);
}

/* Writes the events that were added. With the lock. */
static void write_out(void) {
    if (file.descriptor >= 0 && getpid() == file.process) {
        int error = streams_write_all(file.descriptor, out.text, out.length);
        if (error != 0) {
            give_up(error);
        } else {
            file.length += (off_t)out.length;
        }
    }
    out.length = 0;
}

static void close_at_exit(void) {
    streams_watch_lock();
    close_file();
    streams_watch_unlock();
}

/* Empties a file that has been opened, unless another process writes its trace there. Anything but a
 * file, such as a pipe, could block a thread that writes to it. */
static int take_over(int descriptor) {
    struct stat found, own;
    if (fstat(descriptor, &found) != 0) return errno;
    if (!S_ISREG(found.st_mode)) return EINVAL;
    bool is_own = file.descriptor >= 0 && fstat(file.descriptor, &own) == 0 && own.st_dev == found.st_dev &&
                  own.st_ino == found.st_ino;
    if (is_own) close_file();
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) return errno == EWOULDBLOCK ? EBUSY : errno;
    return ftruncate(descriptor, 0) == 0 ? 0 : errno;
}

int streams_open_trace(const char *name) {
    static bool is_registered;
    int descriptor = -1;
    if (name != NULL) {
        descriptor = open(name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
        if (descriptor < 0) return errno;
    }
    streams_watch_lock();
    int error = name != NULL ? take_over(descriptor) : 0;
    if (error != 0) {
        streams_watch_unlock();
        close(descriptor);
        return error;
    }
    close_file();
    if (name != NULL) {
        file.descriptor = descriptor;
        file.name = strdup(name);
        file.length = 0;
        file.number++;
        file.last_track = 0;
        file.process = getpid();
        out.length = 0; // a fork may have come during an event
        ADD("[\n{\"ph\":\"M\",\"pid\":%d,\"tid\":0,\"name\":\"process_name\","
            "\"args\":{\"name\":\"streams\"}}",
            (int)file.process);
        write_out();
        if (!is_registered) is_registered = atexit(close_at_exit) == 0;
    }
    streams_set_tracing(STREAMS_TRACE_FILE, file.descriptor >= 0);
    streams_watch_unlock();
    return 0;
}

/* ---- Tracks ---------------------------------------------------------------------------------------- */

/* The name of a track, and what the page of the trace needs to know of its publisher. */
static void add_name(const streams_watched_publisher *publisher, const track *at) {
    ADD(",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":",
        (int)file.process, at->number);
    add_text("", publisher->name, strlen(publisher->name), MOST_OF_A_TEXT);
    ADD(",\"publisher\":%u,\"thread\":%u,\"place\":", publisher->number, at->thread);
    const char *place = publisher->place == NULL ? "" : publisher->place;
    add_text("", place, strlen(place), MOST_OF_A_TEXT);
    ADD(",\"of\":[");
    for (uint32_t i = 0; i < publisher->count && i < 100; i++) {
        ADD("%s%u", i == 0 ? "" : ",", publisher->upstreams[i]);
    }
    ADD("]}},\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%u,\"name\":\"thread_sort_index\","
        "\"args\":{\"sort_index\":%u}}",
        (int)file.process, at->number, publisher->number);
}

/* The track of this thread in the publisher. With the lock. Returns NULL if there is no memory. */
static track *track_of(streams_watched_publisher *publisher) {
    uint32_t thread = streams_current_thread() / 8;
    if (publisher->file != file.number) { // those of another file are over
        for (track *each = publisher->tracks; each != NULL; each = each->next) each->number = 0;
        publisher->file = file.number;
    }
    track *found = publisher->tracks;
    while (found != NULL && found->thread != thread) found = found->next;
    if (found == NULL) {
        found = calloc(1, sizeof *found);
        if (found == NULL) return NULL;
        found->thread = thread;
        found->next = publisher->tracks;
        publisher->tracks = found;
    }
    if (found->number == 0) {
        found->number = ++file.last_track;
        add_name(publisher, found);
    }
    return found;
}

void streams_trace_name(streams_watched_publisher *publisher) {
    if (publisher->file != file.number || file.descriptor < 0) return;
    for (const track *each = publisher->tracks; each != NULL; each = each->next) {
        if (each->number != 0) add_name(publisher, each);
        write_out();
    }
}

/* ---- Events ---------------------------------------------------------------------------------------- */

static const struct {
    const char *category, *name;
} slices[] = {
    [STREAMS_WATCH_SUBSCRIBE] = { "subscribe", "subscribe" },
    [STREAMS_WATCH_SUBSCRIPTION] = { "subscribe", "on_subscription" },
    [STREAMS_WATCH_VALUE] = { "value", "" },
    [STREAMS_WATCH_COMPLETION] = { "completion", "" },
    [STREAMS_WATCH_FAILURE] = { "failure", "" },
    [STREAMS_WATCH_REQUEST] = { "request", "request " },
    [STREAMS_WATCH_CANCEL] = { "cancel", "cancel" },
    [STREAMS_WATCH_SEND] = { "send", "send " },
    [STREAMS_WATCH_SEND_COMPLETION] = { "send", "send " },
    [STREAMS_WATCH_SEND_SUBSCRIPTION] = { "subscribe", "on_subscription" },
};

static void add_stream(const streams_watched_stream *stream) {
    ADD("\"stream\":%u,\"of\":%u", stream == NULL ? 0 : stream->number,
        stream == NULL || stream->parent == NULL ? 0 : stream->parent->number);
}

static void add_instant(uint32_t at, int64_t now, const char *category, const streams_watched_stream *stream,
    const char *before, const char *text, size_t length) {
    begin_event('i', at, now);
    ADD(",\"s\":\"t\",\"cat\":\"%s\",\"name\":", category);
    add_text(before, text, length, MOST_OF_A_NAME);
    ADD(",\"args\":{");
    add_stream(stream);
    ADD("}}");
}

/* An arrow from the call that brings a value to the one that sends it on, in the slice that just began. */
static void add_arrow(
    uint32_t at, int64_t now, char phase, const streams_watched_stream *over, int64_t number) {
    if (over == NULL || over->publisher->keeping != HANDS_OVER) return;
    begin_event(phase, at, now);
    ADD(",\"cat\":\"hand-over\",\"name\":\"hand-over\",\"id\":\"%u.%lld\"%s}", over->number,
        (long long)number, phase == 'f' ? ",\"bp\":\"e\"" : "");
}

uint64_t streams_trace_begin(streams_watched_publisher *publisher, streams_watched_stream *stream, int event,
    const char *text, size_t length, int64_t amount) {
    if (publisher == NULL) return 0;
    char number[24] = "unlimited";
    if (event == STREAMS_WATCH_REQUEST) {
        if (amount != INT64_MAX) snprintf(number, sizeof number, "%lld", (long long)amount);
        text = number;
        length = strlen(number);
    }
    streams_watch_lock();
    const track *at = file.descriptor < 0 ? NULL : track_of(publisher);
    uint64_t begun = at == NULL ? 0 : (uint64_t)file.number << 32 | at->number;
    if (at != NULL) {
        int64_t now = streams_watch_now();
        begin_event('B', at->number, now);
        ADD(",\"cat\":\"%s\",\"name\":", slices[event].category);
        add_text(slices[event].name, text, length, MOST_OF_A_NAME);
        ADD(",\"args\":{");
        add_stream(stream);
        if (length > 0) {
            ADD(",\"text\":");
            add_text("", text, length, MOST_OF_A_TEXT);
        }
        ADD("}}");
        if (event == STREAMS_WATCH_VALUE && stream != NULL) {
            const streams_watched_stream *over = stream->parent;
            add_arrow(at->number, now, 's', over, over == NULL ? 0 : get(&over->taken));
            add_arrow(at->number, now, 'f', stream, get(&stream->values));
        } else if (event == STREAMS_WATCH_CANCEL) {
            add_instant(at->number, now, "cancelled", stream, "cancelled", "", 0);
        } else if (event == STREAMS_WATCH_FAILURE) {
            add_instant(at->number, now, "failed", stream, "", text, length);
        }
        write_out();
    }
    streams_watch_unlock();
    return begun;
}

void streams_watch_end(uint64_t begun) {
    if (begun == 0) return;
    streams_watch_lock();
    if (begun >> 32 == file.number) {
        begin_event('E', (uint32_t)begun, streams_watch_now());
        ADD("}");
        write_out();
    }
    streams_watch_unlock();
}

static void add_counter(const streams_watched_stream *stream, int64_t now, const char *name, int64_t number) {
    begin_event('C', 0, now);
    ADD(",\"name\":");
    const char *of = stream->publisher->name;
    add_text(name, of, strlen(of), MOST_OF_A_NAME);
    out.length--; // goes on within the quotes
    ADD(" #%u\",\"args\":{\"values\":%lld}}", stream->number, (long long)number);
}

void streams_trace_counters(streams_watched_stream *stream) {
    streams_watch_lock();
    int64_t now = streams_watch_now(), demand = get(&stream->demand);
    if (demand != INT64_MAX) add_counter(stream, now, "demand: ", demand < 0 ? 0 : demand);
    const streams_watched_stream *keepers[] = { stream, stream->parent };
    for (int i = 0; i < 2; i++) {
        if (keepers[i] != NULL && keepers[i]->publisher->keeping != KEEPS_NONE) {
            add_counter(keepers[i], now, "waiting: ", streams_watch_waiting(keepers[i]));
        }
    }
    write_out();
    streams_watch_unlock();
}

void streams_trace_drop(streams_watched_stream *stream, int64_t count) {
    char number[24];
    int length = snprintf(number, sizeof number, "%lld", (long long)count);
    streams_watch_lock();
    const track *at = file.descriptor < 0 ? NULL : track_of(stream->publisher);
    if (at != NULL) {
        add_instant(at->number, streams_watch_now(), "dropped", stream, "dropped ", number, (size_t)length);
        write_out();
    }
    streams_watch_unlock();
}
