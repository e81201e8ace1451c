/* Long chains of each operator do what short ones do, or fail with
 * STREAMS_LIMIT; building and releasing them takes no stack. */

#include "depth.h"
#include "rows.h"

static fixture f;

/* One operator, its second publisher, and what makes a number of its list. */
static streams_status first_of_list(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    return streams_value_copy(&in->as.items[0], out);
}

/* As end does, when a cancellation that waits has come. */
static bool end_soon(outcome *o) { return let_go(o) && must(let_happen(&f)) && o->destroyed == 1; }

static bool makes_lists(int which);

static bool is(const char *function, const char *name) { return strcmp(function, name) == 0; }

static bool is_one_of(const char *function, const char *const *names) {
    while (*names != NULL && !is(function, *names)) names++;
    return *names != NULL;
}

/* Those by which no value gets through, or not one alone, or none after another
 * publisher's only one. */
static bool drops_all(int which) {
    static const char *const names[] = { "streams_ignore_output", "streams_pairwise", "streams_sample",
        NULL };
    return which < attachment_count && is_one_of(attachments[which].function, names);
}

/* Those that are not among all in turn: what ends a stream with its first value,
 * or drops what a reduction sends with its end. */
static bool stands_alone(int which) {
    static const char *const names[] = { "streams_debounce", "streams_ignore_output", "streams_pairwise",
        "streams_sample", "streams_drop_while",
        "streams_first", "streams_first_where", "streams_output_at", "streams_contains",
        "streams_contains_where", NULL };
    return is_one_of(attachments[which].function, names);
}

/* A number with which a value gets through, however often. Of retries in
 * retries each would multiply the attempts. */
static int64_t count_for(const char *function) {
    static const char *const none[] = { "streams_drop_first", "streams_output_at", NULL };
    if (is_one_of(function, none) || strstr(function, "streams_retry") == function) return 0;
    return is(function, "streams_collect_count") || is(function, "streams_collect_by_time_or_count") ? 1
                                                                                                     : 1000;
}

static bool collects_by_time(const char *function) {
    return strstr(function, "streams_collect_by_time") == function;
}

/* A time after which a value gets through; a timeout that never comes, as windows
 * do not after the first, and lists that come now and then, for each of a chain
 * looks at its clock each time. */
static streams_nanoseconds time_for(const char *function) {
    if (is(function, "streams_timeout") || strstr(function, "streams_window") == function) return INT64_MAX;
    return collects_by_time(function) ? ENOUGH_TIME / 4 : 1;
}

static streams_publisher *attach(streams_publisher *p, int which) {
    const attachment *each = &attachments[which];
    /* One that adds values of its own would do so at each level, and a value would
     * be the end of another. */
    static const char *const names[] = { "streams_merge", "streams_append", "streams_prepend",
        "streams_prefix_until_output", NULL };
    bool adds = is_one_of(each->function, names);
    streams_publisher *other = NULL;
    /* Never this one, and no window but the first. */
    bool chooses = is(each->function, "streams_amb") || is(each->function, "streams_window");
    if (each->takes_two) other = adds || chooses ? streams_empty(adds) : ints(1);
    row_count = count_for(each->function);
    row_time = time_for(each->function);
    row_answer = !is(each->function, "streams_drop_while");
    /* What the one makes of all, the other undoes. */
    if (is(each->function, "streams_dematerialize")) p = streams_materialize(p);
    p = each->attach(p, other, &f);
    return is(each->function, "streams_materialize") ? streams_dematerialize(p) : p;
}

/* Of those that come with another, by which it is undone, half as many are a chain. */
static int length_for(int which, int length) {
    static const char *const names[] = { "streams_materialize", "streams_dematerialize", NULL };
    bool is_pair = which < attachment_count && is_one_of(attachments[which].function, names);
    return is_pair ? (length + 1) / 2 : length;
}

/* A chain of one operator; of all in turn if there is no such one. */
static streams_publisher *chain(streams_publisher *p, int which, int length) {
    for (int i = 0; i < length_for(which, length); i++) {
        int each = which < attachment_count ? which : i % attachment_count;
        if (which == attachment_count && stands_alone(each)) continue;
        p = attach(p, each);
        if (makes_lists(each)) p = streams_map(p, first_of_list, NULL, NULL);
    }
    return p;
}

static bool makes_lists(int which) {
    static signed char known[256]; /* 1: no, 2: yes */
    if (which >= (int)sizeof known) abort();
    if (known[which] == 0) {
        outcome o;
        begin(&o, attach(ints(3), which));
        (void)let_time_pass(&f);
        known[which] = o.values > 0 && o.kind == STREAMS_VALUE_LIST ? 2 : 1;
        (void)end_soon(&o);
    }
    return known[which] == 2;
}

/* ---- Whatever the length ---------------------------------------------------------- */

enum way { FINISHES,
    FAILS,
    IS_CANCELLED,
    GOES_ON,
    HAS_ONE_VALUE,
    HAS_FAILED,
    WAYS };

/* What becomes of a chain. Whether all went well. */
static bool run_chain(outcome *o, int which, int length, enum way way) {
    streams_error *over = new_error("over");
    streams_subject *subject = streams_passthrough_subject_create();
    streams_publisher *source = way == HAS_ONE_VALUE ? ints(1)
                                : way == HAS_FAILED  ? streams_fail(over)
                                                     : streams_subject_publisher(subject);
    begin(o, chain(source, which, length));
    bool right = must(o->cancellable != NULL) && must(let_happen(&f));
    if (way < HAS_ONE_VALUE) {
        streams_status status = send_int(subject, 1);
        right &= must(status == STREAMS_OK) && must(let_time_pass(&f));
    }
    if (way == FINISHES) right &= must(finish(subject) == STREAMS_OK);
    if (way == FAILS) right &= must(streams_subject_send_completion(subject, over) == STREAMS_OK);
    if (way == IS_CANCELLED) right &= must(streams_cancel(o->cancellable) == STREAMS_OK);
    right &= must(let_time_pass(&f));
    right &= must(end_soon(o));
    right &= must(streams_release(subject) == STREAMS_OK);
    return must(streams_release(over) == STREAMS_OK) && right;
}

static int length_of_chain;
static bool must_work;

static bool recovers(int which) {
    static const char *const names[] = { "streams_catch", "streams_replace_error", NULL };
    return which == attachment_count || is_one_of(attachments[which].function, names);
}

static bool is_as_expected(const outcome *o, const outcome *expected, int which, enum way way) {
    if (is_limit(o)) return !must_work;
    /* A catch has made something of the limit. */
    if (!must_work && recovers(which) && o->ended && !o->failed) return true;
    /* Each has sent one value by its end. */
    if (way == FINISHES && (o->values != (drops_all(which) ? 0 : 1) || o->failed)) return false;
    if (which == attachment_count) return o->ended == expected->ended;
    /* A value gets through one of these with each of its intervals, or with the end. */
    bool waits = collects_by_time(attachments[which].function) && way != FINISHES && way != HAS_ONE_VALUE;
    return o->ended == expected->ended && o->failed == expected->failed && o->code == expected->code &&
           (waits || o->values == expected->values);
}

static bool chains_behave_(void) {
    bool right = true;
    for (int which = 0; which <= attachment_count; which++) {
        for (int way = 0; way < WAYS; way++) {
            if (length_of_chain > 5000 && way >= IS_CANCELLED && way <= HAS_ONE_VALUE) continue;
            outcome o, expected;
            bool is_mixed = which == attachment_count;
            right &= run_chain(&expected, is_mixed ? 0 : which, 1, (enum way)way);
            right &= run_chain(&o, which, length_of_chain, (enum way)way);
            if (is_as_expected(&o, &expected, which, (enum way)way)) continue;
            print_error("%s, way %d: %d values, ended %d, failed %d, code %d, instead of %d, %d, %d, %d\n",
                is_mixed ? "all" : attachments[which].function, way, o.values, o.ended, o.failed, (int)o.code,
                expected.values, expected.ended, expected.failed, (int)expected.code);
            right = false;
        }
    }
    return right;
}

static bool chains_behave(int length, bool work, bool small_stack) {
    length_of_chain = length;
    must_work = work;
    fixture_begin(&f);
    bool right = small_stack ? on_small_stack(chains_behave_) : chains_behave_();
    right &= must(f.life.counter.destroyed == f.life.contexts);
    fixture_end(&f);
    return right;
}

static void a_hundred_operators_fit_on_any_stack(void **state) {
    (void)state;
    assert_true(chains_behave(100, true, true));
    assert_true(chains_behave(100, true, false));
}

static void a_thousand_operators_fit_on_the_main_stack(void **state) {
    (void)state;
    if (under_valgrind()) skip();
    assert_true(chains_behave(1000, true, false));
}

static void ten_thousand_operators_do_no_harm(void **state) {
    (void)state;
    assert_true(chains_behave(under_valgrind() ? 300 : 3000, false, true));
    assert_true(chains_behave(under_valgrind() ? 300 : 10000, false, false));
}

/* Built where there is much stack, and used where there is little. */
static outcome shared;
static streams_subject *shared_subject;
static bool shared_drops;
static bool use_shared(void) {
    bool right = must(let_happen(&f)) && must(send_int(shared_subject, 1) == STREAMS_OK);
    right &= must(let_time_pass(&f));
    (void)finish(shared_subject);
    right &= must(let_time_pass(&f));
    bool is_whole = !shared.failed && shared.values == (shared_drops ? 0 : 1);
    right &= must(shared.ended) && must(is_limit(&shared) || is_whole);
    return must(end_soon(&shared)) && right;
}

static void what_one_thread_begins_another_may_end(void **state) {
    (void)state;
    fixture_begin(&f);
    for (int which = 0; which < attachment_count; which++) {
        shared_subject = streams_passthrough_subject_create();
        shared_drops = drops_all(which);
        begin(&shared, chain(streams_subject_publisher(shared_subject), which,
                           under_valgrind() ? 200 : 1500));
        if (!on_small_stack(use_shared)) fail_msg("%s", attachments[which].function);
        assert_ok(streams_release(shared_subject));
    }
    fixture_end(&f);
}

/* ---- Building and releasing ------------------------------------------------------ */

static bool build_and_release(void) {
    bool right = true;
    for (int which = 0; which <= attachment_count; which++) {
        int before = f.life.counter.destroyed;
        streams_publisher *p = chain(ints(1), which, many());
        right &= must(p != NULL) && must(streams_retain(p) == STREAMS_OK);
        outcome o;
        begin(&o, p);
        right &= must(let_time_pass(&f)) && must(end_soon(&o));
        right &= must(f.life.counter.destroyed == before) && must(streams_release(p) == STREAMS_OK);
        right &= must(f.life.counter.destroyed == f.life.contexts);
    }
    return right;
}

static void long_chains_are_built_and_released(void **state) {
    (void)state;
    fixture_begin(&f);
    assert_true(on_small_stack(build_and_release));
    fixture_end(&f);
}

static void a_long_run_of_maps_works(void **state) {
    (void)state;
    outcome o;
    streams_publisher *p = ints(3);
    for (int i = 0; i < 10000; i++) p = streams_map(p, add_one, NULL, NULL);
    begin(&o, p);
    assert_int_equal(o.values, 3);
    assert_int_equal(o.last, 10003);
    assert_true(o.ended && !o.failed);
    assert_true(end(&o));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_hundred_operators_fit_on_any_stack),
        test(a_thousand_operators_fit_on_the_main_stack),
        test(ten_thousand_operators_do_no_harm),
        test(what_one_thread_begins_another_may_end),
        test(long_chains_are_built_and_released),
        test(a_long_run_of_maps_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
