extension Publishers {
  /// A publisher of its upstream's first value.
  ///
  /// Made by ``Publisher/first()``, which describes it.
  public struct First<Upstream: Publisher>: Publisher {
    /// The one value is one of the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream

    /// Makes the publisher that `first()` returns.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(
      subscriber: S
    ) where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      upstream.subscribe(
        ReduceInner<Output, Output, Failure, Failure>(
          downstream: Downstream(subscriber), name: "First", initial: nil, convert: { $0 },
          step: { first, value in
            first.replace(with: value)
            return .done
          }))
    }
  }

  /// A publisher of its upstream's first value that satisfies a predicate.
  ///
  /// Made by ``Publisher/first(where:)``, which describes it.
  public struct FirstWhere<Upstream: Publisher>: Publisher {
    /// The one value is one of the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that says whether a value is the one to send.
    public let predicate: (Output) -> Bool

    /// Makes the publisher that `first(where:)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(
      subscriber: S
    ) where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      let isSought = predicate
      upstream.subscribe(
        ReduceInner<Output, Output, Failure, Failure>(
          // The name is Combine's.
          downstream: Downstream(subscriber), name: "TryFirst", initial: nil, convert: { $0 },
          step: { first, value in
            guard isSought(value) else { return .more }
            first.replace(with: value)
            return .done
          }))
    }
  }

  /// A publisher of its upstream's first value that satisfies a predicate that may throw.
  ///
  /// Made by ``Publisher/tryFirst(where:)``, which describes it.
  public struct TryFirstWhere<Upstream: Publisher>: Publisher {
    /// The one value is one of the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does, or with the error that the closure throws.
    public typealias Failure = any Error

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that says whether a value is the one to send.
    public let predicate: (Output) throws -> Bool

    /// Makes the publisher that `tryFirst(where:)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(
      subscriber: S
    ) where Upstream.Output == S.Input, S.Failure == any Error {
      let isSought = predicate
      upstream.subscribe(
        ReduceInner<Output, Output, Upstream.Failure, any Error>(
          downstream: Downstream(subscriber), name: "TryFirstWhere", initial: nil, convert: { $0 },
          step: { first, value in
            guard try isSought(value) else { return .more }
            first.replace(with: value)
            return .done
          }))
    }
  }
}

extension Publishers.First: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Sends the first value, then finishes.
  ///
  /// Requests unlimited values. The upstream is cancelled at the first value, which is sent as soon as there
  /// is demand for it. An upstream that finishes without a value is passed on; so is a failure. The result is
  /// sent on the thread on which it becomes known, or on the one that requests it later.
  ///
  ///     let cancellable = (1...9).publisher.eraseToAnyPublisher().first().sink { print($0) }
  ///     // 1
  @inlinable
  public func first() -> Publishers.First<Self> { Publishers.First(upstream: self) }

  /// Sends the first value that satisfies `predicate`, then finishes.
  ///
  /// The closure is called on the thread on which the value arrives. Demand, completion and cancellation are
  /// those of ``first()``.
  ///
  ///     let cancellable = (1...9).publisher.first { $0 * $0 > 10 }.sink { print($0) }
  ///     // 4
  @inlinable
  public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
    Publishers.FirstWhere(upstream: self, predicate: predicate)
  }

  /// Sends the first value that satisfies `predicate`, which may throw; an error it throws fails the stream.
  ///
  /// On an error the upstream is cancelled, then the failure is sent. Everything else is as with
  /// ``first(where:)``.
  @inlinable
  public func tryFirst(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryFirstWhere<Self> {
    Publishers.TryFirstWhere(upstream: self, predicate: predicate)
  }
}
