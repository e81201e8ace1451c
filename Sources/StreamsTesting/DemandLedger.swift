import Streams

/// What a subscriber requested from its publisher, and what it got.
///
///     let upstream = TestPublisher<Int, Never>()
///     upstream.prefix(3).subscribe(recorder)
///     upstream.ledger.requests     // what came through the subscription
///     upstream.ledger.outstanding  // what may still be sent
public struct DemandLedger: Equatable, Sendable {
  /// One entry of the ledger.
  public enum Entry: Equatable, Sendable {
    /// Demand that came through the subscription.
    case requested(Subscribers.Demand)
    /// Demand that the subscriber returned when it received values.
    case returned(Subscribers.Demand)
    /// Values that were delivered in one call.
    case delivered(Int)
    /// The subscription was cancelled.
    case cancelled
  }

  /// All events, in order. A returned demand of `.none` is not recorded.
  public private(set) var entries: [Entry] = []
  /// All demand, requested and returned.
  public private(set) var total = Subscribers.Demand.none
  /// How many values were delivered.
  public private(set) var delivered = 0
  /// How many values were delivered without demand.
  public private(set) var overdrawn = 0

  /// An empty ledger.
  public init() {}

  /// Records one event.
  public mutating func record(_ entry: Entry) {
    switch entry {
    case .requested(let demand):
      total += demand
    case .returned(let demand):
      guard demand != .none else { return }
      total += demand
    case .delivered(let count):
      overdrawn += min(count, max(0, delivered + count - (total.max ?? .max)))
      delivered += count
    case .cancelled:
      break
    }
    entries.append(entry)
  }

  /// The demand that has not been met yet.
  public var outstanding: Subscribers.Demand {
    guard let limit = total.max else { return .unlimited }
    return .max(max(0, limit - delivered))
  }

  /// The demands that came through the subscription, in order.
  public var requests: [Subscribers.Demand] {
    entries.compactMap { if case .requested(let demand) = $0 { demand } else { nil } }
  }

  /// How often the subscription was cancelled.
  public var cancelCount: Int { entries.count { $0 == .cancelled } }

  /// Whether the subscription was cancelled.
  public var isCancelled: Bool { cancelCount > 0 }
}
