/* The messages of a consumer: demand, acknowledgements, cancellations. */

#include "server.h"

static streams_publisher *consume(
    const char *durable, streams_nats_acknowledgement acknowledgement, uint64_t most) {
    streams_nats_consume_options options = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    options.stream = "S";
    options.durable = durable;
    options.acknowledgement = acknowledgement;
    options.acknowledge_wait = 600 * STREAMS_SECOND;
    options.most = most;
    return streams_nats_consume(connection, &options);
}

static int begin(void **state) {
    (void)state;
    begin_sharing();
    make_stream(connection, "S", "s.>");
    return 0;
}

static int forget_messages(void **state) {
    (void)state;
    (void)streams_nats_consumer_delete(connection, "S", "d");
    return streams_nats_stream_purge(connection, "S") != STREAMS_OK;
}

static void assert_in_order(const collector *c, int from, int count) {
    for (int i = 0; i < count; i++) assert_int_equal(c->numbers[i], from + i);
}

static void all_come_in_order_and_are_acknowledged(void **state) {
    (void)state;
    publish_numbers(connection, "s.a", 0, 5000);
    collector *c = collect(consume("d", STREAMS_NATS_ACKNOWLEDGE_AFTER, 100), STREAMS_UNLIMITED, 0);
    wait_until(c->count == 5000);
    assert_in_order(c, 0, 5000);
    wait_until(consumer_info(connection, "S", "d").acknowledge_pending == 0);
    assert_int_equal(consumer_info(connection, "S", "d").redelivered, 0);
    collector_end(c);
}

static void no_more_come_than_are_demanded(void **state) {
    (void)state;
    publish_numbers(connection, "s.a", 0, 100);
    collector *c = collect_as(
        consume("d", STREAMS_NATS_ACKNOWLEDGE_BY_HAND, 0), (behavior){ .demand = 7, .keep = true });
    wait_until(c->count == 7);
    for (int i = 0; i < 20; i++) assert_true(consumer_info(connection, "S", "d").acknowledge_pending <= 7);
    assert_int_equal(consumer_info(connection, "S", "d").pending, 93);
    collector_request(c, 5);
    wait_until(c->count == 12);
    assert_int_equal(consumer_info(connection, "S", "d").acknowledge_pending, 12);
    assert_in_order(c, 0, 12);
    collector_end(c);
}

static void a_demand_of_one_goes_one_by_one(void **state) {
    (void)state;
    publish_numbers(connection, "s.a", 0, 500);
    collector *c = collect(consume("d", STREAMS_NATS_ACKNOWLEDGE_AFTER, 0), 1, 1);
    while (c->count < 500) assert_true(consumer_info(connection, "S", "d").acknowledge_pending <= 1);
    wait_until(consumer_info(connection, "S", "d").acknowledge_pending == 0);
    assert_in_order(c, 0, 500);
    collector_end(c);
}

static void what_is_held_when_cancelled_is_rejected_at_once(void **state) {
    (void)state;
    publish_numbers(connection, "s.a", 0, 10);
    collector *first = collect(consume("d", STREAMS_NATS_ACKNOWLEDGE_BY_HAND, 0), 10, 0);
    wait_until(first->count == 10);
    collector_end(first);
    collector *second = collect(consume("d", STREAMS_NATS_ACKNOWLEDGE_AFTER, 0), STREAMS_UNLIMITED, 0);
    wait_until(second->count == 10);
    wait_until(consumer_info(connection, "S", "d").acknowledge_pending == 0);
    collector_end(second);
}

static void cancelling_in_the_middle_loses_nothing(void **state) {
    (void)state;
    bool seen[2000] = { false };
    publish_numbers(connection, "s.a", 0, 2000);
    int got = 0;
    for (int round = 0; got < 2000 && round < 200; round++) {
        collector *c = collect_as(consume("d", STREAMS_NATS_ACKNOWLEDGE_AFTER, 200),
            (behavior){ .demand = STREAMS_UNLIMITED, .cancel_at = 137 });
        wait_until(c->count >= 137 || got + c->count >= 2000);
        collector *was = c;
        for (int i = 0; i < was->count; i++)
            if (!seen[was->numbers[i]]) {
                seen[was->numbers[i]] = true;
                got++;
            }
        collector_end(c);
    }
    for (int i = 0; i < 2000; i++) assert_true(seen[i]);
}

/* ---- A cancellation that is on its way to the consumer -------------------------------- */

static atomic_int passing; /* values that were about to reach the subscriber */

static void note_value(void *context, const streams_value *value) {
    (void)context;
    (void)value;
    passing++;
}

/* The subscriber has been cancelled, and the consumer is not yet. */
static void let_two_come(void *context) {
    (void)context;
    publish_numbers(connection, "s.a", 1, 2);
    /* What became of the first is decided when the second comes. */
    wait_until(passing == 3);
}

static void what_comes_amid_a_cancellation_is_rejected(void **state) {
    (void)state;
    const streams_nats_acknowledgement policies[] = { STREAMS_NATS_ACKNOWLEDGE_AFTER,
        STREAMS_NATS_ACKNOWLEDGE_BY_HAND };
    for (size_t i = 0; i < 2; i++) {
        forget_messages(state);
        passing = 0;
        publish_numbers(connection, "s.a", 0, 1);
        streams_event_handlers first = STREAMS_EVENT_HANDLERS_INIT, second = first;
        first.on_value = note_value;
        second.on_cancel = let_two_come;
        streams_publisher *noted = streams_handle_events(consume("d", policies[i], 0), &first);
        collector *c = collect(streams_handle_events(noted, &second), STREAMS_UNLIMITED, 0);
        wait_until(c->count == 1);
        collector_end(c);
        c = collect(consume("d", STREAMS_NATS_ACKNOWLEDGE_AFTER, 0), STREAMS_UNLIMITED, 0);
        wait_until(c->count >= 2);
        wait_until(consumer_info(connection, "S", "d").acknowledge_pending == 0);
        collector_end(c);
    }
}

static void a_value_that_fails_comes_again(void **state) {
    (void)state;
    publish_numbers(connection, "s.a", 0, 3);
    streams_publisher *p = consume("d", STREAMS_NATS_ACKNOWLEDGE_AFTER, 0);
    assert_int_equal(streams_retain(p), STREAMS_OK);
    collector *c = collect_as(p, (behavior){ .demand = 2, .fail_at = 2 });
    wait_until(c->ended == 2);
    collector_end(c);
    c = collect(p, STREAMS_UNLIMITED, 0);
    wait_until(c->count == 2);
    wait_until(consumer_info(connection, "S", "d").acknowledge_pending == 0);
    collector_end(c);
}

static void settles_by_hand(void **state) {
    (void)state;
    publish_numbers(connection, "s.a", 0, 4);
    collector *c = collect_as(
        consume("d", STREAMS_NATS_ACKNOWLEDGE_BY_HAND, 0), (behavior){ .demand = 100, .keep = true });
    wait_until(c->count == 4);
    assert_ok(streams_nats_acknowledge(&c->kept[0]));
    assert_status(STREAMS_TERMINATED, streams_nats_acknowledge(&c->kept[0]));
    assert_status(STREAMS_TERMINATED, streams_nats_in_progress(&c->kept[0]));
    assert_ok(streams_nats_in_progress(&c->kept[1]));
    assert_ok(streams_nats_terminate(&c->kept[1]));
    assert_ok(streams_nats_reject(&c->kept[2], 0));
    assert_ok(streams_nats_reject(&c->kept[3], 50 * STREAMS_MILLISECOND));
    assert_status(STREAMS_INVALID_ARGUMENT, streams_nats_reject(&c->kept[3], -1));
    wait_until(c->count == 6);
    assert_int_equal(c->numbers[4], 2);
    assert_int_equal(c->numbers[5], 3);
    streams_nats_metadata data = STREAMS_NATS_METADATA_INIT;
    assert_ok(streams_nats_get_metadata(&c->kept[4], &data));
    assert_int_equal(data.deliveries, 2);
    assert_true(data.time > 0);
    streams_value kept = streams_null();
    assert_int_equal(streams_value_copy(&c->kept[5], &kept), STREAMS_OK);
    collector_end(c);
    /* The stream has rejected it. */
    assert_status(STREAMS_TERMINATED, streams_nats_acknowledge(&kept));
    (void)streams_value_destroy(&kept);
}

static void without_acknowledgements_nothing_is_pending(void **state) {
    (void)state;
    publish_numbers(connection, "s.a", 0, 100);
    collector *c = collect(consume(NULL, STREAMS_NATS_ACKNOWLEDGE_NONE, 10), STREAMS_UNLIMITED, 0);
    wait_until(c->count == 100);
    assert_in_order(c, 0, 100);
    collector_end(c);
    streams_nats_stream_info info = STREAMS_NATS_STREAM_INFO_INIT;
    wait_until(streams_nats_stream_get_info(connection, "S", &info) == STREAMS_OK && info.consumers == 0);
}

static void begins_where_it_is_told(void **state) {
    (void)state;
    publish_numbers(connection, "s.a", 0, 10);
    streams_nats_stream_info info = STREAMS_NATS_STREAM_INFO_INIT;
    assert_ok(streams_nats_stream_get_info(connection, "S", &info));
    streams_nats_consume_options options = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    options.stream = "S";
    options.deliver = STREAMS_NATS_DELIVER_FROM_SEQUENCE;
    options.start_sequence = info.last_sequence - 2;
    collector *c = collect(streams_nats_consume(connection, &options), STREAMS_UNLIMITED, 0);
    wait_until(c->count == 3);
    assert_in_order(c, 7, 3);
    options.deliver = STREAMS_NATS_DELIVER_LAST;
    collector *last = collect(streams_nats_consume(connection, &options), STREAMS_UNLIMITED, 0);
    wait_until(last->count == 1);
    assert_int_equal(last->numbers[0], 9);
    options.deliver = STREAMS_NATS_DELIVER_ALL;
    options.filter = "s.b";
    publish_numbers(connection, "s.b", 77, 1);
    collector *filtered = collect(streams_nats_consume(connection, &options), STREAMS_UNLIMITED, 0);
    wait_until(filtered->count == 1);
    assert_int_equal(filtered->numbers[0], 77);
    collector_end(c);
    collector_end(last);
    collector_end(filtered);
}

static void two_share_a_durable(void **state) {
    (void)state;
    publish_numbers(connection, "s.a", 0, 1000);
    collector *a = collect(consume("d", STREAMS_NATS_ACKNOWLEDGE_AFTER, 10), STREAMS_UNLIMITED, 0);
    collector *b = collect(consume("d", STREAMS_NATS_ACKNOWLEDGE_AFTER, 10), STREAMS_UNLIMITED, 0);
    wait_until(a->count + b->count == 1000);
    wait_until(consumer_info(connection, "S", "d").acknowledge_pending == 0);
    collector_end(a);
    collector_end(b);
}

#define test(name) cmocka_unit_test_setup(name, forget_messages)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(all_come_in_order_and_are_acknowledged, begin),
        test(no_more_come_than_are_demanded),
        test(a_demand_of_one_goes_one_by_one),
        test(what_is_held_when_cancelled_is_rejected_at_once),
        test(cancelling_in_the_middle_loses_nothing),
        test(what_comes_amid_a_cancellation_is_rejected),
        test(a_value_that_fails_comes_again),
        test(settles_by_hand),
        test(without_acknowledgements_nothing_is_pending),
        test(begins_where_it_is_told),
        cmocka_unit_test_setup_teardown(two_share_a_durable, forget_messages, end_sharing),
    };
    return run_nats_tests(tests, sizeof tests / sizeof tests[0]);
}
