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
 * The status, the code, the function and the sentence of the last call of this
 * library that failed on this thread, as streams_last_status and its neighbors do.
 * By rule 3 of streams.h, what makes a publisher or a binding of a connection or a
 * publisher that is NULL because it could not be made keeps the error of that.
 *
 * Ownership: borrowed; valid until the next failing call of this thread.
 * Threads: any; each thread has its own.
 * Errors: none. Never NULL.
 */
STREAMS_API streams_status streams_nats_last_status(void);
STREAMS_API int64_t streams_nats_last_code(void);
STREAMS_API const char *streams_nats_last_function(void);
STREAMS_API const char *streams_nats_last_message(void);

/*
 * Forgets the last error of this thread.
 *
 * Ownership: none.
 * Errors: none.
 */
STREAMS_API void streams_nats_clear_last_error(void);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_NATS_ERRORS_H */
