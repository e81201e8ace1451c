public import Foundation
public import Streams

/// A moment given by a date. What `RunLoop.SchedulerTimeType` and `OperationQueue.SchedulerTimeType` have in
/// common.
public protocol _DateTime: Strideable, Hashable, Codable, Sendable where Stride: _DateTimeStride {
  /// The date.
  var date: Date { get set }
  /// The moment of a date.
  init(_ date: Date)
}

extension _DateTime {
  /// The time from this moment to `other`; negative if that came before.
  public func distance(to other: Self) -> Stride { Stride(other.date.timeIntervalSince(date)) }
  /// The moment that comes `n` later.
  public func advanced(by n: Stride) -> Self { Self(date.addingTimeInterval(n.timeInterval)) }
}

/// A length of time in seconds, of which a ``_DateTime`` is made.
public protocol _DateTimeStride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
  ExpressibleByFloatLiteral, Hashable, Codable, Sendable
where Magnitude == TimeInterval, FloatLiteralType == TimeInterval, IntegerLiteralType == TimeInterval {
  /// The length in seconds; negative for a way back.
  var magnitude: TimeInterval { get set }
  /// A length of so many seconds.
  init(_ timeInterval: TimeInterval)
}

extension _DateTimeStride {
  /// The length in seconds; negative for a way back.
  public var timeInterval: TimeInterval { magnitude }

  /// A length of `value` seconds.
  public init(integerLiteral value: TimeInterval) { self.init(value) }
  /// A length of `value` seconds.
  public init(floatLiteral value: TimeInterval) { self.init(value) }
  /// A length of `source` seconds.
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let seconds = TimeInterval(exactly: source) else { return nil }
    self.init(seconds)
  }

  /// A length of `s` seconds.
  public static func seconds(_ s: Int) -> Self { Self(TimeInterval(s)) }
  /// A length of `s` seconds.
  public static func seconds(_ s: Double) -> Self { Self(s) }
  /// A length of `ms` thousandths of a second.
  public static func milliseconds(_ ms: Int) -> Self { Self(TimeInterval(ms) / 1e3) }
  /// A length of `us` millionths of a second.
  public static func microseconds(_ us: Int) -> Self { Self(TimeInterval(us) / 1e6) }
  /// A length of `ns` thousand-millionths of a second.
  public static func nanoseconds(_ ns: Int) -> Self { Self(TimeInterval(ns) / 1e9) }

  /// Whether the left length is shorter than the right.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }
  /// The sum of two lengths.
  public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }
  /// The difference of two lengths.
  public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }
  /// Multiplies the numbers of seconds.
  public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }
  /// Adds the right side to the left.
  public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }
  /// Takes the right side away from the left.
  public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }
  /// Multiplies the left side by the right.
  public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
}

/// A closure on its way to where it is run. That it may be run there is what scheduling it says.
struct Action: @unchecked Sendable {
  let run: () -> Void
}
