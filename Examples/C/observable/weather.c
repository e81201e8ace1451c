/* A published value's publisher sends the new value while the object still has the old one. */
#include <stdio.h>
#include <streams.h>

static uint64_t show(void *context, const streams_value *temperature) {
    (void)context;
    return printf("Temperature now: %.1f\n", temperature->as.real) < 0;
}

int main(void) {
    streams_value temperature = streams_double(20);
    streams_observable_object *weather = streams_observable_object_create();
    streams_observable_object_add(weather, "temperature", &temperature);

    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.on_value = show;
    streams_publisher *published = streams_observable_object_publisher(weather, "temperature");
    streams_cancellable *cancellable = streams_sink(published, &subscriber);
    if (cancellable == NULL) return fprintf(stderr, "%s\n", streams_last_message()), 1;
    temperature = streams_double(25);
    streams_observable_object_set_value(weather, "temperature", &temperature);

    streams_release(cancellable);
    streams_release(weather);
    return streams_live_handles() != 0;
}
