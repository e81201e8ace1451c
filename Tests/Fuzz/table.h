/*
 * table.h - what the header says: table.c, written by generate.py.
 */

#ifndef STREAMS_FUZZ_TABLE_H
#define STREAMS_FUZZ_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <streams_host.h>
#include <string.h>

#ifndef FUZZ_FIELDS
#define FUZZ_FIELDS 12
#endif

enum { PARAMS = 8,
    ITEMS = 4,
    FIELDS = FUZZ_FIELDS,
    THREADS = 16, /* of the fuzzer's */
    EVERY_THREAD = 250,
    NODES = 8192,
    CALLBACKS = 96,
    FUNCTIONS = 320 };

typedef enum param_class {
    P_VOID,
    P_STATUS,
    P_BOOL,
    P_INT64,
    P_TIME,
    P_UINT64,
    P_SIZE,
    P_DOUBLE,
    P_DESCRIPTOR,
    P_ENUM,   /* scalars */
    P_OFFSET, /* of a pointer in an object of the host's */
    P_COUNT,  /* the length of the parameter before it */
    P_CSTRING,
    P_TEXT,
    P_BYTES,
    P_BUFFER, /* text and memory */
    P_HANDLE,
    P_HANDLES,
    P_OUT_HANDLE, /* handles; detail: the kind, 0 for any */
    P_VALUE,
    P_VALUES,
    P_OUT_VALUE,
    P_OUT_VALUES,
    P_INOUT_VALUE,
    P_INT64S,
    P_DOUBLES,
    P_OUT_SCALAR,
    P_CALLBACK,
    P_CONTEXT,
    P_OUT_STATE,
    P_OTHER, /* detail of a callback: its number */
    P_STRUCT,
    P_OUT_STRUCT, /* detail: the struct's number */
    P_OBJECT,     /* of streams_value_object */
    P_HOST,
    P_HOST_TABLE,
    P_HOST_OBJECT,
    P_HOST_OBJECTS,
    P_METHOD,
    P_OUT_TEXT,
    P_TEXTS,
    P_KEPT /* of streams_nats.h: an address of a text, an array of texts, a value of streams_nats_keep */
} param_class;

typedef struct param {
    uint8_t kind;     /* a param_class */
    uint8_t consumed; /* whether the call takes the handle's reference */
    uint16_t detail;
    const char *name;
} param;

/* What a function or callback means to the checks. */
enum {
    ADDS = 1,
    GIVES_UP,
    ALWAYS_FAILS,
    REQUESTS,
    CANCELS,
    RETIRES,
    RUNS_LOOP,
    MAKES_THREADS, /* functions */
    ENDS_CONTEXT,
    ENDS_STATE,
    SUBSCRIBED,
    RECEIVES,
    RECEIVES_NUMBERS,
    COMPLETES, /* callbacks */
    OBJECT_RETAIN,
    OBJECT_RELEASE,
    OBJECT_OTHER
};

typedef struct function_info {
    const char *name;
    param result;
    int count, role;
    uint32_t statuses; /* those that its comment names, a bit for each */
    int as_callback;   /* the callback that the function itself can be, or -1 */
    param params[PARAMS];
} function_info;

typedef struct callback_info {
    const char *name, *prototype;
    param result;
    int count, role;
    int owner; /* the struct it is a field of, or -1 */
    param params[PARAMS];
} callback_info;

typedef struct struct_info {
    const char *name;
    size_t size;
    int count;
    struct {
        param what;
        size_t offset;
    } fields[FIELDS];
} struct_info;

/* An argument or result on its way through the table. */
typedef union slot {
    void *p;
    uint64_t u;
    double d;
    void (*f)(void);
} slot;

extern const function_info functions[];
extern const callback_info callbacks[];
extern const struct_info structs[];
extern void (*const trampolines[])(void);
extern void (*const addresses[])(void);
extern const int function_count, callback_count, struct_count;
void fuzz_invoke(int function, slot *a, slot *r);
void fuzz_callback(int callback, slot *a, slot *r);


#endif /* STREAMS_FUZZ_TABLE_H */
