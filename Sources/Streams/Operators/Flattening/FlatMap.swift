extension Publishers {
  /// A publisher that makes a publisher from each of its upstream's values and sends the values of all of them.
  ///
  /// Made by `flatMap(maxPublishers:_:)`, which describes it.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher.Failure == Upstream.Failure {
    /// The values are those of the new publishers.
    public typealias Output = NewPublisher.Output
    /// It fails as its upstream and the new publishers do.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// How many of the new publishers may be subscribed at the same time.
    public let maxPublishers: Subscribers.Demand
    /// The closure that makes a publisher from a value.
    public let transform: (Upstream.Output) -> NewPublisher
    /// Whether the upstream is cancelled when one of the new publishers fails, and whether nothing is requested from it
    /// if no publishers are allowed. Combine leaves it running; where its subscription is not accessible, nothing could
    /// end it then, and what it retains would never be released.
    @usableFromInline package var isStrict = false
    /// Whether a value for which there is no place yet waits, so that more can be requested from the upstream:
    /// unlimited values, if demand is unlimited and the upstream sends at any time. Only with one publisher at a time.
    @usableFromInline package var keepsValues = false

    /// Makes the publisher that `flatMap(maxPublishers:_:)` returns.
    @inlinable
    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand,
      transform: @escaping (Upstream.Output) -> NewPublisher
    ) {
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let downstream = Downstream<Output, Failure>(subscriber)
      let attach: (Upstream.Output, FlatMapOutput<Output, Failure>) -> Void = { [transform] value, inner in
        let publisher = transform(value)
        if let single = publisher.singleValue, inner.deliverWithoutChild(single.output) { return }
        if let array = publisher.knownArray, inner.deliverWithoutChild(all: array) { return }
        if inner.expectChild() { inner.drops.counting { publisher.subscribe(FlatMapChild(inner)) } }
      }
      if keepsValues {
        let inner = ConcatMapInner(downstream: downstream, cancelsUpstream: isStrict, attach: attach)
        subscriber.receive(subscription: inner)
        return inner.subscribing { upstream.subscribe(inner) }
      }
      let inner = FlatMapInner(
        downstream: downstream, maxPublishers: maxPublishers, cancelsUpstream: isStrict, attach: attach)
      subscriber.receive(subscription: inner)
      upstream.subscribe(inner)
    }
  }
}

extension Publishers.FlatMap: Strict {}

extension Publisher {
  /// All its values, if it is the publisher of an array.
  @inlinable @inline(__always)
  var knownArray: [Output]? {
    if let array = self as? Publishers.Sequence<[Output], Failure> { return array.sequence }
    return (self as? Publishers.SetFailureType<Publishers.Sequence<[Output], Never>, Failure>)?.upstream
      .sequence
  }
}

extension Publisher {
  /// Makes a publisher from each value and sends the values of all of these publishers.
  ///
  /// While the downstream's demand is limited, one value at a time is requested from each of the publishers, and a
  /// value without demand is kept; with unlimited demand, unlimited values are requested from all of them. From the
  /// upstream `maxPublishers` values are requested, and one more whenever one of the publishers has finished and none
  /// of its values is kept any more.
  ///
  /// The stream finishes when the upstream and all the publishers have, and the kept values have been sent. It fails
  /// with the first failure: kept values are dropped and the publishers are cancelled. Cancelling cancels first the
  /// publishers, then the upstream. The publishers may send from different threads; their values are passed on
  /// serially, on one of these threads or, if a value was kept, on the one that requests it.
  ///
  ///     let cancellable = [1, 2].publisher
  ///       .flatMap { [$0, $0 * 10].publisher }
  ///       .sink { print($0) }
  ///     // 1, 10, 2, 20
  @inlinable
  public func flatMap<T, P>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where T == P.Output, P: Publisher, Failure == P.Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher where Failure == Never {
  /// Makes a publisher from each value, which may fail, and sends the values of all of these publishers.
  ///
  /// This publisher itself cannot fail, so the stream's failures are those of the new publishers. Everything
  /// else is as with the form in which both may fail.
  @inlinable
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    Publishers.FlatMap(
      upstream: setFailureType(to: P.Failure.self), maxPublishers: maxPublishers, transform: transform)
  }

  /// Makes a publisher from each value, and sends the values of all of these publishers.
  ///
  /// Neither this publisher nor the new ones can fail. Everything else is as with the form in which both may.
  @inlinable
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher {
  /// Makes a publisher from each value, which cannot fail, and sends the values of all of these publishers.
  ///
  /// The stream's failures are this publisher's. Everything else is as with the form in which both may fail.
  @inlinable
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers) {
      transform($0).setFailureType(to: Failure.self)
    }
  }
}
