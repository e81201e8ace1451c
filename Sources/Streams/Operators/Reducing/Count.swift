extension Publishers {
  /// A publisher of the number of its upstream's values, which it sends when the upstream finishes.
  ///
  /// Made by ``Publisher/count()``, which describes it.
  public struct Count<Upstream: Publisher>: Publisher {
    /// The one value is a number.
    public typealias Output = Int
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream

    /// Makes the publisher that `count()` returns.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Upstream.Failure == S.Failure, S.Input == Int {
      upstream.subscribe(
        ReduceInner<Upstream.Output, Int, Failure, Failure>(
          downstream: Downstream(subscriber), name: "Count", initial: 0, convert: { $0 },
          step: { count, _ in
            count.pointee! += 1
            return .more
          }))
    }
  }
}

extension Publishers.Count: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Sends the number of values when the upstream finishes.
  ///
  /// Requests unlimited values. The number is sent as soon as there is demand for it. A failure passes
  /// through, without a number. The result is sent on the thread on which it becomes known, or on the one
  /// that requests it later.
  ///
  ///     let cancellable = ["a", "b"].publisher.eraseToAnyPublisher().count().sink { print($0) }
  ///     // 2
  @inlinable
  public func count() -> Publishers.Count<Self> { Publishers.Count(upstream: self) }
}
