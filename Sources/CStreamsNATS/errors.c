/* errors.c - why calls and streams fail. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

enum { MESSAGE = 768 };

/* What nats.c or the server said of the last failure of this thread, as a number. */
static _Thread_local int64_t last_code;

__attribute__((format(printf, 4, 0))) static streams_status note(
    streams_status status, int64_t code, const char *function, const char *format, va_list arguments) {
    char text[MESSAGE];
    (void)vsnprintf(text, sizeof text, format, arguments);
    last_code = code;
    return streams_set_last_error(status, function, text);
}

streams_status call_failed(streams_status status, const char *function, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)note(status, 0, function, format, arguments);
    va_end(arguments);
    return status;
}

static streams_status status_of(natsStatus status) {
    switch (status) {
    case NATS_OK: return STREAMS_OK;
    case NATS_TIMEOUT: return STREAMS_TIMED_OUT;
    case NATS_CONNECTION_CLOSED: return STREAMS_TERMINATED;
    case NATS_INVALID_ARG:
    case NATS_INVALID_SUBJECT:
    case NATS_ADDRESS_MISSING:
    case NATS_INVALID_QUEUE_NAME: return STREAMS_INVALID_ARGUMENT;
    case NATS_NO_MEMORY: return STREAMS_OUT_OF_MEMORY;
    default: return STREAMS_NATS_FAILED;
    }
}

streams_status nats_failed(natsStatus status, int code, const char *function, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    streams_status result = code == 0 ? status_of(status) : STREAMS_NATS_FAILED;
    (void)note(result, code != 0 ? code : (int64_t)status, function, format, arguments);
    va_end(arguments);
    return result;
}

streams_status passed_on(streams_status status, const char *function) {
    return status == STREAMS_OK ? status : call_failed(status, function, "%s", streams_last_message());
}

bool keeps_error(const streams_nats_connection *handle) {
    return handle == NULL && strcmp(streams_last_function(), "streams_nats_connect") == 0;
}

bool keeps_publisher_error(const streams_publisher *publisher) {
    return publisher == NULL && streams_last_status() != STREAMS_OK;
}

void *made_by(void *made, const char *function) {
    if (made == NULL) (void)passed_on(streams_last_status(), function);
    return made;
}

streams_publisher *step_made(
    streams_publisher *made, const streams_publisher *publisher, const char *function) {
    bool is_kept = publisher == NULL && streams_last_status() != STREAMS_NULL_HANDLE;
    return is_kept ? made : made_by(made, function);
}

const char *nats_words(natsStatus status) {
    natsStatus said = NATS_OK;
    const char *words = nats_GetLastError(&said);
    return said == status && words != NULL && words[0] != '\0' ? plain_words(words)
                                                               : natsStatus_GetText(status);
}

/* The length of a place in nats.c's source, as "(conn.c:1905): ", or 0. */
static size_t mark_length(const char *text) {
    size_t name = text[0] == '(' ? strcspn(text, ":) ") : 0;
    if (name < 4 || strncmp(text + name - 2, ".c:", 3) != 0) return 0;
    size_t end = name + 1 + strspn(text + name + 1, "0123456789");
    if (text[end] != ')') return 0;
    return end + 1 + strspn(text + end + 1, ": ");
}

const char *plain_words(const char *said) {
    static _Thread_local char words[WORDS];
    size_t length = 0;
    while (*said != '\0' && length + 1 < sizeof words) {
        size_t mark = mark_length(said);
        said += mark;
        if (mark == 0) words[length++] = *said++;
    }
    words[length] = '\0';
    return words;
}

streams_error *stream_error(int64_t code, const char *format, ...) {
    char text[MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    streams_error *error = streams_error_create(code, STREAMS_NATS_DOMAIN, text, NULL);
    /* The server's words may not be UTF-8. */
    if (error == NULL && streams_last_status() == STREAMS_INVALID_UTF8) {
        for (char *c = text; *c != '\0'; c++)
            if ((unsigned char)*c >= 0x80) *c = '?';
        error = streams_error_create(code, STREAMS_NATS_DOMAIN, text, NULL);
    }
    return error;
}

int64_t streams_nats_last_code(void) { return last_code; }

/* ---- Memory ------------------------------------------------------------------------------------------- */

static void *given(void *memory) {
    if (memory == NULL) abort();
    return memory;
}

void *allocate(size_t size) { return given(calloc(1, size)); }

char *copy_text(const char *text) { return text != NULL ? given(strdup(text)) : NULL; }

char *make_text(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = allocate((size_t)(length > 0 ? length : 0) + 1);
    (void)vsnprintf(text, (size_t)(length > 0 ? length : 0) + 1, format, again);
    va_end(again);
    return text;
}

streams_status check_size(size_t size, size_t known, const char *function, const char *what) {
    if (size == known) return STREAMS_OK;
    return call_failed(STREAMS_INVALID_SIZE, function,
        "the size of %s is %zu, but %zu is the one that this version knows", what, size, known);
}

streams_status check_not_negative(const field *fields, const char *function) {
    while (fields->name != NULL && fields->value >= 0) fields++;
    if (fields->name == NULL) return STREAMS_OK;
    return call_failed(STREAMS_INVALID_ARGUMENT, function, "%s is negative: %lld", fields->name,
        (long long)fields->value);
}
