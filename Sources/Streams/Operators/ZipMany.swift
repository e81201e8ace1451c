/// A publisher that sends arrays of the values of any number of publishers of one type, in the order in which
/// they come.
///
/// An addition to Combine, for a number of publishers that is known at run time only. It does what `zip` does;
/// a zip of no publishers finishes at once.
///
/// It is not one of ``Publishers``: programs extend these by types of their own, and a second type of the same
/// name would be ambiguous there.
///
///     let ticket = ZipMany([[1, 2].publisher, [10, 20].publisher]).sink { print($0) }
///     // [1, 10], [2, 20]
public struct ZipMany<Upstream: Publisher>: Publisher {
  /// The values are arrays with one value of each publisher, in the publishers' order.
  public typealias Output = [Upstream.Output]
  /// It fails as its publishers do.
  public typealias Failure = Upstream.Failure

  /// The publishers whose values are combined.
  public let publishers: [Upstream]

  /// Zips the given publishers.
  @inlinable
  public init(_ upstream: Upstream...) { publishers = upstream }

  /// Zips the publishers in a sequence.
  @inlinable
  public init<S: Sequence>(_ upstream: S) where Upstream == S.Element { publishers = Array(upstream) }

  /// Subscribes to all the publishers, in their order, on behalf of `subscriber`.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let branches = publishers.map { _ in ZipBranch<Upstream.Output>() }
    let inner = ZipInner(subscriber: subscriber, branches: ContiguousArray(branches)) { empty in
      branches.map { $0.take(&empty) }
    }
    for (publisher, branch) in Swift.zip(publishers, branches) { inner.attach(publisher, branch) }
    if publishers.isEmpty { inner.finishEmpty() }
  }
}

extension ZipMany: Equatable where Upstream: Equatable {}
