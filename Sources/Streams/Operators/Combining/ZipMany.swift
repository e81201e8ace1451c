/// A zip of any number of publishers of one type, known only at run time: it sends arrays instead of tuples, or
/// other results made of the values, and finishes immediately if there are no publishers.
///
/// For this package alone: Combine has no such publisher, and programs have their own under this name.
@usableFromInline
package struct ZipMany<Upstream: Publisher, Combining: RowTransform>: Publisher
where Combining.Element == Upstream.Output, Combining.Failure == Upstream.Failure {
  @usableFromInline package typealias Output = Combining.Output
  /// It fails as its publishers do, or with an error of the transform that makes its values.
  @usableFromInline package typealias Failure = Upstream.Failure

  /// The publishers whose values are combined.
  @usableFromInline package let publishers: [Upstream]

  /// Makes each result from one value of each publisher, in order.
  @usableFromInline let combining: Combining

  /// Zips publishers; results are made of their values without an array in between.
  @inlinable
  package init(_ publishers: [Upstream], combining: Combining) {
    self.publishers = publishers
    self.combining = combining
  }

  /// Subscribes to all the publishers, in their order, on behalf of `subscriber`.
  @inlinable
  package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let branches = ContiguousArray(publishers.map { _ in ZipBranch<Upstream.Output>() })
    let inner = ZipInner(subscriber: subscriber, branches: ContiguousArray(branches.map { $0 })) {
      [combining = combining.forSubscription()] empty throws(Failure) in
      try combining(branches) { $0.take(&empty) }
    }
    for (publisher, branch) in Swift.zip(publishers, branches) { inner.attach(publisher, branch) }
    if publishers.isEmpty { inner.finishEmpty() }
  }
}

extension ZipMany where Combining == ArrayOfRow<Upstream.Output, Upstream.Failure> {
  /// Zips the given publishers; sends arrays with one value of each, in the publishers' order.
  @inlinable
  package init(_ upstream: Upstream...) { self.init(upstream) }

  /// Zips the publishers in a sequence.
  @inlinable
  package init<S: Sequence>(_ upstream: S) where Upstream == S.Element {
    self.init(Array(upstream), combining: ArrayOfRow())
  }
}

extension ZipMany: Equatable where Upstream: Equatable {
  @usableFromInline
  package static func == (left: Self, right: Self) -> Bool { left.publishers == right.publishers }
}
