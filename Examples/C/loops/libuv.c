/* A debounce in a libuv loop.   cc libuv.c $(pkg-config --cflags --libs streams libuv) */

#include <uv.h>

#include "search.h"

static void stop_if_over(uv_poll_t *poll, const search *self) {
    if (search_is_over(self)) uv_stop(poll->loop);
}

static void when_typed(uv_poll_t *poll, int status, int events) {
    search *self = poll->data;
    (void)status, (void)events;
    search_read(self);
    if (self->has_ended) uv_poll_stop(poll);
    stop_if_over(poll, self);
}

static void when_due(uv_poll_t *poll, int status, int events) {
    (void)status, (void)events;
    search_run(poll->data);
    stop_if_over(poll, poll->data);
}

int main(void) {
    search self = { .length = 0 };
    if (!search_begin(&self)) return 1;
    uv_poll_t typed = { .data = &self }, due = { .data = &self };
    uv_loop_t *loop = uv_default_loop();
    uv_poll_init(loop, &typed, STDIN_FILENO);
    uv_poll_init(loop, &due, streams_loop_descriptor(self.loop));
    uv_poll_start(&typed, UV_READABLE, when_typed);
    uv_poll_start(&due, UV_READABLE, when_due);
    uv_run(loop, UV_RUN_DEFAULT);
    uv_close((uv_handle_t *)&typed, NULL);
    uv_close((uv_handle_t *)&due, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    uv_loop_close(loop);
    return search_end(&self);
}
