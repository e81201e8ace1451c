public import Foundation
public import Streams

extension RunLoop: Scheduler {
  /// A moment in a run loop's time.
  public struct SchedulerTimeType: _DateTime {
    /// The moment as a date.
    public var date: Date
    /// The moment that `date` stands for.
    public init(_ date: Date) { self.date = date }

    /// A length of time in seconds.
    public struct Stride: _DateTimeStride {
      /// The length in seconds; negative for a way back.
      public var magnitude: TimeInterval
      /// A length of `timeInterval` seconds.
      public init(_ timeInterval: TimeInterval) { magnitude = timeInterval }
    }
  }

  /// A run loop has no options.
  public struct SchedulerOptions: Sendable {}

  /// The present date.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
  /// No tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs the action in the default mode, at the run loop's next opportunity.
  ///
  /// That is when its thread runs the loop. May be called from any thread; a loop that sleeps is woken.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = Action(run: action)
    perform { action.run() }
    // A loop that sleeps does not notice the action; a timer wakes it.
    if RunLoop.current !== self {
      add(Timer(timeInterval: 0, repeats: false) { _ in }, forMode: .default)
    }
  }

  /// Runs the action once `date` has come, by a timer in the run loop.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    _ = addTimer(after: date, interval: 0, repeats: false, tolerance: tolerance, action)
  }

  /// Runs the action again and again until the result, an `AnyCancellable`, is cancelled or released.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let timer = addTimer(after: date, interval: interval, repeats: true, tolerance: tolerance, action)
    return AnyCancellable { timer.invalidate() }
  }

  private func addTimer(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, repeats: Bool,
    tolerance: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) -> Timer {
    let action = Action(run: action)
    let timer = Timer(fire: date.date, interval: interval.timeInterval, repeats: repeats) { _ in action.run()
    }
    timer.tolerance = tolerance.timeInterval
    add(timer, forMode: .default)
    return timer
  }
}
