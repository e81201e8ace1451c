extension Property {
  /// A property of this one's value and another's. It changes whenever one of them does, and once when both do.
  ///
  /// Its subscribers complete when both have completed. Afterwards, changes of the two properties' sources are serialized.
  ///
  ///     let position = x.combineLatest(y)
  @inlinable
  public func combineLatest<T>(_ other: Property<T>) -> Property<(Output, T)> {
    combineLatest(other) { ($0, $1) }
  }

  /// A property of the result of `transform` for this one's value and another's.
  ///
  ///     let area = width.combineLatest(height, *)
  @inlinable
  public func combineLatest<T, U>(
    _ other: Property<T>, _ transform: @escaping (Output, T) -> U
  ) -> Property<U> {
    derive(from: self, other) { first, second in
      Derivation(initial: transform(first.current, second.current)) { _, _ in
        let isChanged = first.isChanged || second.isChanged
        return .init(value: isChanged ? transform(first.current, second.current) : nil)
      }
    }
  }

  /// A property of three values.
  @inlinable
  public func combineLatest<T, U>(
    _ second: Property<T>, _ third: Property<U>
  ) -> Property<(Output, T, U)> {
    combineLatest(second, third) { ($0, $1, $2) }
  }

  /// A property of the result of `transform` for three values.
  @inlinable
  public func combineLatest<T, U, V>(
    _ second: Property<T>, _ third: Property<U>, _ transform: @escaping (Output, T, U) -> V
  ) -> Property<V> {
    combineLatest(second).combineLatest(third) { transform($0.0, $0.1, $1) }
  }

  /// A property of four values.
  @inlinable
  public func combineLatest<T, U, V>(
    _ second: Property<T>, _ third: Property<U>, _ fourth: Property<V>
  ) -> Property<(Output, T, U, V)> {
    combineLatest(second, third, fourth) { ($0, $1, $2, $3) }
  }

  /// A property of the result of `transform` for four values.
  @inlinable
  public func combineLatest<T, U, V, W>(
    _ second: Property<T>, _ third: Property<U>, _ fourth: Property<V>,
    _ transform: @escaping (Output, T, U, V) -> W
  ) -> Property<W> {
    combineLatest(second).combineLatest(third.combineLatest(fourth)) { transform($0.0, $0.1, $1.0, $1.1) }
  }

  /// A property of this one's value and those of `others`, in their order.
  ///
  ///     let scores = first.combineLatest(with: [second, third])
  @inlinable
  public func combineLatest<Others: Collection>(with others: Others) -> Property<[Output]>
  where Others.Element == Property<Output> {
    .latest(of: [self] + others)
  }

  /// A property of the values of several properties, in their order.
  ///
  /// Without properties it is constantly `[emptySentinel]`.
  ///
  ///     let scores = Property<Int>.combineLatest([first, second], emptySentinel: 0)
  @inlinable
  public static func combineLatest<Properties: Collection>(
    _ properties: Properties, emptySentinel: Output
  ) -> Property<[Output]> where Properties.Element == Property<Output> {
    properties.isEmpty ? Property<[Output]>([emptySentinel]) : .latest(of: Array(properties))
  }
}

extension Property {
  /// The values of `properties`; constantly empty if there are none.
  @inlinable
  static func latest<Value>(of properties: [Property<Value>]) -> Property<[Value]> where Output == [Value] {
    return derive(from: properties.map(\.handle)) { handles, _ in
      let nodes = handles.map { Property<Value>($0).node }
      return Derivation(initial: nodes.map(\.current)) { _, _ in
        .init(value: nodes.contains { $0.isChanged } ? nodes.map(\.current) : nil)
      }
    }
  }
}

extension Collection {
  /// A property of the values of these properties, in their order.
  ///
  /// Without properties it is constantly `[emptySentinel]`.
  ///
  ///     let values = [first, second].combineLatest(emptySentinel: 0)
  @inlinable
  public func combineLatest<Output>(emptySentinel: Output) -> Property<[Output]>
  where Element == Property<Output> {
    Property<Output>.combineLatest(self, emptySentinel: emptySentinel)
  }
}
