extension Publishers {
  /// A publisher that gathers its upstream's values into arrays of a fixed size.
  ///
  /// Made by ``Publisher/collect(_:)``, which describes it.
  public struct CollectByCount<Upstream: Publisher>: Publisher {
    /// The values are arrays of the upstream's.
    public typealias Output = [Upstream.Output]
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// How many values an array holds.
    public let count: Int

    /// Makes the publisher that `collect(_:)` returns.
    @inlinable
    public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = count
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(
      subscriber: S
    ) where S.Failure == Upstream.Failure, S.Input == [Upstream.Output] {
      upstream.subscribe(
        CollectByCountInner<Upstream.Output, Failure>(downstream: Downstream(subscriber), count: count))
    }
  }
}

extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}

@usableFromInline
final class CollectByCountInner<Input, Failure: Error>: BatchSubscriber, Subscription, Inner {
  @usableFromInline static var name: String { "CollectByCount" }

  @frozen
  @usableFromInline
  struct State {
    /// Whether there is a subscription: what is asked for each value.
    @usableFromInline var isSubscribed = false
    @usableFromInline var hasEnded = false
    @usableFromInline var buffer: [Input] = []
    @usableFromInline var subscription: (any Subscription)?

    @inlinable
    init() {}
  }

  @usableFromInline let downstream: Downstream<[Input], Failure>
  @usableFromInline let count: Int
  @usableFromInline let state = Lock(State())

  @inlinable
  init(downstream: Downstream<[Input], Failure>, count: Int) {
    self.downstream = downstream
    self.count = count
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    let isFirst = state.withLock { state in
      guard !state.hasEnded, !state.isSubscribed else { return false }
      state.isSubscribed = true
      state.subscription = subscription
      return true
    }
    guard isFirst else { return subscription.cancel() }
    downstream.receive(subscription: self)
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    var demand = Subscribers.Demand.none
    var index = 0
    while index < batch.count, let full = gather(batch, from: &index) {
      demand += downstream.receive(full) * count
    }
    return demand
  }

  /// Moves values to the buffer. Returns it when it is full, nil when the batch is used up.
  @inlinable
  func gather(_ batch: UnsafeBufferPointer<Input>, from index: inout Int) -> [Input]? {
    state.withLock { state in
      guard state.isSubscribed else { return nil }
      if state.buffer.isEmpty { state.buffer.reserveCapacity(min(count, 1024)) }
      while index < batch.count {
        state.buffer.append(batch[index])
        index += 1
        if state.buffer.count == count { return Self.take(&state.buffer) }
      }
      return nil
    }
  }

  @inlinable @inline(__always)
  static func take(_ buffer: inout [Input]) -> [Input] {
    let taken = buffer
    buffer = []
    return taken
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    let (_, rest) = end()
    if case .finished = completion, !rest.isEmpty { _ = downstream.receive(rest) }
    downstream.receive(completion: completion)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none, "request more than no values")
    state.withLock { $0.subscription }?.request(demand * count)
  }

  @usableFromInline
  func cancel() {
    guard state.withLock({ $0.isSubscribed }) else { return }
    end().subscription?.cancel()
  }

  private func end() -> (subscription: (any Subscription)?, rest: [Input]) {
    state.withLock { state in
      state.hasEnded = true
      state.isSubscribed = false
      return (state.subscription.take(), Self.take(&state.buffer))
    }
  }

  @usableFromInline var customMirror: Mirror {
    let (subscription, buffer) = state.withLock { ($0.subscription, $0.buffer) }
    return Mirror(
      self,
      children: [
        "downstream": downstream.subscriber,
        "upstreamSubscription": subscription as Any,
        "buffer": buffer,
        "count": count,
      ])
  }
}

extension Publisher {
  /// Gathers values into arrays of `count` values; the last array may be shorter.
  ///
  /// A demand for n arrays is a demand for n times `count` values; a request for none traps. When the
  /// upstream finishes, what is left is sent as the last array, whether or not there is demand for it; when
  /// it fails, what is left is dropped. An array is sent on the thread on which its last value arrives.
  ///
  ///     let ticket = (1...5).publisher.collect(2).sink { print($0) }
  ///     // [1, 2], [3, 4], [5]
  @inlinable
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}
