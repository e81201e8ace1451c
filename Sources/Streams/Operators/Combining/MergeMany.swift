extension Publishers {
  /// A publisher that sends the values of any number of publishers of one type as they come.
  ///
  /// A merge of no publishers finishes immediately.
  public struct MergeMany<Upstream: Publisher>: Publisher {
    /// The values are those of the publishers.
    public typealias Output = Upstream.Output
    /// It fails as its publishers do.
    public typealias Failure = Upstream.Failure

    /// The publishers whose values are sent.
    public let publishers: [Upstream]

    /// Merges the given publishers.
    @inlinable
    public init(_ upstream: Upstream...) { publishers = upstream }

    /// Merges the publishers in a sequence.
    @inlinable
    public init<S: Swift.Sequence>(_ upstream: S) where Upstream == S.Element { publishers = Array(upstream) }

    /// Subscribes to all the publishers, in their order, on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = MergeInner(subscriber: subscriber, count: publishers.count)
      for (index, publisher) in publishers.enumerated() { inner.attach(publisher, at: index) }
    }

    /// Adds another publisher to the merge.
    ///
    /// The result is one merge of one publisher more, not a merge of merges.
    @inlinable
    public func merge(with other: Upstream) -> MergeMany<Upstream> { MergeMany(publishers + [other]) }
  }
}

extension Publishers.MergeMany: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Sends the values of this publisher and of another of the same type as they come.
  ///
  /// The result can be merged with any number of further publishers of that type. Demand, completion,
  /// failure, cancellation and threads are those of the form for publishers of different types.
  ///
  ///     let cancellable = [1, 3].publisher.merge(with: [2, 4].publisher).sink { print($0) }
  ///     // 1, 3, 2, 4
  @inlinable
  public func merge(with other: Self) -> Publishers.MergeMany<Self> { Publishers.MergeMany(self, other) }
}
