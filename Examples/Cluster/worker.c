/*
 * A worker: takes jobs from the consumer that it shares with others, and reports how
 * many it has done.
 *
 *     worker SERVER NAME MICROSECONDS
 *
 * A job takes so many microseconds, in which the worker sleeps. It is acknowledged when
 * its function has returned, so what a worker had when it was killed goes to another.
 */

#include "member.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct worker {
    member member;
    struct timespec work;
} worker;

static uint64_t process(void *context, const streams_value *job) {
    worker *self = context;
    streams_nats_metadata said = STREAMS_NATS_METADATA_INIT;
    if (streams_nats_get_metadata(job, &said) != STREAMS_OK) return STREAMS_FAIL;
    (void)nanosleep(&self->work, NULL);
    (void)atomic_fetch_add(&self->member.again, said.deliveries > 1);
    (void)atomic_fetch_add(&self->member.total, 1);
    return 0;
}

int main(int count, char **arguments) {
    static worker self;
    if (count != 4) return fprintf(stderr, "usage: worker SERVER NAME MICROSECONDS\n"), 2;
    self.work.tv_nsec = 1000 * atol(arguments[3]) % 1000000000;
    member_begin(&self.member, arguments[1], arguments[2]);

    streams_nats_consume_options jobs = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    jobs.stream = "JOBS";
    jobs.durable = "workers";
    jobs.most = 50; /* few, so that all have something to do */
    streams_publisher *p = streams_nats_consume(self.member.connection, &jobs);
    if (p == NULL) member_fail(streams_last_message());
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &self;
    subscriber.on_value = process;
    subscriber.on_completion = member_completed;
    streams_cancellable *work = streams_sink(p, &subscriber);
    if (work == NULL) member_fail(streams_last_message());

    member_wait();
    (void)streams_release(work);
    return member_end(&self.member);
}
