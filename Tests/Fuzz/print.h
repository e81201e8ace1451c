/* print.h - what the parts of the printer share. */

#ifndef STREAMS_FUZZ_PRINT_H
#define STREAMS_FUZZ_PRINT_H

#include "fuzz.h"

/* "transform" of streams_transform_fn, "on_value" of streams_subscriber.on_value. */
const char *short_name(int callback);
/* What the callback around calls the value that it is lent, or the first of several. */
const char *lent_value(const callback_info *around);
void print_value(FILE *file, const argument *a, const callback_info *around);
void print_operation(FILE *file, uint32_t number, const callback_info *around);
void print_operations(FILE *file, uint32_t first, const callback_info *around);
/* Objects of the host that an operation makes, and what releases them. */
void print_objects(FILE *file, uint32_t number);
void print_drops(FILE *file, uint32_t number);
/* The functions that are called back. */
void print_callbacks(FILE *file, uint32_t number, bool only_declare);

#endif /* STREAMS_FUZZ_PRINT_H */
