#define _GNU_SOURCE
#include "streams_clock.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { SECOND = 1000000000 };

static struct timespec timespec_of(int64_t time) {
    return (struct timespec){ .tv_sec = time / SECOND, .tv_nsec = time % SECOND };
}

int64_t streams_clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * SECOND + now.tv_nsec;
}

void streams_clock_sleep(void *word, uint32_t value, int64_t time) {
    struct timespec until = timespec_of(time);
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, time == INT64_MAX ? NULL : &until, NULL,
        FUTEX_BITSET_MATCH_ANY);
}

void streams_clock_wake(void *word) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void streams_clock_wake_all(void *word) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

int streams_alarm_create(void) {
    return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
}

void streams_alarm_set(int alarm, int64_t time) {
    // Zero would mean never; a time in the past is due.
    struct itimerspec setting = { .it_value = timespec_of(time > 0 ? time : 1) };
    if (time == INT64_MAX) setting.it_value = (struct timespec){ 0 };
    timerfd_settime(alarm, TFD_TIMER_ABSTIME, &setting, NULL);
}

bool streams_alarm_wait(int alarm, int64_t time) {
    struct pollfd watched = { .fd = alarm, .events = POLLIN };
    int64_t now = time == INT64_MAX ? 0 : streams_clock_now();
    struct timespec left = timespec_of(time > now ? time - now : 0);
    return ppoll(&watched, 1, time == INT64_MAX ? NULL : &left, NULL) > 0 && (watched.revents & POLLIN) != 0;
}

void streams_alarm_renew(int alarm) {
    // Closed first, because there may be no room for two descriptors. If there is none for one, it stays
    // closed; the parent still has its own.
    close(alarm);
    int other = streams_alarm_create();
    if (other < 0 || other == alarm) return;
    dup3(other, alarm, O_CLOEXEC);
    close(other);
}

void streams_alarm_close(int alarm) {
    close(alarm);
}

/* ---- Threads ---- */

int streams_start_thread(void *(*main)(void *context), void *context) {
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error != 0) return error;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // The program's signals are for its own threads.
    sigset_t all, before;
    sigfillset(&all);
    // A fault's signal belongs to the thread that causes it.
    const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&all, faults[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    error = pthread_create(&thread, &attributes, main, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

void streams_name_own_thread(void) {
    prctl(PR_SET_NAME, "streams", 0, 0, 0);
}

int streams_hold_cancellation(void) {
    int before = PTHREAD_CANCEL_ENABLE;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

void streams_let_cancellation(int before) {
    pthread_setcancelstate(before, NULL);
}
