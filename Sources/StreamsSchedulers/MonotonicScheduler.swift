public import Streams

/// A scheduler that counts its time in whole nanoseconds, and can cancel scheduled actions.
///
/// A type that runs actions on a program's own loop conforms with these five members; they provide the rest of `Scheduler`.
///
///     final class Frames: MonotonicScheduler {
///       var now: MonotonicTime { time.withLock { $0 } }
///       func schedule(options: Never?, _ action: @escaping () -> Void) { … }
///       func schedule(at time: MonotonicTime, _ action: @escaping () -> Void) -> ScheduledAction { … }
///       func cancel(_ scheduled: ScheduledAction) { … }
///     }
public protocol MonotonicScheduler: AnyObject, Scheduler, Sendable
where SchedulerTimeType == MonotonicTime, SchedulerOptions == Never {
  /// The current moment.
  var now: MonotonicTime { get }

  /// Runs the action at the next opportunity, after all actions that were scheduled this way before.
  func schedule(options: Never?, _ action: @escaping () -> Void)

  /// Runs the action at `time`, or as soon as possible after it; actions for the same time in the order in which they came.
  func schedule(at time: MonotonicTime, _ action: @escaping () -> Void) -> ScheduledAction

  /// Forgets an action that was scheduled for a time, unless it has run or is running.
  func cancel(_ scheduled: ScheduledAction)
}

/// Identifies an action that a ``MonotonicScheduler`` was given for a time, until it has run.
public struct ScheduledAction: Hashable, Sendable {
  /// Distinguishes it from the scheduler's other actions.
  public var number: UInt64

  /// Identifies an action by its number.
  public init(number: UInt64) { self.number = number }

  init(slot: UInt32, generation: UInt32) { number = UInt64(generation) << 32 | UInt64(slot) }

  var slot: UInt32 { UInt32(truncatingIfNeeded: number) }
  var generation: UInt32 { UInt32(truncatingIfNeeded: number >> 32) }
}

extension MonotonicScheduler {
  /// Always 0: an action runs when it is due.
  public var minimumTolerance: MonotonicTime.Stride { .nanoseconds(0) }

  /// Runs the action at `date`, or immediately if that has passed.
  public func schedule(
    after date: MonotonicTime, tolerance: MonotonicTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) {
    _ = schedule(at: date, action)
  }

  /// Runs the action at `date` and again after each `interval`, until the result is cancelled. It skips times that have passed
  /// when the action returns. An interval that is not positive counts as the shortest one, a nanosecond.
  public func schedule(
    after date: MonotonicTime, interval: MonotonicTime.Stride, tolerance: MonotonicTime.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(self, interval: Swift.max(interval, .nanoseconds(1)), action)
    repetition.schedule(at: date)
    return AnyCancellable { repetition.cancel() }
  }
}

/// An action as a generic argument: a bare closure would be wrapped in another closure there.
struct Work {
  let run: () -> Void
}

extension OwnScheduler where Self: MonotonicScheduler {
  @usableFromInline package var nanoseconds: Int { now.nanoseconds }

  @usableFromInline
  package func nanoseconds(in stride: Any) -> Int? { (stride as? MonotonicTime.Stride)?.magnitude }

  @usableFromInline
  package func schedule(atNanoseconds time: Int, _ action: @escaping () -> Void) -> UInt64 {
    schedule(at: MonotonicTime(nanoseconds: time), action).number
  }

  @usableFromInline
  package func cancel(number: UInt64) { cancel(ScheduledAction(number: number)) }
}

/// An action that schedules itself again until it is cancelled.
private final class Repetition<Clock: MonotonicScheduler> {
  private struct State {
    var action: (() -> Void)?
    var scheduled: ScheduledAction?
  }

  private let scheduler: Clock
  private let interval: MonotonicTime.Stride
  private let state: Lock<State>

  init(_ scheduler: Clock, interval: MonotonicTime.Stride, _ action: @escaping () -> Void) {
    self.scheduler = scheduler
    self.interval = interval
    state = Lock(State(action: action))
  }

  func schedule(at time: MonotonicTime) {
    let scheduled = scheduler.schedule(at: time) { self.run(at: time) }
    let isCancelled = state.withLock { state in
      state.scheduled = scheduled
      return state.action == nil
    }
    if isCancelled { scheduler.cancel(scheduled) }
  }

  private func run(at time: MonotonicTime) {
    guard let action = state.withLock({ $0.action }) else { return }
    action()
    let next = next(after: time)
    // At the end of time there is no next one.
    if next > time, state.withLock({ $0.action != nil }) { schedule(at: next) } else { cancel() }
  }

  /// The first of the action's times that has not passed.
  private func next(after time: MonotonicTime) -> MonotonicTime {
    let late = Swift.max(0, (scheduler.now.nanoseconds &- time.nanoseconds &- 1) / interval.magnitude)
    return time.advanced(by: .nanoseconds(late + 1) * interval)
  }

  func cancel() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    if let scheduled = old.scheduled { scheduler.cancel(scheduled) }
  }
}
