/* Runs Tests/Conformance/cases.json, which the Swift and Python tests run too.
 * Its README says what the words mean. */

#include <math.h>

#include <cJSON.h>

#include "support.h"

enum { MOST_SOURCES = 8 };

enum variant {
    PLAIN,   /* as it is written */
    SINGLES, /* a batch is sent as single values */
    BATCHES, /* the subscriber takes batches */
    UNFUSED, /* an operator that changes nothing stands between each two */
    VARIANTS
};

static const char *const variant_names[VARIANTS] = { "plain", "singles", "batches", "unfused" };

/* One run of a case. */
typedef struct run {
    const cJSON *description;
    enum variant variant;
    struct {
        const char *name;
        streams_subject *subject;
    } sources[MOST_SOURCES];
    size_t source_count;
    cJSON *events; /* of the step that is being taken */
    streams_subscription *subscription;
    streams_cancellable *ticket;
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

static function *function_create(run *self, const char *name) {
    function *made = calloc(1, sizeof *made);
    if (made == NULL) abort();
    made->run = self;
    made->name = name;
    self->alive++;
    return made;
}

static void function_destroy(void *context) {
    function *made = context;
    made->run->alive--;
    free(made);
}

static bool is(const function *self, const char *name) { return strcmp(self->name, name) == 0; }

static streams_status unknown(const function *self) {
    self->run->mistake = self->name;
    return STREAMS_INVALID_ARGUMENT;
}

static streams_status fail_on_3(const streams_value *value) {
    bool three = value->kind == STREAMS_VALUE_INT64 && value->as.integer == 3;
    return three ? streams_callback_fail_with(3, "test", "three") : STREAMS_OK;
}


/* ---- Values as JSON and back --------------------------------------------- */

static cJSON *value_to_json(const streams_value *value) {
    switch (value->kind) {
    case STREAMS_VALUE_NULL: return cJSON_CreateNull();
    case STREAMS_VALUE_BOOL: return cJSON_CreateBool(value->as.boolean);
    case STREAMS_VALUE_INT64: return cJSON_CreateNumber((double)value->as.integer);
    case STREAMS_VALUE_DOUBLE: return cJSON_CreateNumber(value->as.real);
    case STREAMS_VALUE_STRING: {
        char text[256];
        snprintf(text, sizeof text, "%.*s", (int)value->size, value->size > 0 ? value->as.text : "");
        return cJSON_CreateString(text);
    }
    case STREAMS_VALUE_LIST: {
        cJSON *list = cJSON_CreateArray();
        for (uint32_t i = 0; i < value->size; i++) {
            cJSON_AddItemToArray(list, value_to_json(&value->as.items[i]));
        }
        return list;
    }
    default: return cJSON_CreateString("?");
    }
}

/* The value is yours. */
static streams_value json_to_value(const cJSON *json) {
    streams_value value = streams_null();
    if (cJSON_IsBool(json)) return streams_bool(cJSON_IsTrue(json));
    if (cJSON_IsNumber(json) && floor(json->valuedouble) == json->valuedouble) {
        return streams_int((int64_t)json->valuedouble);
    }
    if (cJSON_IsNumber(json)) return streams_double(json->valuedouble);
    if (cJSON_IsString(json)) {
        streams_value_string(json->valuestring, strlen(json->valuestring), &value);
    } else if (cJSON_IsArray(json)) {
        streams_value items[32];
        size_t count = 0;
        const cJSON *item = NULL;
        cJSON_ArrayForEach(item, json) {
            if (count < 32) items[count++] = json_to_value(item);
        }
        streams_value_list(items, count, &value);
        for (size_t i = 0; i < count; i++) streams_value_destroy(&items[i]);
    }
    return value;
}

static uint64_t json_to_demand(const cJSON *json) {
    return cJSON_IsNumber(json) ? (uint64_t)json->valuedouble : STREAMS_UNLIMITED;
}

static cJSON *demand_to_json(uint64_t demand) {
    /* From here on a demand counts as unlimited. */
    if (demand >= INT64_MAX) return cJSON_CreateString("unlimited");
    return cJSON_CreateNumber((double)demand);
}

static cJSON *at(const cJSON *list, int index) { return cJSON_GetArrayItem(list, index); }

static const char *text_at(const cJSON *list, int index) {
    const cJSON *item = at(list, index);
    return cJSON_IsString(item) ? item->valuestring : "";
}


/* ---- Events -------------------------------------------------------------- */

static void add_event(run *self, const char *probe, const char *what, cJSON *detail) {
    cJSON *event = cJSON_CreateArray();
    if (probe != NULL) cJSON_AddItemToArray(event, cJSON_CreateString(probe));
    cJSON_AddItemToArray(event, cJSON_CreateString(what));
    if (detail != NULL) cJSON_AddItemToArray(event, detail);
    cJSON_AddItemToArray(self->events, event);
}

static void add_completion(run *self, const char *probe, const streams_error *error) {
    if (error == NULL) {
        add_event(self, probe, "finished", NULL);
    } else {
        add_event(self, probe, "failed", cJSON_CreateString(streams_error_message(error)));
    }
}


/* ---- Functions ----------------------------------------------------------- */

static streams_status transform(void *context, const streams_value *in, streams_value *out) {
    const function *self = context;
    int64_t n = in->as.integer;
    if (is(self, "add1")) return *out = streams_int(n + 1), STREAMS_OK;
    if (is(self, "double")) return *out = streams_int(n * 2), STREAMS_OK;
    if (is(self, "negate")) return *out = streams_int(-n), STREAMS_OK;
    if (is(self, "to_list")) return streams_value_list(in, 1, out);
    if (is(self, "half_if_even")) {
        if (n % 2 == 0) *out = streams_int(n / 2);
        return STREAMS_OK;
    }
    if (!is(self, "fail_on_3")) return unknown(self);
    streams_status status = fail_on_3(in);
    return status == STREAMS_OK ? streams_value_copy(in, out) : status;
}

static streams_status predicate(void *context, const streams_value *in, bool *result) {
    const function *self = context;
    *result = true;
    if (is(self, "fail_on_3")) return fail_on_3(in);
    if (is(self, "is_even")) return *result = in->as.integer % 2 == 0, STREAMS_OK;
    if (is(self, "is_positive")) return *result = in->as.integer > 0, STREAMS_OK;
    return unknown(self);
}

static streams_status compare(
    void *context, const streams_value *previous, const streams_value *current, bool *same) {
    const function *self = context;
    if (is(self, "same_parity")) {
        *same = (previous->as.integer - current->as.integer) % 2 == 0;
        return STREAMS_OK;
    }
    if (!is(self, "fail_on_3")) return unknown(self);
    streams_status status = fail_on_3(current);
    return status == STREAMS_OK ? streams_value_equal(previous, current, same) : status;
}

static streams_status combine(
    void *context, const streams_value *accumulated, const streams_value *in, streams_value *out) {
    const function *self = context;
    if (is(self, "join")) {
        streams_value items[32];
        for (uint32_t i = 0; i < accumulated->size && i < 31; i++) items[i] = accumulated->as.items[i];
        items[accumulated->size] = *in;
        return streams_value_list(items, (size_t)accumulated->size + 1, out);
    }
    if (!is(self, "sum") && !is(self, "fail_on_3")) return unknown(self);
    streams_status status = is(self, "fail_on_3") ? fail_on_3(in) : STREAMS_OK;
    if (status == STREAMS_OK) *out = streams_int(accumulated->as.integer + in->as.integer);
    return status;
}

static streams_subject *find_source(run *self, const char *name, size_t length) {
    for (size_t i = 0; i < self->source_count; i++) {
        const char *known = self->sources[i].name;
        if (strlen(known) == length && memcmp(known, name, length) == 0) return self->sources[i].subject;
    }
    self->mistake = "there is no such source";
    return NULL;
}

static streams_status expand(void *context, const streams_value *in, streams_publisher **out) {
    const function *self = context;
    streams_value copies[32];
    size_t count = is(self, "twice") ? 2 : 1;
    if (is(self, "named")) {
        *out = streams_subject_publisher(find_source(self->run, in->as.text, in->size));
        return STREAMS_OK;
    }
    if (is(self, "fail_on_3")) {
        streams_status status = fail_on_3(in);
        if (status == STREAMS_OK) *out = streams_just(in);
        return status;
    }
    if (is(self, "repeat")) count = (size_t)in->as.integer;
    if (!is(self, "repeat") && !is(self, "twice")) return unknown(self);
    for (size_t i = 0; i < count; i++) copies[i] = *in;
    *out = streams_sequence(copies, count);
    return STREAMS_OK;
}

static streams_status recover(void *context, const streams_error *error, streams_publisher **out) {
    const function *self = context;
    const char *message = streams_error_message(error);
    const int64_t resumed[] = { 7, 8, 9 };
    if (is(self, "fail_again")) return streams_callback_fail_with(4, "test", "again");
    if (is(self, "resume")) return *out = streams_sequence_int64s(resumed, 3), STREAMS_OK;
    if (!is(self, "named")) return unknown(self);
    *out = streams_subject_publisher(find_source(self->run, message, strlen(message)));
    return STREAMS_OK;
}


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

static streams_publisher *chain(run *self, const cJSON *description);

static streams_publisher *combined(run *self, const cJSON *description, const char *name) {
    streams_publisher *children[8];
    size_t count = 0;
    for (int i = 1; i < cJSON_GetArraySize(description); i++)
        children[count++] = chain(self, at(description, i));
    if (strcmp(name, "merge") == 0) return streams_merge(children, count);
    if (strcmp(name, "zip") == 0) return streams_zip(children, count);
    if (strcmp(name, "combine_latest") == 0) return streams_combine_latest(children, count);
    self->mistake = name;
    return NULL;
}

static streams_publisher *head(run *self, const cJSON *description) {
    if (cJSON_IsString(description)) {
        const char *name = description->valuestring;
        return streams_subject_publisher(find_source(self, name, strlen(name)));
    }
    const char *name = text_at(description, 0);
    streams_publisher *p = NULL;
    if (strcmp(name, "empty") == 0) return streams_empty(cJSON_GetArraySize(description) == 1);
    if (strcmp(name, "generate") == 0) return generate((int64_t)at(description, 1)->valuedouble);
    if (strcmp(name, "fail") == 0) {
        streams_error *error = streams_error_create(1, "test", text_at(description, 1), NULL);
        p = streams_fail(error);
        streams_release(error);
        return p;
    }
    if (strcmp(name, "just") != 0 && strcmp(name, "sequence") != 0) return combined(self, description, name);
    streams_value value = json_to_value(at(description, 1));
    if (strcmp(name, "just") == 0) {
        p = streams_just(&value);
    } else {
        p = streams_sequence(value.as.items, value.size);
    }
    streams_value_destroy(&value);
    return p;
}

static streams_publisher *folded(run *self, streams_publisher *p, const cJSON *parts) {
    streams_value initial = json_to_value(at(parts, 1));
    function *context = function_create(self, text_at(parts, 2));
    if (strcmp(text_at(parts, 0), "scan") == 0) {
        p = streams_scan(p, &initial, combine, context, function_destroy);
    } else {
        p = streams_reduce(p, &initial, combine, context, function_destroy);
    }
    streams_value_destroy(&initial);
    return p;
}

static streams_publisher *operated(run *self, streams_publisher *p, const cJSON *parts) {
    const char *name = text_at(parts, 0);
    int64_t count = cJSON_IsNumber(at(parts, 1)) ? (int64_t)at(parts, 1)->valuedouble : 0;
    if (strcmp(name, "remove_duplicates") == 0) return streams_remove_duplicates(p);
    if (strcmp(name, "collect") == 0) return streams_collect(p);
    if (strcmp(name, "collect_count") == 0) return streams_collect_count(p, count);
    if (strcmp(name, "prefix") == 0) return streams_prefix(p, count);
    if (strcmp(name, "drop_first") == 0) return streams_drop_first(p, count);
    if (strcmp(name, "probe") == 0) return add_probe(self, p, text_at(parts, 1));
    if (strcmp(name, "scan") == 0 || strcmp(name, "reduce") == 0) return folded(self, p, parts);

    bool second = strcmp(name, "flat_map") == 0;
    function *context = function_create(self, text_at(parts, second ? 2 : 1));
    streams_destroy_fn destroy = function_destroy;
    if (second) return streams_flat_map(p, json_to_demand(at(parts, 1)), expand, context, destroy);
    if (strcmp(name, "map") == 0) return streams_map(p, transform, context, destroy);
    if (strcmp(name, "compact_map") == 0) return streams_compact_map(p, transform, context, destroy);
    if (strcmp(name, "filter") == 0) return streams_filter(p, predicate, context, destroy);
    if (strcmp(name, "remove_duplicates_by") == 0) {
        return streams_remove_duplicates_by(p, compare, context, destroy);
    }
    if (strcmp(name, "catch") == 0) return streams_catch(p, recover, context, destroy);
    if (strcmp(name, "print") == 0) return streams_print(p, context->name, write_line, context, destroy);
    self->mistake = name;
    function_destroy(context);
    return p;
}

static streams_publisher *chain(run *self, const cJSON *description) {
    const streams_event_handlers nothing = STREAMS_EVENT_HANDLERS_INIT;
    streams_publisher *p = head(self, at(description, 0));
    for (int i = 1; i < cJSON_GetArraySize(description); i++) {
        p = operated(self, p, at(description, i));
        if (self->variant == UNFUSED) p = streams_handle_events(p, &nothing);
    }
    return p;
}


/* ---- The subscriber and the actions -------------------------------------- */

static void perform(run *self, const cJSON *action);

static const cJSON *behaviour(const run *self, const char *key) {
    return cJSON_GetObjectItem(cJSON_GetObjectItem(self->description, "subscriber"), key);
}

static void perform_all(run *self, const cJSON *actions) {
    const cJSON *action = NULL;
    cJSON_ArrayForEach(action, actions) perform(self, action);
}

static void receive_subscription(void *context, streams_subscription *subscription) {
    run *self = context;
    add_event(self, NULL, "subscription", NULL);
    streams_retain(subscription);
    self->subscription = subscription;
    perform_all(self, behaviour(self, "on_subscription"));
}

static uint64_t receive_value(void *context, const streams_value *value) {
    run *self = context;
    char number[16];
    int index = self->received++;
    add_event(self, NULL, "value", value_to_json(value));
    snprintf(number, sizeof number, "%d", index + 1);
    perform_all(self, cJSON_GetObjectItem(behaviour(self, "on_value"), number));
    const cJSON *more = at(behaviour(self, "returns"), index);
    return more != NULL ? json_to_demand(more) : 0;
}

static uint64_t receive_values(void *context, const streams_value *values, size_t count) {
    for (size_t i = 0; i < count; i++) receive_value(context, &values[i]);
    return 0;
}

static void receive_completion(void *context, const streams_error *error) {
    run *self = context;
    add_completion(self, NULL, error);
    perform_all(self, behaviour(self, "on_completion"));
}

static void subscriber_destroy(void *context) {
    run *self = context;
    self->alive--;
}

static void subscribe(run *self) {
    const cJSON *demand = behaviour(self, "demand");
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = self;
    if (demand != NULL) subscriber.demand = json_to_demand(demand);
    subscriber.on_subscription = receive_subscription;
    subscriber.on_value = receive_value;
    if (self->variant == BATCHES) subscriber.on_values = receive_values;
    subscriber.on_completion = receive_completion;
    subscriber.destroy = subscriber_destroy;
    self->alive++;
    self->ticket =
        streams_sink(chain(self, cJSON_GetObjectItem(self->description, "publisher")), &subscriber);
    if (self->ticket == NULL) self->mistake = streams_last_message();
}

static void send_batch(run *self, streams_subject *subject, const cJSON *list) {
    streams_value values = json_to_value(list);
    if (self->variant != SINGLES) {
        streams_subject_send_values(subject, values.as.items, values.size);
    } else {
        for (uint32_t i = 0; i < values.size; i++) streams_subject_send(subject, &values.as.items[i]);
    }
    streams_value_destroy(&values);
}

static void act_on_source(run *self, const cJSON *action, const char *name) {
    const char *source = text_at(action, 1);
    streams_subject *subject = find_source(self, source, strlen(source));
    streams_value value = json_to_value(at(action, 2));
    if (strcmp(name, "send") == 0) {
        streams_subject_send(subject, &value);
    } else if (strcmp(name, "send_values") == 0) {
        send_batch(self, subject, at(action, 2));
    } else if (strcmp(name, "set") == 0) {
        streams_current_value_subject_set_value(subject, &value);
    } else if (strcmp(name, "finish") == 0) {
        streams_subject_send_completion(subject, NULL);
    } else if (strcmp(name, "fail") == 0) {
        streams_error *error = streams_error_create(1, "test", text_at(action, 2), NULL);
        streams_subject_send_completion(subject, error);
        streams_release(error);
    } else {
        self->mistake = name;
    }
    streams_value_destroy(&value);
}

static void perform(run *self, const cJSON *action) {
    const char *name = text_at(action, 0);
    if (strcmp(name, "subscribe") == 0) {
        subscribe(self);
    } else if (strcmp(name, "request") == 0) {
        streams_subscription_request(self->subscription, json_to_demand(at(action, 1)));
    } else if (strcmp(name, "cancel") == 0) {
        /* Inside the subscription's arrival there is no ticket yet. */
        if (self->ticket != NULL) {
            streams_cancel(self->ticket);
        } else {
            streams_subscription_cancel(self->subscription);
        }
    } else {
        act_on_source(self, action, name);
    }
}


/* ---- The cases ----------------------------------------------------------- */

typedef struct table_test {
    char name[128];
    const cJSON *description;
    enum variant variant;
} table_test;

static void create_sources(run *self) {
    const cJSON *source = NULL;
    cJSON_ArrayForEach(source, cJSON_GetObjectItem(self->description, "sources")) {
        if (self->source_count == MOST_SOURCES) abort();
        size_t index = self->source_count++;
        self->sources[index].name = source->string;
        if (cJSON_IsString(source)) {
            self->sources[index].subject = streams_passthrough_subject_create();
        } else {
            streams_value initial = json_to_value(at(source, 1));
            self->sources[index].subject = streams_current_value_subject_create(&initial);
            streams_value_destroy(&initial);
        }
    }
}

static void release_all(run *self) {
    for (size_t i = 0; i < self->source_count; i++) streams_release(self->sources[i].subject);
    if (self->ticket != NULL) streams_release(self->ticket);
    if (self->subscription != NULL) streams_release(self->subscription);
}

/* Compares, and returns whether the step went as expected. */
static bool step_agrees(run *self, const cJSON *step) {
    const cJSON *expected = cJSON_GetObjectItem(step, "expect");
    bool good = cJSON_Compare(self->events, expected, true);
    if (!good) {
        char *action = cJSON_PrintUnformatted(cJSON_GetObjectItem(step, "do"));
        char *wanted = cJSON_PrintUnformatted(expected);
        char *got = cJSON_PrintUnformatted(self->events);
        print_error("%s\n  expected %s\n  but got  %s\n", action, wanted, got);
        cJSON_free(action);
        cJSON_free(wanted);
        cJSON_free(got);
    }
    cJSON_Delete(self->events);
    self->events = NULL;
    return good;
}

static void run_case(void **state) {
    const table_test *test = *state;
    run self = { .description = test->description, .variant = test->variant };
    bool good = true;
    size_t live = streams_live_handles();
    const cJSON *step = NULL;
    create_sources(&self);
    cJSON_ArrayForEach(step, cJSON_GetObjectItem(self.description, "steps")) {
        self.events = cJSON_CreateArray();
        perform(&self, cJSON_GetObjectItem(step, "do"));
        good = step_agrees(&self, step) && good;
    }
    self.events = cJSON_CreateArray();
    release_all(&self);
    cJSON_Delete(self.events);
    if (self.mistake != NULL) fail_msg("the table is wrong: %s", self.mistake);
    assert_true(good);
    assert_int_equal(self.alive, 0);
    assert_int_equal(streams_live_handles(), live);
}

/* Whether a batch sent as singles, or taken as one, makes a difference to what
 * the case does. */
static bool applies(const cJSON *description, enum variant variant, const char *text) {
    const cJSON *subscriber = cJSON_GetObjectItem(description, "subscriber");
    switch (variant) {
    case SINGLES: return strstr(text, "\"send_values\"") != NULL;
    case BATCHES:
        return !cJSON_HasObjectItem(subscriber, "returns") && !cJSON_HasObjectItem(subscriber, "on_value");
    default: return true;
    }
}

static size_t make_tests(const cJSON *table, struct CMUnitTest *tests, table_test *states) {
    size_t count = 0;
    const cJSON *description = NULL;
    cJSON_ArrayForEach(description, table) {
        char *text = cJSON_PrintUnformatted(description);
        for (int variant = 0; variant < VARIANTS; variant++) {
            if (!applies(description, variant, text)) continue;
            table_test *made = &states[count];
            made->description = description;
            made->variant = variant;
            snprintf(made->name, sizeof made->name, "%s [%s]",
                cJSON_GetObjectItem(description, "name")->valuestring, variant_names[variant]);
            for (char *c = made->name; *c != '\0'; c++) {
                if (*c == ' ') *c = '_';
            }
            tests[count++] = (struct CMUnitTest){ made->name, run_case, NULL, NULL, made };
        }
        cJSON_free(text);
    }
    return count;
}

int main(void) {
    char *text = read_file("Tests/Conformance/cases.json");
    cJSON *table = cJSON_Parse(text);
    size_t most = table != NULL ? VARIANTS * (size_t)cJSON_GetArraySize(table) : 0;
    struct CMUnitTest *tests = calloc(most + 1, sizeof *tests);
    table_test *states = calloc(most + 1, sizeof *states);
    if (table == NULL || tests == NULL || states == NULL) {
        fprintf(stderr, "cannot read the table\n");
        return 1;
    }
    int failed = _cmocka_run_group_tests("conformance", tests, make_tests(table, tests, states), NULL, NULL);
    free(states);
    free(tests);
    cJSON_Delete(table);
    free(text);
    return failed;
}
