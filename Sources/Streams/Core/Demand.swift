/// A namespace for types that act as subscribers.
///
/// ``Sink`` and ``Assign`` are subscribers; ``Demand`` and ``Completion`` are what subscribers request and
/// receive.
public enum Subscribers {}

extension Subscribers {
  /// A requested number of values, sent by a subscriber to its publisher.
  ///
  /// Demand is additive and saturates: a sum beyond `Int.max` is ``unlimited``, and nothing can be taken away
  /// from unlimited demand.
  ///
  ///     subscription.request(.max(10))
  @frozen
  public struct Demand: Equatable, Comparable, Hashable, Sendable {
    @usableFromInline let rawValue: UInt

    @inlinable @inline(__always)
    init(rawValue: UInt) { self.rawValue = rawValue }

    /// A request for as many values as the publisher can produce.
    @inlinable @inline(__always)
    public static var unlimited: Demand { Demand(rawValue: 1 << (UInt.bitWidth - 1)) }

    /// No demand, the same as `.max(0)`. Most publishers treat a request for no values as a programming error.
    @inlinable @inline(__always)
    public static var none: Demand { Demand(rawValue: 0) }

    /// A demand for at most `value` values. Traps when `value` is negative.
    @inlinable @inline(__always)
    public static func max(_ value: Int) -> Demand {
      precondition(value >= 0, "demand cannot be negative")
      return Demand(rawValue: UInt(bitPattern: value))
    }

    /// The number of requested values, or `nil` when there is no limit.
    @inlinable
    public var max: Int? { self == .unlimited ? nil : Int(bitPattern: rawValue) }

    /// Whether both sides are equal.
    @inlinable @inline(__always)
    public static func == (lhs: Demand, rhs: Demand) -> Bool { lhs.rawValue == rhs.rawValue }

    /// Whether the left side is less than the right.
    @inlinable @inline(__always)
    public static func < (lhs: Demand, rhs: Demand) -> Bool { lhs.rawValue < rhs.rawValue }

    // The operators of Comparable need a side of known type; `.max(4) <= .unlimited` has none.

    /// Whether the left side is less than or equal to the right.
    @inlinable @inline(__always)
    public static func <= (lhs: Demand, rhs: Demand) -> Bool { lhs.rawValue <= rhs.rawValue }

    /// Whether the left side is greater than the right.
    @inlinable @inline(__always)
    public static func > (lhs: Demand, rhs: Demand) -> Bool { lhs.rawValue > rhs.rawValue }

    /// Whether the left side is greater than or equal to the right.
    @inlinable @inline(__always)
    public static func >= (lhs: Demand, rhs: Demand) -> Bool { lhs.rawValue >= rhs.rawValue }
  }
}

// MARK: - Arithmetic

extension Subscribers.Demand {
  /// The demand for `rawValue` values, unlimited when that is more than `Int.max`.
  @inlinable @inline(__always)
  static func saturating(_ rawValue: UInt) -> Self {
    Self(rawValue: Swift.min(rawValue, unlimited.rawValue))
  }

  /// The sum, unlimited if either side is or if it exceeds `Int.max`.
  @inlinable @inline(__always)
  public static func + (lhs: Self, rhs: Self) -> Self {
    // Both raw values are at most 2^63: the sum wraps only for unlimited + unlimited.
    let (sum, overflow) = lhs.rawValue.addingReportingOverflow(rhs.rawValue)
    return overflow ? .unlimited : saturating(sum)
  }

  /// Adds the right side to the left.
  @inlinable @inline(__always)
  public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }

  /// The sum with a plain number. Traps when a finite result would be negative.
  @inlinable
  public static func + (lhs: Self, rhs: Int) -> Self {
    guard lhs != .unlimited else { return .unlimited }
    let (sum, overflow) = Int(bitPattern: lhs.rawValue).addingReportingOverflow(rhs)
    return overflow ? .unlimited : .max(sum)
  }

  /// Adds the right side to the left.
  @inlinable
  public static func += (lhs: inout Self, rhs: Int) { lhs = lhs + rhs }

  /// The product with a plain number, unlimited when it exceeds `Int.max`. Traps when it would be negative.
  @inlinable
  public static func * (lhs: Self, rhs: Int) -> Self {
    guard lhs != .unlimited else { return .unlimited }
    let (product, overflow) = Int(bitPattern: lhs.rawValue).multipliedReportingOverflow(by: rhs)
    return overflow ? .unlimited : .max(product)
  }

  /// Multiplies the left side by the right.
  @inlinable
  public static func *= (lhs: inout Self, rhs: Int) { lhs = lhs * rhs }

  /// The difference. Unlimited demand stays unlimited; taking unlimited from a finite demand leaves none.
  /// Traps when a finite result would be negative.
  @inlinable
  public static func - (lhs: Self, rhs: Self) -> Self {
    if lhs == .unlimited { return .unlimited }
    if rhs == .unlimited { return .none }
    return .max(Int(bitPattern: lhs.rawValue) - Int(bitPattern: rhs.rawValue))
  }

  /// Takes the right side away from the left.
  @inlinable
  public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

  /// The difference with a plain number. A result that cannot be represented is no demand, as in Combine.
  @inlinable
  public static func - (lhs: Self, rhs: Int) -> Self {
    guard lhs != .unlimited else { return .unlimited }
    let (difference, overflow) = Int(bitPattern: lhs.rawValue).subtractingReportingOverflow(rhs)
    return overflow ? .none : .max(difference)
  }

  /// Takes the right side away from the left.
  @inlinable
  public static func -= (lhs: inout Self, rhs: Int) { lhs = lhs - rhs }
}

// MARK: - Comparison with plain numbers

extension Subscribers.Demand {
  /// Compares with a plain number; negative numbers come before every demand.
  @inlinable @inline(__always)
  func isLess(than number: Int) -> Bool { number > 0 && rawValue < UInt(bitPattern: number) }

  @inlinable @inline(__always)
  func isGreater(than number: Int) -> Bool { number < 0 || rawValue > UInt(bitPattern: number) }

  /// Whether both sides are equal.
  @inlinable public static func == (lhs: Self, rhs: Int) -> Bool {
    !lhs.isLess(than: rhs) && !lhs.isGreater(than: rhs)
  }
  /// Whether the sides differ.
  @inlinable public static func != (lhs: Self, rhs: Int) -> Bool { !(lhs == rhs) }
  /// Whether the left side is less than the right.
  @inlinable public static func < (lhs: Self, rhs: Int) -> Bool { lhs.isLess(than: rhs) }
  /// Whether the left side is greater than the right.
  @inlinable public static func > (lhs: Self, rhs: Int) -> Bool { lhs.isGreater(than: rhs) }
  /// Whether the left side is not greater than the right.
  @inlinable public static func <= (lhs: Self, rhs: Int) -> Bool { !lhs.isGreater(than: rhs) }
  /// Whether the left side is not less than the right.
  @inlinable public static func >= (lhs: Self, rhs: Int) -> Bool { !lhs.isLess(than: rhs) }

  /// Whether both sides are equal.
  @inlinable public static func == (lhs: Int, rhs: Self) -> Bool { rhs == lhs }
  /// Whether the sides differ.
  @inlinable public static func != (lhs: Int, rhs: Self) -> Bool { !(rhs == lhs) }
  /// Whether the left side is less than the right.
  @inlinable public static func < (lhs: Int, rhs: Self) -> Bool { rhs > lhs }
  /// Whether the left side is greater than the right.
  @inlinable public static func > (lhs: Int, rhs: Self) -> Bool { rhs < lhs }
  /// Whether the left side is not greater than the right.
  @inlinable public static func <= (lhs: Int, rhs: Self) -> Bool { rhs >= lhs }
  /// Whether the left side is not less than the right.
  @inlinable public static func >= (lhs: Int, rhs: Self) -> Bool { rhs <= lhs }
}

// MARK: - Description and coding

extension Subscribers.Demand: CustomStringConvertible {
  /// `max(n)` or `unlimited`.
  public var description: String {
    self == .unlimited ? "unlimited" : "max(\(rawValue))"
  }
}

extension Subscribers.Demand: Codable {
  /// Decodes an unsigned number; one that is too large means unlimited.
  public init(from decoder: any Decoder) throws {
    self = .saturating(try decoder.singleValueContainer().decode(UInt.self))
  }

  /// Encodes an unsigned number; unlimited is `Int.max + 1`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
