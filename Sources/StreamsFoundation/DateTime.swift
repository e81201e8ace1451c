public import Foundation
public import Streams

/// A moment given by a date: the common part of `RunLoop.SchedulerTimeType` and `OperationQueue.SchedulerTimeType`.
public protocol _DateTime: Strideable, Hashable, Codable, Sendable where Stride: _DateTimeStride {
  /// The date.
  var date: Date { get set }
  /// The moment of a date.
  init(_ date: Date)
}

extension _DateTime {
  /// The time from this moment to `other`; negative if that came before.
  public func distance(to other: Self) -> Stride { Stride(other.date.timeIntervalSince(date)) }
  /// The moment `n` later.
  public func advanced(by n: Stride) -> Self { Self(date.addingTimeInterval(n.timeInterval)) }
}

/// The stride of a ``_DateTime``: a length of time in seconds.
public protocol _DateTimeStride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
  ExpressibleByFloatLiteral, Hashable, Codable, Sendable
where Magnitude == TimeInterval, FloatLiteralType == TimeInterval, IntegerLiteralType == TimeInterval {
  /// The length in seconds; negative for a time in the past.
  var magnitude: TimeInterval { get set }
  /// A length of that many seconds.
  init(_ timeInterval: TimeInterval)
}

extension _DateTimeStride {
  /// The length in seconds; negative for a time in the past.
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
  /// A length of `ms` milliseconds.
  public static func milliseconds(_ ms: Int) -> Self { Self(TimeInterval(ms) / 1e3) }
  /// A length of `us` microseconds.
  public static func microseconds(_ us: Int) -> Self { Self(TimeInterval(us) / 1e6) }
  /// A length of `ns` nanoseconds.
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
  /// Subtracts the right side from the left.
  public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }
  /// Multiplies the left side by the right.
  public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
}

/// A closure to run elsewhere. Unchecked, because scheduling it implies that it may run there.
struct Action: @unchecked Sendable {
  let run: () -> Void
}
