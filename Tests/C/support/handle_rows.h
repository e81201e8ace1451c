/*
 * handle_rows.h - one good handle of each kind, and a row for every exported
 * function and each handle that it takes.
 */

#ifndef STREAMS_TEST_HANDLE_ROWS_H
#define STREAMS_TEST_HANDLE_ROWS_H

#include "support.h"

/* One good handle of each kind. */
typedef struct fixture {
    streams_publisher *publisher;
    streams_subject *subject; /* current-value */
    streams_subscription *subscription;
    streams_cancellable *cancellable;
    streams_error *error;
    streams_emitter *emitter;
    streams_callable *callable;
    streams_cancellable *emitting; /* keeps the emitter's stream alive */
    recorder recorder;
    counter counter;
    int taken; /* contexts given to the library */
} fixture;

enum { KINDS = 7 };
extern const streams_kind kinds[KINDS];

const void *handle_of(const fixture *f, streams_kind kind);
void fixture_begin(fixture *f);
void fixture_end(fixture *f);

/* For a subscriber's on_value. */
uint64_t ignore_value(void *context, const streams_value *value);

enum null_answer {
    NULL_IS_BAD,   /* STREAMS_NULL_HANDLE, always */
    NULL_IS_CHAIN, /* the same, but an error that is already there stays */
    NULL_IS_FINE
};

typedef struct row {
    const char *function;
    streams_status (*call)(void *handle, fixture *f); /* NULL: takes no handle */
    streams_kind accepts;                             /* STREAMS_KIND_NONE: any kind */
    enum null_answer null;
} row;

/* What a row's call has put out; destroy it. */
extern streams_value row_value;

extern const row handle_rows[];
extern const int handle_row_count;

#endif /* STREAMS_TEST_HANDLE_ROWS_H */
