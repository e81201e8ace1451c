#include "actions.h"

#include <poll.h>
#include <unistd.h>

void say(void *context) {
    word *self = context;
    log_add(self->log, "%s", self->text);
}

void say_destroyed(void *context) {
    word *self = context;
    log_add(self->log, "-%s", self->text);
}

void count(void *context) { ++((counter *)context)->calls; }

uint64_t at(streams_scheduler *scheduler, streams_nanoseconds later, word *what) {
    return streams_scheduler_schedule(
        scheduler, streams_scheduler_now(scheduler) + later, say, what, say_destroyed);
}

bool reaches(atomic_int *number, int expected) {
    for (int i = 0; i < MINUTE && *number != expected; i++) (void)poll(NULL, 0, 1);
    return *number == expected;
}

void end_child(bool well) {
    if (under_valgrind()) (void)execlp(well ? "true" : "false", "child", (char *)NULL);
    _exit(well ? 0 : 1);
}
