/* A subject that has a value: it shows the charge of a car's battery, now and after each drive. */
#include <assert.h>
#include <stdio.h>
#include <streams.h>

static const double kwh_per_kilometer = 0.14;

static void drive(streams_subject *kwh_in_battery, double kilometers) {
    double kwh_needed = kilometers * kwh_per_kilometer;
    streams_value charge;
    if (streams_current_value_subject_get_value(kwh_in_battery, &charge) != STREAMS_OK) return;
    assert(kwh_needed <= charge.as.real && "Can't make trip, not enough charge in battery");
    charge = streams_double(charge.as.real - kwh_needed);
    streams_current_value_subject_set_value(kwh_in_battery, &charge);
}

static uint64_t show(void *context, const streams_value *charge) {
    (void)context;
    return printf("The car now has %.1fkwh in its battery\n", charge->as.real) < 0;
}

int main(void) {
    streams_value charge = streams_double(50);
    streams_subject *kwh_in_battery = streams_current_value_subject_create(&charge);

    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.on_value = show;
    streams_cancellable *cancellable = streams_sink(streams_subject_publisher(kwh_in_battery), &subscriber);
    if (cancellable == NULL) return fprintf(stderr, "%s\n", streams_last_message()), 1;
    drive(kwh_in_battery, 100);

    streams_release(cancellable);
    streams_release(kwh_in_battery);
    return streams_live_handles() != 0;
}
