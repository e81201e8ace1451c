extension Property {
  /// A property whose value is the result of `transform` for this one's: computed once now, and once for each change.
  ///
  ///     let isFast = speed.map { $0 > 100 }
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Property<T> {
    deriving { (transform($0), transform) }
  }

  /// A property of the value at a key path.
  ///
  ///     let name = person.map(\.name)
  @inlinable
  public func map<T>(_ keyPath: KeyPath<Output, T>) -> Property<T> { map { $0[keyPath: keyPath] } }

  /// A property of the values at two key paths.
  @inlinable
  public func map<T, U>(
    _ keyPath0: KeyPath<Output, T>, _ keyPath1: KeyPath<Output, U>
  ) -> Property<(T, U)> {
    map { ($0[keyPath: keyPath0], $0[keyPath: keyPath1]) }
  }

  /// A property of the values at three key paths.
  @inlinable
  public func map<T, U, V>(
    _ keyPath0: KeyPath<Output, T>, _ keyPath1: KeyPath<Output, U>, _ keyPath2: KeyPath<Output, V>
  ) -> Property<(T, U, V)> {
    map { ($0[keyPath: keyPath0], $0[keyPath: keyPath1], $0[keyPath: keyPath2]) }
  }

  /// A property that always has `value`, and sends it whenever this one changes.
  ///
  ///     let pulses = speed.map(value: ())
  @_disfavoredOverload  // A trailing closure is a transform.
  @inlinable
  public func map<T>(value: T) -> Property<T> { map { _ in value } }
}
