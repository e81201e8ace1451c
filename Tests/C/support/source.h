/*
 * source.h - a publisher that counts, and writes down what it is asked.
 */

#ifndef STREAMS_TEST_SOURCE_H
#define STREAMS_TEST_SOURCE_H

#include "support.h"

typedef struct source source;
struct source {
    test_log log;
    int64_t next;
    int64_t last;     /* finishes after it */
    uint64_t portion; /* sends at most so many a call; 0: all it is asked for */
    bool wakes;       /* wakes itself when it has sent a portion */
    bool ends_later;  /* finishes in a call of its own, not right after the last value */
    bool idle;        /* sends nothing itself */
    streams_status produce_status;
    streams_status open_status;
    void (*on_open)(source *self, streams_emitter *emitter);
    streams_emitter *emitter; /* retained in open */
    bool keeps_emitter;
    int opened, closed, destroyed;
    int inside; /* of produce */
    bool overlapped;
};

/* The callbacks, all with the source as context and state. */
streams_status source_open(void *context, streams_emitter *emitter, void **state);
streams_status source_produce(void *state, streams_emitter *emitter, uint64_t max);
void source_close(void *state);
void source_destroy(void *context);

/* Publishes next to last. The source must outlive the publisher. */
streams_publisher *source_publisher(source *self);

#endif /* STREAMS_TEST_SOURCE_H */
