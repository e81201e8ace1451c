/*
 * Measures what time costs: timers that wait, beside libuv's; values that go from one thread to another; and
 * debounce.
 *
 *     time [--rounds N]
 *
 * Prints JSON with the medians. Timers are measured in the thread's own processor time, as many as make a
 * million for each number that waits; hand-overs by the clock on the wall, for two threads work at them.
 */
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <streams.h>
#include <string.h>
#include <time.h>
#include <uv.h>

enum { MOST = 1000000,
    MAX_ROUNDS = 101,
    BATCH = 1024 };

static void check(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "time: %s: %s\n", what, streams_last_message());
    exit(2);
}

static double clock_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* The same times in each run: half a minute to an hour from now. */
static uint64_t next_delay(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return 30000 + *state % 3600000; /* milliseconds */
}

/* ---- timers ---- */

static streams_scheduler *loop;
static uint64_t numbers[MOST];
static uv_timer_t *timers;
static double bytes_per_timer;

static void nothing(void *context) { (void)context; }
static void no_timer(uv_timer_t *timer) { (void)timer; }

static double streams_timers(int count) {
    double spent = 0;
    for (int run = 0; run < MOST / count; run++) {
        uint64_t state = 1;
        struct mallinfo2 before = mallinfo2();
        double start = clock_of(CLOCK_THREAD_CPUTIME_ID);
        int64_t now = streams_scheduler_now(loop);
        for (int i = 0; i < count; i++) {
            int64_t time = now + (int64_t)next_delay(&state) * 1000000;
            numbers[i] = streams_scheduler_schedule(loop, time, nothing, NULL, NULL);
        }
        struct mallinfo2 after = mallinfo2();
        for (int i = 0; i < count; i++) (void)streams_scheduler_cancel(loop, numbers[i]);
        spent += clock_of(CLOCK_THREAD_CPUTIME_ID) - start;
        bytes_per_timer =
            (double)(after.uordblks - before.uordblks + after.hblkhd - before.hblkhd) / (double)count;
    }
    return spent / MOST;
}

static double libuv_timers(int count) {
    double spent = 0;
    uv_loop_t *uv = uv_default_loop();
    for (int run = 0; run < MOST / count; run++) {
        uint64_t state = 1;
        double start = clock_of(CLOCK_THREAD_CPUTIME_ID);
        for (int i = 0; i < count; i++) {
            uv_timer_init(uv, &timers[i]);
            uv_timer_start(&timers[i], no_timer, next_delay(&state), 0);
        }
        for (int i = 0; i < count; i++) uv_close((uv_handle_t *)&timers[i], NULL);
        uv_run(uv, UV_RUN_NOWAIT);
        spent += clock_of(CLOCK_THREAD_CPUTIME_ID) - start;
    }
    return spent / MOST;
}

/* ---- streams ---- */

typedef struct sums {
    int64_t values, last;
    sem_t all; /* for who sleeps until the last value is there */
} sums;

static uint64_t take(void *context, const streams_value *values, size_t count) {
    sums *self = context;
    self->values += (int64_t)count;
    self->last = values[count - 1].as.integer;
    if (self->values == MOST) sem_post(&self->all);
    return 0;
}

static streams_cancellable *subscribe(streams_publisher *publisher, sums *into) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = into;
    subscriber.on_values = take;
    check(sem_init(&into->all, 0, 0) == 0, "a semaphore");
    streams_cancellable *cancellable = streams_sink(publisher, &subscriber);
    check(cancellable != NULL, "a stream");
    return cancellable;
}

static double debounced(int unused) {
    (void)unused;
    sums sums = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *p = streams_debounce(streams_subject_publisher(subject), 1000000000, loop);
    streams_cancellable *cancellable = subscribe(p, &sums);
    double start = clock_of(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < MOST; i++) {
        streams_value value = streams_int(i);
        (void)streams_subject_send(subject, &value);
    }
    double spent = clock_of(CLOCK_THREAD_CPUTIME_ID) - start;
    (void)streams_release(cancellable);
    (void)streams_release(subject);
    return spent / MOST;
}

typedef struct sender {
    streams_subject *subject;
    int batch;
} sender;

static void *send_all(void *context) {
    sender *self = context;
    streams_value values[BATCH];
    for (int i = 0; i < MOST;) {
        int count = self->batch < MOST - i ? self->batch : MOST - i;
        for (int k = 0; k < count; k++) values[k] = streams_int(i++);
        (void)streams_subject_send_values(self->subject, values, (size_t)count);
    }
    return NULL;
}

static double handed_over(streams_scheduler *to, int batch) {
    sums sums = { 0 };
    sender from = { streams_passthrough_subject_create(), batch };
    streams_cancellable *cancellable =
        subscribe(streams_receive_on(streams_subject_publisher(from.subject), to), &sums);
    pthread_t thread;
    double start = clock_of(CLOCK_MONOTONIC);
    check(pthread_create(&thread, NULL, send_all, &from) == 0, "a thread");
    if (to == loop) {
        while (sums.values < MOST) (void)streams_loop_run_once(loop, INT64_MAX);
    } else {
        while (sem_wait(&sums.all) != 0) {
        }
    }
    double spent = clock_of(CLOCK_MONOTONIC) - start;
    pthread_join(thread, NULL);
    check(sums.last == MOST - 1, "the last value");
    (void)streams_release(cancellable);
    (void)streams_release(from.subject);
    return spent / MOST;
}

static double to_loop(int batch) { return handed_over(loop, batch); }

static double to_queue(int batch) {
    streams_scheduler *queue = streams_queue_create();
    check(queue != NULL, "a queue");
    double spent = handed_over(queue, batch);
    (void)streams_release(queue);
    return spent;
}

/* ---- rows ---- */

typedef struct row {
    const char *name;
    double (*streams)(int argument);
    double (*libuv)(int argument); /* or NULL */
    int argument;
    double limit; /* in nanoseconds; 0 for none */
    double bar;   /* how many times as fast as libuv; 0 for none */
} row;

static const row rows[] = {
    { "a timer set and taken back, 1,000 wait", streams_timers, libuv_timers, 1000, 0, 0 },
    { "a timer set and taken back, 10,000 wait", streams_timers, libuv_timers, 10000, 0, 0 },
    { "a timer set and taken back, 100,000 wait", streams_timers, libuv_timers, 100000, 0, 0 },
    { "a timer set and taken back, 1,000,000 wait", streams_timers, libuv_timers, MOST, 300, 1 },
    { "subject → debounce, a value", debounced, NULL, 0, 60, 0 },
    { "subject → receive_on a loop, a value", to_loop, NULL, 1, 100, 0 },
    { "subject → receive_on a queue, a value", to_queue, NULL, 1, 100, 0 },
    { "batches of 1024 → receive_on a loop, a value", to_loop, NULL, BATCH, 100, 0 },
    { "batches of 1024 → receive_on a queue, a value", to_queue, NULL, BATCH, 100, 0 },
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool needs_thread(const row *each) { return each->streams == to_loop || each->streams == to_queue; }

static double samples[ROWS][2][MAX_ROUNDS];

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(double *all, int rounds) {
    qsort(all, (size_t)rounds, sizeof *all, ascending);
    return all[rounds / 2];
}

static void print_row(int number, int rounds, bool is_last) {
    const row *each = &rows[number];
    printf("  {\"name\": \"%s\"", each->name);
    const char *const names[] = { "streams", "libuv" }, *const spreads[] = { "spread", "libuv_spread" };
    for (int side = 0; side < (each->libuv != NULL ? 2 : 1); side++) {
        double *all = samples[number][side], median = median_of(all, rounds);
        printf(", \"%s\": %f, \"%s\": %f", names[side], median, spreads[side],
            (all[rounds * 3 / 4] - all[rounds / 4]) / 2 / median);
    }
    if (each->limit != 0) printf(", \"limit\": %g", each->limit);
    if (each->bar != 0) printf(", \"bar\": %g", each->bar);
    printf("}%s\n", is_last ? "" : ",");
}

int main(int count, char **arguments) {
    int rounds = count == 3 && strcmp(arguments[1], "--rounds") == 0 ? atoi(arguments[2]) : 5;
    if (rounds < 1 || rounds > MAX_ROUNDS) return 2;
    loop = streams_loop_create();
    timers = calloc(MOST, sizeof *timers);
    check(loop != NULL && timers != NULL, "a loop");
    /* What needs a second thread comes last: as long as there was none, locks need no atomic operations. */
    for (int pass = 0; pass < 2; pass++) {
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < ROWS; i++) {
                if (needs_thread(&rows[i]) != (pass == 1)) continue;
                samples[i][0][round] = rows[i].streams(rows[i].argument);
                if (rows[i].libuv != NULL) samples[i][1][round] = rows[i].libuv(rows[i].argument);
            }
        }
    }
    (void)streams_timers(MOST);
    printf("{\n \"language\": \"c\", \"unit\": \"ns\", \"rounds\": %d, ", rounds);
    printf("\"bytes a timer\": %.0f,\n \"rows\": [\n", bytes_per_timer);
    for (int i = 0; i < ROWS; i++) print_row(i, rounds, i == ROWS - 1);
    printf(" ]\n}\n");
    free(timers);
    return streams_release(loop) == STREAMS_OK ? 0 : 1;
}
