extension Publishers {
  /// A publisher that sends its upstream's values once it is connected.
  ///
  /// Made by ``Publisher/makeConnectable()``, which describes it.
  public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher, ConnectsOnce {
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

    /// Subscribes to the upstream for all subscribers, after passing the connection to `begun`.
    @inlinable
    public func _connect(_ begun: (any Cancellable) -> Void) -> any Cancellable { inner._connect(begun) }
  }
}

extension Publisher where Failure == Never {
  /// Holds this publisher's values back until the result is connected, for all its subscribers together.
  ///
  /// This publisher is subscribed once for each connection, with unlimited demand; a subscriber gets the
  /// values for which it has demand, on the thread on which this publisher sends them. A completion goes to
  /// every subscriber. Cancelling the connection cancels this publisher; a subscriber that cancels does not
  /// affect the others.
  ///
  ///     let numbers = [1, 2].publisher.makeConnectable()
  ///     let cancellable = numbers.sink { print($0) }
  ///     let connection = numbers.connect()  // 1, 2
  @inlinable
  public func makeConnectable() -> Publishers.MakeConnectable<Self> {
    Publishers.MakeConnectable(upstream: self)
  }
}
