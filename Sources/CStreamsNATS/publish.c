/* publish.c - what to publish to JetStream, and what the server answers. */

#include <stdlib.h>
#include <string.h>

#include "publish.h"

enum { SUBJECT = 512 };

/* ---- Answers: {"stream":"S","seq":7} or {"error":{"code":503,"err_code":10077,"description":"..."}} --- */

/* What follows a key, or NULL. A text may be like a key, as the name of a stream, but no colon follows it. */
static const char *after(const char *text, const char *key) {
    for (const char *found = text; (found = strstr(found, key)) != NULL;) {
        found += strlen(key);
        const char *value = found + strspn(found, " ");
        if (*value == ':') return value + 1 + strspn(value + 1, " ");
    }
    return NULL;
}

static void copy_string(const char *from, char *out, size_t capacity) {
    size_t length = 0;
    if (*from == '"') from++;
    while (*from != '\0' && *from != '"' && length + 1 < capacity) {
        if (*from == '\\' && from[1] != '\0') from++;
        out[length++] = *from++;
    }
    out[length] = '\0';
}

void confirmation_parse(const char *data, int length, confirmation *out) {
    char text[1024];
    size_t size = length > 0 && (size_t)length < sizeof text ? (size_t)length : 0;
    memcpy(text, data != NULL ? data : "", size);
    text[size] = '\0';
    *out = (confirmation){ 0 };
    const char *error = after(text, "\"error\""), *sequence = after(text, "\"seq\"");
    if (error != NULL) {
        const char *code = after(error, "\"err_code\""), *words = after(error, "\"description\"");
        if (code == NULL) code = after(error, "\"code\"");
        out->code = code != NULL ? strtoll(code, NULL, 10) : -1;
        if (out->code == 0) out->code = -1;
        copy_string(words != NULL ? words : "it was refused", out->words, sizeof out->words);
    } else if (sequence != NULL) {
        const char *duplicate = after(text, "\"duplicate\"");
        out->sequence = strtoull(sequence, NULL, 10);
        out->duplicate = duplicate != NULL && strncmp(duplicate, "true", 4) == 0;
    } else {
        out->code = NATS_PROTOCOL_ERROR;
        copy_string("what answered is not JetStream", out->words, sizeof out->words);
    }
}

/* ---- Plans -------------------------------------------------------------------------------------------- */

void publish_plan_retain(publish_plan *self) { atomic_fetch_add(&self->references, 1); }

void publish_plan_release(void *context) {
    publish_plan *self = context;
    if (atomic_fetch_sub(&self->references, 1) != 1) return;
    if (self->upstream != NULL) (void)streams_release(self->upstream);
    if (self->destroy != NULL) self->destroy(self->context);
    connection_release(self->owner);
    free(self->subject);
    free(self);
}

/* What a function of the options says; *out is NULL if there is no function. */
static streams_status ask(
    publish_plan *self, streams_nats_text_fn function, const streams_value *value, char **out) {
    char text[SUBJECT] = "";
    if (function == NULL) return STREAMS_OK;
    streams_status status = function(self->context, value, text, sizeof text);
    text[sizeof text - 1] = '\0';
    if (status == STREAMS_OK) *out = copy_text(text);
    return status;
}

const char *publish_plan_address(
    publish_plan *self, const streams_value *value, char **subject, char **id) {
    *subject = *id = NULL;
    if (!is_publishable(value)) return "it is neither text nor bytes nor null nor a message";
    if (ask(self, self->subject_of, value, subject) != STREAMS_OK)
        return "the function for its subject failed";
    if (ask(self, self->id_of, value, id) != STREAMS_OK) return "the function for its id failed";
    return *subject != NULL && !is_subject(*subject) ? "that is not a subject to publish to" : NULL;
}

const char *publish_plan_subject(const publish_plan *self, const char *subject) {
    return subject != NULL ? subject : self->subject != NULL ? self->subject
                                                             : "?";
}

static streams_status check(const streams_nats_publish_options *options, const char *function) {
    if (options == NULL) return call_failed(STREAMS_NULL_ARGUMENT, function, "options is NULL");
    if (check_size(options->size, sizeof *options, function, "options") != STREAMS_OK)
        return STREAMS_INVALID_SIZE;
    if (options->subject == NULL && options->subject_of == NULL)
        return call_failed(STREAMS_NULL_ARGUMENT, function, "subject and subject_of are NULL");
    if (options->subject_of == NULL && !is_subject(options->subject))
        return call_failed(
            STREAMS_INVALID_ARGUMENT, function, "\"%s\" is not a subject to publish to", options->subject);
    if (options->window > 1000000)
        return call_failed(STREAMS_INVALID_ARGUMENT, function, "window is more than 1000000");
    return check_fields(function, FIELD(confirm_wait));
}

/* Takes upstream, and the context of the options. The connection is retained. */
static publish_plan *plan_of(
    connection *owner, streams_publisher *upstream, const streams_nats_publish_options *options) {
    publish_plan *self = allocate(sizeof *self);
    atomic_init(&self->references, 1);
    connection_retain(owner);
    self->owner = owner;
    self->upstream = upstream;
    self->subject = copy_text(options->subject);
    self->subject_of = options->subject_of;
    self->id_of = options->id_of;
    self->on_confirmed = options->on_confirmed;
    self->context = options->context;
    self->destroy = options->destroy;
    self->window = options->window > 0 ? options->window : 1000;
    self->confirm_wait =
        options->confirm_wait > STREAMS_MILLISECOND ? options->confirm_wait / STREAMS_MILLISECOND : 5000;
    self->retries = options->retries != 0 ? options->retries : 5;
    return self;
}

static streams_status check_publisher(const streams_publisher *publisher, const char *function) {
    switch (streams_handle_kind(publisher)) {
    case STREAMS_KIND_PUBLISHER: return STREAMS_OK;
    case STREAMS_KIND_NONE:
        if (publisher == NULL) return call_failed(STREAMS_NULL_HANDLE, function, "publisher is NULL");
        return call_failed(STREAMS_STALE_HANDLE, function, "publisher is not a handle, or was released");
    default: return call_failed(STREAMS_WRONG_KIND, function, "publisher is a handle of another kind");
    }
}

/* What a call that fails has consumed. */
static void discard(streams_publisher *publisher, const streams_nats_publish_options *options) {
    if (options != NULL && options->size == sizeof *options && options->destroy != NULL)
        options->destroy(options->context);
    if (streams_handle_kind(publisher) == STREAMS_KIND_PUBLISHER) (void)streams_release(publisher);
}

/* A plan for a publisher, which it takes with the options' context; NULL with what is wrong. */
static publish_plan *plan_create(streams_publisher *publisher, streams_nats_connection *handle,
    const streams_nats_publish_options *options, const char *function) {
    connection *owner = NULL;
    publish_plan *made = NULL;
    if (!keeps_error(handle) && !keeps_publisher_error(publisher) &&
        check_publisher(publisher, function) == STREAMS_OK && check(options, function) == STREAMS_OK &&
        handle_find(handle, function, &owner) == STREAMS_OK)
        made = plan_of(owner, publisher, options);
    if (owner != NULL) connection_release(owner);
    if (made == NULL) discard(publisher, options);
    return made;
}

streams_publisher *streams_nats_publish_all(streams_publisher *publisher, streams_nats_connection *handle,
    const streams_nats_publish_options *options) {
    publish_plan *plan = plan_create(publisher, handle, options, __func__);
    return plan != NULL ? publication_publisher(plan, __func__) : NULL;
}

streams_publisher *streams_nats_publish_confirmed(
    streams_nats_connection *handle, const char *subject, const streams_value *value) {
    if (keeps_error(handle)) return NULL;
    connection *owner = NULL;
    if (handle_find(handle, __func__, &owner) != STREAMS_OK) return NULL;
    streams_nats_publish_options options = STREAMS_NATS_PUBLISH_OPTIONS_INIT;
    options.subject = subject;
    options.window = 1;
    streams_status status = STREAMS_OK;
    if (subject == NULL || value == NULL)
        status = call_failed(
            STREAMS_NULL_ARGUMENT, __func__, "%s is NULL", subject == NULL ? "subject" : "value");
    else if (!is_publishable(value))
        status = call_failed(
            STREAMS_INVALID_VALUE, __func__, "the value is neither text nor bytes nor null nor a message");
    else
        status = check(&options, __func__);
    streams_publisher *just = status == STREAMS_OK ? streams_just(value) : NULL;
    streams_publisher *made = NULL;
    if (just != NULL) {
        publish_plan *plan = plan_of(owner, just, &options);
        plan->single = true;
        made = publication_publisher(plan, __func__);
    } else if (status == STREAMS_OK)
        (void)passed_on(streams_last_status(), __func__);
    connection_release(owner);
    return made;
}

/* ---- Without confirmations ---------------------------------------------------------------------------- */

static streams_status fail_value(
    const char *subject, const streams_value *value, int64_t code, const char *words) {
    streams_value parts[2] = { streams_text(subject), *value }, list = streams_list(parts, 2);
    char *text = make_text("a value could not be published to %s: %s", subject, words);
    streams_error *error = streams_error_create(code, STREAMS_NATS_DOMAIN, text, &list);
    if (error == NULL) error = stream_error(code, "%s", text);
    free(text);
    streams_status status = streams_callback_fail(error);
    (void)streams_release(error);
    return status;
}

static streams_status send_value(void *context, const streams_value *in, streams_value *out) {
    publish_plan *self = context;
    char *subject = NULL, *id = NULL, *made = NULL;
    natsConnection *nats = connection_nats(self->owner);
    natsStatus said = NATS_INVALID_ARG;
    const char *words = publish_plan_address(self, in, &subject, &id);
    if (words == NULL && connection_is_foreign(self->owner))
        words = "the connection belongs to the process that forked this one";
    if (words == NULL) {
        said = publish_value(nats, publish_plan_subject(self, subject), NULL, in, id);
        if (said != NATS_OK) words = made = publish_words(self->owner, said, in);
    }
    streams_status status =
        words != NULL ? fail_value(publish_plan_subject(self, subject), in, said, words) : STREAMS_OK;
    free(made);
    free(subject);
    free(id);
    *out = streams_null();
    return status;
}

streams_publisher *streams_nats_send_all(streams_publisher *publisher, streams_nats_connection *handle,
    const streams_nats_publish_options *options) {
    publish_plan *plan = plan_create(publisher, handle, options, __func__);
    if (plan == NULL) return NULL;
    streams_publisher *upstream = plan->upstream;
    plan->upstream = NULL;
    return made_by(
        streams_count(streams_map(upstream, send_value, plan, publish_plan_release)), __func__);
}
