public import Streams

extension Publisher {
  /// Drops every value that has the same key as one before it, however long ago.
  ///
  /// All keys are remembered until the subscription ends, for each subscriber apart. A dropped value is asked for again:
  /// downstream gets as many values as it requested. Completion, failure and cancellation pass through.
  ///
  ///     let ticket = ["a", "bc", "d"].publisher.removeAllDuplicates { $0.count }.sink { print($0) }
  ///     // a, bc
  ///
  /// - Parameter key: What is compared. It is called on the thread on which the value arrives.
  public func removeAllDuplicates<Key: Hashable>(
    by key: @escaping (Output) -> Key
  ) -> Deferred<Publishers.Filter<Self>> {
    Deferred {
      var known: Set<Key> = []
      return filter { known.insert(key($0)).inserted }
    }
  }
}

extension Publisher where Output: Hashable {
  /// Drops every value that equals one before it, however long ago.
  ///
  /// It does what ``removeAllDuplicates(by:)`` does with the values themselves as keys.
  ///
  ///     let ticket = [1, 2, 1, 3].publisher.removeAllDuplicates().sink { print($0) }
  ///     // 1, 2, 3
  public func removeAllDuplicates() -> Deferred<Publishers.Filter<Self>> { removeAllDuplicates { $0 } }
}
