/* Where there is no memory for what a caller wants to keep, the call says so,
 * and the program goes on. Each case runs in a process of its own with little
 * address space left. */

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

enum { MEGABYTE = 1 << 20,
    ROOM = 256 * MEGABYTE };

static char *material; /* larger than what is left */
enum { MATERIAL = 200 * MEGABYTE };

/* Leaves this process ROOM more address space than it has. */
static bool limit_memory(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    bool known = file != NULL && fscanf(file, "%ld", &pages) == 1;
    if (file != NULL) (void)fclose(file);
    struct rlimit limit = { 0 };
    limit.rlim_cur = limit.rlim_max = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + ROOM;
    if (!known || setrlimit(RLIMIT_AS, &limit) != 0) return false;
    return true;
}

/* What the last call left behind. */
static bool said_so(const char *function) {
    bool right = streams_last_status() == STREAMS_OUT_OF_MEMORY &&
                 strcmp(streams_last_function(), function) == 0 && streams_last_message()[0] != '\0';
    if (!right)
        print_error("%s left %s in %s: %s\n", function, streams_status_name(streams_last_status()),
            streams_last_function(), streams_last_message());
    streams_clear_last_error();
    return right;
}

/* The library still works. */
static bool still_works(void) {
    recorder r = { 0 };
    recorder_subscribe(&r, streams_map(ints(3), add_one, NULL, NULL), STREAMS_UNLIMITED);
    r.log.text[r.log.length] = '\0';
    bool right = strcmp(r.log.text, "subscribed 2 3 4 finished destroyed") == 0;
    recorder_end(&r);
    return right;
}

/* Makes values until there is no memory, and then releases them. */
enum { MOST = 1 << 21 };
static bool fill(streams_status (*make)(streams_value *out), const char *function) {
    streams_value *kept = calloc(MOST, sizeof *kept);
    size_t count = 0;
    streams_status status = STREAMS_OK;
    while (count < MOST && (status = make(&kept[count])) == STREAMS_OK) count++;
    bool right = status == STREAMS_OUT_OF_MEMORY && kept[count].kind == STREAMS_VALUE_NULL && count > 0;
    if (!right) print_error("%zu values, then %s\n", count, streams_status_name(status));
    right &= said_so(function);
    for (size_t i = 0; i < count; i++) (void)streams_value_destroy(&kept[i]);
    free(kept);
    streams_value value = streams_null();
    right &= make(&value) == STREAMS_OK && streams_value_destroy(&value) == STREAMS_OK;
    return right && still_works();
}

static streams_status large_string(streams_value *out) {
    return streams_value_string(material, 3 * MEGABYTE, out);
}
static streams_status huge_bytes(streams_value *out) {
    return streams_value_bytes(material, 90 * MEGABYTE, out);
}
static streams_status small_string(streams_value *out) { return streams_value_string(material, 100, out); }
static streams_status page_of_bytes(streams_value *out) { return streams_value_bytes(material, 5000, out); }
static streams_status tiny_list(streams_value *out) {
    const streams_value items[3] = { streams_int(1), streams_int(2), streams_int(3) };
    return streams_value_list(items, 3, out);
}
static streams_value *numbers;
static streams_status large_list(streams_value *out) { return streams_value_list(numbers, MEGABYTE, out); }
static streams_status nested_list(streams_value *out) {
    const streams_value items[2] = { streams_text_n(material, 2 * MEGABYTE), streams_list(numbers, 100000) };
    return streams_value_list(items, 2, out);
}

static bool strings(void) { return fill(large_string, "streams_value_string"); }
static bool bytes(void) { return fill(huge_bytes, "streams_value_bytes"); }
static bool small_strings(void) { return fill(small_string, "streams_value_string"); }
static bool pages_of_bytes(void) { return fill(page_of_bytes, "streams_value_bytes"); }
static bool tiny_lists(void) { return fill(tiny_list, "streams_value_list"); }
static bool lists(void) { return fill(large_list, "streams_value_list"); }
static bool nested_lists(void) { return fill(nested_list, "streams_value_list"); }

/* 150 MB of 256 fit once. */
static bool what_fits_is_taken(void) {
    streams_value value = streams_null(), second = streams_null(), copy = streams_null();
    bool right = streams_value_bytes(material, 150 * MEGABYTE, &value) == STREAMS_OK;
    right &= streams_value_bytes(material, 150 * MEGABYTE, &second) == STREAMS_OUT_OF_MEMORY;
    right &= streams_value_copy(&value, &copy) == STREAMS_OK && copy.as.bytes == value.as.bytes;
    right &= streams_value_destroy(&value) == STREAMS_OK && streams_value_destroy(&copy) == STREAMS_OK;
    right &= streams_value_bytes(material, 150 * MEGABYTE, &second) == STREAMS_OK;
    return streams_value_destroy(&second) == STREAMS_OK && right && still_works();
}

static bool sequences(void) {
    enum { COUNT = 20 * MEGABYTE }; /* of which one array fits */
    int64_t *integers = (int64_t *)(void *)material;
    double *reals = (double *)(void *)material;
    streams_publisher *first = streams_sequence_int64s(integers, COUNT);
    bool right = first != NULL;
    right &= streams_sequence_int64s(integers, COUNT) == NULL && said_so("streams_sequence_int64s");
    right &= streams_sequence_doubles(reals, COUNT) == NULL && said_so("streams_sequence_doubles");
    right &= streams_release(first) == STREAMS_OK;
    streams_publisher *kept[1000];
    size_t count = 0;
    while (count < 1000 && (kept[count] = streams_sequence(numbers, MEGABYTE)) != NULL) count++;
    right &= count > 0 && count < 1000 && said_so("streams_sequence");
    while (count > 0) right &= streams_release(kept[--count]) == STREAMS_OK;
    return right && still_works();
}

static bool sends(void) {
    streams_subject *subject = streams_passthrough_subject_create();
    streams_value text = streams_text_n(material, MATERIAL);
    streams_value *texts = calloc(MEGABYTE, sizeof *texts);
    for (int i = 0; i < MEGABYTE; i++) texts[i] = streams_text_n(material, 300);
    recorder r = { 0 };
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    streams_value held = streams_null();
    bool right = streams_value_bytes(material, 90 * MEGABYTE, &held) == STREAMS_OK;
    right &= streams_subject_send(subject, &text) == STREAMS_OUT_OF_MEMORY;
    right &= said_so("streams_subject_send");
    right &= streams_subject_send_values(subject, texts, MEGABYTE) == STREAMS_OUT_OF_MEMORY;
    right &= said_so("streams_subject_send_values");
    right &= r.values == 0;
    right &= streams_subject_send_int64s(subject, (int64_t *)(void *)material, 1) == STREAMS_OK;
    right &= r.values == 1;
    recorder_end(&r);
    free(texts);
    (void)streams_value_destroy(&held);
    return streams_release(subject) == STREAMS_OK && right && still_works();
}

static streams_status lend_too_much(void *context, const streams_value *in, streams_value *out) {
    (void)context, (void)in;
    *out = streams_bytes(material, MATERIAL);
    return STREAMS_OK;
}

static void note_code(recorder *self, const streams_error *error) {
    *(int64_t *)self->extra = streams_error_code(error);
}

static bool results(void) {
    int64_t code = 0;
    streams_value held = streams_null();
    bool right = streams_value_bytes(material, 90 * MEGABYTE, &held) == STREAMS_OK;
    recorder r = { .on_completion = note_code, .extra = &code };
    recorder_subscribe(&r, streams_map(ints(1), lend_too_much, NULL, NULL), STREAMS_UNLIMITED);
    recorder_end(&r);
    (void)streams_value_destroy(&held);
    return right && code == STREAMS_OUT_OF_MEMORY && still_works();
}

static bool descriptions_and_messages(void) {
    streams_value held = streams_null();
    size_t needed = 0;
    char text[16];
    bool right = streams_value_string(material, 150 * MEGABYTE, &held) == STREAMS_OK;
    right &= streams_value_describe(&held, text, sizeof text, &needed) == STREAMS_OK;
    right &= needed == 150 * (size_t)MEGABYTE && strcmp(text, "aaaaaaaaaaaaaaa") == 0;
    const streams_value list = streams_list(&held, 1);
    right &= streams_value_describe(&list, text, sizeof text, &needed) == STREAMS_OK;
    right &= needed == 150 * (size_t)MEGABYTE + 4 && strcmp(text, "[\"aaaaaaaaaaaaa") == 0;
    material[MATERIAL - 1] = '\0';
    right &= streams_error_create(1, "test", material, NULL) == NULL && said_so("streams_error_create");
    right &= streams_error_create(1, material, "test", NULL) == NULL && said_so("streams_error_create");
    right &= streams_print(ints(1), material, NULL, NULL, NULL) == NULL && said_so("streams_print");
    (void)streams_value_destroy(&held);
    return right && still_works();
}

typedef struct told {
    bool of_error;
    int64_t code;
    char message[128];
} told;

static void note_error(recorder *self, const streams_error *error) {
    told *noted = self->extra;
    noted->of_error = error != NULL;
    noted->code = streams_error_code(error);
    snprintf(noted->message, sizeof noted->message, "%s", streams_error_message(error));
}

static streams_status thirty_kilobytes(streams_value *out) {
    return streams_value_bytes(material, 30000, out);
}

/* The table of handles is full, and cannot grow: a failure is no finish even so. */
static bool failures_without_a_handle(void) {
    enum { HANDLES = 8192,
        PIECES = 16384 };
    streams_publisher **kept = calloc(HANDLES, sizeof *kept);
    streams_value *pieces = calloc(PIECES, sizeof *pieces);
    told noted = { .of_error = false };
    recorder r = { .on_completion = note_error, .extra = &noted };
    streams_subject *subject = streams_passthrough_subject_create();
    streams_error *error = new_error("mine");
    recorder_subscribe(&r, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    size_t handles = 0, count = 0;
    /* The library keeps one place of each table for itself; a part of it has 1024. */
    while (handles < 3000 || (handles < HANDLES && (streams_live_handles() + 1) % 1024 != 0))
        kept[handles++] = streams_empty(true);
    while (count < PIECES && thirty_kilobytes(&pieces[count]) == STREAMS_OK) count++;
    bool right = handles < HANDLES && count < PIECES;
    right &= streams_empty(true) == NULL && streams_last_status() == STREAMS_LIMIT;
    right &= streams_subject_send_completion(subject, error) == STREAMS_OK;
    right &= noted.of_error && noted.code == STREAMS_LIMIT && strstr(noted.message, "handle") != NULL;
    while (count > 0) (void)streams_value_destroy(&pieces[--count]);
    while (handles > 0) right &= streams_release(kept[--handles]) == STREAMS_OK;
    recorder_end(&r);
    right &= streams_release(error) == STREAMS_OK && streams_release(subject) == STREAMS_OK;
    free(pieces);
    free(kept);
    streams_clear_last_error();
    return right && still_works();
}

static void survives(bool (*body)(void)) {
    if (under_valgrind()) skip();
    (void)fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const int signals[] = { SIGABRT, SIGBUS, SIGILL, SIGSEGV, SIGTRAP };
        for (int i = 0; i < 5; i++) (void)signal(signals[i], SIG_DFL);
        material = malloc(MATERIAL);
        numbers = calloc(MEGABYTE, sizeof *numbers);
        if (material == NULL || numbers == NULL) _exit(2);
        memset(material, 'a', MATERIAL);
        for (int i = 0; i < MEGABYTE; i++) numbers[i] = streams_int(i);
        size_t live = streams_live_handles();
        if (!still_works() || !limit_memory()) _exit(3);
        bool right = body() && streams_live_handles() == live;
        (void)fflush(NULL);
        _exit(right ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status)) fail_msg("killed by signal %d", WTERMSIG(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

#define CASE(name) \
    static void out_of_memory_for_##name(void **state) { \
        (void)state; \
        survives(name); \
    }
CASE(strings)
CASE(bytes)
CASE(small_strings)
CASE(pages_of_bytes)
CASE(tiny_lists)
CASE(lists)
CASE(nested_lists)
CASE(what_fits_is_taken)
CASE(sequences)
CASE(sends)
CASE(results)
CASE(descriptions_and_messages)
CASE(failures_without_a_handle)

int main(void) {
    const struct CMUnitTest tests[] = {
        test(out_of_memory_for_strings),
        test(out_of_memory_for_bytes),
        test(out_of_memory_for_small_strings),
        test(out_of_memory_for_pages_of_bytes),
        test(out_of_memory_for_tiny_lists),
        test(out_of_memory_for_lists),
        test(out_of_memory_for_nested_lists),
        test(out_of_memory_for_what_fits_is_taken),
        test(out_of_memory_for_sequences),
        test(out_of_memory_for_sends),
        test(out_of_memory_for_results),
        test(out_of_memory_for_descriptions_and_messages),
        test(out_of_memory_for_failures_without_a_handle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
