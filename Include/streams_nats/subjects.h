/*
 * streams_nats/subjects.h - core subjects as publishers, requests, and answers.
 *
 * The rules at the top of streams_nats.h hold here too.
 */

#ifndef STREAMS_NATS_SUBJECTS_H
#define STREAMS_NATS_SUBJECTS_H

#include "../streams.h"

#include "connections.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Subjects and requests
 * ======================================================================== */

/* What a stream of a core subject does with a message for which it has no room. */
typedef enum streams_nats_when_full {
    STREAMS_NATS_DROP_NEWEST = 0,
    STREAMS_NATS_DROP_OLDEST = 1,
    STREAMS_NATS_FAIL = 2
} streams_nats_when_full;

/*
 * Publishes the messages of a core subject, which may have wildcards, from the
 * subscription on. With a queue group, each message goes to one of its members.
 *
 * Demand: NATS does not wait. Up to limit messages are kept until they are demanded;
 *   what comes beyond is dropped, and counted by streams_dropped, or fails the
 *   stream.
 * Completion: none. Fails when the connection is closed.
 *
 * Ownership: borrows all; queue may be NULL; the result is yours.
 * Threads: values come on a delivery thread, or on one that requests.
 * Errors: NULL with the handle's; STREAMS_NULL_ARGUMENT (subject);
 *   STREAMS_INVALID_ARGUMENT if limit is less than 1, when_full unknown, or subject
 *   or queue empty or with a space or a control character.
 */
STREAMS_API streams_publisher *streams_nats_subject(streams_nats_connection *connection,
    const char *subject, const char *queue, int64_t limit, streams_nats_when_full when_full);

/*
 * Sends a request when its answer is demanded, publishes the answer, a message, and
 * finishes. Fails with the code of NATS_TIMEOUT after timeout, and at once with that
 * of NATS_NO_RESPONDERS if nobody listens.
 *
 * Ownership: borrows connection and subject; copies value; the result is yours.
 * Threads: the answer comes on a delivery thread.
 * Errors: NULL with the handle's; STREAMS_NULL_ARGUMENT, STREAMS_INVALID_VALUE;
 *   STREAMS_INVALID_ARGUMENT if timeout is less than a millisecond, or subject is
 *   none to publish to.
 */
STREAMS_API streams_publisher *streams_nats_request(streams_nats_connection *connection,
    const char *subject, const streams_value *value, streams_nanoseconds timeout);

/*
 * Answers a request that was received.
 *
 * Ownership: borrows both.
 * Errors: STREAMS_NULL_ARGUMENT, STREAMS_WRONG_KIND; STREAMS_INVALID_VALUE if the
 *   message wants no answer, or the answer is nothing to publish; as
 *   streams_nats_publish.
 */
STREAMS_API streams_status streams_nats_reply(const streams_value *message, const streams_value *answer);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_NATS_SUBJECTS_H */
