import Streams

/// Tells of the values that something drops, and counts them for the stream.
final class TrackedDrops: DropCounter {
  private let party: Tracking.Party
  private let tracking: Tracking
  /// The stream's own counter: of several trackers the one at the place tells.
  private let counter: (any DropCounter)?

  init(_ party: Tracking.Party, _ tracking: Tracking) {
    self.party = party
    self.tracking = tracking
    let outer = Drops().counter
    counter = if let tracked = outer as? TrackedDrops { tracked.counter } else { outer }
  }

  func drop(_ count: Int) {
    tracking.drop(count, party)
    counter?.drop(count)
  }
}
