#include "handle_rows.h"

#include "fake_host.h"

/* ---- One call a function and handle argument ------------------------------ */

/* What a function that returns a handle, a number or a text has said: its
 * failure is NULL, 0 or "". */
static streams_status made(const void *handle) {
    if (handle == NULL) return streams_last_status();
    streams_release(handle);
    return STREAMS_OK;
}

static streams_status answered(bool something) { return something ? STREAMS_OK : streams_last_status(); }

/* The context of a callback that the library takes. */
static void *taken(fixture *f) {
    f->taken++;
    return &f->counter;
}

static const streams_value one = { .kind = STREAMS_VALUE_INT64, .as.integer = 1 };
static const int64_t integers[] = { 1 };
static const double reals[] = { 1 };

static void write_nothing(void *context, const char *text, size_t length) {
    (void)context, (void)text, (void)length;
}

static streams_status send_values_to_emitter(void *emitter) {
    size_t sent = 99;
    streams_status status = streams_emitter_send_values(emitter, &one, 1, &sent);
    return sent == 0 ? status : STREAMS_OK;
}

static streams_status get_value(void *subject) {
    streams_value value = streams_int(5);
    streams_status status = streams_current_value_subject_get_value(subject, &value);
    return value.kind == STREAMS_VALUE_NULL ? status : STREAMS_OK;
}

static streams_publisher *of_two(
    streams_publisher *(*combine)(streams_publisher *const *, size_t), void *bad, bool first) {
    streams_publisher *children[2] = { first ? bad : ints(1), first ? ints(1) : bad };
    return combine(children, 2);
}

static streams_publisher *handle_events(void *publisher, fixture *f) {
    streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
    handlers.context = taken(f);
    handlers.destroy = counter_destroy;
    return streams_handle_events(publisher, &handlers);
}

static streams_cancellable *sink(void *publisher, fixture *f) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = taken(f);
    subscriber.on_value = ignore_value;
    subscriber.destroy = counter_destroy;
    return streams_sink(publisher, &subscriber);
}

static streams_status host_send(void *subject) {
    fake_object *object = fake_int(1);
    streams_status status = streams_host_send(subject, fake_host(), object);
    fake_release(object);
    return status;
}

static streams_status host_send_objects(void *subject) {
    void *objects[1] = { fake_int(1) };
    streams_status status = streams_host_send_objects(subject, fake_host(), objects, 1);
    fake_release(objects[0]);
    return status;
}

static streams_status host_emit(void *emitter) {
    size_t sent = 99;
    void *objects[1] = { fake_int(1) };
    streams_status status = streams_host_emit(emitter, fake_host(), objects, 1, &sent);
    fake_release(objects[0]);
    return sent == 0 ? status : STREAMS_OK;
}

static streams_status call_destroy(void *callable) {
    streams_callable_destroy(callable);
    return streams_last_status();
}

static streams_status call_write(void *callable) {
    streams_callable_write(callable, "x", 1);
    return streams_last_status();
}

/* CALL(identifier, expression): a call with the handle `h`, which is bad. */
#define CALL(identifier, expression) \
    static streams_status call_##identifier(void *h, fixture *f) { \
        (void)f; \
        return (expression); \
    }

streams_value row_value;
static bool out_bool;
static streams_publisher *out_publisher;
#define OWN taken(f), counter_destroy

CALL(retain, streams_retain(h))
CALL(release, streams_release(h))
CALL(error_code, answered(streams_error_code(h) != 0))
CALL(error_domain, answered(streams_error_domain(h)[0] != '\0'))
CALL(error_message, answered(streams_error_message(h)[0] != '\0'))
CALL(error_object, answered(streams_error_object(h) != NULL))
CALL(callback_fail, streams_callback_fail(h))
CALL(fail, made(streams_fail(h)))
CALL(emitter_send, streams_emitter_send(h, &one))
CALL(emitter_send_values, send_values_to_emitter(h))
CALL(emitter_finish, streams_emitter_finish(h))
CALL(emitter_fail_emitter, streams_emitter_fail(h, f->error))
CALL(emitter_fail_error, streams_emitter_fail(f->emitter, h))
CALL(emitter_demand, answered(streams_emitter_demand(h) != 0))
CALL(emitter_wake, streams_emitter_wake(h))
CALL(subject_send, streams_subject_send(h, &one))
CALL(subject_send_values, streams_subject_send_values(h, &one, 1))
CALL(subject_send_int64s, streams_subject_send_int64s(h, integers, 1))
CALL(subject_send_doubles, streams_subject_send_doubles(h, reals, 1))
CALL(subject_send_completion_subject, streams_subject_send_completion(h, f->error))
CALL(subject_send_completion_error, streams_subject_send_completion(f->subject, h))
CALL(get_value, get_value(h))
CALL(set_value, streams_current_value_subject_set_value(h, &one))
CALL(subject_publisher, made(streams_subject_publisher(h)))
CALL(map, made(streams_map(h, add_one, OWN)))
CALL(filter, made(streams_filter(h, is_even, OWN)))
CALL(compact_map, made(streams_compact_map(h, half_if_even, OWN)))
CALL(remove_duplicates, made(streams_remove_duplicates(h)))
CALL(remove_duplicates_by, made(streams_remove_duplicates_by(h, same_parity, OWN)))
CALL(scan, made(streams_scan(h, &one, sum, OWN)))
CALL(reduce, made(streams_reduce(h, &one, sum, OWN)))
CALL(collect, made(streams_collect(h)))
CALL(collect_count, made(streams_collect_count(h, 2)))
CALL(prefix, made(streams_prefix(h, 2)))
CALL(drop_first, made(streams_drop_first(h, 2)))
CALL(flat_map, made(streams_flat_map(h, 2, expand_twice, OWN)))
CALL(merge_first, made(of_two(streams_merge, h, true)))
CALL(merge_second, made(of_two(streams_merge, h, false)))
CALL(combine_latest_first, made(of_two(streams_combine_latest, h, true)))
CALL(combine_latest_second, made(of_two(streams_combine_latest, h, false)))
CALL(zip_first, made(of_two(streams_zip, h, true)))
CALL(zip_second, made(of_two(streams_zip, h, false)))
CALL(catch, made(streams_catch(h, recover_with_seven, OWN)))
CALL(handle_events, made(handle_events(h, f)))
CALL(print, made(streams_print(h, "p", write_nothing, OWN)))
CALL(sink, made(sink(h, f)))
CALL(assign_publisher, made(streams_assign(h, f->subject)))
CALL(assign_subject, made(streams_assign(ints(1), h)))
CALL(subscribe_publisher, made(streams_subscribe(h, f->subject)))
CALL(subscribe_subject, made(streams_subscribe(ints(1), h)))
CALL(cancel, streams_cancel(h))
CALL(subscription_request, streams_subscription_request(h, 1))
CALL(subscription_cancel, streams_subscription_cancel(h))
CALL(host_send, host_send(h))
CALL(host_send_objects, host_send_objects(h))
CALL(host_emit, host_emit(h))
CALL(callable_destroy, call_destroy(h))
CALL(callable_transform, streams_callable_transform(h, &one, &row_value))
CALL(callable_predicate, streams_callable_predicate(h, &one, &out_bool))
CALL(callable_compare, streams_callable_compare(h, &one, &one, &out_bool))
CALL(callable_combine, streams_callable_combine(h, &one, &one, &row_value))
CALL(callable_expand, streams_callable_expand(h, &one, &out_publisher))
CALL(callable_recover_callable, streams_callable_recover(h, f->error, &out_publisher))
CALL(callable_recover_error, streams_callable_recover(f->callable, h, &out_publisher))
CALL(callable_write, call_write(h))


/* ---- The table ------------------------------------------------------------ */

#define ANY          STREAMS_KIND_NONE
#define PUBLISHER    STREAMS_KIND_PUBLISHER
#define SUBJECT      STREAMS_KIND_SUBJECT
#define SUBSCRIPTION STREAMS_KIND_SUBSCRIPTION
#define CANCELLABLE  STREAMS_KIND_CANCELLABLE
#define ERROR        STREAMS_KIND_ERROR
#define EMITTER      STREAMS_KIND_EMITTER
#define CALLABLE     STREAMS_KIND_CALLABLE
#define NO_HANDLE    NULL, ANY, NULL_IS_FINE

const row handle_rows[] = {
    { "streams_version", NO_HANDLE },
    { "streams_version_string", NO_HANDLE },
    { "streams_status_name", NO_HANDLE },
    { "streams_last_status", NO_HANDLE },
    { "streams_last_function", NO_HANDLE },
    { "streams_last_message", NO_HANDLE },
    { "streams_clear_last_error", NO_HANDLE },
    { "streams_retain", call_retain, ANY, NULL_IS_BAD },
    { "streams_release", call_release, ANY, NULL_IS_BAD },
    { "streams_handle_kind", NO_HANDLE }, /* takes anything; see its own test */
    { "streams_live_handles", NO_HANDLE },
    { "streams_value_copy", NO_HANDLE },
    { "streams_value_destroy", NO_HANDLE },
    { "streams_value_equal", NO_HANDLE },
    { "streams_value_describe", NO_HANDLE },
    { "streams_value_string", NO_HANDLE },
    { "streams_value_bytes", NO_HANDLE },
    { "streams_value_list", NO_HANDLE },
    { "streams_value_object", NO_HANDLE },
    { "streams_error_create", NO_HANDLE },
    { "streams_error_code", call_error_code, ERROR, NULL_IS_BAD },
    { "streams_error_domain", call_error_domain, ERROR, NULL_IS_BAD },
    { "streams_error_message", call_error_message, ERROR, NULL_IS_BAD },
    { "streams_error_object", call_error_object, ERROR, NULL_IS_BAD },
    { "streams_callback_fail", call_callback_fail, ERROR, NULL_IS_BAD },
    { "streams_just", NO_HANDLE },
    { "streams_empty", NO_HANDLE },
    { "streams_fail", call_fail, ERROR, NULL_IS_BAD },
    { "streams_sequence", NO_HANDLE },
    { "streams_sequence_int64s", NO_HANDLE },
    { "streams_sequence_doubles", NO_HANDLE },
    { "streams_publisher_create", NO_HANDLE },
    { "streams_emitter_send", call_emitter_send, EMITTER, NULL_IS_BAD },
    { "streams_emitter_send_values", call_emitter_send_values, EMITTER, NULL_IS_BAD },
    { "streams_emitter_finish", call_emitter_finish, EMITTER, NULL_IS_BAD },
    { "streams_emitter_fail", call_emitter_fail_emitter, EMITTER, NULL_IS_BAD },
    { "streams_emitter_fail", call_emitter_fail_error, ERROR, NULL_IS_BAD },
    { "streams_emitter_demand", call_emitter_demand, EMITTER, NULL_IS_BAD },
    { "streams_emitter_wake", call_emitter_wake, EMITTER, NULL_IS_BAD },
    { "streams_passthrough_subject_create", NO_HANDLE },
    { "streams_current_value_subject_create", NO_HANDLE },
    { "streams_subject_send", call_subject_send, SUBJECT, NULL_IS_BAD },
    { "streams_subject_send_values", call_subject_send_values, SUBJECT, NULL_IS_BAD },
    { "streams_subject_send_int64s", call_subject_send_int64s, SUBJECT, NULL_IS_BAD },
    { "streams_subject_send_doubles", call_subject_send_doubles, SUBJECT, NULL_IS_BAD },
    { "streams_subject_send_completion", call_subject_send_completion_subject, SUBJECT, NULL_IS_BAD },
    { "streams_subject_send_completion", call_subject_send_completion_error, ERROR, NULL_IS_FINE },
    { "streams_current_value_subject_get_value", call_get_value, SUBJECT, NULL_IS_BAD },
    { "streams_current_value_subject_set_value", call_set_value, SUBJECT, NULL_IS_BAD },
    { "streams_subject_publisher", call_subject_publisher, SUBJECT, NULL_IS_BAD },
    { "streams_map", call_map, PUBLISHER, NULL_IS_CHAIN },
    { "streams_filter", call_filter, PUBLISHER, NULL_IS_CHAIN },
    { "streams_compact_map", call_compact_map, PUBLISHER, NULL_IS_CHAIN },
    { "streams_remove_duplicates", call_remove_duplicates, PUBLISHER, NULL_IS_CHAIN },
    { "streams_remove_duplicates_by", call_remove_duplicates_by, PUBLISHER, NULL_IS_CHAIN },
    { "streams_scan", call_scan, PUBLISHER, NULL_IS_CHAIN },
    { "streams_reduce", call_reduce, PUBLISHER, NULL_IS_CHAIN },
    { "streams_collect", call_collect, PUBLISHER, NULL_IS_CHAIN },
    { "streams_collect_count", call_collect_count, PUBLISHER, NULL_IS_CHAIN },
    { "streams_prefix", call_prefix, PUBLISHER, NULL_IS_CHAIN },
    { "streams_drop_first", call_drop_first, PUBLISHER, NULL_IS_CHAIN },
    { "streams_flat_map", call_flat_map, PUBLISHER, NULL_IS_CHAIN },
    { "streams_merge", call_merge_first, PUBLISHER, NULL_IS_CHAIN },
    { "streams_merge", call_merge_second, PUBLISHER, NULL_IS_CHAIN },
    { "streams_combine_latest", call_combine_latest_first, PUBLISHER, NULL_IS_CHAIN },
    { "streams_combine_latest", call_combine_latest_second, PUBLISHER, NULL_IS_CHAIN },
    { "streams_zip", call_zip_first, PUBLISHER, NULL_IS_CHAIN },
    { "streams_zip", call_zip_second, PUBLISHER, NULL_IS_CHAIN },
    { "streams_catch", call_catch, PUBLISHER, NULL_IS_CHAIN },
    { "streams_handle_events", call_handle_events, PUBLISHER, NULL_IS_CHAIN },
    { "streams_print", call_print, PUBLISHER, NULL_IS_CHAIN },
    { "streams_sink", call_sink, PUBLISHER, NULL_IS_CHAIN },
    { "streams_assign", call_assign_publisher, PUBLISHER, NULL_IS_CHAIN },
    { "streams_assign", call_assign_subject, SUBJECT, NULL_IS_BAD },
    { "streams_subscribe", call_subscribe_publisher, PUBLISHER, NULL_IS_CHAIN },
    { "streams_subscribe", call_subscribe_subject, SUBJECT, NULL_IS_BAD },
    { "streams_cancel", call_cancel, CANCELLABLE, NULL_IS_BAD },
    { "streams_subscription_request", call_subscription_request, SUBSCRIPTION, NULL_IS_BAD },
    { "streams_subscription_cancel", call_subscription_cancel, SUBSCRIPTION, NULL_IS_BAD },
    { "streams_host_register", NO_HANDLE },
    { "streams_host_retire", NO_HANDLE },
    { "streams_host_values", NO_HANDLE },
    { "streams_host_object", NO_HANDLE },
    { "streams_host_send", call_host_send, SUBJECT, NULL_IS_BAD },
    { "streams_host_send_objects", call_host_send_objects, SUBJECT, NULL_IS_BAD },
    { "streams_host_send_method", NO_HANDLE },
    { "streams_host_source", NO_HANDLE },
    { "streams_host_emit", call_host_emit, EMITTER, NULL_IS_BAD },
    { "streams_host_publisher", NO_HANDLE },
    { "streams_callable_create", NO_HANDLE },
    { "streams_callable_destroy", call_callable_destroy, CALLABLE, NULL_IS_FINE },
    { "streams_callable_transform", call_callable_transform, CALLABLE, NULL_IS_BAD },
    { "streams_callable_predicate", call_callable_predicate, CALLABLE, NULL_IS_BAD },
    { "streams_callable_compare", call_callable_compare, CALLABLE, NULL_IS_BAD },
    { "streams_callable_combine", call_callable_combine, CALLABLE, NULL_IS_BAD },
    { "streams_callable_expand", call_callable_expand, CALLABLE, NULL_IS_BAD },
    { "streams_callable_recover", call_callable_recover_callable, CALLABLE, NULL_IS_BAD },
    { "streams_callable_recover", call_callable_recover_error, ERROR, NULL_IS_BAD },
    { "streams_callable_write", call_callable_write, CALLABLE, NULL_IS_BAD },
    { "streams_host_subscriber", NO_HANDLE },
    { "streams_host_event_handlers", NO_HANDLE },
};
const int handle_row_count = sizeof handle_rows / sizeof handle_rows[0];
