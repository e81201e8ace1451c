#define _GNU_SOURCE
#include "streams_tracking.h"
#include "streams_watching.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

unsigned char streams_trace_state = STREAMS_TRACE_UNDECIDED;

static bool is_set(const char *value) {
    return value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
}

const char *streams_read_trace_settings(void) {
    const char *trace = secure_getenv("STREAMS_TRACE"), *warn = secure_getenv("STREAMS_WARN");
    if (is_set(secure_getenv("STREAMS_WATCH"))) streams_set_tracing(STREAMS_TRACE_LIST, true);
    if (warn != NULL && strcmp(warn, "drops") == 0) streams_set_tracing(STREAMS_TRACE_DROPS, true);
    if (!is_set(trace)) return NULL;
    size_t length = strlen(trace);
    if (length < 5 || strcmp(trace + length - 5, ".json") != 0) return trace;
    int error = streams_open_trace(trace);
    if (error != 0) dprintf(2, "streams: cannot write events to %s: %s\n", trace, strerror(error));
    return NULL;
}

int streams_open_log(const char *name) {
    return open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

int streams_write_all(int descriptor, const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(descriptor, text, length);
        if (written < 0 && errno != EINTR) return errno;
        if (written < 0) continue;
        text += written;
        length -= (size_t)written;
    }
    return 0;
}

void streams_report_trace_end(const char *name, int error) {
    dprintf(2, "streams: the trace %s ends here, because it cannot be written: %s\n", name, strerror(error));
}
