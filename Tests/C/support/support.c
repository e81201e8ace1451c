#include "support.h"

#include <pthread.h>
#include <time.h>

/* ---- Assertions ---------------------------------------------------------- */

void assert_last_(streams_status expected, const char *function, const char *file, int line) {
    if (streams_last_status() != expected || strcmp(streams_last_function(), function) != 0 ||
        streams_last_message()[0] == '\0') {
        print_error("the last error is %s in \"%s\": \"%s\", not %s in \"%s\"\n",
            streams_status_name(streams_last_status()), streams_last_function(), streams_last_message(),
            streams_status_name(expected), function);
        _fail(file, line);
    }
}

void assert_status_(
    streams_status expected, streams_status status, const char *call, const char *file, int line) {
    if (status != expected) {
        print_error("%s returned %s (%s), not %s\n", call, streams_status_name(status),
            streams_last_message(), streams_status_name(expected));
        _fail(file, line);
    }
    if (expected != STREAMS_OK) {
        char function[64] = "";
        snprintf(function, sizeof function, "%.*s", (int)strcspn(call, "( "), call);
        /* A call through a helper of the tests has another name. */
        if (strncmp(function, "streams_", 8) != 0)
            snprintf(function, sizeof function, "%s", streams_last_function());
        assert_last_(expected, function, file, line);
        streams_clear_last_error();
    }
}

void assert_refused_(
    streams_status expected, const char *function, uintmax_t result, const char *file, int line) {
    if (result != 0) {
        print_error("%s did not refuse\n", function);
        _fail(file, line);
    }
    assert_last_(expected, function, file, line);
    streams_clear_last_error();
}

/* Counted from here, so that one test that leaks does not fail all the others. */
static size_t live_at_begin;

int begin_test(void **state) {
    (void)state;
    streams_clear_last_error();
    live_at_begin = streams_live_handles();
    return 0;
}

int end_test(void **state) {
    (void)state;
    size_t live = streams_live_handles();
    if (live != live_at_begin) print_error("%zd handles are left\n", (ptrdiff_t)(live - live_at_begin));
    return live != live_at_begin;
}

void assert_described(const streams_value *value, const char *expected) {
    char text[256] = "";
    size_t needed = 0;
    assert_ok(streams_value_describe(value, text, sizeof text, &needed));
    assert_string_equal(text, expected);
    assert_int_equal(needed, strlen(expected));
}

bool equal(const streams_value *a, const streams_value *b) {
    bool result = false;
    assert_ok(streams_value_equal(a, b, &result));
    return result;
}

typedef struct ending {
    int64_t code;
    char domain[32];
} ending;

static void note_ending(recorder *self, const streams_error *error) {
    ending *noted = self->extra;
    noted->code = streams_error_code(error);
    snprintf(noted->domain, sizeof noted->domain, "%s", streams_error_domain(error));
}

void assert_fails_inside(streams_publisher *publisher, streams_status code) {
    ending noted = { 0 };
    recorder r = { .on_completion = note_ending, .extra = &noted };
    recorder_subscribe(&r, publisher, STREAMS_UNLIMITED);
    recorder_end(&r);
    assert_int_equal(noted.code, code);
    assert_string_equal(noted.domain, "streams");
}

/* ---- Short forms --------------------------------------------------------- */

streams_error *new_error(const char *message) {
    streams_error *error = streams_error_create(1, "test", message, NULL);
    if (error == NULL) fail_msg("streams_error_create: %s", streams_last_message());
    return error;
}

streams_subject *current(int64_t initial) {
    streams_value value = streams_int(initial);
    return streams_current_value_subject_create(&value);
}

streams_status send_int(streams_subject *subject, int64_t value) {
    streams_value boxed = streams_int(value);
    return streams_subject_send(subject, &boxed);
}

streams_status finish(streams_subject *subject) {
    return streams_subject_send_completion(subject, NULL);
}

streams_status fail_with(streams_subject *subject, const char *message) {
    streams_error *error = new_error(message);
    streams_status status = streams_subject_send_completion(subject, error);
    streams_release(error);
    return status;
}

streams_value doubled_list(int64_t number) {
    streams_value list = streams_int(number);
    for (int level = 0; level < 40; level++) {
        streams_value pair[2] = { list, list };
        assert_ok(streams_value_list(pair, 2, &list));
        assert_ok(streams_value_destroy(&pair[0]));
    }
    return list;
}

streams_publisher *ints(size_t count) {
    int64_t *values = malloc((count + 1) * sizeof *values);
    if (values == NULL) abort();
    for (size_t i = 0; i < count; i++) values[i] = (int64_t)i + 1;
    streams_publisher *p = streams_sequence_int64s(values, count);
    free(values);
    return p;
}

streams_publisher *failed(void) {
    streams_error *error = new_error("first");
    streams_publisher *p = streams_fail(error);
    streams_release(error);
    return p;
}

void on_another_thread(void *(*body)(void *), void *context) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, body, context), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

bool under_valgrind(void) {
    const char *preloaded = getenv("LD_PRELOAD");
    return preloaded != NULL && strstr(preloaded, "vgpreload") != NULL;
}

const char *root(void) {
    const char *path = getenv("STREAMS_ROOT");
    return path != NULL ? path : ".";
}

char *read_file(const char *path) {
    char name[4096];
    snprintf(name, sizeof name, "%s/%s", root(), path);
    FILE *file = fopen(name, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) fail_msg("cannot read %s", name);
    long length = ftell(file);
    char *text = calloc((size_t)length + 1, 1);
    rewind(file);
    if (text == NULL || fread(text, 1, (size_t)length, file) != (size_t)length)
        fail_msg("cannot read %s", name);
    fclose(file);
    return text;
}

int below(uint64_t *chance, int limit) { /* SplitMix64 */
    *chance += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t mixed = (*chance ^ (*chance >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (int)((mixed ^ (mixed >> 31)) % (uint64_t)limit);
}

void every_program_holds(bool (*holds)(uint64_t seed)) {
    uint64_t enough = under_valgrind() ? 10 : 1000;
    const char *given = getenv("FUZZ_SECONDS"), *number = getenv("FUZZ_SEED");
    uint64_t seed = number != NULL ? strtoull(number, NULL, 10) : 1, first = seed;
    time_t over = time(NULL) + (given != NULL ? strtol(given, NULL, 10) : 0);
    while (holds(seed)) {
        if (++seed >= first + enough && time(NULL) >= over) return;
    }
    fail_msg("program FUZZ_SEED=%llu", (unsigned long long)seed);
}
