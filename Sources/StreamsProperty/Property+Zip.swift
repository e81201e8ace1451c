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
  /// A property of this one's values and those of `others` that came at the same place, in their order.
  ///
  ///     let rounds = first.zip(with: [second, third])
  public func zip<Others: Collection>(with others: Others) -> Property<[Output]>
  where Others.Element == Property<Output> {
    .inStep([self] + others)
  }

  /// A property of the values of several properties that came at the same place, in their order.
  ///
  /// Without properties it is constantly `[emptySentinel]`.
  ///
  ///     let rounds = Property<Int>.zip([first, second], emptySentinel: 0)
  public static func zip<Properties: Collection>(
    _ properties: Properties, emptySentinel: Output
  ) -> Property<[Output]> where Properties.Element == Property<Output> {
    properties.isEmpty ? Property<[Output]>([emptySentinel]) : .inStep(Array(properties))
  }
}

extension Property {
  /// The values of `properties`, of which there are some, that came at the same place.
  private static func inStep<Value>(_ properties: [Property<Value>]) -> Property<[Value]>
  where Output == [Value] {
    derive(from: properties.map(\.handle)) { handles, _ in
      let nodes = handles.map { Property<Value>($0).node }
      var waiting: [[Value]] = nodes.map { _ in [] }
      let isOver = { nodes.indices.contains { nodes[$0].isFinished && waiting[$0].isEmpty } }
      return Derivation(initial: nodes.map(\.current), isLast: isOver()) { _, _ in
        for index in nodes.indices where nodes[index].isChanged {
          waiting[index].append(nodes[index].current)
        }
        if waiting.contains(where: \.isEmpty) { return .init(isLast: isOver()) }
        let values = waiting.indices.map { waiting[$0].removeFirst() }
        return .init(value: values, isLast: isOver())
      }
    }
  }
}

extension Collection {
  /// A property of the values of these properties that came at the same place, in their order.
  ///
  /// Without properties it is constantly `[emptySentinel]`.
  ///
  ///     let rounds = [first, second].zip(emptySentinel: 0)
  public func zip<Output>(emptySentinel: Output) -> Property<[Output]> where Element == Property<Output> {
    Property<Output>.zip(self, emptySentinel: emptySentinel)
  }
}
