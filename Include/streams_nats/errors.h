/*
 * streams_nats/errors.h - what calls and streams of NATS say when they fail.
 *
 * The rules at the top of streams_nats.h hold here too.
 */

#ifndef STREAMS_NATS_ERRORS_H
#define STREAMS_NATS_ERRORS_H

#include "../streams.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Errors
 * ======================================================================== */

/* The status of a call that the server or nats.c has refused. */
#define STREAMS_NATS_FAILED ((streams_status)1000)

/* The domain of the errors of this library's streams. */
#define STREAMS_NATS_DOMAIN "nats"

/*
 * The code of this thread's last failing call of this library: JetStream's error code,
 * 10000 and above, or nats.c's natsStatus. 0 if neither was asked, as for a bad
 * argument.
 *
 * Ownership: none.
 * Threads: any; each thread has its own.
 * Errors: none.
 */
STREAMS_API int64_t streams_nats_last_code(void);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_NATS_ERRORS_H */
