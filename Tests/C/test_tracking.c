/* What a publisher is made of, and trackers of publishers, of subjects, and of all that is made. */

#include "support.h"

/* ---- publisher_describe ---------------------------------------------------------------------------- */

static void assert_tree(streams_publisher *publisher, const char *expected) {
    char text[4096];
    size_t needed = 0;
    assert_ok(streams_publisher_describe(publisher, text, sizeof text, &needed));
    assert_string_equal(text, expected);
    assert_int_equal(needed, strlen(expected));
    assert_ok(streams_release(publisher));
}

static void a_chain_is_described(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *p = streams_subject_publisher(subject);
    p = streams_map(streams_map(p, identity, NULL, NULL), identity, NULL, NULL);
    assert_tree(streams_count(p), "count\n  map\n    map\n      passthrough_subject");
    assert_ok(streams_release(subject));
}

static void joins_and_what_is_shared_are_described(void **state) {
    (void)state;
    streams_publisher *shared = streams_share(ints(3));
    assert_ok(streams_retain(shared));
    assert_ok(streams_retain(shared));
    streams_publisher *pair[] = { streams_pairwise(shared), streams_append(shared, ints(1)) };
    streams_publisher *joined = streams_with_latest_from(streams_merge(pair, 2), shared);
    assert_tree(joined,
        "with_latest_from\n  merge\n    pairwise\n      share\n        sequence_int64s\n    append\n"
        "      share (see above)\n      sequence_int64s\n  share (see above)");
}

static void connectables_are_described(void **state) {
    (void)state;
    streams_connectable *connectable = streams_make_connectable(ints(1));
    assert_tree(streams_connectable_publisher(connectable), "make_connectable\n  sequence_int64s");
    assert_tree(
        streams_autoconnect(connectable), "autoconnect\n  make_connectable\n    sequence_int64s");
}

static void a_description_is_cut_short(void **state) {
    (void)state;
    streams_publisher *p = streams_count(ints(1));
    char text[8];
    size_t needed = 0;
    assert_ok(streams_publisher_describe(p, text, sizeof text, &needed));
    assert_string_equal(text, "count\n ");
    assert_int_equal(needed, strlen("count\n  sequence_int64s"));
    assert_ok(streams_publisher_describe(p, NULL, 0, &needed));
    assert_ok(streams_release(p));
}

static void a_long_chain_is_described_and_let_go_of(void **state) {
    (void)state;
    streams_publisher *chain = ints(1);
    streams_publisher *nest = ints(1);
    for (int i = 0; i < 100000; i++) {
        chain = streams_map(chain, identity, NULL, NULL);
        nest = streams_append(ints(1), nest);
    }
    size_t needed = 0;
    assert_ok(streams_publisher_describe(chain, NULL, 0, &needed));
    /* A hundred lines, each indented by two more, and the mark of what is left out. */
    assert_int_equal(needed, 100 * (3 + 1) + 2 * (99 * 100 / 2) + 200 + 3);
    assert_ok(streams_publisher_describe(nest, NULL, 0, &needed));
    assert_ok(streams_release(chain));
    assert_ok(streams_release(nest));
}

/* ---- track ------------------------------------------------------------------------------------------- */

typedef struct written {
    char text[8192];
    size_t length;
} written;

static void write_line(void *context, const char *text, size_t length) {
    written *self = context;
    if (self->length + length >= sizeof self->text) return;
    memcpy(self->text + self->length, text, length);
    self->length += length;
    self->text[self->length] = '\0';
}

/* This has been written since the last look. */
static void assert_lines(written *log, const char *expected) {
    assert_string_equal(log->text, expected);
    log->length = 0;
    log->text[0] = '\0';
}

static uint64_t take_value(void *context, const streams_value *value) {
    (void)context, (void)value;
    return 0;
}

/* A sink, from its beginning to its end, without anything that would tell of it besides. */
static void a_subject_and_a_sink_are_tracked(void **state) {
    (void)state;
    written log = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    streams_subject *tracked = streams_track_subject(subject, NULL, write_line, &log, NULL);
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.on_value = take_value;
    subscriber.demand = STREAMS_UNLIMITED;
    streams_cancellable *cancellable = streams_sink(streams_subject_publisher(tracked), &subscriber);
    assert_lines(&log,
        "> Subject subscribe\n"
        "    > Subscriber on_subscription\n"
        "        - Subscription request demand: unlimited\n"
        "    < Subscriber on_subscription\n"
        "< Subject subscribe\n");
    send_int(tracked, 42);
    assert_lines(&log,
        "> Subject send value: 42\n"
        "    - Subscriber on_value value: 42\n"
        "< Subject send\n");
    assert_ok(streams_cancel(cancellable));
    assert_lines(&log,
        "> Subscription cancel\n"
        "    - Subscriber released\n"
        "< Subscription cancel\n"
        "- Subscription released\n");
    send_int(tracked, 1);
    assert_lines(&log, "- Subject send value: 1\n");
    send_int(subject, 2); /* past the tracker */
    assert_lines(&log, "");
    streams_error *error = streams_error_create(3, "d", "m", NULL);
    assert_ok(streams_subject_send_completion(tracked, error));
    assert_lines(&log, "- Subject send_completion failed: d 3: m\n");
    streams_value value = streams_int(1);
    assert_status(STREAMS_TERMINATED, streams_subject_send(tracked, &value));
    assert_ok(streams_release(error));
    assert_ok(streams_release(cancellable));
    assert_ok(streams_release(tracked));
    assert_ok(streams_release(subject));
}

static void a_current_value_is_tracked(void **state) {
    (void)state;
    written log = { 0 };
    streams_value value = streams_int(1);
    streams_subject *subject = streams_current_value_subject_create(&value);
    streams_subject *tracked = streams_track_subject(subject, "v", write_line, &log, NULL);
    value = streams_int(2);
    assert_ok(streams_current_value_subject_set_value(tracked, &value));
    assert_lines(&log, "- v: Subject send value: 2\n");
    streams_value found = streams_null();
    assert_ok(streams_current_value_subject_get_value(tracked, &found));
    assert_int_equal(found.as.integer, 2);
    assert_ok(streams_current_value_subject_get_value(subject, &found));
    assert_int_equal(found.as.integer, 2);
    /* As the downstream of a publisher. */
    assert_ok(streams_release(streams_assign(ints(1), tracked)));
    assert_lines(&log, "- v: Subject send value: 1\n");
    streams_cancellable *cancellable = streams_subscribe(streams_empty(false), tracked);
    assert_lines(&log, "- v: Subject on_subscription\n");
    assert_ok(streams_release(cancellable));
    assert_ok(streams_release(tracked));
    assert_ok(streams_release(subject));
}

static void trackers_nest(void **state) {
    (void)state;
    written log = { 0 };
    recorder r = { 0 };
    streams_publisher *p = streams_track(ints(1), "a", write_line, &log, NULL);
    p = streams_track(streams_map(p, identity, NULL, NULL), "b", write_line, &log, NULL);
    recorder_subscribe(&r, p, 1);
    recorder_end(&r);
    assert_int_equal(r.values, 1);
    assert_lines(&log,
        "> b: Publisher subscribe\n"
        "    > a: Publisher subscribe\n"
        "        > a: Subscriber on_subscription\n"
        "            > b: Subscriber on_subscription\n"
        "                > b: Subscription request demand: 1\n"
        "                    > a: Subscription request demand: 1\n"
        "                        > a: Subscriber on_value value: 1\n"
        "                            - b: Subscriber on_value value: 1\n"
        "                        < a: Subscriber on_value\n"
        "                        > a: Subscriber on_completion finished\n"
        "                            - b: Subscriber on_completion finished\n"
        "                        < a: Subscriber on_completion\n"
        "                    < a: Subscription request\n"
        "                < b: Subscription request\n"
        "                - b: Subscription released\n"
        "            < b: Subscriber on_subscription\n"
        "            - a: Subscription released\n"
        "        < a: Subscriber on_subscription\n"
        "        - a: Subscriber released\n"
        "    < a: Publisher subscribe\n"
        "    - b: Subscriber released\n"
        "< b: Publisher subscribe\n");
}

/* One line tells at the place, however many trackers are below, and the stream counts. */
static void what_is_dropped_is_told(void **state) {
    (void)state;
    written log = { 0 };
    recorder r = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    streams_subject *tracked = streams_track_subject(subject, "s", write_line, &log, NULL);
    streams_publisher *p = streams_subject_publisher(tracked);
    p = streams_buffer(p, 1, STREAMS_PREFETCH_BY_REQUEST, STREAMS_WHEN_FULL_DROP_NEWEST);
    p = streams_track(streams_track(p, "b", write_line, &log, NULL), "c", write_line, &log, NULL);
    recorder_subscribe(&r, p, 0);
    send_int(tracked, 1);
    log.length = 0;
    send_int(tracked, 2);
    assert_lines(&log,
        "> s: Subject send value: 2\n"
        "    > s: Subscriber on_value value: 2\n"
        "        - b: Publisher dropped values: 1\n"
        "    < s: Subscriber on_value\n"
        "< s: Subject send\n");
    assert_int_equal(streams_dropped(r.cancellable), 1);
    recorder_end(&r);
    r = (recorder){ 0 };
    recorder_subscribe(&r, streams_subject_publisher(tracked), 0);
    log.length = 0;
    send_int(tracked, 3);
    assert_lines(&log,
        "> s: Subject send value: 3\n"
        "    - s: Subject dropped values: 1\n"
        "< s: Subject send\n");
    assert_int_equal(streams_dropped(r.cancellable), 1);
    recorder_end(&r);
    assert_ok(streams_release(tracked));
    assert_ok(streams_release(subject));
}

static void fail_a_call(void *context, const char *text, size_t length) {
    write_line(context, text, length);
    (void)streams_release(NULL);
}

static void let_go(void *context) { (void)streams_release(*(streams_cancellable **)context); }

/* A line may tell of a release, in the middle of a call that fails. */
static void a_call_keeps_its_error_when_a_line_is_written(void **state) {
    (void)state;
    written log = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.on_value = take_value;
    subscriber.demand = STREAMS_UNLIMITED;
    streams_publisher *p = streams_track(streams_subject_publisher(subject), "t", fail_a_call, &log, NULL);
    streams_cancellable *cancellable = streams_sink(p, &subscriber);
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_map", streams_map(ints(1), NULL, &cancellable, let_go));
    assert_non_null(strstr(log.text, "- t: Subscription released\n"));
    assert_ok(streams_release(subject));
}

/* ---- trace ------------------------------------------------------------------------------------------- */

static void what_is_made_while_it_is_on_is_traced(void **state) {
    (void)state;
    written log = { 0 };
    counter c = { 0 };
    recorder r = { 0 };
    streams_trace_start(write_line, &log, NULL);
    streams_publisher *traced = streams_map(ints(1), identity, NULL, NULL);
    streams_trace_start(NULL, &c, counter_destroy);
    streams_trace_stop();
    assert_int_equal(c.destroyed, 1);
    traced = streams_count(traced);
    assert_lines(&log, "");
    recorder_subscribe(&r, traced, STREAMS_UNLIMITED);
    const char *begin = "> map: Publisher subscribe\n    > sequence_int64s: Publisher subscribe\n";
    assert_non_null(strstr(log.text, begin));
    assert_null(strstr(log.text, "count"));
    recorder_end(&r);
    /* Its tree is that of any other. */
    streams_trace_start(write_line, &log, NULL);
    traced = streams_count(streams_map(ints(1), identity, NULL, NULL));
    streams_trace_stop();
    assert_tree(traced, "count\n  map\n    sequence_int64s");
}

static void a_trace_keeps_its_context(void **state) {
    (void)state;
    counter c = { 0 };
    streams_trace_start(NULL, &c, counter_destroy);
    streams_publisher *p = ints(1);
    streams_trace_stop();
    assert_int_equal(c.destroyed, 0);
    assert_ok(streams_release(p));
    assert_int_equal(c.destroyed, 1);
}

static void a_trace_of_many_publishers_is_that_of_one(void **state) {
    (void)state;
    written log = { 0 };
    recorder r = { 0 };
    streams_trace_start(write_line, &log, NULL);
    for (int i = 0; i < 200000; i++) assert_ok(streams_release(streams_empty(true)));
    streams_publisher *last = streams_empty(true);
    streams_trace_stop();
    recorder_subscribe(&r, last, 1);
    recorder_end(&r);
    assert_non_null(strstr(log.text, "> empty: Publisher subscribe\n"));
}

/* ---- What print shows --------------------------------------------------------------------------------- */

static void print_shows_what_a_step_stands_before(void **state) {
    (void)state;
    written log = { 0 };
    recorder r = { 0 };
    streams_publisher *p = streams_print(ints(2), "s", write_line, &log, NULL);
    p = streams_map(p, identity, NULL, NULL);
    recorder_subscribe(&r, streams_print(p, "m", write_line, &log, NULL), 0);
    recorder_end(&r);
    assert_non_null(strstr(log.text, "s: receive subscription: ([1, 2])\n"));
    assert_non_null(strstr(log.text, "m: receive subscription: (Print)\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_chain_is_described),
        test(joins_and_what_is_shared_are_described),
        test(connectables_are_described),
        test(a_description_is_cut_short),
        test(a_long_chain_is_described_and_let_go_of),
        test(a_subject_and_a_sink_are_tracked),
        test(a_current_value_is_tracked),
        test(trackers_nest),
        test(what_is_dropped_is_told),
        test(a_call_keeps_its_error_when_a_line_is_written),
        test(what_is_made_while_it_is_on_is_traced),
        test(a_trace_keeps_its_context),
        test(a_trace_of_many_publishers_is_that_of_one),
        test(print_shows_what_a_step_stands_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
