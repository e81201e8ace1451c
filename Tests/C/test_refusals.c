/* What a source is told of values that it sends while its stream is being cancelled. */

#include "rows.h"
#include "source.h"

#include <pthread.h>
#include <sched.h>

/* ---- A source that sends once more when the cancellation is on its way to it --------- */

typedef struct late {
    source source;
    int sent; /* accepted, when the stream was being cancelled */
} late;

/* Everything downstream of these handlers knows of the cancellation, and the source does not yet. */
static void send_late(void *context) {
    late *self = context;
    for (int64_t i = 0; i < 4; i++) {
        streams_value value = streams_int(10 + i);
        if (streams_emitter_send(self->source.emitter, &value) == STREAMS_OK) self->sent++;
    }
}

static streams_publisher *late_publisher(late *self) {
    streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
    handlers.context = self;
    handlers.on_cancel = send_late;
    return streams_handle_events(source_publisher(&self->source), &handlers);
}

/* ---- Every operator ------------------------------------------------------------------- */

/* This one tells nobody of values. */
static bool takes_all(const char *function) { return strcmp(function, "streams_ignore_output") == 0; }

/* Returns how many values the source has sent amid the cancellation that it has not been told of. */
static int unnoticed(const attachment *operator) {
    fixture f;
    fixture_begin(&f);
    late late = { .source = { .idle = true, .keeps_emitter = true } };
    recorder r = { 0 };
    streams_publisher *other = operator->takes_two ? streams_empty(false) : NULL;
    streams_publisher *made = operator->attach(late_publisher(&late), other, &f);
    assert_non_null(made);
    recorder_subscribe(&r, made, STREAMS_UNLIMITED);
    let_happen(&f);
    int missing = 0;
    if (late.source.emitter != NULL) {
        streams_value value = streams_int(1);
        (void)streams_emitter_send(late.source.emitter, &value);
    }
    recorder_end(&r);
    if (late.source.emitter != NULL) {
        if (streams_emitter_refusals(late.source.emitter) == 0) missing = late.sent;
        assert_ok(streams_release(late.source.emitter));
    }
    fixture_end(&f);
    return missing;
}

static void a_send_amid_a_cancellation_is_counted(void **state) {
    (void)state;
    for (int i = 0; i < attachment_count; i++) {
        bool is_told = unnoticed(&attachments[i]) == 0;
        if (is_told == takes_all(attachments[i].function))
            fail_msg("%s: told: %d", attachments[i].function, is_told);
    }
}

/* Attaches an operator, or two of a kind in a row. */
static streams_publisher *attach(
    const attachment *operator, int times, streams_publisher *publisher, fixture *f) {
    streams_value zero = streams_int(0);
    for (int i = 0; i < times; i++)
        publisher =
            operator->attach(publisher, operator->takes_two ? streams_just(&zero) : NULL, f);
    return publisher;
}

/* How many of the values arrive that the source sends when all that is downstream of the operator knows of a
 * cancellation, or of none. */
static uint64_t arriving_late(const attachment *operator, bool cancels, bool *is_told) {
    fixture f;
    fixture_begin(&f);
    late late = { .source = { .idle = true, .keeps_emitter = true } };
    recorder r = { 0 };
    streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
    handlers.context = &late;
    if (cancels) handlers.on_cancel = send_late;
    streams_publisher *made = attach(operator, 1, source_publisher(&late.source), &f);
    recorder_subscribe(&r, streams_handle_events(made, &handlers), STREAMS_UNLIMITED);
    let_happen(&f);
    if (!cancels && late.source.emitter != NULL) send_late(&late);
    uint64_t arrived = r.values;
    recorder_end(&r);
    *is_told = late.source.emitter == NULL || late.sent == 0 ||
               streams_emitter_refusals(late.source.emitter) > 0;
    if (late.source.emitter != NULL) assert_ok(streams_release(late.source.emitter));
    fixture_end(&f);
    return arrived;
}

static void an_operator_passes_on_a_refusal(void **state) {
    (void)state;
    for (int i = 0; i < attachment_count; i++) {
        if (takes_all(attachments[i].function)) continue;
        bool is_told;
        uint64_t usual = arriving_late(&attachments[i], false, &is_told);
        uint64_t now = arriving_late(&attachments[i], true, &is_told);
        if (now < usual && !is_told) fail_msg("%s: the source is not told", attachments[i].function);
    }
}

/* ---- A stream that ends within the steps of an array's value --------------------------- */

/* Both steps are one operator; with handlers in front of it, it gets the values one by one. */
typedef struct ending {
    streams_subject *gate;
    bool apart;
} ending;

static streams_status open_gate_at_two(void *context, const streams_value *in, streams_value *out) {
    ending *self = context;
    if (in->as.integer == 2) (void)send_int(self->gate, 0);
    return streams_value_copy(in, out);
}
static streams_status same(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    return streams_value_copy(in, out);
}
static void ignore(void *context, const streams_value *value) { (void)context, (void)value; }

static streams_status array_until_the_gate(void *context, const streams_value *in, streams_publisher **out) {
    (void)in;
    ending *self = context;
    const int64_t numbers[] = { 1, 2, 3 };
    streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
    handlers.on_value = ignore;
    streams_publisher *p = streams_sequence_int64s(numbers, 3);
    if (self->apart) p = streams_handle_events(p, &handlers);
    p = streams_map(streams_map(p, open_gate_at_two, self, NULL), same, NULL, NULL);
    *out = streams_prefix_until_output(p, streams_subject_publisher(self->gate));
    return STREAMS_OK;
}

static void a_value_whose_stream_ends_within_its_steps_is_counted(void **state) {
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        ending ending = { .gate = streams_passthrough_subject_create(), .apart = apart };
        source source = { .idle = true, .keeps_emitter = true };
        recorder r = { 0 };
        streams_publisher *p = source_publisher(&source);
        p = streams_flat_map(p, STREAMS_UNLIMITED, array_until_the_gate, &ending, NULL);
        recorder_subscribe(&r, p, STREAMS_UNLIMITED);
        streams_value value = streams_int(0);
        assert_ok(streams_emitter_send(source.emitter, &value));
        assert_int_equal(r.values, 1);
        assert_int_equal(streams_emitter_refusals(source.emitter), 1);
        recorder_end(&r);
        assert_ok(streams_release(source.emitter));
        assert_ok(streams_release(ending.gate));
    }
}

/* ---- Another thread that cancels while an operator's function runs -------------------- */

static struct amid {
    bool armed; /* the next function that is called waits for the cancellation */
    int cancels;
    pthread_t thread;
    streams_cancellable *cancellable;
    /* The cancellation has reached the source, or has been left to the sender; the send has returned. */
    atomic_bool under_way, sent;
} amid;

static void *cancel(void *unused) {
    (void)unused;
    assert_ok(streams_cancel(amid.cancellable));
    amid.under_way = true;
    return NULL;
}

static void cancel_amid(void) {
    if (!amid.armed) return;
    amid.armed = false;
    amid.cancels++;
    assert_int_equal(pthread_create(&amid.thread, NULL, cancel, NULL), 0);
    while (!amid.under_way) (void)sched_yield();
}

/* The source learns of it when its send has returned, unless the sender itself tells it. */
static void hold(void *unused) {
    (void)unused;
    amid.under_way = true;
    if (amid.cancels > 0 && pthread_equal(pthread_self(), amid.thread))
        while (!amid.sent) (void)sched_yield();
}

static const uint64_t TOLD = UINT64_MAX;

typedef struct run {
    size_t count; /* of values in the array */
    int times;    /* the operator is there */
    bool batches; /* and its subscriber takes arrays */
} run;

/* Sends values while an operator's function cancels, or does not. Returns how many arrive, or that the source
 * has been told. */
static uint64_t arriving(const attachment *operator, const run *how, bool cancels) {
    fixture f;
    fixture_begin(&f);
    source source = { .idle = true, .keeps_emitter = true };
    streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
    handlers.on_cancel = hold;
    recorder r = { .batches = how->batches };
    streams_publisher *from = streams_handle_events(source_publisher(&source), &handlers);
    recorder_subscribe(&r, attach(operator, how->times, from, &f), STREAMS_UNLIMITED);
    let_happen(&f);
    uint64_t before = r.values;
    memset(&amid, 0, sizeof amid);
    amid.armed = cancels;
    amid.cancellable = r.cancellable;
    if (source.emitter != NULL) {
        const streams_value values[] = { streams_int(11), streams_int(12) };
        size_t taken = 0;
        (void)streams_emitter_send_values(source.emitter, values, how->count, &taken);
    }
    amid.armed = false;
    bool told = source.emitter != NULL && streams_emitter_refusals(source.emitter) > 0;
    amid.sent = true;
    if (amid.cancels > 0) assert_int_equal(pthread_join(amid.thread, NULL), 0);
    uint64_t arrived = told ? TOLD : r.values - before;
    recorder_end(&r);
    if (source.emitter != NULL) assert_ok(streams_release(source.emitter));
    fixture_end(&f);
    return arrived;
}

static void a_cancellation_amid_a_function_is_counted(void **state) {
    (void)state;
    int cancelled = 0, unnoticed = 0;
    row_called = cancel_amid;
    for (int i = 0; i < attachment_count; i++)
        for (int number = 0; number < 8; number++) {
            if (takes_all(attachments[i].function)) continue;
            run how = { .count = number & 1 ? 2 : 1, .times = number & 2 ? 2 : 1, .batches = number & 4 };
            uint64_t usual = arriving(&attachments[i], &how, false);
            uint64_t now = arriving(&attachments[i], &how, true);
            cancelled += amid.cancels;
            if (usual == TOLD || now >= usual) continue;
            print_error("%s, run %d: %d of %d values arrive, and the source is not told\n",
                attachments[i].function, number, (int)now, (int)usual);
            unnoticed++;
        }
    row_called = NULL;
    assert_int_equal(unnoticed, 0);
    assert_true(cancelled > 20);
}

/* The subscriber takes an array's values one by one, and is cancelled while it has the first. */
static void cancel_at_first(recorder *self, const streams_value *value) {
    (void)value;
    if (self->values == 1) cancel_amid();
}

static void the_rest_of_an_array_is_counted(void **state) {
    (void)state;
    source source = { .idle = true, .keeps_emitter = true };
    streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
    handlers.on_cancel = hold;
    recorder r = { .on_value = cancel_at_first };
    recorder_subscribe(&r, streams_handle_events(source_publisher(&source), &handlers), STREAMS_UNLIMITED);
    memset(&amid, 0, sizeof amid);
    amid.armed = true;
    amid.cancellable = r.cancellable;
    const streams_value values[] = { streams_int(1), streams_int(2), streams_int(3) };
    size_t taken = 0;
    (void)streams_emitter_send_values(source.emitter, values, 3, &taken);
    assert_int_equal(streams_emitter_refusals(source.emitter), 1);
    amid.sent = true;
    assert_int_equal(pthread_join(amid.thread, NULL), 0);
    assert_int_equal(r.values, 1);
    recorder_end(&r);
    assert_ok(streams_release(source.emitter));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_send_amid_a_cancellation_is_counted),
        cmocka_unit_test(an_operator_passes_on_a_refusal),
        cmocka_unit_test(a_value_whose_stream_ends_within_its_steps_is_counted),
        cmocka_unit_test(a_cancellation_amid_a_function_is_counted),
        cmocka_unit_test(the_rest_of_an_array_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
