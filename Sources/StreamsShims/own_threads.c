#include "streams_forks.h"
#include "streams_hosts.h"

#include <stddef.h>

void (*streams_own_thread_ends)(void) = NULL;

void *streams_make_for_thread(void *(*make)(void *), void *argument) {
    void *place = streams_hold_forks();
    void *made = make(argument);
    streams_let_forks(place);
    return made;
}

void streams_end_own_thread(void) {
    void (*ends)(void) = __atomic_load_n(&streams_own_thread_ends, __ATOMIC_ACQUIRE);
    if (ends != NULL) ends();
}
