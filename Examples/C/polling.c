/*
 * Waits until a server answers: tries to connect, each time after a longer
 * pause, and prints its first message.
 *
 *     cc polling.c $(pkg-config --cflags --libs streams) && ./a.out PORT
 */

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <streams.h>
#include <string.h>
#include <unistd.h>

static const streams_nanoseconds MILLISECOND = 1000000;

/* One attempt: a source whose only value is the server's greeting. */
static streams_status greet(void *state, streams_emitter *emitter, uint64_t most) {
    (void)most;
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(*(const uint16_t *)state) };
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    char text[256];
    ssize_t length = -1;
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(connection, (struct sockaddr *)&address, sizeof address) == 0) {
        length = read(connection, text, sizeof text);
    }
    int error = errno;
    close(connection);
    if (length < 0) {
        printf("%s\n", strerror(error));
        fflush(stdout);
        return streams_callback_fail_with(error, "errno", strerror(error));
    }
    streams_value greeting = streams_text_n(text, (size_t)length);
    streams_status status = streams_emitter_send(emitter, &greeting);
    return status == STREAMS_OK ? streams_emitter_finish(emitter) : status;
}

/* Whether it is worth another attempt. */
static streams_status is_refusal(void *context, const streams_error *error, bool *result) {
    (void)context;
    *result = streams_error_code(error) == ECONNREFUSED;
    return STREAMS_OK;
}

static uint64_t show(void *context, const streams_value *value) {
    (void)context;
    printf("%.*s", (int)value->size, value->as.text);
    return 0;
}

static void end(void *failed, const streams_error *error) { *(bool *)failed = error != NULL; }

int main(int count, char **arguments) {
    uint16_t port = (uint16_t)(count > 1 ? atoi(arguments[1]) : 0);
    streams_source source = STREAMS_SOURCE_INIT;
    source.context = &port;
    source.produce = greet;

    streams_backoff backoff = STREAMS_BACKOFF_INIT;
    backoff.delay = 10 * MILLISECOND;
    backoff.longest_delay = 500 * MILLISECOND;
    backoff.retries = 20;
    backoff.jitter = 0.3;
    streams_scheduler *queue = streams_queue_create();
    streams_publisher *p = streams_publisher_create(&source);
    p = streams_retry_backoff(p, &backoff, queue, is_refusal, NULL, NULL);

    bool failed = false;
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &failed;
    subscriber.on_value = show;
    subscriber.on_completion = end;
    streams_status status = streams_run(p, &subscriber, 30000 * MILLISECOND);
    if (status != STREAMS_OK) fprintf(stderr, "%s\n", streams_last_message());
    streams_release(queue);
    return status != STREAMS_OK || failed;
}
