/* What must hold when an emitter or a handle is used by several threads at
 * once: no value is lost that was taken, none comes before the subscription,
 * and a reference is given up once. */

#include <pthread.h>
#include <sched.h>

#include "support.h"

enum { ROUNDS = 200 };

typedef struct race {
    pthread_barrier_t start;
    streams_emitter *emitter;
    const void *handle;
    atomic_int taken;
    atomic_int received;
    atomic_int given_up;
    pthread_t sender;
    atomic_bool is_sending;
    atomic_bool is_subscribing;
    atomic_bool overlapped;
    atomic_bool after_end;
    atomic_bool has_ended;
} race;

static streams_status open_source(void *context, streams_emitter *emitter, void **state) {
    race *self = context;
    *state = self;
    self->emitter = emitter;
    return streams_retain(emitter);
}

static streams_status produce_nothing(void *state, streams_emitter *emitter, uint64_t max) {
    (void)state;
    (void)emitter;
    (void)max;
    return STREAMS_OK;
}

static uint64_t on_value(void *context, const streams_value *value) {
    race *self = context;
    (void)value;
    if (self->is_subscribing) self->overlapped = true;
    if (self->has_ended) self->after_end = true;
    self->received++;
    return 0;
}

static void on_completion(void *context, const streams_error *error) {
    race *self = context;
    (void)error;
    self->has_ended = true;
}

static void *send_until_refused(void *context) {
    race *self = context;
    streams_value one = streams_int(1);
    pthread_barrier_wait(&self->start);
    while (streams_emitter_send(self->emitter, &one) == STREAMS_OK) self->taken++;
    return NULL;
}

static void *finish_emitter(void *context) {
    race *self = context;
    pthread_barrier_wait(&self->start);
    (void)streams_emitter_finish(self->emitter);
    return NULL;
}

static streams_cancellable *begin(race *self, const streams_subscriber *subscriber) {
    streams_source source = STREAMS_SOURCE_INIT;
    source.context = self;
    source.open = open_source;
    source.produce = produce_nothing;
    return streams_sink(streams_publisher_create(&source), subscriber);
}

static void what_was_taken_arrives_before_the_end(void **state) {
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        race self;
        memset(&self, 0, sizeof self);
        streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
        subscriber.context = &self;
        subscriber.on_value = on_value;
        subscriber.on_completion = on_completion;
        streams_cancellable *cancellable = begin(&self, &subscriber);
        pthread_t threads[3];
        pthread_barrier_init(&self.start, NULL, 3);
        pthread_create(&threads[0], NULL, send_until_refused, &self);
        pthread_create(&threads[1], NULL, send_until_refused, &self);
        pthread_create(&threads[2], NULL, finish_emitter, &self);
        for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
        pthread_barrier_destroy(&self.start);
        assert_int_equal(self.taken, self.received);
        assert_true(self.has_ended);
        assert_false(self.after_end);
        assert_ok(streams_release(self.emitter));
        assert_ok(streams_release(cancellable));
    }
}

static void *send_one(void *context) {
    race *self = context;
    streams_value one = streams_int(1);
    self->is_sending = true;
    if (streams_emitter_send(self->emitter, &one) == STREAMS_OK) self->taken++;
    return NULL;
}

/* Lets another thread send while the subscriber is being given its subscription. That thread waits for its
 * turn, so nobody may wait for it here. */
static void request_and_let_send(void *context, streams_subscription *subscription) {
    race *self = context;
    self->is_subscribing = true;
    (void)streams_subscription_request(subscription, 5);
    pthread_create(&self->sender, NULL, send_one, self);
    while (!self->is_sending) (void)sched_yield();
    for (int i = 0; i < 100; i++) (void)sched_yield();
    self->is_subscribing = false;
}

static void no_value_comes_before_the_subscription(void **state) {
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        race self;
        memset(&self, 0, sizeof self);
        streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
        subscriber.context = &self;
        subscriber.demand = 0;
        subscriber.on_subscription = request_and_let_send;
        subscriber.on_value = on_value;
        streams_cancellable *cancellable = begin(&self, &subscriber);
        pthread_join(self.sender, NULL);
        assert_int_equal(self.taken, 1);
        assert_int_equal(self.received, 1);
        assert_false(self.overlapped);
        assert_ok(streams_release(self.emitter));
        assert_ok(streams_release(cancellable));
    }
}

static void *give_up(void *context) {
    race *self = context;
    pthread_barrier_wait(&self->start);
    if (streams_release(self->handle) == STREAMS_OK) self->given_up++;
    return NULL;
}

static void a_reference_is_given_up_once(void **state) {
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        race self;
        memset(&self, 0, sizeof self);
        self.handle = streams_empty(true);
        pthread_t threads[2];
        pthread_barrier_init(&self.start, NULL, 2);
        for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, give_up, &self);
        for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
        pthread_barrier_destroy(&self.start);
        assert_int_equal(self.given_up, 1);
        assert_int_equal(streams_handle_kind(self.handle), STREAMS_KIND_NONE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(what_was_taken_arrives_before_the_end),
        test(no_value_comes_before_the_subscription),
        test(a_reference_is_given_up_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
