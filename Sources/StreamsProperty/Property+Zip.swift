extension Property {
  /// A property of this one's first value and another's first, then of the second of both, and so on.
  ///
  /// Values that have no partner yet wait. Watchers complete when no further pair is possible.
  ///
  ///     let pairs = questions.zip(answers)
  public func zip<T>(_ other: Property<T>) -> Property<(Output, T)> { zip(other) { ($0, $1) } }

  /// A property of what `transform` makes of the pairs that `zip` would form.
  public func zip<T, U>(
    _ other: Property<T>, _ transform: @escaping (Output, T) -> U
  ) -> Property<U> {
    derive(from: self, other) { first, second in
      var waiting: (first: [Output], second: [T]) = ([], [])
      let isOver = {
        first.isFinished && waiting.first.isEmpty || second.isFinished && waiting.second.isEmpty
      }
      return Derivation(initial: transform(first.value, second.value), isLast: isOver()) { _, _ in
        if first.isChanged { waiting.first.append(first.value) }
        if second.isChanged { waiting.second.append(second.value) }
        guard !waiting.first.isEmpty && !waiting.second.isEmpty else { return .init(isLast: isOver()) }
        let value = transform(waiting.first.removeFirst(), waiting.second.removeFirst())
        return .init(value: value, isLast: isOver())
      }
    }
  }

  /// A property of the values of three properties that came at the same place.
  public func zip<T, U>(_ second: Property<T>, _ third: Property<U>) -> Property<(Output, T, U)> {
    zip(second, third) { ($0, $1, $2) }
  }

  /// A property of what `transform` makes of the values of three properties that came at the same place.
  public func zip<T, U, V>(
    _ second: Property<T>, _ third: Property<U>, _ transform: @escaping (Output, T, U) -> V
  ) -> Property<V> {
    zip(second).zip(third) { transform($0.0, $0.1, $1) }
  }

  /// A property of the values of four properties that came at the same place.
  public func zip<T, U, V>(
    _ second: Property<T>, _ third: Property<U>, _ fourth: Property<V>
  ) -> Property<(Output, T, U, V)> {
    zip(second, third, fourth) { ($0, $1, $2, $3) }
  }

  /// A property of what `transform` makes of the values of four properties that came at the same place.
  public func zip<T, U, V, W>(
    _ second: Property<T>, _ third: Property<U>, _ fourth: Property<V>,
    _ transform: @escaping (Output, T, U, V) -> W
  ) -> Property<W> {
    zip(second).zip(third.zip(fourth)) { transform($0.0, $0.1, $1.0, $1.1) }
  }
}
