/* Closing in callbacks, the child of a fork, and what a connection has dropped. */

#include "server.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int begin(void **state) {
    (void)state;
    server_prepare(&shared);
    server_start(&shared, NULL);
    return 0;
}

static int end(void **state) {
    (void)state;
    server_remove(&shared);
    return 0;
}

/* How long a close in a callback takes, -1 before; and the least time until the connection was closed. */
static atomic_int_least64_t took;
static int64_t shortest;

static void close_now(void) {
    int64_t then = milliseconds();
    assert_ok(streams_nats_close(connection));
    took = milliseconds() - then;
}

static void wait_for_close(streams_cancellable *cancellable) {
    wait_until(took >= 0);
    int64_t then = milliseconds();
    wait_until(streams_nats_get_state(connection) == STREAMS_NATS_CLOSED);
    then = took + milliseconds() - then;
    if (then < shortest) shortest = then;
    (void)streams_release(cancellable);
    assert_ok(streams_nats_release(connection));
}

/* The connection's own threads have to be free for the close. Where one waits for itself, it takes 3 seconds
 * or 5 each time, and else only on a busy machine. */
static void assert_closes_soon(void (*close)(void)) {
    shortest = INT64_MAX;
    for (int i = 0; i < 5 && shortest > 2500; i++) {
        connection = connect_to(&shared);
        took = -1;
        close();
    }
    assert_true(shortest <= 2500);
}

static uint64_t close_when_lost(void *context, const streams_value *pair) {
    (void)context;
    if (took < 0 && pair->as.items[0].as.integer == STREAMS_NATS_RECONNECTING) close_now();
    return 0;
}

static void lose(void) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.on_value = close_when_lost;
    streams_cancellable *states = streams_sink(streams_nats_states(connection), &subscriber);
    server_stop(&shared);
    wait_for_close(states);
    server_start(&shared, NULL);
}

static void a_subscriber_of_states_may_close(void **state) {
    (void)state;
    assert_closes_soon(lose);
}

static void close_at_the_end(void *context, const streams_error *error) {
    (void)context;
    assert_non_null(error);
    close_now();
}

static uint64_t close_at_once(void *context, const streams_value *value) {
    (void)context;
    (void)value;
    if (took < 0) close_now();
    return 0;
}

static void ask_in_vain(void) {
    collector *silent =
        collect(streams_nats_subject(connection, "silent", NULL, 1, STREAMS_NATS_FAIL), 1, 0);
    assert_ok(streams_nats_flush(connection, STREAMS_SECOND * 5));
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.on_value = close_at_once;
    subscriber.on_completion = close_at_the_end;
    streams_value value = streams_text("1");
    streams_publisher *request =
        streams_nats_request(connection, "silent", &value, 50 * STREAMS_MILLISECOND);
    wait_for_close(streams_sink(request, &subscriber));
    collector_end(silent);
}

static void a_failure_may_close(void **state) {
    (void)state;
    assert_closes_soon(ask_in_vain);
}

static void receive(void) {
    make_stream(connection, "S", "s.>");
    publish_numbers(connection, "s.a", 0, 10);
    streams_nats_consume_options options = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    options.stream = "S";
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.on_value = close_at_once;
    wait_for_close(streams_sink(streams_nats_consume(connection, &options), &subscriber));
}

static void a_message_may_close(void **state) {
    (void)state;
    assert_closes_soon(receive);
}

/* ---- Forks -------------------------------------------------------------------------------------------- */

/* What the child has of the parent's streams goes without nats.c. */
static void a_child_releases_streams(void **state) {
    (void)state;
    connection = connect_to(&shared);
    make_stream(connection, "F", "f.>");
    streams_nats_publish_options options = STREAMS_NATS_PUBLISH_OPTIONS_INIT;
    options.subject = "f.a";
    collector *subject = collect(streams_nats_subject(connection, "x", NULL, 9, STREAMS_NATS_FAIL), 1, 0);
    collector *publication =
        collect(streams_nats_publish_all(streams_empty(false), connection, &options), 1, 0);
    pid_t child = fork();
    if (child == 0) {
        bool right = streams_release(subject->cancellable) == STREAMS_OK;
        right &= streams_release(publication->cancellable) == STREAMS_OK;
        right &= streams_nats_release(connection) == STREAMS_OK;
        (void)execlp(right ? "true" : "false", "child", NULL);
        _exit(1);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    collector_end(subject);
    collector_end(publication);
    assert_ok(streams_nats_release(connection));
}

typedef struct reading {
    streams_value message;
    atomic_bool over;
} reading;

static void *read_headers(void *context) {
    reading *self = context;
    while (!self->over) {
        streams_value headers;
        assert_ok(streams_nats_headers(&self->message, &headers));
        (void)streams_value_destroy(&headers);
    }
    return NULL;
}

static void read_in_a_child(const reading *self) {
    pid_t child = fork();
    if (child == 0) {
        const char *text = NULL;
        (void)alarm(60);
        bool right = streams_nats_header(&self->message, "a", &text) == STREAMS_OK && text != NULL;
        (void)execlp(right ? "true" : "false", "child", NULL);
        _exit(1);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void a_child_reads_headers_while_the_parent_does(void **state) {
    (void)state;
    enum { HEADERS = 500 };
    static const char *headers[2 * HEADERS];
    for (int i = 0; i < 2 * HEADERS; i++) headers[i] = i % 2 == 0 ? "a" : "1";
    reading self = { 0 };
    streams_value payload = streams_text("1");
    assert_ok(streams_nats_message(&payload, headers, HEADERS, NULL, &self.message));
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&threads[i], NULL, read_headers, &self), 0);
    for (int i = 0; i < 50; i++) read_in_a_child(&self);
    self.over = true;
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    (void)streams_value_destroy(&self.message);
}

/* ---- Dropped ------------------------------------------------------------------------------------------ */

typedef struct gate {
    atomic_int count;
    atomic_bool open, destroyed;
} gate;

static void note_destroyed(void *context) { ((gate *)context)->destroyed = true; }

static uint64_t wait_at_the_gate(void *context, const streams_value *value) {
    (void)value;
    gate *self = context;
    self->count++;
    wait_until(self->open);
    return 0;
}

/* A subscriber that waits at a gate while most of 500 messages are dropped. */
static streams_cancellable *drop_many(gate *here) {
    streams_nats_options options = STREAMS_NATS_OPTIONS_INIT;
    options.servers = shared.url;
    options.pending_messages = 10;
    options.reconnect_wait = 50 * STREAMS_MILLISECOND;
    options.max_reconnects = 1;
    connection = streams_nats_connect(&options);
    assert_non_null(connection);
    *here = (gate){ 0 };
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = here;
    subscriber.on_value = wait_at_the_gate;
    subscriber.destroy = note_destroyed;
    streams_publisher *p = streams_nats_subject(connection, "many", NULL, 1000, STREAMS_NATS_FAIL);
    streams_cancellable *cancellable = streams_sink(p, &subscriber);
    streams_value value = streams_text("1");
    for (int i = 0; i < 500; i++) assert_ok(streams_nats_publish(connection, "many", &value));
    assert_ok(streams_nats_flush(connection, STREAMS_SECOND * 5));
    return cancellable;
}

static void what_is_dropped_is_counted_once(void **state) {
    (void)state;
    gate here;
    streams_cancellable *cancellable = drop_many(&here);
    streams_value value = streams_text("1");
    assert_true(streams_nats_dropped(connection) >= 480);
    here.open = true;
    wait_until((uint64_t)here.count + streams_nats_dropped(connection) == 500);
    for (int i = 0; i < 5; i++) assert_ok(streams_nats_publish(connection, "many", &value));
    wait_until((uint64_t)here.count + streams_nats_dropped(connection) == 505);
    uint64_t dropped = streams_nats_dropped(connection);
    (void)streams_release(cancellable);
    assert_true(streams_nats_dropped(connection) == dropped);
    assert_ok(streams_nats_close(connection));
    assert_true(streams_nats_dropped(connection) == dropped);
    assert_ok(streams_nats_release(connection));
    wait_until(here.destroyed);
}

static void what_was_dropped_is_known_after_the_connection(void **state) {
    (void)state;
    gate here;
    streams_cancellable *cancellable = drop_many(&here);
    server_stop(&shared);
    wait_until(streams_nats_get_state(connection) == STREAMS_NATS_CLOSED);
    assert_true(streams_nats_dropped(connection) >= 480);
    here.open = true;
    (void)streams_release(cancellable);
    assert_true(streams_nats_dropped(connection) >= 480);
    assert_ok(streams_nats_release(connection));
    wait_until(here.destroyed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_subscriber_of_states_may_close, begin),
        cmocka_unit_test(a_failure_may_close),
        cmocka_unit_test(a_message_may_close),
        cmocka_unit_test(a_child_releases_streams),
        cmocka_unit_test(a_child_reads_headers_while_the_parent_does),
        cmocka_unit_test(what_is_dropped_is_counted_once),
        cmocka_unit_test_teardown(what_was_dropped_is_known_after_the_connection, end),
    };
    return run_nats_tests(tests, sizeof tests / sizeof tests[0]);
}
