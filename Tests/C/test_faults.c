/* What helps to find faults: warnings of drops, the list of live streams, the trace file and labels. */

#include "support.h"

#include <sys/wait.h>
#include <unistd.h>

/* ---- Warnings -------------------------------------------------------------------------------------- */

static char said[4096];

/* What is written to the standard error output while `act` runs. */
static const char *written_by(void (*act)(void)) {
    FILE *file = tmpfile();
    assert_non_null(file);
    int before = dup(2);
    assert_true(dup2(fileno(file), 2) >= 0);
    act();
    assert_true(dup2(before, 2) >= 0);
    close(before);
    rewind(file);
    said[fread(said, 1, sizeof said - 1, file)] = '\0';
    fclose(file);
    return said;
}

/* Sends five values to who wants one. */
static void lose_some(streams_publisher *(*make)(streams_subject *subject)) {
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { 0 };
    recorder_subscribe(&r, make(subject), 1);
    for (int i = 0; i < 5; i++) assert_ok(send_int(subject, i));
    assert_int_equal(r.values, 1);
    assert_true(streams_dropped(r.cancellable) > 0);
    recorder_end(&r);
    assert_ok(streams_release(subject));
}

static streams_publisher *itself(streams_subject *subject) {
    return streams_map(streams_subject_publisher(subject), identity, NULL, NULL);
}

static streams_publisher *buffered(streams_subject *subject) {
    streams_publisher *p = itself(subject);
    p = streams_buffer(p, 2, STREAMS_PREFETCH_BY_REQUEST, STREAMS_WHEN_FULL_DROP_OLDEST);
    return streams_prefix(p, 9);
}

static void lose_once(void) {
    lose_some(itself);
}

static void lose_with_warnings(void) {
    streams_warn_about_drops(true);
    for (int i = 0; i < 3; i++) {
        lose_some(itself);
        lose_some(buffered);
    }
    streams_warn_about_drops(false);
    lose_some(itself);
}

static void each_place_is_told_once(void **state) {
    (void)state;
    assert_string_equal(written_by(lose_once), "");
    assert_string_equal(written_by(lose_with_warnings),
        "streams: passthrough_subject drops values: there is no demand for them, or no room\n"
        "streams: buffer drops values on the way to prefix: there is no demand for them, or no room\n");
}

static void lose_with_a_label(void) {
    streams_warn_about_drops(true);
    streams_subject *subject = streams_passthrough_subject_create();
    assert_ok(streams_label(subject, "prices", "shop.c:3"));
    const int64_t numbers[] = { 1, 2, 3 };
    for (int i = 0; i < 2; i++) {
        recorder r = { 0 };
        recorder_subscribe(&r, streams_subject_publisher(subject), 1);
        assert_ok(streams_subject_send_int64s(subject, numbers, 3));
        recorder_end(&r);
        streams_warn_about_drops(false);
        assert_ok(streams_label(subject, "other prices", NULL));
    }
    assert_ok(streams_release(subject));
}

static void a_place_is_told_by_its_label_until_warnings_end(void **state) {
    (void)state;
    assert_string_equal(written_by(lose_with_a_label),
        "streams: prices (shop.c:3) drops values: there is no demand for them, or no room\n");
}

/* ---- The list -------------------------------------------------------------------------------------- */

#define HEAD "number\tof\tname\tplace\tvalues\tdemand\twaiting\tdropped\tevent\tseconds\n"

static char list[8192];

/* The list without its first line and without the times. */
static const char *listed(void) {
    char text[8192];
    size_t needed = 0;
    assert_ok(streams_live_streams(text, sizeof text, &needed));
    assert_int_equal(needed, strlen(text));
    assert_memory_equal(text, HEAD, strlen(HEAD));
    list[0] = '\0';
    char *line = strchr(text, '\n') + 1;
    for (char *end = strchr(line, '\n'); end != NULL; line = end + 1, end = strchr(line, '\n')) {
        char *from = strchr(strchr(line, '\t') + 1, '\t') + 1; /* numbers go on from test to test */
        char *time = end;
        while (*time != '\t') time--;
        *time = '\0';
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s\n", from);
    }
    return list;
}

static void live_streams_are_listed(void **state) {
    (void)state;
    assert_string_equal(listed(), "");
    streams_watch_streams(true);
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *p = streams_subject_publisher(subject);
    p = streams_buffer(p, 2, STREAMS_PREFETCH_BY_REQUEST, STREAMS_WHEN_FULL_DROP_OLDEST);
    assert_ok(streams_label(p, "shelf\tof two", "shop.c:7"));
    p = streams_map(p, identity, NULL, NULL);
    streams_watch_streams(false);
    assert_string_equal(listed(), "");
    recorder r = { 0 };
    recorder_subscribe(&r, p, 1);
    for (int i = 0; i < 5; i++) assert_ok(send_int(subject, i));
    assert_string_equal(listed(),
        "map\t\t1\t0\t0\t0\tvalue\n"
        "shelf of two\tshop.c:7\t1\t0\t2\t2\tdrop\n"
        "passthrough_subject\t\t5\tunlimited\t0\t0\tvalue\n");
    assert_ok(streams_cancel(r.cancellable));
    assert_string_equal(listed(), "");
    recorder_end(&r);
    assert_ok(streams_release(subject));
}

static void what_waits_is_counted(void **state) {
    (void)state;
    streams_watch_streams(true);
    streams_scheduler *clock = streams_virtual_scheduler_create();
    streams_subject *fast = streams_passthrough_subject_create();
    streams_subject *slow = streams_passthrough_subject_create();
    streams_publisher *both[] = { streams_receive_on(streams_subject_publisher(fast), clock),
        streams_subject_publisher(slow) };
    recorder r = { 0 };
    recorder_subscribe(&r, streams_zip(both, 2), STREAMS_UNLIMITED);
    for (int i = 0; i < 3; i++) assert_ok(send_int(fast, i));
    assert_non_null(strstr(listed(), "receive_on\t\t0\tunlimited\t3\t0\trequest\n"));
    assert_ok(streams_virtual_scheduler_advance(clock, 0));
    assert_ok(send_int(slow, 1));
    assert_string_equal(listed(),
        "zip\t\t1\tunlimited\t2\t0\tvalue\n"
        "receive_on\t\t3\tunlimited\t0\t0\tvalue\n"
        "passthrough_subject\t\t3\tunlimited\t0\t0\tvalue\n"
        "passthrough_subject\t\t1\tunlimited\t0\t0\tvalue\n");
    recorder_end(&r);
    streams_watch_streams(false);
    assert_ok(streams_release(fast));
    assert_ok(streams_release(slow));
    assert_ok(streams_release(clock));
}

static streams_status expand_to(void *subject, const streams_value *in, streams_publisher **out) {
    (void)in;
    *out = streams_subject_publisher(subject);
    return STREAMS_OK;
}

/* A stream that an operator begins later belongs to it; one that a subscriber begins is its own. */
static void later_streams_belong_to_their_operator(void **state) {
    (void)state;
    streams_watch_streams(true);
    streams_subject *outer = streams_passthrough_subject_create();
    streams_subject *inner = streams_passthrough_subject_create();
    recorder r = { 0 };
    streams_publisher *p = streams_subject_publisher(outer);
    recorder_subscribe(&r, streams_switch_to_latest(p, expand_to, inner, NULL), 1);
    assert_ok(send_int(outer, 1));
    char text[4096];
    assert_ok(streams_live_streams(text, sizeof text, NULL));
    unsigned numbers[3], parents[3];
    char *line = text;
    for (int i = 0; i < 3; i++) {
        line = strchr(line, '\n') + 1;
        assert_int_equal(sscanf(line, "%u\t%u", &numbers[i], &parents[i]), 2);
    }
    assert_int_equal(parents[0], 0);
    assert_int_equal(parents[1], numbers[0]);
    assert_int_equal(parents[2], numbers[0]);
    recorder_end(&r);
    streams_watch_streams(false);
    assert_ok(streams_release(outer));
    assert_ok(streams_release(inner));
}

static void a_list_is_cut_short(void **state) {
    (void)state;
    char text[4];
    assert_ok(streams_live_streams(text, sizeof text, NULL));
    assert_string_equal(text, "num");
    size_t needed = 0;
    assert_ok(streams_live_streams(NULL, 0, &needed));
    assert_int_equal(needed, strlen(HEAD));
    assert_status(STREAMS_NULL_ARGUMENT, streams_live_streams(NULL, 0, NULL));
    assert_status(STREAMS_NULL_ARGUMENT, streams_live_streams(NULL, 5, &needed));
}

/* ---- The trace file -------------------------------------------------------------------------------- */

static char trace[65536];

/* The file's text; how its events fit each other is tested in Python, which reads them. */
static const char *text_of(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    trace[fread(trace, 1, sizeof trace - 1, file)] = '\0';
    fclose(file);
    assert_int_equal(remove(path), 0);
    return trace;
}

static void events_go_to_a_file(void **state) {
    (void)state;
    char path[] = "/tmp/streams-trace-XXXXXX";
    close(mkstemp(path));
    assert_ok(streams_trace_to_file(path));
    streams_subject *subject = streams_passthrough_subject_create();
    assert_ok(streams_label(subject, "a \"quoted\"\x01 label", NULL));
    recorder r = { 0 };
    recorder_subscribe(&r, streams_subject_publisher(subject), 1);
    assert_ok(send_int(subject, 41));
    assert_ok(send_int(subject, 42));
    recorder_end(&r);
    assert_ok(streams_trace_to_file(NULL));
    assert_ok(send_int(subject, 43));
    assert_ok(streams_release(subject));
    const char *text = text_of(path);
    assert_memory_equal(text, "[\n{\"ph\":\"M\"", 11);
    assert_string_equal(text + strlen(text) - 4, "}\n]\n");
    assert_non_null(strstr(text, "\"name\":\"a \\\"quoted\\\"\\u0001 label\""));
    assert_non_null(strstr(text, "\"cat\":\"value\",\"name\":\"41\""));
    assert_non_null(strstr(text, "\"cat\":\"dropped\",\"name\":\"dropped 1\""));
    assert_non_null(strstr(text, "\"cat\":\"cancelled\",\"name\":\"cancelled\""));
    assert_null(strstr(text, "\"cat\":\"value\",\"name\":\"43\""));
    assert_status(STREAMS_INVALID_ARGUMENT, streams_trace_to_file("/"));
}

static void a_child_process_does_not_write(void **state) {
    (void)state;
    char path[] = "/tmp/streams-trace-XXXXXX";
    close(mkstemp(path));
    assert_ok(streams_trace_to_file(path));
    streams_subject *subject = streams_passthrough_subject_create();
    recorder r = { 0 };
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    pid_t child = fork();
    if (child == 0) {
        streams_value seven = streams_int(777);
        bool is_sent = streams_subject_send(subject, &seven) == STREAMS_OK;
        _exit(is_sent && streams_trace_to_file(NULL) == STREAMS_OK ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_ok(send_int(subject, 1));
    recorder_end(&r);
    assert_ok(streams_trace_to_file(NULL));
    assert_ok(streams_release(subject));
    const char *text = text_of(path);
    assert_non_null(strstr(text, "\"cat\":\"value\",\"name\":\"1\""));
    assert_null(strstr(text, "\"cat\":\"value\",\"name\":\"777\""));
    assert_null(strstr(strchr(text, ']'), "]\n,"));
    assert_string_equal(text + strlen(text) - 4, "}\n]\n");
}

/* ---- Labels ---------------------------------------------------------------------------------------- */

static void labels_are_for_publishers(void **state) {
    (void)state;
    streams_publisher *p = ints(1);
    assert_ok(streams_label(p, "x", "y")); /* to no effect: nothing is watched */
    assert_status(STREAMS_INVALID_UTF8, streams_label(p, "\xff", NULL));
    assert_status(STREAMS_INVALID_UTF8, streams_label(p, NULL, "\xff"));
    streams_connectable *connectable = streams_make_connectable(p);
    assert_ok(streams_label(connectable, NULL, NULL));
    assert_ok(streams_release(connectable));
    assert_status(STREAMS_STALE_HANDLE, streams_label(connectable, "x", "y"));
    assert_status(STREAMS_NULL_HANDLE, streams_label(NULL, "x", "y"));
    streams_scheduler *clock = streams_virtual_scheduler_create();
    assert_status(STREAMS_WRONG_KIND, streams_label(clock, "x", "y"));
    assert_ok(streams_release(clock));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(each_place_is_told_once),
        test(a_place_is_told_by_its_label_until_warnings_end),
        test(live_streams_are_listed),
        test(what_waits_is_counted),
        test(later_streams_belong_to_their_operator),
        test(a_list_is_cut_short),
        test(events_go_to_a_file),
        test(a_child_process_does_not_write),
        test(labels_are_for_publishers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
