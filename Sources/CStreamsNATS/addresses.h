/*
 * addresses.h - the servers that a connection is given, and what is wrong with those that cannot be reached.
 */

#ifndef STREAMS_NATS_ADDRESSES_H
#define STREAMS_NATS_ADDRESSES_H

#include "common.h"

enum { MOST_ADDRESSES = 64 };

typedef struct address {
    char *given; /* as nats.c has to have it */
    char *host, port[6];
} address;

typedef struct addresses {
    address *list;
    size_t count;
    char *name; /* for sentences: without what logs in */
    streams_nanoseconds patience;
} addresses;

/* Reads a list with commas in between. What is not an address is refused. */
streams_status addresses_read(addresses *out, const char *text, const char *function);
void addresses_free(addresses *self);

/* How long a look at them takes: a fraction of a second, and no more than an attempt. */
void addresses_limit(addresses *self, streams_nanoseconds timeout);

/* Checks whether each server accepts connections, and writes why not; "" if they
 * do. nats.c says only that there is no server. */
void addresses_look(const addresses *self, char *out, size_t capacity);

#endif
