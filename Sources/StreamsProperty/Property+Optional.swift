extension Property {
  /// A property that has `output` while this one is nil.
  ///
  ///     let title = name.replaceNil(with: "Untitled")
  @inlinable
  public func replaceNil<T>(with output: T) -> Property<T> where Output == T? { map { $0 ?? output } }

  /// A property of this one's values as optionals.
  @inlinable
  public func optional() -> Property<Output?> { map { $0 } }

  /// A property that has the other's value while this one is nil.
  ///
  ///     let name = nickname.coalesce(fullName)
  @inlinable
  public func coalesce<Wrapped>(_ other: Property<Wrapped?>) -> Self where Output == Wrapped? {
    combineLatest(other) { $0 ?? $1 }
  }
}
