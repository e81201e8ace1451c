/*
 * streams/sharing.h - one stream for several subscribers.
 *
 * The rules at the top of streams.h hold here too.
 */

#ifndef STREAMS_SHARING_H
#define STREAMS_SHARING_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ========================================================================
 * Sharing
 *
 * A publisher begins anew for each subscriber. To let several have the same
 * values, share it, or make it connectable and say yourself when it begins:
 *
 *     streams_connectable *news = streams_make_connectable(publisher);
 *     a = streams_sink(streams_connectable_publisher(news), &first);
 *     b = streams_sink(streams_connectable_publisher(news), &second);
 *     connection = streams_connect(news);
 *
 * All of them ask the upstream for all values. Unless something is replayed, a
 * subscriber misses what comes while it has no demand, and one that comes after
 * the end gets only that.
 * ======================================================================== */

/*
 * Shares one subscription to the upstream among all subscribers: it is made for
 * the first and cancelled after the last. The next one then makes another.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_share(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Shares one subscription, as streams_share, through a replay subject: who comes
 * late, also after the end, or is behind on demand, gets the latest buffer_size
 * values, or all with STREAMS_UNLIMITED, as for streams_replay_subject_create; with
 * 0 nothing but the end. The upstream is not subscribed to again when it has ended.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_share_replay(
    STREAMS_CONSUMES streams_publisher *publisher, uint64_t buffer_size);

/*
 * Makes a connectable that sends through a passthrough subject of its own.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_connectable *streams_make_connectable(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Makes a connectable that sends through a subject of yours. The subject decides
 * what a subscriber gets that comes late, and may be sent to by others too.
 *
 * Ownership: consumes publisher; borrows subject, which the connectable keeps;
 *   the result is yours.
 * Errors: NULL with the common ones for either handle.
 */
STREAMS_API streams_connectable *streams_multicast(
    STREAMS_CONSUMES streams_publisher *publisher, streams_subject *subject);

/*
 * The publisher of what a connectable sends, for as many subscribers as there
 * are. It keeps the connectable alive.
 *
 * Ownership: borrows connectable; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_publisher *streams_connectable_publisher(streams_connectable *connectable);

/*
 * Subscribes to the upstream on behalf of all subscribers. Cancelling the result,
 * or releasing its last reference, cancels the upstream; the subscribers stay, and
 * hear no more until the next connection. So it does when the connectable and all
 * publishers made of it are gone. A second connection besides sends everything a
 * second time.
 *
 * Ownership: borrows connectable; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_cancellable *streams_connect(streams_connectable *connectable);

/*
 * Connects for the first subscriber, and disconnects after the last one has
 * cancelled. The next one then connects anew. A first subscriber that another one
 * joins from inside its on_subscription is connected twice, as in Combine.
 *
 * Ownership: consumes connectable; the result is yours.
 */
STREAMS_API streams_publisher *streams_autoconnect(STREAMS_CONSUMES streams_connectable *connectable);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_SHARING_H */
