/* Many messages through one consumer and several workers, while workers are killed, stopped and continued,
 * and the server is killed and started again: each message is processed, and in its key's order.
 *
 * STREAMS_NATS_MESSAGES says how many (20,000), STREAMS_NATS_WORKERS by whom: see support/crew.h. */

#define _GNU_SOURCE
#include "crew.h"

#include <inttypes.h>
#include <time.h>

enum { KEYS = 16,
    MOST_KILLS = 1000 };

/* Messages that come out of order this long after the server was killed were on their way before. */
static const int64_t GRACE = 30 * STREAMS_SECOND;

/* When something happened. */
typedef struct times {
    int64_t at[MOST_KILLS];
    int count;
} times;

/* What has been noted of a message: whether its first delivery and later ones were, and when. */
typedef struct message {
    bool first, later;
    int64_t from, to;
} message;

static struct judge {
    uint64_t count, different;
    message *messages;
    uint64_t again, after_loss, late, counted_back, out_of_order;
    uint64_t lives_used;
    times kills, replaced, stopped; /* of the server, of workers */
    bool counts_back;
} judge;

/* What one life has seen of each key: the last first delivery. */
typedef struct memory {
    uint64_t last[KEYS];
    int64_t time[KEYS];
} memory;

static int64_t now(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec * STREAMS_SECOND + time.tv_nsec;
}

/* ---- Judging ------------------------------------------------------------------------------------------ */

static void begins(life *self) { self->memory = calloc(1, sizeof(memory)); }

static void ends(life *self) {
    if (self->noted > 0) judge.lives_used++;
    free(self->memory);
}

static void add_time(times *self) {
    if (self->count < MOST_KILLS) self->at[self->count++] = now();
}

static bool happened(const times *self, int64_t from, int64_t to) {
    for (int i = 0; i < self->count; i++)
        if (self->at[i] > from && self->at[i] < to) return true;
    return false;
}

/* Before 2.10.14, a server that wants to deliver a message again, and finds only requests of clients that are
 * gone, delivers its newest message once more, as if for the first time. */
static bool server_counts_back(void) {
    int major = 0, minor = 0, patch = 0;
    FILE *output = popen("nats-server --version", "re");
    if (output == NULL || fscanf(output, "nats-server: v%d.%d.%d", &major, &minor, &patch) != 3)
        fail_msg("nats-server does not say its version");
    (void)pclose(output);
    return major < 2 || (major == 2 && (minor < 10 || (minor == 10 && patch < 14)));
}

/* Why a message that has been noted is noted again. Notes are read life by life, in any order of time, so the
 * server was killed between the two if it was between their times. */
typedef enum reason { DELIVERED_ANEW,
    FORGOTTEN,
    COUNTED_BACK,
    NO_REASON } reason;

static reason reason_for(const message *known, const note *what) {
    if (what->deliveries > 1 || !known->first) return DELIVERED_ANEW;
    int64_t from = known->from < what->time ? known->from : what->time;
    int64_t to = known->to > what->time ? known->to : what->time;
    from -= GRACE;
    if (happened(&judge.kills, from, to)) return FORGOTTEN;
    bool worker_gone = happened(&judge.replaced, from, to) || happened(&judge.stopped, from, to);
    return worker_gone && judge.counts_back ? COUNTED_BACK : NO_REASON;
}

static void remember(message *known, const note *what) {
    bool is_new = !known->first && !known->later;
    *(what->deliveries > 1 ? &known->later : &known->first) = true;
    if (is_new || what->time < known->from) known->from = what->time;
    if (is_new || what->time > known->to) known->to = what->time;
}

static void judge_again(const life *self, const message *known, const note *what) {
    judge.again++;
    switch (reason_for(known, what)) {
    case DELIVERED_ANEW:
        judge.late++;
        break;
    case FORGOTTEN:
        judge.after_loss++;
        break;
    case COUNTED_BACK:
        judge.counted_back++;
        break;
    case NO_REASON:
        fail_msg("%s: %" PRIu64 " was noted before, though it is new and nobody was killed", self->path,
            what->number);
    }
}

/* First deliveries of a key come in their order, unless the server has forgotten some. */
static void judge_order(life *self, const note *what) {
    memory *known = self->memory;
    uint64_t key = what->number % KEYS;
    if (what->deliveries > 1) return;
    if (what->number < known->last[key]) {
        judge.out_of_order++;
        if (!happened(&judge.kills, known->time[key] - GRACE, what->time))
            fail_msg("%s: %" PRIu64 " came after %" PRIu64 ", and no server was killed in between",
                self->path, what->number, known->last[key]);
    }
    known->last[key] = what->number;
    known->time[key] = what->time;
}

static void noted(life *self, const note *what) {
    if (what->number >= judge.count) fail_msg("%" PRIu64 " was never published", what->number);
    message *known = &judge.messages[what->number];
    if (known->first || known->later)
        judge_again(self, known, what);
    else
        judge.different++;
    remember(known, what);
    judge_order(self, what);
}

/* ---- Publishing --------------------------------------------------------------------------------------- */

static streams_status id_of(void *context, const streams_value *value, char *buffer, size_t capacity) {
    (void)context;
    (void)snprintf(buffer, capacity, "%.*s", (int)value->size, value->as.text);
    return STREAMS_OK;
}

static streams_status subject_of(void *context, const streams_value *value, char *buffer, size_t capacity) {
    streams_status status = id_of(context, value, buffer, capacity);
    (void)snprintf(buffer, capacity, "w.%d", atoi(buffer) % KEYS);
    return status;
}

static collector *publish(uint64_t from, uint64_t count) {
    streams_nats_publish_options options = STREAMS_NATS_PUBLISH_OPTIONS_INIT;
    options.subject_of = subject_of;
    options.id_of = id_of;
    options.confirm_wait = STREAMS_SECOND;
    options.retries = 60;
    return collect(streams_nats_publish_all(numbers((int)from, (int)count), connection, &options), 1, 0);
}

static void prepare(void) {
    begin_sharing();
    judge.counts_back = server_counts_back();
    make_stream(connection, "W", "w.>");
    streams_nats_consume_options options = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    options.stream = "W";
    options.durable = "workers";
    options.acknowledge_wait = 2 * STREAMS_SECOND;
    assert_ok(streams_nats_consumer_create(connection, &options));
}

/* ---- The tests ---------------------------------------------------------------------------------------- */

/* The reasons for one message's two notes, whichever of them is read first. */
static void assert_reason(reason wanted, note earlier, note later) {
    message known = { 0 };
    remember(&known, &earlier);
    assert_int_equal(reason_for(&known, &later), wanted);
    known = (message){ 0 };
    remember(&known, &later);
    assert_int_equal(reason_for(&known, &earlier), wanted);
}

static void the_order_of_reading_does_not_matter(void **state) {
    (void)state;
    int64_t killed = 1000 * STREAMS_SECOND;
    times once = { { killed }, 1 }, never = { { 0 }, 0 };
    note before = { .deliveries = 1, .time = killed - 1 }, after = { .deliveries = 1, .time = killed + 1 };
    note long_after = { .deliveries = 1, .time = killed + 2 * GRACE };
    note anew = { .deliveries = 2, .time = killed };
    judge.kills = once;
    assert_reason(FORGOTTEN, before, after);
    assert_reason(NO_REASON, before, before);
    assert_reason(NO_REASON, long_after, long_after);
    assert_reason(DELIVERED_ANEW, before, anew);
    judge.kills = never;
    judge.replaced = once;
    assert_reason(NO_REASON, before, after);
    judge.counts_back = true;
    assert_reason(COUNTED_BACK, before, after);
    assert_reason(NO_REASON, before, before);
    judge.replaced = never;
}

/* Something goes wrong, in turn. */
static void disturb(crew *workers, unsigned number) {
    static unsigned seed = 7;
    seed = seed * 1103515245 + 12345;
    int who = (int)(seed >> 16) % workers->count;
    crew_continue(workers);
    if (number % 4 == 1) {
        crew_stop(workers, who);
        add_time(&judge.stopped);
    } else if (number % 4 == 3 && judge.kills.count < MOST_KILLS) {
        add_time(&judge.kills);
        server_kill(&shared);
        server_start(&shared, NULL);
    } else {
        add_time(&judge.replaced);
        crew_replace(workers, who);
    }
}

static void report(void) {
    printf("%" PRIu64 " messages, %" PRIu64 " lives of workers that noted some\n", judge.count,
        judge.lives_used);
    printf("%d workers were killed, %d stopped and continued; the server was killed %d times\n",
        judge.replaced.count, judge.stopped.count, judge.kills.count);
    printf("%" PRIu64 " times a message was processed again:\n", judge.again);
    printf("  %" PRIu64 " delivered anew, as an acknowledgement did not arrive in time\n", judge.late);
    printf("  %" PRIu64 " as the server had not kept an acknowledgement when it was killed\n",
        judge.after_loss);
    printf("  %" PRIu64 " as the server had counted back for a worker that was gone\n", judge.counted_back);
    printf("%" PRIu64 " times one came after a later one of its key, for that second reason\n",
        judge.out_of_order);
}

/* Reads notes until so many different messages are noted. */
static void read_until(crew *workers, uint64_t wanted) {
    int64_t limit = milliseconds() + 60000;
    while (judge.different < wanted) {
        uint64_t before = judge.different;
        crew_read(workers);
        if (judge.different > before) limit = milliseconds() + 60000;
        if (milliseconds() > limit)
            fail_msg("of %" PRIu64 " messages only %" PRIu64 " came", wanted, judge.different);
        pause_briefly();
    }
}

static void each_message_is_processed(void **state) {
    (void)state;
    const char *wanted = getenv("STREAMS_NATS_MESSAGES");
    judge.count = wanted != NULL ? strtoull(wanted, NULL, 10) : 20000;
    judge.messages = calloc(judge.count, sizeof(message));
    prepare();
    crew workers = { .host = &shared,
        .stream = "W",
        .consumer = "workers",
        .begins = begins,
        .noted = noted,
        .ends = ends };
    crew_start(&workers);
    /* While each part is published and processed, something goes wrong. */
    uint64_t part = judge.count / 16 < 15000 ? judge.count / 16 : 15000;
    unsigned disturbances = 0;
    for (uint64_t from = 0; from < judge.count; from += part) {
        if (part > judge.count - from) part = judge.count - from;
        collector *published = publish(from, part);
        read_until(&workers, from + part / 4);
        disturb(&workers, disturbances++);
        wait_until(published->ended != 0);
        assert_string_equal(published->message, "");
        collector_end(published);
    }
    crew_continue(&workers);
    read_until(&workers, judge.count);
    wait_until(consumer_info(connection, "W", "workers").acknowledge_pending == 0);
    crew_end(&workers);
    report();
    assert_true(judge.kills.count > 0 && judge.replaced.count > 0 && judge.stopped.count > 0);
    free(judge.messages);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_reading_does_not_matter),
        cmocka_unit_test_teardown(each_message_is_processed, end_sharing),
    };
    return run_nats_tests(tests, sizeof tests / sizeof tests[0]);
}
