/*
 * options.h - what nats.c needs to know in order to connect.
 */

#ifndef STREAMS_NATS_OPTIONS_H
#define STREAMS_NATS_OPTIONS_H

#include "common.h"

natsStatus options_fill(natsOptions *out, const streams_nats_options *options);

#endif
