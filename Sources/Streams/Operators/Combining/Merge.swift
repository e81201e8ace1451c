extension Publishers {
  /// A publisher that sends the values of two publishers as they come.
  ///
  /// Made by `merge(with:)`, which describes it.
  public struct Merge<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure, A.Output == B.Output {
    /// The values are those of the publishers.
    public typealias Output = A.Output
    /// It fails as its publishers do.
    public typealias Failure = A.Failure

    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B

    /// Makes the publisher that `merge(with:)` returns.
    @inlinable
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Subscribes to all the publishers, in their order, on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = MergeInner(subscriber: subscriber, count: 2)
      inner.attach(a, at: 0)
      inner.attach(b, at: 1)
    }
  }
}

extension Publishers.Merge: Equatable where A: Equatable, B: Equatable {}

extension Publisher {
  /// Sends the values of this publisher and of another as they come.
  ///
  /// While demand is limited, one value at a time is requested from each publisher; a value without demand is
  /// kept, and replaced if the same publisher sends another. With unlimited demand, everything is requested
  /// from them.
  ///
  /// The stream finishes when all the publishers have. It fails with the first failure, and the others are
  /// cancelled before that. Cancelling cancels them all. The publishers may send from different threads; the
  /// merged values are serial, on one of these threads or, if a value was kept, on the one that requests it.
  ///
  ///     let cancellable = evens.merge(with: odds).sink { print($0) }
  @inlinable
  public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
  where Failure == P.Failure, Output == P.Output {
    Publishers.Merge(self, other)
  }
}
