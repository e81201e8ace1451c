/* Where a connection is to go: what is no address is refused, and what cannot be reached is said. */

#define _GNU_SOURCE
#include "server.h"

#include <dlfcn.h>
#include <nats/nats.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

/* Counts the names that are looked up, which can take long. */
static atomic_int lookup_count;

int getaddrinfo(
    const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **results) {
    int (*original)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = NULL;
    *(void **)&original = dlsym(RTLD_NEXT, "getaddrinfo");
    lookup_count++;
    return original(name, service, hints, results);
}

/* ---- Addresses ---------------------------------------------------------------------------------------- */

static void what_is_no_address_is_refused(void **state) {
    (void)state;
    const char *const bad[] = { "", " ", ",", "hello world", "nats://hello world:4222", "127.0.0.1:x",
        "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:99999999999999999999", "127.0.0.1:-1", "127.0.0.1:4 2",
        "nats://a/b:4222", "nats://", "http://[::1", "[::1]4222", "[]:4222", "[x]:4222", "a\nb", "a\"b",
        "nats://127.0.0.1:4222,b c", "nats://127.0.0.1:4222, b:x" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        streams_nats_options options = STREAMS_NATS_OPTIONS_INIT;
        options.servers = bad[i];
        int lookups = lookup_count;
        if (streams_nats_connect(&options) != NULL) fail_msg("\"%s\" is taken", bad[i]);
        assert_int_equal(lookup_count, lookups);
        assert_int_equal(streams_last_status(), STREAMS_INVALID_ARGUMENT);
        if (strstr(streams_last_message(), "address of a server") == NULL)
            fail_msg("\"%s\": %s", bad[i], streams_last_message());
    }
}

static void addresses_are_taken_in_all_their_forms(void **state) {
    (void)state;
    server host;
    server_prepare(&host);
    server_start(&host, NULL);
    const char *const forms[] = { "127.0.0.1:%d", "nats://127.0.0.1:%d/", " nats://127.0.0.1:%d ,",
        ":%d", "nats://me:@:x@127.0.0.1:%d", "no.such.host.invalid:4222, localhost:%d",
        "[::1]:1,localhost:%d" };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, forms[i], host.port);
        streams_nats_options options = STREAMS_NATS_OPTIONS_INIT;
        options.servers = text;
        options.connect_timeout = 60 * STREAMS_SECOND;
        streams_nats_connection *made = streams_nats_connect(&options);
        if (made == NULL) fail_msg("%s: %s", text, streams_last_message());
        if (streams_nats_get_state(made) != STREAMS_NATS_CONNECTED) fail_msg("%s: not connected", text);
        assert_ok(streams_nats_release(made));
    }
    server_remove(&host);
    assert_true(lookup_count > 0);
}

/* ---- Reasons ------------------------------------------------------------------------------------------ */

static void copy_reason(const streams_value *value, char *out, size_t capacity) {
    const streams_value *reason = &value->as.items[1];
    (void)snprintf(out, capacity, "%.*s", (int)reason->size, reason->as.text);
}

/* What a connection's state says now. */
static void reason_of(streams_nats_connection *connection, char *out, size_t capacity) {
    collector *states =
        collect_as(streams_nats_states(connection), (behavior){ .demand = 1, .keep = true });
    wait_until(states->count == 1);
    copy_reason(&states->kept[0], out, capacity);
    collector_end(states);
}

static void assert_says(const char *text, const char *words) {
    if (strstr(text, words) == NULL) fail_msg("\"%s\" does not say \"%s\"", text, words);
    /* What only nats.c's authors know. */
    if (strstr(text, ".c:") != NULL) fail_msg("\"%s\" has a place in nats.c", text);
}

/* Connects to what cannot be reached, and looks what the state and a call say. */
static void assert_reason_within(
    streams_nanoseconds timeout, const char *servers, const char *server, const char *reason) {
    char said[1024];
    streams_nats_options options = STREAMS_NATS_OPTIONS_INIT;
    options.connect_timeout = timeout;
    options.servers = servers;
    options.max_reconnects = -1;
    streams_nats_connection *made = streams_nats_connect(&options);
    if (made == NULL) fail_msg("%s", streams_last_message());
    assert_int_equal(streams_nats_get_state(made), STREAMS_NATS_CONNECTING);
    reason_of(made, said, sizeof said);
    assert_says(said, server);
    assert_says(said, reason);
    assert_status(STREAMS_TIMED_OUT, streams_nats_flush(made, 50 * STREAMS_MILLISECOND));
    assert_says(streams_last_message(), server);
    assert_says(streams_last_message(), reason);
    assert_null(strstr(streams_last_message(), "secret"));
    assert_ok(streams_nats_release(made));
}

static void assert_reason(const char *servers, const char *server, const char *reason) {
    assert_reason_within(0, servers, server, reason);
}

static void the_state_says_why_nothing_is_reached(void **state) {
    (void)state;
    server host;
    char servers[256], server[64];
    server_prepare(&host);
    (void)snprintf(server, sizeof server, "127.0.0.1:%d: ", host.port);
    assert_reason(host.url, server, "Connection refused");
    (void)snprintf(servers, sizeof servers, "nats://me:secret@127.0.0.1:%d", host.port);
    assert_reason(servers, server, "Connection refused");
    assert_reason("no.such.host.invalid", "no.such.host.invalid:4222: ", "ame");
    (void)snprintf(servers, sizeof servers, "%s,no.such.host.invalid", host.url);
    assert_reason(servers, server, "Connection refused");
    assert_reason(servers, "no.such.host.invalid:4222: ", "ame");
    server_remove(&host);
}

/* What looks for the reason takes no longer than an attempt, and says no more than it has seen. */
static void a_server_that_is_silent_is_said_to_be(void **state) {
    (void)state;
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof address;
    int sockets[4];
    for (int i = 0; i < 4; i++) sockets[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(sockets[0], (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(sockets[0], 0), 0);
    assert_int_equal(getsockname(sockets[0], (struct sockaddr *)&address, &length), 0);
    /* They fill its queue. */
    for (int i = 1; i < 4; i++) (void)connect(sockets[i], (struct sockaddr *)&address, sizeof address);
    char servers[64];
    (void)snprintf(servers, sizeof servers, "127.0.0.1:%d", ntohs(address.sin_port));
    assert_reason_within(10 * STREAMS_MILLISECOND, servers, servers, ": no answer within 10 ms");
    for (int i = 0; i < 4; i++) close(sockets[i]);
}

/* The server tries its address no more, and neither what was there nor what comes is silent about it. */
static void a_connection_that_was_given_up_says_why(void **state) {
    (void)state;
    for (int was_there = 0; was_there < 2; was_there++) {
        server host;
        server_prepare(&host);
        if (was_there) server_start(&host, NULL);
        streams_nats_options options = STREAMS_NATS_OPTIONS_INIT;
        options.servers = host.url;
        options.reconnect_wait = 10 * STREAMS_MILLISECOND;
        options.max_reconnects = 2;
        streams_nats_connection *made = streams_nats_connect(&options);
        assert_non_null(made);
        collector *states = collect_as(
            streams_nats_states(made), (behavior){ .demand = STREAMS_UNLIMITED, .keep = true });
        collector *c = collect(streams_nats_subject(made, "x", NULL, 1, STREAMS_NATS_FAIL), 1, 0);
        if (was_there) server_kill(&host);
        wait_until(states->ended == 1 && c->ended == 2);
        char reason[1024];
        copy_reason(&states->kept[states->count - 1], reason, sizeof reason);
        assert_says(reason, "it gave up: 127.0.0.1:");
        assert_says(reason, "Connection refused");
        assert_says(c->message, reason);
        streams_value value = streams_text("x");
        assert_status(STREAMS_TERMINATED, streams_nats_publish(made, "x", &value));
        assert_says(streams_last_message(), reason);
        assert_status(STREAMS_TERMINATED, streams_nats_stream_delete(made, "S"));
        assert_says(streams_last_message(), reason);
        assert_status(STREAMS_TERMINATED, streams_nats_key_delete(made, "b", "k", false));
        assert_says(streams_last_message(), reason);
        char said[1024];
        reason_of(made, said, sizeof said);
        assert_string_equal(said, reason);
        collector *late = collect(streams_nats_publish_confirmed(made, "x", &value), 1, 0);
        wait_until(late->ended == 2);
        assert_says(late->message, reason);
        collector_end(late);
        collector_end(c);
        collector_end(states);
        assert_ok(streams_nats_release(made));
        server_remove(&host);
    }
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_address_is_refused),
        cmocka_unit_test(addresses_are_taken_in_all_their_forms),
        cmocka_unit_test(the_state_says_why_nothing_is_reached),
        cmocka_unit_test(a_server_that_is_silent_is_said_to_be),
        cmocka_unit_test(a_connection_that_was_given_up_says_why),
    };
    if (count > 1) cmocka_set_test_filter(arguments[1]);
    return run_nats_tests(tests, sizeof tests / sizeof tests[0]);
}
