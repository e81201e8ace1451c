/* share, multicast and connectables: several subscribers, and what holds what. */

#include "support.h"

static streams_publisher *of(streams_subject *subject) { return streams_subject_publisher(subject); }

static void share_subscribes_once(void **state) {
    (void)state;
    counter c = { 0 };
    recorder first = { 0 }, second = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *shared = streams_share(streams_map(of(subject), add_one, &c, counter_destroy));
    assert_ok(streams_retain(shared));
    recorder_subscribe(&first, shared, STREAMS_UNLIMITED);
    recorder_subscribe(&second, shared, 1);
    assert_ok(send_int(subject, 1));
    assert_ok(send_int(subject, 2));
    assert_int_equal(c.calls, 2);
    assert_log(&first.log, "subscribed 2 3");
    assert_log(&second.log, "subscribed 2");
    recorder_end(&first);
    recorder_end(&second);
    /* Nobody is left, and so is nothing of the stream. */
    assert_int_equal(c.destroyed, 1);
    assert_ok(streams_release(subject));
}

static void share_replay_gives_the_latest_to_who_comes_late(void **state) {
    (void)state;
    counter c = { 0 };
    recorder first = { 0 }, second = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *mapped = streams_map(of(subject), add_one, &c, counter_destroy);
    streams_publisher *shared = streams_share_replay(mapped, 2);
    assert_ok(streams_retain(shared));
    recorder_subscribe(&first, shared, STREAMS_UNLIMITED);
    for (int64_t i = 1; i <= 3; i++) assert_ok(send_int(subject, i));
    assert_ok(streams_retain(shared));
    recorder_subscribe(&second, shared, 1);
    assert_ok(finish(subject));
    assert_int_equal(c.calls, 3);
    assert_log(&first.log, "subscribed 2 3 4 finished destroyed");
    assert_log(&second.log, "subscribed 3");
    assert_stream(shared, "subscribed 3 4 finished destroyed");
    recorder_end(&first);
    recorder_end(&second);
    assert_int_equal(c.destroyed, 1);
    assert_ok(streams_release(subject));
}

static void connections_begin_and_end_it(void **state) {
    (void)state;
    recorder r = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    streams_connectable *news = streams_make_connectable(of(subject));
    recorder_subscribe(&r, streams_connectable_publisher(news), STREAMS_UNLIMITED);
    assert_ok(send_int(subject, 1));
    streams_cancellable *connection = streams_connect(news);
    assert_ok(send_int(subject, 2));
    assert_ok(streams_cancel(connection));
    assert_ok(send_int(subject, 3));
    assert_ok(streams_release(connection));
    connection = streams_connect(news);
    streams_cancellable *another = streams_connect(news);
    assert_ok(send_int(subject, 4));
    assert_ok(streams_release(connection));
    assert_ok(streams_release(another));
    assert_ok(send_int(subject, 5));
    assert_log(&r.log, "subscribed 2 4 4");
    recorder_end(&r);
    assert_ok(streams_release(news));
    assert_ok(streams_release(subject));
}

static void what_is_made_of_a_connectable_keeps_it(void **state) {
    (void)state;
    counter c = { 0 };
    recorder r = { 0 };
    streams_connectable *news = streams_make_connectable(streams_map(ints(2), add_one, &c, counter_destroy));
    streams_publisher *publisher = streams_connectable_publisher(news);
    assert_ok(streams_retain(news));
    streams_publisher *connected = streams_autoconnect(news);
    assert_ok(streams_release(news));
    assert_int_equal(c.destroyed, 0);
    recorder_subscribe(&r, publisher, STREAMS_UNLIMITED);
    assert_stream(connected, "subscribed 2 3 finished destroyed");
    assert_log(&r.log, "subscribed 2 3 finished destroyed");
    recorder_end(&r);
    assert_int_equal(c.destroyed, 1);
}

static void a_connection_outlives_its_connectable(void **state) {
    (void)state;
    counter c = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    streams_connectable *news =
        streams_make_connectable(streams_map(of(subject), add_one, &c, counter_destroy));
    streams_cancellable *connection = streams_connect(news);
    assert_ok(streams_release(news));
    assert_ok(send_int(subject, 1));
    assert_ok(streams_release(connection));
    assert_int_equal(c.destroyed, 1);
    assert_ok(streams_release(subject));
}

/* A subject that is multicast through itself sends what it sends without end. */
static void a_subject_that_feeds_itself(void **state) {
    (void)state;
    recorder r = { 0 };
    streams_subject *subject = streams_passthrough_subject_create();
    streams_connectable *circle = streams_multicast(of(subject), subject);
    streams_cancellable *connection = streams_connect(circle);
    assert_ok(send_int(subject, 1));
    recorder_subscribe(&r, of(subject), STREAMS_UNLIMITED);
    recorder_end(&r);
    assert_ok(streams_release(connection));
    assert_ok(streams_release(circle));
    assert_ok(streams_release(subject));
}

static void a_completed_subject_for_multicast(void **state) {
    (void)state;
    counter c = { 0 };
    streams_subject *ended = streams_passthrough_subject_create();
    assert_ok(finish(ended));
    streams_publisher *p = streams_map(ints(2), add_one, &c, counter_destroy);
    assert_stream(streams_autoconnect(streams_multicast(p, ended)), "subscribed finished destroyed");
    assert_int_equal(c.destroyed, 1);
    assert_ok(streams_release(ended));
}

static streams_status recover_with_itself(
    void *context, const streams_error *error, streams_publisher **out) {
    recorder *self = context;
    (void)error;
    if (self->extra == NULL) {
        *out = streams_empty(true);
    } else {
        *out = self->extra;
        self->extra = NULL;
    }
    return STREAMS_OK;
}

/* Its only subscriber leaves while it is being connected: its upstream is cancelled at once, and does not
 * fail. */
static void what_is_being_connected_is_cancelled_with_its_last_subscriber(void **state) {
    (void)state;
    counter c = { 0 };
    recorder r = { 0 };
    const streams_value one = streams_int(1);
    streams_error *error = new_error("over");
    streams_publisher *p = streams_catch(streams_record(&one, 1, error), recover_with_itself, &r, NULL);
    p = streams_map(streams_first(streams_share(p)), add_one, &c, counter_destroy);
    r.extra = p;
    assert_ok(streams_retain(p));
    assert_stream(p, "subscribed 2 finished destroyed");
    assert_ptr_equal(r.extra, p);
    assert_ok(streams_release(p));
    assert_int_equal(c.destroyed, 1);
    assert_ok(streams_release(error));
}

static void errors_pass_through_a_chain(void **state) {
    (void)state;
    streams_clear_last_error();
    assert_null(streams_autoconnect(streams_multicast(ints(1), NULL)));
    assert_last(STREAMS_NULL_HANDLE, "streams_multicast");
    streams_publisher *publisher = ints(1);
    assert_null(streams_autoconnect((streams_connectable *)(void *)publisher));
    assert_last(STREAMS_WRONG_KIND, "streams_autoconnect");
    assert_ok(streams_release(publisher));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(share_subscribes_once),
        test(share_replay_gives_the_latest_to_who_comes_late),
        test(connections_begin_and_end_it),
        test(what_is_made_of_a_connectable_keeps_it),
        test(a_connection_outlives_its_connectable),
        test(a_subject_that_feeds_itself),
        test(a_completed_subject_for_multicast),
        test(what_is_being_connected_is_cancelled_with_its_last_subscriber),
        test(errors_pass_through_a_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
