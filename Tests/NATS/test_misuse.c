/* Every function of streams_nats.h with what it must not be given, at random: each call fails with a status
 * and a sentence, or works, and what is wrong is never taken for something else. */

#include "server.h"

#include <limits.h>

enum { CALLS = 20000 };

/* ---- What the functions are given --------------------------------------------------------------------- */

static unsigned seed = 1;

static unsigned random_below(unsigned count) {
    seed = seed * 1103515245 + 12345;
    return (seed >> 16) % count;
}

static streams_nats_connection *stale;
static streams_publisher *another_kind;
static streams_subject *subject;
static streams_value message, object;
static char long_text[2000];
static atomic_int contexts; /* that have not been destroyed */

static streams_nats_connection *bad_connection(void) {
    switch (random_below(5)) {
    case 0: return NULL;
    case 1: return stale;
    case 2: return (streams_nats_connection *)another_kind;
    case 3: return (streams_nats_connection *)(uintptr_t)random_below(UINT_MAX);
    default: return (streams_nats_connection *)&contexts;
    }
}

static streams_nats_connection *any_connection(void) {
    return random_below(3) == 0 ? connection : bad_connection();
}

static const char *text(void) {
    static const char *const texts[] = { NULL, "", "a", "b", "a.b", "a b", "a.*", ">", ".", "a..b",
        "a\r\nPUB x 0",
        "\"", "\\", "\xff\xfe", "\xc3\xbc", "$JS.API.INFO", "$KV.b.k", "\t", "-", long_text };
    return texts[random_below(sizeof texts / sizeof texts[0])];
}

static const streams_value *value(void) {
    static streams_value values[10];
    values[0] = streams_null();
    values[1] = streams_int(7);
    values[2] = streams_text("7");
    values[3] = streams_bytes("7", 1);
    values[4] = message;
    values[5] = object;
    values[6] = (streams_value){ .kind = 99, .size = 7 };
    values[7] = (streams_value){ .kind = STREAMS_VALUE_BYTES, .size = 7 };
    values[8] = (streams_value){ .kind = STREAMS_VALUE_OBJECT };
    unsigned which = random_below(10);
    return which < 9 ? &values[which] : NULL;
}

static size_t size(size_t right) {
    const size_t sizes[] = { 0, 1, right - 1, right, right, right, right + 8, SIZE_MAX };
    return sizes[random_below(8)];
}

static int64_t number(void) {
    static const int64_t numbers[] = { 0, 1, -1, 64, 65, INT_MAX, (int64_t)INT_MAX + 1,
        INT64_MAX, INT64_MIN };
    return numbers[random_below(9)];
}

static void destroy(void *context) {
    assert_ptr_equal(context, &contexts);
    contexts--;
}

/* ---- What must hold after each ------------------------------------------------------------------------ */

static void check(const char *name, streams_status status) {
    if (status == STREAMS_OK) return;
    if (streams_nats_last_status() != status || strcmp(streams_nats_last_function(), name) != 0 ||
        streams_nats_last_message()[0] == '\0')
        fail_msg("%s answers %d; the last error is of %s, %d: %s", name, (int)status,
            streams_nats_last_function(), (int)streams_nats_last_status(), streams_nats_last_message());
    if (strstr(streams_nats_last_message(), ".c:") != NULL)
        fail_msg("%s names a place in nats.c: %s", name, streams_nats_last_message());
    if (status == STREAMS_NATS_FAILED && streams_nats_last_code() == 0)
        fail_msg("%s fails without a code: %s", name, streams_nats_last_message());
}

static void check_made(const char *name, void *made, bool good) {
    if (made == NULL) {
        assert_int_not_equal(streams_nats_last_status(), STREAMS_OK);
        check(name, streams_nats_last_status());
    } else if (good) {
        (void)streams_release(made);
    } else {
        fail_msg("%s has made something for a connection that is none", name);
    }
}

#define call(name, ...) \
    do { \
        streams_nats_clear_last_error(); \
        check(#name, name(__VA_ARGS__)); \
    } while (0)
#define make(name, with, ...) \
    do { \
        streams_nats_connection *with_ = (with); \
        streams_nats_clear_last_error(); \
        check_made(#name, name(with_, __VA_ARGS__), with_ == connection); \
    } while (0)
#define refuse(name, ...) \
    do { \
        streams_nats_clear_last_error(); \
        streams_status status_ = name(bad_connection() __VA_ARGS__); \
        assert_int_not_equal(status_, STREAMS_OK); \
        check(#name, status_); \
    } while (0)

/* ---- The functions, by the parts of the header -------------------------------------------------------- */

static void misuse_connections(void) {
    streams_nats_options options = STREAMS_NATS_OPTIONS_INIT;
    options.size = size(sizeof options);
    options.servers = random_below(2) == 0 ? "" : "nats://127.0.0.1:x";
    options.nkey = text();
    options.credentials_file = text();
    streams_nats_clear_last_error();
    if (streams_nats_connect(&options) != NULL) fail_msg("it has connected");
    check("streams_nats_connect", streams_nats_last_status());
    refuse(streams_nats_retain, );
    refuse(streams_nats_release, );
    refuse(streams_nats_close, );
    refuse(streams_nats_flush, , number());
    call(streams_nats_flush, connection, 0);
    assert_int_equal(streams_nats_get_state(bad_connection()), STREAMS_NATS_CLOSED);
    assert_int_equal(streams_nats_dropped(bad_connection()), 0);
    streams_nats_clear_last_error();
    check_made("streams_nats_states", streams_nats_states(bad_connection()), false);
}

static void misuse_messages(void) {
    streams_value made = streams_null(), *out = random_below(4) == 0 ? NULL : &made;
    const char *said = NULL, **where = random_below(4) == 0 ? NULL : &said;
    streams_nats_metadata data = STREAMS_NATS_METADATA_INIT;
    streams_nats_operation operation;
    data.size = size(sizeof data);
    call(streams_nats_data, value(), out);
    call(streams_nats_subject_of, value(), where);
    call(streams_nats_reply_of, value(), where);
    call(streams_nats_header, value(), text(), where);
    call(streams_nats_headers, value(), out);
    (void)streams_value_destroy(&made);
    call(streams_nats_get_metadata, value(), random_below(4) == 0 ? NULL : &data);
    call(streams_nats_entry, value(), where, random_below(2) == 0 ? NULL : &operation);
    const char *const headers[] = { text(), text(), text(), text() };
    const size_t counts[] = { 0, 1, 2, 2, SIZE_MAX, SIZE_MAX / 2 + 2 };
    made = streams_null();
    call(streams_nats_message, value(), random_below(3) == 0 ? NULL : headers, counts[random_below(6)],
        text(), out);
    (void)streams_value_destroy(&made);
    call(streams_nats_message_to, text(), value(), random_below(3) == 0 ? NULL : headers,
        counts[random_below(6)], text(), out);
    (void)streams_value_destroy(&made);
    char subject_text[512];
    call(streams_nats_own_subject, NULL, value(), random_below(4) == 0 ? NULL : subject_text,
        random_below(2) == 0 ? 1 : sizeof subject_text);
    streams_nats_clear_last_error();
    streams_value *kept = streams_nats_keep(value());
    if (kept == NULL) check("streams_nats_keep", streams_nats_last_status());
    call(streams_nats_free, kept);
    call(streams_nats_acknowledge, value());
    call(streams_nats_reject, value(), number());
    call(streams_nats_terminate, value());
    call(streams_nats_in_progress, value());
    call(streams_nats_reply, value(), value());
}

/* A publisher that may be none. What is consumed is one that is. */
static streams_publisher *publisher(void) {
    switch (random_below(4)) {
    case 0: return NULL;
    case 1: return (streams_publisher *)subject;
    case 2: return (streams_publisher *)(uintptr_t)random_below(UINT_MAX);
    default: return streams_empty(true);
    }
}

static streams_status first_part(
    void *context, const streams_value *values, size_t count, streams_value *out) {
    (void)context, (void)count;
    *out = values[0];
    return STREAMS_OK;
}

static void misuse_maps(void) {
    streams_publisher *p = publisher();
    bool good = streams_handle_kind(p) == STREAMS_KIND_PUBLISHER;
    streams_nats_clear_last_error();
    check_made("streams_nats_map_bytes", streams_nats_map_bytes(p), good);
    p = publisher();
    good = streams_handle_kind(p) == STREAMS_KIND_PUBLISHER;
    streams_nats_clear_last_error();
    check_made("streams_nats_map_text", streams_nats_map_text(p), good);
    p = publisher();
    bool is_complete = random_below(3) > 0;
    good = is_complete && streams_handle_kind(p) == STREAMS_KIND_PUBLISHER;
    contexts++;
    streams_nats_clear_last_error();
    check_made("streams_nats_map_parts",
        streams_nats_map_parts(p, is_complete ? first_part : NULL, &contexts, destroy), good);
    assert_int_equal(contexts, 0);
}

/* Callables are handles of hosts, and there is none. */
static void misuse_languages(void) {
    void *const callables[] = { NULL, subject, (void *)(uintptr_t)random_below(UINT_MAX) };
    streams_value made = streams_null();
    void *callable = callables[random_below(3)];
    call(streams_nats_callable_message, callable, value(), random_below(4) == 0 ? NULL : &made);
    streams_nats_callable_confirmed(callable, 1, 2, false);
    streams_nats_on_threads(NULL, &contexts);
}

static streams_nats_publish_options publishing(void) {
    streams_nats_publish_options options = STREAMS_NATS_PUBLISH_OPTIONS_INIT;
    options.size = size(sizeof options);
    options.subject = text();
    options.window = (uint64_t)number();
    options.confirm_wait = number();
    options.retries = number();
    options.context = &contexts;
    options.destroy = destroy;
    return options;
}

/* The library takes the context, but where it does not know the struct. */
static void publish_to_many(bool confirmed) {
    streams_nats_publish_options options = publishing();
    const streams_nats_publish_options *given = random_below(6) == 0 ? NULL : &options;
    streams_nats_connection *with = any_connection();
    streams_publisher *p = publisher();
    bool good = with == connection && streams_handle_kind(p) == STREAMS_KIND_PUBLISHER;
    if (given != NULL) contexts++;
    streams_nats_clear_last_error();
    void *made = confirmed ? streams_nats_publish_all(p, with, given) : streams_nats_send_all(p, with, given);
    if (given != NULL && options.size != sizeof options) contexts--;
    check_made(confirmed ? "streams_nats_publish_all" : "streams_nats_send_all", made, good);
    assert_int_equal(contexts, 0);
}

static void misuse_publishing(void) {
    call(streams_nats_publish, any_connection(), text(), value());
    refuse(streams_nats_publish, , text(), value());
    make(streams_nats_publish_confirmed, any_connection(), text(), value());
    publish_to_many(true);
    publish_to_many(false);
}

static streams_nats_consume_options consuming(void) {
    streams_nats_consume_options options = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    options.size = size(sizeof options);
    options.stream = text();
    options.durable = text();
    options.filter = text();
    options.deliver = (streams_nats_deliver)(random_below(9) - 1);
    options.acknowledgement = (streams_nats_acknowledgement)(random_below(6) - 1);
    options.acknowledge_wait = number();
    options.max_deliver = number();
    options.max_acknowledge_pending = number();
    options.most = (uint64_t)number();
    options.inactive = number();
    return options;
}

static void misuse_consumers_and_subjects(void) {
    streams_nats_consume_options options = consuming();
    make(streams_nats_consume, any_connection(), random_below(6) == 0 ? NULL : &options);
    make(streams_nats_subject, any_connection(), text(), text(), number(),
        (streams_nats_when_full)(random_below(5) - 1));
    make(streams_nats_request, any_connection(), text(), value(), number());
}

static void misuse_managing(void) {
    const char *const subjects[] = { text(), text() };
    const size_t counts[] = { 0, 1, 2, SIZE_MAX };
    streams_nats_stream_options stream = STREAMS_NATS_STREAM_OPTIONS_INIT;
    streams_nats_consume_options consumer = consuming();
    streams_nats_stream_info about = STREAMS_NATS_STREAM_INFO_INIT;
    streams_nats_consumer_info where = STREAMS_NATS_CONSUMER_INFO_INIT;
    stream.size = size(sizeof stream);
    about.size = size(sizeof about);
    where.size = size(sizeof where);
    stream.name = text();
    stream.subjects = random_below(3) == 0 ? NULL : subjects;
    stream.subject_count = counts[random_below(4)];
    stream.description = text();
    stream.retention = (streams_nats_retention)(random_below(5) - 1);
    stream.max_messages = stream.max_bytes = stream.replicas = number();
    stream.max_age = stream.duplicates = stream.max_message_size = number();
    call(streams_nats_stream_create, any_connection(), random_below(6) == 0 ? NULL : &stream);
    call(streams_nats_stream_delete, any_connection(), text());
    call(streams_nats_stream_purge, any_connection(), text());
    call(streams_nats_stream_get_info, any_connection(), text(), random_below(6) == 0 ? NULL : &about);
    call(streams_nats_consumer_create, any_connection(), random_below(6) == 0 ? NULL : &consumer);
    call(streams_nats_consumer_delete, any_connection(), text(), text());
    call(streams_nats_consumer_get_info, any_connection(), text(), text(),
        random_below(6) == 0 ? NULL : &where);
    refuse(streams_nats_stream_delete, , "S");
    refuse(streams_nats_consumer_delete, , "S", "c");
}

static void misuse_buckets(void) {
    streams_nats_bucket_options bucket = STREAMS_NATS_BUCKET_OPTIONS_INIT;
    streams_value read = streams_null();
    uint64_t revision = 0, *where = random_below(2) == 0 ? NULL : &revision;
    bucket.size = size(sizeof bucket);
    bucket.name = text();
    bucket.description = text();
    bucket.history = bucket.max_bytes = bucket.max_value_size = bucket.replicas = number();
    bucket.max_age = number();
    call(streams_nats_bucket_create, any_connection(), random_below(6) == 0 ? NULL : &bucket);
    call(streams_nats_bucket_delete, any_connection(), text());
    call(streams_nats_key_get, any_connection(), text(), text(), random_below(6) == 0 ? NULL : &read, where);
    (void)streams_value_destroy(&read);
    call(streams_nats_key_put, any_connection(), text(), text(), value(), where);
    call(streams_nats_key_put_at, any_connection(), text(), text(), value(), (uint64_t)number(), where);
    call(streams_nats_key_delete, any_connection(), text(), text(), random_below(2) == 0);
    make(streams_nats_watch, any_connection(), text(), text());
    make(streams_nats_key_values, any_connection(), text(), text());
    make(streams_nats_key_history, any_connection(), text(), text());
    make(streams_nats_key_binding, any_connection(), text(), text());
    contexts++;
    make(streams_nats_key_binding_of, any_connection(), text(), text(), NULL, &contexts, destroy);
    assert_int_equal(contexts, 0);
}

/* ---- The test ----------------------------------------------------------------------------------------- */

static int begin(void **state) {
    (void)state;
    static const streams_object_type type = STREAMS_OBJECT_TYPE_INIT;
    /* One without JetStream refuses at once what asks it. */
    server_prepare(&shared);
    shared.bare = true;
    server_start(&shared, NULL);
    connection = connect_to(&shared);
    stale = connect_to(&shared);
    assert_ok(streams_nats_release(stale));
    another_kind = streams_empty(true);
    subject = streams_passthrough_subject_create();
    streams_value payload = streams_text("1");
    assert_ok(streams_nats_message(&payload, NULL, 0, NULL, &message));
    assert_int_equal(streams_value_object(&type, &contexts, &object), STREAMS_OK);
    memset(long_text, 'a', sizeof long_text - 1);
    return 0;
}

static int end(void **state) {
    (void)streams_release(another_kind);
    (void)streams_release(subject);
    (void)streams_value_destroy(&message);
    (void)streams_value_destroy(&object);
    return end_sharing(state);
}

static void whatever_is_given_is_refused_or_taken(void **state) {
    (void)state;
    void (*const parts[])(void) = { misuse_connections, misuse_messages, misuse_maps, misuse_publishing,
        misuse_consumers_and_subjects, misuse_managing, misuse_buckets, misuse_languages };
    const char *wanted = getenv("STREAMS_NATS_CALLS");
    int count = wanted != NULL ? atoi(wanted) : CALLS;
    for (int i = 0; i < count / 10; i++) parts[random_below(8)]();
    assert_ok(streams_nats_flush(connection, 5 * STREAMS_SECOND));
    assert_int_equal(streams_nats_get_state(connection), STREAMS_NATS_CONNECTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whatever_is_given_is_refused_or_taken, begin, end),
    };
    return run_nats_tests(tests, sizeof tests / sizeof tests[0]);
}
