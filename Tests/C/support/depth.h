/*
 * depth.h - threads with little stack, and streams that say how they ended.
 */

#ifndef STREAMS_TEST_DEPTH_H
#define STREAMS_TEST_DEPTH_H

#include "support.h"

/* How many of something heavy: 100,000, or few under valgrind. */
int many(void);

/* Runs the body on a thread with 512 KB of stack; false if it says so. */
bool on_small_stack(bool (*body)(void));

/* The same with so many bytes. */
bool on_stack_of(size_t size, bool (*body)(void));

/* Whether it is so; if not, it is printed. For other threads than the test's. */
#define must(condition) must_((condition), #condition, __LINE__)
bool must_(bool condition, const char *text, int line);

/* What a subscriber with finite demand has heard. */
typedef struct outcome {
    int values;
    int64_t last;
    uint32_t kind; /* of the last value */
    bool ended, failed;
    int64_t code;
    int destroyed;
    streams_subscription *subscription;
    streams_cancellable *cancellable;
} outcome;

/* Subscribes. Consumes the publisher. */
void begin(outcome *self, streams_publisher *p);

/* Releases what begin has made. */
bool let_go(outcome *self);

/* The same, and whether the stream has let go of the subscriber, once. */
bool end(outcome *self);

/* Whether the stream has failed because it nests too deep. */
bool is_limit(const outcome *self);

#endif /* STREAMS_TEST_DEPTH_H */
