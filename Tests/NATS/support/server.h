/*
 * server.h - a nats-server of the test's own, and what its tests share.
 */

#ifndef STREAMS_NATS_TEST_SERVER_H
#define STREAMS_NATS_TEST_SERVER_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <streams_nats.h>

typedef struct server {
    pid_t process; /* 0: not running */
    int port;
    char url[64];
    char store[64]; /* a folder that goes when the server is removed */
    bool bare;      /* without JetStream */
} server;

/* Chooses a free port and a folder; nothing runs yet. Extra is given to nats-server, or NULL. */
void server_prepare(server *self);
/* Starts it, again with the same port and folder, and waits until it takes connections and has JetStream.
 */
void server_start(server *self, const char *const *extra);
/* SIGTERM, or SIGKILL; waits for its end. */
void server_stop(server *self);
void server_kill(server *self);
void server_pause(server *self);
void server_continue(server *self);
/* Kills it and removes its folder. */
void server_remove(server *self);

/* ---- Waiting ------------------------------------------------------------------------------------------ */

/* Runs a condition until it holds, for a minute at most, longer under valgrind. */
#define wait_until(condition) \
    do { \
        int64_t end_ = milliseconds() + 60000; \
        while (!(condition) && milliseconds() < end_) pause_briefly(); \
        if (!(condition)) fail_msg("%s: did not come true within a minute", #condition); \
    } while (0)

int64_t milliseconds(void);
void pause_briefly(void);

#define assert_ok(call) assert_status(STREAMS_OK, call)
#define assert_status(expected, call) \
    do { \
        streams_status status_ = (call); \
        if (status_ != (expected)) \
            fail_msg("%s: %d %s, not %s: %s", #call, (int)status_, streams_status_name(status_), \
                #expected, streams_last_message()); \
    } while (0)

/* ---- Connections and streams of the server ------------------------------------------------------------ */

/* Connects with a short reconnect wait, and so many attempts, for ever if that is -1. */
streams_nats_connection *connect_soon(const server *self, int64_t most);
/* Connects, for ever, and waits until it stands. */
streams_nats_connection *connect_to(const server *self);
void make_stream(streams_nats_connection *connection, const char *name, const char *subjects);
/* Publishes texts "0", "1", and so on, and waits until they are stored. */
void publish_numbers(streams_nats_connection *connection, const char *subject, int from, int count);
/* A publisher of such texts. */
streams_publisher *numbers(int from, int count);
streams_nats_consumer_info consumer_info(
    streams_nats_connection *connection, const char *stream, const char *consumer);

/* The server that the tests of a program share, and their connection to it. */
extern server shared;
extern streams_nats_connection *connection;
/* Starts it, and connects. */
void begin_sharing(void);
/* A teardown. */
int end_sharing(void **state);

/* ---- A subscriber that keeps what it gets ------------------------------------------------------------- */

enum { MOST_KEPT = 100000 };

/* What a collector does; to be said before the first value may come. */
typedef struct behavior {
    uint64_t demand; /* at first */
    uint64_t more;   /* demanded after each value */
    bool keep;       /* values, for acknowledging by hand */
    int fail_at;     /* the value, from 1 on, for which the subscriber fails */
    int cancel_at;   /* and for which it cancels */
} behavior;

typedef struct collector {
    behavior behavior;
    atomic_int count;
    atomic_int ended; /* 1: finished, 2: failed */
    atomic_int destroyed;
    int numbers[MOST_KEPT]; /* the payloads, as numbers */
    int64_t code;
    char message[1024];
    streams_value kept[1000];
    streams_subscription *subscription;
    streams_cancellable *cancellable;
} collector;

collector *collect(streams_publisher *publisher, uint64_t demand, uint64_t more);
collector *collect_as(streams_publisher *publisher, behavior behavior);
void collector_request(collector *self, uint64_t demand);
/* Cancels, waits for the destroy, and frees it. */
void collector_end(collector *self);

/* ---- The program -------------------------------------------------------------------------------------- */

/* Runs tests; then nats.c must have nothing left. */
int run_nats_tests(const struct CMUnitTest *tests, size_t count);

#endif
