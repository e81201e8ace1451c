/* setup.c - consumers of the server: making one, and finding out whether it is still there. What waits for
 * the server runs on the connection's thread. */

#include <stdlib.h>
#include <string.h>

#include "consume.h"

enum { ATTEMPTS = 60, /* while the server starts */
    UNANSWERED = 5    /* where nobody takes questions: a server with JetStream does so as soon as it takes
                      connections, but those between it and others may take a moment */
};

/* nats.c writes fractions of a second without the zeros in front (in 3.4.1: .05 as .5): a fraction below
 * a tenth becomes 0, so that the consumer begins a little earlier rather than later. */
static int64_t writable(int64_t time) {
    int64_t fraction = time % STREAMS_SECOND;
    return fraction < STREAMS_SECOND / 10 ? time - fraction : time;
}

void fill_config(jsConsumerConfig *out, const streams_nats_consume_options *options) {
    static const jsDeliverPolicy policies[] = { js_DeliverAll, js_DeliverNew, js_DeliverLast,
        js_DeliverByStartSequence, js_DeliverByStartTime, js_DeliverLastPerSubject };
    (void)jsConsumerConfig_Init(out);
    out->Durable = options->durable;
    out->FilterSubject = options->filter;
    out->DeliverPolicy = policies[options->deliver];
    if (options->deliver == STREAMS_NATS_DELIVER_FROM_SEQUENCE) out->OptStartSeq = options->start_sequence;
    if (options->deliver == STREAMS_NATS_DELIVER_FROM_TIME)
        out->OptStartTime = writable(options->start_time);
    out->AckPolicy =
        options->acknowledgement == STREAMS_NATS_ACKNOWLEDGE_NONE ? js_AckNone : js_AckExplicit;
    out->AckWait = options->acknowledge_wait;
    out->MaxDeliver = options->max_deliver;
    out->MaxAckPending = options->max_acknowledge_pending;
    if (options->durable == NULL)
        out->InactiveThreshold = options->inactive > 0 ? options->inactive : 60 * STREAMS_SECOND;
}

static void fail_setup(consume *self, natsStatus status, jsErrCode code) {
    const streams_nats_consume_options *options = &self->plan->options;
    const char *name = self->consumer != NULL ? self->consumer : options->durable;
    live_fail(&self->base,
        stream_error(code != 0 ? (int64_t)code : (int64_t)status, "cannot use consumer %s of stream %s: %s",
            name != NULL ? name : "(ephemeral)", options->stream,
            jetstream_words(self->base.owner, status, code)));
}

/* A durable consumer that exists is used as it is, if possible. */
static bool fits(consume *self, const jsConsumerInfo *info) {
    bool none = self->plan->options.acknowledgement == STREAMS_NATS_ACKNOWLEDGE_NONE;
    const char *words = NULL;
    if (info->Config->DeliverSubject != NULL && info->Config->DeliverSubject[0] != '\0')
        words = "it is a push consumer";
    else if (none != (info->Config->AckPolicy == js_AckNone))
        words = "it has another acknowledgement policy";
    else if (self->plan->options.filter != NULL &&
             (info->Config->FilterSubject == NULL ||
                 strcmp(info->Config->FilterSubject, self->plan->options.filter) != 0))
        words = "it has another filter";
    if (words != NULL)
        live_fail(
            &self->base, stream_error(JSConsumerNameExistErr, "consumer %s of stream %s cannot be used: %s",
                             self->plan->options.durable, self->plan->options.stream, words));
    return words == NULL;
}

static natsStatus make_consumer(consume *self, jsConsumerInfo **info, jsErrCode *code) {
    jsConsumerConfig config;
    fill_config(&config, &self->plan->options);
    if (self->plan->ordered && self->last > 0) {
        config.DeliverPolicy = js_DeliverByStartSequence;
        config.OptStartSeq = self->last + 1;
    }
    return js_AddConsumer(
        info, connection_js(self->base.owner), self->plan->options.stream, &config, NULL, code);
}

/* Looks for the consumer, and makes it if it may be missing. */
static natsStatus find_consumer(consume *self, jsConsumerInfo **info, jsErrCode *code) {
    const streams_nats_consume_options *options = &self->plan->options;
    if (self->plan->ordered) {
        if (self->consumer != NULL) consume_give_up(self);
        return make_consumer(self, info, code);
    }
    const char *name = self->consumer != NULL ? self->consumer : options->durable;
    natsStatus status = NATS_NOT_FOUND;
    if (name != NULL)
        status =
            js_GetConsumerInfo(info, connection_js(self->base.owner), options->stream, name, NULL, code);
    bool missing = status == NATS_NOT_FOUND && (name == NULL || *code == JSConsumerNotFoundErr);
    if (!missing || self->consumer != NULL) return status;
    *code = 0;
    return make_consumer(self, info, code);
}

static natsStatus begin(consume *self, const jsConsumerInfo *info) {
    char *subject = NULL;
    natsStatus status = NATS_OK;
    pthread_mutex_lock(&self->base.lock);
    bool subscribed = self->inbox != NULL;
    pthread_mutex_unlock(&self->base.lock);
    if (!subscribed) {
        char *inbox = new_inbox();
        if (inbox == NULL) return NATS_NO_MEMORY;
        subject = make_text("%s.*", inbox);
        pthread_mutex_lock(&self->base.lock);
        self->inbox = inbox;
        pthread_mutex_unlock(&self->base.lock);
        status = live_subscribe(&self->base, subject, NULL, true, consume_on_message);
        if (status == NATS_OK) live_later(&self->base, SILENCE, consume_listen);
        free(subject);
    }
    pthread_mutex_lock(&self->base.lock);
    if (self->consumer == NULL || strcmp(self->consumer, info->Name) != 0) {
        free(self->consumer);
        free(self->pull_subject);
        self->taken = 0;
        self->consumer = copy_text(info->Name);
        self->pull_subject =
            make_text("$JS.API.CONSUMER.MSG.NEXT.%s.%s", self->plan->options.stream, info->Name);
    }
    if (!subscribed || self->plan->finite) self->nothing = info->NumPending == 0;
    /* A consumer may take only requests that are shorter. */
    int64_t most = info->Config->MaxRequestExpires;
    self->expires = most > 0 && most < EXPIRES ? most : EXPIRES;
    /* What was asked for before has been lost, or is answered beyond the demand and goes back. */
    pulls_forget(self);
    self->suspect = false;
    self->attempts = 0;
    self->ready = status == NATS_OK;
    connection_server(self->base.owner, self->server, sizeof self->server);
    pthread_mutex_unlock(&self->base.lock);
    return status;
}

/* Whether an error may be gone in a moment, while a server starts or a cluster elects its leader. */
static bool is_passing(natsStatus status, jsErrCode code) {
    return status == NATS_TIMEOUT || status == NATS_NO_RESPONDERS ||
           status == NATS_CONNECTION_DISCONNECTED || code == JSClusterNotAvailErr ||
           code == JSClusterNotLeaderErr;
}

/* Whether to ask again. A consumer that was there before comes back with its server. */
static bool may_try_again(consume *self, natsStatus status, jsErrCode code, unsigned attempt) {
    self->unanswered = status == NATS_NO_RESPONDERS ? self->unanswered + 1 : 0;
    bool none = self->unanswered >= UNANSWERED && self->consumer == NULL;
    return is_passing(status, code) && attempt < ATTEMPTS && !none;
}

static void set_up(void *context) {
    consume *self = context;
    pthread_mutex_lock(&self->base.lock);
    self->setting_up = false;
    bool closed = self->base.closed;
    unsigned attempt = ++self->attempts;
    pthread_mutex_unlock(&self->base.lock);
    /* The connection says when it is back. */
    if (closed || !connection_is_up(self->base.owner)) return;
    jsConsumerInfo *info = NULL;
    jsErrCode code = 0;
    natsStatus status = find_consumer(self, &info, &code);
    if (status == NATS_OK && !fits(self, info)) {
        jsConsumerInfo_Destroy(info);
        return;
    }
    if (status == NATS_OK) status = begin(self, info);
    if (info != NULL) jsConsumerInfo_Destroy(info);
    if (status == NATS_OK && consume_is_over(self))
        (void)streams_emitter_finish(self->base.emitter);
    else if (status == NATS_OK && self->nothing && self->plan->null_first)
        (void)streams_emitter_wake(self->base.emitter);
    else if (status == NATS_OK)
        consume_refill(self);
    else if (live_is_closed(&self->base) || status == NATS_CONNECTION_CLOSED)
        return; /* the connection fails its streams when it is closed, and knows why */
    else if (may_try_again(self, status, code, attempt))
        consume_set_up(self, 250);
    else
        fail_setup(self, status, code);
}

void consume_set_up(consume *self, int64_t delay) {
    pthread_mutex_lock(&self->base.lock);
    bool needed = !self->setting_up && !self->base.closed;
    if (needed) self->setting_up = true;
    pthread_mutex_unlock(&self->base.lock);
    if (!needed) return;
    live_later(&self->base, delay, set_up);
}
