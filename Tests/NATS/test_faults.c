/* What goes wrong: servers that are not there, or go; streams that are deleted; bad handles; forks. */

#define _GNU_SOURCE
#include "host.h"

#include <nats/nats.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static streams_nats_options options_for(const server *self) {
    streams_nats_options options = STREAMS_NATS_OPTIONS_INIT;
    options.servers = self->url;
    options.reconnect_wait = 50 * STREAMS_MILLISECOND;
    return options;
}

static void a_server_may_come_later(void **state) {
    (void)state;
    server host;
    server_prepare(&host);
    streams_nats_options options = options_for(&host);
    options.max_reconnects = -1;
    streams_nats_connection *connection = streams_nats_connect(&options);
    assert_non_null(connection);
    assert_int_equal(streams_nats_get_state(connection), STREAMS_NATS_CONNECTING);
    collector *c = collect(consume(connection, 0), STREAMS_UNLIMITED, 0);
    server_start(&host, NULL);
    streams_nats_connection *other = connect_to(&host);
    make_stream(other, "S", "s.>");
    /* The stream may have been looked for before it was there. */
    wait_until(streams_nats_get_state(connection) == STREAMS_NATS_CONNECTED);
    collector_end(c);
    c = collect(consume(connection, 0), STREAMS_UNLIMITED, 0);
    publish_numbers(other, "s.a", 0, 10);
    wait_until(c->count == 10);
    collector_end(c);
    assert_ok(streams_nats_release(other));
    finish(&host, connection);
}

static void attempts_end_at_their_limit(void **state) {
    (void)state;
    server host;
    server_prepare(&host);
    streams_nats_options options = options_for(&host);
    options.max_reconnects = 3;
    streams_nats_connection *connection = streams_nats_connect(&options);
    assert_non_null(connection);
    collector *states = collect(streams_nats_states(connection), STREAMS_UNLIMITED, 0);
    collector *c = collect(consume(connection, 0), STREAMS_UNLIMITED, 0);
    wait_until(c->ended == 2);
    assert_int_equal(c->code, NATS_CONNECTION_CLOSED);
    assert_non_null(strstr(c->message, "is closed"));
    wait_until(states->ended == 1);
    assert_int_equal(streams_nats_get_state(connection), STREAMS_NATS_CLOSED);
    collector_end(c);
    collector_end(states);
    finish(&host, connection);
}

static void wrong_credentials_are_said(void **state) {
    (void)state;
    const char *const extra[] = { "--user", "me", "--pass", "right", NULL };
    server host;
    server_prepare(&host);
    server_start(&host, extra);
    streams_nats_options options = options_for(&host);
    options.connect_timeout = 60 * STREAMS_SECOND;
    options.user = "me";
    options.password = "wrong";
    assert_null(streams_nats_connect(&options));
    assert_int_equal(streams_last_status(), STREAMS_NATS_FAILED);
    assert_non_null(strstr(streams_last_message(), "Authorization Violation"));
    options.password = "right";
    streams_nats_connection *connection = streams_nats_connect(&options);
    assert_non_null(connection);
    finish(&host, connection);
}

static void goes_on_after_the_server_was_killed(void **state) {
    (void)state;
    server host;
    streams_nats_connection *connection = NULL;
    prepare(&host, &connection);
    publish_numbers(connection, "s.a", 0, 3000);
    collector *c = collect(consume(connection, 50), 100, 0);
    wait_until(c->count == 100);
    for (int round = 0; round < 3; round++) {
        server_kill(&host);
        wait_until(streams_nats_get_state(connection) == STREAMS_NATS_RECONNECTING);
        server_start(&host, NULL);
        collector_request(c, 500);
        wait_until(c->count >= 100 + 500 * (round + 1));
    }
    collector_request(c, 100000);
    bool seen[3000] = { false };
    int got = 0, looked = 0;
    int64_t limit = milliseconds() + 60000;
    while (got < 3000 && milliseconds() < limit) {
        for (; looked < c->count; looked++)
            if (!seen[c->numbers[looked]]) {
                seen[c->numbers[looked]] = true;
                got++;
            }
        pause_briefly();
    }
    assert_int_equal(got, 3000);
    collector_end(c);
    finish(&host, connection);
}

static void a_pull_that_waits_survives_a_restart(void **state) {
    (void)state;
    server host;
    streams_nats_connection *connection = NULL;
    prepare(&host, &connection);
    collector *c = collect(consume(connection, 50), STREAMS_UNLIMITED, 0);
    wait_until(consumer_info(connection, "S", "d").waiting > 0);
    server_stop(&host);
    wait_until(streams_nats_get_state(connection) == STREAMS_NATS_RECONNECTING);
    server_start(&host, NULL);
    wait_until(streams_nats_get_state(connection) == STREAMS_NATS_CONNECTED);
    wait_until(consumer_info(connection, "S", "d").waiting > 0);
    publish_numbers(connection, "s.a", 0, 100);
    wait_until(c->count == 100);
    collector_end(c);
    finish(&host, connection);
}

static void a_paused_server_is_waited_for(void **state) {
    (void)state;
    server host;
    streams_nats_connection *connection = NULL;
    prepare(&host, &connection);
    publish_numbers(connection, "s.a", 0, 100);
    collector *c = collect(consume(connection, 10), 50, 0);
    wait_until(c->count == 50);
    server_pause(&host);
    collector_request(c, 50);
    server_continue(&host);
    wait_until(c->count == 100);
    collector_end(c);
    finish(&host, connection);
}

static void publishing_goes_on_after_a_restart(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    server host;
    streams_nats_connection *connection = NULL;
    prepare(&host, &connection);
    streams_publisher *p = numbers(0, COUNT);
    streams_nats_publish_options options = STREAMS_NATS_PUBLISH_OPTIONS_INIT;
    options.subject = "s.a";
    options.window = 100;
    options.confirm_wait = STREAMS_SECOND;
    options.retries = 60;
    collector *result = collect(streams_nats_publish_all(p, connection, &options), 1, 0);
    streams_nats_stream_info info = STREAMS_NATS_STREAM_INFO_INIT;
    wait_until(streams_nats_stream_get_info(connection, "S", &info) == STREAMS_OK && info.messages > 1000);
    server_kill(&host);
    server_start(&host, NULL);
    wait_until(result->ended != 0);
    assert_string_equal(result->message, "");
    assert_int_equal(result->numbers[0], COUNT);
    collector_end(result);
    collector *c = collect(consume(connection, 0), STREAMS_UNLIMITED, 0);
    static bool seen[COUNT];
    memset(seen, 0, sizeof seen);
    /* The first of each come in order. */
    int next = 0, looked = 0;
    int64_t limit = milliseconds() + 60000;
    while (next < COUNT && milliseconds() < limit) {
        for (; looked < c->count; looked++) {
            int number = c->numbers[looked];
            if (seen[number]) continue;
            assert_int_equal(number, next);
            seen[number] = true;
            next++;
        }
        pause_briefly();
    }
    assert_int_equal(next, COUNT);
    collector_end(c);
    finish(&host, connection);
}

static void closing_ends_live_streams(void **state) {
    (void)state;
    server host;
    streams_nats_connection *connection = NULL;
    prepare(&host, &connection);
    publish_numbers(connection, "s.a", 0, 10);
    collector *c = collect(consume(connection, 0), 5, 0);
    collector *subject = collect(streams_nats_subject(connection, "x", NULL, 10, STREAMS_NATS_FAIL), 5, 0);
    wait_until(c->count == 5);
    assert_ok(streams_nats_close(connection));
    wait_until(c->ended == 2 && subject->ended == 2);
    assert_int_equal(c->code, NATS_CONNECTION_CLOSED);
    assert_non_null(strstr(c->message, "is closed"));
    assert_int_equal(streams_nats_get_state(connection), STREAMS_NATS_CLOSED);
    streams_value value = streams_text("x");
    assert_status(STREAMS_TERMINATED, streams_nats_publish(connection, "s.a", &value));
    collector *late = collect(consume(connection, 0), 5, 0);
    wait_until(late->ended == 2);
    assert_ok(streams_nats_close(connection));
    collector_end(c);
    collector_end(subject);
    collector_end(late);
    finish(&host, connection);
}

static uint64_t close_connection(void *context, const streams_value *value) {
    (void)value;
    (void)streams_nats_close(context);
    return 0;
}

static void a_callback_may_close(void **state) {
    (void)state;
    server host;
    streams_nats_connection *connection = NULL;
    prepare(&host, &connection);
    publish_numbers(connection, "s.a", 0, 10);
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = connection;
    subscriber.on_value = close_connection;
    streams_cancellable *cancellable = streams_sink(consume(connection, 0), &subscriber);
    wait_until(streams_nats_get_state(connection) == STREAMS_NATS_CLOSED);
    (void)streams_release(cancellable);
    assert_ok(streams_nats_release(connection));
    /* All of them wait for the next reader. */
    connection = connect_to(&host);
    collector *c = collect(consume(connection, 0), STREAMS_UNLIMITED, 0);
    wait_until(c->count == 10);
    collector_end(c);
    finish(&host, connection);
}

static void bad_handles_are_refused(void **state) {
    (void)state;
    server host;
    streams_nats_connection *connection = NULL;
    prepare(&host, &connection);
    streams_publisher *wrong = streams_empty(true);
    streams_value value = streams_text("x");
    const struct {
        streams_nats_connection *handle;
        streams_status status;
    } cases[] = { { NULL, STREAMS_NULL_HANDLE }, { (streams_nats_connection *)wrong, STREAMS_WRONG_KIND },
        { (streams_nats_connection *)&value, STREAMS_STALE_HANDLE }, { connection, STREAMS_STALE_HANDLE } };
    assert_int_equal(streams_nats_release((streams_nats_connection *)wrong), STREAMS_WRONG_KIND);
    assert_int_equal(streams_release(connection), STREAMS_STALE_HANDLE);
    assert_ok(streams_nats_retain(connection));
    assert_ok(streams_nats_release(connection));
    assert_ok(streams_nats_release(connection));
    for (int i = 0; i < 4; i++) {
        streams_nats_connection *h = cases[i].handle;
        assert_status(cases[i].status, streams_nats_release(h));
        assert_status(cases[i].status, streams_nats_retain(h));
        assert_status(cases[i].status, streams_nats_close(h));
        assert_status(cases[i].status, streams_nats_publish(h, "x", &value));
        assert_status(cases[i].status, streams_nats_key_put(h, "b", "k", &value, NULL));
        assert_null(consume(h, 0));
        assert_int_equal(streams_last_status(), cases[i].status);
        assert_null(streams_nats_subject(h, "x", NULL, 1, STREAMS_NATS_FAIL));
        assert_null(streams_nats_states(h));
        assert_null(streams_nats_request(h, "x", &value, STREAMS_SECOND));
        assert_null(streams_nats_watch(h, "b", NULL));
    }
    (void)streams_release(wrong);
    server_remove(&host);
}

static void a_child_refuses_the_connection(void **state) {
    (void)state;
    server host;
    streams_nats_connection *connection = NULL;
    prepare(&host, &connection);
    publish_numbers(connection, "s.a", 0, 10);
    collector *c = collect(consume(connection, 0), 5, 0);
    wait_until(c->count == 5);
    streams_value value = streams_text("x");
    pid_t child = fork();
    if (child == 0) {
        bool right = streams_nats_publish(connection, "s.a", &value) == STREAMS_TERMINATED;
        right &= consume(connection, 0) == NULL && streams_last_status() == STREAMS_TERMINATED;
        right &= streams_nats_connect(NULL) == NULL && streams_last_status() == STREAMS_TERMINATED;
        right &= streams_release(c->cancellable) == STREAMS_OK;
        right &= streams_nats_release(connection) == STREAMS_OK;
        (void)execlp(right ? "true" : "false", "child", NULL);
        _exit(1);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    collector_request(c, 5);
    wait_until(c->count == 10);
    collector_end(c);
    finish(&host, connection);
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_server_may_come_later),
        cmocka_unit_test(attempts_end_at_their_limit),
        cmocka_unit_test(wrong_credentials_are_said),
        cmocka_unit_test(goes_on_after_the_server_was_killed),
        cmocka_unit_test(a_pull_that_waits_survives_a_restart),
        cmocka_unit_test(a_paused_server_is_waited_for),
        cmocka_unit_test(publishing_goes_on_after_a_restart),
        cmocka_unit_test(closing_ends_live_streams),
        cmocka_unit_test(a_callback_may_close),
        cmocka_unit_test(bad_handles_are_refused),
        cmocka_unit_test(a_child_refuses_the_connection),
    };
    if (count > 1) cmocka_set_test_filter(arguments[1]);
    return run_nats_tests(tests, sizeof tests / sizeof tests[0]);
}
