/*
 * fuzz_nats.h - what the parts of the fuzzer of streams_nats.h share.
 *
 * The table of functions is made as that of the C fuzzer is, from the header. Here several threads call them
 * at random against two servers, one of which is killed again and again. A sequence cannot be repeated,
 * because servers take their time; so the last calls of each thread are kept, and are printed where one is
 * wrong.
 */

#ifndef STREAMS_FUZZ_NATS_H
#define STREAMS_FUZZ_NATS_H

/* clang-format off */
#include "server.h"
#include "table.h"
/* clang-format on */

/* Connections are no handles of streams.h; for the table they are one more kind. */
enum { STREAMS_KIND_NATS_CONNECTION = 60 };

enum { TEXTS = 4 };

/* What the arguments of one call point to. */
typedef struct room {
    _Alignas(16) char structure[256];
    streams_value out;
    const char *texts[TEXTS], *text;
    char buffer[512];
    uint64_t scalar;
    bool bad_connection, gives_context;
} room;

/* ---- main.c ------------------------------------------------------------------------------------------- */

extern server steady, mortal;

uint32_t below(uint32_t bound);
bool chance(uint32_t one_in);
/* Prints the last calls, and ends the program. */
_Noreturn void wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- arguments.c -------------------------------------------------------------------------------------- */

/* Makes what never goes, and lets go of it. */
void arguments_begin(void);
void arguments_end(void);

void choose_arguments(const function_info *function, slot *a, room *r);
const char *some_text(const char *name);
/* Of streams.h, or a message: alive as long as the call. */
const streams_value *some_value(void);
void forget_values(void);

/* ---- results.c ---------------------------------------------------------------------------------------- */

/* How many contexts the library has, which it has to destroy. */
extern atomic_int contexts;

/* A message that a later call may be given. */
void keep_message(const streams_value *message);
bool kept_message(streams_value *out);
void forget_messages(void);

/* What to do with what a call has made: subscribers that act at random; readers of bindings. */
void use_publisher(streams_publisher *made);
void use_binding(streams_binding *made);
/* Lets go of all subscribers. */
void drop_subscribers(void);

#endif
