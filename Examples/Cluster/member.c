/* member.c - what the producer and the worker in C share. */

#include "member.h"

#include <stdio.h>
#include <unistd.h>

void member_fail(const char *why) {
    (void)fprintf(stderr, "%s\n", why);
    /* Other threads are at work, so nothing is torn down. */
    _exit(1);
}

void member_completed(void *context, const streams_error *error) {
    (void)context;
    if (error != NULL) member_fail(streams_error_message(error));
}

static int write_report(member *self, char *text, size_t size) {
    return snprintf(text, size, "{\"total\": %llu, \"again\": %llu}", atomic_load(&self->total),
        atomic_load(&self->again));
}

static streams_status report(void *context, const streams_value *tick, streams_value *out) {
    char text[80];
    (void)tick;
    int length = write_report(context, text, sizeof text);
    return streams_value_string(text, (size_t)length, out);
}

static uint64_t ignore(void *context, const streams_value *count) {
    (void)context;
    (void)count;
    return 0;
}

void member_begin(member *self, const char *server, const char *name) {
    streams_nats_options to = STREAMS_NATS_OPTIONS_INIT;
    to.servers = server;
    to.name = name;
    self->connection = streams_nats_connect(&to);
    self->queue = streams_queue_create();
    if (self->connection == NULL) member_fail(streams_last_message());

    char subject[64];
    (void)snprintf(subject, sizeof subject, "stats.%s", name);
    streams_nats_publish_options options = STREAMS_NATS_PUBLISH_OPTIONS_INIT;
    options.subject = subject;
    streams_publisher *p =
        streams_interval(0, 500 * STREAMS_MILLISECOND, STREAMS_UNLIMITED, self->queue);
    p = streams_map(p, report, self, NULL);
    p = streams_nats_send_all(p, self->connection, &options);
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.on_value = ignore;
    subscriber.on_completion = member_completed;
    self->reports = streams_sink(p, &subscriber);
    if (self->reports == NULL) member_fail(streams_last_message());
}

void member_wait(void) {
    while (getchar() != EOF) continue;
}

int member_end(member *self) {
    char text[80];
    (void)write_report(self, text, sizeof text);
    (void)puts(text);
    (void)streams_release(self->reports);
    (void)streams_release(self->queue);
    return streams_nats_release(self->connection) != STREAMS_OK;
}
