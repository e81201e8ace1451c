extension Publishers {
  /// A publisher that replaces its upstream's failure with another.
  ///
  /// Made by ``Publisher/mapError(_:)``, which describes it.
  public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that turns the upstream's failure into another.
    public let transform: (Upstream.Failure) -> Failure

    /// Makes the publisher that `mapError(_:)` returns.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Failure) -> Failure) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Makes the publisher that `mapError(_:)` returns, without a label for the closure.
    @inlinable
    public init(upstream: Upstream, _ map: @escaping (Upstream.Failure) -> Failure) {
      self.init(upstream: upstream, transform: map)
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(MapErrorInner(downstream: Downstream(subscriber), transform: transform))
    }
  }
}

@usableFromInline
final class MapErrorInner<Input, Failure: Error, NewFailure: Error>: Subscriber, Inner {
  @usableFromInline static var name: String { "MapError" }

  @usableFromInline let downstream: Downstream<Input, NewFailure>
  @usableFromInline let transform: (Failure) -> NewFailure

  @inlinable
  init(downstream: Downstream<Input, NewFailure>, transform: @escaping (Failure) -> NewFailure) {
    self.downstream = downstream
    self.transform = transform
  }

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
  func receive(completion: Subscribers.Completion<Failure>) {
    downstream.receive(completion: completion.mapError(transform))
  }
}

extension Publisher {
  /// Replaces a failure with the one that a closure makes of it.
  ///
  /// Values, demand, a normal completion and cancellation pass through unchanged. The closure is called on
  /// the thread on which the failure arrives.
  ///
  ///     let cancellable = lines.mapError { ImportError.unreadable($0) }
  ///       .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  @inlinable
  public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> Publishers.MapError<Self, E> {
    Publishers.MapError(upstream: self, transform: transform)
  }
}
