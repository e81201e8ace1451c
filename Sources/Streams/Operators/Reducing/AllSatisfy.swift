extension Publishers {
  /// A publisher that says whether all its upstream's values satisfy a predicate.
  ///
  /// Made by ``Publisher/allSatisfy(_:)``, which describes it.
  public struct AllSatisfy<Upstream: Publisher>: Publisher {
    /// The one value is true or false.
    public typealias Output = Bool
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The predicate that all values must satisfy.
    public let predicate: (Upstream.Output) -> Bool

    /// Makes the publisher that `allSatisfy(_:)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Upstream.Failure == S.Failure, S.Input == Bool {
      let isSatisfied = predicate
      upstream.subscribe(
        ReduceInner<Upstream.Output, Bool, Failure, Failure>(
          downstream: Downstream(subscriber), name: "AllSatisfy", initial: true, convert: { $0 },
          step: { allSatisfied, value in
            if isSatisfied(value) { return .more }
            allSatisfied.pointee = false
            return .done
          }))
    }
  }

  /// A publisher that says whether all its upstream's values satisfy a predicate that may throw.
  ///
  /// Made by ``Publisher/tryAllSatisfy(_:)``, which describes it.
  public struct TryAllSatisfy<Upstream: Publisher>: Publisher {
    /// The one value is true or false.
    public typealias Output = Bool
    /// It fails as its upstream does, or with the error that the closure throws.
    public typealias Failure = any Error

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The predicate that all values must satisfy.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Makes the publisher that `tryAllSatisfy(_:)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == any Error, S.Input == Bool {
      let isSatisfied = predicate
      upstream.subscribe(
        ReduceInner<Upstream.Output, Bool, Upstream.Failure, any Error>(
          downstream: Downstream(subscriber), name: "TryAllSatisfy", initial: true, convert: { $0 },
          step: { allSatisfied, value in
            if try isSatisfied(value) { return .more }
            allSatisfied.pointee = false
            return .done
          }))
    }
  }
}

extension Publisher {
  /// Sends false as soon as a value does not satisfy `predicate`, true if the upstream finishes without one.
  ///
  /// Requests unlimited values. The result is sent as soon as it is known and there is demand for it; when it
  /// is false, the upstream is cancelled first. A failure passes through, without a result. The closure is
  /// called on the thread on which the value arrives. The result is sent on the thread on which it becomes
  /// known, or on the one that requests it later.
  ///
  ///     let cancellable = (1...9).publisher.eraseToAnyPublisher().allSatisfy { $0 < 5 }.sink { print($0) }
  ///     // false
  @inlinable
  public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
    Publishers.AllSatisfy(upstream: self, predicate: predicate)
  }

  /// Sends false as soon as a value does not satisfy `predicate`, which may throw; an error it throws fails
  /// the stream.
  ///
  /// On an error the upstream is cancelled, then the failure is sent. Everything else is as with
  /// ``allSatisfy(_:)``.
  @inlinable
  public func tryAllSatisfy(
    _ predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryAllSatisfy<Self> {
    Publishers.TryAllSatisfy(upstream: self, predicate: predicate)
  }
}
