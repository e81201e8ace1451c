/// A type that decides when and where a closure runs.
///
/// Operators that wait, or that move values to another thread, take one: `receive(on:)`, `debounce`, `delay` and
/// others. ``ImmediateScheduler`` runs everything immediately, `VirtualTimeScheduler` of StreamsSchedulers when a test
/// advances its time. `StreamsDispatch` makes dispatch queues schedulers, and `StreamsFoundation` run loops and
/// operation queues.
///
///     scheduler.schedule(after: scheduler.now.advanced(by: .seconds(2))) { print("two seconds later") }
public protocol Scheduler<SchedulerTimeType> {
  /// A moment in this scheduler's time.
  associatedtype SchedulerTimeType: Strideable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible

  /// Options for an action; `Never` if there are none.
  associatedtype SchedulerOptions

  /// The current moment.
  var now: SchedulerTimeType { get }

  /// The smallest tolerance that the scheduler can keep to.
  var minimumTolerance: SchedulerTimeType.Stride { get }

  /// Runs the action at the next opportunity.
  ///
  /// Most schedulers keep the order in which actions were scheduled, which operators such as `receive(on:)` rely on.
  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)

  /// Runs the action at some time after `date`.
  ///
  /// `tolerance` says how much later the action may run; a scheduler may use it to save wake-ups, or ignore it.
  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void)

  /// Runs the action at some time after `date`, and again after each `interval`, until the result is
  /// cancelled.
  ///
  /// Keep the result where it is an ``AnyCancellable``: releasing it cancels too.
  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable
}

/// A length of time that can be made from seconds and their parts.
///
/// The strides of all schedulers can, so code that is generic over its scheduler can write `.milliseconds(300)`.
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
