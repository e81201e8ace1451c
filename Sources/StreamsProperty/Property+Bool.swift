extension Property where Output == Bool {
  /// True when this property is false.
  ///
  ///     let isHidden = isShown.negate()
  @inlinable
  public func negate() -> Property<Bool> { map { !$0 } }

  /// True when both properties are.
  ///
  ///     let canSend = isOnline.and(hasText)
  @inlinable
  public func and(_ other: Property<Bool>) -> Property<Bool> { combineLatest(other) { $0 && $1 } }

  /// True when at least one of the two properties is.
  @inlinable
  public func or(_ other: Property<Bool>) -> Property<Bool> { combineLatest(other) { $0 || $1 } }

  /// True when all of `properties` are, or if there are none.
  ///
  ///     let isValid = Property.all([hasName, hasAddress, hasAgreed])
  @inlinable
  public static func all<Properties: Collection>(_ properties: Properties) -> Property<Bool>
  where Properties.Element == Property<Bool> {
    Property<[Bool]>.latest(of: Array(properties)).map { $0.allSatisfy { $0 } }
  }

  /// True when at least one of `properties` is.
  @inlinable
  public static func any<Properties: Collection>(_ properties: Properties) -> Property<Bool>
  where Properties.Element == Property<Bool> {
    Property<[Bool]>.latest(of: Array(properties)).map { $0.contains(true) }
  }
}
