extension Publishers {
  /// A publisher with a failure type, made of one that cannot fail.
  ///
  /// Made by ``Publisher/setFailureType(to:)``, which describes it.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher
  where Upstream.Failure == Never {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream

    /// Makes the publisher that `setFailureType(to:)` returns.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(SetFailureTypeInner(downstream: Downstream(subscriber)))
    }

    /// The failure type that was set last is the one that counts.
    @inlinable
    public func setFailureType<E: Error>(to failure: E.Type) -> Publishers.SetFailureType<Upstream, E> {
      Publishers.SetFailureType(upstream: upstream)
    }
  }
}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}

@usableFromInline
final class SetFailureTypeInner<Input, NewFailure: Error>: Subscriber, Inner {
  @usableFromInline typealias Failure = Never
  @usableFromInline static var name: String { "SetFailureType" }

  @usableFromInline let downstream: Downstream<Input, NewFailure>

  @inlinable
  init(downstream: Downstream<Input, NewFailure>) { self.downstream = downstream }

  @inlinable
  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    downstream.receive(contentsOf: batch)
  }

  /// Values bypass this subscriber.
  @inlinable
  func _delivery() -> (UnsafeBufferPointer<Input>) -> Subscribers.Demand { downstream.deliver }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Never>) { downstream.receive(completion: .finished) }
}

extension Publisher where Failure == Never {
  /// Gives a publisher that cannot fail the failure type that is needed to combine it with one that can.
  ///
  /// Nothing else changes; everything passes through. Everything stays on its thread.
  ///
  ///     let cancellable = Just(1).setFailureType(to: ImportError.self).merge(with: imported)
  ///       .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  @inlinable
  public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
    Publishers.SetFailureType(upstream: self)
  }
}
