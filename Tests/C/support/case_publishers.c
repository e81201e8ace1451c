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
 * language. In which call of an end objects go away, which trackers tell, is each
 * language's own affair. */
void case_write(void *context, const char *text, size_t length) {
    static const char *const phrases[] = { "receive subscription", "receive error" };
    static const char *const ends[] = { "Subscription cancel", "Subscriber on_completion", " released" };
    function *self = context;
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '\n') {
            if (self->length + 1 < sizeof self->line) self->line[self->length++] = text[i];
            continue;
        }
        self->line[self->length] = '\0';
        for (size_t phrase = 0; phrase < sizeof phrases / sizeof *phrases; phrase++) {
            char *found = strstr(self->line, phrases[phrase]);
            if (found != NULL) found[strlen(phrases[phrase])] = '\0';
        }
        self->length = 0;
        bool is_end = false;
        for (size_t end = 0; end < sizeof ends / sizeof *ends; end++) {
            is_end |= strstr(self->line, ends[end]) != NULL;
        }
        if (!is_end) add_event(self->run, NULL, "print", cJSON_CreateString(self->line));
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

/* Chains, and behind them the name of a function if there is one. */
static streams_publisher *joined(run *self, const cJSON *description) {
    streams_publisher *children[8];
    size_t count = 0;
    for (int i = 1; cJSON_IsArray(json_at(description, i)); i++)
        children[count++] = case_chain(self, json_at(description, i));
    return case_join(self, description, children, count);
}

static streams_publisher *record(const cJSON *description) {
    streams_value values = json_to_value(json_at(description, 1));
    streams_error *error = case_error(description, 2);
    streams_publisher *p = streams_record(values.as.items, values.size, error);
    if (error != NULL) streams_release(error);
    streams_value_destroy(&values);
    return p;
}

static streams_publisher *head(run *self, const cJSON *description) {
    if (cJSON_IsString(description)) {
        const char *name = description->valuestring;
        streams_promise *promise = case_promise(self, name);
        if (promise != NULL) return streams_promise_publisher(promise);
        return streams_subject_publisher(case_source(self, name, strlen(name)));
    }
    const char *name = json_text_at(description, 0);
    streams_publisher *p = case_state_publisher(self, description);
    if (p != NULL) return p;
    if (strcmp(name, "empty") == 0) return streams_empty(cJSON_GetArraySize(description) == 1);
    if (strcmp(name, "generate") == 0) return generate((int64_t)json_at(description, 1)->valuedouble);
    if (strcmp(name, "interval") == 0) {
        return streams_interval((int64_t)json_at(description, 1)->valuedouble,
            (int64_t)json_at(description, 2)->valuedouble, json_to_demand(json_at(description, 3)),
            self->scheduler);
    }
    if (strcmp(name, "fail") == 0) {
        streams_error *error = case_error(description, 1);
        p = streams_fail(error);
        streams_release(error);
        return p;
    }
    if (strcmp(name, "deferred") == 0) {
        function *context = function_create(self, json_text_at(description, 1));
        return streams_deferred(case_make_publisher, context, function_destroy);
    }
    if (strcmp(name, "record") == 0) return record(description);
    if (strcmp(name, "just") != 0 && strcmp(name, "sequence") != 0) return joined(self, description);
    streams_value value = json_to_value(json_at(description, 1));
    if (strcmp(name, "just") == 0) {
        p = streams_just(&value);
    } else {
        p = streams_sequence(value.as.items, value.size);
    }
    streams_value_destroy(&value);
    return p;
}

streams_backoff case_backoff(const cJSON *description) {
    streams_backoff backoff = STREAMS_BACKOFF_INIT;
    backoff.retries = (int64_t)json_at(description, 0)->valuedouble;
    backoff.delay = (int64_t)json_at(description, 1)->valuedouble;
    backoff.factor = json_at(description, 2)->valuedouble;
    backoff.longest_delay = (int64_t)json_at(description, 3)->valuedouble;
    return backoff;
}

streams_prefetch case_prefetch(const char *name) {
    return strcmp(name, "keep_full") == 0 ? STREAMS_PREFETCH_KEEP_FULL : STREAMS_PREFETCH_BY_REQUEST;
}

streams_when_full case_when_full(const char *name) {
    return strcmp(name, "drop_newest") == 0 ? STREAMS_WHEN_FULL_DROP_NEWEST : STREAMS_WHEN_FULL_DROP_OLDEST;
}

const char *case_text(const cJSON *parts, int index) {
    int last = cJSON_GetArraySize(parts) - 1;
    return json_text_at(parts, index < last ? index : last);
}

streams_error *case_error(const cJSON *parts, int index) {
    if (json_at(parts, index) == NULL) return NULL;
    return streams_error_create(1, "test", json_text_at(parts, index), NULL);
}

/* An operator around connectables; NULL if it is another one. */
static streams_publisher *sharing_operator(run *self, streams_publisher *p, const cJSON *parts) {
    const char *name = json_text_at(parts, 0);
    if (strcmp(name, "autoconnect") == 0) {
        streams_release(p);
        streams_retain(self->connectable);
        return streams_autoconnect(self->connectable);
    }
    if (strcmp(name, "make_connectable") == 0) {
        self->connectable = streams_make_connectable(p);
    } else if (strcmp(name, "multicast") == 0) {
        const char *subject = json_text_at(parts, 1);
        self->connectable = streams_multicast(p, case_source(self, subject, strlen(subject)));
    } else {
        return NULL;
    }
    return streams_connectable_publisher(self->connectable);
}

static bool stop_never(void *context) {
    const function *self = context;
    return self->run == NULL;
}

static streams_publisher *add_breakpoint(run *self, streams_publisher *p) {
    streams_breakpoints breakpoints = STREAMS_BREAKPOINTS_INIT;
    breakpoints.context = function_create(self, "breakpoint");
    breakpoints.on_subscription = stop_never;
    breakpoints.destroy = function_destroy;
    return streams_breakpoint(p, &breakpoints);
}

static streams_status with_key(void *context, const streams_value *in, streams_value *out) {
    const streams_value *key = context;
    const streams_value items[] = { *key, *in };
    return streams_value_list(items, 2, out);
}

static void key_destroy(void *context) {
    streams_value_destroy(context);
    free(context);
}

/* What the cases see of a group or a window. */
static streams_status seen(void *context, const streams_value *in, streams_publisher **out) {
    const function *self = context;
    *out = streams_value_publisher(in);
    if (strcmp(self->name, "group_by") != 0) {
        *out = streams_collect(*out);
        return STREAMS_OK;
    }
    streams_value *key = malloc(sizeof *key);
    streams_status status = streams_group_key(in, key);
    *out = streams_map(*out, with_key, key, key_destroy);
    return status;
}

static bool divides(const char *name) {
    return strcmp(name, "group_by") == 0 || strncmp(name, "window", 6) == 0;
}

static streams_publisher *applied(run *self, streams_publisher *p, const cJSON *parts) {
    if (strcmp(json_text_at(parts, 0), "probe") == 0) return add_probe(self, p, json_text_at(parts, 1));
    if (strcmp(json_text_at(parts, 0), "breakpoint") == 0) return add_breakpoint(self, p);
    streams_publisher *shared = sharing_operator(self, p, parts);
    if (shared != NULL) return shared;
    p = case_operator(self, p, parts);
    const char *name = json_text_at(parts, 0);
    if (!divides(name)) return p;
    return streams_flat_map(p, STREAMS_UNLIMITED, seen, function_create(self, name), function_destroy);
}

streams_publisher *case_chain(run *self, const cJSON *description) {
    const streams_event_handlers nothing = STREAMS_EVENT_HANDLERS_INIT;
    streams_publisher *p = head(self, json_at(description, 0));
    for (int i = 1; i < cJSON_GetArraySize(description); i++) {
        p = applied(self, p, json_at(description, i));
        if (self->variant == UNFUSED) p = streams_handle_events(p, &nothing);
    }
    return p;
}
