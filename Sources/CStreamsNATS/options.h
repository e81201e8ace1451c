/*
 * options.h - what nats.c needs to know in order to connect.
 */

#ifndef STREAMS_NATS_OPTIONS_H
#define STREAMS_NATS_OPTIONS_H

#include "addresses.h"

/* Options of which one makes no sense without another are refused. */
streams_status options_check(const streams_nats_options *options, const char *function);

natsStatus options_fill(
    natsOptions *out, const streams_nats_options *options, const addresses *servers);

/* For an attempt after which nats.c goes on trying by itself. */
natsStatus options_keep_trying(
    natsOptions *out, const addresses *servers, natsConnectionHandler connected, void *closure);

#endif
