/* names.c - what a program may call things. nats.c writes names into lines of the protocol and into JSON as
 * they are, so a space, an end of a line or a quote would make other words of them. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

static bool is_plain(const char *text, const char *refused) {
    for (const char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c <= ' ' || *c == 0x7F || strchr(refused, *c) != NULL) return false;
    return text[0] != '\0';
}

bool is_subject(const char *text) { return is_plain(text, "*>"); }

bool is_filter(const char *text) { return is_plain(text, ""); }

bool is_stream_filter(const char *text) { return is_plain(text, "\"\\"); }

bool is_name(const char *text) { return is_plain(text, ".*>\"\\"); }

bool is_header_name(const char *text) { return is_plain(text, ":"); }

bool is_bucket(const char *name) {
    return name[0] != '\0' &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] == '\0';
}

static bool is_key(const char *key, bool wildcards) {
    const char *allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-/_=.*>";
    size_t length = strlen(key);
    if (length == 0 || key[0] == '.' || key[length - 1] == '.' || key[strspn(key, allowed)] != '\0')
        return false;
    return wildcards || strpbrk(key, "*>") == NULL;
}

streams_status check_key(const char *bucket, const char *key, bool wildcards, const char *function) {
    if (is_bucket(bucket) && is_key(key, wildcards)) return STREAMS_OK;
    return call_failed(STREAMS_INVALID_ARGUMENT, function, "\"%s\" is not a valid name of a %s",
        is_bucket(bucket) ? key : bucket, is_bucket(bucket) ? "key" : "bucket");
}

char *json_text(const char *text) { return json_text_without(text, ""); }

char *json_text_without(const char *text, const char *signs) {
    if (text == NULL) return NULL;
    char *out = allocate(strlen(text) * 6 + 1), *end = out;
    for (const char *c = text; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || strchr(signs, *c) != NULL) {
            end += sprintf(end, "\\u%04x", (unsigned)*c);
        } else {
            if (*c == '"' || *c == '\\') *end++ = '\\';
            *end++ = *c;
        }
    }
    return out;
}
