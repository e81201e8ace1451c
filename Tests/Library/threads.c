/*
 * A program with threads that uses the installed library: batches go to a queue and to a loop, and others
 * subscribe and cancel meanwhile. WITH_LEAK and WITH_RACE make it one that does something wrong itself.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <streams.h>

enum { SENDERS = 3,
    ROUNDS = 100,
    BATCH = 64 };
static streams_subject *subject;
static streams_scheduler *queue, *loop;
/* Of a thread each, until that has said that it is done. */
static int64_t on_queue, on_loop;
static atomic_int left = 2 + ROUNDS;

#ifdef WITH_RACE
static int raced;
#endif
#ifdef WITH_LEAK
static void *volatile lost; /* but for the last */
#endif

static streams_status add_one(void *context, const streams_value *in, streams_value *out) {
    (void)context;
#ifdef WITH_LEAK
    lost = malloc(10);
#endif
    *out = streams_int(in->as.integer + 1);
    return STREAMS_OK;
}

static uint64_t add(void *sum, const streams_value *values, size_t count) {
    for (size_t i = 0; i < count; i++) *(int64_t *)sum += values[i].as.integer;
    return 0;
}

static void stop(void *context) { streams_loop_stop(context); }

/* The last subscriber ends the program. */
static void leave(void *own) {
    free(own);
    if (--left == 0) streams_scheduler_schedule(loop, 0, stop, loop, NULL);
}


static void leave_static(void *context) {
    (void)context;
    leave(NULL);
}

static streams_cancellable *watch(streams_scheduler *on, int64_t *sum, streams_destroy_fn destroy) {
    streams_publisher *p = streams_map(streams_subject_publisher(subject), add_one, NULL, NULL);
    streams_subscriber adder = STREAMS_SUBSCRIBER_INIT;
    adder.context = sum;
    adder.on_values = add;
    adder.destroy = destroy;
    return streams_sink(streams_receive_on(p, on), &adder);
}

static void *send(void *unused) {
    (void)unused;
    int64_t numbers[BATCH] = { 1 };
    for (int i = 0; i < ROUNDS; i++) {
        streams_subject_send_int64s(subject, numbers, BATCH);
#ifdef WITH_RACE
        raced++;
#endif
    }
    return NULL;
}

static void *come_and_go(void *unused) {
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        streams_cancellable *cancellable = watch(queue, calloc(1, sizeof(int64_t)), leave);
        streams_cancel(cancellable);
        streams_release(cancellable);
    }
    return NULL;
}

int main(void) {
    subject = streams_passthrough_subject_create();
    queue = streams_queue_create();
    loop = streams_loop_create();
    streams_cancellable *cancellables[2];
    cancellables[0] = watch(queue, &on_queue, leave_static);
    cancellables[1] = watch(loop, &on_loop, leave_static);
    pthread_t threads[SENDERS + 1];
    for (int i = 0; i < SENDERS; i++) pthread_create(&threads[i], NULL, send, NULL);
    pthread_create(&threads[SENDERS], NULL, come_and_go, NULL);
    for (int i = 0; i <= SENDERS; i++) pthread_join(threads[i], NULL);
    streams_subject_send_completion(subject, NULL);
    streams_loop_run(loop);
    for (int i = 0; i < 2; i++) streams_release(cancellables[i]);
    streams_release(subject);
    streams_release(queue);
    streams_release(loop);
    const int64_t sent = SENDERS * ROUNDS * (1 + BATCH);
    return on_queue == sent && on_loop == sent ? 0 : 1;
}
