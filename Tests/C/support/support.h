/*
 * support.h - what the C tests share: a subscriber that writes down what it
 * hears, callbacks, and assertions.
 *
 * Assertions leave a test by longjmp, so callbacks never assert: they write
 * down, and the test looks afterwards.
 */

#ifndef STREAMS_TEST_SUPPORT_H
#define STREAMS_TEST_SUPPORT_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <streams_host.h>

/* ---- Assertions ---------------------------------------------------------- */

/* The call returns this status; if it is a failure, the last error says so. */
#define assert_status(expected, call) assert_status_((expected), (call), #call, __FILE__, __LINE__)
#define assert_ok(call)               assert_status(STREAMS_OK, call)

/* The call returns NULL (0, false), and the last error has this status, the
 * function's name, and a message. */
#define assert_refused(expected, function, result) \
    assert_refused_((expected), (function), (uintmax_t)(uintptr_t)(result), __FILE__, __LINE__)

void assert_status_(
    streams_status expected, streams_status status, const char *call, const char *file, int line);
void assert_refused_(
    streams_status expected, const char *function, uintmax_t result, const char *file, int line);

/* The last error of the thread. */
#define assert_last(status, function) assert_last_((status), (function), __FILE__, __LINE__)
void assert_last_(streams_status expected, const char *function, const char *file, int line);

/* Setup and teardown of every test: no error at the start, no handle left at
 * the end. */
int begin_test(void **state);
int end_test(void **state);

#define test(function) cmocka_unit_test_setup_teardown(function, begin_test, end_test)

/* The value's description is this. */
void assert_described(const streams_value *value, const char *expected);

/* Whether the values are equal. */
bool equal(const streams_value *a, const streams_value *b);

/* The publisher fails in the domain "streams" with this code. Consumes it. */
void assert_fails_inside(streams_publisher *publisher, streams_status code);

/* ---- A log --------------------------------------------------------------- */

/* Words, separated by spaces. Not thread-safe. */
typedef struct test_log {
    char text[4096];
    size_t length;
} test_log;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void log_add(test_log *log, const char *format, ...);

/* Adds the description of a value. */
void log_value(test_log *log, const streams_value *value);

/* The log is this; empties it. */
#define assert_log(log, expected) assert_log_((log), (expected), __FILE__, __LINE__)
void assert_log_(test_log *log, const char *expected, const char *file, int line);

/* ---- Recorder: a subscriber that writes down what it hears ---------------- */

typedef struct recorder recorder;
struct recorder {
    test_log log;
    /* Returned by each value. */
    uint64_t more;
    /* Whether values are taken in batches; the log then has "(1 2 3)". */
    bool batches;
    /* Hooks, called inside the callbacks after the log is written. */
    void (*on_subscription)(recorder *self);
    void (*on_value)(recorder *self, const streams_value *value);
    void (*on_completion)(recorder *self, const streams_error *error);
    /* For the hooks. */
    void *extra;
    /* Retained when the stream begins; released by recorder_end. */
    streams_subscription *subscription;
    streams_cancellable *cancellable;
    uint64_t values;
    atomic_int destroyed;
};

/* A subscriber that writes into the recorder: "subscribed", each value,
 * "finished" or "failed(message)", "destroyed". */
streams_subscriber recorder_subscriber(recorder *self, uint64_t demand);

/* Subscribes, and keeps the cancellable. Consumes the publisher. */
void recorder_subscribe(recorder *self, streams_publisher *publisher, uint64_t demand);

/* Releases cancellable and subscription. */
void recorder_end(recorder *self);

/* Subscribes with unlimited demand, and asserts that the whole stream,
 * including the end of the recorder, is this. */
#define assert_stream(publisher, expected) assert_stream_((publisher), (expected), __FILE__, __LINE__)
void assert_stream_(streams_publisher *publisher, const char *expected, const char *file, int line);

/* ---- Callbacks ----------------------------------------------------------- */

/* A context that counts. */
typedef struct counter {
    atomic_int calls;
    atomic_int destroyed;
} counter;

/* Destroys of a counter; of nothing but heap memory. */
void counter_destroy(void *context);

/* All take a counter or NULL. Numbers are integers. */
streams_status add_one(void *context, const streams_value *in, streams_value *out);
streams_status identity(void *context, const streams_value *in, streams_value *out);
streams_status half_if_even(void *context, const streams_value *in, streams_value *out);
streams_status is_even(void *context, const streams_value *in, bool *result);
streams_status same_parity(void *context, const streams_value *a, const streams_value *b, bool *same);
streams_status sum(
    void *context, const streams_value *accumulated, const streams_value *in, streams_value *out);
streams_status expand_twice(void *context, const streams_value *in, streams_publisher **out);
streams_status publisher_of(void *context, const streams_value *in, streams_publisher **out);
streams_status recover_with_seven(void *context, const streams_error *error, streams_publisher **out);

/* These fail: with the error 42, "test", "broken", or with a plain status. */
streams_status broken_transform(void *context, const streams_value *in, streams_value *out);
streams_status broken_predicate(void *context, const streams_value *in, bool *result);
streams_status broken_compare(void *context, const streams_value *a, const streams_value *b, bool *same);
streams_status broken_combine(
    void *context, const streams_value *accumulated, const streams_value *in, streams_value *out);
streams_status broken_expand(void *context, const streams_value *in, streams_publisher **out);
streams_status broken_recover(void *context, const streams_error *error, streams_publisher **out);
streams_status plainly_broken_transform(void *context, const streams_value *in, streams_value *out);

/* ---- Short forms --------------------------------------------------------- */

streams_error *new_error(const char *message);
streams_subject *current(int64_t initial); /* a current-value subject */
streams_status send_int(streams_subject *subject, int64_t value);
streams_status finish(streams_subject *subject);
streams_status fail_with(streams_subject *subject, const char *message);
/* A list of twice the same list, and so on: 2^40 times the number, in 40 lists. */
streams_value doubled_list(int64_t number);
streams_publisher *ints(size_t count); /* 1, 2, ..., count */
streams_publisher *failed(void);       /* fails with the error "first" */

/* Runs a body on another thread, and waits for that. */
void on_another_thread(void *(*body)(void *), void *context);

/* Whether valgrind runs the test: some loops are shorter then. */
bool under_valgrind(void);

/* The repository's root, for files that tests read. */
const char *root(void);

/* The text of a file below the root; free it. */
char *read_file(const char *path);

/* A number from 0 to `limit` - 1 at random. `chance` is the seed at first. */
int below(uint64_t *chance, int limit);

/* A thousand programs that are made from seeds, under valgrind ten, hold what they promise; with
 * FUZZ_SECONDS, as many as it takes. They begin at FUZZ_SEED. */
void every_program_holds(bool (*holds)(uint64_t seed));

#endif /* STREAMS_TEST_SUPPORT_H */
