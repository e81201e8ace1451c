import Streams

/// How many values are kept for the streams that a publisher is divided into, and for whom.
struct FanOutState {
  private let prefetch: Subscribers.Demand
  /// How many values have been asked for and have not come.
  private var expectedCount = Subscribers.Demand.none
  /// How many values wait in the streams.
  private var heldCount = 0
  private var innerCount = 0
  /// Whether there may be further streams.
  private var outerIsOpen = true

  /// At most so many values are to wait.
  init(prefetch: Subscribers.Demand) { self.prefetch = prefetch }

  // MARK: Values

  /// So many values have come, each of which counts as waiting until it is released.
  mutating func receive(_ count: Int) {
    expectedCount = expectedCount > count ? expectedCount - count : .none
    heldCount += count
  }

  /// Values wait in more than one stream.
  mutating func hold(_ count: Int) { heldCount += count }

  /// So many values wait no longer.
  mutating func release(_ count: Int) { heldCount -= count }

  /// What is to be asked of the upstream.
  mutating func demand() -> Subscribers.Demand {
    // Where values wait in several streams, or have not been asked for, there may be more of them.
    guard heldCount < prefetch else { return .none }
    let room = prefetch - heldCount
    guard expectedCount < room else { return .none }
    defer { expectedCount = room }
    return room == .unlimited ? .unlimited : room - expectedCount
  }

  // MARK: Streams

  /// There is to be another stream. Returns false if nobody would get it.
  mutating func open() -> Bool {
    if outerIsOpen { innerCount += 1 }
    return outerIsOpen
  }

  /// The publisher has ended.
  mutating func end() { outerIsOpen = false }

  /// A stream has ended or is not wanted any more. Returns true if none is left, nor can there be another.
  mutating func close(_ role: OutletRole) -> Bool {
    switch role {
    case .outer: outerIsOpen = false
    case .inner: innerCount -= 1
    }
    return !outerIsOpen && innerCount == 0
  }
}
