/*
 * The fuzzer's parent process: starts workers that run sequences, watches
 * them, and looks into what fails. `fuzz --help` lists the options.
 */
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SEQUENCES_OF_A_WORKER = 3000,
    JOBS = 16 };

/* What all workers share. */
typedef struct board {
    _Atomic uint64_t next;
    _Atomic bool stop;
} board;

/* How long a process has been at its sequence, and without a callback. */
typedef struct progress {
    uint64_t sequence, callbacks;
    double begun, heard;
    /* The processor time that had been taken by then. */
    double worked;
} progress;

typedef struct job {
    report *report;
    pid_t process;
    progress progress;
} job;

static board *all;
static job jobs[JOBS];
static report *trial;

static void *share(size_t size) {
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) exit(2);
    return memory;
}

static void use(report *mine) {
    shared = mine;
    script = &mine->program;
}

uint64_t sequence_seed(uint64_t number) {
    uint64_t z = opt.seed * 0x9e3779b97f4a7c15u + number;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* A streams_print without a function writes to the standard output. */
static void silence(int descriptor) {
    int null = open("/dev/null", O_WRONLY);
    dup2(null, descriptor);
    close(null);
}

/* The first thread of a forked process has a stack that valgrind does not let grow to its end. */
_Noreturn static void run_on_thread(void *(*body)(void *)) {
    pthread_t thread;
    if (!start_thread(&thread, body, NULL)) exit(2);
    pthread_join(thread, NULL);
    exit(0);
}

static void prepare(void) {
    prepare_values();
    prepare_structs();
    catch_reports();
    catch_stops();
    if (opt.catch_signals) catch_signals();
}

static void *work_on_thread(void *nothing) {
    report *mine = shared;
    prepare();
    start_threads(opt.threads);
    for (int i = 0; i < SEQUENCES_OF_A_WORKER && !all->stop; i++) {
        uint64_t number = all->next++;
        if (opt.sequences != 0 && number >= opt.sequences) break;
        mine->sequence = number + 1;
        run_sequence(opt.only != 0 ? opt.only : sequence_seed(number));
        if (opt.only != 0) break;
    }
    return nothing;
}

_Noreturn static void work(report *mine) {
    use(mine);
    silence(1);
    run_on_thread(work_on_thread);
}

/* ---- Hangs -------------------------------------------------------------------------- */

static uint64_t callbacks_of(const report *mine) {
    uint64_t sum = 0;
    for (int t = 0; t <= EVERY_THREAD; t++) sum += mine->callbacks[t];
    return sum;
}

typedef enum { GOES_ON,
    SLEEPS,
    SPINS,
    GOES_ROUND } verdict;

static const char *const hangs[] = {
    [SLEEPS] = "hang: nobody is at work",
    [SPINS] = "hang: at work, and nothing is called any more",
    [GOES_ROUND] = "",
};

/* The processor time that a process has taken. */
static double work_of(pid_t process) {
    clockid_t clock;
    struct timespec time = { 0 };
    if (clock_getcpuclockid(process, &clock) == 0) (void)clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* A sequence that takes too long hangs if nothing is called any more, and else goes round in circles. One
 * that is at work has more time: a virtual clock passes many times at which nobody is called. */
static verdict judge(progress *p, pid_t process, const report *mine, double limit) {
    uint64_t callbacks = callbacks_of(mine);
    double time = now();
    if (mine->sequence != p->sequence || p->begun == 0) p->sequence = mine->sequence, p->begun = time;
    if (callbacks != p->callbacks || p->heard == 0) {
        p->callbacks = callbacks;
        p->heard = time;
        p->worked = work_of(process);
    }
    if (time - p->begun <= limit) return GOES_ON;
    double silence = time - p->heard;
    if (silence <= limit / 3) return GOES_ROUND;
    bool is_at_work = work_of(process) - p->worked > silence / 10;
    if (!is_at_work) return SLEEPS;
    return silence <= limit ? GOES_ON : SPINS;
}

static void end_process(pid_t process) {
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
}

/* ---- Trials: the same sequence again, or a part of it -------------------------- */

/* Waits for a process. Returns whether it failed, and describes how. */
static bool wait_for(pid_t process, const report *mine, double limit, char *failure, size_t room) {
    int status = 0;
    progress progress = { 0 };
    while (waitpid(process, &status, WNOHANG) == 0) {
        verdict found = judge(&progress, process, mine, limit);
        if (found != GOES_ON) {
            end_process(process);
            snprintf(failure, room, "%s", hangs[found]);
            return found != GOES_ROUND;
        }
        nanosleep(&(struct timespec){ 0, 300000 }, NULL);
    }
    return describe_end(status, mine, failure, room);
}

/* Whether a status of waitpid is a failure, in words. */
bool describe_end(int status, const report *mine, char *failure, size_t room) {
    if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == EXIT_ENDLESS)) return false;
    if (mine->failure[0] != '\0') {
        snprintf(failure, room, "%s", mine->failure);
    } else if (WIFSIGNALED(status)) {
        snprintf(failure, room, "signal %d", WTERMSIG(status));
    } else {
        snprintf(failure, room, "exit %d: see what it wrote above", WEXITSTATUS(status));
    }
    return true;
}

static void *try_on_thread(void *nothing) {
    prepare();
    start_threads((int)script->threads);
    /* Threads meet in another way each time. */
    for (int i = 0; i < (is_concurrent() ? opt.tries : 1); i++) {
        attempt = (uint64_t)i;
        replay_sequence();
    }
    return nothing;
}

/* Runs the program in the trial's memory once. */
bool run_trial(char *failure, size_t room, double limit) {
    trial->failure[0] = '\0';
    pid_t process = fork();
    if (process == 0) {
        use(trial);
        silence(1);
        if (!opt.verbose) silence(2);
        run_on_thread(try_on_thread);
    }
    return process > 0 && wait_for(process, trial, limit, failure, room);
}

/* ---- Failures -------------------------------------------------------------------- */

enum { KINDS = 200 };
static struct {
    char what[256];
    uint64_t count;
} seen[KINDS];
static int seen_count;

/* A crash by where it happened, a status by its function, another property by its name. */
static bool is_new(const char *failure) {
    char what[sizeof seen[0].what];
    bool crash = strncmp(failure, "signal", 6) == 0, status = strncmp(failure, "status", 6) == 0;
    int length = crash                              ? 40
                 : strncmp(failure, "asan", 4) == 0 ? 250
                 : status                           ? 60
                                                    : (int)strcspn(failure, ":");
    snprintf(what, sizeof what, "%.*s", length, failure);
    for (int i = 0; i < seen_count; i++)
        if (strcmp(seen[i].what, what) == 0) return seen[i].count++, false;
    if (seen_count < KINDS) {
        strcpy(seen[seen_count].what, what);
        seen[seen_count++].count = 1;
    }
    return true;
}

static void look_into(const report *mine, const char *failure) {
    uint32_t count = mine->program.count < NODES ? mine->program.count : NODES;
    memcpy(&trial->program, &mine->program, offsetof(program, nodes) + count * sizeof(node));
    fprintf(stderr, "\nsequence %llu of seed %llu failed: %s\n", (unsigned long long)mine->sequence - 1,
        (unsigned long long)opt.seed, failure);
    fprintf(stderr, "run it again: --seed %llu --only %llu --threads %d\n", (unsigned long long)opt.seed,
        (unsigned long long)mine->program.seed, opt.threads);
    explain_crash(failure);
    use(trial);
    if (opt.reduce) reduce(failure);
    char name[4096] = "";
    if (opt.output != NULL)
        snprintf(name, sizeof name, opt.keep_going ? "%s.%d.c" : "%s", opt.output, seen_count);
    FILE *file = opt.output != NULL ? fopen(name, "w") : stderr;
    if (file == NULL) file = stderr;
    print_program(file, failure);
    if (file != stderr) {
        fclose(file);
        fprintf(stderr, "reduced program: %s\n", name);
    }
}

/* ---- Workers --------------------------------------------------------------------- */

static void start(job *each) {
    each->report->failure[0] = '\0';
    each->progress = (progress){ 0 };
    each->process = fork();
    if (each->process == 0) work(each->report);
}

/* Looks after one worker. Returns false if it has failed and the fuzzer is to end. */
static bool look_after(job *each) {
    char failure[sizeof each->report->failure] = "";
    int status = 0;
    bool failed = false;
    if (each->process == 0) return true;
    if (waitpid(each->process, &status, WNOHANG) != 0) {
        failed = describe_end(status, each->report, failure, sizeof failure);
        each->process = 0;
    } else {
        verdict found = judge(&each->progress, each->process, each->report, opt.limit);
        if (found == GOES_ON) return true;
        failed = found != GOES_ROUND;
        if (!failed) each->report->endless++;
        if (failed && opt.verbose) explain_hang(each->process);
        end_process(each->process);
        each->process = 0;
        snprintf(failure, sizeof failure, "%s", hangs[found]);
    }
    if (!failed) return true;
    if (is_new(failure)) look_into(each->report, failure);
    return opt.keep_going;
}

static uint64_t callbacks_of_library(void) {
    uint64_t sum = 0;
    for (int i = 0; i < opt.jobs; i++)
        for (int t = THREADS + 1; t <= EVERY_THREAD; t++) sum += jobs[i].report->callbacks[t];
    return sum;
}

static uint64_t total(bool of_callbacks) {
    uint64_t sum = 0;
    for (int i = 0; i < opt.jobs; i++) {
        if (of_callbacks) sum += callbacks_of(jobs[i].report);
        for (int t = 0; t <= EVERY_THREAD && !of_callbacks; t++) sum += jobs[i].report->calls[t];
    }
    return sum;
}

static bool is_done(double started) {
    if (opt.sequences != 0 && all->next >= opt.sequences) return true;
    if (opt.calls != 0 && total(false) >= opt.calls) return true;
    return opt.seconds > 0 && now() - started >= opt.seconds;
}

static void add_up(report *sum) {
    for (int i = 0; i < opt.jobs; i++) {
        const report *each = jobs[i].report;
        sum->sequences += each->sequences;
        sum->endless += each->endless;
        for (int f = 0; f < function_count; f++) {
            sum->called[f] += each->called[f];
            sum->succeeded[f] += each->succeeded[f];
            for (int c = 0; c < callback_count; c++)
                for (int k = 0; k < function_count; k++) sum->triples[f][c][k] |= each->triples[f][c][k];
        }
    }
}

static int finish(double started, bool good) {
    report *sum = share(sizeof(report));
    add_up(sum);
    uint64_t calls = total(false);
    printf("%llu calls and %llu callbacks in %llu sequences (%llu endless), %d thread%s, %.1f s, seed %llu\n",
        (unsigned long long)calls, (unsigned long long)total(true), (unsigned long long)sum->sequences,
        (unsigned long long)sum->endless, opt.threads, opt.threads > 1 ? "s" : "", now() - started,
        (unsigned long long)opt.seed);
    printf("%llu of the callbacks on threads of the library's\n", (unsigned long long)callbacks_of_library());
    print_coverage(stdout, sum, opt.verbose);
    for (int i = 0; i < seen_count; i++)
        printf("%6llu times: %s\n", (unsigned long long)seen[i].count, seen[i].what);
    puts(good && seen_count == 0 ? "no failure" : "FAILED");
    return good && seen_count == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
    read_options(argc, argv);
    setvbuf(stdout, NULL, _IOLBF, 0);
    all = share(sizeof *all);
    all->next = opt.from;
    trial = share(sizeof *trial);
    for (int i = 0; i < opt.jobs; i++) jobs[i].report = share(sizeof(report));
    printf("seed %llu\n", (unsigned long long)opt.seed);
    double started = now();
    bool good = true;
    while (good && !is_done(started)) {
        for (int i = 0; i < opt.jobs && good; i++) {
            if (jobs[i].process == 0) start(&jobs[i]);
            good = look_after(&jobs[i]);
        }
        nanosleep(&(struct timespec){ 0, 2000000 }, NULL);
        if (opt.only != 0 && jobs[0].process == 0) break;
    }
    all->stop = true;
    for (int i = 0; i < opt.jobs; i++)
        while (jobs[i].process != 0) {
            good = look_after(&jobs[i]) && good;
            nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
        }
    return finish(started, good);
}
