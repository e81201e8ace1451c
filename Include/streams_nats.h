/*
 * streams_nats.h - NATS and JetStream as publishers: streams across machines.
 *
 * A library of its own, libstreams_nats.so, on top of streams.h and nats.c. Demand
 * goes over the wire: what a subscriber demands is what is fetched from the server.
 * The program below reads orders, one after another. It can run in any number of
 * processes, which share the orders; each order is acknowledged when it has been
 * handled.
 *
 *     #include <stdio.h>
 *     #include <streams_nats.h>
 *
 *     static uint64_t handle(void *context, const streams_value *value) {
 *         (void)context;
 *         streams_value data;
 *         if (streams_nats_data(value, &data) != STREAMS_OK) return STREAMS_FAIL;
 *         printf("%.*s\n", (int)data.size, (const char *)data.as.bytes);
 *         return 0;
 *     }
 *     int main(void) {
 *         streams_nats_options options = STREAMS_NATS_OPTIONS_INIT;
 *         streams_nats_connection *connection = streams_nats_connect(&options);
 *         if (connection == NULL) return fprintf(stderr, "%s\n", streams_last_message()), 1;
 *         streams_nats_consume_options orders = STREAMS_NATS_CONSUME_OPTIONS_INIT;
 *         orders.stream = "ORDERS";
 *         orders.durable = "workers";
 *         streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
 *         subscriber.on_value = handle;
 *         streams_publisher *p = streams_nats_consume(connection, &orders);
 *         if (p == NULL) return fprintf(stderr, "%s\n", streams_last_message()), 1;
 *         streams_run(p, &subscriber, INT64_MAX);
 *         return streams_nats_release(connection) != STREAMS_OK;
 *     }
 *
 * Compile it with
 *
 *     cc program.c $(pkg-config --cflags --libs streams-nats)
 *
 * The nine rules of streams.h hold here too, with these additions:
 *
 * ERRORS OF CALLS. A failing call of this library leaves its status, its name and a
 * sentence where those of streams.h do: streams_last_message. Where the server or
 * nats.c refuses, the status is STREAMS_NATS_FAILED, and streams_nats_last_code has
 * JetStream's error code (10000 and above) or nats.c's natsStatus. By rule 3, a
 * function that is given a connection or a publisher that is NULL, because making
 * it has failed, keeps the error of that failure.
 *
 * ERRORS OF STREAMS are in the domain "nats", with the same codes.
 *
 * HANDLES. A connection is a token, as the handles of streams.h are, but not one of
 * them: streams_nats_retain and streams_nats_release count its references.
 *
 * THREADS. Messages, confirmations and answers come on the threads of nats.c's
 * delivery pool, four for all streams of the process; those of one stream come one
 * after another. States, and failures because the connection is lost for good, come
 * on nats.c's event thread; failures because it is closed, in that call. Other
 * failures that no message brings, such as timeouts, come on a thread of the
 * connection. So a callback that takes long holds up other streams: put
 * streams_receive_on in between. A callback must not wait for a message, or for the
 * answer of a stream of this library. Functions that ask the server (they say so)
 * wait for its answer, 5 seconds at most, and may be called in callbacks.
 *
 * FORKS. In the child of a fork, calls with a connection of the parent fail with
 * STREAMS_TERMINATED, streams can only be released, and messages only be read and
 * released. nats.c does not work in the child of a process that has used it:
 * streams_nats_connect fails there too.
 *
 * CONTENTS. Each part is a header in the folder streams_nats, and this one includes
 * them all. Each section begins with its title.
 *
 *     errors.h
 *         Errors                      what a call or a stream says when it fails
 *     connections.h
 *         Connections                 to servers; their state
 *     messages.h
 *         Messages                    data, headers, metadata
 *     consumers.h
 *         Consumers                   demand is the fetch; acknowledging
 *     publishing.h
 *         Publishing                  confirmed and not
 *     subjects.h
 *         Subjects and requests       core subjects
 *     managing.h
 *         Streams and consumers of the server
 *     buckets.h
 *         Key-value buckets           keys to watch and to bind
 *     languages.h
 *         Other languages             what bindings need besides
 */

#ifndef STREAMS_NATS_H
#define STREAMS_NATS_H

#include "streams.h"

/* In the order of the contents. */
/* clang-format off */
#include "streams_nats/errors.h"
#include "streams_nats/connections.h"
#include "streams_nats/messages.h"
#include "streams_nats/consumers.h"
#include "streams_nats/publishing.h"
#include "streams_nats/subjects.h"
#include "streams_nats/managing.h"
#include "streams_nats/buckets.h"
#include "streams_nats/languages.h"
/* clang-format on */

#endif /* STREAMS_NATS_H */
