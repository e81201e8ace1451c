/* host.c - a server for one test, with a stream, and its consumer. */

#include "host.h"

streams_publisher *consume(streams_nats_connection *connection, uint64_t most) {
    streams_nats_consume_options options = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    options.stream = "S";
    options.durable = "d";
    options.most = most;
    return streams_nats_consume(connection, &options);
}

void prepare(server *self, streams_nats_connection **connection) {
    server_prepare(self);
    server_start(self, NULL);
    *connection = connect_to(self);
    make_stream(*connection, "S", "s.>");
}

void finish(server *self, streams_nats_connection *connection) {
    assert_ok(streams_nats_release(connection));
    server_remove(self);
}
