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

#endif
