extension Publishers {
  /// A publisher that sends only those values that differ from the value before.
  ///
  /// Made by ``Publisher/removeDuplicates(by:)``, which describes it.
  public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that says whether its second argument repeats its first.
    public let predicate: (Upstream.Output, Upstream.Output) -> Bool

    /// Makes the publisher that `removeDuplicates(by:)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Output, Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(RemoveDuplicatesInner(downstream: Downstream(subscriber), predicate: predicate))
    }
  }
}

@usableFromInline
final class RemoveDuplicatesInner<Input, Failure: Error>: BatchSubscriber, Subscription, Inner {
  @usableFromInline static var name: String { "RemoveDuplicates" }

  @usableFromInline let downstream: Downstream<Input, Failure>
  @usableFromInline let predicate: (Input, Input) -> Bool
  @usableFromInline let upstream = FilterSlot()
  @usableFromInline let last = Cell<Input?>(nil)

  @inlinable
  init(downstream: Downstream<Input, Failure>, predicate: @escaping (Input, Input) -> Bool) {
    self.downstream = downstream
    self.predicate = predicate
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    if upstream.accept(subscription) { downstream.receive(subscription: self) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard upstream.isOpen else { return .refused() }
    guard batch.isSingle else { return receive(inStep: batch) }
    let previous = batch.lend(0) { replaceLast(with: $0) }
    let isDuplicate = previous.map { previous in batch.lend(0) { predicate(previous, $0) } } ?? false
    let demand = isDuplicate ? .max(1) : downstream.receive(contentsOf: batch)
    withExtendedLifetime(previous) {}
    return demand
  }

  /// Returns the value before this one. Releasing it may send, and so must come after the delivery.
  @inlinable @inline(__always)
  func replaceLast(with value: Input) -> Input? { exchange(&last.value, with: value) }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    if upstream.complete() { downstream.receive(completion: completion) }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { upstream.request(demand) }

  @usableFromInline
  func cancel() { upstream.cancel() }

  @usableFromInline var customMirror: Mirror {
    Mirror(self, children: ["downstream": downstream.subscriber, "last": last.value as Any])
  }
}

extension Publisher where Output: Equatable {
  /// Drops every value that equals the value before.
  ///
  /// A dropped value is requested again: downstream gets as many values as it requested. Completion and
  /// failure pass through. Values stay on the thread on which they arrive.
  ///
  ///     let cancellable = [1, 1, 2, 1].publisher.removeDuplicates().sink { print($0) }
  ///     // 1, 2, 1
  @inlinable
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
    removeDuplicates { $0 == $1 }
  }
}

extension Publisher {
  /// Drops every value that, according to `predicate`, repeats the value before.
  ///
  /// The predicate gets the last value, sent or not, and the new one; it is not called for the first value.
  /// Demand and the end are handled as by ``removeDuplicates()``. The closure is called on the thread on
  /// which the value arrives.
  ///
  ///     let cancellable = [1, 3, 2].publisher.removeDuplicates { $0 % 2 == $1 % 2 }.sink { print($0) }
  ///     // 1, 2
  @inlinable
  public func removeDuplicates(
    by predicate: @escaping (Output, Output) -> Bool
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }
}
