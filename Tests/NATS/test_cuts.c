/* Connections that are cut, or stand and say nothing, while the server runs on. */

#include "host.h"
#include "proxy.h"

static void cut(proxy *way, streams_nats_connection *connection) {
    proxy_cut(way);
    wait_until(streams_nats_get_state(connection) == STREAMS_NATS_RECONNECTING);
}

static void a_demand_made_while_the_way_is_cut_is_served(void **state) {
    (void)state;
    server host;
    proxy way;
    streams_nats_connection *direct = NULL;
    prepare(&host, &direct);
    proxy_start(&way, &host);
    publish_numbers(direct, "s.a", 0, 200);
    streams_nats_connection *connection = connect_to(&way.front);
    collector *c = collect(consume(connection, 0), 100, 0);
    wait_until(c->count == 100);
    cut(&way, connection);
    collector_request(c, 100);
    proxy_open(&way);
    wait_until(c->count == 200);
    collector_end(c);
    assert_ok(streams_nats_release(connection));
    proxy_stop(&way);
    finish(&host, direct);
}

/* A payload that is a number, and long. */
static void put(streams_nats_connection *connection, int number) {
    char text[5000];
    memset(text, ' ', sizeof text);
    (void)snprintf(text, sizeof text, "%d", number);
    text[strlen(text)] = ' ';
    streams_value value = streams_bytes(text, sizeof text);
    assert_ok(streams_nats_key_put(connection, "b", "k", &value, NULL));
}

static void a_watch_has_again_what_was_lost_on_the_way(void **state) {
    (void)state;
    server host;
    proxy way;
    streams_nats_connection *direct = NULL;
    prepare(&host, &direct);
    proxy_start(&way, &host);
    streams_nats_bucket_options options = STREAMS_NATS_BUCKET_OPTIONS_INIT;
    options.name = "b";
    options.history = 10;
    assert_ok(streams_nats_bucket_create(direct, &options));
    streams_nats_connection *connection = connect_to(&way.front);
    collector *c = collect(streams_nats_watch(connection, "b", NULL), STREAMS_UNLIMITED, 0);
    put(direct, 0);
    wait_until(c->count == 1);
    for (int i = 1; i < 10; i += 3) {
        size_t before = way.swallowed;
        proxy_swallow(&way);
        put(direct, i);
        wait_until(way.swallowed > before + 5000);
        cut(&way, connection);
        /* One comes while nobody listens, and one after that. */
        put(direct, i + 1);
        proxy_open(&way);
        wait_until(streams_nats_get_state(connection) == STREAMS_NATS_CONNECTED);
        put(direct, i + 2);
        wait_until(c->count >= i + 3);
    }
    for (int i = 0; i < 10; i++) assert_int_equal(c->numbers[i], i);
    assert_int_equal(c->count, 10);
    collector_end(c);
    streams_nats_stream_info info = STREAMS_NATS_STREAM_INFO_INIT;
    wait_until(
        streams_nats_stream_get_info(direct, "KV_b", &info) == STREAMS_OK && info.consumers == 0);
    assert_ok(streams_nats_release(connection));
    proxy_stop(&way);
    finish(&host, direct);
}

static void a_history_ends_though_its_end_was_lost_on_the_way(void **state) {
    (void)state;
    server host;
    proxy way;
    streams_nats_connection *direct = NULL;
    prepare(&host, &direct);
    proxy_start(&way, &host);
    streams_nats_bucket_options options = STREAMS_NATS_BUCKET_OPTIONS_INIT;
    options.name = "b";
    options.history = 10;
    assert_ok(streams_nats_bucket_create(direct, &options));
    for (int i = 0; i < 10; i++) put(direct, i);
    streams_nats_connection *connection = connect_to(&way.front);
    collector *c = collect(streams_nats_key_history(connection, "b", "k"), 5, 0);
    wait_until(c->count == 5);
    proxy_swallow(&way);
    collector_request(c, 100);
    wait_until(way.swallowed > 25000);
    cut(&way, connection);
    proxy_open(&way);
    wait_until(c->ended == 1);
    assert_int_equal(c->count, 10);
    for (int i = 0; i < 10; i++) assert_int_equal(c->numbers[i], i);
    collector_end(c);
    assert_ok(streams_nats_release(connection));
    proxy_stop(&way);
    finish(&host, direct);
}

/* The ways in which a server can be gone amid the first handshake: before it has greeted, and after that. */
static void (*const goes[])(proxy *) = { proxy_cut, proxy_be_rude };
enum { GOES = sizeof goes / sizeof goes[0] };

/* A connection to a server that goes amid the first handshake, in one of the ways. */
typedef struct trial {
    server host;
    proxy way;
    streams_nats_connection *direct, *connection;
} trial;

static void trial_begin(trial *self, void (*go)(proxy *way), int64_t most) {
    prepare(&self->host, &self->direct);
    proxy_start(&self->way, &self->host);
    publish_numbers(self->direct, "s.a", 0, 10);
    go(&self->way);
    self->connection = connect_soon(&self->way.front, most);
}

static void trial_end(trial *self) {
    assert_ok(streams_nats_release(self->connection));
    proxy_stop(&self->way);
    finish(&self->host, self->direct);
}

static void a_server_that_goes_amid_the_first_handshake_is_tried_again(void **state) {
    (void)state;
    for (int i = 0; i < GOES; i++) {
        trial it;
        trial_begin(&it, goes[i], -1);
        assert_int_equal(streams_nats_get_state(it.connection), STREAMS_NATS_CONNECTING);
        collector *c = collect(consume(it.connection, 0), 10, 0);
        size_t before = it.way.turned_away;
        wait_until(it.way.turned_away > before + 3);
        assert_int_equal(streams_nats_get_state(it.connection), STREAMS_NATS_CONNECTING);
        proxy_open(&it.way);
        wait_until(c->count == 10);
        assert_int_equal(streams_nats_get_state(it.connection), STREAMS_NATS_CONNECTED);
        collector_end(c);
        trial_end(&it);
    }
}

static void a_server_that_goes_amid_each_handshake_is_given_up_at_the_limit(void **state) {
    (void)state;
    for (int i = 0; i < GOES; i++) {
        trial it;
        trial_begin(&it, goes[i], 3);
        wait_until(streams_nats_get_state(it.connection) == STREAMS_NATS_CLOSED);
        /* Two attempts are those of the call, which also looks whether anything is there, silently. */
        assert_int_equal(it.way.turned_away, 2 + (goes[i] == proxy_cut) + 3);
        trial_end(&it);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_demand_made_while_the_way_is_cut_is_served),
        cmocka_unit_test(a_watch_has_again_what_was_lost_on_the_way),
        cmocka_unit_test(a_history_ends_though_its_end_was_lost_on_the_way),
        cmocka_unit_test(a_server_that_goes_amid_the_first_handshake_is_tried_again),
        cmocka_unit_test(a_server_that_goes_amid_each_handshake_is_given_up_at_the_limit),
    };
    return run_nats_tests(tests, sizeof tests / sizeof tests[0]);
}
