#include "support.h"

static void count_call(void *context) {
    counter *counted = context;
    if (counted != NULL) counted->calls++;
}

void counter_destroy(void *context) {
    counter *counted = context;
    counted->destroyed++;
}

streams_status add_one(void *context, const streams_value *in, streams_value *out) {
    count_call(context);
    *out = streams_int(in->as.integer + 1);
    return STREAMS_OK;
}

streams_status identity(void *context, const streams_value *in, streams_value *out) {
    count_call(context);
    return streams_value_copy(in, out);
}

streams_status half_if_even(void *context, const streams_value *in, streams_value *out) {
    count_call(context);
    if (in->as.integer % 2 == 0) *out = streams_int(in->as.integer / 2);
    return STREAMS_OK;
}

streams_status is_even(void *context, const streams_value *in, bool *result) {
    count_call(context);
    *result = in->as.integer % 2 == 0;
    return STREAMS_OK;
}

streams_status same_parity(void *context, const streams_value *a, const streams_value *b, bool *same) {
    count_call(context);
    *same = (a->as.integer - b->as.integer) % 2 == 0;
    return STREAMS_OK;
}

streams_status sum(
    void *context, const streams_value *accumulated, const streams_value *in, streams_value *out) {
    count_call(context);
    *out = streams_int(accumulated->as.integer + in->as.integer);
    return STREAMS_OK;
}

streams_status expand_twice(void *context, const streams_value *in, streams_publisher **out) {
    count_call(context);
    streams_value both[2] = { *in, *in };
    *out = streams_sequence(both, 2);
    return STREAMS_OK;
}

streams_status publisher_of(void *context, const streams_value *in, streams_publisher **out) {
    count_call(context);
    *out = streams_value_publisher(in);
    return STREAMS_OK;
}

streams_status recover_with_seven(void *context, const streams_error *error, streams_publisher **out) {
    (void)error;
    count_call(context);
    streams_value seven = streams_int(7);
    *out = streams_just(&seven);
    return STREAMS_OK;
}

static streams_status broken(void *context) {
    count_call(context);
    return streams_callback_fail_with(42, "test", "broken");
}

streams_status broken_transform(void *context, const streams_value *in, streams_value *out) {
    (void)in, (void)out;
    return broken(context);
}

streams_status broken_predicate(void *context, const streams_value *in, bool *result) {
    (void)in, (void)result;
    return broken(context);
}

streams_status broken_compare(void *context, const streams_value *a, const streams_value *b, bool *same) {
    (void)a, (void)b, (void)same;
    return broken(context);
}

streams_status broken_combine(
    void *context, const streams_value *accumulated, const streams_value *in, streams_value *out) {
    (void)accumulated, (void)in, (void)out;
    return broken(context);
}

streams_status broken_expand(void *context, const streams_value *in, streams_publisher **out) {
    (void)in, (void)out;
    return broken(context);
}

streams_status broken_recover(void *context, const streams_error *error, streams_publisher **out) {
    (void)error, (void)out;
    return broken(context);
}

streams_status plainly_broken_transform(void *context, const streams_value *in, streams_value *out) {
    (void)in, (void)out;
    count_call(context);
    return STREAMS_OUT_OF_RANGE;
}
