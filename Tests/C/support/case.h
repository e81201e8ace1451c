/*
 * case.h - a run of a case of Tests/Catalogue, and what its words
 * mean: values, functions and publishers.
 */

#ifndef STREAMS_TEST_CASE_H
#define STREAMS_TEST_CASE_H

#include <cJSON.h>

#include "support.h"

enum { MOST_SOURCES = 8,
    MOST_STATE = 8 };

enum variant {
    PLAIN,   /* as it is written */
    SINGLES, /* a batch is sent as single values */
    BATCHES, /* the subscriber takes batches */
    UNFUSED, /* an operator that changes nothing stands between each two */
    VARIANTS
};

/* One run of a case. */
typedef struct run {
    const cJSON *description;
    enum variant variant;
    struct {
        const char *name;
        streams_subject *subject;
        streams_promise *promise;          /* or this one */
        streams_observable_object *object; /* or this one, with a published "value" */
    } sources[MOST_SOURCES];
    size_t source_count;
    struct {
        const char *name;
        const void *handle; /* a property or a binding */
    } state[MOST_STATE];
    size_t state_count;
    streams_cancellable *assignment;
    streams_scheduler *scheduler;
    cJSON *events; /* of the step that is being taken */
    streams_subscription *subscription;
    streams_cancellable *cancellable;
    streams_connectable *connectable; /* the last that the chain made */
    streams_cancellable *connection;
    int received;
    int alive; /* contexts that are not destroyed yet */
    const char *mistake;
} run;

/* The context of a callback of an operator. */
typedef struct function {
    run *run;
    const char *name;
    char line[256];
    size_t length;
} function;

function *function_create(run *self, const char *name);
void function_destroy(void *context);

/* ---- Values as JSON and back --------------------------------------------- */

cJSON *value_to_json(const streams_value *value);

/* The value is yours. */
streams_value json_to_value(const cJSON *json);
uint64_t json_to_demand(const cJSON *json);
cJSON *demand_to_json(uint64_t demand);
cJSON *json_at(const cJSON *list, int index);
const char *json_text_at(const cJSON *list, int index);

/* ---- Events: what the step's list gets ------------------------------------- */

/* The detail is handed over. The probe is NULL for the case's subscriber. */
void add_event(run *self, const char *probe, const char *what, cJSON *detail);
void add_completion(run *self, const char *probe, const streams_error *error);

/* ---- Callbacks, with a function as context ----------------------------------- */

streams_status case_transform(void *context, const streams_value *in, streams_value *out);
streams_status case_transform_batch(void *context, const streams_value *in, streams_value *out);
streams_status case_predicate(void *context, const streams_value *in, bool *result);
streams_status case_compare(
    void *context, const streams_value *previous, const streams_value *current, bool *same);
streams_status case_order(
    void *context, const streams_value *first, const streams_value *second, bool *is_before);
streams_status case_combine(
    void *context, const streams_value *accumulated, const streams_value *in, streams_value *out);
streams_status case_combine_values(
    void *context, const streams_value *values, size_t count, streams_value *out);
streams_status case_expand(void *context, const streams_value *in, streams_publisher **out);
streams_status case_recover(void *context, const streams_error *error, streams_publisher **out);
streams_status case_transform_error(void *context, const streams_error *error, streams_error **out);
streams_status case_make_publisher(void *context, streams_publisher **out);
streams_status case_make_error(void *context, streams_error **out);
streams_status case_error_predicate(void *context, const streams_error *error, bool *result);
void case_write(void *context, const char *text, size_t length);

/* ---- Publishers -------------------------------------------------------------- */

/* The promise of this name, or NULL. */
streams_promise *case_promise(const run *self, const char *name);

/* The source of this name, or NULL, which is a mistake of the table. */
streams_subject *case_source(run *self, const char *name, size_t length);

/* What is described as [retries, delay, factor, longest delay]. */
streams_backoff case_backoff(const cJSON *description);

/* The choices of a buffer, by their names. */
streams_prefetch case_prefetch(const char *name);
streams_when_full case_when_full(const char *name);

/* The publisher that a case describes, with all its operators. */
streams_publisher *case_chain(run *self, const cJSON *description);

/* ---- Properties, bindings and observable objects ------------------------------- */

streams_observable_object *case_object(const cJSON *description);

/* Whether there is an object of this name, whose value this is now. */
bool case_set_published(run *self, const char *name, const streams_value *value);

/* A publisher of an object, a property or a binding; NULL if another one is described. */
streams_publisher *case_state_publisher(run *self, const cJSON *parts);

/* Whether the action is one of state. */
bool case_act_on_state(run *self, const cJSON *action);

/* What Tools/c_rows.py writes: an operator, and several publishers joined. */
streams_publisher *case_operator(run *self, streams_publisher *p, const cJSON *parts);
streams_publisher *case_join(
    run *self, const cJSON *parts, streams_publisher **children, size_t count);

/* The text of a part, or of the last one: the lines of print are called as its prefix. */
const char *case_text(const cJSON *parts, int index);

/* The error whose message is a part; NULL if there is no such part. */
streams_error *case_error(const cJSON *parts, int index);

#endif /* STREAMS_TEST_CASE_H */
