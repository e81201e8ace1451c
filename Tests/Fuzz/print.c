/* Prints a sequence as a C program: its operations and callbacks. */
#include "print.h"
#include "arguments.h"

/* ---- Arguments ------------------------------------------------------------------- */

/* What the callback around calls the parameter of a class. */
static const char *parameter_named(const callback_info *around, int kind) {
    for (int i = 0; around != NULL && i < around->count; i++)
        if (around->params[i].kind == kind) return around->params[i].name;
    return NULL;
}

const char *lent_value(const callback_info *around) {
    const char *name = parameter_named(around, P_VALUE);
    return name != NULL ? name : parameter_named(around, P_VALUES);
}

static void print_handle(FILE *file, const argument *a, const callback_info *around) {
    if (a->how == HOW_BITS) {
        fprintf(file, "(void *)%#llx", (unsigned long long)a->bits);
    } else if (a->how != HOW_NODE || script->nodes[a->node].removed) {
        fprintf(file, "NULL");
    } else {
        fprintf(file, "h%u", a->node);
    }
    (void)around;
}

/* A value, not its address. */
static void print_value_itself(FILE *file, const argument *a, const callback_info *around) {
    if (a->how == HOW_OWN && a->small == 0) {
        fprintf(file, "streams_int(%lld)", (long long)a->bits);
    } else if (a->how == HOW_OWN) {
        fprintf(file, "%s", literal_text(a->small));
    } else if (a->how == HOW_NODE && !script->nodes[a->node].removed) {
        fprintf(file, "v%u[0]", a->node);
    } else if (a->how == HOW_LENT && lent_value(around) != NULL) {
        fprintf(file, "*%s", lent_value(around));
    } else {
        fprintf(file, "streams_null()");
    }
}

void print_value(FILE *file, const argument *a, const callback_info *around) {
    if (a->how == HOW_NULL) {
        fprintf(file, "NULL");
    } else if (a->how == HOW_LENT && lent_value(around) != NULL) {
        fprintf(file, "%s", lent_value(around));
    } else if (a->how == HOW_NODE && !script->nodes[a->node].removed) {
        fprintf(file, "v%u", a->node);
    } else {
        fprintf(file, "(streams_value[]){ ");
        print_value_itself(file, a, around);
        fprintf(file, " }");
    }
}

static void print_array(FILE *file, uint32_t number, int index, const callback_info *around) {
    const node *n = &script->nodes[number];
    int kind = functions[n->what].params[index].kind, count = n->args[index].small;
    if (n->args[index].how == HOW_NULL || count == 0) {
        fprintf(file, "NULL");
        return;
    }
    fprintf(file, kind == P_HANDLES  ? "(void *)(void *[]){ "
                  : kind == P_VALUES ? "(streams_value[]){ "
                                     : "(void *[]){ ");
    for (int i = 0; i < count && i < ITEMS; i++) {
        if (i > 0) fprintf(file, ", ");
        if (kind == P_HANDLES) print_handle(file, &n->items[i], around);
        if (kind == P_VALUES) print_value_itself(file, &n->items[i], around);
        if (kind == P_HOST_OBJECTS)
            fprintf(file, n->items[i].how == HOW_NULL ? "NULL" : "o%u_%d", number, i);
    }
    fprintf(file, " }");
}

static void print_callback_name(FILE *file, uint32_t number, const argument *a, int callback) {
    if (a->how == HOW_EXPORT)
        fprintf(file, "%s", functions[a->small].name);
    else if (a->how == HOW_OWN)
        fprintf(file, "op%u_%s", number, short_name(callback));
    else
        fprintf(file, "NULL");
}

static void print_argument(FILE *file, uint32_t number, int i, const callback_info *around) {
    const node *n = &script->nodes[number];
    const param *what = &functions[n->what].params[i];
    const argument *a = &n->args[i];
    bool none = a->how == HOW_NULL;
    switch (what->kind) {
    case P_HANDLE: print_handle(file, a, around); break;
    case P_HANDLES:
    case P_VALUES:
    case P_HOST_OBJECTS: print_array(file, number, i, around); break;
    case P_VALUE:
    case P_INOUT_VALUE: print_value(file, a, around); break;
    case P_CSTRING:
    case P_TEXT:
    case P_BYTES:
        fprintf(file,
            none            ? "NULL"
            : is_path(what) ? "\"" NO_FILE "\""
            : a->small == 2 ? "long_text"
            : a->small == 4 ? "bad_text"
            : a->small == 3 ? "\"\\xc3\\xa4\""
                            : "\"%s\"",
            texts[a->small]);
        break;
    case P_BUFFER: fprintf(file, none ? "NULL" : "(char[64]){ 0 }"); break;
    case P_OUT_VALUE:
    case P_OUT_VALUES:
        if (a->how == HOW_SAME)
            fprintf(file, "NULL /* the same as the value */");
        else if (none)
            fprintf(file, "NULL");
        else
            fprintf(file, "v%u", number);
        break;
    case P_OUT_HANDLE: fprintf(file, none ? "NULL" : "(void *)&h%u", number); break;
    case P_INT64S: fprintf(file, none ? "NULL" : "int64s"); break;
    case P_DOUBLES: fprintf(file, none ? "NULL" : "doubles"); break;
    case P_OUT_SCALAR: fprintf(file, none ? "NULL" : "(void *)(uint64_t[1]){ 0 }"); break;
    case P_CALLBACK:
        if (is_host_call(what))
            fprintf(file, none ? "NULL" : "mock_call_value");
        else
            print_callback_name(file, number, a, what->detail);
        break;
    case P_CONTEXT:
        if (a->how == HOW_NODE)
            print_handle(file, a, around);
        else
            fprintf(file, "NULL");
        break;
    case P_STRUCT:
        fprintf(file,
            none                 ? "NULL"
            : a->how == HOW_NODE ? "&s%u"
                                 : "&a%u",
            a->how == HOW_NODE ? a->node : number);
        break;
    case P_OUT_STRUCT: fprintf(file, none ? "NULL" : "&s%u", number); break;
    case P_OBJECT: fprintf(file, "NULL"); break;
    case P_HOST: fprintf(file, a->how == HOW_OWN ? "host" : "%u", (unsigned)a->bits); break;
    case P_HOST_TABLE: fprintf(file, none ? "NULL" : "(streams_host[]){ mock_other_table(true) }"); break;
    case P_HOST_OBJECT: fprintf(file, none ? "NULL" : "o%u_%d", number, i); break;
    case P_COUNT:
    case P_UINT64: fprintf(file, "%lluu", (unsigned long long)a->bits); break;
    case P_OFFSET:
    case P_INT64:
    case P_TIME:
        fprintf(file, (int64_t)a->bits == INT64_MIN ? "INT64_MIN" : "%lld", (long long)a->bits);
        break;
    default: fprintf(file, "%llu", (unsigned long long)a->bits);
    }
}

/* ---- Operations ------------------------------------------------------------------- */

static void print_struct(FILE *file, uint32_t number, int index) {
    const node *n = &script->nodes[number];
    const argument *a = &n->args[index];
    const struct_info *s = &structs[functions[n->what].params[index].detail];
    const char *const sizes[] = { "sizeof(%s)", "0", "sizeof(%s) - 1", "sizeof(%s) + 8", "SIZE_MAX" };
    bool kept = s->fields[1].what.kind == P_CALLBACK && s->fields[0].what.kind == P_SIZE &&
                strstr(s->name, "type") != NULL;
    fprintf(file, "    %s%s a%u = { .size = ", kept ? "static const " : "", s->name, number);
    fprintf(file, sizes[a->size % 5], s->name);
    for (int i = 1; i < s->count; i++) {
        const param *what = &s->fields[i].what;
        if (what->kind == P_INT64 || what->kind == P_TIME)
            fprintf(file, ", .%s = %lldll", what->name, (long long)field_integer(a, i));
        if (what->kind == P_DOUBLE) fprintf(file, ", .%s = %g", what->name, field_real(a, i));
        if (a->bits >> i & 1 && what->kind != P_UINT64) continue;
        if (is_host_call(what))
            fprintf(file, ", .%s = mock_call_value", what->name);
        else if (what->kind == P_CALLBACK)
            fprintf(file, ", .%s = op%u_%s", what->name, number, short_name(what->detail));
        if (what->kind == P_UINT64)
            fprintf(file, ", .%s = %lluu", what->name, (unsigned long long)n->items[0].bits);
        if (what->kind == P_HOST_OBJECT) fprintf(file, ", .%s = o%u_%d", what->name, number, i);
    }
    fprintf(file, " };\n");
}

static const char *result_before(const function_info *f) {
    if (gives_finalizer(f)) return "mock_enter();\n    finalize_owners(";
    switch (f->result.kind) {
    case P_HANDLE: return "h%u = (void *)";
    case P_STATUS: return "said(%u, ";
    case P_HOST_OBJECT: return "drop(";
    default: return "(void)";
    }
}

void print_operation(FILE *file, uint32_t number, const callback_info *around) {
    const node *n = &script->nodes[number];
    const function_info *f = &functions[n->what];
    fprintf(file, "    { /* %u */\n", number);
    print_objects(file, number);
    for (int i = 0; i < f->count; i++)
        if (f->params[i].kind == P_STRUCT && n->args[i].how == HOW_OWN) print_struct(file, number, i);
    if (needs_stop(n)) {
        fprintf(file, "    stop_soon(");
        print_argument(file, number, 0, around);
        fprintf(file, ");\n");
    }
    fprintf(file, "    ");
    fprintf(file, result_before(f), number);
    fprintf(file, "%s(", f->name);
    for (int i = 0; i < f->count; i++) {
        if (i > 0) fprintf(file, ", ");
        print_argument(file, number, i, around);
    }
    bool in_call = f->result.kind == P_STATUS || f->result.kind == P_HOST_OBJECT || gives_finalizer(f);
    fprintf(file, in_call ? "));\n" : ");\n");
    if (gives_finalizer(f)) fprintf(file, "    mock_leave();\n");
    if (f->result.kind == P_HANDLE) fprintf(file, "    got(%u, h%u);\n", number, number);
    print_drops(file, number);
    fprintf(file, "    }\n");
}

void print_operations(FILE *file, uint32_t first, const callback_info *around) {
    for (uint32_t i = first; i != 0; i = script->nodes[i].next)
        if (!script->nodes[i].removed) print_operation(file, i, around);
}
