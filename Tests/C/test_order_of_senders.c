/* Threads send to subjects that are merged, and the subscriber sends to them amid its values, on each of
 * these threads: so some wait for each other, and cannot, and leave what they send. Nothing is lost, and
 * what a thread sends to a subject comes in order, through operators that are put together at random.
 *
 *     FUZZ_SECONDS=600 FUZZ_SEED=5 build/tests/test_order_of_senders    looks for longer */

#include <pthread.h>
#include <sched.h>

#include "support.h"

enum { SENDERS = 3,
    SUBJECTS = 3,
    VALUES = 100, /* of each sender's own, and about as many for which the subscriber answers on its thread */
    ROOM = 10000,
    MOST = 6 /* in an array */
};

typedef struct program program;

typedef struct {
    int subject;
    bool is_answer, is_heard;
} sent;

typedef struct {
    program *of;
    int number;
    uint64_t chance;
    bool is_answering;
    int count;
    sent values[ROOM];
    pthread_t thread;
} sender;

struct program {
    int count; /* of subjects */
    streams_subject *subjects[SUBJECTS];
    sender *senders;
    char chain[200];
    atomic_bool begun;
    bool is_disordered, is_over;
};

static _Thread_local sender *this_sender;

/* ---- Who sends --------------------------------------------------------------------------- */

/* The next value of a sender. */
static int64_t next(sender *self, int subject) {
    int number = self->count++;
    self->values[number] = (sent){ .subject = subject, .is_answer = self->is_answering };
    return self->number * ROOM + number;
}

static void *send_all(void *context) {
    sender *self = this_sender = context;
    int which = self->number % self->of->count;
    while (!self->of->begun) (void)sched_yield();
    for (int sent = 0; sent < VALUES;) {
        int64_t values[MOST];
        int count = below(&self->chance, 2) == 0 ? 1 : 1 + below(&self->chance, MOST);
        for (int i = 0; i < count; i++) values[i] = next(self, which);
        streams_subject *subject = self->of->subjects[which];
        (void)(count == 1 ? send_int(subject, *values)
                          : streams_subject_send_int64s(subject, values, (size_t)count));
        if (below(&self->chance, 16) == 0) (void)sched_yield();
        sent += count;
    }
    return NULL;
}

/* ---- Who receives ------------------------------------------------------------------------ */

/* Sends a value to one of the subjects, now and then, but not amid such a value. */
static void answer(sender *self) {
    if (self->is_answering || below(&self->chance, 8) > 0) return;
    self->is_answering = true;
    int which = below(&self->chance, self->of->count);
    (void)send_int(self->of->subjects[which], next(self, which));
    self->is_answering = false;
}

static bool is_in_order(const sender *from, int number) {
    const sent *value = &from->values[number];
    for (int i = 0; i < number; i++) {
        const sent *earlier = &from->values[i];
        /* A thread may answer amid a send of its own. */
        bool is_alike = earlier->subject == value->subject && earlier->is_answer == value->is_answer;
        if (is_alike && !earlier->is_heard) return false;
    }
    return true;
}

static uint64_t hear(void *context, const streams_value *value) {
    program *self = context;
    sender *from = &self->senders[value->as.integer / ROOM];
    int number = (int)(value->as.integer % ROOM);
    if (from->values[number].is_heard || !is_in_order(from, number)) self->is_disordered = true;
    from->values[number].is_heard = true;
    if (this_sender != NULL) answer(this_sender);
    return 0;
}

static void hear_end(void *context, const streams_error *error) {
    ((program *)context)->is_over = error == NULL;
}

/* ---- The operators, which keep order and lose nothing ------------------------------------ */

static streams_status latest(
    void *context, const streams_value *so_far, const streams_value *in, streams_value *out) {
    (void)so_far;
    return identity(context, in, out);
}

static streams_status just(void *context, const streams_value *in, streams_publisher **out) {
    (void)context;
    *out = streams_just(in);
    return STREAMS_OK;
}

static streams_publisher *mapped(streams_publisher *p) { return streams_map(p, identity, NULL, NULL); }
static streams_publisher *scanned(streams_publisher *p) {
    streams_value zero = streams_int(0);
    return streams_scan(p, &zero, latest, NULL, NULL);
}
static streams_publisher *flat_mapped(streams_publisher *p) {
    return streams_flat_map(p, STREAMS_UNLIMITED, just, NULL, NULL);
}
static streams_publisher *concat_mapped(streams_publisher *p) {
    return streams_concat_map(p, just, NULL, NULL);
}
static streams_publisher *windowed(streams_publisher *p) {
    streams_publisher *windows = streams_window_by_count(p, 5, 5, STREAMS_AS_DEMANDED);
    return streams_concat_map(windows, publisher_of, NULL, NULL);
}
static streams_publisher *buffered(streams_publisher *p) {
    return streams_buffer(p, 1000000, STREAMS_PREFETCH_BY_REQUEST, STREAMS_WHEN_FULL_DROP_NEWEST);
}
static streams_publisher *prepended(streams_publisher *p) { return streams_prepend(p, streams_empty(true)); }
static streams_publisher *appended(streams_publisher *p) { return streams_append(p, streams_empty(true)); }
static streams_publisher *merged(streams_publisher *p) {
    streams_publisher *both[] = { p, streams_empty(true) };
    return streams_merge(both, 2);
}
static streams_publisher *dematerialized(streams_publisher *p) {
    return streams_dematerialize(streams_materialize(p));
}

static const struct {
    const char *name;
    streams_publisher *(*attach)(streams_publisher *p);
} operators[] = { { "map", mapped }, { "scan", scanned }, { "flat_map", flat_mapped },
    { "concat_map", concat_mapped }, { "window_by_count", windowed }, { "buffer", buffered },
    { "share", streams_share }, { "prepend", prepended }, { "append", appended }, { "merge", merged },
    { "dematerialize", dematerialized }, { "remove_duplicates", streams_remove_duplicates } };
enum { OPERATORS = sizeof operators / sizeof *operators };

static streams_publisher *some_chain(program *self, uint64_t *chance) {
    streams_publisher *p[SUBJECTS];
    for (int i = 0; i < self->count; i++) p[i] = streams_subject_publisher(self->subjects[i]);
    streams_publisher *chain = streams_merge(p, (size_t)self->count);
    for (int left = below(chance, 4); left > 0; left--) {
        int which = below(chance, OPERATORS);
        chain = operators[which].attach(chain);
        size_t length = strlen(self->chain);
        (void)snprintf(self->chain + length, sizeof self->chain - length, " %s", operators[which].name);
    }
    return chain;
}

/* ---- The test ---------------------------------------------------------------------------- */

static void run(program *self, uint64_t *chance) {
    for (int i = 0; i < SENDERS; i++) {
        self->senders[i].of = self;
        self->senders[i].number = i;
        self->senders[i].chance = *chance + (uint64_t)i;
        assert_int_equal(pthread_create(&self->senders[i].thread, NULL, send_all, &self->senders[i]), 0);
    }
    self->begun = true;
    for (int i = 0; i < SENDERS; i++) assert_int_equal(pthread_join(self->senders[i].thread, NULL), 0);
    for (int i = 0; i < self->count; i++) assert_ok(finish(self->subjects[i]));
}

static bool is_well_heard(const program *self) {
    bool is_complete = self->is_over;
    for (int i = 0; i < SENDERS; i++)
        for (int k = 0; k < self->senders[i].count; k++) is_complete &= self->senders[i].values[k].is_heard;
    if (!self->is_disordered && is_complete) return true;
    print_error("%d subjects, merged%s: values are %s\n", self->count, self->chain,
        self->is_disordered ? "out of order" : "lost");
    return false;
}

static bool holds(uint64_t seed) {
    uint64_t chance = seed;
    program p = { .count = 1 + below(&chance, SUBJECTS), .senders = calloc(SENDERS, sizeof *p.senders) };
    assert_non_null(p.senders);
    for (int i = 0; i < p.count; i++) p.subjects[i] = streams_passthrough_subject_create();
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &p;
    subscriber.on_value = hear;
    subscriber.on_completion = hear_end;
    streams_cancellable *cancellable = streams_sink(some_chain(&p, &chance), &subscriber);
    run(&p, &chance);
    assert_ok(streams_release(cancellable));
    for (int i = 0; i < p.count; i++) assert_ok(streams_release(p.subjects[i]));
    bool is_right = is_well_heard(&p);
    free(p.senders);
    return is_right;
}

static void what_a_thread_sends_comes_in_order(void **state) {
    (void)state;
    every_program_holds(holds);
}

int main(void) {
    const struct CMUnitTest tests[] = { test(what_a_thread_sends_comes_in_order) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
