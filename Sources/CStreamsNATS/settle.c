/* settle.c - acknowledging and rejecting messages. */

#include <stdio.h>
#include <string.h>

#include "consume.h"

/* ---- What a stream keeps until it is settled ---------------------------------------------------------- */

/* Takes a message out of the list. The lock is held. Returns whether it was there. */
static bool take_out(consume *self, message *what) {
    if (!what->listed) return false;
    if (what->previous != NULL)
        what->previous->next = what->next;
    else
        self->open = what->next;
    if (what->next != NULL) what->next->previous = what->previous;
    what->previous = what->next = NULL;
    what->listed = false;
    return true;
}

/* The previous delivery of a message: its receiver may still settle it. The lock is held. */
static message *take_out_earlier(consume *self, uint64_t sequence) {
    message *each = self->open;
    while (each != NULL && each->sequence != sequence) each = each->next;
    return each != NULL && take_out(self, each) ? each : NULL;
}

/* How often a message was delivered, and its place in the stream. */
static uint64_t deliveries_of(const message *what, uint64_t *sequence) {
    jsMsgMetaData *data = NULL;
    if (natsMsg_GetMetaData(&data, what->nats) != NATS_OK) return 0;
    *sequence = data->Sequence.Stream;
    uint64_t count = data->NumDelivered;
    jsMsgMetaData_Destroy(data);
    return count;
}

void consume_remember(consume *self, message *what) {
    uint64_t deliveries = deliveries_of(what, &what->sequence);
    live_retain(&self->base);
    message_retain(what);
    what->stream = &self->base;
    pthread_mutex_lock(&self->base.lock);
    message *earlier = deliveries > 1 ? take_out_earlier(self, what->sequence) : NULL;
    what->listed = true;
    what->next = self->open;
    if (self->open != NULL) self->open->previous = what;
    self->open = what;
    pthread_mutex_unlock(&self->base.lock);
    if (earlier != NULL) message_release(earlier);
}

void consume_forget(message *what) {
    if (what->stream == NULL) return;
    pthread_mutex_lock(&what->stream->lock);
    bool listed = take_out((consume *)what->stream, what);
    pthread_mutex_unlock(&what->stream->lock);
    if (listed) message_release(what);
}

void consume_reject_open(consume *self) {
    for (;;) {
        pthread_mutex_lock(&self->base.lock);
        message *first = self->open;
        bool listed = first != NULL && take_out(self, first);
        pthread_mutex_unlock(&self->base.lock);
        if (!listed) return;
        (void)message_settle(first, "-NAK");
        message_release(first);
    }
}

/* ---- Words for the server ----------------------------------------------------------------------------- */

bool message_settle(message *self, const char *word) {
    if (!atomic_exchange(&self->open, false)) return false;
    if (!connection_is_foreign(self->owner))
        (void)natsConnection_PublishString(
            connection_nats(self->owner), natsMsg_GetReply(self->nats), word);
    return true;
}

static streams_status settle(const streams_value *value, const char *word, const char *function) {
    message *self = NULL;
    streams_status status = message_find(value, function, &self);
    if (status != STREAMS_OK) return status;
    const char *reply = natsMsg_GetReply(self->nats);
    if (self->owner == NULL || reply == NULL || strncmp(reply, "$JS.ACK.", 8) != 0)
        return call_failed(STREAMS_INVALID_VALUE, function, "the message needs no acknowledgement");
    if (connection_is_foreign(self->owner))
        return call_failed(
            STREAMS_TERMINATED, function, "the connection belongs to the process that forked this one");
    bool final = word[1] != 'W';
    bool open = final ? atomic_exchange(&self->open, false) : atomic_load(&self->open);
    if (!open)
        return call_failed(STREAMS_TERMINATED, function,
            "the message is settled: by a call before, by its stream, or by the end of that");
    natsStatus said = natsConnection_PublishString(connection_nats(self->owner), reply, word);
    if (final) consume_forget(self);
    if (said == NATS_OK) return STREAMS_OK;
    return nats_failed(said, 0, function, "cannot send %s to %s: %s", word, connection_name(self->owner),
        connection_words(self->owner, said));
}

streams_status streams_nats_acknowledge(const streams_value *value) {
    return settle(value, "+ACK", __func__);
}

streams_status streams_nats_terminate(const streams_value *value) {
    return settle(value, "+TERM", __func__);
}

streams_status streams_nats_in_progress(const streams_value *value) {
    return settle(value, "+WPI", __func__);
}

streams_status streams_nats_reject(const streams_value *value, streams_nanoseconds delay) {
    char word[64] = "-NAK";
    if (delay < 0) return call_failed(STREAMS_INVALID_ARGUMENT, __func__, "delay is negative");
    if (delay > 0) (void)snprintf(word, sizeof word, "-NAK {\"delay\": %lld}", (long long)delay);
    return settle(value, word, __func__);
}
