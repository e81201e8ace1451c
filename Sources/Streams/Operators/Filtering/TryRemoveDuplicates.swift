extension Publishers {
  /// A publisher that sends only those values that differ, by a predicate that may throw, from the value before.
  ///
  /// Made by ``Publisher/tryRemoveDuplicates(by:)``, which describes it.
  public struct TryRemoveDuplicates<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does, or with the error that the closure throws.
    public typealias Failure = any Error

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that says whether its second argument repeats its first.
    public let predicate: (Upstream.Output, Upstream.Output) throws -> Bool

    /// Makes the publisher that `tryRemoveDuplicates(by:)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Output, Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        TryRemoveDuplicatesInner<Output, Upstream.Failure, ThrowingPair<Output, Output, Bool>>(
          downstream: Downstream(subscriber), convert: { $0 }, predicate: ThrowingPair(predicate)))
    }
  }
}

/// A `TryRemoveDuplicates` whose predicate throws errors of the upstream's type.
///
/// For this package alone.
@usableFromInline
package struct TryRemoveDuplicatePairs<Upstream: Publisher, Predicate: PairTransform>: Publisher
where
  Predicate.First == Upstream.Output, Predicate.Second == Upstream.Output, Predicate.Output == Bool,
  Predicate.Failure == Upstream.Failure
{
  @usableFromInline package typealias Output = Upstream.Output
  /// It fails as its upstream does, or with the error that the predicate throws.
  @usableFromInline package typealias Failure = Upstream.Failure

  @usableFromInline let upstream: Upstream
  @usableFromInline let predicate: Predicate

  /// Drops every value that repeats the value before according to `predicate`.
  @inlinable
  package init(upstream: Upstream, predicate: Predicate) {
    self.upstream = upstream
    self.predicate = predicate
  }

  /// Subscribes to the upstream on behalf of `subscriber`.
  @inlinable
  package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(
      TryRemoveDuplicatesInner<Output, Failure, Predicate>(
        downstream: Downstream(subscriber), convert: { $0 }, predicate: predicate))
  }
}

@usableFromInline
final class TryRemoveDuplicatesInner<Input, Failure: Error, Predicate: PairTransform>: BatchSubscriber,
  Subscription, Inner
where Predicate.First == Input, Predicate.Second == Input, Predicate.Output == Bool {
  @usableFromInline static var name: String { "TryRemoveDuplicates" }

  @usableFromInline let downstream: Downstream<Input, Predicate.Failure>
  @usableFromInline let convert: (Failure) -> Predicate.Failure
  @usableFromInline let predicate: Predicate
  @usableFromInline let upstream = FilterSlot()
  @usableFromInline let last = Cell<Input?>(nil)

  @inlinable
  init(
    downstream: Downstream<Input, Predicate.Failure>, convert: @escaping (Failure) -> Predicate.Failure,
    predicate: Predicate
  ) {
    self.downstream = downstream
    self.convert = convert
    self.predicate = predicate
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    if upstream.accept(subscription) { downstream.receive(subscription: self) }
  }

  @inlinable @inline(__always)
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    guard upstream.isOpen else { return .refused() }
    guard var previous = batch.lend(0, to: { exchange(&last.value, with: copy $0) }) else {
      return downstream.receive(contentsOf: batch)
    }
    let demand = deliver(batch, after: &previous)
    // Released here, since the release may send.
    withExtendedLifetime(previous) {}
    return demand
  }

  @inlinable @inline(__always)
  func deliver(_ batch: UnsafeBufferPointer<Input>, after previous: inout Input) -> Subscribers.Demand {
    do throws(Predicate.Failure) {
      let isDuplicate = try _withUnprotectedUnsafeMutablePointer(to: &previous) {
        previous throws(Predicate.Failure) in
        try predicate(previous, batch.baseAddress.unsafelyUnwrapped)
      }
      return isDuplicate ? .max(1) : downstream.receive(contentsOf: batch)
    } catch {
      fail(error)
      return .none
    }
  }

  @usableFromInline
  func fail(_ error: Predicate.Failure) {
    guard let subscription = upstream.end() else { return }
    subscription.cancel()
    downstream.receive(completion: .failure(error))
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    if upstream.complete() { downstream.receive(completion: completion.mapError(convert)) }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { upstream.request(demand) }

  @usableFromInline
  func cancel() { upstream.cancel() }

  @usableFromInline var customMirror: Mirror {
    Mirror(self, children: ["downstream": downstream.subscriber, "last": last.value as Any])
  }
}

extension Publisher {
  /// Drops every value that, according to a predicate that may throw, repeats the value before; an error it
  /// throws fails the stream.
  ///
  /// The predicate gets the last value, sent or not, and the new one; it is not called for the first value. A
  /// dropped value is requested again. On an error the upstream is cancelled, then the failure is sent. The
  /// closure is called on the thread on which the value arrives.
  ///
  ///     let cancellable = lines.tryRemoveDuplicates { try parse($0) == parse($1) }
  ///       .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryRemoveDuplicates<Self> {
    Publishers.TryRemoveDuplicates(upstream: self, predicate: predicate)
  }
}
