/* What a server refuses: soon, with its code, and in its words. */

#include "host.h"

#include <nats/nats.h>

static void assert_says(const char *text, const char *words) {
    if (strstr(text, words) == NULL) fail_msg("\"%s\" does not say \"%s\"", text, words);
}

#define REFUSED(code, words, call) \
    do { \
        assert_status(STREAMS_NATS_FAILED, call); \
        if (streams_nats_last_code() != (code)) \
            fail_msg("%s: %lld: %s", #call, (long long)streams_nats_last_code(), \
                streams_last_message()); \
        assert_says(streams_last_message(), words); \
    } while (0)

/* ---- Servers without JetStream ------------------------------------------------------------------------ */

/* What waits for an answer takes more than 4 seconds each time; what does not, only on a busy machine. */
static void assert_fails_soon(streams_publisher *publisher) {
    int64_t shortest = INT64_MAX;
    for (int i = 0; i < 5 && shortest > 4000; i++) {
        assert_ok(streams_retain(publisher));
        int64_t begun = milliseconds();
        collector *c = collect(publisher, 1, 0);
        wait_until(c->ended == 2);
        int64_t took = milliseconds() - begun;
        if (took < shortest) shortest = took;
        assert_int_equal(c->code, JSNotEnabledErr);
        assert_says(c->message, "no JetStream");
        collector_end(c);
    }
    assert_true(shortest <= 4000);
    assert_ok(streams_release(publisher));
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
    REFUSED(JSNotEnabledErr, "no JetStream", streams_nats_key_get(connection, "b", "k", &out, NULL));
    REFUSED(JSNotEnabledErr, "no JetStream", streams_nats_key_put(connection, "b", "k", &value, NULL));
    REFUSED(JSNotEnabledErr, "no JetStream", streams_nats_bucket_create(connection, &bucket));
    REFUSED(JSNotEnabledErr, "no JetStream", streams_nats_bucket_delete(connection, "b"));
    REFUSED(JSNotEnabledErr, "no JetStream", streams_nats_stream_delete(connection, "S"));
}

/* ---- What a connection that was not made is given to -------------------------------------------------- */

static atomic_int destroyed;

static void count_destroy(void *context) {
    (void)context;
    destroyed++;
}

static void *not_connected(void) {
    streams_nats_options options = STREAMS_NATS_OPTIONS_INIT;
    options.servers = "hello world";
    assert_null(streams_nats_connect(&options));
    return NULL;
}

static void assert_kept(const void *made, const char *name) {
    assert_null(made);
    assert_int_equal(streams_last_status(), STREAMS_INVALID_ARGUMENT);
    if (strcmp(streams_last_function(), "streams_nats_connect") != 0)
        fail_msg("%s says: %s", name, streams_last_message());
}

#define keeps(call) assert_kept(call, #call)

static void what_is_made_of_no_connection_keeps_its_error(void **state) {
    (void)state;
    streams_value value = streams_text("1");
    streams_nats_publish_options all = STREAMS_NATS_PUBLISH_OPTIONS_INIT;
    all.subject = "s.a";
    all.destroy = count_destroy;
    /* Another one, that is older: this is not it. */
    (void)streams_sequence_int64s(NULL, 5);
    streams_nats_connection *none = not_connected();
    keeps(streams_nats_states(none));
    keeps(consume(none, 0));
    keeps(streams_nats_consume(none, NULL));
    keeps(streams_nats_subject(none, "a", NULL, 1, STREAMS_NATS_FAIL));
    keeps(streams_nats_subject(none, NULL, NULL, 0, STREAMS_NATS_DROP_OLDEST));
    keeps(streams_nats_request(none, "a", &value, STREAMS_SECOND));
    keeps(streams_nats_publish_confirmed(none, "a", &value));
    keeps(streams_nats_watch(none, "b", NULL));
    keeps(streams_nats_watch(none, NULL, NULL));
    keeps(streams_nats_key_values(none, "b", "k"));
    keeps(streams_nats_key_history(none, "b", "k"));
    keeps(streams_nats_key_binding(none, "b", "k"));
    keeps(streams_nats_key_binding_of(none, "b", "k", NULL, NULL, NULL));
    keeps(streams_nats_publish_all(streams_empty(true), none, &all));
    keeps(streams_nats_publish_all(NULL, none, NULL));
    keeps(streams_nats_send_all(streams_empty(true), none, &all));
    assert_int_equal(destroyed, 2);
    /* Steps, also behind one of streams.h. */
    keeps(streams_nats_map_bytes(streams_nats_subject(none, "a", NULL, 1, STREAMS_NATS_FAIL)));
    keeps(streams_nats_map_text(streams_count(consume(none, 0))));
    keeps(streams_nats_map_parts(consume(none, 0), NULL, NULL, NULL));
    /* What only acts says that there is none, and why. */
    assert_status(STREAMS_NULL_HANDLE, streams_nats_publish(none, "a", &value));
    assert_int_equal(streams_last_status(), STREAMS_NULL_HANDLE);
    assert_says(streams_last_message(), "hello world");
    /* One of streams.h that is newer is the reason. */
    (void)not_connected();
    streams_publisher *bad = streams_sequence_int64s(NULL, 4);
    assert_null(streams_nats_map_bytes(bad));
    assert_says(streams_last_message(), "the count is 4");
}

/* ---- What cannot be negative -------------------------------------------------------------------------- */

#define assert_names(field, call) \
    do { \
        streams_clear_last_error(); \
        call; \
        if (streams_last_status() != STREAMS_INVALID_ARGUMENT || \
            strstr(streams_last_message(), field) == NULL) \
            fail_msg("%s is negative: %d %s", field, (int)streams_last_status(), \
                streams_last_message()); \
    } while (0)

/* Sets a field, and makes the call that must refuse it, for each field in turn and two values. */
#define REFUSES(options, field, call) \
    do { \
        for (int i_ = 0; i_ < 2; i_++) { \
            (options).field = i_ == 0 ? -1 : INT64_MIN; \
            assert_names(#field, call); \
        } \
        (options).field = 0; \
    } while (0)

static void negative_numbers_are_refused(void **state) {
    (void)state;
    begin_sharing();
    streams_nats_options o = STREAMS_NATS_OPTIONS_INIT;
    o.servers = shared.url;
    REFUSES(o, connect_timeout, assert_null(streams_nats_connect(&o)));
    REFUSES(o, reconnect_wait, assert_null(streams_nats_connect(&o)));
    REFUSES(o, ping_interval, assert_null(streams_nats_connect(&o)));
    REFUSES(o, pending_messages, assert_null(streams_nats_connect(&o)));
    REFUSES(o, pending_bytes, assert_null(streams_nats_connect(&o)));
    streams_nats_consume_options c = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    c.stream = "S";
    c.durable = "d";
    REFUSES(c, start_time, assert_null(streams_nats_consume(connection, &c)));
    REFUSES(c, acknowledge_wait, assert_null(streams_nats_consume(connection, &c)));
    REFUSES(c, max_deliver, assert_null(streams_nats_consume(connection, &c)));
    REFUSES(c, max_acknowledge_pending, assert_null(streams_nats_consume(connection, &c)));
    REFUSES(c, inactive, assert_null(streams_nats_consume(connection, &c)));
    REFUSES(c, max_deliver, (void)streams_nats_consumer_create(connection, &c));
    streams_nats_publish_options p = STREAMS_NATS_PUBLISH_OPTIONS_INIT;
    p.subject = "s";
    REFUSES(p, confirm_wait, assert_null(streams_nats_publish_all(streams_empty(true), connection, &p)));
    streams_nats_stream_options s = STREAMS_NATS_STREAM_OPTIONS_INIT;
    s.name = "S";
    REFUSES(s, max_messages, (void)streams_nats_stream_create(connection, &s));
    REFUSES(s, max_bytes, (void)streams_nats_stream_create(connection, &s));
    REFUSES(s, max_messages_per_subject, (void)streams_nats_stream_create(connection, &s));
    REFUSES(s, max_message_size, (void)streams_nats_stream_create(connection, &s));
    REFUSES(s, max_age, (void)streams_nats_stream_create(connection, &s));
    REFUSES(s, duplicates, (void)streams_nats_stream_create(connection, &s));
    REFUSES(s, replicas, (void)streams_nats_stream_create(connection, &s));
    streams_nats_bucket_options b = STREAMS_NATS_BUCKET_OPTIONS_INIT;
    b.name = "b";
    REFUSES(b, history, (void)streams_nats_bucket_create(connection, &b));
    REFUSES(b, max_age, (void)streams_nats_bucket_create(connection, &b));
    REFUSES(b, max_bytes, (void)streams_nats_bucket_create(connection, &b));
    REFUSES(b, max_value_size, (void)streams_nats_bucket_create(connection, &b));
    REFUSES(b, replicas, (void)streams_nats_bucket_create(connection, &b));
}

/* ---- What JetStream says ------------------------------------------------------------------------------ */

static void streams_are_refused_with_the_servers_code(void **state) {
    (void)state;
    begin_sharing();
    make_stream(connection, "S", "s.>");
    const char *subject = "s.a";
    streams_nats_stream_options s = STREAMS_NATS_STREAM_OPTIONS_INIT;
    streams_nats_stream_info info = STREAMS_NATS_STREAM_INFO_INIT;
    s.name = "S";
    REFUSED(JSStreamNameExistErr, "already in use", streams_nats_stream_create(connection, &s));
    s.name = "T";
    s.subjects = &subject;
    s.subject_count = 1;
    REFUSED(JSStreamSubjectOverlapErr, "overlap", streams_nats_stream_create(connection, &s));
    subject = "t";
    s.replicas = 3;
    REFUSED(JSStreamReplicasNotSupportedErr, "replicas", streams_nats_stream_create(connection, &s));
    REFUSED(JSStreamNotFoundErr, "stream not found", streams_nats_stream_delete(connection, "X"));
    REFUSED(JSStreamNotFoundErr, "stream not found", streams_nats_stream_purge(connection, "X"));
    REFUSED(JSStreamNotFoundErr, "stream not found", streams_nats_stream_get_info(connection, "X", &info));
}

static void consumers_are_refused_with_the_servers_code(void **state) {
    (void)state;
    begin_sharing();
    make_stream(connection, "S", "s.>");
    streams_nats_consume_options c = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    streams_nats_consumer_info info = STREAMS_NATS_CONSUMER_INFO_INIT;
    c.stream = "X";
    c.durable = "d";
    REFUSED(JSStreamNotFoundErr, "stream not found", streams_nats_consumer_create(connection, &c));
    c.stream = "S";
    assert_ok(streams_nats_consumer_create(connection, &c));
    c.deliver = STREAMS_NATS_DELIVER_LAST;
    REFUSED(JSConsumerCreateErr, "deliver policy", streams_nats_consumer_create(connection, &c));
    REFUSED(JSConsumerNotFoundErr, "consumer not found", streams_nats_consumer_delete(connection, "S", "x"));
    REFUSED(JSConsumerNotFoundErr, "consumer not found",
        streams_nats_consumer_get_info(connection, "S", "x", &info));
    REFUSED(JSStreamNotFoundErr, "stream not found", streams_nats_consumer_delete(connection, "X", "x"));
    REFUSED(JSStreamNotFoundErr, "stream not found",
        streams_nats_consumer_get_info(connection, "X", "x", &info));
}

static void buckets_are_refused_with_the_servers_code(void **state) {
    (void)state;
    begin_sharing();
    char large[202] = "";
    memset(large, 'x', sizeof large - 1);
    streams_value value = streams_text(large), out;
    streams_nats_bucket_options b = STREAMS_NATS_BUCKET_OPTIONS_INIT;
    b.name = "b";
    b.max_value_size = 200;
    wait_until(streams_nats_bucket_create(connection, &b) == STREAMS_OK);
    b.history = 5;
    REFUSED(JSStreamNameExistErr, "different", streams_nats_bucket_create(connection, &b));
    b.name = "c";
    b.replicas = 3;
    REFUSED(JSStreamReplicasNotSupportedErr, "replicas", streams_nats_bucket_create(connection, &b));
    REFUSED(JSStreamNotFoundErr, "not found", streams_nats_bucket_delete(connection, "none"));
    REFUSED(JSStreamNotFoundErr, "no bucket", streams_nats_key_get(connection, "none", "k", &out, NULL));
    REFUSED(JSStreamMessageExceedsMaximumErr, "size",
        streams_nats_key_put(connection, "b", "k", &value, NULL));
    REFUSED(JSStreamMessageExceedsMaximumErr, "size",
        streams_nats_key_put_at(connection, "b", "k", &value, 0, NULL));
    value = streams_text("1");
    REFUSED(JSStreamWrongLastSequenceErr, "wrong last sequence",
        streams_nats_key_put_at(connection, "b", "k", &value, 7, NULL));
    uint64_t revision = 0;
    assert_ok(streams_nats_key_put_at(connection, "b", "k", &value, 0, &revision));
    assert_int_equal(revision, 1);
    REFUSED(JSStreamWrongLastSequenceErr, "wrong last sequence",
        streams_nats_key_put_at(connection, "b", "k", &value, 0, NULL));
    /* What was removed is no value. */
    assert_ok(streams_nats_key_delete(connection, "b", "k", false));
    assert_ok(streams_nats_key_put_at(connection, "b", "k", &value, 0, &revision));
    assert_int_equal(revision, 3);
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_made_of_no_connection_keeps_its_error),
        cmocka_unit_test_teardown(negative_numbers_are_refused, end_sharing),
        cmocka_unit_test_teardown(streams_are_refused_with_the_servers_code, end_sharing),
        cmocka_unit_test_teardown(consumers_are_refused_with_the_servers_code, end_sharing),
        cmocka_unit_test_teardown(buckets_are_refused_with_the_servers_code, end_sharing),
        cmocka_unit_test_teardown(a_server_without_jetstream_says_so_soon, end_sharing),
    };
    if (count > 1) cmocka_set_test_filter(arguments[1]);
    return run_nats_tests(tests, sizeof tests / sizeof tests[0]);
}
