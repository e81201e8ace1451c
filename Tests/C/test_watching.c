/* Operators that watch: print and handle_events. */

#include "support.h"

static void write_to_log(void *context, const char *text, size_t length) {
    test_log *log = context;
    if (length < sizeof log->text - log->length) {
        memcpy(log->text + log->length, text, length);
        log->length += length;
    }
}

static void print_writes_as_combine_does(void **state) {
    (void)state;
    test_log log = { .length = 0 };
    recorder r = { 0 };
    recorder_subscribe(&r, streams_print(ints(1), "p", write_to_log, &log, NULL), 1);
    recorder_end(&r);
    log.text[log.length] = '\0';
    assert_memory_equal(log.text, "p: receive subscription: (", 26);
    assert_non_null(strstr(log.text, "\np: request max: (1)\np: receive value: (1)\n"));
    assert_non_null(strstr(log.text, "p: receive finished\n"));
}

static void print_names_the_error(void **state) {
    (void)state;
    test_log log = { .length = 0 };
    recorder r = { 0 };
    recorder_subscribe(&r, streams_print(failed(), NULL, write_to_log, &log, NULL), 1);
    recorder_end(&r);
    log.text[log.length] = '\0';
    assert_memory_equal(log.text, "receive subscription: (", 23);
    char *error = strstr(log.text, "receive error: (");
    assert_non_null(error);
    assert_non_null(strstr(error, "first"));
}

static void handlers_may_all_be_missing(void **state) {
    (void)state;
    const streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
    streams_publisher *p = streams_handle_events(ints(2), &handlers);
    assert_stream(streams_handle_events(p, &handlers), "subscribed 1 2 finished destroyed");
}

static void cancel_early(void *context, streams_subscription *subscription) {
    streams_status *status = context;
    *status = streams_subscription_cancel(subscription);
}

static void a_handler_may_cancel(void **state) {
    (void)state;
    streams_status status = STREAMS_LIMIT;
    streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
    handlers.context = &status;
    handlers.on_subscription = cancel_early;
    recorder r = { 0 };
    recorder_subscribe(&r, streams_handle_events(ints(2), &handlers), STREAMS_UNLIMITED);
    recorder_end(&r);
    assert_int_equal(status, STREAMS_OK);
    assert_log(&r.log, "subscribed destroyed");
}

/* ---- The subscription that on_subscription is lent --------------------------------- */

static void request_early(void *context, streams_subscription *subscription) {
    streams_status *status = context;
    *status = streams_subscription_request(subscription, 5);
}

/* Every operator below would see values that it has not asked for. */
static void a_handler_cannot_request(void **state) {
    (void)state;
    streams_status status = STREAMS_OK;
    streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
    handlers.context = &status;
    handlers.on_subscription = request_early;
    recorder r = { 0 };
    streams_publisher *p = streams_catch(
        streams_handle_events(ints(9), &handlers), recover_with_seven, NULL, NULL);
    recorder_subscribe(&r, p, 2);
    assert_int_equal(status, STREAMS_PROTOCOL_VIOLATION);
    assert_last(STREAMS_PROTOCOL_VIOLATION, "streams_subscription_request");
    assert_log(&r.log, "subscribed 1 2");
    assert_ok(streams_subscription_request(r.subscription, 1));
    assert_log(&r.log, "3");
    recorder_end(&r);
}

static void keep(void *context, streams_subscription *subscription) {
    (void)streams_retain(subscription);
    *(streams_subscription **)context = subscription;
}

static void a_kept_subscription_cancels(void **state) {
    (void)state;
    streams_subscription *kept = NULL;
    counter c = { 0 };
    streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
    handlers.context = &kept;
    handlers.on_subscription = keep;
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *p = streams_map(streams_subject_publisher(subject), add_one, &c, counter_destroy);
    recorder r = { 0 };
    recorder_subscribe(&r, streams_handle_events(p, &handlers), STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 1));
    assert_status(STREAMS_PROTOCOL_VIOLATION, streams_subscription_request(kept, 1));
    assert_ok(streams_subscription_cancel(kept));
    assert_ok(send_int(subject, 2));
    assert_log(&r.log, "subscribed 2");
    recorder_end(&r);
    assert_log(&r.log, "destroyed");
    assert_int_equal(c.destroyed, 1);
    assert_ok(streams_subscription_cancel(kept));
    assert_ok(streams_release(kept));
    assert_ok(streams_release(subject));
}

static void a_kept_subscription_keeps_nothing(void **state) {
    (void)state;
    for (int way = 0; way < 3; way++) {
        streams_subscription *kept = NULL;
        counter c = { 0 };
        streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
        handlers.context = &kept;
        handlers.on_subscription = keep;
        streams_subject *subject = streams_passthrough_subject_create();
        streams_publisher *p = streams_map(streams_subject_publisher(subject), add_one, &c, counter_destroy);
        recorder r = { 0 };
        recorder_subscribe(&r, streams_handle_events(p, &handlers), STREAMS_UNLIMITED);
        if (way == 0) assert_ok(finish(subject));
        if (way == 1) assert_ok(fail_with(subject, "over"));
        recorder_end(&r);
        assert_int_equal(c.destroyed, 1);
        assert_ok(streams_subscription_cancel(kept));
        assert_ok(streams_release(kept));
        assert_ok(streams_release(subject));
    }
}

/* The watcher hears of the subscription first, and may end the upstream there. */

static void finish_early(void *context, streams_subscription *subscription) {
    (void)subscription;
    (void)finish(context);
}
static void fail_early(void *context, streams_subscription *subscription) {
    (void)subscription;
    (void)fail_with(context, "early");
}

static void a_handler_may_end_the_upstream(void **state) {
    (void)state;
    for (int way = 0; way < 2; way++) {
        streams_subject *subject = streams_passthrough_subject_create();
        streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
        handlers.context = subject;
        handlers.on_subscription = way == 0 ? finish_early : fail_early;
        recorder r = { 0 };
        streams_publisher *p = streams_handle_events(streams_subject_publisher(subject), &handlers);
        recorder_subscribe(&r, streams_map(p, add_one, NULL, NULL), STREAMS_UNLIMITED);
        assert_log(&r.log, way == 0 ? "subscribed finished destroyed" : "subscribed failed(early) destroyed");
        recorder_end(&r);
        assert_ok(streams_release(subject));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(print_writes_as_combine_does),
        test(print_names_the_error),
        test(handlers_may_all_be_missing),
        test(a_handler_may_cancel),
        test(a_handler_may_end_the_upstream),
        test(a_handler_cannot_request),
        test(a_kept_subscription_cancels),
        test(a_kept_subscription_keeps_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
