#include "depth.h"

#include <pthread.h>

/* ---- Threads with little stack ----------------------------------------------- */

enum { SMALL_STACK = 512 * 1024,
    MANY = 100000 };

int many(void) { return under_valgrind() ? 1000 : MANY; }

typedef struct job {
    bool (*body)(void);
    bool result;
} job;

static void *run_job(void *context) {
    job *self = context;
    self->result = self->body();
    return NULL;
}

bool on_stack_of(size_t size, bool (*body)(void)) {
    job self = { body, false };
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, size);
    bool started = pthread_create(&thread, &attributes, run_job, &self) == 0;
    pthread_attr_destroy(&attributes);
    if (started) pthread_join(thread, NULL);
    return started && self.result;
}

bool on_small_stack(bool (*body)(void)) { return on_stack_of(SMALL_STACK, body); }

bool must_(bool condition, const char *text, int line) {
    if (!condition) print_error("line %d: %s\n", line, text);
    return condition;
}

/* ---- A stream that says how it ended ------------------------------------------ */

static void note_subscription(void *context, streams_subscription *subscription) {
    outcome *self = context;
    if (streams_retain(subscription) == STREAMS_OK) self->subscription = subscription;
}
static uint64_t note_value(void *context, const streams_value *value) {
    outcome *self = context;
    self->values++;
    self->last = value->as.integer;
    self->kind = value->kind;
    return 1;
}
static void note_completion(void *context, const streams_error *error) {
    outcome *self = context;
    self->ended = true;
    self->failed = error != NULL;
    self->code = error == NULL ? 0 : streams_error_code(error);
}
static void note_destroy(void *context) { ((outcome *)context)->destroyed++; }

void begin(outcome *self, streams_publisher *p) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    *self = (outcome){ .values = 0 };
    subscriber.context = self;
    subscriber.demand = 3;
    subscriber.on_subscription = note_subscription;
    subscriber.on_value = note_value;
    subscriber.on_completion = note_completion;
    subscriber.destroy = note_destroy;
    self->cancellable = streams_sink(p, &subscriber);
}

bool let_go(outcome *self) {
    bool right = self->cancellable == NULL || streams_release(self->cancellable) == STREAMS_OK;
    return (self->subscription == NULL || streams_release(self->subscription) == STREAMS_OK) && right;
}

bool end(outcome *self) { return let_go(self) && self->destroyed == 1; }

bool is_limit(const outcome *self) {
    return self->ended && self->failed && self->code == STREAMS_LIMIT;
}
