extension Property {
  /// A property that keeps the last result of `transform` that is not nil. It starts with the result for the current value, or
  /// with `initialFallback` if that is nil.
  ///
  ///     let number = text.compactMap(initialFallback: 0) { Int($0) }
  @inlinable
  public func compactMap<T>(
    initialFallback: T, _ transform: @escaping (Output) -> T?
  ) -> Property<T> {
    deriving { (transform($0) ?? initialFallback, transform) }
  }

  /// A property that starts with `initial`, whatever the current value is, and then keeps the last result of `transform` for a
  /// later value that is not nil.
  ///
  ///     let lastNumber = text.compactMap(initial: 0) { Int($0) }
  @inlinable
  public func compactMap<T>(initial: T, _ transform: @escaping (Output) -> T?) -> Property<T> {
    deriving { _ in (initial, transform) }
  }

  /// A property that keeps the last value that `isIncluded` accepts. It starts with the current value, or with `initialFallback`
  /// if that is not accepted.
  ///
  ///     let even = number.filter(initialFallback: 0) { $0.isMultiple(of: 2) }
  @inlinable
  public func filter(
    initialFallback: Output, _ isIncluded: @escaping (Output) -> Bool
  ) -> Property<Output> {
    compactMap(initialFallback: initialFallback) { isIncluded($0) ? $0 : nil }
  }

  /// A property that starts with `initial`, whatever the current value is, and then keeps the last later value that `isIncluded`
  /// accepts.
  @inlinable
  public func filter(initial: Output, _ isIncluded: @escaping (Output) -> Bool) -> Property<Output> {
    compactMap(initial: initial) { isIncluded($0) ? $0 : nil }
  }

  /// A property that drops later values until `predicate` returns false for one, and takes that one and all after it.
  ///
  /// It starts with the current value, or with `initialFallback` if `predicate` is true of that. This does not affect how later
  /// values are tested.
  @inlinable
  public func drop(
    initialFallback: Output, while predicate: @escaping (Output) -> Bool
  ) -> Property<Output> {
    deriving { current in
      var isDropping = true
      return (
        predicate(current) ? initialFallback : current,
        { value in
          isDropping = isDropping && predicate(value)
          return isDropping ? nil : value
        }
      )
    }
  }

  /// A property that takes later values until `predicate` returns false for one, and then keeps its last value and completes its
  /// subscribers.
  ///
  /// It starts with the current value, or with `initialFallback` if `predicate` is false of that. This does not affect how later
  /// values are tested.
  public func prefix(
    initialFallback: Output, while predicate: @escaping (Output) -> Bool
  ) -> Property<Output> {
    derive(from: self) { source, _ in
      let current = source.value
      return Derivation(initial: predicate(current) ? current : initialFallback) { _, _ in
        guard source.isChanged else { return .init() }
        let value = source.value
        return predicate(value) ? .init(value: value) : .init(isLast: true)
      }
    }
  }
}
