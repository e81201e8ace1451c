extension Publishers {
  /// A publisher of the largest of its upstream's values, which it sends when the upstream finishes.
  ///
  /// Made by ``Publisher/max(by:)`` and ``Publisher/min(by:)``, which describe it.
  public struct Comparison<Upstream: Publisher>: Publisher {
    /// The one value is one of the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that says whether its second argument is larger than its first.
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) -> Bool

    /// Makes the publisher that `max(by:)` returns.
    @inlinable
    public init(
      upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) -> Bool
    ) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(
      subscriber: S
    ) where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      let isIncreasing = areInIncreasingOrder
      upstream.subscribe(
        ReduceInner<Output, Output, Failure, Failure>(
          downstream: Downstream(subscriber), name: "Comparison", initial: nil, convert: { $0 },
          step: { largest, value in
            if let current = largest.pointee, !isIncreasing(current, value) { return .more }
            largest.replace(with: value)
            return .more
          }))
    }
  }

  /// A publisher of the largest of its upstream's values, found with a closure that may throw.
  ///
  /// Made by ``Publisher/tryMax(by:)`` and ``Publisher/tryMin(by:)``, which describe it.
  public struct TryComparison<Upstream: Publisher>: Publisher {
    /// The one value is one of the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does, or with the error that the closure throws.
    public typealias Failure = any Error

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that says whether its second argument is larger than its first.
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) throws -> Bool

    /// Makes the publisher that `tryMax(by:)` returns.
    @inlinable
    public init(
      upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) throws -> Bool
    ) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(
      subscriber: S
    ) where Upstream.Output == S.Input, S.Failure == any Error {
      let isIncreasing = areInIncreasingOrder
      upstream.subscribe(
        ReduceInner<Output, Output, Upstream.Failure, any Error>(
          downstream: Downstream(subscriber), name: "TryComparison", initial: nil, convert: { $0 },
          step: { largest, value in
            if let current = largest.pointee, try !isIncreasing(current, value) { return .more }
            largest.replace(with: value)
            return .more
          }))
    }
  }
}

extension Publisher where Output: Comparable {
  /// Sends the smallest value when the upstream finishes; nothing if there was no value.
  ///
  /// Of several equal values the first is sent. Demand, completion, failure and threads are those of
  /// ``max()``.
  ///
  ///     let cancellable = [2, 3, 1].publisher.eraseToAnyPublisher().min().sink { print($0) }
  ///     // 1
  @inlinable
  public func min() -> Publishers.Comparison<Self> { max(by: >) }

  /// Sends the largest value when the upstream finishes; nothing if there was no value.
  ///
  /// Requests unlimited values. The result is sent as soon as there is demand for it. A failure passes
  /// through, without a result. The result is sent on the thread on which it becomes known, or on the one
  /// that requests it later.
  ///
  ///     let cancellable = [2, 3, 1].publisher.eraseToAnyPublisher().max().sink { print($0) }
  ///     // 3
  @inlinable
  public func max() -> Publishers.Comparison<Self> { max(by: <) }
}

extension Publisher {
  /// Sends the smallest value, found with a closure, when the upstream finishes.
  ///
  /// `areInIncreasingOrder` says whether its second argument is larger than its first. Demand, completion,
  /// failure and threads are those of ``max()``.
  ///
  ///     let cancellable = ["pear", "fig"].publisher.min { $0.count < $1.count }.sink { print($0) }
  ///     // fig
  @inlinable
  public func min(
    by areInIncreasingOrder: @escaping (Output, Output) -> Bool
  ) -> Publishers.Comparison<Self> {
    max { areInIncreasingOrder($1, $0) }
  }

  /// Sends the smallest value, found with a closure that may throw; an error it throws fails the stream.
  ///
  /// On an error the upstream is cancelled, then the failure is sent. Everything else is as with
  /// ``min(by:)``.
  @inlinable
  public func tryMin(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    tryMax { try areInIncreasingOrder($1, $0) }
  }

  /// Sends the largest value, found with a closure, when the upstream finishes.
  ///
  /// `areInIncreasingOrder` says whether its second argument is larger than its first. Demand, completion,
  /// failure and threads are those of ``max()``.
  ///
  ///     let cancellable = ["pear", "fig"].publisher.max { $0.count < $1.count }.sink { print($0) }
  ///     // pear
  @inlinable
  public func max(
    by areInIncreasingOrder: @escaping (Output, Output) -> Bool
  ) -> Publishers.Comparison<Self> {
    Publishers.Comparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }

  /// Sends the largest value, found with a closure that may throw; an error it throws fails the stream.
  ///
  /// On an error the upstream is cancelled, then the failure is sent. Everything else is as with
  /// ``max(by:)``.
  @inlinable
  public func tryMax(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    Publishers.TryComparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }
}
