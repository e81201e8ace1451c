/* Prints the functions that a sequence is called back through. */
#include "arguments.h"
#include "print.h"

const char *short_name(int callback) {
    static _Thread_local char name[64];
    const char *full = callbacks[callback].name, *dot = strchr(full, '.');
    if (dot != NULL) return dot + 1;
    snprintf(name, sizeof name, "%.*s", (int)(strlen(full) - strlen("streams_") - strlen("_fn")),
        full + strlen("streams_"));
    return name;
}

static const param *find(const callback_info *info, int kind) {
    for (int i = 0; i < info->count; i++)
        if (info->params[i].kind == kind) return &info->params[i];
    return NULL;
}

static void print_out_value(FILE *file, const callback_info *info, const argument *out) {
    const char *to = find(info, P_OUT_VALUE)->name, *first = lent_value(info);
    fprintf(file, out->how == HOW_OWN ? "        *%s = *" : "        (void)streams_value_copy(", to);
    if (out->how == HOW_OWN || out->how == HOW_NODE)
        print_value(file, out, info);
    else
        fprintf(file, "%s", first != NULL ? first : "NULL");
    if (out->how != HOW_OWN) fprintf(file, ", %s)", to);
    fprintf(file, ";\n");
}

static void print_out_handle(FILE *file, const callback_info *info, const argument *out) {
    const char *to = find(info, P_OUT_HANDLE)->name;
    if (out->how == HOW_NODE && !script->nodes[out->node].removed)
        fprintf(file, "        *%s = (void *)h%u;\n", to, out->node);
    else if (out->how == HOW_BITS)
        fprintf(file, "        *%s = (void *)%#llx;\n", to, (unsigned long long)out->bits);
    else if (out_kind(info) == STREAMS_KIND_PROPERTY)
        fprintf(file, "        *%s = streams_property_create((streams_value[]){ streams_int(1) });\n", to);
    else if (find(info, P_VALUE) != NULL)
        fprintf(file, "        *%s = streams_just(%s);\n", to, find(info, P_VALUE)->name);
    else if (out_kind(info) == STREAMS_KIND_ERROR)
        fprintf(file, "        *%s = streams_error_create(1, \"fuzz\", \"a new one\", NULL);\n", to);
    else
        fprintf(file, "        *%s = streams_empty(true);\n", to);
}

/* What the callback results in, as fuzz_callback does it. */
static void print_result(FILE *file, const callback_info *info, const node *answer) {
    static const node none;
    const argument *result = answer != NULL ? &answer->args[0] : &none.args[0];
    const argument *out = answer != NULL ? &answer->args[1] : &none.args[1];
    if (result->how == HOW_FAIL) {
        fprintf(file, "        return streams_callback_fail_with(7, \"fuzz\", \"a callback fails\");\n");
        return;
    }
    if (info->result.kind == P_STATUS && result->how == HOW_BITS) {
        fprintf(file, "        return (streams_status)%llu;\n", (unsigned long long)result->bits);
        return;
    }
    if (find(info, P_OUT_VALUE) != NULL) print_out_value(file, info, out);
    if (find(info, P_OUT_HANDLE) != NULL) print_out_handle(file, info, out);
    if (find(info, P_OUT_SCALAR) != NULL)
        fprintf(file, "        *%s = %d;\n", find(info, P_OUT_SCALAR)->name,
            out->how == HOW_BITS ? (int)out->bits : info->count == 3);
    switch (info->result.kind) {
    case P_STATUS: fprintf(file, "        return STREAMS_OK;\n"); break;
    case P_SIZE: fprintf(file, "        return (size_t)snprintf(buffer, capacity, \"an object\");\n"); break;
    case P_UINT64:
    case P_BOOL:
        fprintf(
            file, "        return %lluu;\n", result->how == HOW_BITS ? (unsigned long long)result->bits : 0);
        break;
    default: fprintf(file, "        return;\n");
    }
}

static void print_answers(FILE *file, uint32_t number, int callback) {
    const callback_info *info = &callbacks[callback];
    int field = field_of(callback);
    fprintf(file, "    static _Atomic int calls;\n    fprintf(stderr, \"op%u %s %%d\\n\", calls);\n", number,
        short_name(callback));
    for (int i = 0; i < info->count; i++) fprintf(file, "    (void)%s;\n", info->params[i].name);
    if (info->role == ENDS_CONTEXT) fprintf(file, "    contexts--;\n");
    fprintf(file, "    switch (calls++) {\n");
    for (uint32_t i = script->nodes[number].first; i != 0; i = script->nodes[i].next) {
        const node *n = &script->nodes[i];
        if (n->removed || n->field != field || n->what != callback) continue;
        fprintf(file, "    case %d: /* %u */\n", n->repeat, i);
        for (int p = 0; p < info->count; p++)
            if (info->params[p].kind == P_HANDLE)
                fprintf(file, "        h%u = (void *)%s;\n", i, info->params[p].name);
        print_operations(file, n->first, info);
        print_result(file, info, n);
        if (info->result.kind == P_VOID) fprintf(file, "        break;\n");
    }
    fprintf(file, "    default:\n");
    print_result(file, info, NULL);
    fprintf(file, "    }\n");
}

static void print_one(FILE *file, uint32_t number, int callback, bool only_declare) {
    char name[80];
    snprintf(name, sizeof name, "op%u_%s", number, short_name(callback));
    fprintf(file, "static ");
    /* The prototype has a %s where the name goes. */
    const char *prototype = callbacks[callback].prototype, *gap = strstr(prototype, "%s");
    fprintf(file, "%.*s%s%s", (int)(gap - prototype), prototype, name, gap + 2);
    if (only_declare) {
        fprintf(file, ";\n");
        return;
    }
    fprintf(file, " {\n");
    print_answers(file, number, callback);
    fprintf(file, "}\n\n");
}

void print_callbacks(FILE *file, uint32_t number, bool only_declare) {
    const node *n = &script->nodes[number];
    const function_info *f = &functions[n->what];
    for (int i = 0; i < f->count; i++) {
        if (f->params[i].kind == P_CALLBACK && !is_host_call(&f->params[i]) && n->args[i].how == HOW_OWN)
            print_one(file, number, f->params[i].detail, only_declare);
        if (f->params[i].kind != P_STRUCT || n->args[i].how != HOW_OWN) continue;
        const struct_info *s = &structs[f->params[i].detail];
        for (int k = 0; k < s->count; k++)
            if (s->fields[k].what.kind == P_CALLBACK && !is_host_call(&s->fields[k].what) &&
                !(n->args[i].bits >> k & 1))
                print_one(file, number, s->fields[k].what.detail, only_declare);
    }
}
