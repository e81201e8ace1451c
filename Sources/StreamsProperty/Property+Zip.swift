import Streams

extension Property {
  /// A property of this one's first value and another's first, then of the second of both, and so on.
  ///
  /// Values that have no partner yet wait. Subscribers complete when no further pair is possible.
  ///
  ///     let pairs = questions.zip(answers)
  public func zip<T>(_ other: Property<T>) -> Property<(Output, T)> { zip(other) { ($0, $1) } }

  /// A property of the result of `transform` for each pair that `zip` would form.
  public func zip<T, U>(
    _ other: Property<T>, _ transform: @escaping (Output, T) -> U
  ) -> Property<U> {
    derive(from: self, other) { first, second in
      let (left, right) = (Arrivals(first), Arrivals(second))
      let isOver = { left.areOver || right.areOver }
      return Derivation(initial: transform(first.current, second.current), isLast: isOver()) { _, _ in
        left.takeChange()
        right.takeChange()
        guard !left.waiting.isEmpty, !right.waiting.isEmpty,
          let one = left.waiting.popFirst(), let other = right.waiting.popFirst()
        else { return .init(isLast: isOver()) }
        return .init(value: transform(one, other), isLast: isOver())
      }
    }
  }

  /// A property of triples of the values that came first, second and so on in three properties.
  public func zip<T, U>(_ second: Property<T>, _ third: Property<U>) -> Property<(Output, T, U)> {
    zip(second, third) { ($0, $1, $2) }
  }

  /// A property of the result of `transform` for each triple that `zip` would form.
  public func zip<T, U, V>(
    _ second: Property<T>, _ third: Property<U>, _ transform: @escaping (Output, T, U) -> V
  ) -> Property<V> {
    zip(second).zip(third) { transform($0.0, $0.1, $1) }
  }

  /// A property of quadruples of the values that came first, second and so on in four properties.
  public func zip<T, U, V>(
    _ second: Property<T>, _ third: Property<U>, _ fourth: Property<V>
  ) -> Property<(Output, T, U, V)> {
    zip(second, third, fourth) { ($0, $1, $2, $3) }
  }

  /// A property of the result of `transform` for each quadruple that `zip` would form.
  public func zip<T, U, V, W>(
    _ second: Property<T>, _ third: Property<U>, _ fourth: Property<V>,
    _ transform: @escaping (Output, T, U, V) -> W
  ) -> Property<W> {
    zip(second).zip(third.zip(fourth)) { transform($0.0, $0.1, $1.0, $1.1) }
  }
  /// A property of arrays of the values that came first, second and so on in this property and in `others`, in their order.
  ///
  ///     let rounds = first.zip(with: [second, third])
  public func zip<Others: Collection>(with others: Others) -> Property<[Output]>
  where Others.Element == Property<Output> {
    .inStep([self] + others)
  }

  /// A property of arrays of the values that came first, second and so on in several properties, in their order.
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
  /// The arrays that `zip` forms of `properties`, of which there is at least one.
  private static func inStep<Value>(_ properties: [Property<Value>]) -> Property<[Value]>
  where Output == [Value] {
    derive(from: properties.map(\.handle)) { handles, _ in
      let arrivals = handles.map { Arrivals(Property<Value>($0).node) }
      let isOver = { arrivals.contains(where: \.areOver) }
      return Derivation(initial: arrivals.map(\.node.current), isLast: isOver()) { _, _ in
        for each in arrivals { each.takeChange() }
        if arrivals.contains(where: \.waiting.isEmpty) { return .init(isLast: isOver()) }
        let values = arrivals.compactMap { $0.waiting.popFirst() }
        return .init(value: values, isLast: isOver())
      }
    }
  }
}

/// The values of a property that have no partner yet. Accessed only in the graph's turn.
private final class Arrivals<Value> {
  let node: ValueNode<Value>
  var waiting = Queue<Value>()
  private var version: Int

  init(_ node: ValueNode<Value>) { (self.node, version) = (node, node.version) }

  var areOver: Bool { node.isFinished && waiting.isEmpty }

  func takeChange() {
    if node.version == version { return }
    version = node.version
    waiting.append(node.current)
  }
}

extension Collection {
  /// A property of arrays of the values that came first, second and so on in these properties, in their order.
  ///
  /// Without properties it is constantly `[emptySentinel]`.
  ///
  ///     let rounds = [first, second].zip(emptySentinel: 0)
  public func zip<Output>(emptySentinel: Output) -> Property<[Output]> where Element == Property<Output> {
    Property<Output>.zip(self, emptySentinel: emptySentinel)
  }
}
