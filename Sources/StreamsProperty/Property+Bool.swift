extension Property where Output == Bool {
  /// True where this one is false.
  ///
  ///     let isHidden = isShown.negate()
  @inlinable
  public func negate() -> Property<Bool> { map { !$0 } }

  /// True where both are.
  ///
  ///     let canSend = isOnline.and(hasText)
  @inlinable
  public func and(_ other: Property<Bool>) -> Property<Bool> { combineLatest(other) { $0 && $1 } }

  /// True where one of the two is, or both.
  @inlinable
  public func or(_ other: Property<Bool>) -> Property<Bool> { combineLatest(other) { $0 || $1 } }

  /// True where all of `properties` are; of none, too.
  ///
  ///     let isValid = Property.all([hasName, hasAddress, hasAgreed])
  @inlinable
  public static func all<Properties: Collection>(_ properties: Properties) -> Property<Bool>
  where Properties.Element == Property<Bool> {
    Property<[Bool]>.latest(of: Array(properties)).map { $0.allSatisfy { $0 } }
  }

  /// True where at least one of `properties` is.
  @inlinable
  public static func any<Properties: Collection>(_ properties: Properties) -> Property<Bool>
  where Properties.Element == Property<Bool> {
    Property<[Bool]>.latest(of: Array(properties)).map { $0.contains(true) }
  }
}
