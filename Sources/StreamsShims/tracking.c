#define _GNU_SOURCE
#include "streams_tracking.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

unsigned char streams_trace_state = STREAMS_TRACE_UNDECIDED;

const char *streams_trace_setting(void) {
    return secure_getenv("STREAMS_TRACE");
}

int streams_open_log(const char *name) {
    return open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

void streams_write_all(int descriptor, const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(descriptor, text, length);
        if (written < 0 && errno != EINTR) return;
        if (written < 0) continue;
        text += written;
        length -= (size_t)written;
    }
}
