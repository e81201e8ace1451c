/* What a source is told of values that it sends while its stream is being cancelled. */

#include "rows.h"
#include "source.h"

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

/* These have taken a value when they have kept it for later, or tell nobody of values. */
static bool keeps_values(const char *function) {
    static const char *const keeping[] = { "streams_buffer", "streams_buffer_or_fail",
        "streams_collect_count", "streams_collect_by_time", "streams_collect_by_time_or_count",
        "streams_delay", "streams_ignore_output", "streams_receive_on", "streams_timeout" };
    for (size_t i = 0; i < sizeof keeping / sizeof keeping[0]; i++)
        if (strcmp(keeping[i], function) == 0) return true;
    return false;
}

/* Returns how many values the source has sent amid the cancellation that it has not been told of. */
static int unnoticed(const attachment *operator, fixture *f) {
    late late = { .source = { .idle = true, .keeps_emitter = true } };
    recorder r = { 0 };
    streams_publisher *other = operator->takes_two ? streams_empty(false) : NULL;
    streams_publisher *made = operator->attach(late_publisher(&late), other, f);
    assert_non_null(made);
    recorder_subscribe(&r, made, STREAMS_UNLIMITED);
    let_happen(f);
    if (late.source.emitter == NULL) {
        recorder_end(&r);
        return 0;
    }
    streams_value value = streams_int(1);
    (void)streams_emitter_send(late.source.emitter, &value);
    recorder_end(&r);
    int missing = streams_emitter_refusals(late.source.emitter) == 0 ? late.sent : 0;
    assert_ok(streams_release(late.source.emitter));
    return missing;
}

static void each_operator(bool keeping) {
    for (int i = 0; i < attachment_count; i++) {
        if (keeps_values(attachments[i].function) != keeping) continue;
        fixture f;
        fixture_begin(&f);
        bool is_told = unnoticed(&attachments[i], &f) == 0;
        fixture_end(&f);
        if (is_told == keeping) fail_msg("%s: told: %d", attachments[i].function, is_told);
    }
}

static void a_send_amid_a_cancellation_is_counted(void **state) {
    (void)state;
    each_operator(false);
}

/* Such an operator must be one still. */
static void what_an_operator_keeps_has_been_taken(void **state) {
    (void)state;
    each_operator(true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_send_amid_a_cancellation_is_counted),
        cmocka_unit_test(what_an_operator_keeps_has_been_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
