/* Callbacks that call what calls callbacks, and so on: what there is no stack for fails with
 * STREAMS_LIMIT, and a release is heard at once. */

#include "depth.h"

/* A row of subjects whose subscribers send on to the next. */
typedef struct link {
    streams_subject *subject;
    streams_cancellable *cancellable;
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
    if (next->cancellable != NULL) note_status(next, streams_release(next->cancellable));
    next->cancellable = NULL;
}
static void cancel_on(link *next) { note_status(next, streams_cancel(next->cancellable)); }

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
        links[i].cancellable = streams_sink(
            streams_handle_events(streams_subject_publisher(links[i].subject), &handlers), &subscriber);
    }
    start(&links[0]);
    for (int i = 0; i < count; i++) {
        links[i].act = NULL;
        links[i].next = NULL;
    }
    for (int i = 0; i < count; i++) {
        if (links[i].cancellable != NULL) (void)streams_release(links[i].cancellable);
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
    streams_cancellable *cancellable;
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
        (void)streams_release(self->cancellable);
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
    self.cancellable = streams_sink(streams_subject_publisher(self.released), &late);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        test(callbacks_may_call_on_and_on),
        test(a_sink_released_deep_down_hears_nothing_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
