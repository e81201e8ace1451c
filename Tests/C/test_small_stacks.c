/* Every function and every operator works on the smallest stack that the header promises, also if it is
 * the first of its sort that the process calls, and where only the reserve is left of a stack. Each case
 * has a process of its own, and its thread a stack that was painted before: so it is seen how much of it
 * was used. */

#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "depth.h"
#include "rows.h"

/* What the header promises, the part of it that is kept in reserve, and what must be left of either: more
 * than the 8 KB that callbacks may count on. */
enum { SMALLEST = 32 * 1024,
    RESERVE = SMALLEST / 2,
    LEFT = 12 * 1024,
    LEFT_OF_RESERVE = 10 * 1024,
    PAGE = 4096,
    PAINT = 0xa5 };

/* Shared with the processes of the cases, between two pages that nobody may touch. */
static unsigned char *stack;
static fixture f;

typedef struct job {
    const char *name;
    void (*run)(int which, int way);
    int which, way;
    bool makes_fixture, is_deep;
} job;

static bool has_worked = true;

/* Uses up what is left above the reserve. */
__attribute__((noinline)) static void run_deep(const job *self) {
    volatile unsigned char *here = __builtin_frame_address(0);
    size_t above = (size_t)(here - stack) - RESERVE - 256;
    volatile unsigned char *used = __builtin_alloca(above < SMALLEST ? above : 1);
    used[0] = 1;
    self->run(self->which, self->way);
    used[0] = 2;
}

static void *run_job(void *context) {
    const job *self = context;
    if (self->is_deep)
        run_deep(self);
    else
        self->run(self->which, self->way);
    return NULL;
}

static void run_in_child(job *self) {
    pthread_attr_t attributes;
    pthread_t thread;
    (void)alarm(60);
    (void)signal(SIGTRAP, SIG_IGN); /* what a breakpoint raises */
    if (self->makes_fixture) fixture_begin(&f);
    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, stack, SMALLEST) != 0) _exit(2);
    if (pthread_create(&thread, &attributes, run_job, self) != 0) _exit(3);
    pthread_join(thread, NULL);
    /* Within the reserve a call may be refused. */
    _exit(has_worked || self->is_deep ? 0 : 1);
}

static size_t untouched(void) {
    size_t left = 0;
    while (left < SMALLEST && stack[left] == PAINT) left++;
    return left;
}

/* Whether the case went well and has left enough. */
static bool fits(job self) {
    memset(stack, PAINT, SMALLEST);
    pid_t child = fork();
    if (child == 0) run_in_child(&self);
    int status = -1;
    (void)waitpid(child, &status, 0);
    size_t left = untouched(), least = self.is_deep ? LEFT_OF_RESERVE : LEFT;
    bool right = child > 0 && status == 0 && left >= least;
    if (!right)
        print_error("%s, way %d%s: status %x, and %zu bytes of the stack are left\n", self.name, self.way,
            self.is_deep ? ", deep" : "", (unsigned)status, left);
    return right;
}

static bool fits_everywhere(job self) {
    bool right = fits(self);
    self.is_deep = true;
    return fits(self) && right;
}

static int begin_stack(void **state) {
    unsigned char *room = mmap(NULL, SMALLEST + 2 * PAGE, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return -1;
    stack = room + PAGE;
    return mprotect(stack, SMALLEST, PROT_READ | PROT_WRITE) != 0 ? -1 : begin_test(state);
}

static int end_stack(void **state) {
    return munmap(stack - PAGE, SMALLEST + 2 * PAGE) != 0 ? -1 : end_test(state);
}

/* ---- Functions -------------------------------------------------------------------- */

static void call(int which, int way) {
    (void)way;
    streams_status status = call_rows[which].call(&f);
    has_worked = status != STREAMS_LIMIT && status != STREAMS_OUT_OF_MEMORY;
}

static void every_function_fits(void **state) {
    (void)state;
    bool right = true;
    for (int i = 0; i < call_row_count; i++) {
        right &= fits_everywhere((job){ call_rows[i].function, call, i, 0, true, false });
    }
    assert_true(right);
}

static void misuse(int which, int way) {
    (void)way;
    (void)handle_rows[which].call((void *)(uintptr_t)12345, &f);
    has_worked = streams_last_status() == STREAMS_STALE_HANDLE && streams_last_message()[0] != '\0';
}

static void every_refusal_fits(void **state) {
    (void)state;
    bool right = true;
    for (int i = 0; i < handle_row_count; i++) {
        right &= fits_everywhere((job){ handle_rows[i].function, misuse, i, 0, true, false });
    }
    assert_true(right);
}

/* ---- Operators --------------------------------------------------------------------- */

enum way { SINGLY, /* values one by one, and the end */
    TOGETHER,      /* an array, and a failure */
    CANCELLED,
    WAYS };

/* Values, an end, and all that follows, through one operator. */
static void use_operator(int which, int way) {
    const int64_t numbers[40] = { 1, 2, 3 };
    const char *function = attachments[which].function;
    outcome o;
    if (f.scheduler == NULL) f.scheduler = streams_virtual_scheduler_create();
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *p = streams_subject_publisher(subject);
    if (strcmp(function, "streams_dematerialize") == 0) p = streams_materialize(p);
    begin(&o, attachments[which].attach(p, attachments[which].takes_two ? ints(1) : NULL, &f));
    has_worked = o.cancellable != NULL && let_happen(&f);
    if (way != TOGETHER) (void)send_int(subject, 1);
    if (way != TOGETHER) (void)send_int(subject, 2);
    if (way != SINGLY) (void)streams_subject_send_int64s(subject, numbers, 40);
    has_worked &= let_time_pass(&f);
    if (way == SINGLY) (void)finish(subject);
    if (way == TOGETHER) (void)fail_with(subject, "oops");
    if (way == CANCELLED) has_worked &= streams_cancel(o.cancellable) == STREAMS_OK;
    has_worked &= let_time_pass(&f) && end(&o) && !is_limit(&o);
    has_worked &= streams_release(subject) == STREAMS_OK;
}

static void every_operator_fits(void **state) {
    (void)state;
    bool right = true;
    for (int i = 0; i < attachment_count; i++) {
        for (int way = 0; way < WAYS; way++) {
            job each = { attachments[i].function, use_operator, i, way, false, false };
            right &= fits(each);
            each.makes_fixture = true;
            right &= fits_everywhere(each);
        }
    }
    assert_true(right);
}

/* ---- What the rows do not do -------------------------------------------------------- */

static void ignore_text(void *context, const char *text, size_t length) {
    (void)context, (void)text, (void)length;
}

static void fail_later(void *context) { (void)fail_with(context, "later"); }

/* A stream that is described, tracked and traced. */
static void see(int which, int way) {
    (void)which, (void)way;
    char text[200];
    size_t needed = 0;
    outcome o;
    streams_trace_start(ignore_text, NULL, NULL);
    streams_publisher *p = streams_share(streams_map(ints(3), identity, NULL, NULL));
    has_worked = streams_publisher_describe(p, text, sizeof text, &needed) == STREAMS_OK;
    begin(&o, streams_track(p, "numbers", ignore_text, NULL, NULL));
    has_worked &= end(&o) && o.values == 3;
    streams_trace_stop();
}

/* A loop of its own, with a delay and an action. */
static void run_loop(int which, int way) {
    (void)which, (void)way;
    outcome o;
    streams_scheduler *loop = streams_loop_create();
    streams_subject *subject = streams_passthrough_subject_create();
    begin(&o, streams_delay(streams_subject_publisher(subject), 1, loop));
    (void)send_int(subject, 1);
    (void)streams_scheduler_schedule(loop, 1, fail_later, subject, NULL);
    while (!o.ended) {
        if (streams_loop_run_once(loop, STREAMS_SECOND) != STREAMS_OK) break;
    }
    has_worked = o.values == 1 && o.failed && end(&o);
    has_worked &= streams_release(subject) == STREAMS_OK && streams_release(loop) == STREAMS_OK;
}

static streams_status use_scope(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)input;
    streams_value read = streams_null();
    streams_binding *state = streams_scope_state(scope, "count", &row_one);
    streams_status status = streams_scope_set_environment_value(scope, "x", &row_one);
    if (status == STREAMS_OK) status = streams_scope_get_environment_value(scope, "x", &read);
    (void)streams_value_destroy(&read);
    if (context != NULL || status != STREAMS_OK) return status;
    *out = row_one;
    return streams_release(state);
}

static void update_scopes(int which, int way) {
    (void)which, (void)way;
    streams_scope_tree *tree = streams_scope_tree_create(NULL, NULL, use_scope, NULL, NULL);
    has_worked = tree != NULL && streams_scope_tree_update(tree) == STREAMS_OK;
    has_worked &= streams_release(tree) == STREAMS_OK;
}

/* One handle of each kind is made and released. */
static void make_all(int which, int way) {
    (void)which, (void)way;
    fixture_begin(&f);
    fixture_end(&f);
}

static void what_is_run_fits(void **state) {
    (void)state;
    bool right = fits((job){ "all kinds", make_all, 0, 0, false, false });
    right &= fits_everywhere((job){ "seeing", see, 0, 0, false, false });
    right &= fits_everywhere((job){ "a loop", run_loop, 0, 0, false, false });
    right &= fits_everywhere((job){ "scopes", update_scopes, 0, 0, false, false });
    assert_true(right);
}

#define stack_test(function) cmocka_unit_test_setup_teardown(function, begin_stack, end_stack)

int main(void) {
    if (under_valgrind()) return 0; /* which has stacks of its own */
    const struct CMUnitTest tests[] = {
        stack_test(every_function_fits),
        stack_test(every_refusal_fits),
        stack_test(every_operator_fits),
        stack_test(what_is_run_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
