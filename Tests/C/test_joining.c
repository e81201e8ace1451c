/* Threads that subscribe to a subject while another one sends: what a subscriber has set up is seen by
 * whoever sends to it. ThreadSanitizer sees what happens to be seen all the same. */

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "support.h"

enum { JOINERS = 3 };

static int rounds(void) { return under_valgrind() ? 50 : 5000; }

typedef struct stage {
    streams_subject *subject;
    streams_scheduler *scheduler;
    streams_publisher *(*chain)(streams_publisher *, streams_scheduler *);
    atomic_bool is_over;
} stage;

/* What a subscriber writes when it is given its subscription, and reads with each value. */
typedef struct reader {
    bool has_begun;
} reader;

static void begin(void *context, streams_subscription *subscription) {
    (void)subscription;
    ((reader *)context)->has_begun = true;
}

static uint64_t read_value(void *context, const streams_value *value) {
    reader *self = context;
    (void)value;
    if (!self->has_begun) abort();
    return 0;
}

static void *join(void *context) {
    stage *self = context;
    for (int i = 0; i < rounds(); i++) {
        reader *each = calloc(1, sizeof *each);
        streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
        subscriber.context = each;
        subscriber.on_subscription = begin;
        subscriber.on_value = read_value;
        subscriber.destroy = free;
        streams_publisher *publisher = streams_subject_publisher(self->subject);
        if (self->chain != NULL) publisher = self->chain(publisher, self->scheduler);
        streams_cancellable *cancellable = streams_sink(publisher, &subscriber);
        (void)sched_yield();
        if (cancellable == NULL || streams_release(cancellable) != STREAMS_OK) abort();
    }
    return NULL;
}

static void *send_until_over(void *context) {
    stage *self = context;
    while (!self->is_over) {
        if (send_int(self->subject, 1) != STREAMS_OK) abort();
    }
    return NULL;
}

static void threads_join(streams_publisher *(*chain)(streams_publisher *, streams_scheduler *)) {
    stage all = { streams_passthrough_subject_create(), streams_virtual_scheduler_create(), chain, false };
    pthread_t sender, joiners[JOINERS];
    assert_int_equal(pthread_create(&sender, NULL, send_until_over, &all), 0);
    for (int i = 0; i < JOINERS; i++) assert_int_equal(pthread_create(&joiners[i], NULL, join, &all), 0);
    for (int i = 0; i < JOINERS; i++) assert_int_equal(pthread_join(joiners[i], NULL), 0);
    all.is_over = true;
    assert_int_equal(pthread_join(sender, NULL), 0);
    assert_ok(streams_release(all.subject));
    assert_ok(streams_release(all.scheduler));
    assert_int_equal(streams_live_handles(), 0);
}

static void subscribers_come_and_go(void **state) {
    (void)state;
    threads_join(NULL);
}

/* An operator whose state begins with its subscription. */
static void operators_come_and_go(void **state) {
    (void)state;
    threads_join(streams_measure_interval);
}

int main(void) {
    const struct CMUnitTest tests[] = { test(subscribers_come_and_go), test(operators_come_and_go) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
