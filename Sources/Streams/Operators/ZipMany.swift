/// A zip of any number of publishers of one type, known at run time only: it sends arrays in the place of tuples, and
/// finishes at once if there are none.
///
/// For this package alone: Combine has no such publisher, and programs have their own under this name.
@usableFromInline
package struct ZipMany<Upstream: Publisher>: Publisher {
  /// The values are arrays with one value of each publisher, in the publishers' order.
  @usableFromInline package typealias Output = [Upstream.Output]
  /// It fails as its publishers do.
  @usableFromInline package typealias Failure = Upstream.Failure

  /// The publishers whose values are combined.
  @usableFromInline package let publishers: [Upstream]

  /// Zips the given publishers.
  @inlinable
  package init(_ upstream: Upstream...) { publishers = upstream }

  /// Zips the publishers in a sequence.
  @inlinable
  package init<S: Sequence>(_ upstream: S) where Upstream == S.Element { publishers = Array(upstream) }

  /// Subscribes to all the publishers, in their order, on behalf of `subscriber`.
  @inlinable
  package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let branches = publishers.map { _ in ZipBranch<Upstream.Output>() }
    let inner = ZipInner(subscriber: subscriber, branches: ContiguousArray(branches)) { empty in
      branches.map { $0.take(&empty) }
    }
    for (publisher, branch) in Swift.zip(publishers, branches) { inner.attach(publisher, branch) }
    if publishers.isEmpty { inner.finishEmpty() }
  }
}

extension ZipMany: Equatable where Upstream: Equatable {}
