/* Threads send to subjects, and the subscribers of streams that are derived from these send to them amid
 * their values: so some wait for each other, and cannot, and leave what they send. Whatever a subject sends
 * comes in the order in which it has sent it: nothing is lost, and nobody ends with an older value.
 *
 *     FUZZ_SECONDS=600 FUZZ_SEED=5 build/tests/test_derived_order    looks for longer */

#include "senders.h"
#include "support.h"

enum { MOST = 3,
    ROOM = 10000 };

typedef struct program program;

/* A stream of one subject or, with combine_latest, of all, and its subscriber. */
typedef struct {
    program *of;
    streams_subject *target;
    streams_cancellable *cancellables[2];
    int last[MOST]; /* the places of the values that it was told last */
    int count;
    const char *name;
} derived;

struct program {
    senders senders;
    int count;
    streams_subject *subjects[MOST];
    streams_cancellable *cancellables[MOST + 1];
    derived derived[MOST];
    atomic_int values;
    int place[ROOM]; /* of each value among those of its subject */
    int sent[MOST];  /* by each subject */
    atomic_bool is_disordered;
};

/* ---- Who sends --------------------------------------------------------------------------- */

/* Values are different, and say which subject sends them. */
static void send_to(program *self, int subject) {
    (void)send_int(self->subjects[subject], (int64_t)self->values++ * MOST + subject);
}

static void send_one(void *context, uint64_t *chance) {
    program *self = context;
    send_to(self, below(chance, self->count));
}

static void finish_one(void *context, int number) {
    program *self = context;
    if (number < self->count) (void)streams_subject_send_completion(self->subjects[number], NULL);
}

/* ---- Who receives ------------------------------------------------------------------------ */

/* The first subscriber of each subject. */
static uint64_t note_place(void *context, const streams_value *value) {
    program *self = context;
    self->place[value->as.integer / MOST] = ++self->sent[value->as.integer % MOST];
    return 0;
}

static void note(derived *self, int64_t value) {
    if (value < 0) return;
    int place = self->of->place[value / MOST], *last = &self->last[value % MOST];
    if (place < *last) self->of->is_disordered = true;
    *last = place;
}

static uint64_t hear(void *context, const streams_value *value) {
    derived *self = context;
    note(self, value->as.integer);
    if (value->as.integer >= 0) self->count++;
    answer(true);
    return 0;
}

static uint64_t hear_all(void *context, const streams_value *value) {
    for (size_t i = 0; i < value->size; i++) note(context, value->as.items[i].as.integer);
    /* What is sent amid a list makes none of its own, so then there would have to be a value behind it. */
    if (((derived *)context)->of->senders.end == NULL) answer(true);
    return 0;
}

/* ---- What is derived --------------------------------------------------------------------- */

static streams_status just(void *context, const streams_value *in, streams_publisher **out) {
    (void)context;
    *out = streams_just(in);
    return STREAMS_OK;
}

static streams_publisher *assigned(derived *self, streams_publisher *p) {
    streams_value none = streams_int(-1);
    self->target = streams_current_value_subject_create(&none);
    self->cancellables[1] = streams_assign(p, self->target);
    return streams_drop_first(streams_subject_publisher(self->target), 1);
}

static streams_publisher *subscribed(derived *self, streams_publisher *p) {
    self->target = streams_passthrough_subject_create();
    streams_publisher *values = streams_subject_publisher(self->target);
    self->cancellables[1] = streams_subscribe(p, self->target);
    return values;
}

static streams_publisher *switched(derived *self, streams_publisher *p) {
    (void)self;
    return streams_switch_to_latest(p, just, NULL, NULL);
}

static streams_publisher *flat_mapped(derived *self, streams_publisher *p) {
    (void)self;
    return streams_flat_map(p, STREAMS_UNLIMITED, just, NULL, NULL);
}

static streams_status
just_or_subject(void *context, const streams_value *in, streams_publisher **out) {
    streams_value none = streams_int(-1);
    *out = in->kind == STREAMS_VALUE_NULL ? streams_subject_publisher(context) : streams_just(&none);
    return STREAMS_OK;
}

/* The subject's values, and between them publishers of a single value: one for each value of the other
 * subject. */
static streams_publisher *flat_mapped_beside_others(derived *self, streams_publisher *p) {
    program *of = self->of;
    assert_ok(streams_release(p));
    streams_value null = { .kind = STREAMS_VALUE_NULL };
    streams_publisher *outer =
        streams_prepend(streams_subject_publisher(of->senders.other), streams_just(&null));
    streams_subject *subject = of->subjects[self - of->derived];
    return streams_flat_map(outer, STREAMS_UNLIMITED, just_or_subject, subject, NULL);
}

static streams_publisher *merged(derived *self, streams_publisher *p) {
    (void)self;
    streams_publisher *both[] = { p, streams_empty(false) };
    return streams_merge(both, 2);
}

static const struct {
    const char *name;
    streams_publisher *(*derive)(derived *self, streams_publisher *p);
} ways[] = { { "assign", assigned }, { "subscribe", subscribed }, { "switch_to_latest", switched },
    { "flat_map", flat_mapped },
    { "flat_map beside others", flat_mapped_beside_others }, { "merge", merged } };
enum { WAYS = sizeof ways / sizeof *ways };

static streams_cancellable *sink(
    streams_publisher *p, void *context, uint64_t (*on_value)(void *context, const streams_value *value)) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = context;
    subscriber.on_value = on_value;
    return streams_sink(p, &subscriber);
}

static void make_subjects(program *self) {
    for (int i = 0; i < self->count; i++) {
        self->subjects[i] = streams_passthrough_subject_create();
        self->cancellables[i] = sink(streams_subject_publisher(self->subjects[i]), self, note_place);
        self->derived[i].of = self;
    }
    self->senders.other = streams_passthrough_subject_create();
    self->cancellables[self->count] = sink(streams_subject_publisher(self->senders.other), self, hear_other);
}

/* Behind a subscriber that sends amid a value the newer one comes first, so each subject has one such. */
static void derive(program *self, bool is_combined, uint64_t *chance) {
    streams_publisher *p[MOST];
    for (int i = 0; i < self->count; i++) p[i] = streams_subject_publisher(self->subjects[i]);
    if (is_combined) {
        self->derived[0].name = "combine_latest";
        streams_publisher *all = streams_combine_latest(p, (size_t)self->count);
        self->derived[0].cancellables[0] = sink(all, &self->derived[0], hear_all);
        return;
    }
    for (int i = 0; i < self->count; i++) {
        derived *new = &self->derived[i];
        int way = below(chance, WAYS);
        new->name = ways[way].name;
        new->cancellables[0] = sink(ways[way].derive(new, p[i]), new, hear);
    }
}

/* ---- The test ---------------------------------------------------------------------------- */

static bool is_whole(const program *self, int i, bool is_combined) {
    const derived *told = &self->derived[is_combined ? 0 : i];
    bool is_right = told->last[i] == self->sent[i] && (is_combined || told->count == self->sent[i]);
    if (is_right && !self->is_disordered) return true;
    print_error("%s of %d subjects: %s, %d, the last of them %d, of %d\n", told->name, self->count,
        self->is_disordered ? "not in order" : "in order", told->count, told->last[i], self->sent[i]);
    return false;
}

static void end(program *self) {
    for (int i = 0; i <= self->count; i++) assert_ok(streams_release(self->cancellables[i]));
    for (int i = 0; i < self->count; i++) {
        const derived *each = &self->derived[i];
        for (int k = 0; k < 2; k++)
            if (each->cancellables[k] != NULL) assert_ok(streams_release(each->cancellables[k]));
        if (each->target != NULL) assert_ok(streams_release(each->target));
        assert_ok(streams_release(self->subjects[i]));
    }
    assert_ok(streams_release(self->senders.other));
}

static bool holds(uint64_t seed) {
    uint64_t chance = seed;
    program *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->count = 1 + below(&chance, MOST);
    p->senders = (senders){ .context = p, .send = send_one };
    if (below(&chance, 2) == 0) p->senders.end = finish_one;
    bool is_combined = below(&chance, 3) == 0, is_right = true;
    make_subjects(p);
    derive(p, is_combined, &chance);
    run_senders(&p->senders, chance, NULL);
    /* What the subscriber sends amid a list makes none of its own. */
    if (is_combined)
        for (int i = 0; i < p->count; i++) send_to(p, i);
    for (int i = 0; i < p->count; i++) is_right &= is_whole(p, i, is_combined);
    end(p);
    free(p);
    return is_right;
}

static void what_is_derived_is_in_order(void **state) {
    (void)state;
    every_program_holds(holds);
}

int main(void) {
    const struct CMUnitTest tests[] = { test(what_is_derived_is_in_order) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
