/* Nothing that nests uses up the stack: what cannot be done on it fails with
 * STREAMS_LIMIT, and everything is let go of. */

#include <pthread.h>

#include "support.h"

/* ---- Threads with little stack ----------------------------------------------- */

enum { SMALL_STACK = 512 * 1024,
    MANY = 100000 };

/* How many of something heavy. */
static int many(void) { return under_valgrind() ? 1000 : MANY; }

typedef struct job {
    bool (*body)(void);
    bool result;
} job;

static void *run_job(void *context) {
    job *self = context;
    self->result = self->body();
    return NULL;
}

static bool on_small_stack(bool (*body)(void)) {
    job self = { body, false };
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, SMALL_STACK);
    bool started = pthread_create(&thread, &attributes, run_job, &self) == 0;
    pthread_attr_destroy(&attributes);
    if (started) pthread_join(thread, NULL);
    return started && self.result;
}

static bool check(bool condition, const char *text, int line) {
    if (!condition) print_error("line %d: %s\n", line, text);
    return condition;
}
#define must(condition) check((condition), #condition, __LINE__)

/* ---- Chains of one operator, and of all of them --------------------------------- */

static counter contexts;

static streams_status same_kind(void *context, const streams_value *a, const streams_value *b, bool *same) {
    (void)context, (void)a, (void)b, (void)same;
    return STREAMS_OK;
}
static streams_status latest(
    void *context, const streams_value *accumulated, const streams_value *in, streams_value *out) {
    (void)context, (void)accumulated;
    return streams_value_copy(in, out);
}
static streams_status expand_once(void *context, const streams_value *in, streams_publisher **out) {
    (void)context;
    *out = streams_just(in);
    return STREAMS_OK;
}
static streams_status rethrow(void *context, const streams_error *error, streams_publisher **out) {
    (void)context;
    *out = streams_fail(error);
    return STREAMS_OK;
}
static streams_status first_of_list(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    return streams_value_copy(&in->as.items[0], out);
}
static streams_status accept_all(void *context, const streams_value *in, bool *result) {
    (void)context, (void)in;
    *result = true;
    return STREAMS_OK;
}
static void ignore_text(void *context, const char *text, size_t length) {
    (void)context, (void)text, (void)length;
}
static void ignore_value(void *context, const streams_value *value) { (void)context, (void)value; }
static void ignore_request(void *context, uint64_t demand) { (void)context, (void)demand; }
static void ignore_subscription(void *context, streams_subscription *subscription) {
    (void)context, (void)subscription;
}

typedef streams_publisher *(*attach)(streams_publisher *p);

static streams_publisher *with_map(streams_publisher *p) {
    return streams_map(p, add_one, &contexts, counter_destroy);
}
static streams_publisher *with_filter(streams_publisher *p) {
    return streams_filter(p, accept_all, &contexts, counter_destroy);
}
static streams_publisher *with_compact_map(streams_publisher *p) {
    return streams_compact_map(p, identity, &contexts, counter_destroy);
}
static streams_publisher *with_remove_duplicates(streams_publisher *p) {
    return streams_remove_duplicates(p);
}
static streams_publisher *with_remove_duplicates_by(streams_publisher *p) {
    return streams_remove_duplicates_by(p, same_kind, &contexts, counter_destroy);
}
static streams_publisher *with_scan(streams_publisher *p) {
    const streams_value zero = streams_int(0);
    return streams_scan(p, &zero, latest, &contexts, counter_destroy);
}
static streams_publisher *with_reduce(streams_publisher *p) {
    const streams_value zero = streams_int(0);
    return streams_reduce(p, &zero, latest, &contexts, counter_destroy);
}
static streams_publisher *with_collect(streams_publisher *p) {
    return streams_map(streams_collect(p), first_of_list, NULL, NULL);
}
static streams_publisher *with_collect_count(streams_publisher *p) {
    return streams_map(streams_collect_count(p, 1), first_of_list, NULL, NULL);
}
static streams_publisher *with_prefix(streams_publisher *p) { return streams_prefix(p, 1000); }
static streams_publisher *with_drop_first(streams_publisher *p) { return streams_drop_first(p, 0); }
static streams_publisher *with_flat_map(streams_publisher *p) {
    return streams_flat_map(p, 2, expand_once, &contexts, counter_destroy);
}
static streams_publisher *with_catch(streams_publisher *p) {
    return streams_catch(p, rethrow, &contexts, counter_destroy);
}
static streams_publisher *with_merge(streams_publisher *p) {
    streams_publisher *both[2] = { p, streams_empty(true) };
    return streams_merge(both, 2);
}
static streams_publisher *with_zip(streams_publisher *p) {
    streams_publisher *both[2] = { p, ints(1) };
    return streams_map(streams_zip(both, 2), first_of_list, NULL, NULL);
}
static streams_publisher *with_combine_latest(streams_publisher *p) {
    streams_publisher *both[2] = { p, ints(1) };
    return streams_map(streams_combine_latest(both, 2), first_of_list, NULL, NULL);
}
static streams_publisher *with_events(streams_publisher *p) {
    streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
    handlers.context = &contexts;
    handlers.on_subscription = ignore_subscription;
    handlers.on_value = ignore_value;
    handlers.on_request = ignore_request;
    handlers.destroy = counter_destroy;
    return streams_handle_events(p, &handlers);
}
static streams_publisher *with_print(streams_publisher *p) {
    return streams_print(p, "p", ignore_text, &contexts, counter_destroy);
}

static const struct {
    const char *name;
    attach attach;
} operators[] = {
    { "map", with_map },
    { "filter", with_filter },
    { "compact_map", with_compact_map },
    { "remove_duplicates", with_remove_duplicates },
    { "remove_duplicates_by", with_remove_duplicates_by },
    { "scan", with_scan },
    { "reduce", with_reduce },
    { "collect", with_collect },
    { "collect_count", with_collect_count },
    { "prefix", with_prefix },
    { "drop_first", with_drop_first },
    { "flat_map", with_flat_map },
    { "catch", with_catch },
    { "merge", with_merge },
    { "zip", with_zip },
    { "combine_latest", with_combine_latest },
    { "handle_events", with_events },
    { "print", with_print },
};
enum { OPERATORS = sizeof operators / sizeof *operators };

/* A chain of one operator; of all of them in turn if there is no such one. */
static streams_publisher *chain(streams_publisher *p, int which, int length) {
    for (int i = 0; i < length; i++) p = operators[which < OPERATORS ? which : i % OPERATORS].attach(p);
    return p;
}

/* ---- A stream that says how it ended ------------------------------------------ */

typedef struct outcome {
    int values;
    int64_t last;
    bool ended, failed;
    int64_t code;
    int destroyed;
    streams_subscription *subscription;
    streams_cancellable *ticket;
} outcome;

static void note_subscription(void *context, streams_subscription *subscription) {
    outcome *self = context;
    if (streams_retain(subscription) == STREAMS_OK) self->subscription = subscription;
}
static uint64_t note_value(void *context, const streams_value *value) {
    outcome *self = context;
    self->values++;
    self->last = value->as.integer;
    return 1;
}
static void note_completion(void *context, const streams_error *error) {
    outcome *self = context;
    self->ended = true;
    self->failed = error != NULL;
    self->code = error == NULL ? 0 : streams_error_code(error);
}
static void note_destroy(void *context) { ((outcome *)context)->destroyed++; }

static void begin(outcome *self, streams_publisher *p) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    *self = (outcome){ .values = 0 };
    subscriber.context = self;
    subscriber.demand = 3;
    subscriber.on_subscription = note_subscription;
    subscriber.on_value = note_value;
    subscriber.on_completion = note_completion;
    subscriber.destroy = note_destroy;
    self->ticket = streams_sink(p, &subscriber);
}

static bool end(outcome *self) {
    bool right = self->ticket == NULL || streams_release(self->ticket) == STREAMS_OK;
    if (self->subscription != NULL) right &= streams_release(self->subscription) == STREAMS_OK;
    return right && self->destroyed == 1;
}

static bool is_limit(const outcome *self) {
    return self->ended && self->failed && self->code == STREAMS_LIMIT;
}

/* Whatever the length, a stream does what it does when it is short, or fails with STREAMS_LIMIT. */
static int length_of_chain;
static bool must_work;

static bool chains_behave_(void) {
    bool right = true;
    streams_error *over = new_error("over");
    for (int which = 0; which <= OPERATORS; which++) {
        for (int way = 0; way < 6; way += length_of_chain > 5000 ? 2 : 1) {
            bool all_values = which != OPERATORS && operators[which].attach != with_reduce &&
                              operators[which].attach != with_collect;
            streams_subject *subject = streams_passthrough_subject_create();
            streams_publisher *source = way == 4   ? ints(1)
                                        : way == 5 ? streams_fail(over)
                                                   : streams_subject_publisher(subject);
            outcome o;
            begin(&o, chain(source, which, length_of_chain));
            bool this = o.ticket != NULL;
            if (way < 4) this &= send_int(subject, 1) == STREAMS_OK;
            if (must_work && all_values && way != 5) this &= o.values == 1;
            if (way == 0) this &= finish(subject) == STREAMS_OK;
            if (way == 1) this &= streams_subject_send_completion(subject, over) == STREAMS_OK;
            if (way == 2) this &= streams_cancel(o.ticket) == STREAMS_OK;
            if (way == 4 || way == 0) this &= o.ended && (is_limit(&o) || (!o.failed && o.values == 1));
            if (way == 5) this &= o.ended && (is_limit(&o) || o.code == 1);
            /* A zip may have finished before. */
            if (way == 1) this &= o.ended && (is_limit(&o) || !o.failed || o.code == 1);
            if (must_work) this &= !is_limit(&o);
            this &= end(&o);
            this &= streams_release(subject) == STREAMS_OK;
            if (!this)
                print_error("%s, way %d: %d values, ended %d, failed %d, code %d, destroyed %d\n",
                    which < OPERATORS ? operators[which].name : "all", way, o.values, o.ended, o.failed,
                    (int)o.code, o.destroyed);
            right &= this;
        }
    }
    right &= streams_release(over) == STREAMS_OK;
    return right;
}

static bool chains_behave(int length, bool work, bool small_stack) {
    length_of_chain = length;
    must_work = work;
    return small_stack ? on_small_stack(chains_behave_) : chains_behave_();
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
static bool use_shared(void) {
    bool right = must(send_int(shared_subject, 1) == STREAMS_OK);
    right &= must(is_limit(&shared) || shared.values == 1);
    (void)finish(shared_subject);
    right &= must(shared.ended);
    return must(end(&shared)) && right;
}

static void what_one_thread_begins_another_may_end(void **state) {
    (void)state;
    for (int which = 0; which < OPERATORS; which++) {
        if (operators[which].attach == with_reduce || operators[which].attach == with_collect) continue;
        shared_subject = streams_passthrough_subject_create();
        begin(&shared, chain(streams_subject_publisher(shared_subject), which,
                           under_valgrind() ? 200 : 1500));
        if (!on_small_stack(use_shared)) fail_msg("%s", operators[which].name);
        assert_ok(streams_release(shared_subject));
    }
}

/* ---- Building and releasing ------------------------------------------------------ */

static bool build_and_release(void) {
    bool right = true;
    for (int which = 0; which <= OPERATORS; which++) {
        contexts.destroyed = 0;
        streams_publisher *p = chain(ints(1), which, many());
        right &= must(p != NULL) && must(streams_retain(p) == STREAMS_OK);
        outcome o;
        begin(&o, p);
        right &= must(end(&o));
        right &= must(contexts.destroyed == 0) && must(streams_release(p) == STREAMS_OK);
        bool has_context = which >= OPERATORS || operators[which].attach == with_map;
        right &= must(!has_context || contexts.destroyed > many() / 3);
    }
    return right;
}

static void long_chains_are_built_and_released(void **state) {
    (void)state;
    assert_true(build_and_release());
    assert_true(on_small_stack(build_and_release));
}

static void a_long_run_of_maps_works(void **state) {
    (void)state;
    outcome o;
    begin(&o, chain(ints(3), 0, 10000));
    assert_int_equal(o.values, 3);
    assert_int_equal(o.last, 10003);
    assert_true(o.ended && !o.failed);
    assert_true(end(&o));
}

/* ---- Subjects that feed each other ------------------------------------------------ */

static bool assignments_in_a_circle(void) {
    const streams_value zero = streams_int(0);
    streams_subject *a = streams_current_value_subject_create(&zero);
    streams_subject *b = streams_current_value_subject_create(&zero);
    streams_cancellable *there = streams_assign(streams_subject_publisher(a), b);
    streams_cancellable *back = streams_assign(streams_subject_publisher(b), a);
    bool right = must(there != NULL) && must(back != NULL);
    right &= must(send_int(a, 1) == STREAMS_OK);
    /* The circle is cut; both can still be used. */
    right &= must(send_int(a, 2) == STREAMS_OK) && must(send_int(b, 3) == STREAMS_OK);
    streams_value value;
    right &= must(streams_current_value_subject_get_value(b, &value) == STREAMS_OK);
    right &= must(value.as.integer == 3);
    right &= must(streams_release(there) == STREAMS_OK) && must(streams_release(back) == STREAMS_OK);
    return must(streams_release(a) == STREAMS_OK) && must(streams_release(b) == STREAMS_OK) && right;
}

static bool a_subject_fed_by_itself(void) {
    const streams_value zero = streams_int(0);
    bool right = true;
    for (int kind = 0; kind < 2; kind++) {
        streams_subject *subject =
            kind == 0 ? streams_passthrough_subject_create() : streams_current_value_subject_create(&zero);
        outcome o;
        begin(&o, streams_subject_publisher(subject));
        streams_cancellable *loop = streams_subscribe(streams_subject_publisher(subject), subject);
        right &= must(loop != NULL);
        (void)send_int(subject, 1);
        right &= must(is_limit(&o));
        right &= must(send_int(subject, 2) == STREAMS_TERMINATED);
        right &= must(end(&o)) && must(streams_release(loop) == STREAMS_OK);
        right &= must(streams_release(subject) == STREAMS_OK);
    }
    streams_clear_last_error();
    return right;
}

/* One subject feeds the next. */
static bool a_row_of_subjects(void) {
    int count = many();
    streams_subject **subjects = calloc((size_t)count, sizeof *subjects);
    streams_cancellable **tickets = calloc((size_t)count, sizeof *tickets);
    bool right = true;
    for (int i = 0; i < count; i++) {
        subjects[i] = streams_passthrough_subject_create();
        if (i > 0) tickets[i] = streams_subscribe(streams_subject_publisher(subjects[i - 1]), subjects[i]);
        right &= subjects[i] != NULL && (i == 0 || tickets[i] != NULL);
    }
    outcome o;
    begin(&o, streams_subject_publisher(subjects[count - 1]));
    right &= must(send_int(subjects[0], 1) == STREAMS_OK);
    right &= must(o.values == 1 || is_limit(&o));
    right &= must(end(&o));
    for (int i = 0; i < count; i++) right &= streams_release(subjects[i]) == STREAMS_OK;
    for (int i = count - 1; i > 0; i--) right &= streams_release(tickets[i]) == STREAMS_OK;
    free(subjects);
    free(tickets);
    return must(right);
}

static void subjects_may_feed_each_other(void **state) {
    (void)state;
    assert_true(assignments_in_a_circle() && on_small_stack(assignments_in_a_circle));
    assert_true(a_subject_fed_by_itself() && on_small_stack(a_subject_fed_by_itself));
    assert_true(a_row_of_subjects() && on_small_stack(a_row_of_subjects));
}

/* ---- Callbacks that call ------------------------------------------------------------ */

/* A row of subjects whose subscribers send on to the next. */
typedef struct link {
    streams_subject *subject;
    streams_cancellable *ticket;
    struct link *next;
    int *reached;
    streams_status *status;
    void (*act)(struct link *next);
} link;

/* The innermost call is the one that is refused. */
static void note_status(const link *next, streams_status status) {
    if (status != STREAMS_OK) *next->status = status;
}
static void send_on(link *next) { note_status(next, send_int(next->subject, 1)); }
static void send_batch_on(link *next) {
    const int64_t number = 1;
    note_status(next, streams_subject_send_int64s(next->subject, &number, 1));
}
static void finish_on(link *next) { note_status(next, finish(next->subject)); }
static void release_on(link *next) {
    if (next->ticket != NULL) note_status(next, streams_release(next->ticket));
    next->ticket = NULL;
}
static void cancel_on(link *next) { note_status(next, streams_cancel(next->ticket)); }

static void go_on(link *self) {
    ++*self->reached;
    if (self->next != NULL) self->act(self->next);
}
static uint64_t link_value(void *context, const streams_value *value) {
    (void)value;
    go_on(context);
    return 0;
}
static void link_completion(void *context, const streams_error *error) {
    (void)error;
    link *self = context;
    if (self->act == finish_on) go_on(self);
}
static void link_destroy(void *context) {
    link *self = context;
    if (self->act == release_on) go_on(self);
}
static void link_cancel(void *context) {
    link *self = context;
    if (self->act == cancel_on) go_on(self);
}

static int count_links(void (*act)(link *), void (*start)(link *), streams_status *status) {
    int count = many(), reached = 0;
    *status = STREAMS_OK;
    link *links = calloc((size_t)count, sizeof *links);
    for (int i = 0; i < count; i++) {
        streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
        streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
        links[i] = (link){ streams_passthrough_subject_create(), NULL, i + 1 < count ? &links[i + 1] : NULL,
            &reached, status, act };
        subscriber.context = handlers.context = &links[i];
        subscriber.on_value = link_value;
        subscriber.on_completion = link_completion;
        subscriber.destroy = link_destroy;
        handlers.on_cancel = link_cancel;
        links[i].ticket = streams_sink(
            streams_handle_events(streams_subject_publisher(links[i].subject), &handlers), &subscriber);
    }
    start(&links[0]);
    for (int i = 0; i < count; i++) {
        links[i].act = NULL;
        links[i].next = NULL;
    }
    for (int i = 0; i < count; i++) {
        if (links[i].ticket != NULL) (void)streams_release(links[i].ticket);
        (void)streams_release(links[i].subject);
    }
    free(links);
    streams_clear_last_error();
    return reached;
}

static bool callbacks_go_as_deep_as_there_is_stack(void) {
    streams_status status;
    bool right = true;
    void (*const acts[])(link *) = { send_on, send_batch_on, finish_on, cancel_on };
    for (int i = 0; i < 4; i++) {
        int reached = count_links(acts[i], acts[i], &status);
        if (reached < 50 || (reached != many() && status != STREAMS_LIMIT)) {
            print_error("way %d reached %d, %s\n", i, reached, streams_status_name(status));
            right = false;
        }
    }
    /* A release is never refused: what it ends is ended later. */
    right &= must(count_links(release_on, release_on, &status) == many()) && must(status == STREAMS_OK);
    return right;
}

static void callbacks_may_call_on_and_on(void **state) {
    (void)state;
    assert_true(callbacks_go_as_deep_as_there_is_stack());
    assert_true(on_small_stack(callbacks_go_as_deep_as_there_is_stack));
}

/* Releases one sink as deep as calls go, and sends to it further up, before all callbacks have returned. */
typedef struct deep_release {
    streams_subject *nested, *released;
    streams_cancellable *ticket;
    int depth, released_at, late_values;
} deep_release;

static uint64_t count_late(void *context, const streams_value *value) {
    (void)value;
    ((deep_release *)context)->late_values++;
    return 0;
}

static uint64_t release_at_the_bottom(void *context, const streams_value *value) {
    deep_release *self = context;
    int here = ++self->depth;
    if (self->released_at == 0 && streams_subject_send(self->nested, value) == STREAMS_LIMIT) {
        self->released_at = here;
        (void)streams_release(self->ticket);
    }
    if (here == self->released_at / 2) (void)streams_subject_send(self->released, value);
    return 0;
}

static bool a_release_is_heard_at_once(void) {
    deep_release self = { .nested = streams_passthrough_subject_create(),
        .released = streams_passthrough_subject_create() };
    streams_subscriber late = STREAMS_SUBSCRIBER_INIT, deep = STREAMS_SUBSCRIBER_INIT;
    late.context = deep.context = &self;
    late.on_value = count_late;
    deep.on_value = release_at_the_bottom;
    self.ticket = streams_sink(streams_subject_publisher(self.released), &late);
    streams_cancellable *other = streams_sink(streams_subject_publisher(self.nested), &deep);
    bool right = must(send_int(self.nested, 1) == STREAMS_OK);
    right &= must(self.released_at > 50) && must(self.late_values == 0);
    (void)streams_release(other);
    (void)streams_release(self.nested);
    (void)streams_release(self.released);
    streams_clear_last_error();
    return right;
}

static void a_sink_released_deep_down_hears_nothing_more(void **state) {
    (void)state;
    assert_true(a_release_is_heard_at_once());
    assert_true(on_small_stack(a_release_is_heard_at_once));
}

/* ---- Publishers made while a stream runs ------------------------------------------------ */

static int depth;

static streams_status expand_again(void *context, const streams_value *in, streams_publisher **out) {
    depth++;
    *out = streams_flat_map(streams_just(in), 1, expand_again, context, NULL);
    return STREAMS_OK;
}

static streams_status expand_often(void *context, const streams_value *in, streams_publisher **out) {
    const streams_value less = streams_int(in->as.integer - 1);
    depth++;
    *out = in->as.integer == 0 ? streams_just(in)
                               : streams_flat_map(streams_just(&less), 1, expand_often, context, NULL);
    return STREAMS_OK;
}

static streams_status recover_again(void *context, const streams_error *error, streams_publisher **out) {
    depth++;
    *out = streams_catch(streams_fail(error), recover_again, context, NULL);
    return STREAMS_OK;
}

static bool endless_publishers(void) {
    outcome o;
    depth = 0;
    begin(&o, streams_flat_map(ints(1), 1, expand_again, NULL, NULL));
    bool right = must(is_limit(&o)) && must(depth > 20) && must(end(&o));
    const streams_value deep = streams_int(50);
    depth = 0;
    begin(&o, streams_flat_map(streams_just(&deep), 1, expand_often, NULL, NULL));
    right &= must(o.values == 1) && must(depth == 51) && must(!o.failed) && must(end(&o));
    depth = 0;
    begin(&o, streams_catch(failed(), recover_again, NULL, NULL));
    return must(is_limit(&o)) && must(depth > 20) && must(end(&o)) && right;
}

static void publishers_may_make_publishers(void **state) {
    (void)state;
    assert_true(endless_publishers());
    assert_true(on_small_stack(endless_publishers));
}

/* Each level is fed later, and the value of the innermost passes through all of them. */
static streams_subject *inner_subject;
static streams_status expand_later(void *context, const streams_value *in, streams_publisher **out) {
    (void)in;
    streams_subject *next = streams_passthrough_subject_create();
    *out = streams_flat_map(streams_subject_publisher(next), 1, expand_later, context, NULL);
    if (inner_subject != NULL) (void)streams_release(inner_subject);
    inner_subject = next;
    depth++;
    return STREAMS_OK;
}

static bool levels_that_come_one_by_one(void) {
    outcome o;
    int levels = under_valgrind() ? 500 : 20000;
    bool right = true;
    depth = 0;
    streams_subject *first = inner_subject = streams_passthrough_subject_create();
    (void)streams_retain(first);
    begin(&o, streams_flat_map(streams_subject_publisher(first), 1, expand_later, NULL, NULL));
    for (int i = 0; i < levels && !o.ended; i++) {
        streams_subject *current = inner_subject;
        (void)streams_retain(current);
        right &= send_int(current, i) == STREAMS_OK;
        (void)streams_release(current);
    }
    right &= must(depth == levels || is_limit(&o));
    right &= must(end(&o));
    right &= must(streams_release(inner_subject) == STREAMS_OK);
    return must(streams_release(first) == STREAMS_OK) && right;
}

static void levels_may_come_one_by_one(void **state) {
    (void)state;
    assert_true(levels_that_come_one_by_one());
    assert_true(on_small_stack(levels_that_come_one_by_one));
}

/* A sink inside the sink inside the sink. */
static int sinks;
static streams_status last_status;
static uint64_t sink_again(void *context, const streams_value *value) {
    (void)value;
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = context;
    subscriber.on_value = sink_again;
    if (++sinks >= many()) return 0;
    streams_cancellable *ticket = streams_sink(ints(1), &subscriber);
    if (ticket == NULL)
        last_status = streams_last_status();
    else
        (void)streams_release(ticket);
    return 0;
}

static bool sinks_in_sinks(void) {
    sinks = 0;
    last_status = STREAMS_OK;
    const streams_value one = streams_int(1);
    (void)sink_again(NULL, &one);
    streams_clear_last_error();
    return must(sinks > 100) && must(sinks == many() || last_status == STREAMS_LIMIT);
}

/* Objects that hold the next one. */
typedef struct knot {
    streams_value next;
} knot;
static atomic_int knots;
static void release_knot(void *object) {
    knot *self = object;
    (void)streams_value_destroy(&self->next);
    free(self);
    knots--;
}

static bool objects_that_hold_objects(void) {
    static const streams_object_type type = { sizeof type, NULL, release_knot, NULL, NULL };
    streams_value last = streams_null();
    for (int i = 0; i < many(); i++) {
        knot *each = calloc(1, sizeof *each);
        each->next = last;
        knots++;
        (void)streams_value_object(&type, each, &last);
    }
    bool right = must(streams_value_destroy(&last) == STREAMS_OK);
    return must(knots == 0) && right;
}

static void sinks_and_objects_may_nest(void **state) {
    (void)state;
    assert_true(sinks_in_sinks() && on_small_stack(sinks_in_sinks));
    assert_true(objects_that_hold_objects() && on_small_stack(objects_that_hold_objects));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_hundred_operators_fit_on_any_stack),
        test(a_thousand_operators_fit_on_the_main_stack),
        test(ten_thousand_operators_do_no_harm),
        test(what_one_thread_begins_another_may_end),
        test(long_chains_are_built_and_released),
        test(a_long_run_of_maps_works),
        test(subjects_may_feed_each_other),
        test(callbacks_may_call_on_and_on),
        test(a_sink_released_deep_down_hears_nothing_more),
        test(publishers_may_make_publishers),
        test(levels_may_come_one_by_one),
        test(sinks_and_objects_may_nest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
