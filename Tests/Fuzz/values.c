/* The values, texts and arrays that operations pass. */
#include "fuzz.h"

enum { NESTED = 70 };
static streams_value nested[NESTED];
static streams_value pair[2];
static const char bad_text[] = "ok\xff\xfe";
static const char long_text[] = "a text that does not fit into anything small, with \xc3\xa4 and "
                                "\xe2\x82\xac in it, and some more of it";

/* Each literal is compiled here and printed by print.c. `bits` is the operation's own number. */
#define GOOD_LITERALS(X) \
    X(streams_int(bits)) \
    X(streams_int(1)) \
    X(streams_null()) \
    X(streams_bool(true)) \
    X(streams_double(1.5)) \
    X(streams_text("text")) \
    X(streams_text_n(NULL, 0)) \
    X(streams_text_n("a\0b", 3)) \
    X(streams_text(long_text)) \
    X(streams_bytes("\1\2\3", 3)) \
    X(streams_list(pair, 2)) \
    X(streams_list(NULL, 0)) \
    X(streams_list(&nested[NESTED - 20], 1)) \
    X(streams_double(0.0 / 0.0)) \
    X(streams_int64s(int64s, 64)) \
    X(streams_doubles(doubles, 3)) \
    X(streams_doubles(NULL, 0))
#define BAD_LITERALS(X) \
    X(((streams_value){ .kind = 99 })) \
    X(streams_text_n(bad_text, 4)) \
    X(((streams_value){ .kind = STREAMS_VALUE_OBJECT })) \
    X(streams_text_n(NULL, 5)) \
    X(streams_bytes(NULL, 5)) \
    X(streams_list(NULL, 5)) \
    X(streams_int64s(NULL, 5)) \
    X(((streams_value){ .kind = STREAMS_VALUE_INT64, .size = 7 })) \
    X(streams_list(&nested[0], 1)) \
    X(((streams_value){ .kind = STREAMS_VALUE_STRING, .size = UINT32_MAX }))

#define TEXT(literal) #literal,
static const char *const literal_texts[] = { GOOD_LITERALS(TEXT) BAD_LITERALS(TEXT) };
#define COUNT(literal) +1
const int good_literal_count = 0 GOOD_LITERALS(COUNT);
const int literal_count = 0 GOOD_LITERALS(COUNT) BAD_LITERALS(COUNT);

streams_value literal(int number, int64_t bits) {
    int at = 0;
#define MAKE(literal) \
    if (number == at++) return literal;
    GOOD_LITERALS(MAKE)
    BAD_LITERALS(MAKE)
    return streams_null();
}

const char *literal_text(int number) { return literal_texts[number]; }

/* The same, for a program that is printed. */
const char literal_prelude[] =
    "enum { NESTED = 70 };\n"
    "static streams_value nested[NESTED], pair[2];\n"
    "static const char bad_text[] = \"ok\\xff\\xfe\", long_text[] = \"a text that is long: \"\n"
    "    \"................................................................................\";\n"
    "static int64_t int64s[64];\n"
    "static double doubles[64];\n"
    "static void prepare_values(void) {\n"
    "    for (int i = NESTED - 2; i >= 0; i--) nested[i] = streams_list(&nested[i + 1], 1);\n"
    "    pair[0] = streams_int(1), pair[1] = streams_text(\"item\");\n"
    "    for (int i = 0; i < 64; i++) int64s[i] = i, doubles[i] = i / 2.0;\n"
    "}\n";

void prepare_values(void) {
    for (int i = NESTED - 2; i >= 0; i--) nested[i] = streams_list(&nested[i + 1], 1);
    pair[0] = streams_int(1), pair[1] = streams_text("item");
    for (int i = 0; i < 64; i++) int64s[i] = i, doubles[i] = i / 2.0;
}

const char *const texts[] = { "fuzz", "", long_text, "\xc3\xa4", bad_text };
const size_t text_lengths[] = { 4, 0, sizeof long_text - 1, 2, 4 };
const int text_count = 5, good_text_count = 4;
int64_t int64s[64];
double doubles[64];
