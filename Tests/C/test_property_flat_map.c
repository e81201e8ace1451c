/* Properties of properties: the latest is followed. */

#include "state.h"

static streams_status choose(void *context, const streams_value *in, streams_property **out) {
    streams_property *const *from = context;
    *out = from[in->as.integer];
    return *out == NULL ? STREAMS_OK : streams_retain(*out);
}

static void what_is_no_property_is_let_go_of(void **state) {
    (void)state;
    size_t live = streams_live_handles();
    streams_subject *which = current(0);
    streams_property *chooser = of(which), *from[] = { (streams_property *)which };
    streams_property *property = streams_property_flat_map(chooser, choose, from, NULL);
    assert_int_equal(value_of(property), -1);
    assert_string_equal(streams_last_message(),
        "the property made by a callback is a handle of the kind subject, not property");
    assert_ok(streams_release(property));
    release_both(chooser, which);
    assert_int_equal(streams_live_handles(), live);
}

static void the_latest_property_is_followed(void **state) {
    (void)state;
    streams_subject *which = current(0), *a = current(10), *b = current(20);
    streams_property *chooser = of(which), *from[] = { of(a), of(b), NULL };
    streams_property *property = streams_property_flat_map(chooser, choose, from, NULL);
    recorder r = { 0 };
    watch(&r, property);
    assert_ok(send_int(a, 11));
    assert_ok(send_int(b, 21));
    assert_ok(send_int(which, 1));
    assert_ok(send_int(a, 12));
    assert_ok(send_int(b, 22));
    assert_log(&r.log, "subscribed 10 11 21 22");
    assert_ok(send_int(which, 2));
    assert_int_equal(value_of(property), -1);
    streams_error *error = streams_last_error();
    assert_int_equal(streams_error_code(error), STREAMS_NULL_HANDLE);
    assert_ok(streams_release(error));
    assert_ok(send_int(which, 0));
    assert_value(property, "12");
    recorder_end(&r);
    release_both(from[0], a);
    release_both(from[1], b);
    assert_ok(streams_release(property));
    release_both(chooser, which);
}

static void a_property_that_is_to_follow_itself_fails(void **state) {
    (void)state;
    streams_value zero = streams_int(0);
    streams_subject *which = current(0);
    streams_property *chooser = of(which), *from[3] = { streams_property_create(&zero) };
    streams_property *property = from[1] = streams_property_flat_map(chooser, choose, from, NULL);
    from[2] = streams_property_map(property, add_one, NULL, NULL);
    for (int i = 1; i < 3; i++) {
        assert_ok(send_int(which, i));
        assert_int_equal(value_of(property), -1);
        streams_error *error = streams_last_error();
        assert_int_equal(streams_error_code(error), STREAMS_PROTOCOL_VIOLATION);
        assert_ok(streams_release(error));
        assert_ok(send_int(which, 0));
        assert_value(property, "0");
        assert_value(from[2], "1");
    }
    for (int i = 0; i < 3; i++) assert_ok(streams_release(from[i]));
    release_both(chooser, which);
}

/* What is derived from it gets a higher place, all the way up, when it follows a long chain. */
static void a_long_chain_is_put_above_another(void **state) {
    (void)state;
    const int length = under_valgrind() ? 2000 : 100000;
    streams_subject *which = current(0), *source = current(1);
    streams_property *chooser = of(which), *low = of(source), *from[] = { low, NULL };
    for (int side = 0; side < 2; side++) {
        streams_property *end =
            side == 0 ? of(source) : streams_property_flat_map(chooser, choose, from, NULL);
        for (int i = 0; i < length; i++) {
            streams_property *next = streams_property_map(end, add_one, NULL, NULL);
            assert_non_null(next);
            assert_ok(streams_release(end));
            end = next;
        }
        if (side == 0) {
            from[1] = end;
            continue;
        }
        assert_int_equal(value_of(end), length + 1);
        assert_ok(send_int(which, 1));
        assert_int_equal(value_of(end), 2 * length + 1);
        assert_ok(send_int(source, 2));
        assert_int_equal(value_of(end), 2 * length + 2);
        assert_ok(streams_release(end));
    }
    assert_ok(streams_release(from[1]));
    release_both(low, source);
    release_both(chooser, which);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(what_is_no_property_is_let_go_of),
        test(the_latest_property_is_followed),
        test(a_property_that_is_to_follow_itself_fails),
        test(a_long_chain_is_put_above_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
