/* A worker: notes each message of a durable consumer in a file, and acknowledges it then.
 *
 *     worker SERVER STREAM CONSUMER FILE
 *
 * A line of the file is "NUMBER SEQUENCE DELIVERIES TIME": the payload, what the metadata say, and the
 * nanoseconds since 1970. It is written in one piece before the message is acknowledged, so a worker that is
 * killed has noted all that it has acknowledged. Workers in other languages do the same. */

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include <streams_nats.h>

static uint64_t note(void *context, const streams_value *message) {
    const int *file = context;
    streams_value data;
    streams_nats_metadata said = STREAMS_NATS_METADATA_INIT;
    struct timespec now;
    char line[128];
    if (streams_nats_data(message, &data) != STREAMS_OK ||
        streams_nats_get_metadata(message, &said) != STREAMS_OK)
        return STREAMS_FAIL;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    int length = snprintf(line, sizeof line, "%.*s %" PRIu64 " %" PRIu64 " %lld%09ld\n", (int)data.size,
        (const char *)data.as.bytes, said.sequence, said.deliveries, (long long)now.tv_sec, now.tv_nsec);
    return write(*file, line, (size_t)length) == length ? 0 : STREAMS_FAIL;
}

static void say(void *context, const streams_error *error) {
    (void)context;
    if (error != NULL) (void)fprintf(stderr, "worker: %s\n", streams_error_message(error));
}

int main(int count, char **arguments) {
    if (count != 5) return fprintf(stderr, "worker SERVER STREAM CONSUMER FILE\n"), 2;
    int file = open(arguments[4], O_WRONLY | O_CREAT | O_APPEND, 0600);
    streams_nats_options options = STREAMS_NATS_OPTIONS_INIT;
    options.servers = arguments[1];
    options.reconnect_wait = 50 * STREAMS_MILLISECOND;
    options.max_reconnects = -1;
    streams_nats_connection *connection = streams_nats_connect(&options);
    streams_nats_consume_options messages = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    messages.stream = arguments[2];
    messages.durable = arguments[3];
    messages.most = 100;
    streams_publisher *p = streams_nats_consume(connection, &messages);
    if (file < 0 || p == NULL) return fprintf(stderr, "worker: %s\n", streams_last_message()), 1;
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &file;
    subscriber.on_value = note;
    subscriber.on_completion = say;
    (void)streams_run(p, &subscriber, INT64_MAX);
    return 1;
}
