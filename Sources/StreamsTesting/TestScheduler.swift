import Streams

/// A scheduler in virtual time that records how it is used.
///
///     let scheduler = TestScheduler()
///     subject.delay(for: .seconds(2), scheduler: scheduler).subscribe(recorder)
///     subject.send(1)
///     scheduler.advance(by: .seconds(2))
///     recorder.values   // [1]
///     scheduler.calls   // every look at the clock, and every action that was scheduled
///
/// Streams can be played on it from marbles and recorded as marbles: see ``MarbleScheduler``.
public final class TestScheduler: Scheduler, MarbleScheduler {
  /// The scheduler's time is virtual.
  public typealias SchedulerTimeType = VirtualTime

  /// Options that have no effect and are recorded.
  public struct SchedulerOptions: Hashable, Sendable, ExpressibleByStringLiteral {
    /// Distinguishes these options from others.
    public var name: String
    /// Makes options with a name.
    public init(_ name: String) { self.name = name }
    /// Makes options whose name is a literal.
    public init(stringLiteral value: String) { name = value }
  }

  /// A use of the scheduler.
  ///
  /// Tests of operators compare ``TestScheduler/calls`` with the expected ones, call by call.
  public enum Call: Equatable, Sendable {
    /// The time was read.
    case now
    /// The smallest tolerance was read.
    case minimumTolerance
    /// An action was scheduled for the next opportunity.
    case schedule(options: SchedulerOptions?)
    /// An action was scheduled for a moment.
    case scheduleAfter(VirtualTime, tolerance: VirtualTime.Stride, options: SchedulerOptions?)
    /// A repeated action was scheduled.
    case scheduleRepeating(
      VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: SchedulerOptions?)
    /// A repeated action was cancelled.
    case cancel
  }

  /// The scheduler that keeps the time. Actions that are scheduled there are not recorded.
  public let clock: VirtualTimeScheduler
  private let locked = Locked<[Call]>([])

  /// Makes a scheduler whose time begins at `now`.
  public init(now: VirtualTime = .zero) { clock = VirtualTimeScheduler(now: now) }

  // MARK: What happened

  /// The recorded calls.
  public var calls: [Call] { locked.withLock { $0 } }

  /// Forgets the recorded calls.
  public func forgetCalls() { locked.withLock { $0 = [] } }

  /// The time; reading it is not recorded.
  public var time: VirtualTime { clock.now }

  /// How many actions are scheduled.
  public var pendingCount: Int { clock.pendingCount }

  private func record(_ call: Call) { locked.withLock { $0.append(call) } }

  // MARK: Letting time pass

  /// Advances the time, and runs all actions that become due.
  public func advance(by stride: VirtualTime.Stride = .nanoseconds(0)) { clock.advance(by: stride) }

  /// Advances the time to `time`, and runs all actions that become due.
  public func advance(to time: VirtualTime) { clock.advance(to: time) }

  /// Runs the action that is due first, at its due time. Returns false if nothing is scheduled.
  @discardableResult
  public func runNext() -> Bool { clock.runNext() }

  /// Runs all actions until nothing is scheduled any more. With a repeated action that is not cancelled this never ends.
  public func run() { clock.run() }

  // MARK: Scheduling

  /// The time; reading it is recorded.
  public var now: VirtualTime {
    record(.now)
    return clock.now
  }

  /// Always 0; reading it is recorded.
  public var minimumTolerance: VirtualTime.Stride {
    record(.minimumTolerance)
    return clock.minimumTolerance
  }

  /// Records the call, and schedules the action for the current moment.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    record(.schedule(options: options))
    clock.schedule(action)
  }

  /// Records the call, and schedules the action for `date`.
  public func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    record(.scheduleAfter(date, tolerance: tolerance, options: options))
    clock.schedule(after: date, tolerance: tolerance, action)
  }

  /// Records the call, and schedules the repeated action. Its cancellation is recorded too.
  public func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    record(.scheduleRepeating(date, interval: interval, tolerance: tolerance, options: options))
    let repetition = clock.schedule(after: date, interval: interval, tolerance: tolerance, action)
    return AnyCancellable { [self] in
      record(.cancel)
      repetition.cancel()
    }
  }
}
