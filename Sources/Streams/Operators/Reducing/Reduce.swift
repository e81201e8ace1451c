extension Publishers {
  /// A publisher that folds its upstream's values into one, which it sends when the upstream finishes.
  ///
  /// Made by ``Publisher/reduce(_:_:)``, which describes it.
  public struct Reduce<Upstream: Publisher, Output>: Publisher {
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The result before the first value.
    public let initial: Output
    /// The closure that makes the next result of the one before and a value.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// Makes the publisher that `reduce(_:_:)` returns.
    @inlinable
    public init(
      upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Upstream.Failure == S.Failure {
      let next = nextPartialResult
      upstream.subscribe(
        ReduceInner<Upstream.Output, Output, Failure, Failure>(
          downstream: Downstream(subscriber), name: "Reduce", initial: initial, convert: { $0 },
          step: { result, value in
            result.replace(with: next(result.pointee!, value))
            return .more
          }))
    }
  }

  /// A publisher that folds its upstream's values into one with a closure that may throw.
  ///
  /// Made by ``Publisher/tryReduce(_:_:)``, which describes it.
  public struct TryReduce<Upstream: Publisher, Output>: Publisher {
    /// It fails as its upstream does, or with the error that the closure throws.
    public typealias Failure = any Error

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The result before the first value.
    public let initial: Output
    /// The closure that makes the next result of the one before and a value.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    /// Makes the publisher that `tryReduce(_:_:)` returns.
    @inlinable
    public init(
      upstream: Upstream, initial: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
      let next = nextPartialResult
      upstream.subscribe(
        ReduceInner<Upstream.Output, Output, Upstream.Failure, any Error>(
          downstream: Downstream(subscriber), name: "TryReduce", initial: initial, convert: { $0 },
          step: { result, value in
            result.replace(with: try next(result.pointee!, value))
            return .more
          }))
    }
  }
}

extension Publisher {
  /// Folds all values into one with a closure, and sends the result when the upstream finishes.
  ///
  /// Requests unlimited values. The result is sent as soon as there is demand for it; an upstream that
  /// finishes without values gives `initialResult`. A failure passes through, without a result. The closure
  /// is called on the thread on which the value arrives. The result is sent on the thread on which it becomes
  /// known, or on the one that requests it later.
  ///
  ///     let cancellable = (1...5).publisher.reduce(1, *).sink { print($0) }
  ///     // 120
  @inlinable
  public func reduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: @escaping (Accumulator, Output) -> Accumulator
  ) -> Publishers.Reduce<Self, Accumulator> {
    Publishers.Reduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Folds all values into one with a closure that may throw; an error it throws fails the stream.
  ///
  /// Demand and completion are those of ``reduce(_:_:)``. On an error the upstream is cancelled, then the
  /// failure is sent. The closure is called on the thread on which the value arrives.
  @inlinable
  public func tryReduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: @escaping (Accumulator, Output) throws -> Accumulator
  ) -> Publishers.TryReduce<Self, Accumulator> {
    Publishers.TryReduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }
}
