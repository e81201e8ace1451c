#include "senders.h"

#include <pthread.h>
#include <sched.h>

#include "support.h"

typedef struct {
    senders *of;
    int number;
    uint64_t chance;
    bool is_answering;
    pthread_t thread;
} sender;

static _Thread_local sender *this_sender;

static void send(sender *self) {
    self->of->send(self->of->context, &self->chance);
}

static void *send_all(void *context) {
    sender *self = this_sender = context;
    while (!self->of->begun) (void)sched_yield();
    for (int i = 0; i < SENT; i++) {
        if (below(&self->chance, 2) == 0)
            send(self);
        else
            (void)send_int(self->of->other, i);
    }
    if (self->of->end != NULL) self->of->end(self->of->context, self->number);
    return NULL;
}

void run_senders(senders *self, uint64_t seed, void (*amid)(void *context)) {
    sender all[THREADS];
    for (int i = 0; i < THREADS; i++) {
        all[i] = (sender){ .of = self, .number = i, .chance = seed * THREADS + (uint64_t)i };
        assert_int_equal(pthread_create(&all[i].thread, NULL, send_all, &all[i]), 0);
    }
    self->begun = true;
    if (amid != NULL) amid(self->context);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(all[i].thread, NULL), 0);
}

void answer(bool also_to_the_other) {
    sender *self = this_sender;
    if (self == NULL || self->is_answering || below(&self->chance, 4) > 0) return;
    self->is_answering = true;
    (void)sched_yield();
    if (also_to_the_other) (void)send_int(self->of->other, 0);
    send(self);
    self->is_answering = false;
}

uint64_t hear_other(void *context, const streams_value *value) {
    (void)context, (void)value;
    answer(false);
    return 0;
}
