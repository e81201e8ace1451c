/* A debounce in an epoll loop.   cc epoll.c $(pkg-config --cflags --libs streams) */

#include <sys/epoll.h>

#include "search.h"

static void watch(int epoll, int descriptor) {
    struct epoll_event event = { .events = EPOLLIN, .data.fd = descriptor };
    (void)epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int main(void) {
    search self = { .length = 0 };
    if (!search_begin(&self)) return 1;
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    watch(epoll, STDIN_FILENO);
    watch(epoll, streams_loop_descriptor(self.loop));
    while (!search_is_over(&self)) {
        struct epoll_event event;
        if (epoll_wait(epoll, &event, 1, -1) != 1) continue;
        if (event.data.fd != STDIN_FILENO) {
            search_run(&self);
            continue;
        }
        search_read(&self);
        if (self.has_ended) (void)epoll_ctl(epoll, EPOLL_CTL_DEL, STDIN_FILENO, NULL);
    }
    (void)close(epoll);
    return search_end(&self);
}
