/* arguments.h - room for what the arguments of one call point to. */

#ifndef STREAMS_FUZZ_ARGUMENTS_H
#define STREAMS_FUZZ_ARGUMENTS_H

#include "fuzz.h"

typedef struct room {
    streams_value values[ITEMS], made[PARAMS];
    void *pointers[ITEMS];
    void *dropped[PARAMS + FIELDS];
    int drop_count;
    uint64_t scalars[PARAMS], out_handle;
    size_t struct_size;
    _Alignas(16) char structure[160];
    char buffer[64];
    streams_host table;
} room;

void fill_arguments(uint32_t number, slot *a, room *r);
void drop_arguments(uint32_t number, room *r);
const streams_value *value_of(const argument *a, streams_value *made);

bool is_owner(const param *field);
bool is_host_call(const param *field);

/* The numbers in the fields of a struct. */
int64_t field_integer(const argument *a, int field);
double field_real(const argument *a, int field);

#endif /* STREAMS_FUZZ_ARGUMENTS_H */
