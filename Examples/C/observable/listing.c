/* The contents of a screen, derived from one state: "initial", "loading", "loaded" with lines, or "error". */
#include <stdio.h>
#include <streams.h>
#include <string.h>

/* A state is its name and, if there are any, the lines of the last result. */
static streams_value state(streams_value *parts, const char *name, const streams_value *lines) {
    parts[0] = streams_text(name);
    parts[1] = lines != NULL ? *lines : streams_null();
    return streams_list(parts, 2);
}

static bool is(const streams_value *state, const char *name) {
    const streams_value *text = &state->as.items[0];
    return text->size == strlen(name) && memcmp(text->as.text, name, text->size) == 0;
}

static bool has_result(const streams_value *state) { return state->as.items[1].kind == STREAMS_VALUE_LIST; }

/* ---- The network: page 1 is empty, page 2 has two lines, further pages fail --------------- */

static streams_publisher *fetch(int64_t page) {
    streams_value lines[] = { streams_text("bread"), streams_text("milk") }, parts[2];
    streams_value result = streams_list(lines, page == 1 ? 0 : 2), loaded = state(parts, "loaded", &result);
    if (page <= 2) return streams_just(&loaded);
    streams_error *offline = streams_error_create(1, "network", "offline", NULL);
    streams_publisher *failed = streams_fail(offline);
    streams_release(offline);
    return failed;
}

/* The states while a page is being loaded. */
static streams_status load(void *context, const streams_value *page, streams_publisher **out) {
    streams_value loading_parts[2], error_parts[2];
    streams_value loading = state(loading_parts, "loading", NULL), error = state(error_parts, "error", NULL);
    (void)context;
    streams_publisher *result = streams_replace_error(fetch(page->as.integer), &error);
    *out = streams_append(streams_just(&loading), result);
    return *out != NULL ? STREAMS_OK : streams_last_status();
}

/* ---- Derived properties -------------------------------------------------------------------- */

static streams_status is_waiting(void *context, const streams_value *state, streams_value *out) {
    (void)context;
    *out = streams_bool(is(state, "initial") || (is(state, "loading") && !has_result(state)));
    return STREAMS_OK;
}

static streams_status cells(void *context, const streams_value *state, streams_value *out) {
    (void)context;
    if (has_result(state)) return streams_value_copy(&state->as.items[1], out);
    *out = streams_list(NULL, 0);
    return STREAMS_OK;
}

static streams_status placeholder(void *context, const streams_value *state, streams_value *out) {
    (void)context;
    bool is_empty = has_result(state) && state->as.items[1].size == 0;
    *out = is_empty ? streams_text("No items found") : streams_null();
    return STREAMS_OK;
}

static uint64_t show(void *context, const streams_value *screen) {
    const streams_value *parts = screen->as.items;
    (void)context;
    printf("%s | ", parts[0].as.boolean ? "loading" : "ready  ");
    for (uint32_t i = 0; i < parts[1].size; i++) {
        const streams_value *cell = &parts[1].as.items[i];
        printf("%s%.*s", i == 0 ? "" : " ", (int)cell->size, cell->as.text);
    }
    return printf(" | %.*s\n", (int)parts[2].size, parts[2].size == 0 ? "" : parts[2].as.text) < 0;
}

int main(void) {
    streams_value parts[2], initial = state(parts, "initial", NULL);
    streams_subject *impulses = streams_passthrough_subject_create();
    streams_publisher *states =
        streams_flat_map(streams_subject_publisher(impulses), STREAMS_UNLIMITED, load, NULL, NULL);
    streams_property *view_state = streams_property_of_publisher(&initial, states);
    streams_property *shown[] = { streams_property_map(view_state, is_waiting, NULL, NULL),
        streams_property_map(view_state, cells, NULL, NULL),
        streams_property_map(view_state, placeholder, NULL, NULL) };
    streams_property *screen = streams_property_combine_latest(shown, 3, NULL, NULL, NULL);

    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.on_value = show;
    streams_cancellable *cancellable = streams_sink(streams_property_all_values(screen), &subscriber);
    if (cancellable == NULL) return fprintf(stderr, "%s\n", streams_last_message()), 1;
    for (int64_t page = 1; page <= 3; page++) {
        streams_value number = streams_int(page);
        printf("page %d\n", (int)page);
        streams_subject_send(impulses, &number);
    }

    streams_release(cancellable);
    for (int i = 0; i < 3; i++) streams_release(shown[i]);
    streams_release(screen);
    streams_release(view_state);
    streams_release(impulses);
    return streams_live_handles() != 0;
}
