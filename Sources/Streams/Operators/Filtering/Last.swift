extension Publishers {
  /// A publisher of its upstream's last value.
  ///
  /// Made by ``Publisher/last()``, which describes it.
  public struct Last<Upstream: Publisher>: Publisher {
    /// The one value is one of the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream

    /// Makes the publisher that `last()` returns.
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
          downstream: Downstream(subscriber), name: "Last", initial: nil, convert: { $0 },
          step: { last, value in
            last.replace(with: value)
            return .more
          }))
    }
  }

  /// A publisher of its upstream's last value that satisfies a predicate.
  ///
  /// Made by ``Publisher/last(where:)``, which describes it.
  public struct LastWhere<Upstream: Publisher>: Publisher {
    /// The one value is one of the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that says whether a value is one to send.
    public let predicate: (Upstream.Output) -> Bool

    /// Makes the publisher that `last(where:)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
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
          downstream: Downstream(subscriber), name: "LastWhere", initial: nil, convert: { $0 },
          step: { last, value in
            if isSought(value) { last.replace(with: value) }
            return .more
          }))
    }
  }

  /// A publisher of its upstream's last value that satisfies a predicate that may throw.
  ///
  /// Made by ``Publisher/tryLast(where:)``, which describes it.
  public struct TryLastWhere<Upstream: Publisher>: Publisher {
    /// The one value is one of the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does, or with the error that the closure throws.
    public typealias Failure = any Error

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that says whether a value is one to send.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Makes the publisher that `tryLast(where:)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
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
          downstream: Downstream(subscriber), name: "TryLastWhere", initial: nil, convert: { $0 },
          step: { last, value in
            if try isSought(value) { last.replace(with: value) }
            return .more
          }))
    }
  }
}

extension Publishers.Last: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Sends the last value when the upstream finishes; nothing if there was no value.
  ///
  /// Requests unlimited values. The value is sent as soon as there is demand for it. A failure passes
  /// through, without a value. The result is sent on the thread on which it becomes known, or on the one that
  /// requests it later.
  ///
  ///     let cancellable = (1...9).publisher.eraseToAnyPublisher().last().sink { print($0) }
  ///     // 9
  @inlinable
  public func last() -> Publishers.Last<Self> { Publishers.Last(upstream: self) }

  /// Sends the last value that satisfies `predicate` when the upstream finishes.
  ///
  /// The closure is called on the thread on which the value arrives. Demand and completion are those of
  /// ``last()``.
  ///
  ///     let cancellable = (1...9).publisher.last { $0 % 4 == 0 }.sink { print($0) }
  ///     // 8
  @inlinable
  public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
    Publishers.LastWhere(upstream: self, predicate: predicate)
  }

  /// Sends the last value that satisfies `predicate`, which may throw; an error it throws fails the stream.
  ///
  /// On an error the upstream is cancelled, then the failure is sent. Everything else is as with
  /// ``last(where:)``.
  @inlinable
  public func tryLast(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryLastWhere<Self> {
    Publishers.TryLastWhere(upstream: self, predicate: predicate)
  }
}
