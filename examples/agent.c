/* An agent in C that needs only sockets. It plays a random legal move.
 *
 *     cc -Wall -Wextra -O2 -o agent agent.c && ./agent
 *
 * RLGLUE_HOST (an IPv4 address) and RLGLUE_PORT are the server's address, by default 127.0.0.1:4096. A message is
 * id:int32 length:uint32 payload[length], all big-endian. An observation begins with the numbers of ints, doubles
 * and chars, and the values follow. Othello's observation has 4 planes of squares. The third marks the legal moves.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { AGENT_CONNECTION = 2, AGENT_INIT = 4, AGENT_START, AGENT_STEP, AGENT_END, AGENT_CLEANUP,
       AGENT_MESSAGE = 10, RL_TERM = 35 };
enum { MAX_PAYLOAD = 1 << 20 };

static unsigned char payload[MAX_PAYLOAD];

static void fail(const char *what) {
    fprintf(stderr, "agent: %s\n", what);
    exit(1);
}

static uint32_t get32(const unsigned char *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void put32(unsigned char *at, uint32_t value) {
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> (24 - 8 * i));
}

static void receive(int server, unsigned char *into, size_t size) {
    while (size > 0) {
        ssize_t got = recv(server, into, size, 0);
        if (got <= 0)
            fail("the server closed the connection; its log says why");
        into += got;
        size -= (size_t)got;
    }
}

static void answer(int server, uint32_t id, const unsigned char *data, uint32_t length) {
    unsigned char message[64];
    size_t sent = 0;
    put32(message, id);
    put32(message + 4, length);
    if (length > 0)
        memcpy(message + 8, data, length);
    while (sent < 8 + length) {
        ssize_t put = send(server, message + sent, 8 + length - sent, MSG_NOSIGNAL);
        if (put <= 0)
            fail("the server closed the connection; its log says why");
        sent += (size_t)put;
    }
}

/* Return a random legal square of the observation, or -1 if there is none. */
static int32_t choose(const unsigned char *observation, uint32_t size) {
    uint32_t ints = size >= 12 ? get32(observation) : 0, squares = ints / 4, legal = 0;
    int32_t move = -1;
    if (size < 12 || ints > (size - 12) / 4)
        fail("an observation is cut off");
    for (uint32_t square = 0; square < squares; square++)
        if (get32(observation + 12 + 4 * (2 * squares + square)) == 1 && rand() % (int)++legal == 0)
            move = (int32_t)square;
    return move;
}

static void act(int server, uint32_t id, const unsigned char *observation, uint32_t size) {
    unsigned char action[16] = {0, 0, 0, 1}; /* 1 int, 0 doubles, 0 chars */
    put32(action + 12, (uint32_t)choose(observation, size));
    answer(server, id, action, sizeof action);
}

static int connect_to_server(void) {
    const char *host = getenv("RLGLUE_HOST"), *port = getenv("RLGLUE_PORT");
    struct sockaddr_in address = {0};
    int on = 1, server = -1;
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)(port ? atoi(port) : 4096));
    if (inet_pton(AF_INET, host ? host : "127.0.0.1", &address.sin_addr) != 1)
        fail("RLGLUE_HOST is not of the form 127.0.0.1");
    for (int tries = 0; tries < 600; tries++) { /* wait up to five minutes for the server */
        server = socket(AF_INET, SOCK_STREAM, 0);
        if (server >= 0 && connect(server, (struct sockaddr *)&address, sizeof address) == 0) {
            setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            return server;
        }
        close(server);
        usleep(500000);
    }
    fail("no server");
    return -1;
}

int main(void) {
    unsigned char header[8];
    static const unsigned char no_text[4];
    int server = connect_to_server();
    answer(server, AGENT_CONNECTION, NULL, 0);
    for (;;) {
        receive(server, header, sizeof header);
        uint32_t id = get32(header), length = get32(header + 4);
        if (length > MAX_PAYLOAD)
            fail("a message is too long");
        receive(server, payload, length);
        switch (id) {
        case AGENT_START: act(server, id, payload, length); break;
        case AGENT_STEP: /* a reward of 8 bytes, then the observation */
            if (length < 8)
                fail("a message is cut off");
            act(server, id, payload + 8, length - 8);
            break;
        case AGENT_INIT: case AGENT_END: case AGENT_CLEANUP: answer(server, id, NULL, 0); break;
        case AGENT_MESSAGE: answer(server, id, no_text, sizeof no_text); break;
        case RL_TERM: close(server); return 0;
        default: fail("an unknown message");
        }
    }
}
