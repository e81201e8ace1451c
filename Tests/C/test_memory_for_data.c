/* Where there is no memory for data of the user's size, exactly the functions whose comments say so answer
 * STREAMS_OUT_OF_MEMORY; nothing is lost, and the call that is made again answers as ever. Here every
 * function gets something large wherever it takes what may be large, while no large piece of memory is to
 * be had. Each case has a process of its own. */

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_host.h"
#include "rows.h"

/* ---- Memory in pieces that are not large ------------------------------------------ */

enum { LIMIT = 32 * 1024 };

static atomic_bool is_limited;
static atomic_int refusals;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static bool is_refused(size_t size) {
    if (!is_limited || size <= LIMIT) return false;
    refusals++;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size) { return is_refused(size) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) {
    return is_refused(count * size) ? NULL : __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size) { return is_refused(size) ? NULL : __libc_realloc(memory, size); }
void *aligned_alloc(size_t alignment, size_t size) {
    return is_refused(size) ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = aligned_alloc(alignment, size);
    return *memory == NULL ? ENOMEM : 0;
}

/* ---- A call ------------------------------------------------------------------------ */

enum outcome { NOT_REFUSED, /* it needed no large piece */
    REFUSED,
    WRONG };

/* How many large pieces the process has; each is mapped by itself. */
static size_t large_pieces(void) { return mallinfo2().hblks; }

static bool matches(const large_row *row, const char *what, long found, long expected) {
    if (found != expected)
        print_error("%s, %s: %s: %ld, not %ld\n", row->function, row->parameter, what, found, expected);
    return found == expected;
}

/* What the call answers that has all the memory it needs. */
static streams_status call_freely(const large_row *row, fixture *f) {
    streams_clear_last_error();
    return row->call(f);
}

/* Whether the call that has no large piece is refused, as it is to be where it needs one, and answers as
 * ever the next time. */
static bool call_limited(const large_row *row, fixture *f, streams_status normal) {
    streams_clear_last_error();
    is_limited = true;
    streams_status status = row->call(f);
    is_limited = false;
    if (refusals == 0) return matches(row, "status", status, normal);
    bool right = matches(row, "status", status, STREAMS_OUT_OF_MEMORY);
    right &= matches(row, "last status", streams_last_status(), STREAMS_OUT_OF_MEMORY);
    right &= matches(row, "the function is named", strcmp(streams_last_function(), row->function), 0);
    right &= matches(row, "status afterwards", call_freely(row, f), normal);
    return right && matches(row, "what is written to and not cleared", f->not_cleared, false);
}

/* Ends a fixture, of which nothing is left then. */
static bool let_go(const large_row *row, fixture *f) {
    fixture_end(f);
    return matches(row, "contexts that were let go", f->life.counter.destroyed, f->life.contexts);
}

static enum outcome try_row(const large_row *row) {
    fixture f;
    fixture_begin(&f);
    streams_status normal = call_freely(row, &f);
    bool right = let_go(row, &f);
    size_t live = streams_live_handles(), pieces = large_pieces();
    fixture_begin(&f);
    right &= call_limited(row, &f, normal);
    right &= let_go(row, &f);
    right &= matches(row, "live handles", (long)streams_live_handles(), (long)live);
    right &= matches(row, "large pieces", (long)large_pieces(), (long)pieces);
    return !right ? WRONG : refusals > 0 ? REFUSED
                                         : NOT_REFUSED;
}

static enum outcome outcome_of(const large_row *row) {
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        const int signals[] = { SIGABRT, SIGBUS, SIGILL, SIGSEGV };
        for (int i = 0; i < 4; i++) (void)signal(signals[i], SIG_DFL);
        (void)alarm(120);
        (void)freopen("/dev/null", "w", stdout); /* what a publisher prints */
        enum outcome outcome = try_row(row);
        (void)fflush(NULL);
        _exit(outcome);
    }
    int status = -1;
    (void)waitpid(child, &status, 0);
    if (child > 0 && WIFEXITED(status)) return WEXITSTATUS(status);
    print_error("%s, %s: ended with the status %x\n", row->function, row->parameter, (unsigned)status);
    return WRONG;
}

/* ---- Every function ----------------------------------------------------------------- */

/* What lists the status and is not refused here. */
static bool is_exception(const char *function) {
    /* Its data is what the program has made before. */
    if (strcmp(function, "streams_live_streams") == 0) return true;
    /* They are given what the library gives them: no row has anything large for them. */
    if (strncmp(function, "streams_callable_", strlen("streams_callable_")) == 0) return true;
    /* Refers to streams_subject_send for all statuses, and an object is never copied. */
    return strcmp(function, "streams_host_send") == 0;
}

static void is_as_its_comment_says(void **state) {
    (void)state;
    bool right = true;
    for (int i = 0; i < call_row_count; i++) {
        if (is_exception(call_rows[i].function)) continue;
        bool refused = false;
        for (int j = 0; j < large_row_count; j++) {
            if (strcmp(large_rows[j].function, call_rows[i].function) != 0) continue;
            enum outcome outcome = outcome_of(&large_rows[j]);
            right &= outcome != WRONG;
            refused |= outcome == REFUSED;
        }
        if (refused == call_rows[i].can_lack_memory) continue;
        const char *found = refused ? "does not list" : "lists";
        print_error("%s: %s STREAMS_OUT_OF_MEMORY\n", call_rows[i].function, found);
        right = false;
    }
    assert_true(right);
}

int main(void) {
    if (under_valgrind()) return 0; /* which has memory functions of its own */
    (void)mallopt(M_MMAP_THRESHOLD, LIMIT);
    prepare_large();
    const struct CMUnitTest tests[] = { test(is_as_its_comment_says) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
