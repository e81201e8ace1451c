#include "case.h"

function *function_create(run *self, const char *name) {
    function *made = calloc(1, sizeof *made);
    if (made == NULL) abort();
    made->run = self;
    made->name = name;
    self->alive++;
    return made;
}

void function_destroy(void *context) {
    function *made = context;
    made->run->alive--;
    free(made);
}

static bool is(const function *self, const char *name) { return strcmp(self->name, name) == 0; }

static streams_status unknown(const function *self) {
    self->run->mistake = self->name;
    return STREAMS_INVALID_ARGUMENT;
}

static streams_status fail_on_3(const streams_value *value) {
    bool three = value->kind == STREAMS_VALUE_INT64 && value->as.integer == 3;
    return three ? streams_callback_fail_with(3, "test", "three") : STREAMS_OK;
}

/* ---- Functions ----------------------------------------------------------- */

streams_status case_transform(void *context, const streams_value *in, streams_value *out) {
    const function *self = context;
    int64_t n = in->as.integer;
    if (is(self, "add1")) return *out = streams_int(n + 1), STREAMS_OK;
    if (is(self, "double")) return *out = streams_int(n * 2), STREAMS_OK;
    if (is(self, "negate")) return *out = streams_int(-n), STREAMS_OK;
    if (is(self, "to_list")) return streams_value_list(in, 1, out);
    if (is(self, "to_event")) return streams_value_copy(in, out);
    if (is(self, "event")) return streams_value_list(in->as.items, in->size < 2 ? in->size : 2, out);
    if (is(self, "half_if_even")) {
        if (n % 2 == 0) *out = streams_int(n / 2);
        return STREAMS_OK;
    }
    if (!is(self, "fail_on_3")) return unknown(self);
    streams_status status = fail_on_3(in);
    return status == STREAMS_OK ? streams_value_copy(in, out) : status;
}

streams_status case_transform_batch(void *context, const streams_value *in, streams_value *out) {
    streams_value results[32] = { { 0 } };
    streams_status status = STREAMS_OK;
    uint32_t count = in->size < 32 ? in->size : 32;
    for (uint32_t i = 0; i < count && status == STREAMS_OK; i++) {
        streams_value number = in->kind == STREAMS_VALUE_INT64S ? streams_int(in->as.integers[i])
                                                                : streams_null();
        const streams_value *item = in->kind == STREAMS_VALUE_LIST ? &in->as.items[i] : &number;
        status = case_transform(context, item, &results[i]);
    }
    if (status == STREAMS_OK) status = streams_value_list(results, count, out);
    for (uint32_t i = 0; i < count; i++) streams_value_destroy(&results[i]);
    return status;
}

streams_status case_predicate(void *context, const streams_value *in, bool *result) {
    const function *self = context;
    *result = true;
    if (is(self, "fail_on_3")) return fail_on_3(in);
    if (is(self, "is_even")) return *result = in->as.integer % 2 == 0, STREAMS_OK;
    if (is(self, "is_positive")) return *result = in->as.integer > 0, STREAMS_OK;
    return unknown(self);
}

streams_status case_compare(
    void *context, const streams_value *previous, const streams_value *current, bool *same) {
    const function *self = context;
    if (is(self, "same_parity")) {
        *same = (previous->as.integer - current->as.integer) % 2 == 0;
        return STREAMS_OK;
    }
    if (!is(self, "fail_on_3")) return unknown(self);
    streams_status status = fail_on_3(current);
    return status == STREAMS_OK ? streams_value_equal(previous, current, same) : status;
}

streams_status case_order(
    void *context, const streams_value *first, const streams_value *second, bool *is_before) {
    const function *self = context;
    int64_t a = first->as.integer, b = second->as.integer;
    if (is(self, "less_half")) return *is_before = a / 2 < b / 2, STREAMS_OK;
    *is_before = a < b;
    if (is(self, "is_less")) return STREAMS_OK;
    return is(self, "fail_on_3") ? fail_on_3(second) : unknown(self);
}

streams_status case_combine(
    void *context, const streams_value *accumulated, const streams_value *in, streams_value *out) {
    const function *self = context;
    if (is(self, "join")) {
        streams_value items[32];
        for (uint32_t i = 0; i < accumulated->size && i < 31; i++) items[i] = accumulated->as.items[i];
        items[accumulated->size] = *in;
        return streams_value_list(items, (size_t)accumulated->size + 1, out);
    }
    if (!is(self, "sum") && !is(self, "fail_on_3")) return unknown(self);
    streams_status status = is(self, "fail_on_3") ? fail_on_3(in) : STREAMS_OK;
    if (status == STREAMS_OK) *out = streams_int(accumulated->as.integer + in->as.integer);
    return status;
}

streams_status case_combine_values(
    void *context, const streams_value *values, size_t count, streams_value *out) {
    const function *self = context;
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += values[i].as.integer;
    if (is(self, "sum")) return *out = streams_int(sum), STREAMS_OK;
    if (is(self, "join")) return streams_value_list(values, count, out);
    if (!is(self, "fail_on_3")) return unknown(self);
    return *out = streams_int(sum), fail_on_3(&values[count - 1]);
}

streams_promise *case_promise(const run *self, const char *name) {
    for (size_t i = 0; i < self->source_count; i++)
        if (strcmp(self->sources[i].name, name) == 0) return self->sources[i].promise;
    return NULL;
}

streams_subject *case_source(run *self, const char *name, size_t length) {
    for (size_t i = 0; i < self->source_count; i++) {
        const char *known = self->sources[i].name;
        if (strlen(known) == length && memcmp(known, name, length) == 0) return self->sources[i].subject;
    }
    self->mistake = "there is no such source";
    return NULL;
}

streams_status case_expand(void *context, const streams_value *in, streams_publisher **out) {
    const function *self = context;
    streams_value copies[32];
    size_t count = is(self, "twice") ? 2 : 1;
    if (is(self, "named")) {
        *out = streams_subject_publisher(case_source(self->run, in->as.text, in->size));
        return STREAMS_OK;
    }
    if (is(self, "fail_on_3")) {
        streams_status status = fail_on_3(in);
        if (status == STREAMS_OK) *out = streams_just(in);
        return status;
    }
    if (is(self, "repeat")) count = (size_t)in->as.integer;
    if (!is(self, "repeat") && !is(self, "twice")) return unknown(self);
    for (size_t i = 0; i < count; i++) copies[i] = *in;
    *out = streams_sequence(copies, count);
    return STREAMS_OK;
}

streams_status case_make_publisher(void *context, streams_publisher **out) {
    const function *self = context;
    const int64_t resumed[] = { 7, 8, 9 };
    if (is(self, "fail_again")) return streams_callback_fail_with(4, "test", "again");
    if (!is(self, "resume")) return unknown(self);
    *out = streams_sequence_int64s(resumed, 3);
    return STREAMS_OK;
}

streams_status case_recover(void *context, const streams_error *error, streams_publisher **out) {
    const function *self = context;
    const char *message = streams_error_message(error);
    if (!is(self, "named")) return case_make_publisher(context, out);
    *out = streams_subject_publisher(case_source(self->run, message, strlen(message)));
    return STREAMS_OK;
}

streams_status case_error_predicate(void *context, const streams_error *error, bool *result) {
    const function *self = context;
    if (is(self, "fail_again")) return streams_callback_fail_with(4, "test", "again");
    if (!is(self, "is_three")) return unknown(self);
    *result = strcmp(streams_error_message(error), "three") == 0;
    return STREAMS_OK;
}

streams_status case_transform_error(void *context, const streams_error *error, streams_error **out) {
    const function *self = context;
    char text[256];
    if (is(self, "fail_again")) return streams_callback_fail_with(4, "test", "again");
    if (!is(self, "exclaim")) return unknown(self);
    snprintf(text, sizeof text, "%s!", streams_error_message(error));
    *out = streams_error_create(streams_error_code(error), "test", text, NULL);
    return STREAMS_OK;
}

streams_status case_make_error(void *context, streams_error **out) {
    const function *self = context;
    if (is(self, "fail_again")) return streams_callback_fail_with(4, "test", "again");
    if (!is(self, "full")) return unknown(self);
    *out = streams_error_create(1, "test", "full", NULL);
    return STREAMS_OK;
}
