/* An object that notifies before one of its published values changes. */
#include <stdio.h>
#include <streams.h>

static int64_t age_of(const streams_observable_object *contact) {
    streams_value age;
    return streams_observable_object_get_value(contact, "age", &age) == STREAMS_OK ? age.as.integer : -1;
}

static int64_t have_birthday(streams_observable_object *contact) {
    streams_value age = streams_int(age_of(contact) + 1);
    streams_observable_object_set_value(contact, "age", &age);
    return age_of(contact);
}

static uint64_t will_change(void *contact, const streams_value *nothing) {
    (void)nothing;
    return printf("%d will change\n", (int)age_of(contact)) < 0;
}

int main(void) {
    streams_value name = streams_text("John Appleseed"), age = streams_int(24);
    streams_observable_object *john = streams_observable_object_create();
    streams_observable_object_add(john, "name", &name);
    streams_observable_object_add(john, "age", &age);

    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = john;
    subscriber.on_value = will_change;
    streams_cancellable *cancellable = streams_sink(streams_observable_object_will_change(john), &subscriber);
    if (cancellable == NULL) return fprintf(stderr, "%s\n", streams_last_message()), 1;
    printf("%d\n", (int)have_birthday(john));

    streams_release(cancellable);
    streams_release(john);
    return streams_live_handles() != 0;
}
