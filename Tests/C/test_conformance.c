/* Runs the cases of Tests/Catalogue, which the Swift and Python tests run too.
 * Cases.md there says what the words mean. */

#include <glob.h>

#include "case.h"

static const char *const variant_names[VARIANTS] = { "plain", "singles", "batches", "unfused" };

/* ---- The subscriber and the actions -------------------------------------- */

static void perform(run *self, const cJSON *action);

static const cJSON *behavior(const run *self, const char *key) {
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
    perform_all(self, behavior(self, "on_subscription"));
}

static uint64_t receive_value(void *context, const streams_value *value) {
    run *self = context;
    char number[16];
    int index = self->received++;
    add_event(self, NULL, "value", value_to_json(value));
    snprintf(number, sizeof number, "%d", index + 1);
    perform_all(self, cJSON_GetObjectItem(behavior(self, "on_value"), number));
    const cJSON *more = json_at(behavior(self, "returns"), index);
    return more != NULL ? json_to_demand(more) : 0;
}

static uint64_t receive_values(void *context, const streams_value *values, size_t count) {
    for (size_t i = 0; i < count; i++) receive_value(context, &values[i]);
    return 0;
}

static void receive_completion(void *context, const streams_error *error) {
    run *self = context;
    add_completion(self, NULL, error);
    perform_all(self, behavior(self, "on_completion"));
}

static void subscriber_destroy(void *context) {
    run *self = context;
    self->alive--;
}

static void subscribe(run *self) {
    const cJSON *demand = behavior(self, "demand");
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = self;
    if (demand != NULL) subscriber.demand = json_to_demand(demand);
    subscriber.on_subscription = receive_subscription;
    subscriber.on_value = receive_value;
    if (self->variant == BATCHES) subscriber.on_values = receive_values;
    subscriber.on_completion = receive_completion;
    subscriber.destroy = subscriber_destroy;
    self->alive++;
    self->cancellable =
        streams_sink(case_chain(self, cJSON_GetObjectItem(self->description, "publisher")), &subscriber);
    if (self->cancellable == NULL) self->mistake = streams_last_message();
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

static void keep(streams_promise *promise, const cJSON *action, const char *name) {
    if (strcmp(name, "resolve") == 0) {
        streams_value value = json_to_value(json_at(action, 2));
        streams_promise_resolve(promise, &value);
        streams_value_destroy(&value);
    } else {
        streams_error *error = case_error(action, 2);
        streams_promise_reject(promise, error);
        streams_release(error);
    }
}

static void act_on_source(run *self, const cJSON *action, const char *name) {
    const char *source = json_text_at(action, 1);
    streams_promise *promise = case_promise(self, source);
    if (promise != NULL) {
        keep(promise, action, name);
        return;
    }
    streams_value value = json_to_value(json_at(action, 2));
    if (case_set_published(self, source, &value)) {
        streams_value_destroy(&value);
        return;
    }
    streams_subject *subject = case_source(self, source, strlen(source));
    if (strcmp(name, "send") == 0) {
        streams_subject_send(subject, &value);
    } else if (strcmp(name, "send_values") == 0) {
        send_batch(self, subject, json_at(action, 2));
    } else if (strcmp(name, "set") == 0) {
        streams_current_value_subject_set_value(subject, &value);
    } else if (strcmp(name, "finish") == 0) {
        streams_subject_send_completion(subject, NULL);
    } else if (strcmp(name, "fail") == 0) {
        streams_error *error = streams_error_create(1, "test", json_text_at(action, 2), NULL);
        streams_subject_send_completion(subject, error);
        streams_release(error);
    } else {
        self->mistake = name;
    }
    streams_value_destroy(&value);
}

static void perform(run *self, const cJSON *action) {
    const char *name = json_text_at(action, 0);
    if (strcmp(name, "subscribe") == 0) {
        subscribe(self);
    } else if (strcmp(name, "advance") == 0) {
        int64_t time = (int64_t)json_at(action, 1)->valuedouble;
        streams_virtual_scheduler_advance(self->scheduler, time);
    } else if (strcmp(name, "request") == 0) {
        streams_subscription_request(self->subscription, json_to_demand(json_at(action, 1)));
    } else if (strcmp(name, "connect") == 0) {
        if (self->connection != NULL) streams_release(self->connection);
        self->connection = streams_connect(self->connectable);
    } else if (strcmp(name, "disconnect") == 0) {
        streams_cancel(self->connection);
    } else if (strcmp(name, "cancel") == 0) {
        /* Inside the subscription's arrival there is no cancellable yet. */
        if (self->cancellable != NULL) {
            streams_cancel(self->cancellable);
        } else {
            streams_subscription_cancel(self->subscription);
        }
    } else if (!case_act_on_state(self, action)) {
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
        if (cJSON_IsString(source) && strcmp(source->valuestring, "promise") == 0) {
            self->sources[index].promise = streams_promise_create();
        } else if (cJSON_IsString(source)) {
            self->sources[index].subject = streams_passthrough_subject_create();
        } else if (strcmp(json_text_at(source, 0), "published") == 0) {
            self->sources[index].object = case_object(source);
        } else if (strcmp(json_text_at(source, 0), "replay") == 0) {
            self->sources[index].subject = streams_replay_subject_create(json_to_demand(json_at(source, 1)));
        } else {
            streams_value initial = json_to_value(json_at(source, 1));
            self->sources[index].subject = streams_current_value_subject_create(&initial);
            streams_value_destroy(&initial);
        }
    }
}

static void release_all(run *self) {
    for (size_t i = 0; i < self->source_count; i++) {
        const void *promise = self->sources[i].promise, *object = self->sources[i].object;
        streams_release(promise != NULL ? promise : object != NULL ? object
                                                                   : self->sources[i].subject);
    }
    for (size_t i = 0; i < self->state_count; i++) {
        if (self->state[i].handle != NULL) streams_release(self->state[i].handle);
    }
    if (self->assignment != NULL) streams_release(self->assignment);
    if (self->cancellable != NULL) streams_release(self->cancellable);
    if (self->subscription != NULL) streams_release(self->subscription);
    if (self->connection != NULL) streams_release(self->connection);
    if (self->connectable != NULL) streams_release(self->connectable);
    streams_release(self->scheduler);
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
    self.scheduler = streams_virtual_scheduler_create();
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

/* Adds the cases of all entries in a file of the catalogue. */
static void add_cases(cJSON *table, const char *path) {
    char *text = read_file(path);
    cJSON *entries = cJSON_Parse(text);
    for (cJSON *entry = entries->child; cJSON_IsArray(entries) && entry != NULL; entry = entry->next) {
        cJSON *cases = cJSON_GetObjectItem(entry, "cases");
        while (cJSON_IsArray(cases) && cases->child != NULL) {
            cJSON_AddItemToArray(table, cJSON_DetachItemFromArray(cases, 0));
        }
    }
    cJSON_Delete(entries);
    free(text);
}

static cJSON *read_table(void) {
    cJSON *table = cJSON_CreateArray();
    char pattern[4096];
    glob_t files;
    snprintf(pattern, sizeof pattern, "%s/Tests/Catalogue/*.json", root());
    if (glob(pattern, 0, NULL, &files) != 0) return table;
    for (size_t i = 0; i < files.gl_pathc; i++) add_cases(table, files.gl_pathv[i] + strlen(root()) + 1);
    globfree(&files);
    return table;
}

int main(void) {
    cJSON *table = read_table();
    size_t most = cJSON_GetArraySize(table) > 100 ? VARIANTS * (size_t)cJSON_GetArraySize(table) : 0;
    struct CMUnitTest *tests = calloc(most + 1, sizeof *tests);
    table_test *states = calloc(most + 1, sizeof *states);
    if (most == 0 || tests == NULL || states == NULL) {
        fprintf(stderr, "cannot read the table\n");
        return 1;
    }
    int failed = _cmocka_run_group_tests("conformance", tests, make_tests(table, tests, states), NULL, NULL);
    free(states);
    free(tests);
    cJSON_Delete(table);
    return failed;
}
