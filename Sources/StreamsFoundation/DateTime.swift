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
  public func distance(to other: Self) -> Stride { Stride(other.date.timeIntervalSince(date)) }
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

  public init(integerLiteral value: TimeInterval) { self.init(value) }
  public init(floatLiteral value: TimeInterval) { self.init(value) }
  /// A length of `source` seconds.
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let seconds = TimeInterval(exactly: source) else { return nil }
    self.init(seconds)
  }

  public static func seconds(_ s: Int) -> Self { Self(TimeInterval(s)) }
  public static func seconds(_ s: Double) -> Self { Self(s) }
  public static func milliseconds(_ ms: Int) -> Self { Self(TimeInterval(ms) / 1e3) }
  public static func microseconds(_ us: Int) -> Self { Self(TimeInterval(us) / 1e6) }
  public static func nanoseconds(_ ns: Int) -> Self { Self(TimeInterval(ns) / 1e9) }

  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }
  public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }
  public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }
  public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }
  public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }
  public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }
  public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
}

/// A closure on its way to where it is run. That it may be run there is what scheduling it says.
struct Action: @unchecked Sendable {
  let run: () -> Void
}
