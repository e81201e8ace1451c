public import Streams

/// A moment in the time of this module's schedulers, in whole nanoseconds.
///
/// It is counted from the beginning of virtual time, or from the beginning of the system's monotonic clock, on Linux the start of
/// the machine. Times and lengths do not overflow: they end at the greatest one, 292 years.
public struct MonotonicTime: Strideable, Hashable, Codable, Sendable {
  /// The time since the beginning, in nanoseconds.
  public var nanoseconds: Int

  /// The moment `nanoseconds` after the beginning.
  public init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

  /// The beginning of time.
  public static let zero = MonotonicTime(nanoseconds: 0)

  /// The time from this moment to `other`; negative if that came before.
  public func distance(to other: MonotonicTime) -> Stride {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }
  /// The moment `n` later.
  public func advanced(by n: Stride) -> MonotonicTime {
    MonotonicTime(nanoseconds: (.nanoseconds(nanoseconds) + n).magnitude)
  }
  /// Whether the left moment comes before the right.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  /// A length of time. A literal number means seconds.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
    ExpressibleByFloatLiteral,
    Hashable, Codable, Sendable
  {
    /// A length is counted in whole numbers.
    public typealias Magnitude = Int

    /// The length in nanoseconds; negative for a time in the past.
    public var magnitude: Int

    init(magnitude: Int) { self.magnitude = magnitude }

    /// The result of a calculation, or the greatest length, positive or negative, if it overflows.
    private init(_ result: (partialValue: Int, overflow: Bool), isNegative: Bool) {
      magnitude = result.overflow ? (isNegative ? .min : .max) : result.partialValue
    }

    /// A length of `value` seconds.
    public init(integerLiteral value: Int) { self = .seconds(value) }
    /// A length of `value` seconds, rounded to whole nanoseconds.
    public init(floatLiteral value: Double) { self = .seconds(value) }
    /// A length of `source` nanoseconds.
    public init?<T: BinaryInteger>(exactly source: T) {
      guard let magnitude = Int(exactly: source) else { return nil }
      self.magnitude = magnitude
    }

    /// A length of `s` seconds.
    public static func seconds(_ s: Int) -> Self { .nanoseconds(s) * .nanoseconds(1_000_000_000) }
    /// A length of `s` seconds. Traps unless `s` is a number.
    public static func seconds(_ s: Double) -> Self {
      let nanoseconds = (s * 1e9).rounded()
      if let magnitude = Int(exactly: nanoseconds) { return Self(magnitude: magnitude) }
      precondition(!nanoseconds.isNaN, "a length of time that is not a number")
      return Self(magnitude: nanoseconds < 0 ? .min : .max)
    }
    /// A length of `ms` milliseconds.
    public static func milliseconds(_ ms: Int) -> Self { .nanoseconds(ms) * .nanoseconds(1_000_000) }
    /// A length of `us` microseconds.
    public static func microseconds(_ us: Int) -> Self { .nanoseconds(us) * .nanoseconds(1000) }
    /// A length of `ns` nanoseconds.
    public static func nanoseconds(_ ns: Int) -> Self { Self(magnitude: ns) }

    /// Whether the left length is shorter than the right.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }
    /// The sum of two lengths.
    public static func + (lhs: Self, rhs: Self) -> Self {
      Self(lhs.magnitude.addingReportingOverflow(rhs.magnitude), isNegative: rhs.magnitude < 0)
    }
    /// The difference of two lengths.
    public static func - (lhs: Self, rhs: Self) -> Self {
      Self(lhs.magnitude.subtractingReportingOverflow(rhs.magnitude), isNegative: lhs.magnitude < 0)
    }
    /// Multiplies the numbers of nanoseconds.
    public static func * (lhs: Self, rhs: Self) -> Self {
      Self(
        lhs.magnitude.multipliedReportingOverflow(by: rhs.magnitude),
        isNegative: (lhs.magnitude < 0) != (rhs.magnitude < 0))
    }
    /// Adds the right side to the left.
    public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }
    /// Subtracts the right side from the left.
    public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }
    /// Multiplies the left side by the right.
    public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
  }
}

extension MonotonicTime: CustomStringConvertible {
  /// The time in seconds.
  public var description: String { "\(Double(nanoseconds) / 1e9)s" }
}

extension MonotonicTime.Stride: CustomStringConvertible {
  /// The length in seconds.
  public var description: String { "\(Double(magnitude) / 1e9)s" }
}
