/* discard.c - frees messages of nats.c that nobody needs any more. nats.c frees them on a thread of its
 * own, which it wakes for each one that comes alone: so they are given to it together. */

#include <string.h>

#include "connection_state.h"

enum { MOST_BYTES = 65536 };

/* Takes what is kept. The lock is held. */
static size_t take_all(discarded *self, natsMsg **out) {
    size_t count = self->count;
    memcpy(out, self->messages, count * sizeof *out);
    self->count = self->bytes = 0;
    return count;
}

static void destroy_all(natsMsg **messages, size_t count) {
    for (size_t i = 0; i < count; i++) natsMsg_Destroy(messages[i]);
}

void connection_discard(connection *self, natsMsg *msg) {
    natsMsg *taken[MOST_DISCARDED];
    size_t count = 0;
    /* A thread of the parent may have held the locks, also those of nats.c. */
    if (connection_is_foreign(self)) return;
    discarded *kept = &self->discarded;
    pthread_mutex_lock(&kept->lock);
    kept->messages[kept->count++] = msg;
    kept->bytes += (size_t)natsMsg_GetDataLength(msg);
    if (kept->count == MOST_DISCARDED || kept->bytes >= MOST_BYTES) count = take_all(kept, taken);
    pthread_mutex_unlock(&kept->lock);
    destroy_all(taken, count);
}

void discarded_open(discarded *self) { pthread_mutex_init(&self->lock, NULL); }

void discarded_close(discarded *self) {
    destroy_all(self->messages, self->count);
    pthread_mutex_destroy(&self->lock);
}
