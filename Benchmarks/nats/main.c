/* Streams beside a plain loop of nats.c, and StreamsNATS beside streams_nats.h: 64-byte messages from and to
 * JetStream of one server on the loopback. The two take turns; the ratios are those of the medians.
 *
 *     bench-nats READER [source|swift|publish]
 *
 * READER is Tests/NATS/Swift's nats-reader. */

#include "server.h"

#include <nats/nats.h>
#include <time.h>

enum { ROUNDS = 5,
    SIZE = 64,
    STORED = 200000 };

static natsConnection *plain;
static jsCtx *js;
static char payload[SIZE + 1];

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- Sources ------------------------------------------------------------------------------------------ */

typedef struct reader {
    atomic_int count;
    int last;
    uint64_t more;
    atomic_bool done;
} reader;

static uint64_t on_value(void *context, const streams_value *value) {
    (void)value;
    reader *self = context;
    if (++self->count == self->last) self->done = true;
    return self->more;
}

/* Waits until the server has counted all acknowledgements of a consumer that has read everything, so that the
 * next run has the server for itself. */
static void settle(const char *consumer, int count) {
    if (count < STORED) return;
    wait_until(consumer_info(connection, "B", consumer).acknowledge_pending == 0);
}

static void new_consumer(const char *name) {
    streams_nats_consume_options options = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    options.stream = "B";
    options.durable = name;
    options.max_acknowledge_pending = 20000;
    (void)streams_nats_consumer_delete(connection, "B", name);
    assert_ok(streams_nats_consumer_create(connection, &options));
}

/* Reads with a window, or with a demand of one at a time if that is 1. */
static double ours(int count, uint64_t window) {
    new_consumer("ours");
    streams_nats_consume_options options = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    options.stream = "B";
    options.durable = "ours";
    options.most = window;
    reader self = { .last = count, .more = window == 1 ? 1 : 0 };
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &self;
    subscriber.on_value = on_value;
    subscriber.demand = window == 1 ? 1 : STREAMS_UNLIMITED;
    double begin = seconds();
    streams_cancellable *cancellable =
        streams_sink(streams_nats_consume(connection, &options), &subscriber);
    wait_until(self.done);
    double time = seconds() - begin;
    (void)streams_release(cancellable);
    settle("ours", count);
    return count / time;
}

static double theirs(int count, int batch) {
    new_consumer("theirs");
    natsSubscription *subscription = NULL;
    jsSubOptions options;
    jsErrCode code = 0;
    jsSubOptions_Init(&options);
    options.Stream = "B";
    options.Consumer = "theirs";
    double begin = seconds();
    if (js_PullSubscribe(&subscription, js, "b", "theirs", NULL, &options, &code) != NATS_OK)
        fail_msg("%s", nats_GetLastError(NULL));
    for (int got = 0; got < count;) {
        natsMsgList list;
        natsStatus status = natsSubscription_Fetch(&list, subscription, batch, 5000, &code);
        if (status != NATS_OK) fail_msg("%s", natsStatus_GetText(status));
        for (int i = 0; i < list.Count; i++) (void)natsMsg_Ack(list.Msgs[i], NULL);
        got += list.Count;
        natsMsgList_Destroy(&list);
    }
    double time = seconds() - begin;
    (void)natsSubscription_Unsubscribe(subscription);
    natsSubscription_Destroy(subscription);
    settle("theirs", count);
    return count / time;
}

/* What the reader in Swift, a process of its own, says. */
static double in_swift(int count, const char *reader) {
    new_consumer("swift");
    char command[1024];
    (void)snprintf(command, sizeof command, "'%s' %s B swift %d", reader, shared.url, count);
    FILE *output = popen(command, "r");
    double found = 0;
    if (output == NULL || fscanf(output, "%lf", &found) != 1 || pclose(output) != 0)
        fail_msg("%s: no rate", command);
    /* The process ends within its last message, which is not acknowledged. */
    (void)streams_nats_consumer_delete(connection, "B", "swift");
    return found;
}

/* ---- Publishing --------------------------------------------------------------------------------------- */

static streams_status make_payload(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    (void)in;
    *out = streams_bytes(payload, SIZE);
    return STREAMS_OK;
}

static void on_end(void *context, const streams_error *error) {
    reader *self = context;
    if (error != NULL) (void)fprintf(stderr, "%s\n", streams_error_message(error));
    self->done = true;
}

static uint64_t ignore(void *context, const streams_value *value) {
    (void)context;
    (void)value;
    return 0;
}

static double ours_published(int count) {
    int64_t *numbers = calloc((size_t)count, sizeof *numbers);
    streams_publisher *p = streams_sequence_int64s(numbers, (size_t)count);
    free(numbers);
    streams_nats_publish_options options = STREAMS_NATS_PUBLISH_OPTIONS_INIT;
    options.subject = "p";
    reader self = { 0 };
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &self;
    subscriber.on_value = ignore;
    subscriber.on_completion = on_end;
    double begin = seconds();
    p = streams_nats_publish_all(streams_map(p, make_payload, NULL, NULL), connection, &options);
    (void)streams_run(p, &subscriber, INT64_MAX);
    return count / (seconds() - begin);
}

static double theirs_published(int count) {
    double begin = seconds();
    for (int i = 0; i < count; i++)
        if (js_PublishAsync(js, "p", payload, SIZE, NULL) != NATS_OK)
            fail_msg("%s", nats_GetLastError(NULL));
    (void)js_PublishAsyncComplete(js, NULL);
    return count / (seconds() - begin);
}

/* ---- The table ---------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values) {
    qsort(values, ROUNDS, sizeof *values, compare);
    return values[ROUNDS / 2];
}

static void compare_sources(int count, int window, double bar) {
    double a[ROUNDS], b[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        a[i] = ours(count, (uint64_t)window);
        b[i] = theirs(count, window);
    }
    double x = median(a), y = median(b);
    printf("source, window %4d   %8.0f/s  beside Fetch(%d) %8.0f/s   %5.2f (at least %.1f)\n", window, x,
        window, y, x / y, bar);
}

static void compare_swift(int count, const char *reader) {
    double a[ROUNDS], b[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        a[i] = in_swift(count, reader);
        b[i] = ours(count, 1000);
    }
    double x = median(a), y = median(b);
    printf("source in Swift       %8.0f/s  beside streams_nats.h   %8.0f/s   %5.2f (at least 1.0)\n", x, y,
        x / y);
}

static void compare_publishing(int count) {
    double a[ROUNDS], b[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        a[i] = ours_published(count);
        b[i] = theirs_published(count);
        (void)streams_nats_stream_purge(connection, "P");
    }
    double x = median(a), y = median(b);
    printf("publishing            %8.0f/s  beside js_PublishAsync %8.0f/s   %5.2f (at least 0.9)\n", x, y,
        x / y);
}

int main(int argument_count, char **arguments) {
    if (argument_count < 2) return fprintf(stderr, "bench-nats READER [source|swift|publish]\n"), 2;
    bool all = argument_count < 3;
    memset(payload, 'x', SIZE);
    begin_sharing();
    make_stream(connection, "B", "b");
    make_stream(connection, "P", "p");
    jsOptions options;
    jsOptions_Init(&options);
    options.PublishAsync.MaxPending = 1000;
    if (natsConnection_ConnectTo(&plain, shared.url) != NATS_OK ||
        natsConnection_JetStream(&js, plain, &options) != NATS_OK)
        return 1;
    for (int i = 0; i < STORED; i++) (void)js_PublishAsync(js, "b", payload, SIZE, NULL);
    (void)js_PublishAsyncComplete(js, NULL);
    if (all || strcmp(arguments[2], "source") == 0) {
        compare_sources(STORED, 1000, 1.0);
        compare_sources(100000, 100, 1.2);
        compare_sources(4000, 1, 3);
    }
    if (all || strcmp(arguments[2], "swift") == 0) compare_swift(STORED, arguments[1]);
    if (all || strcmp(arguments[2], "publish") == 0) compare_publishing(200000);
    jsCtx_Destroy(js);
    natsConnection_Destroy(plain);
    (void)end_sharing(NULL);
    return 0;
}
