/* Knows Streams only through pkg-config: header and library are of one version, and values flow. */

#include <stdio.h>
#include <streams.h>

static uint64_t add(void *context, const streams_value *value) {
    *(int64_t *)context += value->as.integer;
    return 0;
}

int main(void) {
    const int64_t numbers[] = { 20, 22 };
    int64_t sum = 0;
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &sum;
    subscriber.on_value = add;

    if (streams_version() != STREAMS_VERSION) {
        fprintf(stderr, "header %u, library %u\n", (unsigned)STREAMS_VERSION, (unsigned)streams_version());
        return 1;
    }
    streams_cancellable *cancellable = streams_sink(streams_sequence_int64s(numbers, 2), &subscriber);
    if (cancellable == NULL) {
        fprintf(stderr, "%s: %s\n", streams_last_function(), streams_last_message());
        return 1;
    }
    streams_release(cancellable);
    printf("%s: %d\n", streams_version_string(), (int)sum);
    return sum == 42 ? 0 : 1;
}
