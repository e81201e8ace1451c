public import Streams

extension Publisher {
  /// Sends tuples of each value and the one before.
  ///
  /// The first value is kept and another one requested: the downstream gets as many tuples as it requested, if there are that
  /// many. Completion, failure and cancellation pass through.
  ///
  ///     let cancellable = [1, 2, 4].publisher.pairwise().sink { print($0) }
  ///     // (1, 2), (2, 4)
  @inlinable
  public func pairwise()
    -> Publishers.CompactMap<
      Publishers.Scan<Self, (Output?, Output?)>, (Output, Output)
    >
  {
    scan((nil, nil)) { ($0.1, $1) }.compactMap { previous, current in
      if let previous, let current { (previous, current) } else { nil }
    }
  }
}
