import Streams

/// How many values are kept for the streams that a publisher is divided into, and for whom.
struct FanOutState {
  /// How many values may wait; if it is nil, any number where everything is demanded.
  private let prefetch: Subscribers.Demand?
  /// Whether the upstream may be asked.
  private var hasBegun = false
  /// Whether all streams are demanded.
  private var allStreamsAreDemanded = false
  /// How many streams there are of which a limited number of values is demanded.
  private var limitedCount = 0
  /// What was last demanded of a stream, which may have ended: the next one's subscriber will likely demand as much.
  private var latestDemand = OutletDemand.nothing
  private var hasReceived = false
  /// Whether the upstream has not answered the first request before that returned: it sends when it likes, and perhaps
  /// cannot wait.
  private var isIndependent = false
  /// How many values have been asked for and have not come.
  private var expectedCount = Subscribers.Demand.none
  /// How many values wait in the streams.
  private var heldCount = 0
  private var innerCount = 0
  /// Whether there may be further streams.
  private var outerIsOpen = true

  /// At most so many values are to wait.
  init(prefetch: Subscribers.Demand?) { self.prefetch = prefetch }

  /// The upstream's subscription has come. Returns what is to be asked first.
  mutating func begin() -> Subscribers.Demand {
    hasBegun = true
    return demand()
  }

  /// The first request has returned. Returns what else is to be asked.
  mutating func continueAfterRequest() -> Subscribers.Demand {
    isIndependent = !hasReceived
    return demand()
  }

  // MARK: Values

  /// So many values have come, each of which counts as waiting until it is released.
  mutating func receive(_ count: Int) {
    expectedCount = expectedCount > count ? expectedCount - count : .none
    heldCount += count
    hasReceived = true
  }

  /// Values wait in more than one stream.
  mutating func hold(_ count: Int) { heldCount += count }

  /// So many values wait no longer.
  mutating func release(_ count: Int) { heldCount -= count }

  /// What is to be asked of the upstream.
  mutating func demand() -> Subscribers.Demand {
    let bound = bound
    // Where values wait in several streams, or have not been asked for, there may be more of them.
    guard hasBegun, heldCount < bound else { return .none }
    let room = bound - heldCount
    guard expectedCount < room else { return .none }
    defer { expectedCount = room }
    return room == .unlimited ? .unlimited : room - expectedCount
  }

  private var bound: Subscribers.Demand {
    if let prefetch { return prefetch }
    guard allStreamsAreDemanded else { return .max(256) }
    // An upstream that has its values ready can wait. Asked for all of them it would, without end perhaps.
    let isReady = hasReceived && limitedCount == 0 && latestDemand != .limited
    return isIndependent || isReady ? .unlimited : .max(256)
  }

  // MARK: Streams

  /// What is demanded of a stream has become something else.
  mutating func change(_ old: OutletDemand, to new: OutletDemand, of role: OutletRole) {
    switch role {
    case .outer: if new == .all { allStreamsAreDemanded = true }
    case .inner:
      limitedCount += (new == .limited ? 1 : 0) - (old == .limited ? 1 : 0)
      if new != .nothing { latestDemand = new }
    }
  }

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
