/* Sinks of a managed runtime that follow each other in a subject's list, and are told together. */

#include "actions.h"
#include "fake_host.h"

enum { ROW = 5 };

static int thread_with_lock;
static void *known_thread;
static int questions;

static void *knows_thread(void) {
    questions++;
    return known_thread;
}

static int looks;

static int look_up(void) {
    looks++;
    return 0;
}

static int holds_lock(void) { return known_thread == &thread_with_lock; }

static uint32_t new_host(void) {
    streams_host table = fake_telling_table(holds_lock, knows_thread);
    table.check_signals = look_up;
    uint32_t host = 0;
    assert_ok(streams_host_register(&table, &host));
    return host;
}

/* What the second sink does, if anything, when it is told of the first value. */
typedef fake_object *(*action)(void);

static uint32_t host;
static streams_finalizer_fn finalize; /* of a host that tells when an owner goes */
static streams_subject *subject;
static streams_cancellable *sinks[ROW];
static fake_object *lost_owner;
static int calls[ROW], failures, passed;
static action act;

static fake_object *null_result(void) {
    fake_retain(fake_null());
    return fake_null();
}

static fake_object *is_told(void *context, fake_object *const *arguments, size_t count) {
    assert_int_equal(count, 1);
    assert_int_equal(arguments[0]->integer, 5);
    int place = (int)((int *)context - calls);
    calls[place]++;
    action now = act;
    if (place != 1 || now == NULL) return null_result();
    act = NULL;
    return now();
}

static fake_object *is_at_end(void *context, fake_object *const *arguments, size_t count) {
    (void)context, (void)count;
    if (arguments[0] != fake_null()) failures++;
    return null_result();
}

static fake_object *cancels_next(void) {
    assert_ok(streams_cancel(sinks[2]));
    return null_result();
}

static fake_object *cancels_itself(void) {
    assert_ok(streams_cancel(sinks[1]));
    return null_result();
}

static fake_object *completes(void) {
    assert_ok(streams_subject_send_completion(subject, NULL));
    return null_result();
}

static fake_object *fails(void) { return fake_raise("no"); }

static fake_object *demands(void) { return fake_int(3); }

static fake_object *loses_owner(void) {
    if (finalize != NULL) finalize(lost_owner->context);
    lost_owner->context = fake_null();
    return null_result();
}

/* As it may be while a collector takes apart what nobody has any more. */
static fake_object *finalizes_owner(void) {
    if (finalize != NULL) finalize(lost_owner->context);
    return null_result();
}

static fake_object *called;

/* Whoever owns a function may let go of it while it runs. */
static fake_object *is_kept(void) {
    assert_int_equal(called->references, 2);
    return null_result();
}

static fake_object *sends(void) {
    fake_object *sent = fake_int(5);
    assert_ok(streams_host_send(subject, host, sent));
    fake_release(sent);
    return null_result();
}

static void *call_any(void *callable, void *const *arguments, size_t count, void *names) {
    passed++;
    return fake_host_table().call(callable, arguments, count, names);
}

static streams_cancellable *sink(
    int place, fake_object *function, fake_object *end, fake_object *weak, uint64_t demand) {
    streams_publisher *publisher = streams_subject_publisher(subject);
    streams_call_value_fn call_value = place == 0 ? call_any : NULL;
    if (place % 3 == 0)
        return streams_host_sink(publisher, host, demand, function, end, weak, call_value);
    streams_host_callables callables = STREAMS_HOST_CALLABLES_INIT;
    callables.on_value = function;
    callables.on_completion = end;
    callables.owner = weak;
    streams_subscriber subscriber;
    assert_ok(streams_host_subscriber(host, &callables, demand, &subscriber));
    return streams_sink(publisher, &subscriber);
}

/* Sends two values to sinks of which the second acts when it is told of the first, and the fourth demands
 * as many as is given. */
static void sends_two(action acts, uint64_t demand, const int expected[ROW], int expected_questions) {
    failures = passed = 0;
    act = acts;
    subject = streams_passthrough_subject_create();
    fake_object *sent = fake_int(5), *end = fake_callable(is_at_end, NULL);
    fake_object *owners[ROW], *weak[ROW], *functions[ROW];
    for (int i = 0; i < ROW; i++) {
        calls[i] = 0;
        owners[i] = fake_int(1);
        weak[i] = fake_callable(NULL, owners[i]);
        functions[i] = fake_callable(is_told, &calls[i]);
        sinks[i] = sink(i, functions[i], end, weak[i], i == 3 ? demand : STREAMS_UNLIMITED);
    }
    lost_owner = weak[ROW - 1];
    called = functions[1];
    assert_ok(streams_host_send(subject, host, sent));
    questions = 0;
    streams_status status = acts == completes ? STREAMS_TERMINATED : STREAMS_OK;
    assert_int_equal(streams_host_send(subject, host, sent), status);
    assert_int_equal(questions, expected_questions);
    for (int i = 0; i < ROW; i++) assert_int_equal(calls[i], expected[i]);
    assert_int_equal(passed, expected[0]);
    assert_int_equal(failures, acts == fails);
    for (int i = 0; i < ROW; i++) assert_ok(streams_release(sinks[i]));
    assert_ok(streams_release(subject));
    for (int i = 0; i < ROW; i++) {
        assert_int_equal(owners[i]->references, 1);
        assert_int_equal(functions[i]->references, 1);
        fake_release(owners[i]);
        fake_release(weak[i]);
        fake_release(functions[i]);
    }
    fake_release(sent);
    fake_release(end);
    assert_clean();
}

#define CALLS(...) ((const int[ROW]){ __VA_ARGS__ })

/* The host is asked once for all of them, and anew after one that is not told with the others. */
static void they_are_told_together(void **state) {
    (void)state;
    sends_two(NULL, STREAMS_UNLIMITED, CALLS(2, 2, 2, 2, 2), 2);
    sends_two(NULL, 1, CALLS(2, 2, 2, 1, 2), 3);
    sends_two(NULL, 2, CALLS(2, 2, 2, 2, 2), 4);
}

static void each_may_end_the_stream_of_others(void **state) {
    (void)state;
    sends_two(cancels_next, STREAMS_UNLIMITED, CALLS(2, 2, 0, 2, 2), 3);
    sends_two(cancels_itself, STREAMS_UNLIMITED, CALLS(2, 1, 2, 2, 2), 3);
    sends_two(completes, STREAMS_UNLIMITED, CALLS(1, 1, 0, 0, 0), 1);
    sends_two(loses_owner, STREAMS_UNLIMITED, CALLS(2, 2, 2, 2, 0), 3);
    sends_two(finalizes_owner, STREAMS_UNLIMITED, CALLS(2, 2, 2, 2, 2), finalize != NULL ? 3 : 2);
}

static void each_is_kept_while_it_runs(void **state) {
    (void)state;
    sends_two(is_kept, STREAMS_UNLIMITED, CALLS(2, 2, 2, 2, 2), 2);
}

static fake_object *hears(void *context, fake_object *const *arguments, size_t count) {
    (void)context, (void)arguments, (void)count;
    return null_result();
}

/* However many are told together, the host's signals are looked for every 1,024 calls. */
static void signals_are_looked_for(void **state) {
    (void)state;
    enum { MANY = 3000,
        VALUES = 5 };
    static streams_cancellable *many[MANY];
    static fake_object *owners[MANY], *weak[MANY];
    fake_object *sent = fake_int(5), *function = fake_callable(hears, NULL);
    intptr_t nulls = fake_null()->references;
    subject = streams_passthrough_subject_create();
    for (int i = 0; i < MANY; i++) {
        owners[i] = fake_int(1);
        weak[i] = fake_callable(NULL, owners[i]);
        many[i] = streams_host_sink(streams_subject_publisher(subject), host, STREAMS_UNLIMITED, function,
            NULL, weak[i], NULL);
    }
    looks = 0;
    for (int i = 0; i < VALUES; i++) assert_ok(streams_host_send(subject, host, sent));
    assert_in_range(looks, MANY * VALUES / 1024, MANY * VALUES / 1024 + 1);
    /* What they have in common has not been counted for each of them. */
    assert_int_equal(function->references, 1);
    assert_int_equal(fake_null()->references, nulls);
    for (int i = 0; i < MANY; i++) {
        assert_ok(streams_release(many[i]));
        fake_release(owners[i]);
        fake_release(weak[i]);
    }
    assert_ok(streams_release(subject));
    fake_release(sent);
    fake_release(function);
    assert_clean();
}

static void each_may_fail_demand_and_send(void **state) {
    (void)state;
    sends_two(fails, STREAMS_UNLIMITED, CALLS(2, 1, 2, 2, 2), 3);
    sends_two(demands, STREAMS_UNLIMITED, CALLS(2, 2, 2, 2, 2), 2);
    sends_two(sends, STREAMS_UNLIMITED, CALLS(3, 3, 3, 3, 3), 2);
    sends_two(sends, 2, CALLS(3, 3, 3, 2, 3), 3);
}

static void what_is_no_host_has_no_finalizer(void **state) {
    (void)state;
    assert_refused(
        STREAMS_INVALID_ARGUMENT, "streams_host_owner_finalizer", streams_host_owner_finalizer(777, 8));
    assert_refused(
        STREAMS_INVALID_ARGUMENT, "streams_host_owner_finalizer", streams_host_owner_finalizer(host, -1));
    assert_refused(
        STREAMS_INVALID_ARGUMENT, "streams_host_owner_finalizer", streams_host_owner_finalizer(host, 0));
}

/* The two hosts: one that lets the library look for owners, and one that tells when an owner goes. */
static uint32_t plain, telling;

static int create(void **state) {
    (void)state;
    known_thread = &thread_with_lock;
    plain = new_host();
    telling = new_host();
    return 0;
}

static int begin_plain(void **state) {
    host = plain;
    finalize = NULL;
    return begin_test(state);
}

static int begin_telling(void **state) {
    host = telling;
    finalize = streams_host_owner_finalizer(host, offsetof(fake_object, length));
    return begin_test(state) + (finalize == NULL);
}

#define both(function) \
    cmocka_unit_test_setup_teardown(function, begin_plain, end_test), \
    { #function "_where_owners_are_told_of", function, begin_telling, end_test, NULL }

int main(void) {
    const struct CMUnitTest tests[] = {
        both(they_are_told_together),
        both(each_may_end_the_stream_of_others),
        both(each_is_kept_while_it_runs),
        both(each_may_fail_demand_and_send),
        both(signals_are_looked_for),
        both(what_is_no_host_has_no_finalizer),
    };
    return cmocka_run_group_tests(tests, create, NULL);
}
