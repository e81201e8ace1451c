/* Many sinks of one subject that are plain functions: they are told of a value together. */

#include "support.h"

enum { COUNT = 8 };

typedef struct row row;

/* One of the sinks. What it does with the value 2 is the test's. */
typedef struct {
    row *row;
    void (*act)(row *row);
    uint64_t answer;
    streams_cancellable *cancellable;
    int64_t sum;
    int destroyed, finished, failed;
    int64_t code;
} sink;

struct row {
    streams_subject *subject;
    sink sinks[COUNT];
};

static uint64_t on_value(void *context, const streams_value *value) {
    sink *self = context;
    assert_int_equal(self->destroyed, 0);
    self->sum += value->as.integer;
    if (value->as.integer != 2) return 0;
    if (self->act) self->act(self->row);
    return self->answer;
}

static void on_completion(void *context, const streams_error *error) {
    sink *self = context;
    if (error) {
        self->failed++;
        self->code = streams_error_code(error);
    } else {
        self->finished++;
    }
}

static void destroy(void *context) {
    ((sink *)context)->destroyed++;
}

static void begin(row *row) {
    row->subject = streams_passthrough_subject_create();
    for (int i = 0; i < COUNT; i++) {
        sink *each = &row->sinks[i];
        streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
        subscriber.context = each;
        subscriber.on_value = on_value;
        subscriber.on_completion = on_completion;
        subscriber.destroy = destroy;
        each->row = row;
        each->cancellable = streams_sink(streams_subject_publisher(row->subject), &subscriber);
        assert_non_null(each->cancellable);
    }
}

/* Sends 1, 2 and 4, and compares what the sinks have got. */
static void assert_sums(row *row, const int64_t sums[COUNT]) {
    for (int64_t value = 1; value <= 4; value *= 2) assert_ok(send_int(row->subject, value));
    for (int i = 0; i < COUNT; i++) assert_int_equal(row->sinks[i].sum, sums[i]);
}

static void end(row *row) {
    assert_ok(finish(row->subject));
    for (int i = 0; i < COUNT; i++) {
        if (row->sinks[i].cancellable) assert_ok(streams_release(row->sinks[i].cancellable));
        assert_int_equal(row->sinks[i].destroyed, 1);
    }
    assert_ok(streams_release(row->subject));
}

static void all_are_told(void **state) {
    (void)state;
    row row = { 0 };
    begin(&row);
    assert_sums(&row, (int64_t[]){ 7, 7, 7, 7, 7, 7, 7, 7 });
    end(&row);
    for (int i = 0; i < COUNT; i++) assert_int_equal(row.sinks[i].finished, 1);
}

static void cancel_sixth(row *row) {
    assert_ok(streams_release(row->sinks[5].cancellable));
    row->sinks[5].cancellable = NULL;
}

static void one_cancels_another(void **state) {
    (void)state;
    row row = { .sinks[2] = { .act = cancel_sixth } };
    begin(&row);
    assert_sums(&row, (int64_t[]){ 7, 7, 7, 7, 7, 1, 7, 7 });
    assert_int_equal(row.sinks[5].destroyed, 1);
    end(&row);
}

static void one_cancels_itself(void **state) {
    (void)state;
    row row = { .sinks[5] = { .act = cancel_sixth } };
    begin(&row);
    assert_sums(&row, (int64_t[]){ 7, 7, 7, 7, 7, 3, 7, 7 });
    end(&row);
}

static void cancel_all(row *row) {
    for (int i = 0; i < COUNT; i++) {
        assert_ok(streams_release(row->sinks[i].cancellable));
        row->sinks[i].cancellable = NULL;
    }
}

static void one_cancels_all(void **state) {
    (void)state;
    row row = { .sinks[3] = { .act = cancel_all } };
    begin(&row);
    assert_sums(&row, (int64_t[]){ 3, 3, 3, 3, 1, 1, 1, 1 });
    end(&row);
}

static void name_error(row *row) {
    (void)row;
    streams_callback_fail_with(77, "test", "named");
}

static void one_fails(void **state) {
    (void)state;
    row row = { 0 };
    row.sinks[3] = (sink){ .act = name_error, .answer = STREAMS_FAIL };
    row.sinks[6].answer = STREAMS_FAIL;
    begin(&row);
    assert_sums(&row, (int64_t[]){ 7, 7, 7, 3, 7, 7, 3, 7 });
    assert_int_equal(row.sinks[3].failed, 1);
    assert_int_equal(row.sinks[3].code, 77);
    assert_int_equal(row.sinks[6].failed, 1);
    assert_int_equal(row.sinks[6].code, STREAMS_CALLBACK_FAILED);
    end(&row);
    assert_int_equal(row.sinks[3].finished + row.sinks[6].finished, 0);
}

static void a_named_error_is_not_anothers(void **state) {
    (void)state;
    row row = { .sinks[1] = { .act = name_error, .answer = 1 }, .sinks[2] = { .answer = STREAMS_FAIL } };
    begin(&row);
    assert_sums(&row, (int64_t[]){ 7, 7, 3, 7, 7, 7, 7, 7 });
    assert_int_equal(row.sinks[2].code, STREAMS_CALLBACK_FAILED);
    end(&row);
}

static void send_again(row *row) {
    assert_ok(send_int(row->subject, 16));
}

static void one_sends(void **state) {
    (void)state;
    row row = { .sinks[4] = { .act = send_again } };
    begin(&row);
    assert_sums(&row, (int64_t[]){ 23, 23, 23, 23, 23, 23, 23, 23 });
    end(&row);
}

static void complete(row *row) {
    assert_ok(finish(row->subject));
}

static void one_completes(void **state) {
    (void)state;
    row row = { .sinks[4] = { .act = complete } };
    begin(&row);
    for (int64_t value = 1; value <= 2; value++) assert_ok(send_int(row.subject, value));
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(row.sinks[i].sum, i <= 4 ? 3 : 1);
        assert_int_equal(row.sinks[i].finished, 1);
        assert_ok(streams_release(row.sinks[i].cancellable));
        assert_int_equal(row.sinks[i].destroyed, 1);
    }
    assert_ok(streams_release(row.subject));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(all_are_told),
        test(one_cancels_another),
        test(one_cancels_itself),
        test(one_cancels_all),
        test(one_fails),
        test(a_named_error_is_not_anothers),
        test(one_sends),
        test(one_completes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
