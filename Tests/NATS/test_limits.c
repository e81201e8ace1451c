/* Streams and servers that are full: what they have stays, and what they refuse is said. */

#include "server.h"

#include <nats/nats.h>

/* Publishes numbers until one is refused; returns which one. */
static int publish_until_refused(int64_t *code, char *words, size_t capacity) {
    streams_nats_publish_options options = STREAMS_NATS_PUBLISH_OPTIONS_INIT;
    options.subject = "l";
    options.window = 1;
    collector *c = collect(streams_nats_publish_all(numbers(0, 100000), connection, &options), 1, 0);
    wait_until(c->ended == 2);
    *code = c->code;
    (void)snprintf(words, capacity, "%s", c->message);
    collector_end(c);
    int which = -1;
    assert_int_equal(sscanf(words, "value %d could not be published to l: ", &which), 1);
    return which;
}

/* All that was confirmed is there: numbers up to this one. Servers of version 2.9 check the size of a message
 * alone, and make room for what they store with it: the oldest may be gone. */
static void assert_kept(int count) {
    streams_nats_stream_info info = STREAMS_NATS_STREAM_INFO_INIT;
    assert_ok(streams_nats_stream_get_info(connection, "L", &info));
    assert_int_equal(info.last_sequence - info.first_sequence + 1, info.messages);
    int kept = (int)info.messages;
    assert_true(kept >= count - 10 && kept <= count);
    streams_nats_consume_options options = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    options.stream = "L";
    collector *c = collect(streams_nats_consume(connection, &options), STREAMS_UNLIMITED, 0);
    wait_until(c->count == kept);
    for (int i = 0; i < kept; i++) assert_int_equal(c->numbers[i], count - kept + i);
    collector_end(c);
}

static streams_nats_stream_options stream_options(void) {
    static const char *subject = "l";
    streams_nats_stream_options options = STREAMS_NATS_STREAM_OPTIONS_INIT;
    options.name = "L";
    options.subjects = &subject;
    options.subject_count = 1;
    options.discard_new = true;
    return options;
}

static void a_stream_with_so_many_bytes_refuses(void **state) {
    (void)state;
    begin_sharing();
    streams_nats_stream_options options = stream_options();
    options.max_bytes = 10000;
    wait_until(streams_nats_stream_create(connection, &options) == STREAMS_OK);
    int64_t code = 0;
    char words[1024];
    int which = publish_until_refused(&code, words, sizeof words);
    assert_int_equal(code, JSStreamStoreFailedErr);
    assert_non_null(strstr(words, "maximum bytes exceeded"));
    assert_kept(which);
    /* What is removed makes room. */
    assert_ok(streams_nats_stream_purge(connection, "L"));
    assert_int_equal(publish_until_refused(&code, words, sizeof words), which);
}

static void a_server_without_room_refuses(void **state) {
    (void)state;
    char path[128];
    server_prepare(&shared);
    shared.bare = true;
    (void)snprintf(path, sizeof path, "%s/server.conf", shared.store);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    (void)fprintf(file, "jetstream { store_dir: \"%s\", max_file_store: 100KB }\n", shared.store);
    (void)fclose(file);
    const char *const extra[] = { "-c", path, NULL };
    server_start(&shared, extra);
    connection = connect_to(&shared);
    streams_nats_stream_options options = stream_options();
    wait_until(streams_nats_stream_create(connection, &options) == STREAMS_OK);
    int64_t code = 0;
    char words[1024];
    int which = publish_until_refused(&code, words, sizeof words);
    assert_int_equal(code, JSInsufficientResourcesErr);
    assert_non_null(strstr(words, "insufficient"));
    assert_kept(which);
    /* Another stream has no room either, and the call says so. */
    options.name = "M";
    options.subjects = NULL;
    options.subject_count = 0;
    options.max_bytes = 1000000;
    assert_status(STREAMS_NATS_FAILED, streams_nats_stream_create(connection, &options));
    assert_non_null(strstr(streams_last_message(), "insufficient"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_stream_with_so_many_bytes_refuses, end_sharing),
        cmocka_unit_test_teardown(a_server_without_room_refuses, end_sharing),
    };
    return run_nats_tests(tests, sizeof tests / sizeof tests[0]);
}
