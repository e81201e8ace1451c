/*
 * A slider whose drawing is slow: each line of standard input moves it, and it
 * is drawn when it rests.
 *
 *     cc slider.c $(pkg-config --cflags --libs streams) && ./a.out
 */

#include <stdio.h>
#include <stdlib.h>
#include <streams.h>
#include <string.h>

static void draw(void *position) {
    printf("drawn at %s", (const char *)position);
    fflush(stdout);
}

int main(void) {
    streams_scheduler *queue = streams_queue_create();
    streams_debouncer *redraw = streams_debouncer_create(50000000, queue);
    char line[64];
    while (fgets(line, sizeof line, stdin) != NULL) {
        /* The library frees it when it has been drawn, or replaced. */
        streams_debouncer_execute(redraw, draw, strdup(line), free);
    }
    streams_release(redraw);
    streams_release(queue);
    return 0;
}
