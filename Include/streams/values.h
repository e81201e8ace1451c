/*
 * streams/values.h - what flows through a stream.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_VALUES_H
#define STREAMS_VALUES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Values
 *
 * What flows through a stream. Three situations, three rules:
 *
 *   - A value you pass in is borrowed. Text, bytes and lists in your own memory
 *     (owner NULL) must stay valid only for the length of the call; the library
 *     copies them.
 *   - A value you are lent, as in a callback, is valid for the length of the
 *     call. To keep it use streams_value_copy, never plain assignment.
 *   - A value that you or a function put into an `out` of type streams_value: see
 *     streams_transform_fn for callbacks; everywhere else it is yours, and you end
 *     it with streams_value_destroy.
 * ======================================================================== */

/* The kinds of values, and the member of `as` that each one uses. */
typedef enum streams_value_kind {
    STREAMS_VALUE_NULL = 0,   /* none */
    STREAMS_VALUE_BOOL = 1,   /* boolean */
    STREAMS_VALUE_INT64 = 2,  /* integer */
    STREAMS_VALUE_DOUBLE = 3, /* real */
    STREAMS_VALUE_STRING = 4, /* text: UTF-8, size bytes, may contain NUL, not terminated by it */
    STREAMS_VALUE_BYTES = 5,  /* bytes: size bytes */
    STREAMS_VALUE_LIST = 6,   /* items: size values */
    STREAMS_VALUE_OBJECT = 7, /* object: a pointer of yours; see "Objects" */
    STREAMS_VALUE_INT64S = 8, /* integers: size integers in a row */
    STREAMS_VALUE_DOUBLES = 9 /* reals: size doubles in a row */
} streams_value_kind;

/*
 * A value: 24 bytes, on the stack or in arrays, freely readable.
 *
 * A zeroed struct is the null value. `size` is the length of a string, of
 * bytes (in bytes), of a list (in values) or of an array (in numbers), and 0 for
 * every other kind. When `size` is 0 the pointer may be NULL.
 *
 * An array of numbers is one value, as a list is. streams_subject_send_numbers and
 * streams_sequence_numbers publish its numbers, each a value of its own; they
 * travel together, without a copy, to functions that take arrays: streams_map_batch
 * and the on_numbers of a subscriber.
 *
 * `owner` belongs to the library. It is NULL for a plain scalar and for memory
 * that is only borrowed; otherwise it names reference-counted storage. Set it
 * to NULL when you fill in a value yourself and never change it otherwise. A
 * list owns its items: an item of an owned list must not be destroyed.
 *
 * Do not change the pointer or the size of a value with an owner. To keep a part of
 * it without a copy, use streams_value_slice; to look at a part, a value without an
 * owner that points into it is enough, such as streams_text_n(value->as.text + 2,
 * 3).
 */
typedef struct streams_value {
    uint32_t kind; /* a streams_value_kind */
    uint32_t size; /* see above */
    /* What the kind says. */
    union {
        bool boolean;
        int64_t integer;
        double real;
        const char *text;
        const uint8_t *bytes;
        const struct streams_value *items;
        const int64_t *integers;
        const double *reals;
        void *object;
        uint64_t bits;
    } as;
    void *owner; /* the library's; see above */
} streams_value;

/* Releases a context: called once, when nothing uses it any more. */
typedef void (*streams_destroy_fn)(void *context);

/*
 * Copies a value so that it may be kept: owned storage gets one more reference,
 * borrowed memory is copied, scalars are scalars. Cheap for owned values of any
 * length. This is also how a callback passes its input on.
 *
 * Ownership: borrows value; *out is overwritten, not destroyed, and is yours.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_INVALID_ARGUMENT if value and out are
 *   the same, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY. *out is then null, except when it is the same as
 *   value, which is left alone.
 */
STREAMS_API streams_status streams_value_copy(const streams_value *value, streams_value *out);

/*
 * Ends a value that is yours and sets it to null, so doing it twice is
 * harmless. On scalars and borrowed memory it only sets to null.
 *
 * Ownership: takes the value's reference.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE for an unknown kind,
 *   which is left alone.
 */
STREAMS_API streams_status streams_value_destroy(streams_value *value);

/*
 * Compares two values. Values of different kinds are different: 1 is not 1.0.
 * Doubles compare as in C, so NaN differs from itself. Strings and bytes
 * compare byte by byte, lists and arrays item by item, objects as their type
 * says.
 *
 * Ownership: borrows both.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_OUT_OF_MEMORY, STREAMS_LIMIT; STREAMS_CALLBACK_FAILED if an object
 *   of a managed runtime raises an error. *equal is then false.
 */
STREAMS_API streams_status streams_value_equal(
    const streams_value *a, const streams_value *b, bool *equal);

/*
 * Computes a value's hash, for a hash table. Values that streams_value_equal calls
 * equal have the same hash, 0.0 and -0.0 for instance. It depends on what a value
 * contains, not on its address, and differs each time that the program runs. Of a
 * list, only the first thousand items count, including those of nested lists.
 * Objects of a streams_object_type that can be compared all have the same hash.
 *
 * Ownership: borrows value.
 * Errors: as streams_value_equal. *hash is then 0.
 */
STREAMS_API streams_status streams_value_hash(const streams_value *value, uint64_t *hash);

/*
 * Puts two values into an order, for sorting: *order is -1 if a comes first, 1 if
 * b does, and 0 if neither.
 *
 *   - The kinds come in the order null, bool, numbers, strings, bytes, lists,
 *     arrays of integers, arrays of doubles, objects.
 *   - false comes before true. Numbers are ordered by their exact numeric value,
 *     integers and doubles together; of two that are equal the integer comes first.
 *     NaN comes after all other numbers.
 *   - Strings and bytes compare byte by byte, lists and arrays item by item; a
 *     prefix of the other one comes first.
 *   - Objects of a managed runtime are compared by it. Other objects have no
 *     order, unless they are equal.
 *
 * *order is 0 only if streams_value_equal says true, or for two NaNs.
 *
 * Ownership: borrows both.
 * Errors: STREAMS_INVALID_VALUE for two objects that have no order; further as
 *   streams_value_equal. *order is then 0.
 */
STREAMS_API streams_status streams_value_compare(
    const streams_value *a, const streams_value *b, int *order);

/*
 * Writes a value as text, the way streams_print shows it: null, true, 42, 1.5 (a double
 * always shows as one, 2.0, and reads back exactly), text as it is, "3 bytes", [1, 2.0,
 * "text in a list is quoted"], an array as a list, an object as its type says. After
 * 10,000 items, including those of nested lists, a list ends with "…".
 *
 * Follows snprintf: at most capacity bytes are written, the last of them NUL
 * unless capacity is 0, never half a character, and *needed is the full length
 * without NUL. So *needed >= capacity means that the text was cut short. Pass
 * NULL and 0 to measure. needed may be NULL if buffer is not.
 *
 * Ownership: borrows everything.
 * Errors: STREAMS_NULL_ARGUMENT (value; buffer with a capacity; or buffer and
 *   needed both), STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8, STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY.
 */
STREAMS_API streams_status streams_value_describe(
    const streams_value *value, char *buffer, size_t capacity, size_t *needed);

/*
 * Makes a string that owns a copy of text.
 *
 * Ownership: borrows text, which may be NULL if length is 0; *out is
 *   overwritten and yours.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_RANGE,
 *   STREAMS_OUT_OF_MEMORY. *out is then null.
 */
STREAMS_API streams_status streams_value_string(
    const char *text, size_t length, streams_value *out);

/*
 * Makes bytes that own a copy of the memory given.
 *
 * Ownership: borrows bytes, which may be NULL if length is 0; *out is
 *   overwritten and yours.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_OUT_OF_RANGE, STREAMS_OUT_OF_MEMORY.
 *   *out is then null.
 */
STREAMS_API streams_status streams_value_bytes(
    const void *bytes, size_t length, streams_value *out);

/*
 * Makes a string from memory of yours, without a copy. Do not change the memory until
 * destroy, which is called once, with context, when the last reference to the value
 * and to its slices is gone:
 *
 *     streams_value_string_nocopy(text, length, text, free, &value);
 *
 * Ownership: takes context, also if the call fails; borrows text until destroy
 *   is called. text may be NULL if length is 0. *out is overwritten and yours.
 * Threads: any. destroy is called on the thread that releases last.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_INVALID_UTF8, STREAMS_OUT_OF_RANGE.
 *   *out is then null.
 */
STREAMS_API streams_status streams_value_string_nocopy(const char *text, size_t length,
    void *context, streams_destroy_fn destroy, streams_value *out);

/*
 * Makes bytes from memory of yours, without a copy, as streams_value_string_nocopy
 * does.
 *
 * Ownership: takes context, also if the call fails; borrows bytes until destroy
 *   is called. bytes may be NULL if length is 0. *out is overwritten and yours.
 * Threads: any. destroy is called on the thread that releases last.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_OUT_OF_RANGE. *out is then null.
 */
STREAMS_API streams_status streams_value_bytes_nocopy(const void *bytes, size_t length,
    void *context, streams_destroy_fn destroy, streams_value *out);

/*
 * Makes an array of integers from memory of yours, without a copy, as
 * streams_value_string_nocopy does. A function that reads the array reads that
 * memory: changing it changes what is published.
 *
 * Ownership: takes context, also if the call fails; borrows integers until
 *   destroy is called. integers may be NULL if count is 0. *out is overwritten
 *   and yours.
 * Threads: any. destroy is called on the thread that releases last.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_OUT_OF_RANGE; STREAMS_INVALID_ARGUMENT
 *   if integers is not a multiple of 8. *out is then null.
 */
STREAMS_API streams_status streams_value_int64s_nocopy(const int64_t *integers, size_t count,
    void *context, streams_destroy_fn destroy, streams_value *out);

/*
 * Makes an array of doubles from memory of yours; otherwise as
 * streams_value_int64s_nocopy.
 *
 * Ownership: takes context, also if the call fails; borrows reals until destroy
 *   is called. reals may be NULL if count is 0. *out is overwritten and yours.
 * Threads: any. destroy is called on the thread that releases last.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_OUT_OF_RANGE; STREAMS_INVALID_ARGUMENT
 *   if reals is not a multiple of 8. *out is then null.
 */
STREAMS_API streams_status streams_value_doubles_nocopy(const double *reals, size_t count,
    void *context, streams_destroy_fn destroy, streams_value *out);

/*
 * Makes a part of a string, of bytes, of a list or of an array: length bytes, items or
 * numbers, from offset on. A value with an owner shares its storage with the part;
 * without an owner, the part is copied.
 *
 * Ownership: borrows value; *out is overwritten and yours.
 * Errors: STREAMS_NULL_ARGUMENT; STREAMS_INVALID_ARGUMENT if the value is not
 *   that long, or value and out are the same; STREAMS_INVALID_VALUE for other
 *   kinds; STREAMS_INVALID_UTF8 if an end is within a character; STREAMS_LIMIT,
 *   STREAMS_OUT_OF_MEMORY. *out is then null, except when it is the same as
 *   value, which is left alone.
 */
STREAMS_API streams_status streams_value_slice(
    const streams_value *value, size_t offset, size_t length, streams_value *out);

/*
 * Makes a copy of a string that ends with a NUL, which its size does not count,
 * for functions that take text of that kind.
 *
 * Ownership: borrows value; *out is overwritten and yours.
 * Errors: STREAMS_NULL_ARGUMENT; STREAMS_INVALID_VALUE if it is not a string, or
 *   contains a NUL; STREAMS_INVALID_ARGUMENT if value and out are the same;
 *   STREAMS_INVALID_UTF8, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY. *out is then
 *   null, except when it is the same as value, which is left alone.
 */
STREAMS_API streams_status streams_value_c_string(const streams_value *value, streams_value *out);

/*
 * Makes a list that owns copies of the values given.
 *
 * Ownership: borrows values, which may be NULL if count is 0; *out is
 *   overwritten and yours.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE, STREAMS_INVALID_UTF8,
 *   STREAMS_OUT_OF_RANGE, STREAMS_LIMIT, STREAMS_OUT_OF_MEMORY. *out is then
 *   null.
 */
STREAMS_API streams_status streams_value_list(
    const streams_value *values, size_t count, streams_value *out);


/* ========================================================================
 * Objects: pointers of your own as values
 * ======================================================================== */

/*
 * What the library needs to know about a pointer of yours in order to carry
 * it. The struct must outlive all values made with it; make it static const.
 * Every function may be NULL and may be called from any thread.
 */
typedef struct streams_object_type {
    size_t size; /* sizeof(streams_object_type) */
    /* Adds a reference. NULL: objects are not counted. */
    void (*retain)(void *object);
    /* Removes a reference. NULL: objects are not counted. */
    void (*release)(void *object);
    /* Compares two objects of this type. NULL: equal pointers are equal. */
    bool (*equals)(void *a, void *b);
    /* Writes UTF-8 into buffer as snprintf does and returns the full length
     * without NUL. NULL: the description is "object". */
    size_t (*describe)(void *object, char *buffer, size_t capacity);
} streams_object_type;

/* A type of objects without functions, to begin with. */
#define STREAMS_OBJECT_TYPE_INIT \
    { sizeof(streams_object_type), NULL, NULL, NULL, NULL }

/*
 * Makes a value that holds an object. It calls retain once; release follows
 * once when the last copy of the value is gone, on whichever thread that is.
 * Objects of different types are never equal. An object filled into a
 * streams_value by hand, without an owner, is STREAMS_INVALID_VALUE.
 *
 * Ownership: borrows type for as long as the value lives; your own reference
 *   to the object stays yours; object may be NULL; *out is overwritten and
 *   yours.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_INVALID_SIZE.
 *   *out is then null.
 */
STREAMS_API streams_status streams_value_object(
    const streams_object_type *type, void *object, streams_value *out);

/*
 * The type with which a value was made by streams_value_object: whether it is one of
 * yours, before you read value->as.object. NULL if value is NULL or anything else,
 * also an object of a managed runtime.
 *
 *     if (streams_value_object_type(value) == &point_type) use(value->as.object);
 *
 * Ownership: borrows value; the type is yours as it was.
 * Errors: none; leaves the last error alone.
 */
STREAMS_API const streams_object_type *streams_value_object_type(const streams_value *value);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_VALUES_H */
