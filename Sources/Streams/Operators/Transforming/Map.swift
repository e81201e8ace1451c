extension Publishers {
  /// A publisher that sends each of its upstream's values transformed.
  ///
  /// Made by `map(_:)`, which describes it.
  public struct Map<Upstream: Publisher, Output>: Publisher {
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that transforms values.
    public let transform: (Upstream.Output) -> Output

    /// Makes the publisher that `map(_:)` returns.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(MapInner(downstream: Downstream(subscriber), transform: transform))
    }
  }
}

@usableFromInline
final class MapInner<Input, Output, Failure: Error>: Subscriber, Inner {
  @usableFromInline static var name: String { "Map" }

  @usableFromInline let downstream: Downstream<Output, Failure>
  @usableFromInline let transform: (Input) -> Output

  @inlinable
  init(downstream: Downstream<Output, Failure>, transform: @escaping (Input) -> Output) {
    self.downstream = downstream
    self.transform = transform
  }

  @inlinable
  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(transform(input)) }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(several: batch) }
    var output = batch.lend(0, to: transform)
    return downstream.receive(&output)
  }

  @inlinable @inline(never)
  func receive(several batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    downstream.receive(mapping: batch, transform)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }
}

extension Publisher {
  /// Transforms every value with a closure.
  ///
  /// Demand, completion, failure and cancellation pass through unchanged. The closure is called on the thread
  /// on which the value arrives.
  ///
  ///     let cancellable = [1, 2, 3].publisher.map { $0 * 10 }.sink { print($0) }
  ///     // 10, 20, 30
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
    Publishers.Map(upstream: self, transform: transform)
  }
}

extension Publishers.Map {
  /// Two maps in a row are one.
  ///
  /// It does what the two would do one after the other. The closures are composed when the chain is built, so
  /// a value passes one operator less.
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Upstream, T> {
    let first = self.transform
    return Publishers.Map<Upstream, T>(upstream: upstream) { transform(first($0)) }
  }
}
