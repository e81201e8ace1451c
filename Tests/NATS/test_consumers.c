/* Consumers of the server that are deleted, are of others' making, or deliver again. */

#include "host.h"

#include <nats/nats.h>

static void a_deleted_consumer_or_stream_fails(void **state) {
    (void)state;
    server host;
    streams_nats_connection *connection = NULL;
    prepare(&host, &connection);
    collector *c = collect(consume(connection, 0), STREAMS_UNLIMITED, 0);
    wait_until(consumer_info(connection, "S", "d").waiting > 0);
    assert_ok(streams_nats_consumer_delete(connection, "S", "d"));
    wait_until(c->ended == 2);
    assert_int_equal(c->code, JSConsumerNotFoundErr);
    assert_non_null(strstr(c->message, "consumer d of stream S"));
    collector_end(c);
    c = collect(consume(connection, 0), STREAMS_UNLIMITED, 0);
    wait_until(consumer_info(connection, "S", "d").waiting > 0);
    assert_ok(streams_nats_stream_delete(connection, "S"));
    wait_until(c->ended == 2);
    collector_end(c);
    c = collect(consume(connection, 0), STREAMS_UNLIMITED, 0);
    wait_until(c->ended == 2);
    assert_int_equal(c->code, JSStreamNotFoundErr);
    collector_end(c);
    finish(&host, connection);
}

static void too_short_a_wait_delivers_again(void **state) {
    (void)state;
    server host;
    streams_nats_connection *connection = NULL;
    prepare(&host, &connection);
    publish_numbers(connection, "s.a", 0, 1);
    streams_nats_consume_options options = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    options.stream = "S";
    options.durable = "short";
    options.acknowledge_wait = 100 * STREAMS_MILLISECOND;
    options.acknowledgement = STREAMS_NATS_ACKNOWLEDGE_BY_HAND;
    collector *c = collect_as(streams_nats_consume(connection, &options),
        (behavior){ .demand = STREAMS_UNLIMITED, .keep = true });
    wait_until(c->count >= 3);
    streams_nats_metadata data = STREAMS_NATS_METADATA_INIT;
    assert_ok(streams_nats_get_metadata(&c->kept[2], &data));
    assert_int_equal(data.deliveries, 3);
    assert_ok(streams_nats_acknowledge(&c->kept[2]));
    collector_end(c);
    finish(&host, connection);
}

static void a_message_that_is_dropped_is_kept_once(void **state) {
    (void)state;
    server host;
    streams_nats_connection *connection = NULL;
    prepare(&host, &connection);
    publish_numbers(connection, "s.a", 0, 1);
    streams_nats_consume_options options = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    options.stream = "S";
    options.durable = "short";
    options.acknowledge_wait = 100 * STREAMS_MILLISECOND;
    options.max_deliver = 4;
    options.acknowledgement = STREAMS_NATS_ACKNOWLEDGE_BY_HAND;
    collector *words = collect(
        streams_nats_subject(connection, "$JS.ACK.S.>", NULL, 100, STREAMS_NATS_FAIL), STREAMS_UNLIMITED, 0);
    collector *c = collect(streams_nats_consume(connection, &options), STREAMS_UNLIMITED, 0);
    wait_until(c->count == 4);
    collector_end(c);
    /* The end rejects what is kept, and then this comes. */
    streams_value last = streams_text("7");
    assert_ok(streams_nats_publish(connection, "$JS.ACK.S.last", &last));
    wait_until(words->count > 0 && words->numbers[words->count - 1] == 7);
    assert_int_equal(words->count, 2);
    collector_end(words);
    finish(&host, connection);
}

static void a_consumer_may_bound_how_long_requests_stand(void **state) {
    (void)state;
    server host;
    streams_nats_connection *connection = NULL;
    prepare(&host, &connection);
    natsConnection *plain = NULL;
    jsCtx *js = NULL;
    jsConsumerConfig config;
    assert_int_equal(jsConsumerConfig_Init(&config), NATS_OK);
    config.Durable = "d";
    config.AckPolicy = js_AckExplicit;
    config.MaxRequestExpires = STREAMS_SECOND;
    assert_int_equal(natsConnection_ConnectTo(&plain, host.url), NATS_OK);
    assert_int_equal(natsConnection_JetStream(&js, plain, NULL), NATS_OK);
    assert_int_equal(js_AddConsumer(NULL, js, "S", &config, NULL, NULL), NATS_OK);
    jsCtx_Destroy(js);
    natsConnection_Destroy(plain);
    collector *c = collect(consume(connection, 0), STREAMS_UNLIMITED, 0);
    wait_until(consumer_info(connection, "S", "d").waiting > 0);
    publish_numbers(connection, "s.a", 0, 10);
    wait_until(c->count == 10);
    collector_end(c);
    finish(&host, connection);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deleted_consumer_or_stream_fails),
        cmocka_unit_test(too_short_a_wait_delivers_again),
        cmocka_unit_test(a_message_that_is_dropped_is_kept_once),
        cmocka_unit_test(a_consumer_may_bound_how_long_requests_stand),
    };
    return run_nats_tests(tests, sizeof tests / sizeof tests[0]);
}
