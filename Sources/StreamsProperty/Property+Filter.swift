extension Property {
  /// A property that keeps the last value of which `transform` made something; at first, if it makes nothing of the
  /// current value, it is `initialFallback`.
  ///
  ///     let number = text.compactMap(initialFallback: 0) { Int($0) }
  @inlinable
  public func compactMap<T>(
    initialFallback: T, _ transform: @escaping (Output) -> T?
  ) -> Property<T> {
    deriving { (transform($0) ?? initialFallback, transform) }
  }

  /// A property that starts with `initial`, whatever the current value is, and then keeps the last value that comes of which
  /// `transform` makes something.
  ///
  ///     let lastNumber = text.compactMap(initial: 0) { Int($0) }
  @inlinable
  public func compactMap<T>(initial: T, _ transform: @escaping (Output) -> T?) -> Property<T> {
    deriving { _ in (initial, transform) }
  }

  /// A property that keeps the last value that `isIncluded` approved of; at first, if it does not approve of the current
  /// value, it is `initialFallback`.
  ///
  ///     let even = number.filter(initialFallback: 0) { $0.isMultiple(of: 2) }
  @inlinable
  public func filter(
    initialFallback: Output, _ isIncluded: @escaping (Output) -> Bool
  ) -> Property<Output> {
    compactMap(initialFallback: initialFallback) { isIncluded($0) ? $0 : nil }
  }

  /// A property that starts with `initial`, whatever the current value is, and then keeps the last value that comes and that
  /// `isIncluded` approves of.
  @inlinable
  public func filter(initial: Output, _ isIncluded: @escaping (Output) -> Bool) -> Property<Output> {
    compactMap(initial: initial) { isIncluded($0) ? $0 : nil }
  }

  /// A property that passes over the values that come, until `predicate` refuses one.
  ///
  /// At first it has the current value, or `initialFallback` if `predicate` is true of that. The values that come are
  /// judged without regard to the first.
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

  /// A property that takes the values that come until `predicate` refuses one, and then keeps its last and completes its
  /// watchers.
  ///
  /// At first it has the current value, or `initialFallback` if `predicate` refuses that. The values that come are judged
  /// without regard to the first.
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
