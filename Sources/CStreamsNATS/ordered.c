/* ordered.c - streams that acknowledge nothing and yet miss nothing: watches of buckets, and histories.
 *
 * To the server's consumer everything that was sent is done, although it may have been lost with the
 * connection. So after a loss another consumer begins after the last message that was taken. */

#include <string.h>

#include "consume.h"

bool consume_takes(consume *self, natsMsg *msg, bool *last) {
    jsMsgMetaData *data = NULL;
    if (!self->plan->ordered) return true;
    if (natsMsg_GetMetaData(&data, msg) != NATS_OK) return false;
    bool demanded = streams_emitter_demand(self->base.emitter) > 0;
    pthread_mutex_lock(&self->base.lock);
    bool ours = self->ready && strcmp(data->Consumer, self->consumer) == 0;
    bool next = ours && data->Sequence.Consumer == self->taken + 1 && (demanded || self->asked > 0);
    if (next) {
        self->taken++;
        self->last = data->Sequence.Stream;
        self->delivering = true;
    }
    if (!next && ours) self->ready = false;
    self->words++;
    pthread_mutex_unlock(&self->base.lock);
    *last = self->plan->finite && data->NumPending == 0;
    jsMsgMetaData_Destroy(data);
    if (!next && ours) consume_set_up(self, 0);
    return next;
}

void consume_give_up(consume *self) {
    jsErrCode code = 0;
    pthread_mutex_lock(&self->base.lock);
    self->ready = false;
    pulls_forget(self);
    pthread_mutex_unlock(&self->base.lock);
    /* If this fails the server removes it when it has not been used for a while. */
    (void)js_DeleteConsumer(
        connection_js(self->base.owner), self->plan->options.stream, self->consumer, NULL, &code);
}

bool consume_is_over(consume *self) {
    if (!self->plan->finite) return false;
    pthread_mutex_lock(&self->base.lock);
    bool over = self->nothing && self->ready && !self->delivering;
    pthread_mutex_unlock(&self->base.lock);
    return over;
}
