/* Functions of steps that act upon streams while a batch goes through them: what
 * they cause comes after the results that were made before, as where values are
 * sent one by one, and where every step is an operator of its own. */

#include "support.h"

enum { VALUES = 6,
    ACTS_AT = 3 };

enum action { FINISH,
    FAIL,
    SEND,
    SEND_MANY,
    SEND_ASIDE,
    SEND_TO_THE_OTHER,
    CANCEL,
    CANCEL_SUBSCRIPTION,
    RELEASE,
    REQUEST,
    SUBSCRIBE,
    FINISH_AND_FAIL,
    ACTIONS };

/* One stream and what its functions act upon. */
typedef struct {
    /* What sinks hear. */
    test_log heard;
    /* With which values functions are called. */
    test_log called;
    streams_subject *subject;
    streams_subject *aside;
    streams_subject *other;
    streams_subscription *subscription;
    streams_cancellable *cancellable;
    streams_cancellable *second;
    uint64_t more;
    enum action action;
    bool has_acted;
} stage;

static uint64_t hear(void *context, const streams_value *value) {
    stage *s = context;
    log_value(&s->heard, value);
    return s->more;
}
static uint64_t hear_aside(void *context, const streams_value *value) {
    log_add(&((stage *)context)->heard, "aside");
    (void)hear(context, value);
    return 0;
}
static void hear_end(void *context, const streams_error *error) {
    log_add(&((stage *)context)->heard, error == NULL ? "finished" : "failed");
}
static void keep(void *context, streams_subscription *subscription) {
    (void)streams_retain(subscription);
    ((stage *)context)->subscription = subscription;
}

static streams_subscriber subscriber(stage *s, bool is_aside) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = s;
    subscriber.on_value = is_aside ? hear_aside : hear;
    subscriber.on_completion = hear_end;
    return subscriber;
}

static void act(stage *s) {
    streams_value many[] = { streams_int(100), streams_int(101) };
    streams_subscriber second = subscriber(s, true);
    switch (s->action) {
    case FINISH: (void)finish(s->subject); break;
    case FINISH_AND_FAIL:
    case FAIL: (void)fail_with(s->subject, "acted"); break;
    case SEND: (void)send_int(s->subject, 100); break;
    case SEND_MANY: (void)streams_subject_send_values(s->subject, many, 2); break;
    case SEND_ASIDE: (void)send_int(s->aside, 100); break;
    case SEND_TO_THE_OTHER: (void)send_int(s->other, 100); break;
    case CANCEL: (void)streams_cancel(s->cancellable); break;
    case CANCEL_SUBSCRIPTION: (void)streams_subscription_cancel(s->subscription); break;
    case RELEASE:
        (void)streams_release(s->cancellable);
        s->cancellable = NULL;
        break;
    case REQUEST: (void)streams_subscription_request(s->subscription, 2); break;
    case SUBSCRIBE: s->second = streams_sink(ints(2), &second); break;
    default: break;
    }
}

/* ---- Functions of steps ---------------------------------------------------- */

static bool acts(stage *s, const streams_value *value) {
    log_value(&s->called, value);
    if (s->has_acted || value->as.integer != ACTS_AT) return false;
    s->has_acted = true;
    act(s);
    return s->action == FINISH_AND_FAIL;
}
static streams_status acting_map(void *context, const streams_value *in, streams_value *out) {
    if (acts(context, in)) return STREAMS_CALLBACK_FAILED;
    return streams_value_copy(in, out);
}
static streams_status acting_text(void *context, const streams_value *in, streams_value *out) {
    char text[64];
    if (acts(context, in)) return STREAMS_CALLBACK_FAILED;
    (void)snprintf(text, sizeof text, "the number of which this is the text: %d", (int)in->as.integer);
    return streams_value_string(text, strlen(text), out);
}
static streams_status acting_filter(void *context, const streams_value *in, bool *result) {
    if (acts(context, in)) return STREAMS_CALLBACK_FAILED;
    *result = true;
    return STREAMS_OK;
}
static streams_status acting_odd(void *context, const streams_value *in, bool *result) {
    if (acts(context, in)) return STREAMS_CALLBACK_FAILED;
    *result = in->as.integer % 2 == 1;
    return STREAMS_OK;
}
static streams_status acting_small(void *context, const streams_value *in, bool *result) {
    *result = in->as.integer < ACTS_AT;
    return acts(context, in) ? STREAMS_CALLBACK_FAILED : STREAMS_OK;
}
static streams_status acting_sum(
    void *context, const streams_value *last, const streams_value *in, streams_value *out) {
    if (acts(context, in)) return STREAMS_CALLBACK_FAILED;
    *out = streams_int(last->as.integer + in->as.integer);
    return STREAMS_OK;
}
static streams_status acting_compare(
    void *context, const streams_value *last, const streams_value *in, bool *same) {
    (void)last;
    *same = false;
    return acts(context, in) ? STREAMS_CALLBACK_FAILED : STREAMS_OK;
}
static streams_status logged(void *context, const streams_value *in, streams_value *out) {
    log_add(&((stage *)context)->called, "then");
    return streams_value_copy(in, out);
}
static streams_status logged_filter(void *context, const streams_value *in, bool *result) {
    (void)in;
    log_add(&((stage *)context)->called, "kept");
    *result = true;
    return STREAMS_OK;
}

static void ignore(void *context, const streams_value *value) { (void)context, (void)value; }

/* With `apart`, what is attached next is no part of the same operator. */
static streams_publisher *part(streams_publisher *p, bool apart) {
    streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
    handlers.on_value = ignore;
    return apart ? streams_handle_events(p, &handlers) : p;
}

enum { SHAPES = 16 };

static streams_publisher *shaped(streams_publisher *p, int shape, stage *s, bool apart) {
    const streams_value zero = streams_int(0);
    switch (shape) {
    case 0: return streams_map(p, acting_map, s, NULL);
    case 1: return streams_filter(p, acting_filter, s, NULL);
    case 2: return streams_compact_map(p, acting_map, s, NULL);
    case 3: return streams_map(p, acting_text, s, NULL);
    case 4: return streams_filter(p, acting_odd, s, NULL);
    case 5: return streams_scan(p, &zero, acting_sum, s, NULL);
    case 6: return streams_remove_duplicates_by(p, acting_compare, s, NULL);
    case 7: return streams_prefix_while(p, acting_filter, s, NULL);
    case 8: return streams_drop_while(p, acting_filter, s, NULL);
    case 9: return streams_drop_while(p, acting_small, s, NULL);
    case 10: p = part(streams_map(p, acting_map, s, NULL), apart); return streams_map(p, logged, s, NULL);
    case 11: p = part(streams_map(p, logged, s, NULL), apart); return streams_map(p, acting_map, s, NULL);
    case 12:
        p = part(streams_map(p, acting_map, s, NULL), apart);
        return streams_filter(p, logged_filter, s, NULL);
    case 13:
        p = part(streams_filter(p, acting_filter, s, NULL), apart);
        p = part(streams_map(p, logged, s, NULL), apart);
        return streams_compact_map(p, logged, s, NULL);
    case 14:
        p = part(streams_filter(p, logged_filter, s, NULL), apart);
        p = part(streams_map(p, acting_text, s, NULL), apart);
        return streams_filter(p, logged_filter, s, NULL);
    default:
        p = part(streams_map(p, acting_text, s, NULL), apart);
        return streams_map(p, logged, s, NULL);
    }
}

/* ---- The same in several ways ---------------------------------------------- */

/* What comes from a source of its own is compared with itself only: nothing that is
 * sent to the subject comes between. */
enum way { ONE_BY_ONE,
    ONE_BY_ONE_APART,
    AT_ONCE,
    AT_ONCE_APART,
    AS_INTEGERS,
    BY_A_PUBLISHER,
    WAYS,
    FROM_A_SOURCE,
    FROM_A_SOURCE_APART };

static streams_publisher *source(streams_subject *subject, enum way way) {
    int64_t integers[VALUES];
    for (int i = 0; i < VALUES; i++) integers[i] = i + 1;
    return way < WAYS ? streams_subject_publisher(subject)
                      : part(streams_sequence_int64s(integers, VALUES), way == FROM_A_SOURCE_APART);
}

static void send_all(streams_subject *subject, enum way way) {
    streams_value values[VALUES];
    int64_t integers[VALUES];
    if (way >= WAYS) return;
    for (int i = 0; i < VALUES; i++) values[i] = streams_int(integers[i] = i + 1);
    if (way == AT_ONCE || way == AT_ONCE_APART) {
        (void)streams_subject_send_values(subject, values, VALUES);
    } else if (way == AS_INTEGERS) {
        (void)streams_subject_send_int64s(subject, integers, VALUES);
    } else if (way == BY_A_PUBLISHER) {
        (void)streams_release(streams_subscribe(streams_sequence(values, VALUES), subject));
    } else {
        for (int i = 0; i < VALUES; i++) (void)streams_subject_send(subject, &values[i]);
    }
}

static void run(stage *s, int shape, enum action action, uint64_t demand, enum way way) {
    memset(s, 0, sizeof *s);
    s->action = action;
    s->more = demand == STREAMS_UNLIMITED ? 0 : 1;
    s->subject = streams_passthrough_subject_create();
    s->aside = streams_passthrough_subject_create();
    s->other = streams_passthrough_subject_create();
    streams_subscriber aside = subscriber(s, true);
    streams_cancellable *cancellable = streams_sink(streams_subject_publisher(s->aside), &aside);
    bool apart = way == ONE_BY_ONE_APART || way == AT_ONCE_APART || way == FROM_A_SOURCE_APART;
    streams_publisher *both[] = {
        shaped(source(s->subject, way), shape, s, apart),
        streams_subject_publisher(s->other),
    };
    streams_subscriber main = subscriber(s, false);
    main.on_subscription = keep;
    main.demand = demand;
    s->cancellable = streams_sink(action == SEND_TO_THE_OTHER ? streams_merge(both, 2) : both[0], &main);
    if (action != SEND_TO_THE_OTHER) (void)streams_release(both[1]);
    send_all(s->subject, way);
    (void)finish(s->subject);
    if (s->cancellable != NULL) (void)streams_release(s->cancellable);
    if (s->second != NULL) (void)streams_release(s->second);
    (void)streams_release(s->subscription);
    (void)streams_release(cancellable);
    (void)streams_release(s->subject);
    (void)streams_release(s->aside);
    (void)streams_release(s->other);
}

static void agree(uint64_t demand) {
    static stage expected, found;
    for (int shape = 0; shape < SHAPES; shape++) {
        for (enum action action = 0; action < ACTIONS; action++) {
            run(&expected, shape, action, demand, ONE_BY_ONE_APART);
            assert_true(expected.has_acted);
            for (enum way way = 0; way < WAYS; way++) {
                run(&found, shape, action, demand, way);
                if (strcmp(found.heard.text, expected.heard.text) != 0)
                    print_message("shape %d, action %d, way %d\n", shape, (int)action, (int)way);
                assert_string_equal(found.heard.text, expected.heard.text);
                /* There, a function is called for all before the next is. */
                if (way == AT_ONCE_APART || action == SEND_MANY) continue;
                assert_string_equal(found.called.text, expected.called.text);
            }
            run(&expected, shape, action, demand, FROM_A_SOURCE_APART);
            run(&found, shape, action, demand, FROM_A_SOURCE);
            assert_string_equal(found.heard.text, expected.heard.text);
            assert_string_equal(found.called.text, expected.called.text);
        }
    }
}

static void what_functions_cause_comes_after_the_results_before_it(void **state) {
    (void)state;
    agree(STREAMS_UNLIMITED);
}

static void they_do_so_where_there_is_demand_for_all(void **state) {
    (void)state;
    agree(VALUES + 2);
}

static void demand_is_taken_value_by_value_also_of_an_array(void **state) {
    (void)state;
    static stage s;
    run(&s, 0, SEND, ACTS_AT, ONE_BY_ONE);
    assert_string_equal(s.heard.text, "1 2 100 3 4 5 6 finished");
    run(&s, 0, SEND, ACTS_AT, AT_ONCE);
    assert_string_equal(s.heard.text, "1 2 100 3 4 5 6 finished");
}

static uint64_t blunder(void *context, const streams_value *value) {
    (void)value;
    ++*(int *)context;
    (void)streams_retain(NULL);
    return 0;
}
static streams_status blunder_and_send(void *context, const streams_value *in, streams_value *out) {
    (void)streams_sequence(NULL, 1);
    (void)send_int(context, 100);
    bool is_kept = streams_last_status() == STREAMS_NULL_ARGUMENT;
    streams_clear_last_error();
    return is_kept ? streams_value_copy(in, out) : STREAMS_CALLBACK_FAILED;
}

static void the_last_error_is_not_that_of_what_is_delivered_within_a_call(void **state) {
    (void)state;
    int received = 0;
    streams_subject *subject = streams_passthrough_subject_create();
    streams_subject *aside = streams_passthrough_subject_create();
    streams_subscriber s = STREAMS_SUBSCRIBER_INIT;
    s.on_value = blunder;
    s.context = &received;
    streams_cancellable *cancellable =
        streams_sink(streams_map(streams_subject_publisher(subject), blunder_and_send, aside, NULL), &s);
    send_all(subject, AT_ONCE);
    assert_int_equal(received, VALUES);
    streams_clear_last_error();
    assert_ok(streams_release(cancellable));
    assert_ok(streams_release(subject));
    assert_ok(streams_release(aside));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(what_functions_cause_comes_after_the_results_before_it),
        test(they_do_so_where_there_is_demand_for_all),
        test(demand_is_taken_value_by_value_also_of_an_array),
        test(the_last_error_is_not_that_of_what_is_delivered_within_a_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
