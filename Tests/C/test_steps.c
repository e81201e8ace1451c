/* Runs of maps, filters and compact_maps of every order: what becomes of values
 * that come one by one and of those that come at once is what becomes of them
 * where every step is an operator of its own. */

#include "depth.h"

#include <stdio.h>
#include <string.h>

enum { LENGTH = 4,
    VALUES = 12,
    ROOM = 4096 };

static streams_error *named;

static size_t amount(const streams_value *v) {
    return v->kind == STREAMS_VALUE_INT64 ? (size_t)v->as.integer : v->size;
}

static streams_status more(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    *out = streams_int((int64_t)amount(in) + 1);
    return STREAMS_OK;
}
/* Text where there was a number, and a number where there was text. */
static streams_status turn(void *context, const streams_value *in, streams_value *out) {
    static const char text[] = "a text that is longer than any number here";
    if (in->kind != STREAMS_VALUE_INT64) return more(context, in, out);
    return streams_value_string(text, amount(in) % sizeof text, out);
}
static streams_status name_and_keep(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    (void)streams_callback_fail(named);
    return streams_value_copy(in, out);
}
static streams_status none_of_three(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    return amount(in) % 3 == 0 ? STREAMS_OK : streams_value_copy(in, out);
}
static streams_status fail_at_nine(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    return amount(in) == 9 ? streams_callback_fail(named) : streams_value_copy(in, out);
}
static streams_status is_odd(void *context, const streams_value *in, bool *result) {
    (void)context;
    *result = amount(in) % 2 == 1;
    return STREAMS_OK;
}
static streams_status is_small_and_name(void *context, const streams_value *in, bool *result) {
    (void)context;
    (void)streams_callback_fail(named);
    *result = amount(in) < 8;
    return STREAMS_OK;
}

enum { KINDS = 7 };

static streams_publisher *attach(streams_publisher *p, int kind) {
    switch (kind) {
    case 0: return streams_map(p, more, NULL, NULL);
    case 1: return streams_map(p, turn, NULL, NULL);
    case 2: return streams_map(p, name_and_keep, NULL, NULL);
    case 3: return streams_compact_map(p, none_of_three, NULL, NULL);
    case 4: return streams_map(p, fail_at_nine, NULL, NULL);
    case 5: return streams_filter(p, is_odd, NULL, NULL);
    default: return streams_filter(p, is_small_and_name, NULL, NULL);
    }
}

/* ---- What arrives, written down ------------------------------------------------ */

typedef struct {
    char text[ROOM];
    size_t length;
} trace;

static void put(trace *t, const char *text, size_t length, size_t amount) {
    int written = snprintf(t->text + t->length, ROOM - t->length, "%.*s%zu ", (int)length, text, amount);
    assert_true(written > 0 && (size_t)written < ROOM - t->length);
    t->length += (size_t)written;
}
static uint64_t put_value(void *context, const streams_value *v) {
    bool is_text = v->kind == STREAMS_VALUE_STRING;
    put(context, is_text ? v->as.text : "", is_text ? v->size : 0, amount(v));
    return 0;
}
static void put_end(void *context, const streams_error *error) {
    put(context, error == NULL ? "end" : "failure", error == NULL ? 3 : 7, 0);
}

enum way { EACH_AN_OPERATOR,
    ONE_BY_ONE,
    WITH_AN_ERROR_NAMED,
    AT_ONCE,
    FROM_A_SOURCE };

static void send_all(streams_subject *subject, enum way way) {
    streams_value values[VALUES];
    if (way == FROM_A_SOURCE) return;
    for (int i = 0; i < VALUES; i++) values[i] = streams_int(i);
    if (way == AT_ONCE) {
        (void)streams_subject_send_values(subject, values, VALUES);
        return;
    }
    for (int i = 0; i < VALUES; i++) (void)streams_subject_send(subject, &values[i]);
}

static streams_publisher *source(streams_subject *subject, enum way way) {
    int64_t integers[VALUES];
    for (int i = 0; i < VALUES; i++) integers[i] = i;
    return way == FROM_A_SOURCE ? streams_sequence_int64s(integers, VALUES)
                                : streams_subject_publisher(subject);
}

static streams_subject *behind;

static streams_status send_within(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    (void)streams_callback_fail(named);
    send_all(behind, ONE_BY_ONE);
    return streams_value_copy(in, out);
}

static void ignore(void *context, const streams_value *value) { (void)context, (void)value; }

/* Steps whose kinds are the digits of a number. */
static void run(trace *t, int steps, int length, enum way way) {
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *p = source(subject, way);
    for (int i = 0; i < length; i++, steps /= KINDS) {
        p = attach(p, steps % KINDS);
        if (way != EACH_AN_OPERATOR) continue;
        streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
        handlers.on_value = ignore;
        p = streams_handle_events(p, &handlers);
    }
    streams_subscriber s = STREAMS_SUBSCRIBER_INIT;
    s.on_value = put_value;
    s.on_completion = put_end;
    s.context = t;
    t->length = 0;
    t->text[0] = 0;
    streams_cancellable *cancellable = streams_sink(p, &s);
    if (way == WITH_AN_ERROR_NAMED) {
        behind = subject;
        streams_value one = streams_int(1);
        outcome o;
        begin(&o, streams_map(streams_just(&one), send_within, NULL, NULL));
        assert_true(o.ended && !o.failed);
        assert_true(end(&o));
    } else {
        send_all(subject, way);
    }
    (void)streams_subject_send_completion(subject, NULL);
    assert_ok(streams_release(cancellable));
    assert_ok(streams_release(subject));
}

static void agree(int steps, int length) {
    static trace expected, t;
    run(&expected, steps, length, EACH_AN_OPERATOR);
    assert_true(expected.length > 0);
    for (enum way way = ONE_BY_ONE; way <= FROM_A_SOURCE; way++) {
        run(&t, steps, length, way);
        assert_string_equal(t.text, expected.text);
    }
}

static void steps_of_every_order_agree(void **state) {
    (void)state;
    named = new_error("named");
    int longest = under_valgrind() ? LENGTH - 2 : LENGTH;
    for (int length = 1, orders = KINDS; length <= longest; length++, orders *= KINDS)
        for (int steps = 0; steps < orders; steps++) agree(steps, length);
    assert_ok(streams_release(named));
}

static void longer_runs_of_steps_agree(void **state) {
    (void)state;
    named = new_error("named");
    unsigned number = 1;
    for (int i = 0; i < (under_valgrind() ? 40 : 400); i++) {
        number = number * 1664525 + 1013904223;
        agree((int)(number >> 4), LENGTH + 1 + i % 5);
    }
    assert_ok(streams_release(named));
}

static streams_status cancel_at_five(void *context, const streams_value *in, bool *result) {
    if (amount(in) == 5) (void)streams_cancel(*(streams_cancellable **)context);
    *result = true;
    return STREAMS_OK;
}
static uint64_t count(void *context, const streams_value *v) {
    (void)v;
    ++*(int *)context;
    return 0;
}

static void a_step_that_cancels_is_the_last_to_be_called(void **state) {
    (void)state;
    for (enum way way = ONE_BY_ONE; way <= AT_ONCE; way++) {
        if (way == WITH_AN_ERROR_NAMED) continue;
        streams_cancellable *cancellable = NULL;
        int received = 0;
        streams_subject *subject = streams_passthrough_subject_create();
        streams_publisher *p = streams_map(streams_subject_publisher(subject), more, NULL, NULL);
        streams_subscriber s = STREAMS_SUBSCRIBER_INIT;
        s.on_value = count;
        s.context = &received;
        cancellable = streams_sink(streams_filter(p, cancel_at_five, &cancellable, NULL), &s);
        send_all(subject, way);
        assert_true(received <= 4);
        assert_ok(streams_release(cancellable));
        assert_ok(streams_release(subject));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(steps_of_every_order_agree),
        test(longer_runs_of_steps_agree),
        test(a_step_that_cancels_is_the_last_to_be_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
