/* Numbers that travel as arrays: without a copy, as much as is demanded, and as values for everyone else. */

#include <stdlib.h>

#include "support.h"

/* ---- Who receives ---------------------------------------------------------- */

/* What has come, in which way, and what the next call is to demand. */
typedef struct ear {
    int arrays, batches, singles;
    size_t values;
    double sum;
    const void *address; /* of the last array */
    streams_value kept;  /* a copy of it */
    uint64_t more;
    streams_subscription *subscription;
    bool cancels;
} ear;

static void begin(void *context, streams_subscription *subscription) {
    ((ear *)context)->subscription = subscription;
    streams_retain(subscription);
}

static uint64_t act(ear *self) {
    if (self->cancels) assert_ok(streams_subscription_cancel(self->subscription));
    return self->more;
}

static uint64_t hear_numbers(void *context, const streams_value *numbers) {
    ear *self = context;
    self->arrays++;
    self->values += numbers->size;
    for (uint32_t i = 0; i < numbers->size; i++)
        self->sum += numbers->kind == STREAMS_VALUE_INT64S ? (double)numbers->as.integers[i]
                                                           : numbers->as.reals[i];
    self->address = numbers->as.reals;
    assert_ok(streams_value_destroy(&self->kept));
    assert_ok(streams_value_copy(numbers, &self->kept));
    return act(self);
}

static void add(ear *self, const streams_value *value) {
    self->values++;
    self->sum += value->kind == STREAMS_VALUE_INT64 ? (double)value->as.integer : value->as.real;
}

static uint64_t hear_values(void *context, const streams_value *values, size_t count) {
    ear *self = context;
    self->batches++;
    for (size_t i = 0; i < count; i++) add(self, &values[i]);
    return act(self);
}

static uint64_t hear_value(void *context, const streams_value *value) {
    ear *self = context;
    self->singles++;
    add(self, value);
    return act(self);
}

static streams_cancellable *listen(ear *self, streams_publisher *p, uint64_t demand) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = self;
    subscriber.demand = demand;
    subscriber.on_subscription = begin;
    subscriber.on_value = hear_value;
    subscriber.on_numbers = hear_numbers;
    streams_cancellable *cancellable = streams_sink(p, &subscriber);
    assert_non_null(cancellable);
    return cancellable;
}

static void end(ear *self, streams_cancellable *cancellable) {
    assert_ok(streams_release(cancellable));
    if (self->subscription != NULL) assert_ok(streams_release(self->subscription));
    assert_ok(streams_value_destroy(&self->kept));
}

static const double reals[] = { 1, 2, 3, 4, 5, 6, 7, 8 };

static streams_value kept_reals(counter *destroyed) {
    streams_value value = streams_int(1);
    assert_ok(streams_value_doubles_nocopy(reals, 8, destroyed, counter_destroy, &value));
    assert_int_equal(value.kind, STREAMS_VALUE_DOUBLES);
    assert_int_equal(value.size, 8);
    return value;
}

/* ---- Without a copy ---------------------------------------------------------- */

static void an_array_arrives_where_it_lies(void **state) {
    (void)state;
    counter destroyed = { 0 };
    streams_value array = kept_reals(&destroyed);
    streams_subject *subject = streams_passthrough_subject_create();
    ear ear = { 0 };
    streams_cancellable *cancellable = listen(&ear, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    assert_ok(streams_subject_send_numbers(subject, &array));
    assert_int_equal(ear.arrays, 1);
    assert_ptr_equal(ear.address, reals);
    assert_ptr_equal(ear.kept.as.reals, reals);
    assert_ok(streams_value_destroy(&array));
    assert_int_equal(destroyed.destroyed, 0);
    end(&ear, cancellable);
    assert_int_equal(destroyed.destroyed, 1);
    assert_ok(streams_release(subject));
}

static void what_is_borrowed_is_copied_by_who_keeps_it(void **state) {
    (void)state;
    int64_t integers[] = { 1, 2, 3 };
    streams_subject *subject = streams_current_value_subject_create(&(streams_value){ 0 });
    ear ear = { 0 };
    streams_cancellable *cancellable = listen(&ear, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    assert_int_equal(ear.singles, 1); /* the first value */
    assert_ok(streams_subject_send_int64s(subject, integers, 3));
    assert_int_equal(ear.arrays, 1);
    assert_ptr_equal(ear.address, integers);
    integers[2] = 9;
    assert_int_equal(ear.kept.as.integers[2], 3);
    streams_value latest;
    assert_ok(streams_current_value_subject_get_value(subject, &latest));
    assert_int_equal(latest.as.integer, 3);
    end(&ear, cancellable);
    assert_ok(streams_release(subject));
}

static void a_sequence_publishes_it_in_parts(void **state) {
    (void)state;
    counter destroyed = { 0 };
    streams_value array = kept_reals(&destroyed);
    streams_publisher *p = streams_sequence_numbers(&array);
    assert_ok(streams_value_destroy(&array));
    ear ear = { 0 };
    streams_cancellable *cancellable = listen(&ear, p, 3);
    assert_int_equal(ear.values, 3);
    assert_ptr_equal(ear.address, reals);
    ear.more = 1;
    assert_ok(streams_subscription_request(ear.subscription, 2));
    assert_int_equal(ear.values, 8); /* 3, then 2, and one for each that it demands in addition */
    assert_int_equal(ear.arrays, 5);
    assert_ptr_equal(ear.address, &reals[7]);
    assert_true(ear.sum == 36);
    end(&ear, cancellable);
    assert_int_equal(destroyed.destroyed, 1);
}

static void cancelled_in_between_it_sends_no_more(void **state) {
    (void)state;
    ear ear = { .cancels = true, .more = 2 };
    streams_cancellable *cancellable = listen(&ear, streams_sequence_doubles(reals, 8), 2);
    assert_int_equal(ear.values, 2);
    end(&ear, cancellable);
    streams_subject *subject = streams_passthrough_subject_create();
    struct ear other = { .cancels = true, .more = 2 };
    cancellable = listen(&other, streams_subject_publisher(subject), 2);
    assert_ok(streams_subject_send_doubles(subject, reals, 8));
    assert_int_equal(other.values, 2);
    end(&other, cancellable);
    assert_ok(streams_release(subject));
}

/* ---- Everyone else ------------------------------------------------------------- */

static void others_get_values(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    ear arrays = { 0 }, mapped = { 0 }, batches = { 0 };
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &batches;
    subscriber.on_values = hear_values;
    streams_cancellable *cancellables[] = {
        listen(&arrays, streams_subject_publisher(subject), 5),
        listen(&mapped, streams_map(streams_subject_publisher(subject), identity, NULL, NULL), 5),
        streams_sink(streams_subject_publisher(subject), &subscriber),
    };
    assert_ok(streams_subject_send_doubles(subject, reals, 8));
    /* Not all of them take arrays: so each value is for everybody before the next. */
    assert_int_equal(arrays.arrays, 0);
    assert_int_equal(mapped.arrays, 0);
    assert_true(arrays.sum == 15 && mapped.sum == 15 && batches.sum == 36);
    assert_int_equal(batches.batches, 8);
    end(&arrays, cancellables[0]);
    end(&mapped, cancellables[1]);
    end(&batches, cancellables[2]);
    assert_ok(streams_release(subject));
}

static void a_sequence_gives_batches_as_large_as_the_demand(void **state) {
    (void)state;
    ear ear = { 0 };
    streams_value values[100];
    for (int i = 0; i < 100; i++) values[i] = streams_int(1);
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &ear;
    subscriber.on_subscription = begin;
    subscriber.on_values = hear_values;
    subscriber.demand = 40;
    streams_cancellable *cancellable = streams_sink(streams_sequence(values, 100), &subscriber);
    assert_int_equal(ear.batches, 1);
    assert_int_equal(ear.values, 40);
    assert_ok(streams_subscription_request(ear.subscription, STREAMS_UNLIMITED));
    assert_int_equal(ear.batches, 2);
    assert_true(ear.sum == 100);
    end(&ear, cancellable);
}

static void what_is_nothing_is_not_sent(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    ear ear = { 0 };
    streams_cancellable *cancellable = listen(&ear, streams_subject_publisher(subject), STREAMS_UNLIMITED);
    streams_value nothing = streams_doubles(NULL, 0), owned;
    assert_ok(streams_subject_send_numbers(subject, &nothing));
    assert_ok(streams_value_copy(&nothing, &owned));
    assert_ok(streams_subject_send_numbers(subject, &owned));
    assert_ok(streams_value_destroy(&owned));
    assert_int_equal(ear.arrays, 0);
    assert_ok(finish(subject));
    assert_status(STREAMS_TERMINATED, streams_subject_send_numbers(subject, &nothing));
    end(&ear, cancellable);
    assert_ok(streams_release(subject));
    struct ear other = { 0 };
    end(&other, listen(&other, streams_sequence_numbers(&nothing), STREAMS_UNLIMITED));
    assert_int_equal(other.values, 0);
}

static void what_is_no_array_is_refused(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    streams_value number = streams_int(1), missing = streams_int64s(NULL, 3), out = streams_int(5);
    assert_status(STREAMS_INVALID_VALUE, streams_subject_send_numbers(subject, &number));
    assert_status(STREAMS_INVALID_VALUE, streams_subject_send_numbers(subject, &missing));
    assert_status(STREAMS_INVALID_VALUE, streams_value_copy(&missing, &out));
    assert_refused(STREAMS_INVALID_VALUE, "streams_sequence_numbers", streams_sequence_numbers(&number));
    counter destroyed = { 0 };
    const void *odd = (const char *)reals + 4;
    assert_status(STREAMS_INVALID_ARGUMENT,
        streams_value_doubles_nocopy(odd, 1, &destroyed, counter_destroy, &out));
    assert_int_equal(destroyed.destroyed, 1);
    assert_int_equal(out.kind, STREAMS_VALUE_NULL);
    assert_ok(streams_release(subject));
}

/* ---- map_batch ------------------------------------------------------------------ */

static streams_status halves(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    double *results = malloc(in->size * sizeof *results);
    assert_non_null(results);
    for (uint32_t i = 0; i < in->size; i++)
        results[i] = in->kind == STREAMS_VALUE_DOUBLES ? in->as.reals[i] / 2 : 0;
    return streams_value_doubles_nocopy(results, in->size, results, free, out);
}

static streams_status borrowed(void *context, const streams_value *in, streams_value *out) {
    double *room = context;
    for (uint32_t i = 0; i < in->size; i++) room[i] = in->as.reals[i] + 1;
    *out = streams_doubles(room, in->size);
    return STREAMS_OK;
}

static streams_status too_few(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    return streams_value_slice(in, 1, in->size - 1, out);
}

static streams_status no_array(void *context, const streams_value *in, streams_value *out) {
    (void)context, (void)in;
    *out = streams_int(1);
    return STREAMS_OK;
}

static void arrays_go_through_functions(void **state) {
    (void)state;
    double room[8];
    ear ear = { 0 };
    streams_publisher *p = streams_map_batch(streams_sequence_doubles(reals, 8), halves, NULL, NULL);
    p = streams_map_batch(p, borrowed, room, NULL);
    streams_cancellable *cancellable = listen(&ear, p, 6);
    assert_int_equal(ear.arrays, 1);
    assert_true(ear.sum == 16.5);
    assert_ok(streams_subscription_request(ear.subscription, 6));
    assert_int_equal(ear.arrays, 2);
    assert_true(ear.sum == 26);
    end(&ear, cancellable);
}

static void values_are_gathered_for_them(void **state) {
    (void)state;
    streams_subject *subject = streams_passthrough_subject_create();
    ear ear = { 0 };
    streams_publisher *p = streams_map(streams_subject_publisher(subject), identity, NULL, NULL);
    p = streams_map_batch(p, halves, NULL, NULL);
    p = streams_map(p, identity, NULL, NULL);
    streams_cancellable *cancellable = listen(&ear, p, 7);
    assert_ok(streams_subject_send_doubles(subject, reals, 8));
    assert_int_equal(ear.values, 7);
    assert_true(ear.sum == 14);
    end(&ear, cancellable);
    assert_ok(streams_release(subject));
}

static void a_result_that_does_not_fit_fails_the_stream(void **state) {
    (void)state;
    const streams_transform_batch_fn wrong[] = { too_few, no_array };
    for (int i = 0; i < 2; i++) {
        streams_publisher *p = streams_sequence_doubles(reals, 8);
        assert_fails_inside(streams_map_batch(p, wrong[i], NULL, NULL), STREAMS_INVALID_VALUE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(an_array_arrives_where_it_lies),
        test(what_is_borrowed_is_copied_by_who_keeps_it),
        test(a_sequence_publishes_it_in_parts),
        test(cancelled_in_between_it_sends_no_more),
        test(others_get_values),
        test(a_sequence_gives_batches_as_large_as_the_demand),
        test(what_is_nothing_is_not_sent),
        test(what_is_no_array_is_refused),
        test(arrays_go_through_functions),
        test(values_are_gathered_for_them),
        test(a_result_that_does_not_fit_fails_the_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
