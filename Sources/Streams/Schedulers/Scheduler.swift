/// A type that says when and where to run a closure.
///
/// Operators that wait, or that move values elsewhere, take one: `receive(on:)`, `debounce`, `delay` and
/// their like. ``ImmediateScheduler`` runs everything at once, `VirtualTimeScheduler` of StreamsSchedulers when a test says so;
/// `StreamsDispatch` makes dispatch queues schedulers, `StreamsFoundation` run loops and operation queues.
///
///     scheduler.schedule(after: scheduler.now.advanced(by: .seconds(2))) { print("two seconds later") }
public protocol Scheduler<SchedulerTimeType> {
  /// A moment in this scheduler's time.
  associatedtype SchedulerTimeType: Strideable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible

  /// What else the scheduler can be told about an action; `Never` if nothing.
  associatedtype SchedulerOptions

  /// The current moment.
  var now: SchedulerTimeType { get }

  /// The smallest tolerance that the scheduler can keep to.
  var minimumTolerance: SchedulerTimeType.Stride { get }

  /// Runs the action at the next opportunity.
  ///
  /// Most schedulers keep the order in which actions were scheduled, which operators such as `receive(on:)`
  /// count on.
  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)

  /// Runs the action at some time after `date`.
  ///
  /// `tolerance` says how much later is late enough; a scheduler may use it to save wake-ups, or ignore it.
  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void)

  /// Runs the action at some time after `date`, and again after each `interval`, until the result is
  /// cancelled.
  ///
  /// The result has to be kept where it is an ``AnyCancellable``: letting it go cancels too.
  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable
}

/// A length of time that can be made from seconds and their parts.
///
/// The strides of all schedulers can, so code that is generic over its scheduler can say
/// `.milliseconds(300)`.
public protocol SchedulerTimeIntervalConvertible {
  /// A length of `s` seconds.
  static func seconds(_ s: Int) -> Self
  /// A length of `s` seconds.
  static func seconds(_ s: Double) -> Self
  /// A length of `ms` thousandths of a second.
  static func milliseconds(_ ms: Int) -> Self
  /// A length of `us` millionths of a second.
  static func microseconds(_ us: Int) -> Self
  /// A length of `ns` thousand-millionths of a second.
  static func nanoseconds(_ ns: Int) -> Self
}

extension Scheduler {
  /// Runs the action at the next opportunity, without options.
  @inlinable
  public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }

  /// Runs the action at some time after `date`, with the smallest tolerance and without options.
  @inlinable
  public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, action)
  }

  /// Runs the action at some time after `date`, without options.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) {
    schedule(after: date, tolerance: tolerance, options: nil, action)
  }

  /// Runs the action again and again, without options.
  ///
  /// The first time is at some time after `date`, the next ones after each `interval`, until the result is
  /// cancelled.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
  }

  /// Runs the action again and again, with the smallest tolerance and without options.
  ///
  /// The first time is at some time after `date`, the next ones after each `interval`, until the result is
  /// cancelled.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: minimumTolerance, action)
  }
}
