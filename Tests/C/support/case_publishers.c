#include "case.h"

/* ---- handle_events, print and generate ------------------------------------ */

static void probe_subscription(void *context, streams_subscription *subscription) {
    const function *self = context;
    (void)subscription;
    add_event(self->run, self->name, "subscription", NULL);
}

static void probe_value(void *context, const streams_value *value) {
    const function *self = context;
    add_event(self->run, self->name, "value", value_to_json(value));
}

static void probe_completion(void *context, const streams_error *error) {
    const function *self = context;
    add_completion(self->run, self->name, error);
}

static void probe_cancel(void *context) {
    const function *self = context;
    add_event(self->run, self->name, "cancel", NULL);
}

static void probe_request(void *context, uint64_t demand) {
    const function *self = context;
    add_event(self->run, self->name, "request", demand_to_json(demand));
}

static streams_publisher *add_probe(run *self, streams_publisher *p, const char *name) {
    streams_event_handlers handlers = STREAMS_EVENT_HANDLERS_INIT;
    handlers.context = function_create(self, name);
    handlers.on_subscription = probe_subscription;
    handlers.on_value = probe_value;
    handlers.on_completion = probe_completion;
    handlers.on_cancel = probe_cancel;
    handlers.on_request = probe_request;
    handlers.destroy = function_destroy;
    return streams_handle_events(p, &handlers);
}

/* Makes an event of each line, without what is described differently in each
 * language. */
static void write_line(void *context, const char *text, size_t length) {
    static const char *const phrases[] = { "receive subscription", "receive error" };
    function *self = context;
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '\n') {
            if (self->length + 1 < sizeof self->line) self->line[self->length++] = text[i];
            continue;
        }
        self->line[self->length] = '\0';
        for (size_t phrase = 0; phrase < 2; phrase++) {
            char *found = strstr(self->line, phrases[phrase]);
            if (found != NULL) found[strlen(phrases[phrase])] = '\0';
        }
        add_event(self->run, NULL, "print", cJSON_CreateString(self->line));
        self->length = 0;
    }
}

typedef struct generator {
    int64_t next;
    int64_t last;
} generator;

static streams_status generator_open(void *context, streams_emitter *emitter, void **state) {
    (void)emitter;
    generator *made = malloc(sizeof *made);
    if (made == NULL) return STREAMS_OUT_OF_MEMORY;
    *made = *(const generator *)context;
    *state = made;
    return STREAMS_OK;
}

static streams_status generator_produce(void *state, streams_emitter *emitter, uint64_t max) {
    generator *self = state;
    for (uint64_t i = 0; i < max; i++) {
        streams_value value = streams_int(self->next);
        streams_status status = streams_emitter_send(emitter, &value);
        if (status == STREAMS_TERMINATED) return STREAMS_OK; /* cancelled meanwhile */
        if (status != STREAMS_OK) return status;
        if (self->next++ == self->last) return streams_emitter_finish(emitter);
    }
    return STREAMS_OK;
}

static streams_publisher *generate(int64_t last) {
    streams_source source = STREAMS_SOURCE_INIT;
    generator *context = malloc(sizeof *context);
    if (context == NULL) abort();
    *context = (generator){ .next = 1, .last = last };
    source.context = context;
    source.open = generator_open;
    source.produce = generator_produce;
    source.close = free;
    source.destroy = free;
    return streams_publisher_create(&source);
}


/* ---- Publishers ---------------------------------------------------------- */

static streams_publisher *combined(run *self, const cJSON *description, const char *name) {
    streams_publisher *children[8];
    size_t count = 0;
    for (int i = 1; i < cJSON_GetArraySize(description); i++)
        children[count++] = case_chain(self, json_at(description, i));
    if (strcmp(name, "merge") == 0) return streams_merge(children, count);
    if (strcmp(name, "zip") == 0) return streams_zip(children, count);
    if (strcmp(name, "combine_latest") == 0) return streams_combine_latest(children, count);
    self->mistake = name;
    return NULL;
}

static streams_publisher *head(run *self, const cJSON *description) {
    if (cJSON_IsString(description)) {
        const char *name = description->valuestring;
        return streams_subject_publisher(case_source(self, name, strlen(name)));
    }
    const char *name = json_text_at(description, 0);
    streams_publisher *p = NULL;
    if (strcmp(name, "empty") == 0) return streams_empty(cJSON_GetArraySize(description) == 1);
    if (strcmp(name, "generate") == 0) return generate((int64_t)json_at(description, 1)->valuedouble);
    if (strcmp(name, "fail") == 0) {
        streams_error *error = streams_error_create(1, "test", json_text_at(description, 1), NULL);
        p = streams_fail(error);
        streams_release(error);
        return p;
    }
    if (strcmp(name, "just") != 0 && strcmp(name, "sequence") != 0) return combined(self, description, name);
    streams_value value = json_to_value(json_at(description, 1));
    if (strcmp(name, "just") == 0) {
        p = streams_just(&value);
    } else {
        p = streams_sequence(value.as.items, value.size);
    }
    streams_value_destroy(&value);
    return p;
}

static streams_publisher *folded(run *self, streams_publisher *p, const cJSON *parts) {
    streams_value initial = json_to_value(json_at(parts, 1));
    function *context = function_create(self, json_text_at(parts, 2));
    if (strcmp(json_text_at(parts, 0), "scan") == 0) {
        p = streams_scan(p, &initial, case_combine, context, function_destroy);
    } else {
        p = streams_reduce(p, &initial, case_combine, context, function_destroy);
    }
    streams_value_destroy(&initial);
    return p;
}

static streams_publisher *operated(run *self, streams_publisher *p, const cJSON *parts) {
    const char *name = json_text_at(parts, 0);
    int64_t count = cJSON_IsNumber(json_at(parts, 1)) ? (int64_t)json_at(parts, 1)->valuedouble : 0;
    if (strcmp(name, "remove_duplicates") == 0) return streams_remove_duplicates(p);
    if (strcmp(name, "collect") == 0) return streams_collect(p);
    if (strcmp(name, "collect_count") == 0) return streams_collect_count(p, count);
    if (strcmp(name, "prefix") == 0) return streams_prefix(p, count);
    if (strcmp(name, "drop_first") == 0) return streams_drop_first(p, count);
    if (strcmp(name, "probe") == 0) return add_probe(self, p, json_text_at(parts, 1));
    if (strcmp(name, "scan") == 0 || strcmp(name, "reduce") == 0) return folded(self, p, parts);

    bool second = strcmp(name, "flat_map") == 0;
    function *context = function_create(self, json_text_at(parts, second ? 2 : 1));
    streams_destroy_fn destroy = function_destroy;
    if (second) return streams_flat_map(p, json_to_demand(json_at(parts, 1)), case_expand, context, destroy);
    if (strcmp(name, "map") == 0) return streams_map(p, case_transform, context, destroy);
    if (strcmp(name, "compact_map") == 0) return streams_compact_map(p, case_transform, context, destroy);
    if (strcmp(name, "filter") == 0) return streams_filter(p, case_predicate, context, destroy);
    if (strcmp(name, "remove_duplicates_by") == 0) {
        return streams_remove_duplicates_by(p, case_compare, context, destroy);
    }
    if (strcmp(name, "catch") == 0) return streams_catch(p, case_recover, context, destroy);
    if (strcmp(name, "print") == 0) return streams_print(p, context->name, write_line, context, destroy);
    self->mistake = name;
    function_destroy(context);
    return p;
}

streams_publisher *case_chain(run *self, const cJSON *description) {
    const streams_event_handlers nothing = STREAMS_EVENT_HANDLERS_INIT;
    streams_publisher *p = head(self, json_at(description, 0));
    for (int i = 1; i < cJSON_GetArraySize(description); i++) {
        p = operated(self, p, json_at(description, i));
        if (self->variant == UNFUSED) p = streams_handle_events(p, &nothing);
    }
    return p;
}
