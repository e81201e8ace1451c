/* Prints a sequence as a C program: what is around its operations. */
#include "arguments.h"
#include "print.h"

static bool is_operation(uint32_t i) {
    return script->nodes[i].type == NODE_OPERATION && !script->nodes[i].removed;
}

static uint32_t end_of_nodes(void) { return script->count < NODES ? script->count : NODES; }

static bool uses_host(void) {
    for (uint32_t i = 1; i < end_of_nodes(); i++) {
        if (!is_operation(i)) continue;
        const function_info *f = &functions[script->nodes[i].what];
        for (int k = 0; k < f->count; k++)
            if (f->params[k].kind >= P_HOST && f->params[k].kind <= P_HOST_OBJECTS) return true;
    }
    return false;
}

/* ---- Objects of the host ------------------------------------------------------------ */

static void print_object(FILE *file, uint32_t number, int sub, const argument *a, bool function) {
    static const char *const kinds[] = { "mock_int(%lld)", "mock_text(\"host\", 4)", "mock_null()",
        "mock_list_of(%lld)", "", "mock_create(MOCK_SPITEFUL)", "mock_create(MOCK_DOUBLE)" };
    if (a->how == HOW_NULL) return;
    fprintf(file, "    mock_object *o%u_%d = ", number, sub);
    if (function || a->small == 4)
        fprintf(file, "mock_function(op%u_host, %u, %d)", number, number, sub);
    else
        fprintf(file, kinds[a->small], (long long)a->bits);
    fprintf(file, ";\n");
}

typedef void (*object_visitor)(FILE *file, uint32_t number, int sub, const argument *a, bool function);

static void visit_objects(FILE *file, uint32_t number, object_visitor visit) {
    const node *n = &script->nodes[number];
    const function_info *f = &functions[n->what];
    for (int i = 0; i < f->count; i++) {
        if (f->params[i].kind == P_HOST_OBJECT) visit(file, number, i, &n->args[i], false);
        for (int k = 0; f->params[i].kind == P_HOST_OBJECTS && k < n->args[i].small && k < ITEMS; k++)
            if (n->args[i].how != HOW_NULL) visit(file, number, k, &n->items[k], false);
        if (f->params[i].kind != P_STRUCT || n->args[i].how != HOW_OWN) continue;
        const struct_info *s = &structs[f->params[i].detail];
        for (int k = 0; k < s->count; k++)
            if (s->fields[k].what.kind == P_HOST_OBJECT && !(n->args[i].bits >> k & 1))
                visit(file, number, k, &(argument){ .how = HOW_OWN }, !is_owner(&s->fields[k].what));
    }
}

static bool is_owner_of(uint32_t number, int sub) {
    const node *n = &script->nodes[number];
    const function_info *f = &functions[n->what];
    bool is = false;
    for (int i = 0; i < f->count; i++)
        if (f->params[i].kind == P_STRUCT) is |= is_owner(&structs[f->params[i].detail].fields[sub].what);
    is |= sub < f->count && is_owner(&f->params[sub]);
    return is;
}

static void print_owned(FILE *file, uint32_t number, int sub, const argument *a, bool function) {
    (void)function;
    if (a->how != HOW_NULL && !is_owner_of(number, sub)) fprintf(file, "o%u_%d, ", number, sub);
}

static void print_object_or_owner(
    FILE *file, uint32_t number, int sub, const argument *a, bool function) {
    if (a->how == HOW_NULL || !is_owner_of(number, sub)) {
        print_object(file, number, sub, a, function);
        return;
    }
    fprintf(file, "    mock_object *owned%u[] = { ", number);
    visit_objects(file, number, print_owned);
    fprintf(file, "NULL };\n    mock_object *o%u_%d = ", number, sub);
    fprintf(file, "mock_owner(owned%u, sizeof owned%u / sizeof *owned%u - 1);\n", number, number, number);
}

void print_objects(FILE *file, uint32_t number) { visit_objects(file, number, print_object_or_owner); }

static void print_drop(FILE *file, uint32_t number, int sub, const argument *a, bool function) {
    (void)function;
    if (a->how != HOW_NULL) fprintf(file, "    drop(o%u_%d);\n", number, sub);
    if (is_owner_of(number, sub)) fprintf(file, "    lose_owners(false);\n");
}

void print_drops(FILE *file, uint32_t number) { visit_objects(file, number, print_drop); }

static bool found_object;
static void find_object(FILE *file, uint32_t number, int sub, const argument *a, bool function) {
    (void)file, (void)number, (void)sub;
    found_object |= function || (a->how != HOW_NULL && a->small == 4);
}

/* The one function behind all host functions that an operation makes. */
static void print_host_function(FILE *file, uint32_t number, bool only_declare) {
    found_object = false;
    visit_objects(file, number, find_object);
    if (!found_object) return;
    fprintf(file,
        "static mock_object *op%u_host(mock_object *self, int event, mock_object *const *arguments, size_t "
        "count)%s\n",
        number, only_declare ? ";" : " {");
    if (only_declare) return;
    fprintf(file, "    static int calls[12];\n    if (event != MOCK_CALLED) return NULL;\n");
    fprintf(file,
        "    fprintf(stderr, \"op%u host function %%u call %%d\\n\", self->sub, calls[self->sub]);\n",
        number);
    fprintf(file, "    switch ((int)self->sub * 65536 + calls[self->sub]++) {\n");
    for (uint32_t i = script->nodes[number].first; i != 0; i = script->nodes[i].next) {
        const node *n = &script->nodes[i];
        if (n->removed) continue;
        fprintf(file, "    case %d * 65536 + %d:\n", n->field, n->repeat);
        fprintf(file,
            "    h%u = count > 0 && arguments[0]->kind == MOCK_INT ? (void *)arguments[0]->integer : "
            "NULL;\n",
            i);
        print_operations(file, n->first, NULL);
        if (n->args[0].how == HOW_FAIL)
            fprintf(file, "    return mock_raise(\"fails\");\n");
        else if (n->args[1].how == HOW_NODE)
            fprintf(file, "    return mock_int((intptr_t)h%u);\n", n->args[1].node);
        else if (n->args[0].how == HOW_BITS)
            fprintf(file, "    return mock_int(%lld);\n", (long long)n->args[0].bits);
        else
            fprintf(file, "    break;\n");
    }
    fprintf(file, "    }\n    if (count == 0) return mock_null();\n    mock_retain(arguments[count - 1]);\n "
                  "   return arguments[count - 1];\n}\n\n");
}

/* ---- The program ----------------------------------------------------------------------- */

static void print_variables(FILE *file) {
    for (uint32_t i = 1; i < end_of_nodes(); i++) {
        const node *n = &script->nodes[i];
        if (n->type == NODE_NONE || n->removed) continue;
        const param *params =
            n->type == NODE_OPERATION ? functions[n->what].params : callbacks[n->what].params;
        int count = n->type == NODE_OPERATION ? functions[n->what].count : callbacks[n->what].count;
        fprintf(file, "static void *h%u;\n", i);
        for (int k = 0; k < count && n->type == NODE_OPERATION; k++) {
            if (params[k].kind == P_OUT_VALUE || params[k].kind == P_OUT_VALUES)
                fprintf(file, "static streams_value v%u[4];\n", i);
            if (params[k].kind == P_OUT_STRUCT)
                fprintf(file, "static %s s%u;\n", structs[params[k].detail].name, i);
        }
    }
}

static const char support[] =
    "static _Atomic int contexts;\n"
    "static void said(int number, streams_status status) {\n"
    "    fprintf(stderr, \"%d: %s\\n\", number, streams_status_name(status));\n"
    "}\n"
    "static void got(int number, const void *handle) {\n"
    "    fprintf(stderr, \"%d: %p %s\\n\", number, handle, handle ? \"\" : streams_last_message());\n"
    "}\n"
    "static void let_go(const void *handle) {\n"
    "    while (handle != NULL && streams_release(handle) == STREAMS_OK) {}\n"
    "}\n";

/* See library_threads.c. */
static const char thread_support[] =
    "#include <dirent.h>\n#include <unistd.h>\n"
    "static void *stop(void *loop) {\n"
    "    for (int i = 0; i < 1000 && streams_loop_stop(loop) == STREAMS_OK; i++) usleep(1000);\n"
    "    return NULL;\n"
    "}\n"
    "static inline void stop_soon(void *loop) {\n"
    "    pthread_t thread;\n"
    "    if (pthread_create(&thread, NULL, stop, loop) == 0) pthread_detach(thread);\n"
    "}\n"
    "static int count_threads(void) {\n"
    "    int count = 0;\n"
    "    DIR *directory = opendir(\"/proc/self/task\");\n"
    "    for (struct dirent *each; (each = readdir(directory)) != NULL;) count += each->d_name[0] != '.';\n"
    "    closedir(directory);\n"
    "    return count;\n"
    "}\n"
    "static void await_threads(void) {\n"
    "    for (int i = 0; i < 20000 && count_threads() > 1; i++) usleep(1000);\n"
    "    printf(\"threads that are left: %d\\n\", count_threads() - 1);\n"
    "}\n";

static const char host_support[] =
    "static uint32_t host;\n"
    "static void fault(const char *what) { fprintf(stderr, \"FAULT %s\\n\", what); abort(); }\n"
    "static void drop(mock_object *object) {\n"
    "    if (object == NULL) return;\n"
    "    mock_enter();\n    mock_release(object);\n    mock_leave();\n"
    "}\n"
    "static inline void lose_owners(bool all) {\n"
    "    mock_enter();\n    mock_lose_owners(all);\n    mock_leave();\n"
    "}\n"
    "static inline void finalize_owners(streams_finalizer_fn finalizer) {\n"
    "    if (finalizer != NULL) mock_finalize_owners(finalizer);\n"
    "}\n"
    "static inline mock_object *mock_list_of(size_t count) {\n"
    "    mock_object *list = mock_list(count);\n"
    "    for (size_t i = 0; i < count; i++) list->items[i] = i == 3 ? mock_create(MOCK_SPITEFUL) : "
    "mock_int((int64_t)i);\n"
    "    return list;\n"
    "}\n";

static void print_end(FILE *file) {
    bool backwards = script->seed >> 7 & 1;
    uint32_t count = end_of_nodes();
    for (uint32_t k = 1; k < count; k++) {
        uint32_t i = backwards ? count - k : k;
        if (is_operation(i)) fprintf(file, "    let_go(h%u);\n", i);
    }
    for (uint32_t i = 1; i < count; i++)
        for (int k = 0; is_operation(i) && k < functions[script->nodes[i].what].count; k++) {
            int kind = functions[script->nodes[i].what].params[k].kind;
            if (kind == P_OUT_VALUE || kind == P_OUT_VALUES)
                fprintf(file, "    for (int i = 0; i < 4; i++) streams_value_destroy(&v%u[i]);\n", i);
        }
    if (uses_host()) fprintf(file, "    lose_owners(true);\n");
    if (script->library_threads) fprintf(file, "    await_threads();\n");
    fprintf(file, "    streams_trace_stop();\n    (void)streams_trace_to_file(NULL);\n");
    fprintf(file, "    printf(\"live handles: %%zu, contexts that are not destroyed: %%d\\n\", "
                  "streams_live_handles(), contexts);\n");
    fprintf(file, "    return streams_live_handles() != 0 || contexts != 0;\n}\n");
}

static int count_contexts(void) {
    int contexts = 0;
    for (uint32_t i = 1; i < end_of_nodes(); i++) {
        if (!is_operation(i)) continue;
        const node *n = &script->nodes[i];
        const function_info *f = &functions[n->what];
        for (int k = 0; k < f->count; k++) {
            const param *what = &f->params[k];
            if (what->kind == P_CALLBACK && callbacks[what->detail].role == ENDS_CONTEXT)
                contexts += n->args[k].how == HOW_OWN;
            if (what->kind != P_STRUCT || n->args[k].how != HOW_OWN || n->args[k].size != 0) continue;
            for (int m = 0; m < structs[what->detail].count; m++) {
                const param *field = &structs[what->detail].fields[m].what;
                if (field->kind == P_CALLBACK && callbacks[field->detail].role == ENDS_CONTEXT)
                    contexts += !(n->args[k].bits >> m & 1);
            }
        }
    }
    return contexts;
}

static void print_main(FILE *file, bool host) {
    for (uint32_t t = 1; t <= script->threads && script->threads > 1; t++) {
        fprintf(file, "static void *thread_%u(void *nothing) {\n", t);
        print_operations(file, script->first[t], NULL);
        fprintf(file, "    return nothing;\n}\n\n");
    }
    fprintf(file, "int main(void) {\n    prepare_values();\n");
    fprintf(file, "    contexts = %d; /* in all operations; those that are not reached count too */\n",
        count_contexts());
    if (host)
        fprintf(file,
            "    mock_fault = fault;\n    streams_host table = mock_table(%d);\n"
            "    if (streams_host_register(&table, &host) != STREAMS_OK) return 2;\n",
            (int)(script->seed & 1));
    print_operations(file, script->first[0], NULL);
    if (script->threads > 1) {
        fprintf(file, "    pthread_t threads[%u];\n", script->threads);
        for (uint32_t t = 1; t <= script->threads; t++)
            fprintf(file, "    pthread_create(&threads[%u], NULL, thread_%u, NULL);\n", t - 1, t);
        fprintf(file, "    for (int i = 0; i < %u; i++) pthread_join(threads[i], NULL);\n", script->threads);
    }
    print_end(file);
}

void print_program(FILE *file, const char *failure) {
    bool host = uses_host();
    fprintf(file, "/*\n * %s\n *\n * cc -std=gnu11 -g -pthread -IInclude%s this.c%s -lstreams\n */\n",
        failure, host ? " -ITests/Fuzz" : "", host ? " Tests/Fuzz/mock_*.c" : "");
    fprintf(file, "#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <streams.h>\n");
    if (host) fprintf(file, "#include \"mock_host.h\"\n");
    fprintf(file, "\n%s%s%s%s\n", literal_prelude, support, script->library_threads ? thread_support : "",
        host ? host_support : "");
    print_variables(file);
    /* An operation may be within the callback of any other. */
    for (int only_declare = 1; only_declare >= 0; only_declare--) {
        for (uint32_t i = 1; i < end_of_nodes(); i++) {
            if (!is_operation(i)) continue;
            print_callbacks(file, i, only_declare);
            if (host) print_host_function(file, i, only_declare);
        }
        fprintf(file, "\n");
    }
    print_main(file, host);
}
