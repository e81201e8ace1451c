public import Streams

extension Publishers {
  /// A publisher that drops values whose key an earlier value had.
  ///
  /// Made by ``Streams/Publisher/removeAllDuplicates(by:)``, which describes it.
  public struct RemoveAllDuplicates<Upstream: Publisher, Key: Hashable>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that returns a value's key.
    public let key: (Upstream.Output) -> Key

    /// Makes the publisher that `removeAllDuplicates(by:)` returns.
    public init(upstream: Upstream, key: @escaping (Upstream.Output) -> Key) {
      self.upstream = upstream
      self.key = key
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(RemoveAllDuplicatesInner(downstream: Downstream(subscriber), key: key))
    }
  }
}

private final class RemoveAllDuplicatesInner<Input, Failure: Error, Key: Hashable>: BatchSubscriber,
  Subscription,
  Inner
{
  static var name: String { "RemoveAllDuplicates" }

  private let downstream: Downstream<Input, Failure>
  private let key: (Input) -> Key
  private let upstream = SubscriptionSlot()
  private let known = Cell<Set<Key>>([])

  init(downstream: Downstream<Input, Failure>, key: @escaping (Input) -> Key) {
    self.downstream = downstream
    self.key = key
  }

  func receive(subscription: any Subscription) {
    if upstream.accept(subscription) { downstream.receive(subscription: self) }
  }

  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    guard upstream.phase == .subscribed else { return .refused() }
    let key = batch.lend(0, to: key)
    return known.value.insert(key).inserted ? downstream.receive(contentsOf: batch) : .max(1)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    if upstream.end() != nil { downstream.receive(completion: completion) }
  }

  func request(_ demand: Subscribers.Demand) { upstream.current?.request(demand) }

  func cancel() { upstream.endIfSubscribed()?.cancel() }
}

extension Publisher {
  /// Drops every value that has the same key as an earlier one, however long ago that was.
  ///
  /// Each subscription remembers all its keys until it ends. A dropped value is requested again: the downstream gets as many
  /// values as it requested. Completion, failure and cancellation pass through.
  ///
  ///     let cancellable = ["a", "bc", "d"].publisher.removeAllDuplicates { $0.count }.sink { print($0) }
  ///     // a, bc
  ///
  /// - Parameter key: Returns a value's key. It is called on the thread on which the value arrives.
  public func removeAllDuplicates<Key: Hashable>(
    by key: @escaping (Output) -> Key
  ) -> Publishers.RemoveAllDuplicates<Self, Key> {
    Publishers.RemoveAllDuplicates(upstream: self, key: key)
  }
}

extension Publisher where Output: Hashable {
  /// Drops every value that equals an earlier one, however long ago that was.
  ///
  /// It is ``removeAllDuplicates(by:)`` with the values themselves as keys.
  ///
  ///     let cancellable = [1, 2, 1, 3].publisher.removeAllDuplicates().sink { print($0) }
  ///     // 1, 2, 3
  public func removeAllDuplicates() -> Publishers.RemoveAllDuplicates<Self, Output> {
    removeAllDuplicates { $0 }
  }
}
