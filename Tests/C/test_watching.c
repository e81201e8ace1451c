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

int main(void) {
    const struct CMUnitTest tests[] = {
        test(print_writes_as_combine_does),
        test(print_names_the_error),
        test(handlers_may_all_be_missing),
        test(a_handler_may_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
