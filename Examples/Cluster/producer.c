/*
 * The producer: publishes jobs to JetStream in waves, and reports how many the server
 * has confirmed.
 *
 *     producer SERVER RATE
 *
 * RATE is how many come in a second on average: none where a wave begins and ends, and
 * twice as many at its top. When standard input ends, it waits until all are confirmed,
 * for 10 seconds at most, as the server may be gone.
 */

#include "member.h"

#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TICKS = 100,
    WAVE = 10 * TICKS }; /* a second, and a wave */
enum { PATIENCE = 10 };  /* seconds */

typedef struct producer {
    member member;
    double rate, due; /* jobs that are due, and not published */
    int64_t next;     /* job */
    sem_t done;
} producer;

/* What is due at a moment: a publisher of the numbers of jobs. */
static streams_status publish_due(void *context, const streams_value *tick, streams_publisher **out) {
    producer *self = context;
    int64_t place = tick->as.integer % WAVE, height = place < WAVE / 2 ? place : WAVE - place;
    self->due += self->rate / TICKS * 4 * (double)height / WAVE;
    int64_t numbers[1024];
    size_t count = 0;
    for (; self->due >= 1 && count < 1024; self->due--) numbers[count++] = self->next++;
    *out = streams_sequence_int64s(numbers, count);
    return STREAMS_OK;
}

static streams_status as_text(void *context, const streams_value *number, streams_value *out) {
    char text[32];
    (void)context;
    int length = snprintf(text, sizeof text, "job %lld", (long long)number->as.integer);
    return streams_value_string(text, (size_t)length, out);
}

/* With ids no job is stored twice, though it may be published anew. */
static streams_status id_of(void *context, const streams_value *job, char *buffer, size_t capacity) {
    (void)context;
    (void)snprintf(buffer, capacity, "%.*s", (int)job->size, job->as.text);
    return STREAMS_OK;
}

static void confirmed(void *context, uint64_t index, uint64_t sequence, bool duplicate) {
    producer *self = context;
    (void)index, (void)sequence, (void)duplicate;
    (void)atomic_fetch_add(&self->member.total, 1);
}

static void completed(void *context, const streams_error *error) {
    producer *self = context;
    member_completed(NULL, error);
    (void)sem_post(&self->done);
}

static uint64_t ignore(void *context, const streams_value *count) {
    (void)context, (void)count;
    return 0;
}

int main(int count, char **arguments) {
    static producer self;
    if (count != 3) return fprintf(stderr, "usage: producer SERVER RATE\n"), 2;
    self.rate = atof(arguments[2]);
    (void)sem_init(&self.done, 0, 0);
    member_begin(&self.member, arguments[1], "producer");

    streams_nats_publish_options options = STREAMS_NATS_PUBLISH_OPTIONS_INIT;
    options.subject = "jobs";
    options.id_of = id_of;
    options.on_confirmed = confirmed;
    options.context = &self;
    streams_scheduler *clock = streams_queue_create();
    streams_subject *stop = streams_passthrough_subject_create();
    streams_publisher *p = streams_interval(0, STREAMS_SECOND / TICKS, STREAMS_UNLIMITED, clock);
    p = streams_prefix_until_output(p, streams_subject_publisher(stop));
    p = streams_flat_map(p, 1, publish_due, &self, NULL);
    p = streams_map(p, as_text, NULL, NULL);
    p = streams_nats_publish_all(p, self.member.connection, &options);
    if (p == NULL) member_fail(streams_last_message());
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &self;
    subscriber.on_value = ignore;
    subscriber.on_completion = completed;
    streams_cancellable *jobs = streams_sink(p, &subscriber);
    if (jobs == NULL) member_fail(streams_last_message());

    member_wait();
    streams_value now = streams_null();
    (void)streams_subject_send(stop, &now);
    struct timespec end;
    (void)clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += PATIENCE;
    if (sem_timedwait(&self.done, &end) != 0) member_fail("the server has not confirmed all jobs in time");
    (void)streams_release(jobs);
    (void)streams_release(stop);
    (void)streams_release(clock);
    return member_end(&self.member);
}
