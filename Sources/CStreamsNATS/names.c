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

char *json_text(const char *text) {
    if (text == NULL) return NULL;
    char *out = allocate(strlen(text) * 6 + 1), *end = out;
    for (const char *c = text; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ') {
            end += sprintf(end, "\\u%04x", (unsigned)*c);
        } else {
            if (*c == '"' || *c == '\\') *end++ = '\\';
            *end++ = *c;
        }
    }
    return out;
}
