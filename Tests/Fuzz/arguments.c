/* Makes real arguments of those that are written down. */
#include "arguments.h"
#include "mock_host.h"

enum { SIZES = 5 };
static void (*const host_call)(void) = (void (*)(void))mock_call_value;
static char kept_structs[SIZES][1 << FIELDS][64];

static uint64_t handle_of(const argument *a) {
    if (a->how == HOW_NODE) return states[a->node].handle;
    return a->how == HOW_BITS ? a->bits : 0;
}

/* What a value argument points to; *made is room for one. */
const streams_value *value_of(const argument *a, streams_value *made) {
    if (a->how == HOW_LENT && self.frame != NULL && self.frame->value != NULL) return self.frame->value;
    if (a->how == HOW_NODE && states[a->node].owns_values) return &states[a->node].values[0];
    if (a->how == HOW_NULL) return NULL;
    *made = a->how == HOW_OWN ? literal(a->small, (int64_t)a->bits) : literal(0, 7);
    return made;
}

static size_t wrong_size(const argument *a, size_t right) {
    const size_t sizes[] = { right, 0, right - 1, right + 8, SIZE_MAX };
    return sizes[a->size % SIZES];
}

/* A struct without a context is kept by reference: it must not go away. */
static bool is_kept(const struct_info *info) {
    for (int i = 0; i < info->count; i++)
        if (info->fields[i].what.kind == P_CONTEXT) return false;
    return info->count > 1 && info->fields[1].what.kind == P_CALLBACK;
}

int64_t field_integer(const argument *a, int field) {
    const int64_t numbers[] = { 0, 1, 1, 2, 2, 3, 10, 1000, -1, INT64_MIN };
    return numbers[(a->bits >> (16 + 4 * field) & 15) % (a->bits >> field & 1 ? 10 : 8)];
}

double field_real(const argument *a, int field) {
    const double numbers[] = { 0.5, 1, 0.25, 1, 0, 2, -1, 1e300 };
    return numbers[(a->bits >> (16 + 4 * field) & 15) % (a->bits >> field & 1 ? 8 : 4)];
}

/* In a struct of host functions: what owns those before it, and what calls one of them. */
bool is_owner(const param *field) {
    return field->kind == P_HOST_OBJECT && strcmp(field->name, "owner") == 0;
}
bool is_host_call(const param *field) {
    return field->kind == P_CALLBACK && strcmp(field->name, "call_value") == 0;
}

static void fill_field(char *at, const param *what, const argument *a, uint32_t number, int field, room *r) {
    bool set = !(a->bits >> field & 1);
    switch (what->kind) {
    case P_SIZE: memcpy(at, &(size_t){ wrong_size(a, r->struct_size) }, sizeof(size_t)); break;
    case P_UINT64: memcpy(at, &script->nodes[number].items[0].bits, sizeof(uint64_t)); break;
    case P_INT64:
    case P_TIME: memcpy(at, &(int64_t){ field_integer(a, field) }, sizeof(int64_t)); break;
    case P_DOUBLE: memcpy(at, &(double){ field_real(a, field) }, sizeof(double)); break;
    case P_CONTEXT: memcpy(at, &(void *){ context_token(number) }, sizeof(void *)); break;
    case P_CALLBACK:
        if (set) memcpy(at, is_host_call(what) ? &host_call : &trampolines[what->detail], sizeof host_call);
        break;
    case P_HOST_OBJECT:
        if (set) {
            argument function = { .how = HOW_OWN, .small = OBJECT_FUNCTION };
            void *object = is_owner(what) ? make_host_owner(r->dropped, r->drop_count)
                                          : make_host_object(&function, number, field);
            memcpy(at, &object, sizeof object);
            r->dropped[r->drop_count++] = object;
        }
        break;
    default: violated("the fuzzer cannot fill in %s", what->name);
    }
}

/* All forms of the struct that is kept by reference. */
void prepare_structs(void) {
    for (int kind = 0; kind < struct_count; kind++) {
        const struct_info *info = &structs[kind];
        if (!is_kept(info)) continue;
        if (info->size > sizeof kept_structs[0][0]) violated("the fuzzer has no room for %s", info->name);
        room r = { .struct_size = info->size };
        for (int size = 0; size < SIZES; size++)
            for (uint64_t bits = 0; bits < 1ull << info->count; bits++)
                for (int i = 0; i < info->count; i++)
                    fill_field(kept_structs[size][bits] + info->fields[i].offset, &info->fields[i].what,
                        &(argument){ .size = (uint8_t)size, .bits = bits }, 0, i, &r);
    }
}

static void *struct_of(const argument *a, int kind, uint32_t number, room *r) {
    const struct_info *info = &structs[kind];
    if (a->how == HOW_NULL) return NULL;
    if (a->how == HOW_NODE) return states[a->node].has_struct ? states[a->node].struct_ : NULL;
    if (is_kept(info)) return kept_structs[a->size % SIZES][a->bits & ((1 << FIELDS) - 1)];
    char *at = r->structure;
    memset(at, 0, sizeof r->structure);
    r->struct_size = info->size;
    for (int i = 0; i < info->count; i++)
        fill_field(at + info->fields[i].offset, &info->fields[i].what, a, number, i, r);
    return at;
}

static void fill_array(
    const param *what, const argument *a, const argument *items, uint32_t number, slot *to, room *r) {
    if (a->how == HOW_NULL) return;
    for (int i = 0; i < a->small && i < ITEMS; i++) {
        if (what->kind == P_HANDLES) r->pointers[i] = (void *)(uintptr_t)handle_of(&items[i]);
        if (what->kind == P_VALUES) {
            const streams_value *value = value_of(&items[i], &r->values[i]);
            if (value != NULL && value != &r->values[i]) r->values[i] = *value;
            if (value == NULL) r->values[i] = streams_null();
        }
        if (what->kind == P_HOST_OBJECTS) {
            r->pointers[i] = make_host_object(&items[i], number, i);
            r->dropped[r->drop_count++] = r->pointers[i];
        }
    }
    to->p = what->kind == P_VALUES ? (void *)r->values : (void *)r->pointers;
}

static void fill(uint32_t number, int index, slot *a, room *r) {
    const node *n = &script->nodes[number];
    const function_info *f = &functions[n->what];
    const param *what = &f->params[index];
    const argument *given = &n->args[index];
    slot *to = &a[index];
    bool none = given->how == HOW_NULL;
    switch (what->kind) {
    case P_HANDLE: to->u = handle_of(given); break;
    case P_HANDLES:
    case P_VALUES:
    case P_HOST_OBJECTS: fill_array(what, given, n->items, number, to, r); break;
    case P_COUNT: to->u = given->bits; break;
    case P_CSTRING:
    case P_TEXT:
    case P_BYTES: to->p = none ? NULL : (void *)(is_path(what) ? NO_FILE : texts[given->small]); break;
    case P_BUFFER: to->p = none ? NULL : r->buffer; break;
    case P_OUT_HANDLE: to->p = none ? NULL : (void *)&r->out_handle; break;
    case P_VALUE: to->p = (void *)value_of(given, &r->made[index]); break;
    case P_OUT_VALUE:
        to->p = none ? NULL : given->how == HOW_SAME ? a[0].p
                                                     : (void *)states[number].values;
        break;
    case P_OUT_VALUES: to->p = none ? NULL : (void *)states[number].values; break;
    case P_INOUT_VALUE:
        to->p = (void *)value_of(given, &r->made[index]);
        if (given->how == HOW_NODE && states[given->node].busy) to->p = NULL;
        break;
    case P_INT64S: to->p = none ? NULL : int64s; break;
    case P_DOUBLES: to->p = none ? NULL : doubles; break;
    case P_OUT_SCALAR: to->p = none ? NULL : (void *)&r->scalars[index]; break;
    case P_CALLBACK:
        to->f = is_host_call(what)         ? (none ? NULL : host_call)
                : given->how == HOW_OWN    ? trampolines[what->detail]
                : given->how == HOW_EXPORT ? addresses[given->small]
                                           : NULL;
        break;
    case P_CONTEXT:
        to->p = given->how == HOW_NODE ? (void *)(uintptr_t)handle_of(given) : context_token(number);
        break;
    case P_STRUCT: to->p = struct_of(given, what->detail, number, r); break;
    case P_OUT_STRUCT: to->p = none ? NULL : states[number].struct_; break;
    case P_OBJECT: to->p = context_token(number); break;
    case P_HOST: to->u = given->how == HOW_OWN ? current_host() : given->bits; break;
    case P_HOST_TABLE:
        host_table_for(given, &r->table);
        to->p = none ? NULL : (void *)&r->table;
        break;
    case P_HOST_OBJECT:
        to->p = none             ? NULL
                : is_owner(what) ? make_host_owner(r->dropped, r->drop_count)
                                 : make_host_object(given, number, index);
        if (to->p != NULL) r->dropped[r->drop_count++] = to->p;
        break;
    default: to->u = given->bits;
    }
}

void fill_arguments(uint32_t number, slot *a, room *r) {
    const node *n = &script->nodes[number];
    r->drop_count = 0;
    for (int i = 0; i < functions[n->what].count; i++) fill(number, i, a, r);
    for (int i = 0; i < functions[n->what].count; i++)
        if (n->args[i].how == HOW_NODE) states[n->args[i].node].busy++;
    for (int i = 0; i < ITEMS; i++)
        if (n->items[i].how == HOW_NODE) states[n->items[i].node].busy++;
}

void drop_arguments(uint32_t number, room *r) {
    const node *n = &script->nodes[number];
    for (int i = 0; i < r->drop_count; i++) drop_host_object(r->dropped[i]);
    if (r->drop_count > 0) lose_owners(false);
    for (int i = 0; i < functions[n->what].count; i++)
        if (n->args[i].how == HOW_NODE) states[n->args[i].node].busy--;
    for (int i = 0; i < ITEMS; i++)
        if (n->items[i].how == HOW_NODE) states[n->items[i].node].busy--;
}
