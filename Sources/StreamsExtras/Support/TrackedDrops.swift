import Streams

/// Tells of the values that something drops, and counts them for the stream.
final class TrackedDrops: DropCounter {
  private let role: Tracking.Role
  private let tracking: Tracking
  /// The stream's own counter: of several trackers the one at the place tells.
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
