/*
 * Measures the C face of Streams beside the floor: a plain loop that calls the same functions through
 * pointers.
 *
 *     bench [--rounds N] [--threaded] [--loop ROW CALLS]
 *
 * Every row is measured on both sides in turn, round after round; prints JSON with the medians. With
 * --threaded the process has a second thread, which sleeps: locks then need atomic operations. --loop runs
 * one row of Streams without measuring, for a profiler.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <streams.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 1024,
    NUMBERS = 1000,
    SINKS = 100,
    MAX_STEPS = 5,
    MAX_ROUNDS = 101,
    SHORTEST_RUN = 20000000 };

/* What every sink adds to, so that no work is dead. */
static int64_t total;

static void check(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "bench: %s: %s\n", what, streams_last_message());
    exit(2);
}

/* ---- the callbacks, the same on both sides ---- */

static streams_status add_one(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    *out = streams_int(in->as.integer + 1);
    return STREAMS_OK;
}

static streams_status is_even(void *context, const streams_value *in, bool *result) {
    (void)context;
    *result = in->as.integer % 2 == 0;
    return STREAMS_OK;
}

static uint64_t add(void *context, const streams_value *value) {
    (void)context;
    total += value->as.integer;
    return 0;
}

static uint64_t add_batch(void *context, const streams_value *values, size_t count) {
    (void)context;
    for (size_t i = 0; i < count; i++) total += values[i].as.integer;
    return 0;
}

/* ---- a row ---- */

typedef struct row {
    const char *name;
    const char *peer; /* the row of the Swift lane that sends as many values through the same steps */
    size_t batch;     /* how many values are sent at a time; 0 to subscribe to a sequence instead */
    int maps;
    bool filters;
    int sinks;
} row;

#define MAP_FILTER "subject → map → filter → sink"
#define FIVE_MAPS  "subject → 5 × map → sink"

static const row rows[] = {
    { "subject → sink", "subject → sink", 1, 0, false, 1 },
    { MAP_FILTER, MAP_FILTER, 1, 1, true, 1 },
    { FIVE_MAPS, FIVE_MAPS, 1, 5, false, 1 },
    { "subject → 100 sinks", "subject → 100 sinks", 1, 0, false, SINKS },
    { "sequence → map → filter → sink", "sequence → map → filter → sink", 0, 1, true, 1 },
    { "batches of 1024 → sink", "subject → sink", BATCH, 0, false, 1 },
    { "batches of 1024 → map → filter → sink", MAP_FILTER, BATCH, 1, true, 1 },
    { "batches of 1024 → 5 × map → sink", FIVE_MAPS, BATCH, 5, false, 1 },
    { "batches of 1024 → 100 sinks", "subject → 100 sinks", BATCH, 0, false, SINKS },
};
enum { ROWS = sizeof rows / sizeof *rows };

/* How many values a call delivers, counting each sink. */
static double values_per_call(const row *row) {
    return (row->batch == 0 ? NUMBERS : (double)row->batch) * row->sinks;
}

typedef struct side {
    int64_t calls;
    double nanoseconds[MAX_ROUNDS];
} side;

/* ---- Streams ---- */

typedef struct pipeline {
    const row *row;
    streams_subject *subject;
    streams_cancellable *cancellables[SINKS];
    int64_t numbers[BATCH];
} pipeline;

static streams_cancellable *attach(const pipeline *pipeline, streams_publisher *publisher) {
    for (int i = 0; i < pipeline->row->maps; i++) publisher = streams_map(publisher, add_one, NULL, NULL);
    if (pipeline->row->filters) publisher = streams_filter(publisher, is_even, NULL, NULL);
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    if (pipeline->row->batch > 1)
        subscriber.on_values = add_batch;
    else
        subscriber.on_value = add;
    streams_cancellable *cancellable = streams_sink(publisher, &subscriber);
    check(cancellable != NULL, pipeline->row->name);
    return cancellable;
}

static void pipeline_open(pipeline *pipeline, const row *row) {
    memset(pipeline, 0, sizeof *pipeline);
    pipeline->row = row;
    for (int i = 0; i < BATCH; i++) pipeline->numbers[i] = i;
    if (row->batch == 0) return;
    pipeline->subject = streams_passthrough_subject_create();
    for (int i = 0; i < row->sinks; i++)
        pipeline->cancellables[i] = attach(pipeline, streams_subject_publisher(pipeline->subject));
}

static void pipeline_close(pipeline *pipeline) {
    for (int i = 0; i < SINKS; i++)
        if (pipeline->cancellables[i] != NULL) streams_release(pipeline->cancellables[i]);
    if (pipeline->subject != NULL) streams_release(pipeline->subject);
}

static void pipeline_run(const pipeline *pipeline, int64_t calls) {
    const row *row = pipeline->row;
    for (int64_t i = 0; i < calls; i++) {
        streams_status status;
        if (row->batch == 0) {
            status = streams_release(attach(pipeline, streams_sequence_int64s(pipeline->numbers, NUMBERS)));
        } else if (row->batch == 1) {
            streams_value value = streams_int(i);
            status = streams_subject_send(pipeline->subject, &value);
        } else {
            status = streams_subject_send_int64s(pipeline->subject, pipeline->numbers, row->batch);
        }
        if (status != STREAMS_OK) check(false, row->name);
    }
}

/* ---- the floor ---- */

typedef struct floor_loop {
    streams_transform_fn maps[MAX_STEPS];
    streams_predicate_fn filter;
    uint64_t (*sinks[SINKS])(void *context, const streams_value *value);
} floor_loop;

/* The compiler must not know which functions are called. */
static volatile streams_transform_fn hidden_map = add_one;
static volatile streams_predicate_fn hidden_filter = is_even;
static uint64_t (*volatile hidden_sink)(void *context, const streams_value *value) = add;

static void floor_send(const row *row, const floor_loop *loop, int64_t number) {
    /* Two values in turn: a copy between them would cost more than the call. */
    streams_value values[2] = { streams_int(number), streams_null() };
    int current = 0;
    for (int i = 0; i < row->maps; i++, current = 1 - current)
        if (loop->maps[i](NULL, &values[current], &values[1 - current]) != STREAMS_OK) return;
    if (row->filters) {
        bool passes = false;
        if (loop->filter(NULL, &values[current], &passes) != STREAMS_OK || !passes) return;
    }
    for (int i = 0; i < row->sinks; i++) loop->sinks[i](NULL, &values[current]);
}

static void floor_run(const row *row, int64_t calls) {
    floor_loop loop;
    for (int i = 0; i < MAX_STEPS; i++) loop.maps[i] = hidden_map;
    loop.filter = hidden_filter;
    for (int i = 0; i < SINKS; i++) loop.sinks[i] = hidden_sink;
    int64_t sends = row->batch == 0 ? NUMBERS : (int64_t)row->batch;
    for (int64_t i = 0; i < calls; i++)
        for (int64_t j = 0; j < sends; j++) floor_send(row, &loop, i + j);
}

/* ---- measuring ---- */

/* The time that the thread was running. What else the machine does is not in it. */
static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static int64_t run(const pipeline *pipeline, const row *row, int64_t calls) {
    int64_t start = now();
    if (pipeline != NULL)
        pipeline_run(pipeline, calls);
    else
        floor_run(row, calls);
    return now() - start;
}

static void calibrate(side *side, const pipeline *pipeline, const row *row) {
    side->calls = 1;
    while (run(pipeline, row, side->calls) < SHORTEST_RUN) side->calls *= 2;
}

static void measure(side *side, const pipeline *pipeline, const row *row, int round) {
    int64_t time = run(pipeline, row, side->calls);
    side->nanoseconds[round] = (double)time / ((double)side->calls * values_per_call(row));
}

static int by_size(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0;
}

static double quantile(const double *sorted, int count, double part) {
    double place = part * (count - 1);
    int low = (int)place, high = low + 1 < count ? low + 1 : low;
    return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
}

/* The median; *spread is half of the distance between the quartiles, as a part of it. */
static double median(side *side, int rounds, double *spread) {
    qsort(side->nanoseconds, (size_t)rounds, sizeof(double), by_size);
    double middle = quantile(side->nanoseconds, rounds, 0.5);
    double low = quantile(side->nanoseconds, rounds, 0.25);
    double high = quantile(side->nanoseconds, rounds, 0.75);
    *spread = (high - low) / 2 / middle;
    return middle;
}

static void *sleep_forever(void *unused) {
    while (pause() != 0) continue;
    return unused;
}

static pipeline pipelines[ROWS];
static side streams_sides[ROWS], floor_sides[ROWS];

static void report(int rounds) {
    printf("{\n \"language\": \"c\", \"unit\": \"ns a value\", \"rounds\": %d,\n"
           " \"check\": %d,\n \"rows\": [\n",
        rounds, (int)(total & 1));
    for (int i = 0; i < ROWS; i++) {
        double spread, floor_spread;
        double streams = median(&streams_sides[i], rounds, &spread);
        double floor = median(&floor_sides[i], rounds, &floor_spread);
        printf("  {\"name\": \"%s\", \"peer_row\": \"%s\", \"streams\": %f, \"spread\": %f, \"floor\": %f, "
               "\"floor_spread\": %f}%s\n",
            rows[i].name, rows[i].peer, streams, spread, floor, floor_spread, i + 1 < ROWS ? "," : "");
    }
    printf(" ]\n}\n");
}

int main(int count, char **arguments) {
    int rounds = 11;
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--rounds") == 0 && i + 1 < count) {
            rounds = atoi(arguments[++i]);
        } else if (strcmp(arguments[i], "--threaded") == 0) {
            pthread_t thread;
            check(pthread_create(&thread, NULL, sleep_forever, NULL) == 0, "no thread");
        } else if (strcmp(arguments[i], "--loop") == 0 && i + 2 < count && atoi(arguments[i + 1]) < ROWS) {
            pipeline_open(&pipelines[0], &rows[atoi(arguments[i + 1])]);
            pipeline_run(&pipelines[0], atoll(arguments[i + 2]));
            pipeline_close(&pipelines[0]);
            return 0;
        } else {
            fprintf(stderr, "usage: bench [--rounds N] [--threaded] [--loop ROW CALLS]\n");
            return 2;
        }
    }
    rounds = rounds < 1 ? 1 : rounds > MAX_ROUNDS ? MAX_ROUNDS
                                                  : rounds;
    for (int i = 0; i < ROWS; i++) {
        pipeline_open(&pipelines[i], &rows[i]);
        calibrate(&streams_sides[i], &pipelines[i], &rows[i]);
        calibrate(&floor_sides[i], NULL, &rows[i]);
    }
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < ROWS; i++) {
            measure(&streams_sides[i], &pipelines[i], &rows[i], round);
            measure(&floor_sides[i], NULL, &rows[i], round);
        }
    }
    report(rounds);
    for (int i = 0; i < ROWS; i++) pipeline_close(&pipelines[i]);
    return 0;
}
