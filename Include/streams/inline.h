/*
 * streams/inline.h - values on the stack.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_INLINE_H
#define STREAMS_INLINE_H

#include "base.h"
#include "callbacks.h"
#include "errors.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Inline helpers
 *
 * Values on the stack, made of nothing but the struct itself: they borrow what
 * they point to and need no streams_value_destroy.
 * ======================================================================== */

#ifndef STREAMS_NO_INLINE

/* The null value. */
static inline streams_value streams_null(void) {
    streams_value value;
    value.kind = STREAMS_VALUE_NULL;
    value.size = 0;
    value.as.bits = 0;
    value.owner = NULL;
    return value;
}

/* A bool. */
static inline streams_value streams_bool(bool boolean) {
    streams_value value = streams_null();
    value.kind = STREAMS_VALUE_BOOL;
    value.as.boolean = boolean;
    return value;
}

/* An integer. */
static inline streams_value streams_int(int64_t integer) {
    streams_value value = streams_null();
    value.kind = STREAMS_VALUE_INT64;
    value.as.integer = integer;
    return value;
}

/* A double. */
static inline streams_value streams_double(double real) {
    streams_value value = streams_null();
    value.kind = STREAMS_VALUE_DOUBLE;
    value.as.real = real;
    return value;
}

/* Text, bytes and lists in your own memory. A length that does not fit gives a
 * value of no valid kind, which every function refuses. */
static inline streams_value streams_sized_(uint32_t kind, size_t size) {
    streams_value value = streams_null();
    value.kind = size <= UINT32_MAX ? kind : UINT32_MAX;
    value.size = size <= UINT32_MAX ? size & UINT32_MAX : 0;
    return value;
}

/* A string of length bytes of UTF-8. */
static inline streams_value streams_text_n(const char *text, size_t length) {
    streams_value value = streams_sized_(STREAMS_VALUE_STRING, length);
    value.as.text = text;
    return value;
}

/* A string that ends at its first NUL; the null value if text is NULL. */
static inline streams_value streams_text(const char *text) {
    size_t length = 0;
    if (text == NULL) return streams_null();
    while (text[length] != '\0') length++;
    return streams_text_n(text, length);
}

/* Bytes. */
static inline streams_value streams_bytes(const void *bytes, size_t length) {
    streams_value value = streams_sized_(STREAMS_VALUE_BYTES, length);
#ifdef __cplusplus
    value.as.bytes = static_cast<const uint8_t *>(bytes);
#else
    value.as.bytes = bytes;
#endif
    return value;
}

/* A list. */
static inline streams_value streams_list(const streams_value *items, size_t count) {
    streams_value value = streams_sized_(STREAMS_VALUE_LIST, count);
    value.as.items = items;
    return value;
}

/* An array of integers. */
static inline streams_value streams_int64s(const int64_t *integers, size_t count) {
    streams_value value = streams_sized_(STREAMS_VALUE_INT64S, count);
    value.as.integers = integers;
    return value;
}

/* An array of doubles. */
static inline streams_value streams_doubles(const double *reals, size_t count) {
    streams_value value = streams_sized_(STREAMS_VALUE_DOUBLES, count);
    value.as.reals = reals;
    return value;
}

/* Makes an error and names it: return streams_callback_fail_with(...) ends a
 * callback. Errors: as streams_error_create, and never STREAMS_OK. */
static inline streams_status streams_callback_fail_with(
    int64_t code, const char *domain, const char *message) {
    streams_error *error = streams_error_create(code, domain, message, NULL);
    streams_status status =
        error != NULL ? streams_callback_fail(error) : streams_last_status();
    if (error != NULL) (void)streams_release(error);
    return status;
}

#if UINTPTR_MAX == UINT64_MAX
#ifdef __cplusplus
static_assert(sizeof(streams_value) == 24, "a value is 24 bytes");
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(streams_value) == 24, "a value is 24 bytes");
#endif
#endif

#endif /* STREAMS_NO_INLINE */

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_INLINE_H */
