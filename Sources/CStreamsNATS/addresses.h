/*
 * addresses.h - the servers that a connection is given, and what is wrong with those that cannot be reached.
 */

#ifndef STREAMS_NATS_ADDRESSES_H
#define STREAMS_NATS_ADDRESSES_H

#include "common.h"

enum { MOST_ADDRESSES = 64 };

typedef struct address {
    char *given; /* as the program has it */
    char *host, port[6];
} address;

typedef struct addresses {
    address *list;
    size_t count;
    char *name; /* for sentences: without what logs in */
} addresses;

/* Reads a list with commas in between. What is no address is refused. */
streams_status addresses_read(addresses *out, const char *text, const char *function);
void addresses_free(addresses *self);

/* Looks at each server whether it takes connections, for a fraction of a second in all, and writes why not;
 * "" if they do. nats.c says only that there is none. */
void addresses_look(const addresses *self, char *out, size_t capacity);

#endif
