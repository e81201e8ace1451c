#include "streams_batches.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static _Thread_local streams_batch *latest __attribute__((tls_model("initial-exec"))) = NULL;
/// Batches that have ended, to be reused.
static _Thread_local streams_batch *spare __attribute__((tls_model("initial-exec"))) = NULL;
static pthread_key_t thread_ends;

static void free_spare(void *unused) {
    (void)unused;
    while (spare != NULL) {
        streams_batch *next = spare->outer;
        free(spare);
        spare = next;
    }
}

__attribute__((constructor)) static void watch_ends(void) {
    pthread_key_create(&thread_ends, free_spare);
}

streams_batch *streams_batch_begin(void) {
    streams_batch *batch = spare;
    if (batch != NULL) {
        spare = batch->outer;
    } else {
        batch = malloc(sizeof *batch);
        if (batch == NULL) abort();
        pthread_setspecific(thread_ends, batch);
    }
    batch->outer = latest;
    latest = batch;
    return batch;
}

void streams_batch_end(streams_batch *batch) {
    streams_batch **place = &latest;
    while (*place != NULL && *place != batch) place = &(*place)->outer;
    if (*place != NULL) *place = batch->outer;
    batch->outer = spare;
    spare = batch;
}

streams_batch *streams_batch_latest(void) {
    return latest;
}
