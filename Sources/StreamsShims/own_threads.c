#include "streams_hosts.h"

#include <pthread.h>

void (*streams_own_thread_ends)(void) = NULL;

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

void *streams_make_for_thread(void *(*make)(void *), void *argument) {
    pthread_mutex_lock(&making);
    void *made = make(argument);
    pthread_mutex_unlock(&making);
    return made;
}

void streams_end_own_thread(void) {
    void (*ends)(void) = __atomic_load_n(&streams_own_thread_ends, __ATOMIC_ACQUIRE);
    if (ends != NULL) ends();
}

static void before_fork(void) {
    pthread_mutex_lock(&making);
}

static void after_fork(void) {
    pthread_mutex_unlock(&making);
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(before_fork, after_fork, after_fork);
}
