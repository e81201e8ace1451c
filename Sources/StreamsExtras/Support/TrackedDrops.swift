import Streams
import StreamsShims

/// Writes a line for values that are dropped, and counts them for the stream. One for each tracked subscription.
final class TrackedDrops: DropCounter {
  private let role: Tracking.Role
  private let tracking: Tracking
  /// The stream's own counter. A tracker further out is left out, so that only the nearest one writes.
  private let counter: (any DropCounter)?
  /// The record of the subscription, if the publisher is watched.
  let record: OpaquePointer?

  init(_ role: Tracking.Role, _ tracking: Tracking) {
    self.role = role
    self.tracking = tracking
    let outer = Drops().counter
    let tracked = outer as? TrackedDrops
    counter = if let tracked { tracked.counter } else { outer }
    record = tracking.watched.flatMap { streams_watch_stream($0.record, tracked?.record) }
  }

  func drop(_ count: Int) {
    tracking.drop(count, role)
    streams_watch_drop(record, Int64(count))
    counter?.drop(count)
  }

  deinit { streams_unwatch_stream(record) }
}
