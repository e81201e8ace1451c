/*
 * search.h - the common part of the three programs in this folder: typed lines
 * become a search when the typing pauses.
 */

#ifndef SEARCH_H
#define SEARCH_H

#include <stdbool.h>
#include <stdio.h>
#include <streams.h>
#include <string.h>
#include <unistd.h>

enum { PAUSE = 50 * 1000 * 1000 }; /* nanoseconds */

typedef struct search {
    streams_scheduler *loop;
    streams_subject *typed;
    streams_cancellable *cancellable;
    char line[256];
    size_t length;
    bool has_ended, is_waiting;
} search;

static uint64_t search_for(void *context, const streams_value *text) {
    search *self = context;
    self->is_waiting = false;
    printf("search for %.*s\n", (int)text->size, text->as.text);
    fflush(stdout);
    return 0;
}

/* Whether there is nothing more to do. */
static bool search_is_over(const search *self) { return self->has_ended && !self->is_waiting; }

static bool search_begin(search *self) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = self;
    subscriber.on_value = search_for;
    self->loop = streams_loop_create();
    self->typed = streams_passthrough_subject_create();
    streams_publisher *p = streams_subject_publisher(self->typed);
    p = streams_remove_duplicates(streams_debounce(p, PAUSE, self->loop));
    self->cancellable = streams_sink(p, &subscriber);
    if (self->cancellable == NULL) fprintf(stderr, "%s\n", streams_last_message());
    return self->cancellable != NULL;
}

/* Reads the input so far, and sends each line. Reading does not wait if there is
 * input, or its end. */
static void search_read(search *self) {
    char bytes[128];
    ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
    if (count <= 0) self->has_ended = true;
    for (ssize_t i = 0; i < count; i++) {
        if (bytes[i] != '\n') {
            if (self->length < sizeof self->line) self->line[self->length++] = bytes[i];
            continue;
        }
        streams_value line = streams_text_n(self->line, self->length);
        self->length = 0;
        self->is_waiting = true;
        (void)streams_subject_send(self->typed, &line);
    }
}

/* Runs the due actions: call it when the loop's descriptor is readable. */
static void search_run(search *self) { (void)streams_loop_run_once(self->loop, 0); }

static int search_end(search *self) {
    (void)streams_release(self->cancellable);
    (void)streams_release(self->typed);
    (void)streams_release(self->loop);
    return streams_live_handles() == 0 ? 0 : 1;
}

#endif
