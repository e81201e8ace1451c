/* proxy.c - a way to a server that can be cut, while the server runs on. */

#define _GNU_SOURCE
#include "proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

static int make_socket(struct sockaddr_in *address, int port) {
    *address = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

static void close_pair(int pair[2]) {
    for (int side = 0; side < 2; side++) {
        if (pair[side] >= 0) close(pair[side]);
        pair[side] = -1;
    }
}

/* The lock is held. */
static void take_client(proxy *self) {
    struct sockaddr_in address;
    int client = accept4(self->listener, NULL, NULL, SOCK_CLOEXEC);
    int i = 0;
    while (i < MOST_PAIRS && self->ends[i][0] >= 0) i++;
    if (client < 0 || i == MOST_PAIRS || self->shut) {
        if (client >= 0) close(client);
        if (client >= 0 && self->shut) self->turned_away++;
        return;
    }
    self->ends[i][0] = client;
    self->ends[i][1] = make_socket(&address, self->target);
    if (connect(self->ends[i][1], (struct sockaddr *)&address, sizeof address) != 0)
        close_pair(self->ends[i]);
}

/* Passes on what has come from a side. False at the end. */
static bool pass_on(proxy *self, const int pair[2], int from) {
    char buffer[16384];
    ssize_t length = recv(pair[from], buffer, sizeof buffer, MSG_DONTWAIT), done = 0;
    if (length <= 0) return false;
    if (from == 0 && self->rude) {
        self->turned_away++;
        return false;
    }
    if (from == 1 && self->swallowing) {
        self->swallowed += (size_t)length;
        return true;
    }
    while (done < length) {
        ssize_t sent = send(pair[!from], buffer + done, (size_t)(length - done), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        done += sent;
    }
    return true;
}

/* The pairs do not change between poll and this, but for those that a cut closes. */
static void serve(proxy *self, const struct pollfd *ready) {
    pthread_mutex_lock(&self->lock);
    if (ready[0].revents != 0) take_client(self);
    for (int i = 0; i < 2 * MOST_PAIRS; i++) {
        int *pair = self->ends[i / 2];
        if (ready[1 + i].revents == 0 || pair[i % 2] != ready[1 + i].fd) continue;
        if (!pass_on(self, pair, i % 2)) close_pair(pair);
    }
    pthread_mutex_unlock(&self->lock);
}

static void *run(void *context) {
    proxy *self = context;
    while (!self->ending) {
        struct pollfd ready[1 + 2 * MOST_PAIRS] = { { .fd = self->listener, .events = POLLIN } };
        pthread_mutex_lock(&self->lock);
        for (int i = 0; i < 2 * MOST_PAIRS; i++)
            ready[1 + i] = (struct pollfd){ .fd = self->ends[i / 2][i % 2], .events = POLLIN };
        pthread_mutex_unlock(&self->lock);
        if (poll(ready, 1 + 2 * MOST_PAIRS, 20) > 0) serve(self, ready);
    }
    return NULL;
}

void proxy_start(proxy *self, const server *target) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    memset(self, 0, sizeof *self);
    memset(self->ends, -1, sizeof self->ends);
    self->target = target->port;
    self->listener = make_socket(&address, 0);
    if (bind(self->listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(self->listener, 8) != 0 ||
        getsockname(self->listener, (struct sockaddr *)&address, &length) != 0)
        fail_msg("no port for the proxy");
    (void)snprintf(
        self->front.url, sizeof self->front.url, "nats://127.0.0.1:%d", ntohs(address.sin_port));
    pthread_mutex_init(&self->lock, NULL);
    pthread_create(&self->thread, NULL, run, self);
}

void proxy_stop(proxy *self) {
    self->ending = true;
    pthread_join(self->thread, NULL);
    proxy_cut(self);
    close(self->listener);
    pthread_mutex_destroy(&self->lock);
}

void proxy_cut(proxy *self) {
    pthread_mutex_lock(&self->lock);
    self->shut = true;
    self->swallowing = false;
    for (int i = 0; i < MOST_PAIRS; i++) close_pair(self->ends[i]);
    pthread_mutex_unlock(&self->lock);
}

void proxy_be_rude(proxy *self) { self->rude = true; }

void proxy_open(proxy *self) { self->shut = self->rude = false; }

void proxy_swallow(proxy *self) { self->swallowing = true; }
