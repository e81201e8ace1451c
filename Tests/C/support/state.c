#include "state.h"

/* ---- Properties ---------------------------------------------------------- */

streams_property *of(streams_subject *subject) { return streams_property_of_subject(subject); }

/* A value that is a number, if it could be had; -1 if not. */
static int64_t number_of(streams_status status, streams_value *value) {
    if (status != STREAMS_OK) return -1;
    int64_t result = value->as.integer;
    streams_value_destroy(value);
    return result;
}

int64_t value_of(const streams_property *property) {
    streams_value value;
    return number_of(streams_property_get_value(property, &value), &value);
}

void assert_value(const streams_property *property, const char *expected) {
    streams_value value;
    assert_ok(streams_property_get_value(property, &value));
    assert_described(&value, expected);
    assert_ok(streams_value_destroy(&value));
}

void watch(recorder *r, streams_property *property) {
    recorder_subscribe(r, streams_property_all_values(property), STREAMS_UNLIMITED);
}

void release_both(streams_property *property, streams_subject *subject) {
    assert_ok(streams_release(property));
    assert_ok(streams_release(subject));
}

streams_status sum_of_all(
    void *context, const streams_value *values, size_t count, streams_value *out) {
    int64_t total = 0;
    for (size_t i = 0; i < count; i++) total += values[i].as.integer;
    if (context != NULL) ((counter *)context)->calls++;
    *out = streams_int(total);
    return STREAMS_OK;
}

/* ---- Bindings ------------------------------------------------------------ */

streams_status set(streams_binding *binding, int64_t number) {
    streams_value value = streams_int(number);
    return streams_binding_set_value(binding, &value);
}

int64_t get(const streams_binding *binding) {
    streams_value value;
    return number_of(streams_binding_get_value(binding, &value), &value);
}

void watch_binding(recorder *r, streams_binding *binding) {
    recorder_subscribe(r, streams_binding_values(binding), STREAMS_UNLIMITED);
}

streams_status ten_times(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    *out = streams_int(in->as.integer * 10);
    return STREAMS_OK;
}

streams_status a_tenth(
    void *context, const streams_value *whole, const streams_value *part, streams_value *out) {
    (void)context, (void)whole;
    if (part->as.integer % 10 != 0) return streams_callback_fail_with(10, "test", "no multiple of ten");
    *out = streams_int(part->as.integer / 10);
    return STREAMS_OK;
}
