#include "support.h"

/* ---- A log --------------------------------------------------------------- */

void log_add(test_log *log, const char *format, ...) {
    va_list arguments;
    size_t room = sizeof log->text - log->length;
    va_start(arguments, format);
    if (log->length > 0 && room > 1) {
        log->text[log->length++] = ' ';
        room--;
    }
    int count = vsnprintf(log->text + log->length, room, format, arguments);
    va_end(arguments);
    log->length += count > 0 && (size_t)count < room ? (size_t)count : room - 1;
}

void log_value(test_log *log, const streams_value *value) {
    char text[512];
    streams_status status = streams_value_describe(value, text, sizeof text, NULL);
    log_add(log, "%s", status == STREAMS_OK ? text : streams_status_name(status));
}

void assert_log_(test_log *log, const char *expected, const char *file, int line) {
    log->text[log->length] = '\0';
    bool same = strcmp(log->text, expected) == 0;
    if (!same) print_error("the log is \"%s\", not \"%s\"\n", log->text, expected);
    log->length = 0;
    if (!same) _fail(file, line);
}

/* ---- Recorder ------------------------------------------------------------ */

static void record_subscription(void *context, streams_subscription *subscription) {
    recorder *self = context;
    log_add(&self->log, "subscribed");
    if (streams_retain(subscription) == STREAMS_OK) self->subscription = subscription;
    if (self->on_subscription != NULL) self->on_subscription(self);
}

static uint64_t record_value(void *context, const streams_value *value) {
    recorder *self = context;
    self->values++;
    log_value(&self->log, value);
    if (self->on_value != NULL) self->on_value(self, value);
    return self->more;
}

static uint64_t record_values(void *context, const streams_value *values, size_t count) {
    recorder *self = context;
    self->values += count;
    log_add(&self->log, "(");
    for (size_t i = 0; i < count; i++) {
        log_value(&self->log, &values[i]);
        if (self->on_value != NULL) self->on_value(self, &values[i]);
    }
    log_add(&self->log, ")");
    return self->more;
}

static void record_completion(void *context, const streams_error *error) {
    recorder *self = context;
    if (error == NULL) {
        log_add(&self->log, "finished");
    } else {
        log_add(&self->log, "failed(%s)", streams_error_message(error));
    }
    if (self->on_completion != NULL) self->on_completion(self, error);
}

static void record_destroy(void *context) {
    recorder *self = context;
    log_add(&self->log, "destroyed");
    self->destroyed++;
}

streams_subscriber recorder_subscriber(recorder *self, uint64_t demand) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = self;
    subscriber.demand = demand;
    subscriber.on_subscription = record_subscription;
    subscriber.on_value = record_value;
    if (self->batches) subscriber.on_values = record_values;
    subscriber.on_completion = record_completion;
    subscriber.destroy = record_destroy;
    return subscriber;
}

void recorder_subscribe(recorder *self, streams_publisher *publisher, uint64_t demand) {
    streams_subscriber subscriber = recorder_subscriber(self, demand);
    self->cancellable = streams_sink(publisher, &subscriber);
    if (self->cancellable == NULL) fail_msg("streams_sink: %s", streams_last_message());
}

void recorder_end(recorder *self) {
    if (self->cancellable != NULL) streams_release(self->cancellable);
    if (self->subscription != NULL) streams_release(self->subscription);
    self->cancellable = NULL;
    self->subscription = NULL;
}

void assert_stream_(streams_publisher *publisher, const char *expected, const char *file, int line) {
    recorder r = { 0 };
    streams_subscriber subscriber = recorder_subscriber(&r, STREAMS_UNLIMITED);
    r.cancellable = streams_sink(publisher, &subscriber);
    recorder_end(&r);
    assert_log_(&r.log, expected, file, line);
}
