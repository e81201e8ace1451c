/* pulls.c - requests for messages: how many are open, and what the server says about them.
 *
 * The server answers requests in turn, and does not say which one a message is for. So one sum counts
 * the messages that are asked for, and each request counts what is left of it, as if the requests were
 * answered in order. When the server ends a request, it says how much of it was left, and that is
 * subtracted from the sum. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "consume.h"

void pulls_forget(consume *self) {
    self->first_number = self->next_number;
    self->asked = 0;
    self->pull_count = 0;
}

static void remove_pull(consume *self, size_t index) {
    self->pull_count--;
    memmove(
        &self->pulls[index], &self->pulls[index + 1], (self->pull_count - index) * sizeof self->pulls[0]);
}

bool pulls_take(consume *self) {
    self->received++;
    if (self->asked == 0) return false;
    self->asked--;
    if (self->pull_count > 0 && --self->pulls[0].left == 0) remove_pull(self, 0);
    return true;
}

/* Makes what is left of the requests add up to what is asked for. If it is too much, the oldest request
 * had more answers than were counted for it. */
static void share_out(consume *self) {
    uint64_t sum = 0;
    for (size_t i = 0; i < self->pull_count; i++) sum += self->pulls[i].left;
    if (sum < self->asked && self->pull_count > 0)
        self->pulls[self->pull_count - 1].left += self->asked - sum;
    while (sum > self->asked) {
        uint64_t excess = sum - self->asked, left = self->pulls[0].left;
        uint64_t taken = excess < left ? excess : left;
        sum -= taken;
        self->pulls[0].left -= taken;
        if (taken == left) remove_pull(self, 0);
    }
}

/* The server has ended a request with so many messages left; UINT64_MAX if it does not say how many. A
 * request that is not listed was counted as answered. */
static void pull_ended(consume *self, uint64_t number, uint64_t left) {
    size_t i = 0;
    while (i < self->pull_count && self->pulls[i].number != number) i++;
    bool listed = i < self->pull_count;
    if (number < self->first_number || (!listed && left == UINT64_MAX)) return;
    if (left == UINT64_MAX) left = self->pulls[i].left;
    if (listed) remove_pull(self, i);
    self->asked -= left < self->asked ? left : self->asked;
    share_out(self);
}

/* ---- Asking ------------------------------------------------------------------------------------------- */

/* Reserves what is to be asked for. Returns 0 if it is not worth a request. */
static uint64_t reserve(consume *self, uint64_t demand, uint64_t received, uint64_t *number) {
    uint64_t count = 0;
    pthread_mutex_lock(&self->base.lock);
    /* Messages that came meanwhile may be in that demand or not. */
    uint64_t since = self->received - received;
    if (demand != STREAMS_UNLIMITED) demand -= since < demand ? since : demand;
    uint64_t wanted = demand < self->window ? demand : self->window;
    bool can = self->ready && !self->delivering && !self->base.closed && self->pull_count < MOST_PULLS;
    if (can && wanted > self->asked && self->asked <= wanted / 2) {
        count = wanted - self->asked;
        self->asked = self->target = wanted;
        *number = self->next_number++;
        self->pulls[self->pull_count++] = (pull){ *number, count };
    }
    pthread_mutex_unlock(&self->base.lock);
    return count;
}

/* The connection's thread may change the consumer while other threads read it. */
static char *copy_under_lock(consume *self, char *const *text) {
    pthread_mutex_lock(&self->base.lock);
    char *copy = copy_text(*text);
    pthread_mutex_unlock(&self->base.lock);
    return copy;
}

/* Sends a request, together with the acknowledgement of a message if there is one: the server handles
 * acknowledgements in order, but requests concurrently with them. Only if they come together does it
 * never count more messages as delivered than are demanded. */
static void send_pull(consume *self, uint64_t count, uint64_t number, message *done) {
    char reply[128], body[160];
    (void)snprintf(reply, sizeof reply, "%s.%" PRIu64, self->inbox, number);
    pthread_mutex_lock(&self->base.lock);
    int64_t expires = self->expires;
    char *copy = done == NULL ? copy_text(self->pull_subject) : NULL;
    pthread_mutex_unlock(&self->base.lock);
    /* The server accepts no heartbeat that is longer than half of the expiry. */
    int64_t heartbeat = expires / 2 < HEARTBEAT ? expires / 2 : HEARTBEAT;
    int length =
        snprintf(body, sizeof body, "%s{\"batch\":%" PRIu64 ",\"expires\":%lld,\"idle_heartbeat\":%lld}",
            done != NULL ? "+NXT " : "", count, (long long)expires, (long long)heartbeat);
    natsStatus status = natsConnection_PublishRequest(connection_nats(self->base.owner),
        done != NULL ? natsMsg_GetReply(done->nats) : copy, reply, body, length);
    free(copy);
    if (status == NATS_OK) {
        /* nats.c flushes by itself after a millisecond, which is too long only where few messages are on
         * their way. */
        if (count < 256) connection_flush_soon(self->base.owner);
        return;
    }
    /* The connection is lost or closed: when it is back, everything is requested again. */
    pthread_mutex_lock(&self->base.lock);
    pull_ended(self, number, UINT64_MAX);
    pthread_mutex_unlock(&self->base.lock);
}

static uint64_t reserve_if_worth(consume *self, uint64_t *number) {
    pthread_mutex_lock(&self->base.lock);
    bool worth = self->ready && !self->delivering && !self->base.closed &&
                 (self->asked == 0 || self->asked <= self->target / 2);
    uint64_t received = self->received;
    pthread_mutex_unlock(&self->base.lock);
    if (!worth || !connection_is_up(self->base.owner)) return 0;
    return reserve(self, streams_emitter_demand(self->base.emitter), received, number);
}

void consume_refill(consume *self) {
    uint64_t number = 0, count = reserve_if_worth(self, &number);
    if (count > 0) send_pull(self, count, number, NULL);
}

void consume_acknowledge(consume *self, message *done) {
    uint64_t number = 0, count = reserve_if_worth(self, &number);
    if (count == 0)
        (void)message_settle(done, "+ACK");
    else
        send_pull(self, count, number, atomic_exchange(&done->open, false) ? done : NULL);
}

/* ---- Answers ------------------------------------------------------------------------------------------ */

static const char *header(natsMsg *msg, const char *name) {
    const char *value = NULL;
    return natsMsgHeader_Get(msg, name, &value) == NATS_OK && value != NULL ? value : "";
}

static uint64_t number_of(natsMsg *msg) {
    const char *subject = natsMsg_GetSubject(msg), *dot = subject != NULL ? strrchr(subject, '.') : NULL;
    return dot != NULL ? strtoull(dot + 1, NULL, 10) : UINT64_MAX;
}

/* The request was made before the last setup. */
static bool is_forgotten(consume *self, natsMsg *msg) {
    pthread_mutex_lock(&self->base.lock);
    bool forgotten = number_of(msg) < self->first_number;
    pthread_mutex_unlock(&self->base.lock);
    return forgotten;
}

static void ended(consume *self, natsMsg *msg) {
    const char *left = header(msg, "Nats-Pending-Messages");
    pthread_mutex_lock(&self->base.lock);
    pull_ended(self, number_of(msg), left[0] != '\0' ? strtoull(left, NULL, 10) : UINT64_MAX);
    pthread_mutex_unlock(&self->base.lock);
}

/* The consumer takes no requests of that size: asks for less from now on. */
static bool shrink(consume *self, const char *words) {
    const char *digits = words + strcspn(words, "0123456789");
    uint64_t most = strtoull(digits, NULL, 10);
    if (strstr(words, "MaxRequestBatch") == NULL || most == 0) return false;
    pthread_mutex_lock(&self->base.lock);
    self->window = most;
    pthread_mutex_unlock(&self->base.lock);
    return true;
}

static void fail_status(consume *self, const char *code, const char *words) {
    bool deleted = strstr(words, "Deleted") != NULL;
    char *consumer = copy_under_lock(self, &self->consumer);
    live_fail(&self->base,
        stream_error(deleted ? JSConsumerNotFoundErr : atoi(code), "consumer %s of stream %s: %s (%s)",
            consumer, self->plan->options.stream, words, code));
    free(consumer);
}

/* 409 has several meanings, which only its words tell apart. */
static void on_conflict(consume *self, natsMsg *msg, const char *words) {
    bool deleted = strstr(words, "Deleted") != NULL;
    if ((deleted && !self->plan->ordered) || strstr(words, "push based") != NULL ||
        strstr(words, "MaxBytes") != NULL) {
        fail_status(self, "409", words);
        return;
    }
    /* For example a request to an ordered stream's last consumer, which was deleted. */
    if (is_forgotten(self, msg)) return;
    ended(self, msg);
    if (shrink(self, words)) {
        consume_refill(self);
        return;
    }
    /* The leader changes, a server shuts down, or too many readers wait: asks again a little later. */
    consume_set_up(self, 200);
}

void consume_on_status(consume *self, natsMsg *msg) {
    pthread_mutex_lock(&self->base.lock);
    self->words++;
    pthread_mutex_unlock(&self->base.lock);
    const char *code = header(msg, "Status"), *words = header(msg, "Description");
    if (strcmp(code, "100") == 0) {
        pthread_mutex_lock(&self->base.lock);
        self->heard = true;
        self->suspect = false;
        pthread_mutex_unlock(&self->base.lock);
    } else if (strcmp(code, "408") == 0 || strcmp(code, "404") == 0) {
        ended(self, msg);
        consume_refill(self);
    } else if (strcmp(code, "409") == 0) {
        on_conflict(self, msg, words);
    } else if (strcmp(code, "503") == 0) {
        if (is_forgotten(self, msg)) return;
        /* Nobody listens: the consumer is gone, or the server has not loaded it yet. */
        ended(self, msg);
        consume_set_up(self, 100);
    } else if (code[0] != '\0') {
        fail_status(self, code, words);
    }
}

void consume_listen(void *context) {
    consume *self = context;
    pthread_mutex_lock(&self->base.lock);
    bool silent = self->words == self->words_then;
    bool lost = silent && self->ready && self->asked > 0 && (self->heard || self->suspect);
    self->words_then = self->words;
    bool closed = self->base.closed;
    pthread_mutex_unlock(&self->base.lock);
    if (closed) return;
    live_later(&self->base, SILENCE, consume_listen);
    if (lost && connection_is_up(self->base.owner)) consume_set_up(self, 0);
}
