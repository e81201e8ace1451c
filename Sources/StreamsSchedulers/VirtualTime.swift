public import Streams

/// A moment in virtual time, counted from its beginning.
///
/// It is the time of ``VirtualTimeScheduler``, in whole nanoseconds.
public struct VirtualTime: Strideable, Hashable, Codable, Sendable {
  /// The time since the beginning, in nanoseconds.
  public var nanoseconds: Int

  /// The moment `nanoseconds` after the beginning.
  public init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

  /// The beginning of time.
  public static let zero = VirtualTime(nanoseconds: 0)

  /// The time from this moment to `other`; negative if that came before.
  public func distance(to other: VirtualTime) -> Stride { Stride(magnitude: other.nanoseconds - nanoseconds) }
  /// The moment that comes `n` later.
  public func advanced(by n: Stride) -> VirtualTime { VirtualTime(nanoseconds: nanoseconds + n.magnitude) }
  /// Whether the left moment comes before the right.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  /// A length of virtual time. A literal number means seconds.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
    ExpressibleByFloatLiteral,
    Hashable, Codable, Sendable
  {
    /// A length is counted in whole numbers.
    public typealias Magnitude = Int

    /// The length in nanoseconds; negative for a way back.
    public var magnitude: Int

    init(magnitude: Int) { self.magnitude = magnitude }

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
    public static func seconds(_ s: Int) -> Self { Self(magnitude: s * 1_000_000_000) }
    /// A length of `s` seconds.
    public static func seconds(_ s: Double) -> Self { Self(magnitude: Int((s * 1e9).rounded())) }
    /// A length of `ms` thousandths of a second.
    public static func milliseconds(_ ms: Int) -> Self { Self(magnitude: ms * 1_000_000) }
    /// A length of `us` millionths of a second.
    public static func microseconds(_ us: Int) -> Self { Self(magnitude: us * 1000) }
    /// A length of `ns` thousand-millionths of a second.
    public static func nanoseconds(_ ns: Int) -> Self { Self(magnitude: ns) }

    /// Whether the left length is shorter than the right.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }
    /// The sum of two lengths.
    public static func + (lhs: Self, rhs: Self) -> Self { Self(magnitude: lhs.magnitude + rhs.magnitude) }
    /// The difference of two lengths.
    public static func - (lhs: Self, rhs: Self) -> Self { Self(magnitude: lhs.magnitude - rhs.magnitude) }
    /// Multiplies the numbers of nanoseconds.
    public static func * (lhs: Self, rhs: Self) -> Self { Self(magnitude: lhs.magnitude * rhs.magnitude) }
    /// Adds the right side to the left.
    public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }
    /// Takes the right side away from the left.
    public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }
    /// Multiplies the left side by the right.
    public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
  }
}

extension VirtualTime: CustomStringConvertible {
  /// The time in seconds.
  public var description: String { "\(Double(nanoseconds) / 1e9)s" }
}

extension VirtualTime.Stride: CustomStringConvertible {
  /// The length in seconds.
  public var description: String { "\(Double(magnitude) / 1e9)s" }
}
