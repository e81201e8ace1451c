extension Property {
  /// A property that starts with `initialResult` and combines its own value with each later one.
  ///
  ///     let total = amounts.scan(0, +)
  @inlinable
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Property<T> {
    accumulating(from: { _ in initialResult }, nextPartialResult)
  }

  /// A property that starts with the current value and combines its own value with each later one.
  ///
  ///     let highest = temperature.scan(max)
  @inlinable
  public func scan(_ nextPartialResult: @escaping (Output, Output) -> Output) -> Property {
    accumulating(from: { $0 }, nextPartialResult)
  }

  /// A property that keeps its value when `predicate` returns true for it and the new one.
  @inlinable
  public func removeDuplicates(by predicate: @escaping (Output, Output) -> Bool) -> Property {
    accumulating(from: { $0 }) { predicate($0, $1) ? nil : $1 }
  }

  /// A property that takes only values whose identity is new to it. It keeps all identities.
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

  /// A property of the previous value and the current one. The value before the first is `initial`.
  ///
  ///     let steps = position.combinePrevious(0).map { $1 - $0 }
  @inlinable
  public func combinePrevious(_ initial: Output) -> Property<(Output, Output)> {
    accumulating(from: { (initial, $0) }) { ($0.1, $1) }
  }
}

extension Property where Output: Equatable {
  /// A property that does not change when a new value equals its own.
  ///
  ///     let state = states.removeDuplicates()
  @inlinable
  public func removeDuplicates() -> Property { removeDuplicates(by: ==) }
}

extension Property where Output: Hashable {
  /// A property that takes only values that it has never had. It keeps them all.
  @inlinable
  public func uniqueValues() -> Property { uniqueValues { $0 } }
}
