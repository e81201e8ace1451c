import Streams

/// How many values are kept for the streams that a publisher is divided into, and which streams want them.
@usableFromInline
struct FanOutState {
  /// How many values may wait; if nil, any number while everything is demanded.
  @usableFromInline let prefetch: Subscribers.Demand?
  /// Whether values may be requested from the upstream.
  @usableFromInline var hasBegun = false
  /// Whether the demand for streams is unlimited.
  @usableFromInline var allStreamsAreDemanded = false
  /// How many streams have limited demand for values.
  @usableFromInline var limitedCount = 0
  /// The latest demand for a stream's values. The next stream's subscriber will probably demand as much.
  @usableFromInline var latestDemand = OutletDemand.nothing
  @usableFromInline var hasReceived = false
  /// Whether the first request returned before any value came: then the upstream sends at its own pace, and perhaps cannot wait.
  @usableFromInline var isIndependent = false
  /// How many values have been requested and have not come.
  @usableFromInline var expectedCount = Subscribers.Demand.none
  /// How many values wait in the streams.
  @usableFromInline var heldCount = 0
  @usableFromInline var innerCount = 0
  /// Whether further streams may be opened.
  @usableFromInline var outerIsOpen = true

  /// `prefetch` is the greatest number of values that wait.
  init(prefetch: Subscribers.Demand?) { self.prefetch = prefetch }

  /// The upstream has sent its subscription. Returns what to request first.
  mutating func begin() -> Subscribers.Demand {
    hasBegun = true
    return demand()
  }

  /// The first request has returned. Returns what else to request.
  mutating func continueAfterRequest() -> Subscribers.Demand {
    isIndependent = !hasReceived
    return demand()
  }

  // MARK: Values

  /// Values have come, each of which counts as waiting until it is released.
  @inlinable
  mutating func receive(_ count: Int) {
    expectedCount = expectedCount > count ? expectedCount - count : .none
    heldCount += count
    hasReceived = true
  }

  /// Values wait in more than one stream.
  @inlinable
  mutating func hold(_ count: Int) { heldCount += count }

  /// Values wait no longer.
  @inlinable
  mutating func release(_ count: Int) { heldCount -= count }

  /// What to request from the upstream.
  @inlinable
  mutating func demand() -> Subscribers.Demand {
    let bound = bound
    // Values that wait in several streams, or came without a request, may exceed the bound.
    guard hasBegun, heldCount < bound else { return .none }
    let room = bound - heldCount
    guard expectedCount < room else { return .none }
    defer { expectedCount = room }
    return room == .unlimited ? .unlimited : room - expectedCount
  }

  @inlinable
  var bound: Subscribers.Demand {
    if let prefetch { return prefetch }
    guard allStreamsAreDemanded else { return .max(256) }
    // An upstream that has its values ready can wait. Asked for all of them, it would send them all, perhaps without end.
    let isReady = hasReceived && limitedCount == 0 && latestDemand != .limited
    return isIndependent || isReady ? .unlimited : .max(256)
  }

  // MARK: Streams

  /// The demand for a stream's values has changed.
  mutating func change(_ old: OutletDemand, to new: OutletDemand, of role: OutletRole) {
    switch role {
    case .outer: if new == .all { allStreamsAreDemanded = true }
    case .inner:
      limitedCount += (new == .limited ? 1 : 0) - (old == .limited ? 1 : 0)
      if new != .nothing { latestDemand = new }
    }
  }

  /// Counts another stream. Returns false if the outer stream has ended.
  @inlinable
  mutating func open() -> Bool {
    if outerIsOpen { innerCount += 1 }
    return outerIsOpen
  }

  /// The publisher has ended.
  mutating func end() { outerIsOpen = false }

  /// A stream has ended or lost its subscriber. Returns true if none is left and none can be opened.
  @inlinable
  mutating func close(_ role: OutletRole) -> Bool {
    switch role {
    case .outer: outerIsOpen = false
    case .inner: innerCount -= 1
    }
    return !outerIsOpen && innerCount == 0
  }
}
