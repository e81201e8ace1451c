import Streams

/// Writes a line for values that are dropped, and counts them for the stream.
final class TrackedDrops: DropCounter {
  private let role: Tracking.Role
  private let tracking: Tracking
  /// The stream's own counter. A tracker further out is left out, so that only the nearest one writes.
  private let counter: (any DropCounter)?

  init(_ role: Tracking.Role, _ tracking: Tracking) {
    self.role = role
    self.tracking = tracking
    let outer = Drops().counter
    counter = if let tracked = outer as? TrackedDrops { tracked.counter } else { outer }
  }

  func drop(_ count: Int) {
    tracking.drop(count, role)
    counter?.drop(count)
  }
}
