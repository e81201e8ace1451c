/* A debounce in a GLib main loop.   cc glib.c $(pkg-config --cflags --libs streams glib-2.0) */

#include <glib-unix.h>

#include "search.h"

static GMainLoop *loop;

static gboolean when_typed(gint descriptor, GIOCondition condition, gpointer context) {
    search *self = context;
    (void)descriptor, (void)condition;
    search_read(self);
    if (search_is_over(self)) g_main_loop_quit(loop);
    return !self->has_ended;
}

static gboolean when_due(gint descriptor, GIOCondition condition, gpointer context) {
    (void)descriptor, (void)condition;
    search_run(context);
    if (search_is_over(context)) g_main_loop_quit(loop);
    return G_SOURCE_CONTINUE;
}

int main(void) {
    search self = { .length = 0 };
    if (!search_begin(&self)) return 1;
    loop = g_main_loop_new(NULL, FALSE);
    (void)g_unix_fd_add(STDIN_FILENO, G_IO_IN | G_IO_HUP, when_typed, &self);
    guint due = g_unix_fd_add(streams_loop_descriptor(self.loop), G_IO_IN, when_due, &self);
    g_main_loop_run(loop);
    (void)g_source_remove(due);
    g_main_loop_unref(loop);
    return search_end(&self);
}
