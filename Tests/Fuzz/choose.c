/* Makes up operations: which function, and with what. */
#include "choose.h"

uint64_t random_bits(void) {
    self.random += 0x9e3779b97f4a7c15u;
    uint64_t z = self.random;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint32_t below(uint32_t bound) { return bound == 0 ? 0 : (uint32_t)((random_bits() >> 32) * bound >> 32); }
bool chance(uint32_t one_in) { return below(one_in) == 0; }

static uint32_t weights[FUNCTIONS], weight_sum;

bool takes(const function_info *f, int kind) {
    for (int i = 0; i < f->count; i++)
        if (f->params[i].kind == kind) return true;
    return false;
}

static bool is_about_hosts(const function_info *f) {
    return takes(f, P_HOST) || takes(f, P_HOST_TABLE) || f->as_callback >= 0;
}

static bool sends_object(const function_info *f) {
    return f->params[0].detail == STREAMS_KIND_SUBJECT && takes(f, P_HOST_OBJECT);
}

/* Whether only sequences with threads of the library's have it. */
static bool needs_library_threads(const function_info *f) {
    return f->role == MAKES_THREADS || (f->role == RUNS_LOOP && f->count == 1);
}

bool finds_group(const function_info *f) { return strcmp(f->name, "streams_value_publisher") == 0; }

static uint32_t weigh(const function_info *f) {
    if (f->role == MAKES_THREADS) return 60;
    if (finds_group(f)) return 40;
    if (f->count == 0 && f->result.kind != P_HANDLE) return 2;
    if (takes(f, P_HOST_TABLE) || (takes(f, P_HOST) && f->count == 1)) return 1;
    uint32_t weight = 10;
    int first = f->params[0].kind == P_HANDLE ? f->params[0].detail : 0;
    bool sends = takes(f, P_VALUE) || takes(f, P_VALUES) || takes(f, P_INT64S) || takes(f, P_DOUBLES);
    if (f->result.kind == P_HANDLE && f->result.detail == STREAMS_KIND_CANCELLABLE)
        weight = takes(f, P_STRUCT) ? 120 : 25;
    if (first == STREAMS_KIND_SUBJECT || first == STREAMS_KIND_EMITTER) weight = sends ? 40 : 25;
    if (first == STREAMS_KIND_SUBJECT && f->result.kind == P_HANDLE) weight = 90;
    if (f->role == REQUESTS || f->role == CANCELS) weight = 40;
    if (f->role == GIVES_UP && f->result.kind == P_STATUS) weight = 50;
    if (f->role == ADDS) weight = 40;
    if (first == STREAMS_KIND_SCOPE_TREE && f->count == 1) weight = 40;
    if (is_about_hosts(f)) weight = takes(f, P_OUT_STRUCT) || f->result.kind == P_METHOD ? 30 : 8;
    if (sends_object(f)) weight = 80;
    if (takes(f, P_CALLBACK) && f->result.kind == P_HANDLE) weight = 20;
    return weight;
}

/* Whether only a body, which is lent its scope, has much use for it. */
static bool is_for_bodies(const function_info *f) {
    for (int i = 0; i < f->count; i++)
        if (f->params[i].kind == P_HANDLE && f->params[i].detail == STREAMS_KIND_SCOPE) return true;
    return false;
}

static int choose_function(void) {
    if (weight_sum == 0) {
        for (int i = 0; i < function_count; i++) {
            if (opt.off_hosts && is_about_hosts(&functions[i])) opt.off_functions[i] = true;
            weights[i] = opt.off_functions[i] ? 0 : weigh(&functions[i]);
            weight_sum += weights[i];
        }
    }
    bool in_body = self.frame != NULL && self.frame->handle_kind == STREAMS_KIND_SCOPE && chance(2);
    for (;;) {
        uint32_t at = below(weight_sum);
        int i = 0;
        while (at >= weights[i]) at -= weights[i++];
        if (in_body && !is_for_bodies(&functions[i]) && !chance(1000)) continue;
        if (needs_library_threads(&functions[i]) && !script->library_threads) continue;
        if (self.frame != NULL && opt.off_pairs[self.frame->callback][i]) continue;
        return i;
    }
}

/* Whether its values hold the stream that it is made of: a subject in that stream
 * that keeps them keeps itself. */
static bool divides(const function_info *f) {
    return strcmp(f->name, "streams_group_by") == 0 || strncmp(f->name, "streams_window", 14) == 0;
}

/* Whether a property or a binding is kept by what is made. */
static bool watches(const node *n, const function_info *f) {
    bool found = false;
    for (int i = 0; i < f->count; i++) {
        int kind = f->params[i].detail;
        bool handles = f->params[i].kind == P_HANDLE || f->params[i].kind == P_HANDLES;
        found |= handles && (kind == STREAMS_KIND_PROPERTY || kind == STREAMS_KIND_BINDING);
        found |= n->args[i].how == HOW_NODE && states[n->args[i].node].watches;
    }
    for (int i = 0; i < ITEMS && takes(f, P_HANDLES); i++)
        found |= n->items[i].how == HOW_NODE && states[n->items[i].node].watches;
    return found;
}

/* Whether it may keep a value that is sent to it. */
static bool keeps_values(int kind) {
    return kind == STREAMS_KIND_SUBJECT || kind == STREAMS_KIND_BINDING ||
           kind == STREAMS_KIND_OBSERVABLE_OBJECT;
}

/* Whether it delivers in a loop what a nested send gives it: a circle through a subject then goes round for
 * ever, where others end as they nest too deep. */
static bool loops(const function_info *f) { return strncmp(f->name, "streams_buffer", 14) == 0; }

/* How many operators with several upstreams are above: they multiply values, and nest lists. */
static bool too_wide(const node *n, const function_info *f) {
    int width = takes(f, P_HANDLES) || divides(f) || loops(f), subjects = 0;
    for (int i = 0; i < f->count; i++) {
        if (f->params[i].kind == P_HANDLE && keeps_values(f->params[i].detail)) subjects++;
        if (n->args[i].how == HOW_NODE && states[n->args[i].node].width > width)
            width = states[n->args[i].node].width;
    }
    for (int i = 0; i < ITEMS && takes(f, P_HANDLES); i++)
        if (n->items[i].how == HOW_NODE && states[n->items[i].node].width >= width)
            width = states[n->items[i].node].width + 1;
    states[n - script->nodes].width = width;
    return width > 4 || (width > 0 && subjects > 0 && takes(f, P_HANDLE) && f->params[0].consumed);
}

/* Chooses function and arguments. False if there is nothing to be done with what there is. */
bool choose_operation(uint32_t number) {
    node *n = &script->nodes[number];
    for (int attempt = 0; attempt < 12; attempt++) {
        int function = choose_function();
        const function_info *f = &functions[function];
        /* A function that needs a kind of handle that nobody has is seldom worth a call. */
        bool poor = false;
        for (int i = 0; i < f->count; i++)
            if (f->params[i].kind == P_HANDLE && f->params[i].detail != 0) {
                uint32_t alive = pick_alive(f->params[i].detail, false);
                poor |= alive == 0 && f->params[i].detail != STREAMS_KIND_ERROR;
            }
        if (poor && !chance(30)) continue;
        memset(n->args, 0, sizeof n->args);
        memset(n->items, 0, sizeof n->items);
        n->what = (uint16_t)function;
        for (int i = 0; i < f->count; i++)
            if (n->args[i].how == HOW_NULL) choose_argument(n, f, i);
        if (f->result.kind == P_METHOD) {
            static const streams_kind kinds[] = { STREAMS_KIND_SUBJECT, STREAMS_KIND_OBSERVABLE_OBJECT,
                STREAMS_KIND_PROPERTY, STREAMS_KIND_BINDING };
            choose_handle(&n->items[0], kinds[chance(2) ? below(4) : 0], false, false);
            choose_host_object(&n->items[1], false, false);
        }
        states[number].watches = watches(n, f);
        if (!too_wide(n, f)) return true;
    }
    memset(n, 0, sizeof *n);
    return false;
}
