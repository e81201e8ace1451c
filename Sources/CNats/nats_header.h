/* The client library of NATS, which Sources/CStreamsNATS stands on: Debian's libnats-dev. */
#include <nats/nats.h>
