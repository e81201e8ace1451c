public import Foundation
public import Streams

extension RunLoop: Scheduler {
  /// A moment in a run loop's time.
  public struct SchedulerTimeType: _DateTime {
    /// The moment as a date.
    public var date: Date
    /// The moment of a date.
    public init(_ date: Date) { self.date = date }

    /// A length of time in seconds.
    public struct Stride: _DateTimeStride {
      /// The length in seconds; negative for a time in the past.
      public var magnitude: TimeInterval
      /// A length of `timeInterval` seconds.
      public init(_ timeInterval: TimeInterval) { magnitude = timeInterval }
    }
  }

  /// A run loop has no options.
  public struct SchedulerOptions: Sendable {}

  /// The current date.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
  /// No tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs the action in the default mode, at the run loop's next opportunity.
  ///
  /// That is when its thread runs the loop. May be called on any thread; a sleeping loop is woken.
  ///
  /// The actions of `RunLoop.main` run even if no thread runs that loop: under an asynchronous main function, `dispatchMain()` or
  /// Swift Testing they run on the main queue. Each runs once, in the order in which they were given.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = Action(run: action)
    if self === RunLoop.main {
      MainRunLoop.shared.schedule(action)
    } else {
      performAwake { action.run() }
    }
  }

  /// Runs the action once `date` has come, by a timer in the run loop.
  ///
  /// For `RunLoop.main` it works even if no thread runs that loop, like `schedule(options:_:)`.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    _ = addTimer(
      after: date.date, interval: 0, repeats: false, tolerance: tolerance.timeInterval, mode: .default, action
    )
  }

  /// Runs the action repeatedly until the result, an `AnyCancellable`, is cancelled or released.
  ///
  /// For `RunLoop.main` it works even if no thread runs that loop, like `schedule(options:_:)`.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    AnyCancellable(
      addTimer(
        after: date.date, interval: interval.timeInterval, repeats: true, tolerance: tolerance.timeInterval,
        mode: .default, action))
  }

  /// Runs the block in the default mode.
  func performAwake(_ block: @escaping @Sendable () -> Void) {
    perform(block)
    // A sleeping loop does not notice the block; a timer wakes it. A loop that is not running looks for blocks when it starts.
    if RunLoop.current !== self, currentMode != nil {
      add(Timer(timeInterval: 0, repeats: false) { _ in }, forMode: .default)
    }
  }

  /// Runs the action by a timer, which continues when the result is released.
  func addTimer(
    after date: Date, interval: TimeInterval, repeats: Bool, tolerance: TimeInterval, mode: Mode,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let action = Action(run: action)
    // The modes in which a running main loop serves the main queue.
    if self === RunLoop.main, mode == .default || mode == .common {
      return MainTimer(after: date, interval: interval, repeats: repeats, tolerance: tolerance, action)
    }
    let timer = Timer(fire: date, interval: interval, repeats: repeats) { _ in action.run() }
    timer.tolerance = tolerance
    add(timer, forMode: mode)
    return LoopTimer(timer: timer)
  }
}

/// A Foundation timer, which is invalidated when this is cancelled.
private struct LoopTimer: Cancellable {
  let timer: Timer
  func cancel() { timer.invalidate() }
}
