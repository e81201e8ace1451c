extension Publishers {
  /// A publisher that leaves out the first of its upstream's values.
  ///
  /// Made by ``Publisher/dropFirst(_:)``, which describes it.
  public struct Drop<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// How many values are left out.
    public let count: Int
    /// Whether a subscription that comes after the downstream has cancelled is always cancelled. In Combine it is left
    /// alone if there is no demand, and so stays alive together with its subscriber.
    @usableFromInline package var isStrict = false

    /// Makes the publisher that `dropFirst(_:)` returns.
    @inlinable
    public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = count
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(
      subscriber: S
    ) where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      let inner = DropInner(downstream: Downstream(subscriber), count: count, isStrict: isStrict)
      subscriber.receive(subscription: inner)
      if inner.isCancelled { return }
      upstream.subscribe(inner)
      inner.endAttaching()
    }
  }
}

extension Publishers.Drop: Strict {}

extension Publishers.Drop: Equatable where Upstream: Equatable {}

@usableFromInline
final class DropInner<Input, Failure: Error>: BatchSubscriber, Subscription, Inner {
  @usableFromInline static var name: String { "Drop" }

  /// The subscription has no end state: as in Combine, another one may follow the first.
  @usableFromInline let downstream: Downstream<Input, Failure>
  /// How many values are still to be left out.
  @usableFromInline let count: Cell<Int>
  private let isStrict: Bool
  @usableFromInline let state = Lock(DropState())

  @usableFromInline
  init(downstream: Downstream<Input, Failure>, count: Int, isStrict: Bool) {
    self.downstream = downstream
    self.isStrict = isStrict
    self.count = Cell(count)
  }

  @usableFromInline
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  @usableFromInline
  func endAttaching() { state.withLock { $0.endAttaching() } }

  @usableFromInline
  func receive(subscription: any Subscription) {
    precondition(count.value >= 0, "a negative number of values cannot be dropped")
    switch state.withLock({ $0.accept(subscription, dropping: count.value, isStrict: isStrict) }) {
    case .cancel: subscription.cancel()
    case .request(let demand): if demand != .none { subscription.request(demand) }
    }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    if count.value <= 0 { return downstream.receive(contentsOf: batch) }
    count.value -= 1
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    _ = state.withLock { $0.complete() }
    downstream.receive(completion: completion)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none, "request more than no values")
    state.withLock { $0.request(demand) }?.request(demand)
  }

  @usableFromInline
  func cancel() {
    BatchProgress.noteAction()
    state.withLock { $0.cancel() }?.cancel()
  }
}

extension Publisher {
  /// Leaves out the first `count` values.
  ///
  /// The subscription is sent before the upstream is subscribed; `count` values are requested in addition to
  /// what the downstream requests. Completion, failure and cancellation pass through. A request for no values
  /// traps, and so does a negative `count` on subscription. Values stay on the thread on which they arrive.
  ///
  ///     let cancellable = (1...5).publisher.dropFirst(3).sink { print($0) }
  ///     // 4, 5
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    Publishers.Drop(upstream: self, count: count)
  }
}
