extension Publisher {
  /// Replaces every `nil` with `output`.
  ///
  /// Demand, completion, failure and cancellation pass through unchanged. Values stay on the thread on which
  /// they arrive.
  ///
  ///     let cancellable = [1, nil, 3].publisher.eraseToAnyPublisher().replaceNil(with: 0).sink { print($0) }
  ///     // 1, 0, 3
  @inlinable
  public func replaceNil<T>(with output: T) -> Publishers.Map<Self, T> where Output == T? {
    Publishers.Map(upstream: self) { $0 ?? output }
  }
}
