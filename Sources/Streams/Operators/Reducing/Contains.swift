extension Publishers {
  /// A publisher that says whether its upstream sends a value.
  ///
  /// Made by ``Publisher/contains(_:)``, which describes it.
  public struct Contains<Upstream: Publisher>: Publisher where Upstream.Output: Equatable {
    /// The one value is true or false.
    public typealias Output = Bool
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The value to look for.
    public let output: Upstream.Output

    /// Makes the publisher that `contains(_:)` returns.
    @inlinable
    public init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Upstream.Failure == S.Failure, S.Input == Bool {
      let sought = output
      upstream.subscribe(
        ReduceInner<Upstream.Output, Bool, Failure, Failure>(
          downstream: Downstream(subscriber), name: "Contains", initial: false, convert: { $0 },
          step: { isFound, value in
            guard value == sought else { return .more }
            isFound.pointee = true
            return .done
          }))
    }
  }

  /// A publisher that says whether its upstream sends a value that satisfies a predicate.
  ///
  /// Made by ``Publisher/contains(where:)``, which describes it.
  public struct ContainsWhere<Upstream: Publisher>: Publisher {
    /// The one value is true or false.
    public typealias Output = Bool
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that says whether a value is one to look for.
    public let predicate: (Upstream.Output) -> Bool

    /// Makes the publisher that `contains(where:)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Upstream.Failure == S.Failure, S.Input == Bool {
      let isSought = predicate
      upstream.subscribe(
        ReduceInner<Upstream.Output, Bool, Failure, Failure>(
          downstream: Downstream(subscriber), name: "ContainsWhere", initial: false, convert: { $0 },
          step: { isFound, value in
            guard isSought(value) else { return .more }
            isFound.pointee = true
            return .done
          }))
    }
  }

  /// A publisher that says whether its upstream sends a value that satisfies a predicate that may throw.
  ///
  /// Made by ``Publisher/tryContains(where:)``, which describes it.
  public struct TryContainsWhere<Upstream: Publisher>: Publisher {
    /// The one value is true or false.
    public typealias Output = Bool
    /// It fails as its upstream does, or with the error that the closure throws.
    public typealias Failure = any Error

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that says whether a value is one to look for.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Makes the publisher that `tryContains(where:)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == any Error, S.Input == Bool {
      let isSought = predicate
      upstream.subscribe(
        ReduceInner<Upstream.Output, Bool, Upstream.Failure, any Error>(
          downstream: Downstream(subscriber), name: "TryContainsWhere", initial: false, convert: { $0 },
          step: { isFound, value in
            guard try isSought(value) else { return .more }
            isFound.pointee = true
            return .done
          }))
    }
  }
}

extension Publishers.Contains: Equatable where Upstream: Equatable {}

extension Publisher where Output: Equatable {
  /// Sends true as soon as a value equals `output`, false if the upstream finishes without one.
  ///
  /// Requests unlimited values. The result is sent as soon as it is known and there is demand for it; when it
  /// is true, the upstream is cancelled first. A failure passes through, without a result. The result is sent
  /// on the thread on which it becomes known, or on the one that requests it later.
  ///
  ///     let cancellable = (1...9).publisher.eraseToAnyPublisher().contains(5).sink { print($0) }
  ///     // true
  @inlinable
  public func contains(_ output: Output) -> Publishers.Contains<Self> {
    Publishers.Contains(upstream: self, output: output)
  }
}

extension Publisher {
  /// Sends true as soon as a value satisfies `predicate`, false if the upstream finishes without one.
  ///
  /// The closure is called on the thread on which the value arrives. Demand, completion and cancellation are
  /// those of ``contains(_:)``.
  ///
  ///     let cancellable = (1...9).publisher.contains { $0 > 8 }.sink { print($0) }
  ///     // true
  @inlinable
  public func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
    Publishers.ContainsWhere(upstream: self, predicate: predicate)
  }

  /// Sends true as soon as a value satisfies `predicate`, which may throw; an error it throws fails the
  /// stream.
  ///
  /// On an error the upstream is cancelled, then the failure is sent. Everything else is as with
  /// ``contains(where:)``.
  @inlinable
  public func tryContains(
    where predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryContainsWhere<Self> {
    Publishers.TryContainsWhere(upstream: self, predicate: predicate)
  }
}
