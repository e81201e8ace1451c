/* What is asked for is what the server owes: a server of the test's own says how it answers requests. */

#include "server.h"

#include <nats/nats.h>

enum { WINDOW = 100,
    MOST_REQUESTS = 1000 };

/* A consumer that serves its standing requests in turn, as nats-server does. */
typedef struct fake {
    server host; /* without JetStream */
    natsConnection *nats;
    natsSubscription *infos, *pulls;
    char replies[MOST_REQUESTS][128];
    int left[MOST_REQUESTS];
    int count, turn;
    int owed; /* what is left of all */
    int sent;
} fake;

static void begin_fake(fake *self) {
    memset(self, 0, sizeof *self);
    server_prepare(&self->host);
    self->host.bare = true;
    server_start(&self->host, NULL);
    assert_int_equal(natsConnection_ConnectTo(&self->nats, self->host.url), NATS_OK);
    assert_int_equal(
        natsConnection_SubscribeSync(&self->infos, self->nats, "$JS.API.CONSUMER.INFO.S.d"), NATS_OK);
    assert_int_equal(
        natsConnection_SubscribeSync(&self->pulls, self->nats, "$JS.API.CONSUMER.MSG.NEXT.S.d"), NATS_OK);
    assert_int_equal(natsConnection_Flush(self->nats), NATS_OK);
}

static void end_fake(fake *self) {
    natsSubscription_Destroy(self->infos);
    natsSubscription_Destroy(self->pulls);
    natsConnection_Destroy(self->nats);
    server_remove(&self->host);
}

static void answer_info(fake *self) {
    natsMsg *question = NULL;
    assert_int_equal(natsSubscription_NextMsg(&question, self->infos, 60000), NATS_OK);
    const char *answer = "{\"type\":\"io.nats.jetstream.api.v1.consumer_info_response\","
                         "\"stream_name\":\"S\",\"name\":\"d\",\"config\":{\"durable_name\":\"d\","
                         "\"deliver_policy\":\"all\","
                         "\"ack_policy\":\"none\",\"replay_policy\":\"instant\"},\"num_pending\":1}";
    assert_int_equal(
        natsConnection_PublishString(self->nats, natsMsg_GetReply(question), answer), NATS_OK);
    natsMsg_Destroy(question);
}

/* Waits for the next request; returns how many messages it wants. */
static int take_request(fake *self) {
    natsMsg *request = NULL;
    assert_true(self->count < MOST_REQUESTS);
    if (natsSubscription_NextMsg(&request, self->pulls, 20000) != NATS_OK)
        fail_msg("no request came though only %d are owed", self->owed);
    const char *batch = strstr(natsMsg_GetData(request), "\"batch\":");
    assert_non_null(batch);
    int wanted = atoi(batch + strlen("\"batch\":"));
    (void)snprintf(self->replies[self->count], 128, "%s", natsMsg_GetReply(request));
    natsMsg_Destroy(request);
    self->left[self->count++] = wanted;
    self->owed += wanted;
    return wanted;
}

/* Sends a message for the request whose turn it is. (A server takes no replies like JetStream's.) */
static void serve(fake *self) {
    char text[16];
    do self->turn = (self->turn + 1) % self->count;
    while (self->left[self->turn] == 0);
    (void)snprintf(text, sizeof text, "%d", self->sent++);
    assert_int_equal(
        natsConnection_PublishRequestString(self->nats, self->replies[self->turn], "ack", text), NATS_OK);
    self->left[self->turn]--;
    self->owed--;
}

static void serve_many(fake *self, int count) {
    while (count-- > 0) serve(self);
}

/* The time of a request is over. */
static void expire(fake *self, int number) {
    char left[16];
    natsMsg *status = NULL;
    (void)snprintf(left, sizeof left, "%d", self->left[number]);
    assert_int_equal(natsMsg_Create(&status, self->replies[number], NULL, NULL, 0), NATS_OK);
    assert_int_equal(natsMsgHeader_Set(status, "Status", "408"), NATS_OK);
    assert_int_equal(natsMsgHeader_Set(status, "Description", "Request Timeout"), NATS_OK);
    assert_int_equal(natsMsgHeader_Set(status, "Nats-Pending-Messages", left), NATS_OK);
    assert_int_equal(natsConnection_PublishMsg(self->nats, status), NATS_OK);
    natsMsg_Destroy(status);
    self->owed -= self->left[number];
    self->left[number] = 0;
}

static collector *consume(streams_nats_connection *connection) {
    streams_nats_consume_options options = STREAMS_NATS_CONSUME_OPTIONS_INIT;
    options.stream = "S";
    options.durable = "d";
    options.most = WINDOW;
    options.acknowledgement = STREAMS_NATS_ACKNOWLEDGE_NONE;
    return collect(streams_nats_consume(connection, &options), STREAMS_UNLIMITED, 0);
}

static void run_with_fake(void (*script)(fake *self)) {
    fake *self = calloc(1, sizeof *self);
    begin_fake(self);
    streams_nats_connection *connection = connect_to(&self->host);
    collector *c = consume(connection);
    answer_info(self);
    assert_int_equal(take_request(self), WINDOW);
    script(self);
    assert_int_equal(natsConnection_Flush(self->nats), NATS_OK);
    wait_until(c->count == self->sent);
    collector_end(c);
    assert_ok(streams_nats_release(connection));
    end_fake(self);
    free(self);
}

/* Of 20 messages 10 belong to each request, but the oldest is counted first: of it 30 seem to be left. */
static void end_one_of_two(fake *self) {
    serve_many(self, 50);
    assert_int_equal(take_request(self), 50);
    serve_many(self, 20);
    assert_int_equal(self->left[0], 40);
    expire(self, 0);
    assert_int_equal(take_request(self), WINDOW - 40);
}

static void a_request_that_ends_early_is_made_good(void **state) {
    (void)state;
    run_with_fake(end_one_of_two);
}

/* All messages of the first request seem to have come when it ends. */
static void end_one_that_seems_answered(fake *self) {
    serve_many(self, 50);
    assert_int_equal(take_request(self), 50);
    serve_many(self, 50);
    assert_int_equal(take_request(self), 50);
    assert_int_equal(self->left[0], 25);
    expire(self, 0);
    serve_many(self, 25);
    assert_int_equal(take_request(self), 50);
}

static void a_request_that_seemed_answered_is_made_good(void **state) {
    (void)state;
    run_with_fake(end_one_that_seems_answered);
}

/* Whatever ends when, the window is full again as soon as half of it is used up. */
static void end_any(fake *self) {
    unsigned seed = 1;
    for (int step = 0; step < 20000 && self->count < MOST_REQUESTS - 1; step++) {
        seed = seed * 1103515245 + 12345;
        int number = self->count - 1 - (int)(seed >> 16) % 4;
        if ((seed >> 20) % 32 == 0 && number >= 0 && self->left[number] > 0)
            expire(self, number);
        else
            serve(self);
        if (self->owed > WINDOW / 2) continue;
        (void)take_request(self);
        assert_int_equal(self->owed, WINDOW);
    }
}

static void the_window_stays_whole(void **state) {
    (void)state;
    run_with_fake(end_any);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_that_ends_early_is_made_good),
        cmocka_unit_test(a_request_that_seemed_answered_is_made_good),
        cmocka_unit_test(the_window_stays_whole),
    };
    return run_nats_tests(tests, sizeof tests / sizeof tests[0]);
}
