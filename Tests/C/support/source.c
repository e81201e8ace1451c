#include "source.h"

streams_status source_open(void *context, streams_emitter *emitter, void **state) {
    source *self = context;
    self->opened++;
    log_add(&self->log, "open");
    *state = self;
    if (self->keeps_emitter) {
        streams_retain(emitter);
        self->emitter = emitter;
    }
    if (self->on_open != NULL) self->on_open(self, emitter);
    return self->open_status;
}

streams_status source_produce(void *state, streams_emitter *emitter, uint64_t max) {
    source *self = state;
    if (self->inside++ > 0) self->overlapped = true;
    if (max >= INT64_MAX) {
        log_add(&self->log, "produce(unlimited)");
    } else {
        log_add(&self->log, "produce(%" PRIu64 ")", max);
    }
    streams_status status = self->produce_status;
    if (self->idle) return self->inside--, STREAMS_OK;
    uint64_t portion = self->portion > 0 && self->portion < max ? self->portion : max;
    for (; status == STREAMS_OK && portion > 0 && self->next <= self->last; portion--) {
        streams_value value = streams_int(self->next++);
        status = streams_emitter_send(emitter, &value);
    }
    if (status == STREAMS_OK && self->next > self->last) {
        if (!self->ends_later || portion > 0) status = streams_emitter_finish(emitter);
    } else if (status == STREAMS_OK && self->wakes) {
        status = streams_emitter_wake(emitter);
    }
    if (status == STREAMS_TERMINATED) status = STREAMS_OK; /* cancelled meanwhile */
    self->inside--;
    return status;
}

void source_close(void *state) {
    source *self = state;
    self->closed++;
    log_add(&self->log, "close");
}

void source_destroy(void *context) {
    source *self = context;
    self->destroyed++;
    log_add(&self->log, "destroy");
}

streams_publisher *source_publisher(source *self) {
    streams_source made = STREAMS_SOURCE_INIT;
    made.context = self;
    made.open = source_open;
    made.produce = source_produce;
    made.close = source_close;
    made.destroy = source_destroy;
    return streams_publisher_create(&made);
}
