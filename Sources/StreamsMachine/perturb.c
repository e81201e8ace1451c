#include "streams_threads.h"

#ifdef STREAMS_PERTURBED

#include <sched.h>
#include <stddef.h>
#include <time.h>

enum { GREATEST_PAUSE = 32 * 1024 /* nanoseconds */ };

static uint32_t random_number(void) {
    static _Thread_local uint64_t state = 0;
    if (state == 0) state = UINT64_C(0x9E3779B97F4A7C15) * streams_current_thread();
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 20);
}

void streams_give_way(void) {
    uint32_t number = random_number();
    if (number % 8 == 0) {
        sched_yield();
    } else if (number % 64 == 1) {
        struct timespec pause = { .tv_nsec = number / 64 % GREATEST_PAUSE };
        nanosleep(&pause, NULL);
    }
}

#endif
