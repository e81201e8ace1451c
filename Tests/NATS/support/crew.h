/*
 * crew.h - workers that are processes, and what they have noted.
 */

#ifndef STREAMS_NATS_TEST_CREW_H
#define STREAMS_NATS_TEST_CREW_H

#include "server.h"

enum { MOST_WORKERS = 16 };

/* A line of a worker's file: see workers/worker.c. */
typedef struct note {
    uint64_t number, sequence, deliveries;
    int64_t time; /* nanoseconds since 1970 */
} note;

/* One life of a worker. */
typedef struct life {
    char path[96];
    FILE *file;
    uint64_t noted;
    void *memory; /* of whoever judges */
} life;

typedef struct worker {
    const char *command;
    pid_t process;
    bool stopped;
    life now;
} worker;

typedef struct crew {
    const server *host;
    const char *stream, *consumer;
    worker workers[MOST_WORKERS];
    int count, lives;
    /* A life of a worker begins, which the judge may give memory, has noted something, and is over. */
    void (*begins)(life *self);
    void (*noted)(life *self, const note *what);
    void (*ends)(life *self);
} crew;

/* Commands are lines of the environment's STREAMS_NATS_WORKERS, or four times the worker in C. Each is given
 * the server, the stream, the consumer, and the file for its notes. */
void crew_start(crew *self);
/* Reads what has been noted since. */
void crew_read(crew *self);

/* SIGKILL, and another life. */
void crew_replace(crew *self, int number);
void crew_stop(crew *self, int number);
void crew_continue(crew *self);

/* Kills all, and reads the rest. */
void crew_end(crew *self);

#endif
