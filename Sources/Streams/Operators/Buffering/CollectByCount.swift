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
        CollectByCountInner<ArrayGatherer<Upstream.Output, Failure>>(
          downstream: Downstream(subscriber), count: count))
    }
  }
}

extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}

/// A `CollectByCount` that gathers values into something other than arrays.
///
/// For this package alone.
@usableFromInline
package struct CollectByCountInto<Upstream: Publisher, Gathered: Gatherer>: Publisher
where Gathered.Element == Upstream.Output, Gathered.Failure == Upstream.Failure {
  @usableFromInline package typealias Output = Gathered.Output
  /// It fails as its upstream does, or with the error of a result that cannot be made.
  @usableFromInline package typealias Failure = Upstream.Failure

  @usableFromInline let upstream: Upstream
  @usableFromInline let count: Int

  /// Gathers `count` values at a time.
  @inlinable
  package init(_: Gathered.Type, upstream: Upstream, count: Int) {
    self.upstream = upstream
    self.count = count
  }

  /// Subscribes to the upstream on behalf of `subscriber`.
  @inlinable
  package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(CollectByCountInner<Gathered>(downstream: Downstream(subscriber), count: count))
  }
}

@usableFromInline
final class CollectByCountInner<Gathered: Gatherer>: BatchSubscriber, Subscription, Inner {
  @usableFromInline typealias Input = Gathered.Element
  @usableFromInline typealias Failure = Gathered.Failure
  @usableFromInline static var name: String { "CollectByCount" }

  @frozen
  @usableFromInline
  struct State {
    /// Whether there is a subscription: checked for each value.
    @usableFromInline var isSubscribed = false
    @usableFromInline var hasEnded = false
    /// Whether a result could not be made, which has ended the stream.
    @usableFromInline var hasFailed = false
    @usableFromInline var gathered: Gathered
    @usableFromInline var subscription: (any Subscription)?

    @inlinable
    init(count: Int) { gathered = Gathered(limit: count) }
  }

  @usableFromInline let downstream: Downstream<Gathered.Output, Failure>
  @usableFromInline let count: Int
  @usableFromInline let state: Lock<State>

  @inlinable
  init(downstream: Downstream<Gathered.Output, Failure>, count: Int) {
    self.downstream = downstream
    self.count = count
    state = Lock(State(count: count))
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

  @inlinable @inline(__always)
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard _fastPath(batch.isSingle) else { return receive(inStep: batch) }
    guard let isFull = gather(batch.baseAddress.unsafelyUnwrapped) else { return .refused() }
    return isFull ? deliver() : .none
  }

  /// Gathers a value. Returns whether there are enough now; nil after the end.
  @inlinable @inline(__always)
  func gather(_ value: UnsafePointer<Input>) -> Bool? {
    state.withLockInPlace { $0.isSubscribed ? $0.gathered.append(value) : nil }
  }

  /// Delivers what has been gathered, unless the stream has ended.
  @inlinable @inline(never)
  func deliver() -> Subscribers.Demand {
    let gathered = state.withLock { state in
      state.isSubscribed ? exchange(&state.gathered, with: Gathered(limit: count)) : nil
    }
    guard let gathered else { return .refused() }
    do throws(Failure) {
      return downstream.receive(try gathered.result()) * count
    } catch {
      fail(error)
      return .none
    }
  }

  @usableFromInline
  func fail(_ error: Failure) {
    let isFirst = state.withLock { state in
      if state.isSubscribed { state.hasFailed = true }
      return state.isSubscribed
    }
    guard isFirst else { return }
    end().subscription?.cancel()
    downstream.receive(completion: .failure(error))
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    if state.withLock({ $0.hasFailed }) { return }
    let rest = end().rest
    guard case .finished = completion, !rest.isEmpty else {
      return downstream.receive(completion: completion)
    }
    do throws(Failure) {
      _ = downstream.receive(try rest.result())
      downstream.receive(completion: completion)
    } catch {
      downstream.receive(completion: .failure(error))
    }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none, "request more than no values")
    state.withLock { $0.subscription }?.request(demand * count)
  }

  @usableFromInline
  func cancel() {
    BatchProgress.noteAction()
    guard state.withLock({ $0.isSubscribed }) else { return }
    end().subscription?.cancel()
  }

  /// Returns the subscription to cancel and the values to release.
  private func end() -> (subscription: (any Subscription)?, rest: Gathered) {
    state.withLock { state in
      state.hasEnded = true
      state.isSubscribed = false
      return (state.subscription.take(), exchange(&state.gathered, with: Gathered(limit: count)))
    }
  }

  @usableFromInline var customMirror: Mirror {
    let (subscription, buffer) = state.withLock { ($0.subscription, $0.gathered.elements) }
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
  /// upstream finishes, the remaining values are sent as the last array, whether or not there is demand for
  /// it; when it fails, they are dropped. An array is sent on the thread on which its last value arrives.
  ///
  ///     let cancellable = (1...5).publisher.collect(2).sink { print($0) }
  ///     // [1, 2], [3, 4], [5]
  @inlinable
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}
