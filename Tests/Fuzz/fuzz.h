/*
 * fuzz.h - what the parts of the C fuzzer share.
 *
 * A sequence is a tree of nodes. An operation is one call of a function of the
 * library, with arguments that are written down exactly; an answer is what one
 * call of a callback does: its operations and its result. What is made up
 * while a sequence runs is written down before it is done, in memory shared
 * with the parent process, so that a sequence that crashes can be run again,
 * made smaller and printed.
 */

#ifndef STREAMS_FUZZ_H
#define STREAMS_FUZZ_H

#include "table.h"

#include <pthread.h>

/* ---- Sequences ------------------------------------------------------------ */

/* How an argument is made. */
enum { HOW_NULL,
    HOW_OWN,
    HOW_NODE,
    HOW_BITS,
    HOW_LENT,
    HOW_SAME,
    HOW_EXPORT,
    HOW_FAIL };

typedef struct argument {
    uint8_t how;
    uint8_t size;   /* of a struct: 0 as it should be, else wrong */
    uint16_t small; /* a count, or a number of a text, literal, function, kind of object */
    uint32_t node;
    uint64_t bits;
} argument;

enum { NODE_NONE,
    NODE_OPERATION,
    NODE_ANSWER };

typedef struct node {
    uint8_t type;
    uint8_t removed;
    uint8_t thread;
    uint8_t field;        /* of an answer: which of the context's callbacks */
    uint16_t what;        /* the function or callback */
    uint16_t repeat;      /* of an answer: the how manieth call of it */
    uint32_t parent;      /* of an operation: the answer it belongs to; 0: none */
    uint32_t context;     /* of an answer: the operation that gave the callback away */
    uint32_t next;        /* the next operation of the parent, the next answer of the context */
    uint32_t first, last; /* of an answer: its operations; of an operation: its context's answers */
    argument args[PARAMS];
    argument items[ITEMS];
} node;

typedef struct program {
    _Atomic uint32_t count;
    uint32_t threads;     /* of the middle part; 1: none */
    bool library_threads; /* whether queues and pools are made, and loops run until they are stopped */
    uint64_t seed;
    uint32_t first[THREADS + 1], last[THREADS + 1]; /* operations: the beginning, then each thread's */
    node nodes[NODES];
} program;

/* What a worker tells its parent. */
typedef struct report {
    _Atomic uint64_t calls[EVERY_THREAD + 1], callbacks[EVERY_THREAD + 1];
    _Atomic uint64_t sequence, sequences, endless, done;
    char failure[1024];
    _Atomic uint32_t called[FUNCTIONS], succeeded[FUNCTIONS];
    /* The function that took a callback, the callback, the function called inside. */
    _Atomic uint8_t triples[FUNCTIONS][CALLBACKS][FUNCTIONS];
    program program;
} report;

extern report *shared;
extern program *script; /* &shared->program */
extern bool replaying;
extern uint64_t attempt; /* at running the sequence again */

/* ---- Options: options.c --------------------------------------------------- */

typedef struct options {
    uint64_t seed, calls, sequences, from, only;
    size_t stack; /* of each thread, in KB; 0: as usual */
    double seconds, reduce_seconds;
    int threads, jobs, limit, tries;
    bool keep_going, reduce, catch_signals, verbose;
    bool off_functions[FUNCTIONS];
    bool off_pairs[CALLBACKS][FUNCTIONS];
    bool off_surplus, off_null, off_stale, off_wrong, off_forged, off_deep, off_bad_values, off_hosts;
    const char *output;
    const char *off_properties[32];
    int off_property_count;
} options;

extern options opt;
void read_options(int argc, char **argv);
bool property_is_off(const char *message);

/* ---- Running: run.c, choose.c, arguments.c -------------------------------- */

typedef struct frame frame;
struct frame {
    frame *outer;
    uint32_t answer;  /* the node, or 0 while nothing of it is written down */
    uint32_t context; /* the operation that gave the callback away */
    int callback;
    const streams_value *value; /* the first value that is lent */
    uint64_t handle;            /* the handle that is lent */
    int handle_kind;
};

typedef struct thread_state {
    int number; /* 0: not known yet; above THREADS: the library's */
    int part;   /* the list that operations are written to */
    int depth;
    int deep; /* how deep this sequence goes */
    uint64_t random;
    frame *frame;
    frame *nested;
    int inside; /* of the library's: how many callbacks */
    bool may_act;
} thread_state;

extern _Thread_local thread_state self;

uint64_t random_bits(void);
uint32_t below(uint32_t bound);
bool chance(uint32_t one_in);
extern _Atomic int budget;   /* operations that this sequence may still make up */
extern _Atomic int patience; /* callbacks that it may still get */

/* What operations made, to choose from: by kind of handle, and values and structs. */
enum { POOL_GROUPS = 31, /* publishers of groups and windows */
    POOL_VALUES = 32,
    POOL_STRUCTS = 33,
    POOLS = 64 };
void remember(uint32_t number, int pool);
void reset_pools(void);

uint32_t new_node(int type, int what);
void append(uint32_t *first, uint32_t *last, uint32_t number);
void run_operation(uint32_t number);
void run_operations(uint32_t first);
void make_up_operation(uint32_t parent);
bool choose_operation(uint32_t number);
argument choose_out(int kind, int detail);
int field_of(int callback);
uint32_t answer_call(int callback, uint32_t context, int field, uint32_t sub, uint64_t handle, int kind);
void run_sequence(uint64_t seed);
void replay_sequence(void);
bool start_thread(pthread_t *thread, void *(*body)(void *), void *argument);
void start_threads(int count);

/* ---- The library's threads: library_threads.c ----------------------------- */

/* Whether references cannot be counted exactly, and calls may be late. */
bool is_concurrent(void);
void begin_library_threads(void);
void enter_thread(void);
void leave_thread(void);
bool may_act(void);
void end_acting(void);
void await_library_threads(void);
void start_stopping(void);
int stop_soon(uint64_t loop);
void stop_no_more(int place);
void await_stops(void);
bool needs_stop(const node *n);

/* The values that operations use: see values.c. */
extern const int literal_count, good_literal_count;
streams_value literal(int number, int64_t bits);
const char *literal_text(int number);
extern const char *const texts[];
/* What is given where a file is written. */
#define NO_FILE "/dev/null"
static inline bool is_path(const param *what) {
    return strcmp(what->name, "path") == 0;
}
extern const int text_count, good_text_count;
extern const size_t text_lengths[];
extern int64_t int64s[64];
extern double doubles[64];
extern const char literal_prelude[];
void prepare_values(void);
void prepare_structs(void);

/* ---- What is alive: handles.c, contexts.c ---------------------------------- */

/* A handle that the library gave out or lent. */
typedef struct record {
    _Atomic uint64_t token;
    _Atomic int references, lent;
    _Atomic uint32_t kind, context; /* context: the operation whose subscriber it belongs to */
    _Atomic bool ever_lent, given;  /* given: with its own destroy, as a context; alive as long as that is */
    _Atomic bool overdrawn;         /* given so without a reference: takes one added later */
} record;

record *find_record(uint64_t token);
record *note_handle(uint64_t token, int kind, int references, uint32_t context);
void reset_handles(void);
void release_everything(void);

/* What an operation has while its sequence runs. */
typedef struct state {
    _Atomic uint64_t handle;
    streams_value values[ITEMS];
    _Atomic int busy;
    int values_count;
    bool owns_values;
    _Alignas(16) char struct_[160]; /* filled in by the library */
    bool has_struct;
    void (*method)(void);
    /* The context that this operation gave away. */
    _Atomic int given; /* not given, given, with a destroy */
    _Atomic int destroyed, running;
    _Atomic int calls[FIELDS];
    _Atomic uint32_t next_answer;
    /* A subscriber. */
    _Atomic uint64_t demanded, delivered, token;
    _Atomic int subscribed, subscribing, ended, failed, cancelled, cancelled_by, owner, nesting, late;
    /* An object. */
    _Atomic int counted, references;
    bool has_close, has_subscribed;
    int width;
    bool watches; /* a property or a binding, and so keeps it */
} state;

extern state states[NODES];
void drop_struct(uint32_t number);
void *context_token(uint32_t number);

void reset_contexts(void);
void check_contexts(void);
uint32_t enter_context(int callback, slot *a, int *subscription);
void leave_context(int callback, uint32_t context, int subscription, slot *a, slot *r);
void *new_subscription_state(uint32_t context);
void was_cancelled(uint32_t context);
void demand(uint32_t context, uint64_t count);
void note_given(
    uint32_t number, const function_info *info, const argument *args, const slot *a, bool succeeded);

enum { GIVEN = 1,
    GIVEN_WITH_DESTROY = 2 };

/* ---- Reports: report.c, reduce.c, print.c ---------------------------------- */

enum { EXIT_PROPERTY = 77,
    EXIT_ENDLESS = 78 };
_Noreturn void violated(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void endless(void);
void violation(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool describe_end(int status, const report *mine, char *failure, size_t room);
bool run_trial(char *failure, size_t room, double limit);
void reduce(const char *failure);
void print_program(FILE *file, const char *failure);
void print_coverage(FILE *file, const report *all, bool details);
void catch_signals(void);
void catch_stops(void);
void catch_reports(void);
void explain_crash(const char *failure);
void explain_hang(int process);
void note_triple(const frame *inside, int function);
double now(void);

/* ---- The host: fuzz_host.c ------------------------------------------------- */

enum {
    OBJECT_INT,
    OBJECT_TEXT,
    OBJECT_NULL,
    OBJECT_LIST,
    OBJECT_FUNCTION,
    OBJECT_SPITEFUL,
    OBJECT_DOUBLE,
    OBJECT_KINDS
};
uint32_t current_host(void);
/* Calls a function of the library; what it is to be told of owners, the host tells from then on. */
void invoke(int function, slot *a, slot *r);
bool gives_finalizer(const function_info *f);
uint64_t choose_offset(const function_info *f);
void begin_host(void);
void register_host(void);
void end_host(void);
void check_host(void);
void check_pending(void);
void *make_host_object(const argument *a, uint32_t number, int sub);
/* A weak reference to what owns functions. Earlier owners are lost one by one, or all of them. */
void *make_host_owner(void *const *functions, int count);
void lose_owners(bool all);
void drop_host_object(void *object);
void choose_host_object(argument *a, bool callable_only, int handed);

/* The kind of handle that a callback makes, and a new one of such a kind. */
int out_kind(const callback_info *info);
uint64_t new_handle(int kind);
void host_table_for(const argument *a, streams_host *table);
void call_method(uint32_t number);
void after_retire(uint32_t number);

#endif /* STREAMS_FUZZ_H */
