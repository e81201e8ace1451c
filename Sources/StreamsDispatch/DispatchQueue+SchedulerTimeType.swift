import Dispatch
import Streams

extension DispatchQueue {
  /// A moment in a queue's time.
  public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
    /// The moment as a `DispatchTime`.
    public var dispatchTime: DispatchTime

    /// Makes the moment of a `DispatchTime`.
    public init(_ time: DispatchTime) { dispatchTime = time }

    /// A moment is encoded as a bare number: its nanoseconds since the start of the machine.
    public init(from decoder: any Decoder) throws {
      let nanoseconds = try decoder.singleValueContainer().decode(UInt64.self)
      dispatchTime = DispatchTime(uptimeNanoseconds: nanoseconds)
    }

    /// Encodes the moment's nanoseconds as a bare number.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(dispatchTime.uptimeNanoseconds)
    }

    /// The time to another moment; if either is too far away to count, the longest time.
    public func distance(to other: SchedulerTimeType) -> Stride {
      if self == other { return Stride(magnitude: 0) }
      guard let start = Int(exactly: dispatchTime.uptimeNanoseconds),
        let end = Int(exactly: other.dispatchTime.uptimeNanoseconds)
      else { return Stride(magnitude: .max) }
      return Stride(magnitude: end - start)
    }

    /// The moment `n` later.
    public func advanced(by n: Stride) -> SchedulerTimeType {
      SchedulerTimeType(dispatchTime + n.timeInterval)
    }

    /// Whether both are the same moment.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.dispatchTime == rhs.dispatchTime }
    /// Whether the left moment comes before the right.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.dispatchTime < rhs.dispatchTime }
    /// Hashes the moment.
    public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.rawValue) }
  }
}

extension DispatchQueue.SchedulerTimeType {
  /// A length of time, in whole nanoseconds. A literal number means seconds; lengths that are too great are clamped.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
    ExpressibleByFloatLiteral,
    Hashable, Codable, Sendable
  {
    /// A literal may be a floating-point number.
    public typealias FloatLiteralType = Double
    /// A literal may be a whole number.
    public typealias IntegerLiteralType = Int
    /// A length is counted in whole numbers.
    public typealias Magnitude = Int

    /// The length in nanoseconds; negative for a time in the past.
    public var magnitude: Int

    enum CodingKeys: String, CodingKey {
      case magnitude = "_nanoseconds"
    }

    init(magnitude: Int) { self.magnitude = magnitude }

    /// The length as a `DispatchTimeInterval`, in nanoseconds.
    public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

    /// The length of a `DispatchTimeInterval`; `.never` becomes the longest one.
    public init(_ timeInterval: DispatchTimeInterval) {
      switch timeInterval {
      case .seconds(let s): self = .seconds(s)
      case .milliseconds(let ms): self = .milliseconds(ms)
      case .microseconds(let us): self = .microseconds(us)
      case .nanoseconds(let ns): self = .nanoseconds(ns)
      default: self.init(magnitude: .max)
      }
    }

    /// A length of `value` seconds. Traps if it is not finite.
    public init(floatLiteral value: Double) { self = .seconds(value) }
    /// A length of `value` seconds.
    public init(integerLiteral value: Int) { self = .seconds(value) }
    /// A length of `source` seconds.
    public init?<T: BinaryInteger>(exactly source: T) {
      guard let seconds = Int(exactly: source) else { return nil }
      self = .seconds(seconds)
    }

    /// A length of `s` seconds.
    public static func seconds(_ s: Int) -> Self { Self(s, times: 1_000_000_000) }
    /// A length of `s` seconds, truncated to whole nanoseconds. Traps if `s` is not finite.
    public static func seconds(_ s: Double) -> Self {
      precondition(s.isFinite, "a length of time is finite")
      let nanoseconds = s * 1e9
      if let exact = Int(exactly: nanoseconds.rounded(.towardZero)) { return Self(magnitude: exact) }
      return Self(magnitude: nanoseconds < 0 ? .min : .max)
    }
    /// A length of `ms` milliseconds.
    public static func milliseconds(_ ms: Int) -> Self { Self(ms, times: 1_000_000) }
    /// A length of `us` microseconds.
    public static func microseconds(_ us: Int) -> Self { Self(us, times: 1000) }
    /// A length of `ns` nanoseconds.
    public static func nanoseconds(_ ns: Int) -> Self { Self(magnitude: ns) }

    private init(_ value: Int, times factor: Int) {
      magnitude = Int(clamping: Int128(value) * Int128(factor))
    }

    /// Whether the left length is shorter than the right.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }
    /// The sum of two lengths.
    public static func + (lhs: Self, rhs: Self) -> Self {
      Self(magnitude: Int(clamping: Int128(lhs.magnitude) + Int128(rhs.magnitude)))
    }
    /// The difference of two lengths.
    public static func - (lhs: Self, rhs: Self) -> Self {
      Self(magnitude: Int(clamping: Int128(lhs.magnitude) - Int128(rhs.magnitude)))
    }
    /// Multiplies the numbers of seconds.
    public static func * (lhs: Self, rhs: Self) -> Self {
      Self(magnitude: Int(clamping: Int128(lhs.magnitude) * Int128(rhs.magnitude) / 1_000_000_000))
    }
    /// Adds the right side to the left.
    public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }
    /// Subtracts the right side from the left.
    public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }
    /// Multiplies the left side by the right.
    public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
  }
}
