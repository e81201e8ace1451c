/* server.c - a nats-server of the test's own: on a free port of the loopback, with a folder of its own. */

#define _GNU_SOURCE
#include "server.h"

#include <arpa/inet.h>
#include <ftw.h>
#include <nats/nats.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int64_t milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

void pause_briefly(void) {
    struct timespec time = { 0, 2000000 };
    nanosleep(&time, NULL);
}

static struct sockaddr_in loopback(int port) {
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static int free_port(void) {
    struct sockaddr_in address = loopback(0);
    socklen_t length = sizeof address;
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0 ||
        getsockname(descriptor, (struct sockaddr *)&address, &length) != 0)
        fail_msg("no free port");
    close(descriptor);
    return ntohs(address.sin_port);
}

void server_prepare(server *self) {
    *self = (server){ .port = free_port() };
    (void)snprintf(self->url, sizeof self->url, "nats://127.0.0.1:%d", self->port);
    (void)snprintf(self->store, sizeof self->store, "/tmp/streams-nats-XXXXXX");
    if (mkdtemp(self->store) == NULL) fail_msg("no folder for the server");
}

static bool answers(int port) {
    struct sockaddr_in address = loopback(port);
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool answered = connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0;
    close(descriptor);
    return answered;
}

void server_start(server *self, const char *const *extra) {
    char port[16];
    (void)snprintf(port, sizeof port, "%d", self->port);
    const char *arguments[24] = { "nats-server", "-a", "127.0.0.1", "-p", port, "-js", "-sd", self->store };
    size_t count = self->bare ? 5 : 8;
    while (extra != NULL && *extra != NULL && count < 23) arguments[count++] = *extra++;
    arguments[count] = NULL;
    self->process = fork();
    if (self->process == 0) {
        /* Does not outlive a test that crashes. */
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (freopen("/dev/null", "w", stderr) == NULL) _exit(126);
        execvp("nats-server", (char *const *)(uintptr_t)arguments);
        _exit(127);
    }
    wait_until(answers(self->port));
}

static void finish(server *self, int signal) {
    if (self->process == 0) return;
    (void)kill(self->process, signal);
    (void)waitpid(self->process, NULL, 0);
    self->process = 0;
}

void server_stop(server *self) { finish(self, SIGTERM); }

void server_kill(server *self) { finish(self, SIGKILL); }

void server_pause(server *self) { (void)kill(self->process, SIGSTOP); }

void server_continue(server *self) { (void)kill(self->process, SIGCONT); }

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)status;
    (void)kind;
    (void)where;
    return remove(path);
}

void server_remove(server *self) {
    server_kill(self);
    (void)nftw(self->store, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- Connections -------------------------------------------------------------------------------------- */

streams_nats_connection *connect_soon(const server *self, int64_t most) {
    streams_nats_options options = STREAMS_NATS_OPTIONS_INIT;
    options.servers = self->url;
    options.reconnect_wait = 50 * STREAMS_MILLISECOND;
    options.max_reconnects = most;
    streams_nats_connection *connection = streams_nats_connect(&options);
    if (connection == NULL) fail_msg("%s", streams_last_message());
    return connection;
}

streams_nats_connection *connect_to(const server *self) {
    streams_nats_connection *connection = connect_soon(self, -1);
    wait_until(streams_nats_get_state(connection) == STREAMS_NATS_CONNECTED);
    return connection;
}

void make_stream(streams_nats_connection *connection, const char *name, const char *subjects) {
    streams_nats_stream_options options = STREAMS_NATS_STREAM_OPTIONS_INIT;
    options.name = name;
    options.subjects = &subjects;
    options.subject_count = 1;
    /* A server that has just been started may not have JetStream yet. */
    wait_until(streams_nats_stream_create(connection, &options) == STREAMS_OK);
}

void publish_numbers(streams_nats_connection *connection, const char *subject, int from, int count) {
    for (int i = from; i < from + count; i++) {
        char text[16];
        (void)snprintf(text, sizeof text, "%d", i);
        streams_value value = streams_text(text);
        assert_ok(streams_nats_publish(connection, subject, &value));
    }
    assert_ok(streams_nats_flush(connection, 30 * STREAMS_SECOND));
}

static streams_status to_text(void *context, const streams_value *in, streams_value *out) {
    (void)snprintf(context, 32, "%lld", (long long)in->as.integer);
    *out = streams_text(context);
    return STREAMS_OK;
}

streams_publisher *numbers(int from, int count) {
    int64_t *list = calloc((size_t)count, sizeof *list);
    for (int i = 0; i < count; i++) list[i] = from + i;
    streams_publisher *p = streams_sequence_int64s(list, (size_t)count);
    free(list);
    return streams_map(p, to_text, calloc(1, 32), free);
}

streams_nats_consumer_info consumer_info(
    streams_nats_connection *connection, const char *stream, const char *consumer) {
    streams_nats_consumer_info info = STREAMS_NATS_CONSUMER_INFO_INIT;
    (void)streams_nats_consumer_get_info(connection, stream, consumer, &info);
    return info;
}

/* ---- Collectors --------------------------------------------------------------------------------------- */

static void on_subscription(void *context, streams_subscription *subscription) {
    collector *self = context;
    (void)streams_retain(subscription);
    self->subscription = subscription;
}

static int number_of(const streams_value *value) {
    streams_value data = *value;
    char text[32] = "";
    if (value->kind == STREAMS_VALUE_INT64) return (int)value->as.integer;
    if (value->kind == STREAMS_VALUE_OBJECT && streams_nats_data(value, &data) != STREAMS_OK) return -1;
    if (data.kind == STREAMS_VALUE_NULL) return -2;
    (void)snprintf(text, sizeof text, "%.*s", (int)data.size, data.as.text);
    return atoi(text);
}

static uint64_t on_value(void *context, const streams_value *value) {
    collector *self = context;
    int count = self->count;
    if (count < MOST_KEPT) self->numbers[count] = number_of(value);
    if (self->behavior.keep && count < 1000) (void)streams_value_copy(value, &self->kept[count]);
    count = ++self->count;
    if (count == self->behavior.fail_at) return STREAMS_FAIL;
    if (count == self->behavior.cancel_at) (void)streams_subscription_cancel(self->subscription);
    return self->behavior.more;
}

static void on_completion(void *context, const streams_error *error) {
    collector *self = context;
    if (error != NULL) {
        self->code = streams_error_code(error);
        (void)snprintf(self->message, sizeof self->message, "%s", streams_error_message(error));
    }
    self->ended = error != NULL ? 2 : 1;
}

static void on_destroy(void *context) { ((collector *)context)->destroyed = 1; }

collector *collect(streams_publisher *publisher, uint64_t demand, uint64_t more) {
    return collect_as(publisher, (behavior){ .demand = demand, .more = more });
}

collector *collect_as(streams_publisher *publisher, behavior behavior) {
    collector *self = calloc(1, sizeof *self);
    if (publisher == NULL) fail_msg("no publisher: %s", streams_last_message());
    self->behavior = behavior;
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = self;
    subscriber.demand = behavior.demand;
    subscriber.on_subscription = on_subscription;
    subscriber.on_value = on_value;
    subscriber.on_completion = on_completion;
    subscriber.destroy = on_destroy;
    self->cancellable = streams_sink(publisher, &subscriber);
    if (self->cancellable == NULL) fail_msg("%s", streams_last_message());
    return self;
}

void collector_request(collector *self, uint64_t demand) {
    assert_int_equal(streams_subscription_request(self->subscription, demand), STREAMS_OK);
}

void collector_end(collector *self) {
    (void)streams_release(self->cancellable);
    (void)streams_release(self->subscription);
    wait_until(self->destroyed);
    for (int i = 0; i < 1000; i++) (void)streams_value_destroy(&self->kept[i]);
    free(self);
}

server shared;
streams_nats_connection *connection;

void begin_sharing(void) {
    server_prepare(&shared);
    server_start(&shared, NULL);
    connection = connect_to(&shared);
}

int end_sharing(void **state) {
    (void)state;
    assert_ok(streams_nats_release(connection));
    server_remove(&shared);
    return 0;
}

int run_nats_tests(const struct CMUnitTest *tests, size_t count) {
    int failed = _cmocka_run_group_tests("nats", tests, count, NULL, NULL);
    int64_t end = milliseconds() + 20000;
    while (streams_live_handles() != 0 && milliseconds() < end) pause_briefly();
    if (streams_live_handles() != 0) {
        (void)fprintf(stderr, "%zu handles are left\n", streams_live_handles());
        failed++;
    }
    if (nats_CloseAndWait(20000) != NATS_OK) {
        (void)fprintf(stderr, "nats.c has something left\n");
        failed++;
    }
    return failed;
}
