/* options.c - turns options into those of nats.c. */

#include <limits.h>
#include <stdlib.h>

#include "options.h"

streams_status options_check(const streams_nats_options *options, const char *function) {
    streams_status status = check_size(options->size, sizeof *options, function, "options");
    if (status != STREAMS_OK) return status;
    if (options->nkey != NULL && options->nkey_seed_file == NULL)
        return call_failed(
            STREAMS_INVALID_ARGUMENT, function, "nkey needs nkey_seed_file, the file with its seed");
    if (options->tls_certificate_file != NULL && options->tls_key_file == NULL)
        return call_failed(
            STREAMS_INVALID_ARGUMENT, function, "tls_certificate_file needs tls_key_file, its key");
    return check_fields(function, FIELD(connect_timeout), FIELD(reconnect_wait), FIELD(ping_interval),
        FIELD(pending_messages), FIELD(pending_bytes));
}

static int64_t milliseconds(streams_nanoseconds time) {
    return time > STREAMS_MILLISECOND ? time / STREAMS_MILLISECOND : 1;
}

static int bounded(int64_t number) { return number > INT_MAX ? INT_MAX : (int)number; }

/* Sets the servers in random order, so that clients spread over them; then last, unless it is NULL. */
static natsStatus set_servers(natsOptions *out, const addresses *servers, const char *last) {
    const char *each[MOST_ADDRESSES + 1];
    unsigned seed = (unsigned)nats_NowInNanoSeconds();
    size_t count = servers->count;
    for (size_t i = 0; i < count; i++) {
        size_t other = (size_t)rand_r(&seed) % (i + 1);
        each[i] = each[other];
        each[other] = servers->list[i].given;
    }
    if (last != NULL) each[count++] = last;
    return natsOptions_SetServers(out, each, (int)count);
}

/* nats.c puts these texts into JSON without escaping them. */
static natsStatus set_words(natsOptions *out, const streams_nats_options *options) {
    natsStatus status = NATS_OK;
    char *name = json_text(options->name), *user = json_text(options->user);
    char *password = json_text(options->password), *token = json_text(options->token);
    if (name != NULL) status = natsOptions_SetName(out, name);
    if (status == NATS_OK && user != NULL) status = natsOptions_SetUserInfo(out, user, password);
    if (status == NATS_OK && token != NULL) status = natsOptions_SetToken(out, token);
    free(name);
    free(user);
    free(password);
    free(token);
    return status;
}

static natsStatus set_login(natsOptions *out, const streams_nats_options *options) {
    natsStatus status = set_words(out, options);
    if (status == NATS_OK && options->credentials_file != NULL)
        status = natsOptions_SetUserCredentialsFromFiles(out, options->credentials_file, NULL);
    if (status == NATS_OK && options->nkey != NULL)
        status = natsOptions_SetNKeyFromSeed(out, options->nkey, options->nkey_seed_file);
    return status;
}

static natsStatus set_tls(natsOptions *out, const streams_nats_options *options) {
    natsStatus status = NATS_OK;
    if (options->tls_ca_file == NULL && options->tls_certificate_file == NULL) return status;
    status = natsOptions_SetSecure(out, true);
    if (status == NATS_OK && options->tls_ca_file != NULL)
        status = natsOptions_LoadCATrustedCertificates(out, options->tls_ca_file);
    if (status == NATS_OK && options->tls_certificate_file != NULL)
        status =
            natsOptions_LoadCertificatesChain(out, options->tls_certificate_file, options->tls_key_file);
    return status;
}

static natsStatus set_times(natsOptions *out, const streams_nats_options *options) {
    natsStatus status = NATS_OK;
    if (options->connect_timeout > 0)
        status = natsOptions_SetTimeout(out, milliseconds(options->connect_timeout));
    if (status == NATS_OK && options->reconnect_wait > 0) {
        status = natsOptions_SetReconnectWait(out, milliseconds(options->reconnect_wait));
        /* A random time is added, so that not all clients reconnect at once. */
        if (status == NATS_OK)
            status = natsOptions_SetReconnectJitter(out, milliseconds(options->reconnect_wait / 10), 1000);
    }
    if (status == NATS_OK && options->ping_interval > 0)
        status = natsOptions_SetPingInterval(out, milliseconds(options->ping_interval));
    if (status == NATS_OK && options->max_reconnects != 0)
        status = natsOptions_SetMaxReconnect(
            out, options->max_reconnects < 0 ? -1 : bounded(options->max_reconnects));
    return status;
}

natsStatus options_fill(
    natsOptions *out, const streams_nats_options *options, const addresses *servers) {
    natsStatus status = set_servers(out, servers, NULL);
    if (status == NATS_OK) status = set_login(out, options);
    if (status == NATS_OK) status = set_tls(out, options);
    if (status == NATS_OK) status = set_times(out, options);
    if (status == NATS_OK) status = natsOptions_UseGlobalMessageDelivery(out, true);
    if (status == NATS_OK) status = natsOptions_SetFailRequestsOnDisconnect(out, true);
    return status;
}

/* An address that no server can have; the system refuses it at once. */
static const char NOWHERE[] = "nats://255.255.255.255:4222";

/* nats.c (3.4.1) gives up at once if the last server that it tries accepts the connection and closes
 * it without an answer. So the last one in the list is not a server. */
natsStatus options_keep_trying(
    natsOptions *out, const addresses *servers, natsConnectionHandler connected, void *closure) {
    natsStatus status = natsOptions_SetNoRandomize(out, true);
    if (status == NATS_OK) status = set_servers(out, servers, NOWHERE);
    return status == NATS_OK ? natsOptions_SetRetryOnFailedConnect(out, true, connected, closure) : status;
}
