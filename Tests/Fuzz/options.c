/* The command line. */
#include "fuzz.h"

#include <getopt.h>
#include <time.h>
#include <unistd.h>

options opt = { .calls = 0,
    .threads = 1,
    .jobs = 1,
    .limit = 120,
    .reduce = true,
    .catch_signals = true,
    .tries = 500,
    .reduce_seconds = 60 };

static const char help[] =
    "fuzz: random sequences of every function that the header of Streams declares\n"
    "  --seed N          which sequences (default: the time)\n"
    "  --calls N, --seconds N, --sequences N   when to end (default: 10 seconds)\n"
    "  --from N          the number of the first sequence (default 0)\n"
    "  --threads N       threads that run a sequence together (default 1)\n"
    "  --stack KB        the stack of each thread\n"
    "  --jobs N          processes (default 1)\n"
    "  --only N          run the one sequence of this seed\n"
    "  --without WHAT    leave out: a function, CALLBACK>FUNCTION, a property as it is named before the "
    "colon, or one of\n"
    "                    null, stale, wrong, forged (handles), surplus (releases), bad-values, deep, hosts; "
    "may be repeated\n"
    "  --keep-going      count failures and go on; each kind is reduced once\n"
    "  --reduce SECONDS  how long a failing sequence is made smaller (default 60)\n"
    "  --no-reduce       print a failing sequence as it is\n"
    "  --output FILE     write the reduced program there\n"
    "  --limit SECONDS   a sequence that takes longer hangs or is endless (default 120)\n"
    "  --tries N         how often a failing sequence of threads is run to see it fail (default 500)\n"
    "  --raw-signals     leave signals to a sanitizer or a debugger\n"
    "  --verbose         list what was never exercised; show what trials write, and where a hang is\n";

static int function_named(const char *name) {
    for (int i = 0; i < function_count; i++)
        if (strcmp(functions[i].name, name) == 0) return i;
    return -1;
}

static void leave_out_pair(const char *what, const char *function) {
    int found = 0, number = function_named(function);
    size_t length = (size_t)(function - what) - 1;
    for (int c = 0; c < callback_count && number >= 0; c++) {
        const char *name = callbacks[c].name, *field = strchr(name, '.');
        bool same = strlen(name) == length && strncmp(name, what, length) == 0;
        bool same_field =
            field != NULL && strlen(field + 1) == length && strncmp(field + 1, what, length) == 0;
        if (same || same_field) opt.off_pairs[c][number] = true, found++;
    }
    if (found == 0) fprintf(stderr, "--without: no such callback or function: %s\n", what), exit(2);
}

static void leave_out(const char *what) {
    const struct {
        const char *name;
        bool *flag;
    } flags[] = { { "null", &opt.off_null }, { "stale", &opt.off_stale }, { "wrong", &opt.off_wrong },
        { "forged", &opt.off_forged }, { "surplus", &opt.off_surplus },
        { "bad-values", &opt.off_bad_values }, { "deep", &opt.off_deep }, { "hosts", &opt.off_hosts } };
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (strcmp(what, flags[i].name) == 0) {
            *flags[i].flag = true;
            return;
        }
    if (strchr(what, '>') != NULL) {
        leave_out_pair(what, strchr(what, '>') + 1);
    } else if (function_named(what) >= 0) {
        opt.off_functions[function_named(what)] = true;
    } else if (opt.off_property_count < 32) {
        opt.off_properties[opt.off_property_count++] = what;
    }
}

void read_options(int argc, char **argv) {
    enum {
        SEED = 256,
        CALLS,
        SECONDS,
        SEQUENCES,
        FROM,
        THREAD_COUNT,
        STACK,
        JOB_COUNT,
        ONLY,
        WITHOUT,
        KEEP_GOING,
        NO_REDUCE,
        REDUCE,
        OUTPUT,
        LIMIT,
        TRIES,
        RAW,
        VERBOSE,
        HELP
    };
    const struct option known[] = { { "seed", 1, NULL, SEED }, { "calls", 1, NULL, CALLS },
        { "seconds", 1, NULL, SECONDS }, { "sequences", 1, NULL, SEQUENCES },
        { "from", 1, NULL, FROM },
        { "stack", 1, NULL, STACK },
        { "threads", 1, NULL, THREAD_COUNT }, { "jobs", 1, NULL, JOB_COUNT }, { "only", 1, NULL, ONLY },
        { "without", 1, NULL, WITHOUT }, { "keep-going", 0, NULL, KEEP_GOING },
        { "no-reduce", 0, NULL, NO_REDUCE }, { "reduce", 1, NULL, REDUCE }, { "output", 1, NULL, OUTPUT },
        { "limit", 1, NULL, LIMIT }, { "tries", 1, NULL, TRIES }, { "raw-signals", 0, NULL, RAW },
        { "verbose", 0, NULL, VERBOSE }, { "help", 0, NULL, HELP }, { NULL, 0, NULL, 0 } };
    if (function_count >= FUNCTIONS || callback_count >= CALLBACKS)
        fprintf(stderr, "fuzz.h: too few places\n"), exit(2);
    opt.seed = (uint64_t)time(NULL);
    for (int c; (c = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        switch (c) {
        case SEED: opt.seed = strtoull(optarg, NULL, 10); break;
        case CALLS: opt.calls = strtoull(optarg, NULL, 10); break;
        case SECONDS: opt.seconds = atof(optarg); break;
        case SEQUENCES: opt.sequences = strtoull(optarg, NULL, 10); break;
        case FROM: opt.from = strtoull(optarg, NULL, 10); break;
        case STACK: opt.stack = strtoull(optarg, NULL, 10); break;
        case THREAD_COUNT: opt.threads = atoi(optarg); break;
        case JOB_COUNT: opt.jobs = atoi(optarg); break;
        case ONLY: opt.only = strtoull(optarg, NULL, 10); break;
        case WITHOUT: leave_out(optarg); break;
        case KEEP_GOING: opt.keep_going = true; break;
        case REDUCE: opt.reduce_seconds = atof(optarg); break;
        case NO_REDUCE: opt.reduce = false; break;
        case OUTPUT: opt.output = optarg; break;
        case LIMIT: opt.limit = atoi(optarg); break;
        case TRIES: opt.tries = atoi(optarg); break;
        case RAW: opt.catch_signals = false; break;
        case VERBOSE: opt.verbose = true; break;
        case HELP: fputs(help, stdout); exit(0);
        default: fputs(help, stderr); exit(2);
        }
    }
    if (opt.threads < 1 || opt.threads > THREADS || opt.jobs < 1 || opt.jobs > 16)
        fputs(help, stderr), exit(2);
    if (opt.calls == 0 && opt.seconds <= 0 && opt.sequences == 0) opt.seconds = 10;
}
