#include "array_run.h"

enum { STEPS = 3,
    ENOUGH_CALLS = 400 };

typedef struct sink {
    run *run;
    int number, signals;
    bool is_inner;
    streams_subscription *subscription;
    streams_cancellable *cancellable;
} sink;

static run *running;

/* ---- What is heard ----------------------------------------------------------- */

static void note(run *r, const char *what, int number, const char *text) {
    size_t room = sizeof r->heard - r->length;
    int count = snprintf(r->heard + r->length, room, "%s%d: %s", what, number, text);
    r->length += count > 0 && (size_t)count < room ? (size_t)count : 0;
    for (int i = 0; i < SUBJECTS; i++) {
        streams_value now;
        if (r->plan->subjects[i] != 1) continue;
        (void)streams_current_value_subject_get_value(r->subjects[i], &now);
        room = sizeof r->heard - r->length;
        count = snprintf(r->heard + r->length, room, " [%g]",
            now.kind == STREAMS_VALUE_DOUBLE ? now.as.real : (double)now.as.integer);
        r->length += count > 0 && (size_t)count < room ? (size_t)count : 0;
        streams_value_destroy(&now);
    }
    if (r->length + 1 < sizeof r->heard) r->heard[r->length++] = '\n';
}

/* Counts a call of the test's. Whether there may be more. */
static bool is_counted(run *r) {
    if (++r->calls < ENOUGH_CALLS) return true;
    r->is_endless = true;
    return false;
}

/* ---- Actions ----------------------------------------------------------------- */

static void send(run *r, streams_subject *subject, int count) {
    streams_value values[8];
    int64_t integers[8];
    double reals[8];
    streams_subject *outer = r->active;
    r->active = subject;
    for (int i = 0; i < count; i++) {
        integers[i] = ++r->next;
        reals[i] = (double)r->next;
        values[i] = r->plan->form == 2 ? streams_double(reals[i]) : streams_int(integers[i]);
    }
    for (int i = 0; !r->arrays && i < count; i++) (void)streams_subject_send(subject, &values[i]);
    if (r->arrays && r->plan->form == 0) (void)streams_subject_send_values(subject, values, (size_t)count);
    if (r->arrays && r->plan->form == 1) (void)streams_subject_send_int64s(subject, integers, (size_t)count);
    if (r->arrays && r->plan->form == 2) (void)streams_subject_send_doubles(subject, reals, (size_t)count);
    r->active = outer;
}

static void subscribe(run *r, streams_publisher *publisher, bool is_inner);

static sink *latest_sink(run *r) {
    int number = r->sink_count - 1;
    while (number > 0 && r->sinks[number]->is_inner) number--;
    return r->sinks[number];
}

static void perform(run *r, sink *s, enum action action);

static void cancel(sink *s) {
    if (s->cancellable != NULL)
        (void)streams_cancel(s->cancellable);
    else
        (void)streams_subscription_cancel(s->subscription);
}

static void *replace(void *context) {
    sink *s = context;
    cancel(s);
    perform(s->run, s, SUBSCRIBE);
    return NULL;
}

static void perform(run *r, sink *s, enum action action) {
    streams_subject *subject = r->active != NULL ? r->active : r->subjects[0];
    streams_subject *other = r->subjects[subject == r->subjects[0]];
    streams_value value = streams_int(++r->next);
    switch (action) {
    case SEND: send(r, subject, 1); break;
    case SEND_ARRAY: send(r, subject, 3); break;
    /* What a function does elsewhere may overtake results that wait further down. */
    case SEND_TO_THE_OTHER: send(r, r->plan->acts_in_functions ? subject : other, 2); break;
    case SET: (void)streams_current_value_subject_set_value(subject, &value); break;
    case SUBSCRIBE:
        if (r->publisher != NULL && streams_retain(r->publisher) == STREAMS_OK)
            subscribe(r, r->publisher, false);
        break;
    case CANCEL: cancel(s); break;
    case CANCEL_ANOTHER: cancel(latest_sink(r)); break;
    case RELEASE:
        (void)streams_release(r->publisher);
        r->publisher = NULL;
        break;
    case REQUEST: (void)streams_subscription_request(s->subscription, 2); break;
    case FINISH: (void)finish(subject); break;
    case FAIL: (void)fail_with(subject, "failed"); break;
    case PASS_TIME:
        if (!r->plan->acts_in_functions) (void)streams_virtual_scheduler_advance(r->f->scheduler, 10);
        break;
    /* What a subject keeps comes to a subscriber on another thread when the array is over. */
    case REPLACE:
        if (!r->plan->acts_in_functions && r->plan->subjects[0] + r->plan->subjects[1] == 0)
            on_another_thread(replace, s);
        break;
    default: break;
    }
}

/* In a function of the only operator that has functions: those of several are called in another order. */
static void in_function(void) {
    run *r = running;
    /* What nobody hears of: none is called ahead then. */
    const streams_value nothing = streams_null();
    if (r->plan->busy_functions) assert_ok(streams_subject_send(r->bystander, &nothing));
    if (!is_counted(r) || r->f->life.contexts > 1 || r->sink_count == 0) return;
    r->function_calls++;
    if (r->plan->acts_in_functions && r->plan->acts[0].at == r->function_calls)
        perform(r, r->sinks[0], r->plan->acts[0].action);
}

/* ---- Sinks ------------------------------------------------------------------- */

static void heard(sink *s, const char *text) {
    run *r = s->run;
    if (!is_counted(r)) {
        cancel(s);
        return;
    }
    note(r, s->is_inner ? "inner " : "", s->number, text);
    s->signals++;
    for (int i = 0; !r->plan->acts_in_functions && !s->is_inner && i < r->plan->acts_count; i++) {
        const act *each = &r->plan->acts[i];
        if (each->sink == s->number && each->at == s->signals) {
            perform(r, s, each->action);
            return;
        }
    }
}

static void hear_subscription(void *context, streams_subscription *subscription) {
    sink *s = context;
    (void)streams_retain(subscription);
    s->subscription = subscription;
    note(s->run, s->is_inner ? "inner " : "", s->number, "subscription");
}

static uint64_t hear_value(void *context, const streams_value *value) {
    sink *s = context;
    char text[400];
    bool is_object = value->kind == STREAMS_VALUE_OBJECT;
    if (is_object || streams_value_describe(value, text, sizeof text, NULL) != STREAMS_OK || text[0] == '[')
        (void)snprintf(text, sizeof text, "kind %d of %d", (int)value->kind, (int)value->size);
    heard(s, text);
    streams_publisher *inner = is_object ? streams_value_publisher(value) : NULL;
    if (inner != NULL) subscribe(s->run, inner, true);
    return s->run->plan->more;
}

static void hear_end(void *context, const streams_error *error) {
    char text[100];
    (void)snprintf(text, sizeof text, "%s", error == NULL ? "finished" : streams_error_message(error));
    heard(context, text);
}

static void subscribe(run *r, streams_publisher *publisher, bool is_inner) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    sink *s = r->sink_count < (is_inner ? SINKS * 4 : SINKS) ? calloc(1, sizeof *s) : NULL;
    if (s == NULL) {
        (void)streams_release(publisher);
        return;
    }
    s->run = r;
    s->is_inner = is_inner;
    s->number = is_inner ? r->inner_count++ : r->sink_count - r->inner_count;
    r->sinks[r->sink_count++] = s;
    subscriber.context = s;
    subscriber.demand = r->plan->demand;
    subscriber.on_subscription = hear_subscription;
    subscriber.on_value = hear_value;
    subscriber.on_completion = hear_end;
    s->cancellable = streams_sink(publisher, &subscriber);
}

/* ---- Runs -------------------------------------------------------------------- */

static streams_publisher *second(run *r, int which) {
    if (which == 0) return ints(2);
    return which == 1 ? streams_empty(true) : streams_subject_publisher(r->subjects[which - 2]);
}

static streams_publisher *chain(run *r) {
    const plan *p = r->plan;
    streams_publisher *publisher = streams_subject_publisher(r->subjects[0]);
    for (int i = 0; i < p->count; i++) {
        const attachment *each = &attachments[p->operators[i]];
        row_count = p->counts[i];
        row_time = p->times[i];
        publisher = each->attach(publisher, each->takes_two ? second(r, p->seconds[i]) : NULL, r->f);
    }
    return publisher;
}

static streams_subject *some_subject(int kind) {
    if (kind == 2) return streams_replay_subject_create(2);
    return kind == 1 ? current(0) : streams_passthrough_subject_create();
}

static void begin(run *r, const plan *p, bool arrays, fixture *f) {
    memset(r, 0, sizeof *r);
    r->plan = p;
    r->arrays = arrays;
    r->f = f;
    running = r;
    f->life = (life){ 0 };
    f->scheduler = streams_virtual_scheduler_create();
    for (int i = 0; i < SUBJECTS; i++) r->subjects[i] = some_subject(p->subjects[i]);
    r->bystander = streams_passthrough_subject_create();
    row_inner = r->subjects[1];
    row_answer = p->answers[0];
    r->publisher = chain(r);
    row_called = in_function;
}

static void end(run *r) {
    for (int i = 0; i < SUBJECTS; i++) (void)finish(r->subjects[i]);
    (void)let_time_pass(r->f);
    row_called = NULL;
    for (int i = 0; i < r->sink_count; i++) {
        sink *s = r->sinks[i];
        if (s->cancellable != NULL) assert_ok(streams_release(s->cancellable));
        if (s->subscription != NULL) assert_ok(streams_release(s->subscription));
    }
    if (r->publisher != NULL) assert_ok(streams_release(r->publisher));
    (void)let_time_pass(r->f);
    row_inner = NULL;
    for (int i = 0; i < SUBJECTS; i++) assert_ok(streams_release(r->subjects[i]));
    assert_ok(streams_release(r->bystander));
    assert_ok(streams_release(r->f->scheduler));
    for (int i = 0; i < r->sink_count; i++) free(r->sinks[i]);
    assert_false(r->f->life.called_after_destroy);
    r->heard[r->length] = '\0';
}

void play(run *r, const plan *p, bool arrays, fixture *f) {
    static const int counts[STEPS] = { 2, 6, 3 };
    begin(r, p, arrays, f);
    for (int i = 0; i < p->sinks && r->publisher != NULL; i++) {
        assert_ok(streams_retain(r->publisher));
        subscribe(r, r->publisher, false);
    }
    for (int step = 0; step < STEPS; step++) {
        send(r, r->subjects[step % 2], counts[step]);
        send(r, r->subjects[(step + 1) % 2], 2);
        (void)streams_virtual_scheduler_advance(f->scheduler, 15);
        note(r, "step ", step, "is over");
    }
    for (int i = 0; i < r->sink_count; i++)
        if (r->sinks[i]->subscription != NULL)
            (void)streams_subscription_request(r->sinks[i]->subscription, 2);
    end(r);
}
