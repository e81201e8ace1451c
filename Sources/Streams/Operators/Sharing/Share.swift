extension Publishers {
  /// A publisher that shares one subscription to its upstream among its subscribers.
  ///
  /// Made by ``Publisher/share()``, which describes it.
  public final class Share<Upstream: Publisher>: Publisher, Equatable {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream

    @usableFromInline let inner: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>

    /// Makes the publisher that `share()` returns.
    @inlinable
    public init(upstream: Upstream) {
      inner = upstream.multicast(subject: PassthroughSubject()).autoconnect()
      self.upstream = upstream
    }

    /// Attaches `subscriber`, and subscribes to the upstream if it is the first one.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      inner.subscribe(subscriber)
    }

    /// Whether both are the same object.
    public static func == (lhs: Share, rhs: Share) -> Bool { lhs === rhs }
  }
}

extension Publisher {
  /// Shares one subscription to this publisher among several subscribers.
  ///
  /// The upstream is subscribed to for the first subscriber and cancelled with the last one. Its demand is
  /// unlimited; a subscriber without demand misses values, and one that comes after the completion gets only
  /// that. A subscriber's values come on the thread on which the upstream sends them.
  ///
  ///     let shared = download.share()
  ///     let cancellables = [shared.sink(receiveValue: show), shared.sink(receiveValue: save)]
  @inlinable
  public func share() -> Publishers.Share<Self> { Publishers.Share(upstream: self) }
}
