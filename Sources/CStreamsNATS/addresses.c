/* addresses.c - the servers that a connection is given, and why some of them cannot be reached. */

#include "addresses.h"

#include <ctype.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- Reading ------------------------------------------------------------------------------------------ */

static const char *after_scheme(const char *given) {
    const char *scheme = strstr(given, "://");
    return scheme != NULL ? scheme + 3 : given;
}

/* What follows the scheme, and the user with the password. */
static const char *place_of(const char *given) {
    const char *start = after_scheme(given), *login = strrchr(start, '@');
    return login != NULL ? login + 1 : start;
}

static bool is_host(const char *host, size_t length, bool numeric) {
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)host[i];
        bool fits = numeric ? isxdigit(c) || c == ':' || c == '.'
                            : isalnum(c) || strchr("-._", c) != NULL || c > 0x7F;
        if (!fits) return false;
    }
    return !numeric || length > 1;
}

/* Takes ":port", and a path after it, which servers do not use. Without a port it is that of NATS. */
static bool read_port(const char *text, char *out, size_t capacity) {
    size_t length = text[0] == ':' ? strspn(text + 1, "0123456789") : 0;
    long port = length > 0 && length < capacity ? strtol(text + 1, NULL, 10) : 0;
    (void)snprintf(out, capacity, "%s", "4222");
    if (text[0] == '\0') return true;
    (void)snprintf(out, capacity, "%ld", port);
    return port > 0 && port <= 65535 && (text[length + 1] == '\0' || text[length + 1] == '/');
}

/* To nats.c an empty host means localhost, if there is a port. */
static bool read_address(address *out, const char *given) {
    const char *place = place_of(given), *host = place[0] == '[' ? place + 1 : place;
    bool numeric = host != place;
    size_t length = strcspn(host, numeric ? "]" : ":");
    const char *rest = host + length;
    if ((numeric && *rest++ != ']') || !is_host(host, length, numeric) || place[0] == '\0') return false;
    out->host = length > 0 ? make_text("%.*s", (int)length, host) : copy_text("localhost");
    return read_port(rest, out->port, sizeof out->port);
}

/* Decodes percent signs. False if one is not followed by two hexadecimal digits, or means NUL. */
static bool decode(char *text) {
    char *out = text;
    for (const char *c = text; *c != '\0'; c++) {
        unsigned byte = (unsigned char)*c;
        if (*c == '%') {
            if (!isxdigit((unsigned char)c[1]) || sscanf(c + 1, "%2x", &byte) != 1) return false;
            if (!isxdigit((unsigned char)c[2]) || byte == 0) return false;
            c += 2;
        }
        *out++ = (char)byte;
    }
    *out = '\0';
    return true;
}

/* nats.c puts the credentials into JSON without escaping them, decoded or, in version 3.4.1, not. So
 * they are escaped here for JSON, without characters that have a meaning in an address. NULL if they
 * cannot be decoded. */
static char *login_word(const char *text, size_t length) {
    char *word = make_text("%.*s", (int)length, text);
    char *out = decode(word) ? json_text_without(word, " %:@,/") : NULL;
    free(word);
    return out;
}

static bool read_login(address *out) {
    const char *login = after_scheme(out->given), *place = place_of(out->given);
    if (place == login) return true;
    size_t length = (size_t)(place - login) - 1;
    const char *colon = memchr(login, ':', length);
    size_t first = colon != NULL ? (size_t)(colon - login) : length;
    size_t rest = colon != NULL ? first + 1 : length;
    char *user = login_word(login, first), *password = login_word(login + rest, length - rest);
    bool fits = user != NULL && password != NULL;
    if (fits) {
        char *given = make_text("%.*s%s%s%s@%s", (int)(login - out->given), out->given, user,
            password[0] != '\0' ? ":" : "", password, place);
        free(out->given);
        out->given = given;
    }
    free(user);
    free(password);
    return fits;
}

static char *trimmed(const char *text, size_t length) {
    while (length > 0 && *text == ' ') text++, length--;
    while (length > 0 && text[length - 1] == ' ') length--;
    return make_text("%.*s", (int)length, text);
}

static void add_name(addresses *self, const address *each) {
    int scheme = (int)(after_scheme(each->given) - each->given);
    char *name = make_text("%s%s%.*s%s", self->name != NULL ? self->name : "", self->name != NULL ? "," : "",
        scheme, each->given, place_of(each->given));
    free(self->name);
    self->name = name;
}

streams_status addresses_read(addresses *out, const char *text, const char *function) {
    streams_status status = STREAMS_OK;
    *out = (addresses){ .list = allocate(MOST_ADDRESSES * sizeof *out->list) };
    while (*text != '\0' && out->count < MOST_ADDRESSES && status == STREAMS_OK) {
        size_t length = strcspn(text, ",");
        address *each = &out->list[out->count];
        each->given = trimmed(text, length);
        text += length + (text[length] == ',');
        if (each->given[0] == '\0') {
            free(each->given);
            continue;
        }
        out->count++;
        if (!read_address(each, each->given))
            status = call_failed(STREAMS_INVALID_ARGUMENT, function,
                "\"%s\" is not an address of a server, as nats://127.0.0.1:4222 is", place_of(each->given));
        else if (!read_login(each))
            status = call_failed(STREAMS_INVALID_ARGUMENT, function,
                "in the user or the password for \"%s\" a %% is not followed by the two digits of a "
                "character, as in %%25",
                place_of(each->given));
        else
            add_name(out, each);
    }
    if (out->count == 0)
        status = call_failed(STREAMS_INVALID_ARGUMENT, function, "servers has no address of a server");
    if (status != STREAMS_OK) addresses_free(out);
    return status;
}

void addresses_free(addresses *self) {
    for (size_t i = 0; i < self->count; i++) {
        free(self->list[i].given);
        free(self->list[i].host);
    }
    free(self->list);
    free(self->name);
    *self = (addresses){ 0 };
}

/* ---- Looking ------------------------------------------------------------------------------------------ */

void addresses_limit(addresses *self, streams_nanoseconds timeout) {
    self->patience = 250 * STREAMS_MILLISECOND;
    if (timeout > 0 && timeout < self->patience) self->patience = timeout;
}

/* Whether something accepts a connection within so many milliseconds: 0, or errno. */
static int try_place(const struct addrinfo *place, int patience) {
    int error = 0;
    socklen_t length = sizeof error;
    int descriptor = socket(place->ai_family, place->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return errno;
    if (connect(descriptor, place->ai_addr, place->ai_addrlen) != 0) error = errno;
    if (error == EINPROGRESS) {
        struct pollfd ready = { .fd = descriptor, .events = POLLOUT };
        if (poll(&ready, 1, patience) <= 0)
            error = ETIMEDOUT;
        else if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) != 0)
            error = errno;
    }
    close(descriptor);
    return error;
}

/* Why a server accepts no connection, or NULL. Its addresses share the time. */
static const char *look(const address *self, int patience) {
    static _Thread_local char silence[40];
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *found = NULL;
    int error = getaddrinfo(self->host, self->port, &hints, &found);
    if (error != 0) return gai_strerror(error);
    int places = 0;
    for (struct addrinfo *each = found; each != NULL; each = each->ai_next) places++;
    patience = patience > places ? patience / places : 1;
    for (struct addrinfo *each = found; each != NULL; each = each->ai_next) {
        /* Of several addresses, the first is the one that the program means: its reason counts. */
        int reason = try_place(each, patience);
        if (reason == 0 || error == 0) error = reason;
        if (reason == 0) break;
    }
    freeaddrinfo(found);
    if (error != ETIMEDOUT) return error != 0 ? strerror(error) : NULL;
    (void)snprintf(silence, sizeof silence, "no answer within %d ms", patience);
    return silence;
}

void addresses_look(const addresses *self, char *out, size_t capacity) {
    size_t length = 0;
    int patience = (int)(self->patience / STREAMS_MILLISECOND) / (int)self->count;
    out[0] = '\0';
    for (size_t i = 0; i < self->count && length < capacity; i++) {
        const address *each = &self->list[i];
        bool numeric = strchr(each->host, ':') != NULL;
        const char *reason = look(each, patience);
        if (reason == NULL) continue;
        int written = snprintf(out + length, capacity - length, "%s%s%s%s:%s: %s", length > 0 ? ", " : "",
            numeric ? "[" : "", each->host, numeric ? "]" : "", each->port, reason);
        length += written > 0 ? (size_t)written : 0;
    }
}
