/* Runs operations and sequences. */
#include "fuzz.h"
#include <pthread.h>

_Thread_local thread_state self;
_Atomic int budget, patience;
bool replaying;
uint64_t attempt;

/* ---- Nodes ----------------------------------------------------------------- */

uint32_t new_node(int type, int what) {
    uint32_t number = script->count++;
    if (number >= NODES) {
        budget = 0;
        return 0;
    }
    node *n = &script->nodes[number];
    memset(n, 0, sizeof *n);
    n->type = (uint8_t)type;
    n->what = (uint16_t)what;
    n->thread = (uint8_t)self.number;
    return number;
}

void append(uint32_t *first, uint32_t *last, uint32_t number) {
    if (*first == 0) {
        *first = number;
    } else {
        script->nodes[*last].next = number;
    }
    *last = number;
}

/* Makes up an operation, writes it down and runs it. */
void make_up_operation(uint32_t parent) {
    uint32_t number = new_node(NODE_OPERATION, 0);
    if (number == 0 || !choose_operation(number)) return;
    node *n = &script->nodes[number];
    n->parent = parent;
    if (parent != 0) {
        append(&script->nodes[parent].first, &script->nodes[parent].last, number);
    } else {
        append(&script->first[self.part], &script->last[self.part], number);
    }
    budget--;
    run_operation(number);
}

/* Waits a little, another time in each attempt, so that threads meet in other ways. */
static void dawdle(void) {
    if (script->threads < 2 || attempt == 0 || self.random == 0) return;
    for (volatile uint32_t i = chance(3) ? below(3000) : 0; i > 0; i--) {}
}

void run_operations(uint32_t first) {
    for (uint32_t number = first; number != 0; number = script->nodes[number].next) {
        if (script->nodes[number].removed) continue;
        dawdle();
        run_operation(number);
    }
}

/* ---- Sequences ------------------------------------------------------------- */

/* Streams may feed themselves for ever; what takes more calls than these does. */
enum { PATIENCE = 3000000 };

static void begin_sequence(void) {
    patience = PATIENCE;
    reset_handles();
    reset_pools();
    reset_contexts();
    begin_host();
    streams_clear_last_error();
}

/* The last error, and the one that a callback named last, stay with the thread, and
 * their objects, until there are others. */
static void forget_errors(void) {
    (void)streams_callback_fail_with(0, "fuzz", "named last");
    streams_clear_last_error();
}

static void stop_traces(void) {
    streams_trace_stop();
    streams_watch_streams(false);
    streams_warn_about_drops(false);
    if (streams_trace_to_file(NULL) != STREAMS_OK) violation("a trace file does not end");
}

static void settle(void) {
    budget = replaying ? 0 : budget > 20 ? 20
                                         : (int)budget;
    end_acting();
    stop_traces();
    release_everything();
    end_host();
    forget_errors();
    /* What that has let go of may have begun another trace, and the end of that one the last. */
    budget = 0;
    stop_traces();
    stop_traces();
    release_everything();
    await_library_threads();
    await_stops();
    size_t live = streams_live_handles();
    if (live != 0) violation("leak: %zu handles are alive after all was released", live);
    check_contexts();
    check_pending();
    check_host();
    shared->sequences++;
}

static void make_up_part(int count) {
    for (int i = 0; i < count && budget > 0; i++) make_up_operation(0);
}

/* What one thread does of the part that all run at once. */
static void run_part(void) {
    if (replaying) {
        self.random = (script->seed ^ attempt << 32) + (uint64_t)self.number;
        run_operations(script->first[self.number]);
    } else {
        self.part = self.number;
        self.deep = 4;
        self.random = script->seed + (uint64_t)self.number * 0x632be59bd9b4e019u;
        make_up_part(20 + (int)below(60));
        self.part = 0;
    }
    forget_errors();
    check_pending();
}

static pthread_barrier_t start_line, finish_line;

static void *thread_main(void *argument) {
    self.number = (int)(intptr_t)argument;
    for (;;) {
        pthread_barrier_wait(&start_line);
        run_part();
        pthread_barrier_wait(&finish_line);
    }
    return NULL;
}

bool start_thread(pthread_t *thread, void *(*body)(void *), void *argument) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (opt.stack != 0) pthread_attr_setstacksize(&attributes, opt.stack * 1024);
    bool started = pthread_create(thread, &attributes, body, argument) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

void start_threads(int count) {
    self.number = 1;
    start_stopping();
    if (count < 2) return;
    pthread_barrier_init(&start_line, NULL, (unsigned)count);
    pthread_barrier_init(&finish_line, NULL, (unsigned)count);
    for (intptr_t i = 2; i <= count; i++) {
        pthread_t thread;
        if (!start_thread(&thread, thread_main, (void *)i)) violated("no thread");
        pthread_detach(thread);
    }
}

static void run_together(void) {
    if (script->threads < 2) return;
    pthread_barrier_wait(&start_line);
    run_part();
    pthread_barrier_wait(&finish_line);
}

void run_sequence(uint64_t seed) {
    begin_sequence();
    memset(script, 0, offsetof(program, nodes));
    script->count = 1;
    script->seed = seed;
    script->threads = (uint32_t)opt.threads;
    self.random = seed;
    script->library_threads = chance(opt.threads > 1 ? 3 : 8);
    begin_library_threads();
    register_host();
    self.part = 0;
    self.deep = !opt.off_deep && chance(300) ? 1000 : 2 + (int)below(6);
    budget = self.deep > 10 ? 1500 : 20 + (int)below(opt.threads > 1 ? 60 : 120);
    make_up_part(opt.threads > 1 ? 20 : 2000);
    if (opt.threads > 1) budget = 40 * opt.threads;
    run_together();
    settle();
}

/* Links the answers of each context and forgets what only the first run needed. */
static void prepare_replay(void) {
    uint32_t count = script->count < NODES ? script->count : NODES;
    for (uint32_t i = 1; i < count; i++)
        if (script->nodes[i].type == NODE_OPERATION) script->nodes[i].first = script->nodes[i].last = 0;
    for (uint32_t i = 1; i < count; i++) {
        node *n = &script->nodes[i];
        if (n->type != NODE_ANSWER) continue;
        n->next = 0;
        append(&script->nodes[n->context].first, &script->nodes[n->context].last, i);
    }
}

void replay_sequence(void) {
    replaying = true;
    begin_sequence();
    prepare_replay();
    begin_library_threads();
    register_host();
    run_operations(script->first[0]);
    run_together();
    settle();
}
