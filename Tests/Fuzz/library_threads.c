/*
 * The threads that are the library's, of queues and pools: who they are, how
 * long they may act, and that they end. And loops that run until they are
 * stopped, which a thread of the fuzzer's does.
 */
#include "fuzz.h"

#include <dirent.h>
#include <time.h>

bool is_concurrent(void) { return script->threads > 1 || script->library_threads; }

/* ---- Who they are ------------------------------------------------------------- */

static _Atomic int number_of_next, acting, visits;
static _Atomic bool is_over;

/* Gives a thread of the library's a number, and lets it act until the sequence is over. */
void enter_thread(void) {
    if (self.number == 0) {
        int number = number_of_next++;
        if (number >= EVERY_THREAD) endless();
        self.number = number;
        self.deep = 3;
        self.random = (script->seed ^ attempt << 32) + (uint64_t)number * 0x632be59bd9b4e019u;
    }
    if (self.number <= THREADS || self.inside++ > 0) return;
    acting++;
    self.may_act = !is_over && self.number < EVERY_THREAD;
    if (!self.may_act) acting--;
}

void leave_thread(void) {
    if (self.number <= THREADS || --self.inside > 0) return;
    if (self.may_act) acting--;
    self.may_act = false;
    /* Whoever waits for this thread's end reads it, and what the thread has done before. */
    visits++;
}

bool may_act(void) { return self.number <= THREADS || self.may_act; }

/* ---- That they end -------------------------------------------------------------- */

static int count_threads(void) {
    int count = 0;
    DIR *directory = opendir("/proc/self/task");
    if (directory == NULL) violated("the fuzzer cannot count the threads");
    for (struct dirent *each; (each = readdir(directory)) != NULL;) count += each->d_name[0] != '.';
    closedir(directory);
    return count;
}

static int own_threads;

static void nap(void) { nanosleep(&(struct timespec){ 0, 50000 }, NULL); }

void begin_library_threads(void) {
    number_of_next = THREADS + 1;
    is_over = false;
    if (script->library_threads) own_threads = count_threads();
}

/* From here on they do nothing of their own, so that what is alive is known. */
void end_acting(void) {
    is_over = true;
    while (acting > 0) nap();
}

/* Waits until they have ended, as they have to once nobody has their queues. */
void await_library_threads(void) {
    if (!script->library_threads) return;
    /* Less than a trial of the reducer may take. */
    double limit = now() + (opt.limit < 40 ? opt.limit / 4.0 : 10);
    while (count_threads() > own_threads) {
        if (now() > limit)
            violation("leak: %d threads are left after all was released", count_threads() - own_threads);
        release_everything();
        nap();
    }
    (void)visits;
    release_everything();
}

/* ---- Loops that run until they are stopped --------------------------------------- */

enum { LOOPS = 64 };
static _Atomic uint64_t running[LOOPS];
static _Atomic uint32_t rounds;

/* Stops are lost where runs are nested, so they are repeated. */
static void *stop_loops(void *nothing) {
    self.number = EVERY_THREAD;
    for (;;) {
        rounds++;
        for (int i = 0; i < LOOPS; i++) {
            uint64_t loop = running[i];
            if (loop != 0) (void)streams_loop_stop((streams_scheduler *)(uintptr_t)loop);
        }
        rounds++;
        nanosleep(&(struct timespec){ 0, 300000 }, NULL);
    }
    return nothing;
}

void start_stopping(void) {
    pthread_t thread;
    if (!start_thread(&thread, stop_loops, NULL)) violated("no thread");
    pthread_detach(thread);
}

/* Has a loop stopped from now on. Returns its place, or -1. */
int stop_soon(uint64_t loop) {
    for (int i = 0; i < LOOPS; i++) {
        uint64_t free = 0;
        if (atomic_compare_exchange_strong(&running[i], &free, loop)) return i;
    }
    return -1;
}

void stop_no_more(int place) {
    if (place >= 0) running[place] = 0;
}

/* Until nobody uses a loop that nobody runs. */
void await_stops(void) {
    uint32_t before = rounds;
    while ((before & 1) != 0 && rounds == before) nap();
}
