/*
 * allocations.c - counts what pipelines at the C ABI allocate.
 *
 *     allocations [--threaded]
 *
 * Prints for each scenario its name, how many values were counted, how many
 * allocations they took and how many blocks they left behind, separated by
 * tabs. With --threaded the process has a second thread, which sleeps: locks
 * then need atomic operations.
 */

#include <allocation_counter.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <streams.h>
#include <string.h>
#include <unistd.h>

enum { COUNTED = 1024,
    BATCH = 64,
    MAX_SUBJECTS = 2 };

/* What every sink adds to, so that no work is dead. */
static int64_t total;

static void check(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "allocations: %s: %s\n", what, streams_last_message());
    exit(2);
}

/* ---- callbacks ---- */

static streams_status add_one(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    *out = streams_int(in->as.integer + 1);
    return STREAMS_OK;
}

static streams_status same(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    return streams_value_copy(in, out);
}

static streams_status is_even(void *context, const streams_value *in, bool *result) {
    (void)context;
    *result = in->as.integer % 2 == 0;
    return STREAMS_OK;
}

static streams_status sum(
    void *context, const streams_value *accumulated, const streams_value *in, streams_value *out) {
    (void)context;
    *out = streams_int(accumulated->as.integer + in->as.integer);
    return STREAMS_OK;
}

static streams_status expand(void *context, const streams_value *in, streams_publisher **out) {
    (void)context;
    *out = streams_just(in);
    return *out == NULL ? streams_last_status() : STREAMS_OK;
}

static streams_status residue(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    *out = streams_int(in->as.integer % 8);
    return STREAMS_OK;
}

static streams_status values_of(void *context, const streams_value *in, streams_publisher **out) {
    (void)context;
    *out = streams_value_publisher(in);
    return *out == NULL ? streams_last_status() : STREAMS_OK;
}

static uint64_t take(void *context, const streams_value *value) {
    (void)context;
    total += value->as.integer;
    return 0;
}

static uint64_t take_one(void *context, const streams_value *value) {
    take(context, value);
    return 1;
}

static uint64_t take_batch(void *context, const streams_value *values, size_t count) {
    (void)context;
    for (size_t i = 0; i < count; i++) total += values[i].as.integer;
    return 0;
}

/* ---- chains ---- */

typedef streams_publisher *(*chain_fn)(streams_publisher **sources);

static streams_publisher *plain(streams_publisher **sources) { return sources[0]; }

static streams_publisher *map_filter(streams_publisher **sources) {
    return streams_filter(streams_map(sources[0], add_one, NULL, NULL), is_even, NULL, NULL);
}

static streams_publisher *five_maps(streams_publisher **sources) {
    streams_publisher *publisher = sources[0];
    for (int i = 0; i < 5; i++) publisher = streams_map(publisher, add_one, NULL, NULL);
    return publisher;
}

static streams_publisher *same_map(streams_publisher **sources) {
    return streams_map(sources[0], same, NULL, NULL);
}

static streams_publisher *compact_map(streams_publisher **sources) {
    return streams_compact_map(sources[0], add_one, NULL, NULL);
}

static streams_publisher *scan(streams_publisher **sources) {
    streams_value zero = streams_int(0);
    return streams_scan(sources[0], &zero, sum, NULL, NULL);
}

static streams_publisher *remove_duplicates(streams_publisher **sources) {
    return streams_remove_duplicates(sources[0]);
}

static streams_publisher *prefix(streams_publisher **sources) {
    return streams_prefix(streams_drop_first(sources[0], 1), INT64_MAX);
}

static streams_publisher *collect(streams_publisher **sources) {
    return streams_collect_count(sources[0], 16);
}

static streams_publisher *flat_map(streams_publisher **sources) {
    return streams_flat_map(sources[0], STREAMS_UNLIMITED, expand, NULL, NULL);
}

static streams_publisher *group(streams_publisher **sources) {
    streams_publisher *groups = streams_group_by(sources[0], STREAMS_AS_DEMANDED, residue, NULL, NULL);
    return streams_flat_map(groups, STREAMS_UNLIMITED, values_of, NULL, NULL);
}

static streams_publisher *window(streams_publisher **sources) {
    streams_publisher *windows = streams_window_by_count(sources[0], 16, 16, STREAMS_AS_DEMANDED);
    return streams_flat_map(windows, STREAMS_UNLIMITED, values_of, NULL, NULL);
}

static streams_publisher *merge(streams_publisher **sources) { return streams_merge(sources, 2); }

static streams_publisher *zip(streams_publisher **sources) { return streams_zip(sources, 2); }

static streams_publisher *combine_latest(streams_publisher **sources) {
    return streams_combine_latest(sources, 2);
}

/* ---- scenarios ---- */

typedef struct scenario scenario;

struct scenario {
    const char *name;
    chain_fn chain;
    int subjects;
    /* What a pipeline is fed with, value by value. */
    void (*run)(const scenario *self, streams_subject *const *subjects, int64_t values);
    uint64_t (*on_value)(void *context, const streams_value *value);
    uint64_t demand;
    bool is_current_value;
};

static streams_cancellable *attach(const scenario *self, streams_subject *const *subjects) {
    streams_publisher *sources[MAX_SUBJECTS];
    for (int i = 0; i < self->subjects; i++) sources[i] = streams_subject_publisher(subjects[i]);
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.demand = self->demand;
    subscriber.on_value = self->on_value;
    if (self->on_value == NULL) subscriber.on_values = take_batch;
    streams_cancellable *cancellable = streams_sink(self->chain(sources), &subscriber);
    check(cancellable != NULL, self->name);
    return cancellable;
}

static void send_each(const scenario *self, streams_subject *const *subjects, int64_t values) {
    for (int64_t i = 0; i < values; i++) {
        streams_value value = streams_int(i);
        for (int each = 0; each < self->subjects; each++)
            check(streams_subject_send(subjects[each], &value) == STREAMS_OK, self->name);
    }
}

static void send_texts(const scenario *self, streams_subject *const *subjects, int64_t values) {
    streams_value text = streams_text("a text that is too long for anybody to store it inline");
    for (int64_t i = 0; i < values; i++)
        check(streams_subject_send(subjects[0], &text) == STREAMS_OK, self->name);
}

static void send_owned_texts(const scenario *self, streams_subject *const *subjects, int64_t values) {
    const char *characters = "a text that is too long for anybody to store it inline";
    streams_value text;
    check(streams_value_string(characters, strlen(characters), &text) == STREAMS_OK, self->name);
    for (int64_t i = 0; i < values; i++)
        check(streams_subject_send(subjects[0], &text) == STREAMS_OK, self->name);
    streams_value_destroy(&text);
}

static void send_values(const scenario *self, streams_subject *const *subjects, int64_t values) {
    streams_value batch[BATCH];
    for (int i = 0; i < BATCH; i++) batch[i] = streams_int(i);
    for (int64_t i = 0; i < values / BATCH; i++)
        for (int each = 0; each < self->subjects; each++)
            check(streams_subject_send_values(subjects[each], batch, BATCH) == STREAMS_OK, self->name);
}

static void send_int64s(const scenario *self, streams_subject *const *subjects, int64_t values) {
    int64_t batch[BATCH];
    for (int i = 0; i < BATCH; i++) batch[i] = i;
    for (int64_t i = 0; i < values / BATCH; i++)
        check(streams_subject_send_int64s(subjects[0], batch, BATCH) == STREAMS_OK, self->name);
}

static void send_doubles(const scenario *self, streams_subject *const *subjects, int64_t values) {
    double batch[BATCH];
    for (int i = 0; i < BATCH; i++) batch[i] = i;
    for (int64_t i = 0; i < values / BATCH; i++)
        check(streams_subject_send_doubles(subjects[0], batch, BATCH) == STREAMS_OK, self->name);
}

static void set_value(const scenario *self, streams_subject *const *subjects, int64_t values) {
    for (int64_t i = 0; i < values; i++) {
        streams_value value = streams_int(i);
        check(streams_current_value_subject_set_value(subjects[0], &value) == STREAMS_OK, self->name);
    }
}

/* Each value is a subscription. */
static void subscribe(const scenario *self, streams_subject *const *subjects, int64_t values) {
    for (int64_t i = 0; i < values; i++) {
        streams_cancellable *cancellable = attach(self, subjects);
        check(streams_cancel(cancellable) == STREAMS_OK, self->name);
        streams_release(cancellable);
    }
}

/* Says whether the counter counts: each value is one of its own allocations of every kind. */
static void allocate(const scenario *self, streams_subject *const *subjects, int64_t values) {
    (void)self;
    (void)subjects;
    for (int64_t i = 0; i < values; i++) total += allocation_counter_allocate_every_way();
}

#define ALL STREAMS_UNLIMITED

static const scenario scenarios[] = {
    { "the counter itself", plain, 1, allocate, take, ALL, false },
    { "subject → sink", plain, 1, send_each, take, ALL, false },
    { "subject → map → filter → sink", map_filter, 1, send_each, take, ALL, false },
    { "subject → 5 × map → sink", five_maps, 1, send_each, take, ALL, false },
    { "subject → compact_map → sink", compact_map, 1, send_each, take, ALL, false },
    { "subject → map → filter → one at a time", map_filter, 1, send_each, take_one, 1, false },
    { "subject → scan → sink", scan, 1, send_each, take, ALL, false },
    { "subject → remove_duplicates → sink", remove_duplicates, 1, send_each, take, ALL, false },
    { "subject → drop_first → prefix → sink", prefix, 1, send_each, take, ALL, false },
    { "subject → collect_count(16) → sink", collect, 1, send_each, take, ALL, false },
    { "subject → flat_map(just) → sink", flat_map, 1, send_each, take, ALL, false },
    { "subject → group_by(8 keys) → flat_map → sink", group, 1, send_each, take, ALL, false },
    { "subject → window_by_count(16) → flat_map → sink", window, 1, send_each, take, ALL, false },
    { "2 subjects → merge → sink", merge, 2, send_each, take, ALL, false },
    { "2 subjects → zip → sink", zip, 2, send_each, take, ALL, false },
    { "2 subjects → combine_latest → sink", combine_latest, 2, send_each, take, ALL, false },
    { "current value subject → sink", plain, 1, send_each, take, ALL, true },
    { "value of a current value subject → sink", plain, 1, set_value, take, ALL, true },
    { "borrowed texts → sink", plain, 1, send_texts, take, ALL, false },
    { "owned texts → sink", plain, 1, send_owned_texts, take, ALL, false },
    { "owned texts → map → sink", same_map, 1, send_owned_texts, take, ALL, false },
    { "owned texts → remove_duplicates → sink", remove_duplicates, 1, send_owned_texts, take, ALL, false },
    { "values → sink", plain, 1, send_values, NULL, ALL, false },
    { "values → map → filter → sink", map_filter, 1, send_values, NULL, ALL, false },
    { "values → 5 × map → sink, value by value", five_maps, 1, send_values, take, ALL, false },
    { "values → scan → sink", scan, 1, send_values, NULL, ALL, false },
    { "values → merge → sink", merge, 2, send_values, NULL, ALL, false },
    { "int64s → sink", plain, 1, send_int64s, NULL, ALL, false },
    { "int64s → map → filter → sink", map_filter, 1, send_int64s, NULL, ALL, false },
    { "doubles → sink", plain, 1, send_doubles, NULL, ALL, false },
    { "subscribe to subject, cancel", plain, 1, subscribe, take, ALL, false },
    { "subscribe to map → filter, cancel", map_filter, 1, subscribe, take, ALL, false },
    { "subscribe to zip, cancel", zip, 2, subscribe, take, ALL, false },
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

/* ---- counting ---- */

typedef struct count {
    int64_t allocations; /* while values were sent */
    int64_t remaining;   /* blocks that are left when the pipeline is gone */
} count;

static count run(const scenario *self, int64_t values) {
    allocation_counts before = allocation_counts_now();
    streams_value zero = streams_int(0);
    streams_subject *subjects[MAX_SUBJECTS];
    for (int i = 0; i < self->subjects; i++)
        subjects[i] = self->is_current_value ? streams_current_value_subject_create(&zero)
                                             : streams_passthrough_subject_create();
    streams_cancellable *cancellable = attach(self, subjects);
    allocation_counts start = allocation_counts_now();
    self->run(self, subjects, values);
    allocation_counts end = allocation_counts_now();
    streams_release(cancellable);
    for (int i = 0; i < self->subjects; i++) streams_release(subjects[i]);
    allocation_counts after = allocation_counts_now();
    return (count){ end.allocated - start.allocated,
        (after.allocated - before.allocated) - (after.freed - before.freed) };
}

static void *sleep_forever(void *unused) {
    (void)unused;
    pause();
    return NULL;
}

int main(int argument_count, char **arguments) {
    pthread_t thread;
    if (argument_count > 1 && strcmp(arguments[1], "--threaded") == 0)
        check(pthread_create(&thread, NULL, sleep_forever, NULL) == 0, "no thread");
    for (int i = 0; i < SCENARIOS; i++) {
        const scenario *each = &scenarios[i];
        run(each, COUNTED); /* what happens the first time only */
        count less = run(each, COUNTED);
        count more = run(each, 2 * COUNTED);
        printf("%s\t%d\t%lld\t%lld\n", each->name, COUNTED,
            (long long)(more.allocations - less.allocations), (long long)(more.remaining - less.remaining));
    }
    return 0;
}
