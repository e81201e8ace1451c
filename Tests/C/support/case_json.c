#include <math.h>

#include "case.h"

/* ---- Values as JSON and back --------------------------------------------- */

cJSON *value_to_json(const streams_value *value) {
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

streams_value json_to_value(const cJSON *json) {
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

uint64_t json_to_demand(const cJSON *json) {
    if (cJSON_IsNumber(json)) return (uint64_t)json->valuedouble;
    return strcmp(json->valuestring, "as_demanded") == 0 ? STREAMS_AS_DEMANDED : STREAMS_UNLIMITED;
}

cJSON *demand_to_json(uint64_t demand) {
    /* From here on a demand counts as unlimited. */
    if (demand >= INT64_MAX) return cJSON_CreateString("unlimited");
    return cJSON_CreateNumber((double)demand);
}

cJSON *json_at(const cJSON *list, int index) { return cJSON_GetArrayItem(list, index); }

const char *json_text_at(const cJSON *list, int index) {
    const cJSON *item = json_at(list, index);
    return cJSON_IsString(item) ? item->valuestring : "";
}


/* ---- Events -------------------------------------------------------------- */

void add_event(run *self, const char *probe, const char *what, cJSON *detail) {
    cJSON *event = cJSON_CreateArray();
    if (probe != NULL) cJSON_AddItemToArray(event, cJSON_CreateString(probe));
    cJSON_AddItemToArray(event, cJSON_CreateString(what));
    if (detail != NULL) cJSON_AddItemToArray(event, detail);
    cJSON_AddItemToArray(self->events, event);
}

void add_completion(run *self, const char *probe, const streams_error *error) {
    if (error == NULL) {
        add_event(self, probe, "finished", NULL);
    } else {
        add_event(self, probe, "failed", cJSON_CreateString(streams_error_message(error)));
    }
}
