import Dispatch
public import Foundation
public import Streams

extension OperationQueue: Scheduler {
  /// A moment in an operation queue's time.
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

  /// An operation queue has no options.
  public struct SchedulerOptions: Sendable {}

  /// The current date.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
  /// No tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs the action as an operation.
  ///
  /// The queue decides when. If it runs more than one operation at a time, actions may run in any order.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = Action(run: action)
    addOperation(BlockOperation { action.run() })
  }

  /// Runs the action as an operation that is not ready before `date`.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let operation = DelayedOperation(Action(run: action))
    addOperation(operation)
    operation.becomeReady(at: date.date)
  }

  /// Runs the action repeatedly, as one operation after the other, until the result, an `AnyCancellable`, is cancelled or
  /// released.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = RepeatedOperation(queue: self, interval: interval.timeInterval, Action(run: action))
    repetition.schedule(at: date.date)
    return AnyCancellable { repetition.cancel() }
  }
}

/// An operation that runs an action once, and is not ready before its time.
final class DelayedOperation: Operation, Cancellable, @unchecked Sendable {
  private let action: Lock<Action?>
  /// A dependency of this operation, which is run when the time has come.
  private let gate = BlockOperation {}

  init(_ action: Action) {
    self.action = Lock(action)
    super.init()
    addDependency(gate)
  }

  override func main() {
    let action = action.withLock { $0.take() }
    if !isCancelled { action?.run() }
  }

  /// A cancelled operation runs nothing, so its action is released.
  override func cancel() {
    super.cancel()
    let dropped = action.withLock { $0.take() }
    withExtendedLifetime(dropped) {}
  }

  /// The timer keeps this operation, because the gate does not. It checks the date again, because its own clock is another one.
  func becomeReady(at date: Date) {
    let delay = Swift.max(0, date.timeIntervalSinceNow)
    DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [self] in
      if date.timeIntervalSinceNow > 0 { return becomeReady(at: date) }
      gate.start()
    }
  }
}

/// An action that is scheduled again after each run.
private final class RepeatedOperation: @unchecked Sendable {
  private struct State {
    var action: Action?
    var current: DelayedOperation?
  }

  private let queue: OperationQueue
  private let interval: TimeInterval
  private let state: Lock<State>

  init(queue: OperationQueue, interval: TimeInterval, _ action: Action) {
    self.queue = queue
    self.interval = interval
    state = Lock(State(action: action))
  }

  func schedule(at date: Date) {
    let operation = DelayedOperation(Action { self.run(at: date) })
    // The previous operation is released outside the lock.
    var replaced: DelayedOperation? = operation
    let isActive = state.withLock { state in
      guard state.action != nil else { return false }
      swap(&state.current, &replaced)
      return true
    }
    withExtendedLifetime(replaced) {}
    guard isActive else { return }
    queue.addOperation(operation)
    operation.becomeReady(at: date)
  }

  private func run(at date: Date) {
    guard let action = state.withLock({ $0.action }) else { return }
    schedule(at: date.addingTimeInterval(interval))
    action.run()
  }

  func cancel() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    old.current?.cancel()
  }
}
