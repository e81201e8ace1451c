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
 * A publisher begins anew for each subscriber. To give several the same values,
 * share it, or make it connectable and decide yourself when it begins:
 *
 *     streams_connectable *news = streams_make_connectable(publisher);
 *     a = streams_sink(streams_connectable_publisher(news), &first);
 *     b = streams_sink(streams_connectable_publisher(news), &second);
 *     connection = streams_connect(news);
 *
 * All of these ask the upstream for all values. Without a replay, a subscriber
 * misses the values that come while it has no demand, and a subscriber that comes
 * after the end gets only the completion.
 * ======================================================================== */

/*
 * Shares one subscription to the upstream among all subscribers: it is made for
 * the first and cancelled after the last. The next one then makes another.
 *
 * Ownership: consumes publisher; the result is yours.
 */
STREAMS_API streams_publisher *streams_share(STREAMS_CONSUMES streams_publisher *publisher);

/*
 * Shares one subscription, as streams_share does, through a replay subject: a
 * subscriber that comes late, even after the end, or is behind on demand, gets the
 * latest buffer_size values, or all with STREAMS_UNLIMITED, as for
 * streams_replay_subject_create; with 0 only the completion. The upstream is not
 * subscribed to again when it has ended.
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
 * what a late subscriber gets. Others may send to it too.
 *
 * Ownership: consumes publisher; borrows subject, which the connectable keeps;
 *   the result is yours.
 * Errors: NULL with the common ones for either handle.
 */
STREAMS_API streams_connectable *streams_multicast(
    STREAMS_CONSUMES streams_publisher *publisher, streams_subject *subject);

/*
 * Returns a publisher of what a connectable sends, for any number of subscribers.
 * It keeps the connectable alive.
 *
 * Ownership: borrows connectable; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_publisher *streams_connectable_publisher(streams_connectable *connectable);

/*
 * Subscribes to the upstream on behalf of all subscribers. Cancelling the result,
 * or releasing its last reference, cancels the upstream; the subscribers stay, and
 * receive nothing until the next connection. The upstream is also cancelled when
 * the connectable and all publishers made from it are gone. A second connection at
 * the same time sends everything a second time.
 *
 * Ownership: borrows connectable; the result is yours.
 * Errors: NULL with STREAMS_NULL_HANDLE, STREAMS_STALE_HANDLE,
 *   STREAMS_WRONG_KIND, STREAMS_LIMIT.
 */
STREAMS_API streams_cancellable *streams_connect(streams_connectable *connectable);

/*
 * Connects for the first subscriber, and disconnects after the last one has
 * cancelled. The next one then connects anew. A subscriber that joins from inside
 * the first one's on_subscription, or while that connects, shares its connection.
 * So a source that subscribes to the publisher made of it gets nothing: it would be
 * its own source.
 *
 * Ownership: consumes connectable; the result is yours.
 */
STREAMS_API streams_publisher *streams_autoconnect(STREAMS_CONSUMES streams_connectable *connectable);

#ifdef __cplusplus
}
#endif

#endif /* STREAMS_SHARING_H */
