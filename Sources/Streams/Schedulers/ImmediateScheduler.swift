/// A scheduler that runs every action immediately, on the thread that schedules it.
///
/// Its time stands still: an action scheduled for later runs immediately too, and a repeated one runs once.
///
///     publisher.receive(on: ImmediateScheduler.shared)
public struct ImmediateScheduler: Scheduler, Sendable {
  /// A moment in a time that stands still. All moments are the same.
  public struct SchedulerTimeType: Strideable, Sendable {
    @usableFromInline init() {}

    /// Zero: all moments are the same.
    public func distance(to other: SchedulerTimeType) -> Stride { 0 }
    /// This moment again: this time does not pass.
    public func advanced(by n: Stride) -> SchedulerTimeType { self }

    /// A number that stands for a length of time.
    ///
    /// The scheduler ignores it: whatever the length, an action runs immediately.
    public struct Stride: ExpressibleByFloatLiteral, Comparable, SignedNumeric, Codable, Sendable,
      SchedulerTimeIntervalConvertible
    {
      /// A literal may be a floating-point number.
      public typealias FloatLiteralType = Double
      /// A literal may be a whole number.
      public typealias IntegerLiteralType = Int
      /// A length is counted in whole numbers.
      public typealias Magnitude = Int

      /// The number.
      public var magnitude: Int

      /// A length of `value`.
      @inlinable public init(_ value: Int) { magnitude = value }
      /// A length of `value`.
      @inlinable public init(integerLiteral value: Int) { self.init(value) }
      /// A length of `value`, cut off to a whole number.
      @inlinable public init(floatLiteral value: Double) { self.init(Int(value)) }
      /// A length of `source`, if that can be represented.
      @inlinable public init?<T: BinaryInteger>(exactly source: T) {
        guard let value = Int(exactly: source) else { return nil }
        self.init(value)
      }

      /// Whether the left length is shorter than the right.
      @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }
      /// The sum of two lengths.
      @inlinable public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }
      /// The difference of two lengths.
      @inlinable public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }
      /// The product of the two numbers.
      @inlinable public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }
      /// Adds the right side to the left.
      @inlinable public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }
      /// Takes the right side away from the left.
      @inlinable public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }
      /// Multiplies the left side by the right.
      @inlinable public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }

      /// A length of zero: this time does not pass.
      public static func seconds(_ s: Int) -> Self { 0 }
      /// A length of zero: this time does not pass.
      public static func seconds(_ s: Double) -> Self { 0 }
      /// A length of zero: this time does not pass.
      public static func milliseconds(_ ms: Int) -> Self { 0 }
      /// A length of zero: this time does not pass.
      public static func microseconds(_ us: Int) -> Self { 0 }
      /// A length of zero: this time does not pass.
      public static func nanoseconds(_ ns: Int) -> Self { 0 }
    }
  }

  /// The scheduler takes no options.
  public typealias SchedulerOptions = Never

  /// The one immediate scheduler.
  public static let shared = ImmediateScheduler()

  /// The only moment there is.
  public var now: SchedulerTimeType { SchedulerTimeType() }
  /// No tolerance at all.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs the action before it returns.
  @inlinable
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) { action() }

  /// Runs the action before it returns, whatever `date` is.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    action()
  }

  /// Runs the action once, before it returns.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}
