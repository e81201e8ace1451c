/*
 * rows.h - what the tests of every function go through: rows that
 * Tools/c_rows.py writes from the header, and what their calls are given.
 */

#ifndef STREAMS_TEST_ROWS_H
#define STREAMS_TEST_ROWS_H

#include "support.h"

/* ---- Contexts ------------------------------------------------------------ */

/* A context of callbacks; it counts what is wrong. */
typedef struct life {
    counter counter;
    atomic_bool called_after_destroy;
    atomic_int contexts; /* that were given to the library */
} life;

/* ---- A good handle of each kind ------------------------------------------ */

typedef struct fixture {
    streams_publisher *publisher;
    streams_subject *subject; /* current-value */
    streams_subscription *subscription;
    streams_cancellable *cancellable;
    streams_error *error;
    streams_emitter *emitter;
    streams_callable *callable;
    streams_scheduler *scheduler; /* of virtual time */
    streams_scheduler *custom;
    streams_action *action; /* that the custom scheduler is to run */
    streams_pool *pool;
    streams_debouncer *debouncer;
    streams_throttler *throttler;
    streams_connectable *connectable;
    streams_promise *promise;
    streams_observable_object *object; /* with a value "x" */
    streams_property *property;        /* of the subject */
    streams_binding *binding;          /* likewise */
    streams_scope_tree *tree;          /* updated by hand */
    streams_scope *scope;              /* its only one, whose body has run */
    streams_cancellable *emitting;     /* keeps the emitter's stream alive */
    recorder recorder;
    life life;
    bool not_cleared; /* a call that failed has left something where it writes to */
} fixture;

const void *handle_of(const fixture *f, streams_kind kind);
void fixture_begin(fixture *f);
void fixture_end(fixture *f);

/* Lets virtual time pass: enough for all that waits, also one after another in
 * a long chain. */
enum { ENOUGH_TIME = 20000 };
bool let_time_pass(fixture *f);
/* Lets happen what is due just now, as a subscription on the scheduler. */
bool let_happen(fixture *f);

/* ---- What calls are given ------------------------------------------------ */

/* The context of one more callback that the library takes. */
void *taken(fixture *f);

/* Called in each callback, if a test wants that. */
extern void (*row_called)(void);
/* If there is one, row_expand makes its publisher of every other value. */
extern streams_subject *row_inner;

/* One for each shape of callback. They take a life; numbers are integers. The
 * transformation fails below zero, the comparison if both are the same, the
 * others never. */
void *row_call_value(void *callable, void *const *arguments, size_t count, void *names);
streams_status row_transform(void *context, const streams_value *in, streams_value *out);
streams_status row_transform_batch(void *context, const streams_value *in, streams_value *out);
streams_status row_get_value(void *context, streams_value *out);
streams_status row_set_value(void *context, const streams_value *value);
streams_status row_body(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out);
streams_status row_predicate(void *context, const streams_value *in, bool *result);
streams_status row_compare(void *context, const streams_value *a, const streams_value *b, bool *same);
streams_status row_order(void *context, const streams_value *a, const streams_value *b, bool *is_before);
streams_status row_combine(
    void *context, const streams_value *accumulated, const streams_value *in, streams_value *out);
streams_status row_combine_values(
    void *context, const streams_value *values, size_t count, streams_value *out);
streams_status row_expand(void *context, const streams_value *in, streams_publisher **out);
streams_status row_expand_property(void *context, const streams_value *in, streams_property **out);
streams_status row_recover(void *context, const streams_error *error, streams_publisher **out);
streams_status row_transform_error(void *context, const streams_error *error, streams_error **out);
streams_status row_make_publisher(void *context, streams_publisher **out);
streams_status row_make_error(void *context, streams_error **out);
streams_status row_error_predicate(void *context, const streams_error *error, bool *result);
void row_write(void *context, const char *text, size_t length);
void row_action(void *context);
void row_destroy(void *context);

/* One for each struct. */
streams_event_handlers row_event_handlers(fixture *f);
streams_breakpoints row_breakpoints(fixture *f);
streams_subscriber row_subscriber(fixture *f);
streams_source row_source(fixture *f);
streams_operator row_operator(fixture *f);
streams_custom_scheduler row_custom_scheduler(fixture *f);
streams_backoff row_backoff(fixture *f);
streams_host_callables row_host_callables(fixture *f);
streams_object_type row_object_type(fixture *f);
streams_host row_host(fixture *f);

/* For each count; 2 unless a test sets another. */
extern int64_t row_count;
/* For each demand, and each number of times; likewise. */
extern uint64_t row_demand;
extern bool row_answer; /* of row_predicate */
/* For each length of time; 10 unless a test sets another. */
extern streams_nanoseconds row_time;

extern const streams_value row_one;
extern const int64_t row_integers[];
extern const double row_reals[];
extern const streams_value row_numbers; /* an array of one */
extern streams_value row_value;         /* to be overwritten or destroyed */

/* What is large, once prepare_large has been called. */
enum { LARGE = 40000 };
extern char large_name[LARGE + 1];
extern int64_t large_integers[LARGE];
extern double large_reals[LARGE];
extern streams_value large_text, large_list, large_numbers, large_values[LARGE], large_out[LARGE];
extern void *large_handles[LARGE], *large_objects[LARGE];
void prepare_large(void);

/* What a function that returns a handle, a number or a text has said: its
 * failure is NULL, 0 or "". */
streams_status made(const void *handle);
streams_status answered(bool something);

/* ---- The rows ------------------------------------------------------------ */

enum null_answer {
    NULL_IS_BAD,   /* STREAMS_NULL_HANDLE, always */
    NULL_IS_CHAIN, /* the same, but an error that is already there stays */
    NULL_IS_FINE
};

/* A function, as it is to be called: what it consumes is retained before. */
typedef struct call_row {
    const char *function;
    streams_status (*call)(fixture *f);
    bool can_lack_memory; /* as its comment says */
} call_row;

/* A function that is given something large. */
typedef struct large_row {
    const char *function;
    const char *parameter;
    streams_status (*call)(fixture *f);
} large_row;

/* A function and a handle that it takes. */
typedef struct handle_row {
    const char *function;
    streams_status (*call)(void *handle, fixture *f);
    streams_kind accepts; /* STREAMS_KIND_NONE: any kind */
    enum null_answer null;
} handle_row;

/* A function and a pointer that must not be NULL, which it is. */
typedef struct argument_row {
    const char *function;
    const char *parameter;
    streams_status (*call)(fixture *f);
} argument_row;

/* What is called first by each callback of a failing row: if this fails, the
 * callback does, else it does what the callback of its shape above does. */
extern streams_status (*row_failing)(void);

/* A function that is given such a callback, and makes something that calls it: of
 * publishers that `upstream` makes, if it takes some. */
typedef struct failing_row {
    const char *function;
    const char *callback; /* the parameter, or the field of the struct */
    const void *(*make)(streams_publisher *(*upstream)(void), fixture *f);
} failing_row;

/* A function that makes a publisher of one, or of two; it consumes them. */
typedef struct attachment {
    const char *function;
    streams_publisher *(*attach)(streams_publisher *a, streams_publisher *b, fixture *f);
    bool takes_two;
} attachment;

extern const streams_kind kinds[];
extern const int kind_count;
extern const call_row call_rows[];
extern const int call_row_count;
extern const large_row large_rows[];
extern const int large_row_count;
extern const handle_row handle_rows[];
extern const int handle_row_count;
extern const argument_row argument_rows[];
extern const int argument_row_count;
extern const attachment attachments[];
extern const int attachment_count;
extern const failing_row failing_rows[];
extern const int failing_row_count;

#endif /* STREAMS_TEST_ROWS_H */
