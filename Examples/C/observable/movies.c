/* A view model that announces the changes of its movie provider itself. */
#include <stdio.h>
#include <stdlib.h>
#include <streams.h>
#include <string.h>

/* Keeps the titles of movies, in order, and notifies when they change. */
typedef struct movie_provider {
    streams_subject *changes;
    const char *titles[8];
    size_t count;
} movie_provider;

static int in_order(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void save(movie_provider *self, const char *title) {
    self->titles[self->count++] = title;
    qsort(self->titles, self->count, sizeof title, in_order);
    streams_value nothing = streams_null();
    streams_subject_send(self->changes, &nothing);
}

typedef struct view_model {
    movie_provider *provider;
    streams_observable_object *object;
    streams_cancellable *cancellable;
} view_model;

static uint64_t announce(void *model, const streams_value *nothing) {
    (void)nothing;
    printf("Changed!\n");
    streams_observable_object_send_will_change(((view_model *)model)->object);
    return 0;
}

static uint64_t show(void *model, const streams_value *nothing) {
    const movie_provider *provider = ((view_model *)model)->provider;
    (void)nothing;
    for (size_t i = 0; i < provider->count; i++) printf("%s %s", i == 0 ? "shows" : ",", provider->titles[i]);
    return printf("\n") < 0;
}

static streams_cancellable *observe(
    streams_publisher *publisher, uint64_t (*on_value)(void *, const streams_value *), view_model *model) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = model;
    subscriber.on_value = on_value;
    return streams_sink(publisher, &subscriber);
}

int main(void) {
    movie_provider provider = { .changes = streams_passthrough_subject_create() };
    view_model model = { .provider = &provider, .object = streams_observable_object_create() };
    model.cancellable = observe(streams_subject_publisher(provider.changes), announce, &model);
    streams_cancellable *view = observe(streams_observable_object_will_change(model.object), show, &model);
    if (view == NULL) return fprintf(stderr, "%s\n", streams_last_message()), 1;

    save(&provider, "Metropolis");
    save(&provider, "Alien");

    streams_release(view);
    streams_release(model.cancellable);
    streams_release(model.object);
    streams_release(provider.changes);
    return streams_live_handles() != 0;
}
