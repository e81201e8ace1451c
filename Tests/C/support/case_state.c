#include "case.h"

/* Properties, bindings and observable objects in the cases. */

enum { MOST_JOINED = 8 };

static bool is(const cJSON *parts, const char *name) { return strcmp(json_text_at(parts, 0), name) == 0; }

static const void **place(run *self, const char *name) {
    for (size_t i = 0; i < self->state_count; i++) {
        if (strcmp(self->state[i].name, name) == 0) return &self->state[i].handle;
    }
    return NULL;
}

static void *of_name(run *self, const char *name) {
    const void **found = place(self, name);
    if (found == NULL) self->mistake = "there is no such state";
    return found == NULL ? NULL : (void *)*found;
}

static streams_observable_object *object(const run *self, const char *name) {
    for (size_t i = 0; i < self->source_count; i++)
        if (strcmp(self->sources[i].name, name) == 0) return self->sources[i].object;
    return NULL;
}

/* ---- Sources that are published values -------------------------------------- */

streams_observable_object *case_object(const cJSON *description) {
    streams_observable_object *made = streams_observable_object_create();
    streams_value initial = json_to_value(json_at(description, 1));
    streams_observable_object_add(made, "value", &initial);
    streams_value_destroy(&initial);
    return made;
}

bool case_set_published(run *self, const char *name, const streams_value *value) {
    streams_observable_object *found = object(self, name);
    if (found != NULL) streams_observable_object_set_value(found, "value", value);
    return found != NULL;
}

/* ---- Functions ----------------------------------------------------------------- */

static streams_status expand(void *context, const streams_value *in, streams_property **out) {
    const function *self = context;
    char name[32];
    if (strcmp(self->name, "named") != 0) {
        streams_value value;
        streams_status status = case_transform(context, in, &value);
        if (status == STREAMS_OK) *out = streams_property_create(&value);
        return status;
    }
    snprintf(name, sizeof name, "%.*s", (int)in->size, in->as.text);
    *out = of_name(self->run, name);
    return streams_retain(*out);
}

static streams_status get_source(void *context, streams_value *out) {
    const function *self = context;
    streams_subject *source = case_source(self->run, self->name, strlen(self->name));
    return streams_current_value_subject_get_value(source, out);
}

static streams_status set_source(void *context, const streams_value *value) {
    const function *self = context;
    return streams_subject_send(case_source(self->run, self->name, strlen(self->name)), value);
}

/* The two functions of a part: what reads it, and what makes the whole of it. */
typedef struct both {
    function *get;
    function *set;
} both;

static streams_status part(void *context, const streams_value *in, streams_value *out) {
    return case_transform(((both *)context)->get, in, out);
}

static streams_status whole(
    void *context, const streams_value *before, const streams_value *in, streams_value *out) {
    return case_combine(((both *)context)->set, before, in, out);
}

static void both_destroy(void *context) {
    both *self = context;
    function_destroy(self->get);
    function_destroy(self->set);
    free(self);
}

/* ---- What is at the head ---------------------------------------------------------- */

static const void *state(run *self, const cJSON *description);

static const void *joined(run *self, const cJSON *parts) {
    streams_property *children[MOST_JOINED];
    size_t count = 0;
    while (count < MOST_JOINED && cJSON_IsArray(json_at(parts, (int)count + 1))) {
        children[count] = (void *)state(self, json_at(parts, (int)count + 1));
        count++;
    }
    const cJSON *name = json_at(parts, (int)count + 1);
    function *context = name != NULL ? function_create(self, name->valuestring) : NULL;
    streams_combine_values_fn combine = name != NULL ? case_combine_values : NULL;
    streams_destroy_fn destroy = name != NULL ? function_destroy : NULL;
    const void *made = strncmp(json_text_at(parts, 0), "zip", 3) == 0
                           ? streams_property_zip(children, count, combine, context, destroy)
                           : streams_property_combine_latest(children, count, combine, context, destroy);
    while (count > 0) streams_release(children[--count]);
    return made;
}

static const void *binding(run *self, const cJSON *parts) {
    const char *name = json_text_at(parts, 1);
    if (is(parts, "binding_of_functions")) {
        const cJSON *changes = json_at(parts, 2);
        function *context = function_create(self, name);
        return streams_binding_create(get_source, set_source, context, function_destroy,
            changes != NULL ? case_chain(self, changes) : NULL);
    }
    if (object(self, name) != NULL) return streams_observable_object_binding(object(self, name), "value");
    return streams_binding_of_subject(case_source(self, name, strlen(name)));
}

static const void *property_of_name(run *self, const char *name) {
    streams_observable_object *published = object(self, name);
    if (place(self, name) != NULL) return streams_binding_property(of_name(self, name));
    if (published == NULL) return streams_property_of_subject(case_source(self, name, strlen(name)));
    streams_value initial;
    streams_observable_object_get_value(published, "value", &initial);
    const void *made =
        streams_property_of_publisher(&initial, streams_observable_object_publisher(published, "value"));
    streams_value_destroy(&initial);
    return made;
}

/* A property of what has a name, or of a value and then a chain. */
static const void *property(run *self, const cJSON *parts) {
    if (json_at(parts, 2) == NULL) return property_of_name(self, json_text_at(parts, 1));
    streams_value initial = json_to_value(json_at(parts, 1));
    const void *made = streams_property_of_publisher(&initial, case_chain(self, json_at(parts, 2)));
    streams_value_destroy(&initial);
    return made;
}

static const void *head(run *self, const cJSON *parts) {
    if (cJSON_IsString(parts)) {
        const void *found = of_name(self, parts->valuestring);
        streams_retain(found);
        return found;
    }
    if (is(parts, "property")) return property(self, parts);
    if (is(parts, "binding") || is(parts, "binding_of_functions")) return binding(self, parts);
    if (!is(parts, "constant") && !is(parts, "binding_constant")) return joined(self, parts);
    streams_value value = json_to_value(json_at(parts, 1));
    const void *made = streams_binding_constant(&value);
    if (is(parts, "constant")) {
        streams_release(made);
        made = streams_property_create(&value);
    }
    streams_value_destroy(&value);
    return made;
}

/* ---- What is derived ----------------------------------------------------------------- */

static const void *part_of(run *self, void *from, const cJSON *parts) {
    if (is(parts, "element")) return streams_binding_element(from, (size_t)json_at(parts, 1)->valuedouble);
    both *context = malloc(sizeof *context);
    if (context == NULL) abort();
    context->get = function_create(self, json_text_at(parts, 1));
    context->set = function_create(self, json_text_at(parts, 2));
    return is(parts, "part") ? streams_binding_part(from, part, whole, context, both_destroy)
                             : streams_binding_map(from, part, whole, context, both_destroy);
}

static const void *derived(run *self, void *from, const cJSON *parts) {
    if (streams_handle_kind(from) == STREAMS_KIND_BINDING) return part_of(self, from, parts);
    if (is(parts, "receive_on")) return streams_property_receive_on(from, self->scheduler);
    if (is(parts, "remove_duplicates")) return streams_property_remove_duplicates(from, NULL, NULL, NULL);
    function *f = function_create(self, json_text_at(parts, cJSON_GetArraySize(parts) - 1));
    if (is(parts, "map")) return streams_property_map(from, case_transform, f, function_destroy);
    if (is(parts, "flat_map")) return streams_property_flat_map(from, expand, f, function_destroy);
    if (is(parts, "remove_duplicates_by")) {
        return streams_property_remove_duplicates(from, case_compare, f, function_destroy);
    }
    streams_value initial = json_to_value(json_at(parts, 1));
    const void *made = NULL;
    if (is(parts, "filter")) {
        made = streams_property_filter(from, &initial, case_predicate, f, function_destroy);
    } else if (is(parts, "compact_map")) {
        made = streams_property_compact_map(from, &initial, case_transform, f, function_destroy);
    } else if (is(parts, "scan")) {
        made = streams_property_scan(from, &initial, case_combine, f, function_destroy);
    } else {
        function_destroy(f);
    }
    streams_value_destroy(&initial);
    return made;
}

static const void *state(run *self, const cJSON *description) {
    const void *made = head(self, json_at(description, 0));
    for (int i = 1; i < cJSON_GetArraySize(description); i++) {
        const void *from = made;
        made = derived(self, (void *)from, json_at(description, i));
        streams_release(from);
    }
    if (made == NULL) self->mistake = streams_last_message();
    return made;
}

/* ---- Publishers and actions -------------------------------------------------------------- */

streams_publisher *case_state_publisher(run *self, const cJSON *parts) {
    const char *name = json_text_at(parts, 1);
    if (is(parts, "published")) return streams_observable_object_publisher(object(self, name), "value");
    if (is(parts, "will_change")) return streams_observable_object_will_change(object(self, name));
    if (is(parts, "values")) return streams_binding_values(of_name(self, name));
    if (is(parts, "all_values")) return streams_property_all_values(of_name(self, name));
    if (is(parts, "subsequent_values")) return streams_property_subsequent_values(of_name(self, name));
    return NULL;
}

static void read_state(run *self, const char *name) {
    streams_value value;
    const void *found = of_name(self, name);
    streams_status status = streams_handle_kind(found) == STREAMS_KIND_BINDING
                                ? streams_binding_get_value(found, &value)
                                : streams_property_get_value(found, &value);
    if (status == STREAMS_OK) {
        add_event(self, name, "value", value_to_json(&value));
        streams_value_destroy(&value);
    } else {
        add_event(self, name, "failed", cJSON_CreateString(streams_last_message()));
    }
}

static void make(run *self, const cJSON *action) {
    if (self->state_count == MOST_STATE) abort();
    const void *made = state(self, json_at(action, 2));
    self->state[self->state_count].name = json_text_at(action, 1);
    self->state[self->state_count++].handle = made;
}

static void assign(run *self, const cJSON *action) {
    const char *name = json_text_at(action, 2);
    streams_publisher *p = case_chain(self, json_at(action, 1));
    if (self->assignment != NULL) streams_release(self->assignment);
    self->assignment = object(self, name) != NULL
                           ? streams_assign_to_published(p, object(self, name), "value")
                           : streams_assign_to_binding(p, of_name(self, name));
}

bool case_act_on_state(run *self, const cJSON *action) {
    const char *name = json_text_at(action, 1);
    if (is(action, "make")) return make(self, action), true;
    if (is(action, "assign")) return assign(self, action), true;
    const void **found = place(self, name);
    if (found == NULL) return false;
    if (is(action, "read")) {
        read_state(self, name);
    } else if (is(action, "release")) {
        streams_release(*found);
        *found = NULL;
    } else {
        streams_value value = json_to_value(json_at(action, 2));
        streams_binding_set_value((void *)*found, &value);
        streams_value_destroy(&value);
    }
    return true;
}
