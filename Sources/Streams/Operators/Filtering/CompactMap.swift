extension Publishers {
  /// A publisher that sends its upstream's values transformed, without those that became `nil`.
  ///
  /// Made by ``Publisher/compactMap(_:)``, which describes it.
  public struct CompactMap<Upstream: Publisher, Output>: Publisher {
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that transforms values, or drops them by returning `nil`.
    public let transform: (Upstream.Output) -> Output?

    /// Makes the publisher that `compactMap(_:)` returns.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(CompactMapInner(downstream: Downstream(subscriber), transform: transform))
    }
  }
}

@usableFromInline
final class CompactMapInner<Input, Output, Failure: Error>: Subscriber, Inner {
  @usableFromInline static var name: String { "CompactMap" }

  @usableFromInline let downstream: Downstream<Output, Failure>
  @usableFromInline let transform: (Input) -> Output?

  @inlinable
  init(downstream: Downstream<Output, Failure>, transform: @escaping (Input) -> Output?) {
    self.downstream = downstream
    self.transform = transform
  }

  @inlinable
  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    guard let output = transform(input) else { return .max(1) }
    return downstream.receive(output)
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(several: batch) }
    guard var output = batch.lend(0, to: transform) else { return .max(1) }
    return downstream.receive(&output)
  }

  @inlinable @inline(never)
  func receive(several batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    downstream.receive(compactMapping: batch, dropped: .max(1), transform)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }
}

extension Publisher {
  /// Transforms every value with a closure and drops those for which it returns `nil`.
  ///
  /// A dropped value is requested again: downstream gets as many values as it requested. Completion, failure
  /// and cancellation pass through unchanged. The closure is called on the thread on which the value arrives.
  ///
  ///     let cancellable = ["1", "x", "3"].publisher.compactMap { Int($0) }.sink { print($0) }
  ///     // 1, 3
  @inlinable
  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }
}

extension Publishers.CompactMap {
  /// Two compactMaps in a row are one.
  ///
  /// It does what the two would do one after the other. The closures are composed when the chain is built, so
  /// a value passes one operator less.
  @inlinable
  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.CompactMap<Upstream, T>(upstream: upstream) { first($0).flatMap(transform) }
  }

  /// A compactMap and a map in a row are one compactMap.
  ///
  /// It does what the two would do one after the other. The closures are composed when the chain is built, so
  /// a value passes one operator less.
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.CompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.CompactMap<Upstream, T>(upstream: upstream) { first($0).map(transform) }
  }
}
