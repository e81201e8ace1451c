/*
 * host.h - a server for one test, with a stream, and its consumer.
 */

#ifndef STREAMS_NATS_TEST_HOST_H
#define STREAMS_NATS_TEST_HOST_H

#include "server.h"

/* Starts a server, connects, and makes the stream S of the subjects s.>; and the end of both. */
void prepare(server *self, streams_nats_connection **connection);
void finish(server *self, streams_nats_connection *connection);

/* The messages of the durable consumer d of S; most may be 0. */
streams_publisher *consume(streams_nats_connection *connection, uint64_t most);

#endif
