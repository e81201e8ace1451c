extension Property {
  /// A property that starts with `initialResult` and goes on with what is made of its own value and each that comes.
  ///
  ///     let total = amounts.scan(0, +)
  @inlinable
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Property<T> {
    accumulating(from: { _ in initialResult }, nextPartialResult)
  }

  /// A property that starts with the current value and goes on with what is made of its own value and each that comes.
  ///
  ///     let highest = temperature.scan(max)
  @inlinable
  public func scan(_ nextPartialResult: @escaping (Output, Output) -> Output) -> Property {
    accumulating(from: { $0 }, nextPartialResult)
  }

  /// A property that does not change when `predicate` says of its value and the new one that they are the same.
  @inlinable
  public func removeDuplicates(by predicate: @escaping (Output, Output) -> Bool) -> Property {
    accumulating(from: { $0 }) { predicate($0, $1) ? nil : $1 }
  }

  /// A property that takes only those values whose identity it has not seen before, and keeps the identities.
  ///
  ///     let visitors = requests.uniqueValues { $0.sender }
  @inlinable
  public func uniqueValues<Identity: Hashable>(
    _ transform: @escaping (Output) -> Identity
  ) -> Property {
    deriving { current in
      var seen: Set = [transform(current)]
      return (current, { seen.insert(transform($0)).inserted ? $0 : nil })
    }
  }

  /// A property of the value before and the current one; before the first, there was `initial`.
  ///
  ///     let steps = position.combinePrevious(0).map { $1 - $0 }
  @inlinable
  public func combinePrevious(_ initial: Output) -> Property<(Output, Output)> {
    accumulating(from: { (initial, $0) }) { ($0.1, $1) }
  }
}

extension Property where Output: Equatable {
  /// A property that does not change when a value comes that equals its own.
  ///
  ///     let state = states.removeDuplicates()
  @inlinable
  public func removeDuplicates() -> Property { removeDuplicates(by: ==) }
}

extension Property where Output: Hashable {
  /// A property that takes only values that it has never had, and keeps them all.
  @inlinable
  public func uniqueValues() -> Property { uniqueValues { $0 } }
}
