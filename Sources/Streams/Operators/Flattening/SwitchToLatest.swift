extension Publishers {
  /// A publisher that sends the values of the latest of the publishers that its upstream sends.
  ///
  /// Made by `switchToLatest()`, which describes it.
  public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Publisher
  where P == Upstream.Output, P.Failure == Upstream.Failure {
    /// The values are those of the publishers that the upstream sends.
    public typealias Output = P.Output
    /// It fails as the publishers that the upstream sends do.
    public typealias Failure = P.Failure

    /// The publisher from which this publisher receives publishers.
    public let upstream: Upstream
    /// Whether a publisher whose subscription comes after the upstream's failure is cancelled. Combine keeps it, and
    /// sends none of its values.
    @usableFromInline package var isStrict = false

    /// Makes the publisher that `switchToLatest()` returns.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = SwitchToLatestInner<P, Output, Failure>(
        downstream: Downstream(subscriber), isStrict: isStrict, single: { $0.singleValue },
        attach: { publisher, child in publisher.subscribe(child) })
      subscriber.receive(subscription: inner)
      upstream.subscribe(inner)
    }
  }
}

extension Publishers.SwitchToLatest: Strict {}

extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Sends the values of the publisher that was received last; the one before is cancelled.
  ///
  /// Requests unlimited publishers. Demand that is left is requested from the next publisher, including demand
  /// returned for a value during whose delivery that publisher arrived. A request for no values traps, and so does a
  /// value without demand.
  ///
  /// The stream finishes when this publisher and the latest of its publishers have. It fails with the first failure
  /// of either, after the other has been cancelled. Cancelling cancels the latest publisher, then this one. The
  /// publishers may send from different threads; their values are passed on serially, on one of these threads.
  ///
  ///     let cancellable = searchTerms
  ///       .map { term in search(term) }
  ///       .switchToLatest()
  ///       .sink { show($0) }
  @inlinable
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Output: Publisher, Failure == Never {
  /// Sends the values of the publisher that was received last; the one before is cancelled.
  ///
  /// This publisher itself cannot fail, so the stream's failures are those of the publishers it sends.
  /// Everything else is as with the form in which both may fail.
  @inlinable
  public func switchToLatest()
    -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>>
  {
    Publishers.SwitchToLatest(upstream: setFailureType(to: Output.Failure.self))
  }
}

extension Publisher where Output: Publisher, Failure == Never, Output.Failure == Never {
  /// Sends the values of the publisher that was received last; the one before is cancelled.
  ///
  /// Neither this publisher nor those it sends can fail. Everything else is as with the form in which both
  /// may.
  @inlinable
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
  /// Sends the values of the publisher that was received last; the one before is cancelled.
  ///
  /// The publishers it sends cannot fail, so the stream's failures are this publisher's. Everything else is
  /// as with the form in which both may fail.
  @inlinable
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<Output, Failure>,
      Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
    >
  {
    Publishers.SwitchToLatest(upstream: map { $0.setFailureType(to: Failure.self) })
  }
}
