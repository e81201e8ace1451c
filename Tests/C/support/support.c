#include "support.h"

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

/* ---- A log --------------------------------------------------------------- */

void log_add(test_log *log, const char *format, ...) {
    va_list arguments;
    size_t room = sizeof log->text - log->length;
    va_start(arguments, format);
    if (log->length > 0 && room > 1) {
        log->text[log->length++] = ' ';
        room--;
    }
    int count = vsnprintf(log->text + log->length, room, format, arguments);
    va_end(arguments);
    log->length += count > 0 && (size_t)count < room ? (size_t)count : room - 1;
}

void log_value(test_log *log, const streams_value *value) {
    char text[512];
    streams_status status = streams_value_describe(value, text, sizeof text, NULL);
    log_add(log, "%s", status == STREAMS_OK ? text : streams_status_name(status));
}

void assert_log_(test_log *log, const char *expected, const char *file, int line) {
    log->text[log->length] = '\0';
    bool same = strcmp(log->text, expected) == 0;
    if (!same) print_error("the log is \"%s\", not \"%s\"\n", log->text, expected);
    log->length = 0;
    if (!same) _fail(file, line);
}

/* ---- Recorder ------------------------------------------------------------ */

static void record_subscription(void *context, streams_subscription *subscription) {
    recorder *self = context;
    log_add(&self->log, "subscribed");
    if (streams_retain(subscription) == STREAMS_OK) self->subscription = subscription;
    if (self->on_subscription != NULL) self->on_subscription(self);
}

static uint64_t record_value(void *context, const streams_value *value) {
    recorder *self = context;
    self->values++;
    log_value(&self->log, value);
    if (self->on_value != NULL) self->on_value(self, value);
    return self->more;
}

static uint64_t record_values(void *context, const streams_value *values, size_t count) {
    recorder *self = context;
    self->values += count;
    log_add(&self->log, "(");
    for (size_t i = 0; i < count; i++) {
        log_value(&self->log, &values[i]);
        if (self->on_value != NULL) self->on_value(self, &values[i]);
    }
    log_add(&self->log, ")");
    return self->more;
}

static void record_completion(void *context, const streams_error *error) {
    recorder *self = context;
    if (error == NULL) {
        log_add(&self->log, "finished");
    } else {
        log_add(&self->log, "failed(%s)", streams_error_message(error));
    }
    if (self->on_completion != NULL) self->on_completion(self, error);
}

static void record_destroy(void *context) {
    recorder *self = context;
    log_add(&self->log, "destroyed");
    self->destroyed++;
}

streams_subscriber recorder_subscriber(recorder *self, uint64_t demand) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = self;
    subscriber.demand = demand;
    subscriber.on_subscription = record_subscription;
    subscriber.on_value = record_value;
    if (self->batches) subscriber.on_values = record_values;
    subscriber.on_completion = record_completion;
    subscriber.destroy = record_destroy;
    return subscriber;
}

void recorder_subscribe(recorder *self, streams_publisher *publisher, uint64_t demand) {
    streams_subscriber subscriber = recorder_subscriber(self, demand);
    self->cancellable = streams_sink(publisher, &subscriber);
    if (self->cancellable == NULL) fail_msg("streams_sink: %s", streams_last_message());
}

void recorder_end(recorder *self) {
    if (self->cancellable != NULL) streams_release(self->cancellable);
    if (self->subscription != NULL) streams_release(self->subscription);
    self->cancellable = NULL;
    self->subscription = NULL;
}

void assert_stream_(streams_publisher *publisher, const char *expected, const char *file, int line) {
    recorder r = { 0 };
    streams_subscriber subscriber = recorder_subscriber(&r, STREAMS_UNLIMITED);
    r.cancellable = streams_sink(publisher, &subscriber);
    recorder_end(&r);
    assert_log_(&r.log, expected, file, line);
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

/* ---- Callbacks ----------------------------------------------------------- */

static void count_call(void *context) {
    counter *counted = context;
    if (counted != NULL) counted->calls++;
}

void counter_destroy(void *context) {
    counter *counted = context;
    counted->destroyed++;
}

streams_status add_one(void *context, const streams_value *in, streams_value *out) {
    count_call(context);
    *out = streams_int(in->as.integer + 1);
    return STREAMS_OK;
}

streams_status identity(void *context, const streams_value *in, streams_value *out) {
    count_call(context);
    return streams_value_copy(in, out);
}

streams_status half_if_even(void *context, const streams_value *in, streams_value *out) {
    count_call(context);
    if (in->as.integer % 2 == 0) *out = streams_int(in->as.integer / 2);
    return STREAMS_OK;
}

streams_status is_even(void *context, const streams_value *in, bool *result) {
    count_call(context);
    *result = in->as.integer % 2 == 0;
    return STREAMS_OK;
}

streams_status same_parity(void *context, const streams_value *a, const streams_value *b, bool *same) {
    count_call(context);
    *same = (a->as.integer - b->as.integer) % 2 == 0;
    return STREAMS_OK;
}

streams_status sum(
    void *context, const streams_value *accumulated, const streams_value *in, streams_value *out) {
    count_call(context);
    *out = streams_int(accumulated->as.integer + in->as.integer);
    return STREAMS_OK;
}

streams_status expand_twice(void *context, const streams_value *in, streams_publisher **out) {
    count_call(context);
    streams_value both[2] = { *in, *in };
    *out = streams_sequence(both, 2);
    return STREAMS_OK;
}

streams_status publisher_of(void *context, const streams_value *in, streams_publisher **out) {
    count_call(context);
    *out = streams_value_publisher(in);
    return STREAMS_OK;
}

streams_status recover_with_seven(void *context, const streams_error *error, streams_publisher **out) {
    (void)error;
    count_call(context);
    streams_value seven = streams_int(7);
    *out = streams_just(&seven);
    return STREAMS_OK;
}

static streams_status broken(void *context) {
    count_call(context);
    return streams_callback_fail_with(42, "test", "broken");
}

streams_status broken_transform(void *context, const streams_value *in, streams_value *out) {
    (void)in, (void)out;
    return broken(context);
}

streams_status broken_predicate(void *context, const streams_value *in, bool *result) {
    (void)in, (void)result;
    return broken(context);
}

streams_status broken_compare(void *context, const streams_value *a, const streams_value *b, bool *same) {
    (void)a, (void)b, (void)same;
    return broken(context);
}

streams_status broken_combine(
    void *context, const streams_value *accumulated, const streams_value *in, streams_value *out) {
    (void)accumulated, (void)in, (void)out;
    return broken(context);
}

streams_status broken_expand(void *context, const streams_value *in, streams_publisher **out) {
    (void)in, (void)out;
    return broken(context);
}

streams_status broken_recover(void *context, const streams_error *error, streams_publisher **out) {
    (void)error, (void)out;
    return broken(context);
}

streams_status plainly_broken_transform(void *context, const streams_value *in, streams_value *out) {
    (void)in, (void)out;
    count_call(context);
    return STREAMS_OUT_OF_RANGE;
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
