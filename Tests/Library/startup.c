/* What a small program does with the library. Prints how much of its memory has been resident at most. */

#include <stdio.h>
#include <streams.h>
#include <string.h>

static uint64_t add(void *context, const streams_value *value) {
    *(int64_t *)context += value->as.integer;
    return 0;
}

static streams_status twice(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    *out = streams_int(2 * in->as.integer);
    return STREAMS_OK;
}

static int print_memory(void) {
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    if (status == NULL) return 1;
    while (fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, "VmHWM:", 6) == 0) (void)fputs(line + 6, stdout);
    }
    return fclose(status);
}

int main(void) {
    int64_t sum = 0;
    const streams_value value = streams_int(21);
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &sum;
    subscriber.on_value = add;

    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *publisher = streams_map(streams_subject_publisher(subject), twice, NULL, NULL);
    streams_cancellable *cancellable = streams_sink(publisher, &subscriber);
    streams_subject_send(subject, &value);
    streams_release(cancellable);
    streams_release(subject);
    return sum == 42 ? print_memory() : 1;
}
