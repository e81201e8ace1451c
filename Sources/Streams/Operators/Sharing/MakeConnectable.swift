extension Publishers {
  /// A publisher that sends its upstream's values once it is connected.
  ///
  /// Made by ``Publisher/makeConnectable()``, which describes it.
  public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    @usableFromInline let inner: Multicast<Upstream, PassthroughSubject<Output, Failure>>

    /// Makes the publisher that `makeConnectable()` returns.
    @inlinable
    public init(upstream: Upstream) { inner = upstream.multicast(subject: PassthroughSubject()) }

    /// Attaches `subscriber`, which gets values once the publisher is connected.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      inner.subscribe(subscriber)
    }

    /// Subscribes to the upstream for all subscribers. Cancelling the result ends that subscription.
    @inlinable
    public func connect() -> any Cancellable { inner.connect() }

    /// The same, with the connection told of before the upstream is subscribed to.
    @inlinable
    public func _connect(_ begun: (any Cancellable) -> Void) -> any Cancellable { inner._connect(begun) }
  }
}

extension Publisher where Failure == Never {
  /// Holds this publisher's values back until the result is connected, for all its subscribers at once.
  ///
  /// This publisher is subscribed once for each connection and asked for all its values; a subscriber gets
  /// those for which it has demand, on the thread on which this publisher sends them. A completion goes to
  /// every subscriber. Cancelling the connection cancels this publisher; a subscriber that cancels leaves the
  /// others alone.
  ///
  ///     let numbers = [1, 2].publisher.makeConnectable()
  ///     let cancellable = numbers.sink { print($0) }
  ///     let connection = numbers.connect()  // 1, 2
  @inlinable
  public func makeConnectable() -> Publishers.MakeConnectable<Self> {
    Publishers.MakeConnectable(upstream: self)
  }
}
