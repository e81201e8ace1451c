/* Calls every function of streams_nats.h at random:
 *
 *     fuzz-nats [SECONDS [SEED]]
 *
 * A call that fails leaves a status and a sentence; a connection that is none is never taken; contexts are
 * destroyed once; and in the end nothing is left. */

#include <nats/nats.h>
#include <poll.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz_nats.h"

enum { CALLERS = 3,
    KEPT_CALLS = 12 };

server steady, mortal;
static unsigned long long seed;
static int64_t end;
static _Atomic uint64_t called[FUNCTIONS], succeeded[FUNCTIONS];
static const char *last_calls[CALLERS][KEPT_CALLS];
static _Thread_local uint64_t state;

static uint64_t random_bits(void) {
    static _Atomic uint64_t threads;
    if (state == 0) state = seed + (threads++ << 32);
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = (state ^ state >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint32_t below(uint32_t bound) { return (uint32_t)((random_bits() >> 32) * bound >> 32); }
bool chance(uint32_t one_in) { return below(one_in) == 0; }

static void print_calls(void) {
    for (int i = 0; i < CALLERS; i++)
        for (int k = 0; k < KEPT_CALLS; k++)
            if (last_calls[i][k] != NULL) (void)fprintf(stderr, "thread %d: %s\n", i, last_calls[i][k]);
}

void wrong(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)fprintf(stderr, "seed %llu failed: ", seed);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    print_calls();
    _exit(1);
}

/* ---- What must hold after each call ------------------------------------------------------------------- */

static void check_failure(const function_info *f, streams_status status) {
    const char *said = streams_last_message();
    if (status == STREAMS_OK || streams_last_status() != status ||
        strcmp(streams_last_function(), f->name) != 0 || said[0] == '\0')
        wrong("%s answers %d; the last error is %d of %s: \"%s\"", f->name, (int)status,
            (int)streams_last_status(), streams_last_function(), said);
    if (strstr(said, ".c:") != NULL) wrong("%s names a place in nats.c: %s", f->name, said);
    if (status == STREAMS_NATS_FAILED && streams_nats_last_code() == 0)
        wrong("%s fails without a code: %s", f->name, said);
}

/* What tells nothing but its answer. */
static void check_answer(const function_info *f, const slot *r) {
    if (f->result.kind == P_ENUM && r->u != STREAMS_NATS_CLOSED) wrong("%s knows a state", f->name);
    if (f->result.kind == P_UINT64 && r->u != 0) wrong("%s knows a number", f->name);
}

static bool makes(const function_info *f) { return f->result.kind == P_HANDLE || f->result.kind == P_KEPT; }

/* Whether it is a call that can fail, and has. */
static bool has_failed(const function_info *f, const slot *r) {
    if (makes(f)) return r->p == NULL;
    return f->count > 0 && f->result.kind == P_STATUS && r->u != STREAMS_OK;
}

static void use_result(const function_info *f, const slot *r) {
    if (r->p == NULL) return;
    if (f->result.kind == P_KEPT) (void)streams_nats_free(r->p);
    if (f->result.kind != P_HANDLE) return;
    if (f->result.detail == STREAMS_KIND_PUBLISHER) use_publisher(r->p);
    if (f->result.detail == STREAMS_KIND_BINDING) use_binding(r->p);
    if (f->result.detail != STREAMS_KIND_NATS_CONNECTION) return;
    if (chance(3)) use_publisher(streams_nats_states(r->p));
    if (chance(2)) (void)streams_nats_close(r->p);
    if (streams_nats_release(r->p) != STREAMS_OK) wrong("a connection is not taken back");
}

static void call(int caller, int number, int turn) {
    const function_info *f = &functions[number];
    slot a[PARAMS] = { { 0 } }, r = { 0 };
    room rest;
    last_calls[caller][turn % KEPT_CALLS] = f->name;
    choose_arguments(f, a, &rest);
    if (rest.gives_context) contexts++;
    if (f->count > 0) streams_clear_last_error();
    fuzz_invoke(number, a, &r);
    called[number]++;
    bool failed = has_failed(f, &r);
    if (failed) check_failure(f, makes(f) ? streams_last_status() : (streams_status)r.u);
    if (failed && rest.out.kind != STREAMS_VALUE_NULL) wrong("%s fails and leaves a value", f->name);
    if (!failed && rest.bad_connection && (makes(f) || f->result.kind == P_STATUS))
        wrong("%s takes a connection that is none", f->name);
    if (rest.bad_connection) check_answer(f, &r);
    if (!failed) succeeded[number]++;
    if (makes(f)) use_result(f, &r);
    if (strcmp(f->name, "streams_nats_retain") == 0 && !failed) (void)streams_nats_release(a[0].p);
    (void)streams_value_destroy(&rest.out);
    forget_values();
}

/* ---- Threads ------------------------------------------------------------------------------------------ */

/* To connect takes long, and where nothing is left others can only fail. */
static bool is_rare(const function_info *f) {
    static const char *const rare[] = { "_connect", "_delete", "_purge" };
    for (size_t i = 0; i < sizeof rare / sizeof rare[0]; i++)
        if (strstr(f->name, rare[i]) != NULL) return true;
    return false;
}

static int choose_function(void) {
    int number;
    do number = (int)below((uint32_t)function_count);
    while (is_rare(&functions[number]) && !chance(8));
    return number;
}

static void *call_at_random(void *context) {
    int caller = (int)(intptr_t)context;
    for (int turn = 0; milliseconds() < end; turn++) call(caller, choose_function(), turn);
    return NULL;
}

/* Moments at random are what is wanted: there is nothing to wait for. */
static void *kill_at_random(void *context) {
    (void)context;
    while (milliseconds() < end) {
        usleep(below(400) * 1000);
        server_kill(&mortal);
        usleep(below(200) * 1000);
        mortal.bare = chance(4);
        server_start(&mortal, NULL);
    }
    return NULL;
}

/* What the calls' names mean on a server, which others remove. */
static void make_again(streams_nats_connection *direct) {
    streams_nats_stream_options stream = STREAMS_NATS_STREAM_OPTIONS_INIT;
    streams_nats_bucket_options bucket = STREAMS_NATS_BUCKET_OPTIONS_INIT;
    const char *const subjects[] = { "s.>" };
    stream.name = "S";
    stream.subjects = subjects;
    stream.subject_count = 1;
    bucket.name = "b";
    streams_value value = streams_text("7");
    (void)streams_nats_stream_create(direct, &stream);
    (void)streams_nats_bucket_create(direct, &bucket);
    (void)streams_nats_key_put(direct, "b", "k", &value, NULL);
    for (int i = 0; i < 100; i++) (void)streams_nats_publish(direct, "s.a", &value);
}

/* From time to time, and not after each removal: else the calls would always find what they name. */
static void *make_at_times(void *context) {
    streams_nats_connection *direct = connect_to(context);
    for (; milliseconds() < end; usleep(100000)) make_again(direct);
    (void)streams_nats_release(direct);
    return NULL;
}

/* nats-server 2.9.10 may end by itself where keys are purged while their bucket is read. */
static void revive(void) {
    if (waitpid(steady.process, NULL, WNOHANG) <= 0) return;
    steady.process = 0;
    server_start(&steady, NULL);
    puts("the server has ended by itself");
}

/* Waits for the end of the server or of the time. */
static void revive_until_end(void) {
    for (int64_t left; (left = end - milliseconds()) > 0; revive()) {
        struct pollfd ended = { .events = POLLIN };
        ended.fd = (int)syscall(SYS_pidfd_open, steady.process, 0);
        if (ended.fd < 0) wrong("the server's end cannot be waited for");
        (void)poll(&ended, 1, (int)left);
        (void)close(ended.fd);
    }
}

static void run(void) {
    pthread_t threads[CALLERS + 3];
    for (intptr_t i = 0; i < CALLERS; i++) (void)pthread_create(&threads[i], NULL, call_at_random, (void *)i);
    (void)pthread_create(&threads[CALLERS], NULL, kill_at_random, NULL);
    (void)pthread_create(&threads[CALLERS + 1], NULL, make_at_times, &steady);
    (void)pthread_create(&threads[CALLERS + 2], NULL, make_at_times, &mortal);
    revive_until_end();
    for (int i = 0; i < CALLERS + 3; i++) (void)pthread_join(threads[i], NULL);
    revive();
}

static void settle(void) {
    drop_subscribers();
    forget_messages();
    arguments_end();
    int64_t latest = milliseconds() + 20000;
    while ((streams_live_handles() != 0 || contexts != 0) && milliseconds() < latest) pause_briefly();
    if (streams_live_handles() != 0 || contexts != 0)
        wrong("%zu handles and %d contexts are left", streams_live_handles(), contexts);
    if (nats_CloseAndWait(20000) != NATS_OK) wrong("nats.c has something left");
}

static void report(void) {
    uint64_t sum = 0;
    for (int i = 0; i < function_count; i++) {
        sum += called[i];
        if (called[i] == 0) wrong("%s was not called", functions[i].name);
        if (succeeded[i] == 0) printf("%s has never worked\n", functions[i].name);
    }
    printf("%llu calls and no failure, seed %llu\n", (unsigned long long)sum, seed);
}

int main(int count, char **arguments) {
    seed = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
    for (int i = 0; i < 2; i++) {
        server *host = i == 0 ? &steady : &mortal;
        server_prepare(host);
        server_start(host, NULL);
    }
    arguments_begin();
    end = milliseconds() + (count > 1 ? atoi(arguments[1]) : 10) * 1000;
    run();
    settle();
    server_remove(&steady);
    server_remove(&mortal);
    report();
    return 0;
}
