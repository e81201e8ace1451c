#define _GNU_SOURCE
#include "Processes.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

pid_t process_fork(void) {
    return fork();
}

int process_wait(pid_t child, int milliseconds) {
    struct timespec pause = { 0, 50000 };
    struct timespec begin;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (;;) {
        int status = 0;
        if (waitpid(child, &status, WNOHANG) == child) {
            return status;
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
        if ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 >= milliseconds) {
            return -1;
        }
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 2000000) {
            pause.tv_nsec *= 2;
        }
    }
}

void *process_share(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}
