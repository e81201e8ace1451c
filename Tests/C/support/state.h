/*
 * state.h - what the C tests of properties and bindings share.
 */

#ifndef STREAMS_TEST_STATE_H
#define STREAMS_TEST_STATE_H

#include "support.h"

/* ---- Properties ---------------------------------------------------------- */

streams_property *of(streams_subject *subject);

/* The value; -1 if there is none. */
int64_t value_of(const streams_property *property);
void assert_value(const streams_property *property, const char *expected);
void watch(recorder *r, streams_property *property);
void release_both(streams_property *property, streams_subject *subject);

/* Takes a counter or NULL. Numbers are integers. */
streams_status sum_of_all(
    void *context, const streams_value *values, size_t count, streams_value *out);

/* ---- Bindings ------------------------------------------------------------ */

streams_status set(streams_binding *binding, int64_t number);

/* The value; -1 if there is none. */
int64_t get(const streams_binding *binding);
void watch_binding(recorder *r, streams_binding *binding);

/* A part that is ten times the whole, and the whole of such a part. */
streams_status ten_times(void *context, const streams_value *in, streams_value *out);
streams_status a_tenth(
    void *context, const streams_value *whole, const streams_value *part, streams_value *out);

#endif
