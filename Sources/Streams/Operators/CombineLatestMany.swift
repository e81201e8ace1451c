/// A publisher that sends arrays of the latest values of any number of publishers of one type.
///
/// An addition to Combine, for a number of publishers that is known at run time only. It does what
/// `combineLatest` does; of no publishers, it finishes at once.
///
/// It is not one of ``Publishers``: programs extend these by types of their own, and a second type of the same
/// name would be ambiguous there.
///
///     let ticket = CombineLatestMany(sensors).sink { print("hottest", $0.max()!) }
public struct CombineLatestMany<Upstream: Publisher>: Publisher {
  /// The values are arrays with one value of each publisher, in the publishers' order.
  public typealias Output = [Upstream.Output]
  /// It fails as its publishers do.
  public typealias Failure = Upstream.Failure

  /// The publishers whose values are combined.
  public let publishers: [Upstream]

  /// Combines the given publishers.
  @inlinable
  public init(_ upstream: Upstream...) { publishers = upstream }

  /// Combines the publishers in a sequence.
  @inlinable
  public init<S: Sequence>(_ upstream: S) where Upstream == S.Element { publishers = Array(upstream) }

  /// Subscribes to all the publishers, in their order, on behalf of `subscriber`.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let branches = publishers.map { _ in LatestBranch<Upstream.Output>() }
    let inner = CombineLatestInner(subscriber: subscriber, branches: ContiguousArray(branches)) {
      branches.map { $0.current }
    }
    for (publisher, branch) in Swift.zip(publishers, branches) { inner.attach(publisher, branch) }
    if publishers.isEmpty { inner.finishEmpty() }
  }
}

extension CombineLatestMany: Equatable where Upstream: Equatable {}
