/* The errors of streams: what they were given, how they travel, and how callbacks name them. */

#include "support.h"

static void errors_say_what_they_were_given(void **state) {
    (void)state;
    char domain[] = "domain", message[] = "größer";
    streams_value text = streams_text("carried");
    streams_error *error = streams_error_create(INT64_MIN, domain, message, &text);
    assert_non_null(error);
    memset(domain, 'x', strlen(domain));
    memset(message, 'x', strlen(message));
    assert_true(streams_error_code(error) == INT64_MIN);
    assert_string_equal(streams_error_domain(error), "domain");
    assert_string_equal(streams_error_message(error), "größer");
    const streams_value *object = streams_error_object(error);
    assert_non_null(object);
    assert_int_equal(object->size, 7);
    assert_memory_equal(object->as.text, "carried", 7);
    assert_ok(streams_release(error));
}

static void an_error_may_carry_nothing(void **state) {
    (void)state;
    streams_error *error = new_error("oops");
    assert_null(streams_error_object(error));
    assert_int_equal(streams_last_status(), STREAMS_OK);
    assert_ok(streams_release(error));
}

static void no_two_errors_have_a_number(void **state) {
    (void)state;
    uint64_t last = 0;
    for (int i = 0; i < 100; i++) {
        streams_error *error = new_error("oops"); /* where the last one was, perhaps */
        assert_true(streams_error_number(error) > last);
        last = streams_error_number(error);
        assert_ok(streams_release(error));
    }
}

static void errors_refuse(void **state) {
    (void)state;
    streams_value bad = { .kind = 99 };
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_error_create", streams_error_create(1, NULL, "m", NULL));
    assert_refused(STREAMS_NULL_ARGUMENT, "streams_error_create", streams_error_create(1, "d", NULL, NULL));
    assert_refused(STREAMS_INVALID_UTF8, "streams_error_create", streams_error_create(1, "\xff", "m", NULL));
    assert_refused(STREAMS_INVALID_UTF8, "streams_error_create", streams_error_create(1, "d", "m\xc0", NULL));
    assert_refused(STREAMS_INVALID_VALUE, "streams_error_create", streams_error_create(1, "d", "m", &bad));
}

/* ---- Errors that travel ------------------------------------------------------ */

typedef struct heard {
    int64_t code;
    char domain[64];
    char message[128];
    const streams_value *object;
    int64_t carried;
    streams_error *error;
} heard;

static void hear(recorder *self, const streams_error *error) {
    heard *h = self->extra;
    if (error == NULL) return;
    h->code = streams_error_code(error);
    snprintf(h->domain, sizeof h->domain, "%s", streams_error_domain(error));
    snprintf(h->message, sizeof h->message, "%s", streams_error_message(error));
    const streams_value *object = streams_error_object(error);
    if (object != NULL) h->carried = object->as.integer;
    streams_retain(error);
    h->error = (streams_error *)(uintptr_t)error;
}

static heard listen_to(streams_publisher *p) {
    heard h = { 0 };
    recorder r = { .on_completion = hear, .extra = &h };
    recorder_subscribe(&r, p, STREAMS_UNLIMITED);
    recorder_end(&r);
    return h;
}

static void a_failure_has_one_number(void **state) {
    (void)state;
    streams_error *error = new_error("oops");
    uint64_t number = streams_error_number(error);
    streams_publisher *p = streams_share(streams_fail(error));
    assert_ok(streams_release(error));
    for (int i = 0; i < 2; i++) {
        assert_ok(streams_retain(p));
        heard h = listen_to(p);
        assert_true(streams_error_number(h.error) == number);
        assert_ok(streams_release(h.error));
    }
    assert_ok(streams_release(p));
}

static void an_error_travels_as_itself(void **state) {
    (void)state;
    streams_value carried = streams_int(77);
    streams_error *error = streams_error_create(5, "mine", "went wrong", &carried);
    streams_publisher *p = streams_fail(error);
    assert_ok(streams_release(error));
    p = streams_map(p, add_one, NULL, NULL);
    p = streams_collect(p);
    p = streams_prefix(p, 3);
    heard h = listen_to(p);
    assert_int_equal(h.code, 5);
    assert_string_equal(h.domain, "mine");
    assert_string_equal(h.message, "went wrong");
    assert_int_equal(h.carried, 77);
    /* It may be kept. */
    assert_string_equal(streams_error_message(h.error), "went wrong");
    assert_ok(streams_release(h.error));
}

static void a_named_failure_of_a_callback(void **state) {
    (void)state;
    heard h = listen_to(streams_map(ints(2), broken_transform, NULL, NULL));
    assert_int_equal(h.code, 42);
    assert_string_equal(h.domain, "test");
    assert_string_equal(h.message, "broken");
    assert_ok(streams_release(h.error));
}

static void a_plain_failure_of_a_callback(void **state) {
    (void)state;
    heard h = listen_to(streams_map(ints(2), plainly_broken_transform, NULL, NULL));
    assert_int_equal(h.code, STREAMS_OUT_OF_RANGE);
    assert_string_equal(h.domain, "streams.callback");
    assert_true(h.message[0] != '\0');
    assert_ok(streams_release(h.error));
}

/* Names an error, and then succeeds at 1, and fails without a name at 2. */
static streams_status names_and_forgets(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    *out = *in;
    if (in->as.integer == 1) {
        (void)streams_callback_fail_with(9, "forgotten", "forgotten");
        return STREAMS_OK;
    }
    return streams_callback_fail_with(10, "named", "named");
}

static void a_callback_that_names_an_error_and_succeeds_has_not_failed(void **state) {
    (void)state;
    recorder r = { 0 };
    recorder_subscribe(&r, streams_map(ints(2), names_and_forgets, NULL, NULL), STREAMS_UNLIMITED);
    recorder_end(&r);
    assert_log(&r.log, "subscribed 1 failed(named) destroyed");
}

static streams_status names_a_bad_error(void *context, const streams_value *in, streams_value *out) {
    (void)context, (void)in, (void)out;
    return streams_callback_fail(NULL);
}

static void naming_a_bad_handle_still_fails(void **state) {
    (void)state;
    heard h = listen_to(streams_map(ints(1), names_a_bad_error, NULL, NULL));
    assert_int_equal(h.code, STREAMS_NULL_HANDLE);
    assert_string_equal(h.domain, "streams.callback");
    assert_ok(streams_release(h.error));
    assert_int_equal(streams_last_status(), STREAMS_NULL_HANDLE);
}

static void callback_fail_with_never_succeeds(void **state) {
    (void)state;
    assert_int_equal(streams_callback_fail_with(1, "d", "m"), STREAMS_CALLBACK_FAILED);
    assert_int_equal(streams_callback_fail_with(1, NULL, "m"), STREAMS_NULL_ARGUMENT);
    assert_int_equal(streams_callback_fail_with(1, "d", "\xff"), STREAMS_INVALID_UTF8);
    /* Forget the error that this thread has named: it holds a reference. */
    assert_stream(streams_map(ints(1), broken_transform, NULL, NULL), "subscribed failed(broken) destroyed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(errors_say_what_they_were_given),
        test(an_error_may_carry_nothing),
        test(no_two_errors_have_a_number),
        test(a_failure_has_one_number),
        test(errors_refuse),
        test(an_error_travels_as_itself),
        test(a_named_failure_of_a_callback),
        test(a_plain_failure_of_a_callback),
        test(a_callback_that_names_an_error_and_succeeds_has_not_failed),
        test(naming_a_bad_handle_still_fails),
        test(callback_fail_with_never_succeeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
