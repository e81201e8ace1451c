#include <signal.h>

#include "fake_host.h"
#include "rows.h"

const void *handle_of(const fixture *f, streams_kind kind) {
    switch (kind) {
    case STREAMS_KIND_PUBLISHER: return f->publisher;
    case STREAMS_KIND_SUBJECT: return f->subject;
    case STREAMS_KIND_SUBSCRIPTION: return f->subscription;
    case STREAMS_KIND_CANCELLABLE: return f->cancellable;
    case STREAMS_KIND_ERROR: return f->error;
    case STREAMS_KIND_EMITTER: return f->emitter;
    case STREAMS_KIND_CALLABLE: return f->callable;
    case STREAMS_KIND_SCHEDULER: return f->scheduler;
    case STREAMS_KIND_POOL: return f->pool;
    case STREAMS_KIND_ACTION: return f->action;
    case STREAMS_KIND_DEBOUNCER: return f->debouncer;
    case STREAMS_KIND_THROTTLER: return f->throttler;
    case STREAMS_KIND_CONNECTABLE: return f->connectable;
    case STREAMS_KIND_PROMISE: return f->promise;
    case STREAMS_KIND_OBSERVABLE_OBJECT: return f->object;
    case STREAMS_KIND_PROPERTY: return f->property;
    case STREAMS_KIND_BINDING: return f->binding;
    case STREAMS_KIND_SCOPE_TREE: return f->tree;
    case STREAMS_KIND_SCOPE: return f->scope;
    default: return NULL;
    }
}

static streams_status keep_emitter(void *context, streams_emitter *emitter, void **state) {
    fixture *f = context;
    (void)state;
    f->emitter = emitter;
    return streams_retain(emitter);
}

static streams_status produce_nothing(void *state, streams_emitter *emitter, uint64_t max) {
    (void)state, (void)emitter, (void)max;
    return STREAMS_OK;
}

static uint64_t ignore_value(void *context, const streams_value *value) {
    (void)context, (void)value;
    return 0;
}

static fake_object *echo(void *context, fake_object *const *arguments, size_t count) {
    (void)context;
    if (count == 0) return fake_int(0);
    fake_retain(arguments[0]);
    return arguments[0];
}

static streams_nanoseconds tell_zero(void *context) {
    (void)context;
    return 0;
}

static void keep_action(void *context, streams_nanoseconds time, streams_action *action) {
    fixture *f = context;
    (void)time;
    f->action = action;
}

static streams_status keep_scope(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    fixture *f = context;
    (void)input, (void)out;
    f->scope = scope;
    return streams_retain(scope);
}

static void do_nothing(void *context) { (void)context; }

void fixture_begin(fixture *f) {
    *f = (fixture){ 0 };
    (void)signal(SIGTRAP, SIG_IGN); /* what a breakpoint raises */
    streams_value zero = streams_int(0);
    f->publisher = ints(3);
    f->subject = streams_current_value_subject_create(&zero);
    f->error = new_error("oops");
    recorder_subscribe(&f->recorder, streams_subject_publisher(f->subject), STREAMS_UNLIMITED);
    f->subscription = f->recorder.subscription;
    f->cancellable = f->recorder.cancellable;

    streams_source source = STREAMS_SOURCE_INIT;
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    source.context = f;
    source.open = keep_emitter;
    source.produce = produce_nothing;
    subscriber.on_value = ignore_value;
    f->emitting = streams_sink(streams_publisher_create(&source), &subscriber);

    fake_object *function = fake_callable(echo, NULL);
    f->callable = streams_callable_create(fake_host(), function);
    fake_release(function);
    f->scheduler = streams_virtual_scheduler_create();
    f->pool = streams_pool_create(1);
    f->debouncer = streams_debouncer_create(10, f->scheduler);
    f->throttler = streams_throttler_create(10, f->scheduler, true);
    f->promise = streams_promise_create();
    f->connectable = streams_make_connectable(ints(3));
    f->property = streams_property_of_subject(f->subject);
    f->binding = streams_binding_of_subject(f->subject);
    f->tree = streams_scope_tree_create(NULL, NULL, keep_scope, f, NULL);
    assert_ok(streams_scope_tree_update(f->tree));
    f->object = streams_observable_object_create();
    assert_ok(streams_observable_object_add(f->object, "x", &zero));
    streams_custom_scheduler custom = STREAMS_CUSTOM_SCHEDULER_INIT;
    custom.context = f;
    custom.now = tell_zero;
    custom.schedule = keep_action;
    f->custom = streams_custom_scheduler_create(&custom);
    assert_true(streams_scheduler_schedule(f->custom, 0, do_nothing, NULL, NULL) != 0);
    for (int i = 0; i < kind_count; i++) {
        assert_int_equal(streams_handle_kind(handle_of(f, kinds[i])), kinds[i]);
    }
}

bool let_time_pass(fixture *f) {
    return streams_virtual_scheduler_advance(f->scheduler, ENOUGH_TIME) == STREAMS_OK;
}

bool let_happen(fixture *f) { return streams_virtual_scheduler_advance(f->scheduler, 0) == STREAMS_OK; }

void fixture_end(fixture *f) {
    recorder_end(&f->recorder);
    assert_ok(streams_release(f->emitting));
    assert_ok(streams_release(f->emitter));
    assert_ok(streams_release(f->publisher));
    assert_ok(streams_release(f->subject));
    assert_ok(streams_release(f->error));
    assert_ok(streams_release(f->callable));
    assert_ok(streams_release(f->connectable));
    assert_ok(streams_release(f->promise));
    assert_ok(streams_release(f->object));
    assert_ok(streams_release(f->property));
    assert_ok(streams_release(f->binding));
    assert_ok(streams_release(f->tree));
    assert_ok(streams_release(f->scope));
    assert_ok(streams_release(f->debouncer));
    assert_ok(streams_release(f->throttler));
    assert_ok(streams_release(f->scheduler));
    assert_ok(streams_release(f->custom));
    assert_ok(streams_release(f->pool));
    assert_int_equal(fake_live_objects(), 0);
}
