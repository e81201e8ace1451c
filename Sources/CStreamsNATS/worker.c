/* worker.c - one thread for each connection, for calls that block: requests to the server, and flushes.
 * It begins with the first job. */

#include <stdlib.h>
#include <time.h>

#include "connection.h"

typedef struct job job;
struct job {
    job *next;
    int64_t due; /* milliseconds of the monotonic clock */
    void (*function)(void *);
    void *context;
    void (*destroy)(void *);
};

struct worker {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    job *jobs; /* by their time */
    bool running, ending;
    bool detached; /* the thread frees the worker */
    pthread_t thread;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

worker *worker_create(void) {
    worker *self = allocate(sizeof *self);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    return self;
}

static void job_destroy(job *self) {
    if (self->destroy != NULL) self->destroy(self->context);
    free(self);
}

static void destroy_jobs(job *list) {
    while (list != NULL) {
        job *next = list->next;
        job_destroy(list);
        list = next;
    }
}

static void worker_free(worker *self) {
    pthread_mutex_destroy(&self->lock);
    pthread_cond_destroy(&self->changed);
    free(self);
}

/* Waits for the first job that is due; NULL at the end. The lock is held. */
static job *next_job(worker *self) {
    while (!self->ending) {
        job *first = self->jobs;
        if (first == NULL) {
            pthread_cond_wait(&self->changed, &self->lock);
        } else if (first->due <= now()) {
            self->jobs = first->next;
            return first;
        } else {
            struct timespec until = { first->due / 1000, first->due % 1000 * 1000000 };
            pthread_cond_timedwait(&self->changed, &self->lock, &until);
        }
    }
    return NULL;
}

static void *run(void *context) {
    worker *self = context;
    pthread_mutex_lock(&self->lock);
    for (job *each; (each = next_job(self)) != NULL;) {
        pthread_mutex_unlock(&self->lock);
        /* A close in a callback must not wait for this thread. */
        job_begins();
        each->function(each->context);
        job_destroy(each);
        handler_ends();
        pthread_mutex_lock(&self->lock);
    }
    bool detached = self->detached;
    pthread_mutex_unlock(&self->lock);
    nats_ReleaseThreadMemory();
    if (detached) worker_free(self);
    return NULL;
}

/* Inserts a job after those with the same time. */
static void insert(worker *self, job *what) {
    job **place = &self->jobs;
    while (*place != NULL && (*place)->due <= what->due) place = &(*place)->next;
    what->next = *place;
    *place = what;
}

void worker_run(
    worker *self, int64_t delay, void (*function)(void *), void *context, void (*destroy)(void *)) {
    job *what = allocate(sizeof *what);
    *what = (job){
        .due = delay > 0 ? now() + delay : 0, .function = function, .context = context, .destroy = destroy
    };
    pthread_mutex_lock(&self->lock);
    if (!self->running && !self->ending)
        self->running = pthread_create(&self->thread, NULL, run, self) == 0;
    bool taken = self->running && !self->ending;
    if (taken) insert(self, what);
    pthread_cond_signal(&self->changed);
    pthread_mutex_unlock(&self->lock);
    if (!taken) job_destroy(what);
}

void worker_cancel(worker *self, const void *context) {
    job *cancelled = NULL;
    pthread_mutex_lock(&self->lock);
    for (job **place = &self->jobs; *place != NULL;) {
        job *each = *place;
        if (each->context != context) {
            place = &each->next;
            continue;
        }
        *place = each->next;
        each->next = cancelled;
        cancelled = each;
    }
    pthread_mutex_unlock(&self->lock);
    destroy_jobs(cancelled);
}

void worker_end(worker *self) {
    pthread_mutex_lock(&self->lock);
    self->ending = true;
    bool running = self->running, inside = running && pthread_equal(self->thread, pthread_self());
    self->detached = inside;
    job *rest = self->jobs;
    self->jobs = NULL;
    pthread_t thread = self->thread;
    pthread_cond_signal(&self->changed);
    pthread_mutex_unlock(&self->lock);
    if (inside)
        pthread_detach(thread);
    else if (running)
        pthread_join(thread, NULL);
    destroy_jobs(rest);
    if (!inside) worker_free(self);
}
