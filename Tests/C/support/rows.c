#include "rows.h"

#include "fake_host.h"

int64_t row_count = 2;
uint64_t row_demand = 2;
bool row_answer = true;
streams_nanoseconds row_time = 10;
void (*row_called)(void);
streams_subject *row_inner;
const streams_value row_one = { .kind = STREAMS_VALUE_INT64, .as.integer = 1 };
const int64_t row_integers[] = { 1 };
const double row_reals[] = { 1 };
const streams_value row_numbers = { .kind = STREAMS_VALUE_INT64S, .size = 1, .as.integers = row_integers };
streams_value row_value;

static streams_status succeed(void) { return STREAMS_OK; }
streams_status (*row_failing)(void) = succeed;

char large_name[LARGE + 1];
int64_t large_integers[LARGE];
double large_reals[LARGE];
streams_value large_text, large_list, large_numbers, large_values[LARGE], large_out[LARGE];
void *large_handles[LARGE], *large_objects[LARGE];

void prepare_large(void) {
    memset(large_name, 'x', LARGE);
    large_text = streams_text_n(large_name, LARGE);
    for (int i = 0; i < LARGE; i++) large_values[i] = streams_text_n(large_name, 30);
    large_list = streams_list(large_values, LARGE);
    large_numbers = streams_int64s(large_integers, LARGE);
    for (int i = 0; i < LARGE; i++) large_objects[i] = fake_null();
}

streams_status made(const void *handle) {
    if (handle == NULL) return streams_last_status();
    streams_release(handle);
    return STREAMS_OK;
}

streams_status answered(bool something) { return something ? STREAMS_OK : streams_last_status(); }

/* ---- Contexts ------------------------------------------------------------ */

void *taken(fixture *f) {
    f->life.contexts++;
    return &f->life;
}

void row_destroy(void *context) {
    life *self = context;
    self->counter.destroyed++;
}

static void note(life *self) {
    self->counter.calls++;
    if (self->counter.destroyed >= self->contexts) self->called_after_destroy = true;
    if (row_called != NULL) row_called();
}

/* ---- Callbacks ----------------------------------------------------------- */

/* What is calculated with, whatever the value is. */
static int64_t number_of(const streams_value *value) {
    if (value->kind == STREAMS_VALUE_INT64) return value->as.integer;
    return value->kind == STREAMS_VALUE_DOUBLE ? (int64_t)value->as.real : (int64_t)value->size;
}

void *row_call_value(void *callable, void *const *arguments, size_t count, void *names) {
    (void)callable, (void)arguments, (void)count, (void)names;
    return NULL;
}

streams_status row_transform(void *context, const streams_value *in, streams_value *out) {
    note(context);
    *out = streams_int(number_of(in) + 1);
    return number_of(in) < 0 ? streams_callback_fail_with(1, "test", "negative") : STREAMS_OK;
}

streams_status row_transform_batch(void *context, const streams_value *in, streams_value *out) {
    note(context);
    return streams_value_copy(in, out);
}

streams_status row_get_value(void *context, streams_value *out) {
    note(context);
    *out = row_one;
    return STREAMS_OK;
}

streams_status row_set_value(void *context, const streams_value *value) {
    (void)value;
    note(context);
    return STREAMS_OK;
}

streams_status row_body(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    (void)scope, (void)input;
    note(context);
    *out = row_one;
    return STREAMS_OK;
}

streams_status row_predicate(void *context, const streams_value *in, bool *result) {
    (void)in;
    note(context);
    *result = row_answer;
    return STREAMS_OK;
}

streams_status row_compare(void *context, const streams_value *a, const streams_value *b, bool *same) {
    (void)same;
    note(context);
    return number_of(a) == number_of(b) ? STREAMS_CALLBACK_FAILED : STREAMS_OK;
}

streams_status row_order(void *context, const streams_value *a, const streams_value *b, bool *is_before) {
    note(context);
    *is_before = number_of(a) < number_of(b);
    return STREAMS_OK;
}

streams_status row_combine(
    void *context, const streams_value *accumulated, const streams_value *in, streams_value *out) {
    (void)accumulated;
    note(context);
    *out = streams_int(number_of(in));
    return STREAMS_OK;
}

streams_status row_combine_values(
    void *context, const streams_value *values, size_t count, streams_value *out) {
    note(context);
    *out = streams_int(number_of(&values[count - 1]));
    return STREAMS_OK;
}

streams_status row_expand(void *context, const streams_value *in, streams_publisher **out) {
    note(context);
    bool is_inner = row_inner != NULL && number_of(in) % 2 == 0;
    *out = is_inner ? streams_subject_publisher(row_inner) : streams_just(in);
    return STREAMS_OK;
}

streams_status row_expand_property(void *context, const streams_value *in, streams_property **out) {
    note(context);
    *out = streams_property_create(in);
    return STREAMS_OK;
}

streams_status row_recover(void *context, const streams_error *error, streams_publisher **out) {
    note(context);
    streams_value code = streams_int(streams_error_code(error) + 1000);
    *out = streams_just(&code);
    return STREAMS_OK;
}

streams_status row_transform_error(void *context, const streams_error *error, streams_error **out) {
    note(context);
    *out = (streams_error *)(uintptr_t)error;
    return streams_retain(error);
}

streams_status row_make_publisher(void *context, streams_publisher **out) {
    note(context);
    *out = streams_just(&row_one);
    return STREAMS_OK;
}

streams_status row_make_error(void *context, streams_error **out) {
    note(context);
    *out = streams_error_create(1, "test", "made", NULL);
    return *out != NULL ? STREAMS_OK : streams_last_status();
}

streams_status row_error_predicate(void *context, const streams_error *error, bool *result) {
    (void)error;
    note(context);
    *result = true;
    return STREAMS_OK;
}

void row_write(void *context, const char *text, size_t length) {
    (void)text, (void)length;
    note(context);
}

void row_action(void *context) { note(context); }

/* ---- Structs ------------------------------------------------------------- */

static void note_value(void *context, const streams_value *value) {
    (void)value;
    note(context);
}

static void note_subscription(void *context, streams_subscription *subscription) {
    (void)subscription;
    note(context);
}

static void note_request(void *context, uint64_t demand) {
    (void)demand;
    note(context);
}

static uint64_t take_value(void *context, const streams_value *value) {
    note_value(context, value);
    return 0;
}

static streams_status produce_nothing(void *state, streams_emitter *emitter, uint64_t max) {
    (void)state, (void)emitter, (void)max;
    return STREAMS_OK;
}

streams_event_handlers row_event_handlers(fixture *f) {
    streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
    handlers.context = taken(f);
    handlers.on_subscription = note_subscription;
    handlers.on_value = note_value;
    handlers.on_request = note_request;
    handlers.destroy = row_destroy;
    return handlers;
}

static bool pass_value(void *context, const streams_value *value) {
    note_value(context, value);
    return false;
}

streams_breakpoints row_breakpoints(fixture *f) {
    streams_breakpoints breakpoints = STREAMS_BREAKPOINTS_INIT;
    breakpoints.context = taken(f);
    breakpoints.on_value = pass_value;
    breakpoints.destroy = row_destroy;
    return breakpoints;
}

streams_subscriber row_subscriber(fixture *f) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = taken(f);
    subscriber.on_value = take_value;
    subscriber.destroy = row_destroy;
    return subscriber;
}

streams_source row_source(fixture *f) {
    streams_source source = STREAMS_SOURCE_INIT;
    source.context = taken(f);
    source.produce = produce_nothing;
    source.destroy = row_destroy;
    return source;
}

static streams_status pass_on(void *state, streams_emitter *emitter, const streams_value *value) {
    note(state);
    return streams_emitter_send(emitter, value);
}

streams_operator row_operator(fixture *f) {
    streams_operator behavior = STREAMS_OPERATOR_INIT;
    behavior.context = taken(f);
    behavior.on_value = pass_on;
    behavior.destroy = row_destroy;
    return behavior;
}

static streams_nanoseconds tell_zero(void *context) {
    note(context);
    return 0;
}

/* Actions are never run: they go with their scheduler. */
static void take_action(void *context, streams_nanoseconds time, streams_action *action) {
    (void)time, (void)action;
    note(context);
}

streams_custom_scheduler row_custom_scheduler(fixture *f) {
    streams_custom_scheduler scheduler = STREAMS_CUSTOM_SCHEDULER_INIT;
    scheduler.context = taken(f);
    scheduler.now = tell_zero;
    scheduler.schedule = take_action;
    scheduler.destroy = row_destroy;
    return scheduler;
}

streams_backoff row_backoff(fixture *f) {
    (void)f;
    streams_backoff backoff = STREAMS_BACKOFF_INIT;
    backoff.retries = row_count;
    backoff.delay = row_time;
    return backoff;
}

streams_host_callables row_host_callables(fixture *f) {
    (void)f;
    return (streams_host_callables){ .size = sizeof(streams_host_callables) };
}

streams_object_type row_object_type(fixture *f) {
    (void)f;
    return (streams_object_type)STREAMS_OBJECT_TYPE_INIT;
}

streams_host row_host(fixture *f) {
    (void)f;
    return fake_host_table();
}
