/*
 * publish.h - what publishing to JetStream is made of.
 */

#ifndef STREAMS_NATS_PUBLISH_H
#define STREAMS_NATS_PUBLISH_H

#include "message.h"

/* What publications of one publisher share. */
typedef struct publish_plan {
    atomic_size_t references;
    connection *owner;
    streams_publisher *upstream;
    char *subject;
    streams_nats_text_fn subject_of, id_of;
    streams_nats_confirmed_fn on_confirmed;
    void *context;
    streams_destroy_fn destroy;
    uint64_t window;
    int64_t confirm_wait; /* milliseconds */
    int64_t retries;
    bool single; /* the result is the sequence of the value */
} publish_plan;

void publish_plan_retain(publish_plan *self);
void publish_plan_release(void *self);

/* The subject and the id of a value, as the options have them; free both. *subject is NULL where it is that
 * of the plan. Returns why it cannot be published, or NULL. */
const char *publish_plan_address(
    publish_plan *self, const streams_value *value, char **subject, char **id);
/* The subject that a value has, for sentences. */
const char *publish_plan_subject(const publish_plan *self, const char *subject);

/* The publisher of a plan, which it takes. */
streams_publisher *publication_publisher(publish_plan *plan, const char *function);

/* What the server says about a publication. */
typedef struct confirmation {
    uint64_t sequence;
    bool duplicate;
    int64_t code; /* 0: stored */
    char words[256];
} confirmation;

void confirmation_parse(const char *data, int length, confirmation *out);

#endif
