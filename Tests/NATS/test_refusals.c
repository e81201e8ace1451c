/* What a server refuses: soon, with its code, and in its words. */

#include "host.h"

#include <nats/nats.h>

static void assert_says(const char *text, const char *words) {
    if (strstr(text, words) == NULL) fail_msg("\"%s\" does not say \"%s\"", text, words);
}

/* ---- Servers without JetStream ------------------------------------------------------------------------ */

static void assert_fails_soon(streams_publisher *publisher) {
    int64_t begun = milliseconds();
    collector *c = collect(publisher, 1, 0);
    wait_until(c->ended == 2);
    assert_in_range(milliseconds() - begun, 0, 4000);
    assert_int_equal(c->code, JSNotEnabledErr);
    assert_says(c->message, "no JetStream");
    collector_end(c);
}

static void a_server_without_jetstream_says_so_soon(void **state) {
    (void)state;
    server_prepare(&shared);
    shared.bare = true;
    server_start(&shared, NULL);
    connection = connect_to(&shared);
    streams_value value = streams_text("1"), out;
    streams_nats_bucket_options bucket = STREAMS_NATS_BUCKET_OPTIONS_INIT;
    bucket.name = "b";
    assert_fails_soon(consume(connection, 0));
    assert_fails_soon(streams_nats_watch(connection, "b", NULL));
    assert_fails_soon(streams_nats_key_values(connection, "b", "k"));
    assert_fails_soon(streams_nats_key_history(connection, "b", "k"));
    assert_status(STREAMS_NATS_FAILED, streams_nats_key_get(connection, "b", "k", &out, NULL));
    assert_says(streams_nats_last_message(), "no JetStream");
    assert_status(STREAMS_NATS_FAILED, streams_nats_key_put(connection, "b", "k", &value, NULL));
    assert_says(streams_nats_last_message(), "no JetStream");
    assert_status(STREAMS_NATS_FAILED, streams_nats_bucket_create(connection, &bucket));
    assert_says(streams_nats_last_message(), "no JetStream");
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_server_without_jetstream_says_so_soon, end_sharing),
    };
    if (count > 1) cmocka_set_test_filter(arguments[1]);
    return run_nats_tests(tests, sizeof tests / sizeof tests[0]);
}
