/* Two threads send while a third cancels, requests or finishes; in loops. What
 * may happen is free within the rules; that the rules hold is not. */

#include <pthread.h>
#include <sched.h>

#include "rows.h"

enum { ROUNDS = 200,
    VALUES = 50 };

/* A subscriber that checks the rules from whatever thread it is called. */
typedef struct judge {
    atomic_int inside;
    atomic_int received;
    atomic_int completions;
    atomic_int destroyed;
    atomic_bool overlapped;
    atomic_bool after_end;
    atomic_bool beyond_demand;
    atomic_llong demanded;
    uint64_t more;
} judge;

static void enter(judge *self) {
    if (self->inside++ > 0) self->overlapped = true;
    if (self->completions > 0 || self->destroyed > 0) self->after_end = true;
}

static uint64_t judge_value(void *context, const streams_value *value) {
    judge *self = context;
    (void)value;
    enter(self);
    self->received++;
    if (self->received > self->demanded) self->beyond_demand = true;
    self->demanded += (long long)self->more;
    self->inside--;
    return self->more;
}

static void judge_completion(void *context, const streams_error *error) {
    judge *self = context;
    (void)error;
    enter(self);
    self->completions++;
    self->inside--;
}

static void judge_destroy(void *context) {
    judge *self = context;
    if (self->inside > 0) self->overlapped = true;
    self->destroyed++;
}

/* The retained subscription of a stream, for threads that request. */
typedef struct stream {
    judge judge;
    fixture fixture;
    streams_subject *subject;
    streams_subject *other;
    streams_cancellable *cancellable;
    streams_subscription *subscription;
    pthread_barrier_t start;
} stream;

static void keep_subscription(void *context, streams_subscription *subscription) {
    /* The judge is the first member of the stream. */
    stream *self = context;
    streams_retain(subscription);
    self->subscription = subscription;
}

static void *let_it_pass(void *context) {
    stream *self = context;
    pthread_barrier_wait(&self->start);
    for (int i = 0; i < VALUES; i++) (void)streams_virtual_scheduler_advance(self->fixture.scheduler, 3);
    return NULL;
}

static void *send_singly(void *context) {
    stream *self = context;
    pthread_barrier_wait(&self->start);
    for (int i = 0; i < VALUES; i++) (void)send_int(self->subject, i);
    return NULL;
}

static void *send_batches(void *context) {
    stream *self = context;
    const int64_t integers[] = { 1, 2, 3, 4, 5 };
    pthread_barrier_wait(&self->start);
    for (int i = 0; i < VALUES / 5; i++) (void)streams_subject_send_int64s(self->other, integers, 5);
    return NULL;
}

static void *cancel_it(void *context) {
    stream *self = context;
    pthread_barrier_wait(&self->start);
    (void)streams_cancel(self->cancellable);
    (void)streams_subscription_cancel(self->subscription);
    return NULL;
}

static void *release_it(void *context) {
    stream *self = context;
    pthread_barrier_wait(&self->start);
    (void)streams_release(self->cancellable);
    self->cancellable = NULL;
    return NULL;
}

static void *finish_it(void *context) {
    stream *self = context;
    pthread_barrier_wait(&self->start);
    (void)finish(self->subject);
    (void)finish(self->other);
    return NULL;
}

static void *request_more(void *context) {
    stream *self = context;
    pthread_barrier_wait(&self->start);
    for (int i = 0; i < VALUES; i++) {
        self->judge.demanded++;
        (void)streams_subscription_request(self->subscription, 1);
    }
    return NULL;
}

/* ---- Chains of two subjects, and every operator ------------------------------------------- */

typedef streams_publisher *(*build)(streams_publisher *a, streams_publisher *b);

static streams_publisher *steps(streams_publisher *a, streams_publisher *b) {
    streams_publisher *both[] = { streams_map(a, add_one, NULL, NULL),
        streams_filter(b, is_even, NULL, NULL) };
    return streams_map(streams_merge(both, 2), add_one, NULL, NULL);
}

static streams_publisher *merged(streams_publisher *a, streams_publisher *b) {
    streams_publisher *both[] = { a, b };
    return streams_merge(both, 2);
}

static streams_publisher *stateful(streams_publisher *a, streams_publisher *b) {
    streams_value zero = streams_int(0);
    streams_publisher *p = streams_scan(merged(a, b), &zero, sum, NULL, NULL);
    p = streams_remove_duplicates(streams_drop_first(p, 3));
    return streams_collect_count(p, 3);
}

static streams_publisher *caught(streams_publisher *a, streams_publisher *b) {
    return streams_prefix(streams_catch(merged(a, b), recover_with_seven, NULL, NULL), 60);
}

static const struct {
    const char *name;
    build build;
} chains[] = {
    { "steps", steps },
    { "merge", merged },
    { "scan, drop_first, remove_duplicates, collect_count", stateful },
    { "catch, prefix", caught },
};
enum { CHAINS = sizeof chains / sizeof chains[0] };

static const char *chain_name(int chain) {
    return chain < CHAINS ? chains[chain].name : attachments[chain - CHAINS].function;
}

static streams_publisher *build_chain(int chain, stream *s) {
    streams_publisher *a = streams_subject_publisher(s->subject);
    streams_publisher *b = streams_subject_publisher(s->other);
    if (chain < CHAINS) return chains[chain].build(a, b);
    const attachment *each = &attachments[chain - CHAINS];
    return each->takes_two ? each->attach(a, b, &s->fixture) : each->attach(merged(a, b), NULL, &s->fixture);
}

static void race_once(int chain, void *(*third)(void *), uint64_t demand) {
    stream s;
    memset(&s, 0, sizeof s);
    fixture_begin(&s.fixture);
    s.judge.demanded = demand == STREAMS_UNLIMITED ? INT64_MAX / 2 : (long long)demand;
    s.subject = streams_passthrough_subject_create();
    s.other = streams_passthrough_subject_create();
    pthread_barrier_init(&s.start, NULL, 4);
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &s;
    subscriber.demand = demand;
    subscriber.on_subscription = keep_subscription;
    subscriber.on_value = judge_value;
    subscriber.on_completion = judge_completion;
    subscriber.destroy = judge_destroy;
    s.cancellable = streams_sink(build_chain(chain, &s), &subscriber);
    assert_true(let_happen(&s.fixture));

    pthread_t threads[4];
    void *(*const jobs[4])(void *) = { send_singly, send_batches, let_it_pass, third };
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, jobs[i], &s);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);

    if (s.cancellable != NULL) streams_release(s.cancellable);
    assert_true(let_time_pass(&s.fixture));
    streams_release(s.subscription);
    streams_release(s.subject);
    streams_release(s.other);
    pthread_barrier_destroy(&s.start);
    const judge *j = &s.judge;
    if (j->overlapped || j->after_end || j->beyond_demand || j->completions > 1 || j->destroyed != 1) {
        fail_msg("%s:%s%s%s %d completions, destroyed %d times", chain_name(chain),
            j->overlapped ? " overlapping calls," : "", j->after_end ? " calls after the end," : "",
            j->beyond_demand ? " more values than demanded," : "", j->completions, j->destroyed);
    }
    if (s.fixture.life.counter.destroyed != s.fixture.life.contexts || s.fixture.life.called_after_destroy) {
        fail_msg("%s: %d of %d contexts destroyed%s", chain_name(chain), s.fixture.life.counter.destroyed,
            s.fixture.life.contexts, s.fixture.life.called_after_destroy ? ", called afterwards" : "");
    }
    fixture_end(&s.fixture);
}

static void race(void *(*third)(void *), uint64_t demand) {
    int rounds = under_valgrind() ? 5 : ROUNDS / 10;
    for (int chain = 0; chain < CHAINS + attachment_count; chain++) {
        for (int round = 0; round < rounds; round++) race_once(chain, third, demand);
    }
    for (int round = 0; round < ROUNDS; round++) race_once(1, third, demand);
}

static void two_send_while_a_third_cancels(void **state) {
    (void)state;
    race(cancel_it, STREAMS_UNLIMITED);
}

static void two_send_while_a_third_releases_the_cancellable(void **state) {
    (void)state;
    race(release_it, STREAMS_UNLIMITED);
}

static void two_send_while_a_third_finishes(void **state) {
    (void)state;
    race(finish_it, STREAMS_UNLIMITED);
}

static void two_send_while_a_third_requests(void **state) {
    (void)state;
    race(request_more, 5);
}

/* ---- Handles ---------------------------------------------------------------------------- */

static void *make_and_release(void *context) {
    pthread_barrier_wait(context);
    for (int i = 0; i < 2000; i++) {
        streams_publisher *p = streams_map(ints(1), add_one, NULL, NULL);
        (void)streams_retain(p);
        (void)streams_release(p);
        (void)streams_release(p);
        (void)streams_release(p); /* stale, and never what another thread has made meanwhile */
    }
    return NULL;
}

static void *use_stale(void *context) {
    pthread_barrier_wait(context);
    for (int i = 0; i < 2000; i++) {
        streams_subject *subject = streams_passthrough_subject_create();
        (void)streams_release(subject);
        (void)send_int(subject, 1);
        (void)streams_handle_kind(subject);
    }
    return NULL;
}

static void handles_from_several_threads(void **state) {
    (void)state;
    pthread_t threads[4];
    pthread_barrier_t start;
    pthread_barrier_init(&start, NULL, 4);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, i < 2 ? make_and_release : use_stale, &start);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
}

/* Subscribing and leaving while another thread sends. */
static void *come_and_go(void *context) {
    stream *self = context;
    pthread_barrier_wait(&self->start);
    for (int i = 0; i < 500; i++) {
        recorder r = { 0 };
        streams_subscriber subscriber = recorder_subscriber(&r, STREAMS_UNLIMITED);
        r.cancellable = streams_sink(streams_subject_publisher(self->subject), &subscriber);
        recorder_end(&r);
        /* A value that is on its way in another thread comes first. */
        while (r.destroyed == 0) sched_yield();
    }
    return NULL;
}

static void subscribers_come_and_go_while_values_are_sent(void **state) {
    (void)state;
    stream s;
    memset(&s, 0, sizeof s);
    streams_value zero = streams_int(0);
    s.subject = streams_current_value_subject_create(&zero);
    pthread_barrier_init(&s.start, NULL, 3);
    pthread_t threads[3];
    void *(*const jobs[3])(void *) = { send_singly, come_and_go, come_and_go };
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, jobs[i], &s);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&s.start);
    assert_ok(streams_release(s.subject));
}

/* ---- Two cancel ------------------------------------------------------------------------- */

enum { MARKED = 77 };

typedef struct duel {
    streams_subject *subject;
    streams_cancellable *cancellable;
    pthread_barrier_t start;
    atomic_bool was_late;
} duel;

static uint64_t look_for_mark(void *context, const streams_value *value) {
    duel *self = context;
    if (value->as.integer == MARKED) self->was_late = true;
    return 0;
}

static void *cancel_and_send(void *context) {
    duel *self = context;
    pthread_barrier_wait(&self->start);
    assert_ok(streams_cancel(self->cancellable));
    assert_ok(send_int(self->subject, MARKED));
    return NULL;
}

static streams_cancellable *look(duel *self, streams_subject *subject) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = self;
    subscriber.on_value = look_for_mark;
    subscriber.demand = STREAMS_UNLIMITED;
    return streams_sink(streams_subject_publisher(subject), &subscriber);
}

static void cancel_at_once(streams_cancellable *(*const begin)(streams_publisher *, streams_subject *)) {
    for (int i = 0; i < 5000; i++) {
        duel d = { .subject = streams_passthrough_subject_create() };
        streams_value zero = streams_int(0);
        streams_subject *target = streams_current_value_subject_create(&zero);
        streams_cancellable *watch = look(&d, begin != NULL ? target : d.subject);
        d.cancellable = begin != NULL ? begin(streams_subject_publisher(d.subject), target) : watch;
        pthread_barrier_init(&d.start, NULL, 2);
        pthread_t threads[2];
        for (int j = 0; j < 2; j++) pthread_create(&threads[j], NULL, cancel_and_send, &d);
        for (int j = 0; j < 2; j++) pthread_join(threads[j], NULL);
        pthread_barrier_destroy(&d.start);
        if (begin != NULL) assert_ok(streams_release(watch));
        assert_ok(streams_release(d.cancellable));
        assert_ok(streams_release(d.subject));
        assert_ok(streams_release(target));
        assert_false(d.was_late);
    }
}

static void who_has_cancelled_hears_nothing_although_another_cancels(void **state) {
    (void)state;
    cancel_at_once(NULL);
    cancel_at_once(streams_subscribe);
    cancel_at_once(streams_assign);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(two_send_while_a_third_cancels),
        test(two_send_while_a_third_releases_the_cancellable),
        test(two_send_while_a_third_finishes),
        test(two_send_while_a_third_requests),
        test(handles_from_several_threads),
        test(subscribers_come_and_go_while_values_are_sent),
        test(who_has_cancelled_hears_nothing_although_another_cancels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
