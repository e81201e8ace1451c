public import Streams

extension Publishers {
  /// A publisher that subscribes to its upstream again each time that finishes.
  ///
  /// Made by `Publisher/repeat(_:)`, which describes it.
  public struct Repeat<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The number of subscriptions to the upstream; unlimited if it is `nil`.
    public let times: Int?

    /// Makes the publisher that `repeat(_:)` returns. Traps if the number is negative.
    @inlinable
    public init(upstream: Upstream, times: Int?) {
      precondition(times ?? 0 >= 0, "a negative number of repetitions")
      self.upstream = upstream
      self.times = times
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      if times == 0 { return Empty<Output, Failure>().receive(subscriber: subscriber) }
      RetryInner<Output, Failure>(
        downstream: Downstream(subscriber), retries: times.map { $0 - 1 }, cause: .finish
      ) { [upstream] round in upstream.subscribe(round) }.start()
    }
  }
}

extension Publishers.Repeat: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Subscribes to this publisher again each time it finishes, so that its values come several times.
  ///
  /// Demand that was not met is requested from the next subscription. The stream finishes after the last one; a failure passes
  /// through at any time. Cancelling ends it. As with `retry(_:)`, a value without demand traps. The upstream is subscribed to
  /// again on the thread on which it finished, and the subscriptions do not nest.
  ///
  /// A publisher that finishes immediately without a value is repeated immediately, forever if there is no limit, whether or not
  /// there is demand.
  ///
  ///     let cancellable = [1, 2].publisher.repeat(2).sink { print($0) }
  ///     // 1, 2, 1, 2
  ///
  /// - Parameter times: The number of subscriptions to this publisher; by default there is no limit.
  @inlinable
  public func `repeat`(_ times: Int? = nil) -> Publishers.Repeat<Self> {
    Publishers.Repeat(upstream: self, times: times)
  }
}
