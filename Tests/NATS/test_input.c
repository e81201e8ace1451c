/* What a program may not say: it is refused in the call, and the connection stands. */

#include "server.h"

#include <nats/nats.h>

static int begin(void **state) {
    (void)state;
    begin_sharing();
    return 0;
}

/* The server drops a connection that says what it does not understand. */
static void assert_stands(void) {
    assert_ok(streams_nats_flush(connection, STREAMS_SECOND * 5));
    assert_int_equal(streams_nats_get_state(connection), STREAMS_NATS_CONNECTED);
}

static void assert_refused(streams_publisher *made) {
    assert_null(made);
    assert_int_equal(streams_last_status(), STREAMS_INVALID_ARGUMENT);
}

static void subjects_are_checked(void **state) {
    (void)state;
    const char *bad[] = { "", "a b", "a\tb", "a*", "a.>", "a\r\nPUB x 0\r\n", "\177" };
    streams_value value = streams_text("1");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_refused(streams_nats_request(connection, bad[i], &value, STREAMS_SECOND));
        assert_refused(streams_nats_publish_confirmed(connection, bad[i], &value));
        assert_status(STREAMS_INVALID_ARGUMENT, streams_nats_publish(connection, bad[i], &value));
    }
    assert_refused(streams_nats_subject(connection, "a b", NULL, 1, STREAMS_NATS_FAIL));
    assert_refused(streams_nats_subject(connection, "a", "g\r\n", 1, STREAMS_NATS_FAIL));
    assert_stands();
}

static void names_are_checked(void **state) {
    (void)state;
    const char *bad[] = { "", "a b", "a.b", "a*", "a>", "a\r\nb", "a\"b", "a\\b" };
    streams_nats_stream_options options = STREAMS_NATS_STREAM_OPTIONS_INIT;
    streams_nats_consume_options consumer = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    streams_nats_stream_info info = STREAMS_NATS_STREAM_INFO_INIT;
    streams_nats_consumer_info where = STREAMS_NATS_CONSUMER_INFO_INIT;
    streams_nats_connection *c = connection;
    consumer.stream = "S";
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        options.name = bad[i];
        consumer.durable = bad[i];
        assert_status(STREAMS_INVALID_ARGUMENT, streams_nats_stream_create(c, &options));
        assert_status(STREAMS_INVALID_ARGUMENT, streams_nats_stream_delete(c, bad[i]));
        assert_status(STREAMS_INVALID_ARGUMENT, streams_nats_stream_purge(c, bad[i]));
        assert_status(STREAMS_INVALID_ARGUMENT, streams_nats_stream_get_info(c, bad[i], &info));
        assert_status(STREAMS_INVALID_ARGUMENT, streams_nats_consumer_create(c, &consumer));
        assert_status(STREAMS_INVALID_ARGUMENT, streams_nats_consumer_delete(c, "S", bad[i]));
        assert_status(STREAMS_INVALID_ARGUMENT, streams_nats_consumer_get_info(c, bad[i], "c", &where));
    }
    consumer.durable = "c";
    consumer.filter = "a\"b";
    assert_status(STREAMS_INVALID_ARGUMENT, streams_nats_consumer_create(c, &consumer));
    assert_status(STREAMS_NULL_ARGUMENT, streams_nats_stream_delete(c, NULL));
    assert_status(STREAMS_NULL_ARGUMENT, streams_nats_consumer_delete(c, "S", NULL));
    assert_stands();
}

static void names_of_headers_are_checked(void **state) {
    (void)state;
    const char *bad[] = { "", "a:b", "a b", "a\r\nb", NULL };
    streams_value payload = streams_text("1"), out;
    for (size_t i = 0; i < 4; i++) {
        const char *headers[] = { bad[i], "x" };
        assert_status(STREAMS_INVALID_ARGUMENT, streams_nats_message(&payload, headers, 1, NULL, &out));
    }
    const char *none[] = { "a", NULL };
    assert_status(STREAMS_NULL_ARGUMENT, streams_nats_message(&payload, none, 1, NULL, &out));
    assert_int_equal(out.kind, STREAMS_VALUE_NULL);
}

static void subjects_of_streams_may_be_missing(void **state) {
    (void)state;
    const char *subjects[] = { "x", NULL };
    streams_nats_stream_options options = STREAMS_NATS_STREAM_OPTIONS_INIT;
    options.name = "NONE";
    options.subject_count = 1;
    assert_ok(streams_nats_stream_create(connection, &options));
    options.subjects = subjects;
    options.subject_count = 2;
    assert_status(STREAMS_NULL_ARGUMENT, streams_nats_stream_create(connection, &options));
    subjects[1] = "a b";
    assert_status(STREAMS_INVALID_ARGUMENT, streams_nats_stream_create(connection, &options));
    options.subject_count = (size_t)1 << 33;
    assert_status(STREAMS_INVALID_ARGUMENT, streams_nats_stream_create(connection, &options));
    assert_ok(streams_nats_stream_delete(connection, "NONE"));
}

static void descriptions_may_have_quotes(void **state) {
    (void)state;
    const char *words = "\"a\", \\b\n\x01, \"max_msgs\":1";
    streams_nats_stream_options options = STREAMS_NATS_STREAM_OPTIONS_INIT;
    options.name = "D";
    options.description = words;
    streams_nats_bucket_options bucket = STREAMS_NATS_BUCKET_OPTIONS_INIT;
    bucket.name = "d";
    bucket.description = words;
    /* The same again: it is the same. */
    for (int i = 0; i < 2; i++) {
        assert_ok(streams_nats_stream_create(connection, &options));
        assert_ok(streams_nats_bucket_create(connection, &bucket));
    }
    assert_ok(streams_nats_stream_delete(connection, "D"));
    assert_ok(streams_nats_bucket_delete(connection, "d"));
}

static void publish_to_a_stream_called(const char *name) {
    streams_value value = streams_text("1");
    make_stream(connection, name, "named");
    for (int i = 1; i <= 2; i++) {
        collector *c = collect(streams_nats_publish_confirmed(connection, "named", &value), 1, 0);
        wait_until(c->ended != 0);
        assert_int_equal(c->ended, 1);
        assert_int_equal(c->numbers[0], i);
        collector_end(c);
    }
    assert_ok(streams_nats_stream_delete(connection, name));
}

static void streams_may_have_any_name(void **state) {
    (void)state;
    publish_to_a_stream_called("error");
    publish_to_a_stream_called("seq");
    publish_to_a_stream_called("duplicate");
}

static void wrong_credentials_are_always_refused(void **state) {
    (void)state;
    const char *const extra[] = { "--user", "me", "--pass", "right", NULL };
    server guarded;
    server_prepare(&guarded);
    server_start(&guarded, extra);
    streams_nats_options options = STREAMS_NATS_OPTIONS_INIT;
    options.servers = guarded.url;
    options.user = "me";
    options.password = "wrong";
    for (int i = 0; i < 50; i++) {
        assert_null(streams_nats_connect(&options));
        assert_int_equal(streams_nats_last_code(), NATS_CONNECTION_AUTH_FAILED);
        assert_non_null(strstr(streams_last_message(), "Authorization Violation"));
    }
    server_remove(&guarded);
}

/* Never tried without what it names. */
static void missing_tls_files_are_refused(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        streams_nats_options options = STREAMS_NATS_OPTIONS_INIT;
        options.servers = shared.url;
        if (i == 0)
            options.tls_ca_file = "/nowhere/ca.pem";
        else
            options.tls_certificate_file = options.tls_key_file = "/nowhere/certificate.pem";
        assert_null(streams_nats_connect(&options));
        assert_int_equal(streams_nats_last_code(), NATS_SSL_ERROR);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(subjects_are_checked, begin),
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(names_of_headers_are_checked),
        cmocka_unit_test(subjects_of_streams_may_be_missing),
        cmocka_unit_test(descriptions_may_have_quotes),
        cmocka_unit_test(wrong_credentials_are_always_refused),
        cmocka_unit_test(missing_tls_files_are_refused),
        cmocka_unit_test_teardown(streams_may_have_any_name, end_sharing),
    };
    return run_nats_tests(tests, sizeof tests / sizeof tests[0]);
}
