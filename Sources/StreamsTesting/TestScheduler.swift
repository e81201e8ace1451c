import Streams

/// A scheduler in virtual time that writes down how it is used.
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

  /// Options that do nothing but be written down.
  public struct SchedulerOptions: Hashable, Sendable, ExpressibleByStringLiteral {
    /// What tells these options from others.
    public var name: String
    /// Makes options by a name.
    public init(_ name: String) { self.name = name }
    /// Makes options by a name, written as a literal.
    public init(stringLiteral value: String) { name = value }
  }

  /// A use of the scheduler.
  ///
  /// Tests of operators compare ``TestScheduler/calls`` with what they expect, call by call.
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

  /// The scheduler that keeps the time. What is scheduled there is not written down.
  public let clock: VirtualTimeScheduler
  private let locked = Locked<[Call]>([])

  /// Makes a scheduler whose time begins at `now`.
  public init(now: VirtualTime = .zero) { clock = VirtualTimeScheduler(now: now) }

  // MARK: What happened

  /// How the scheduler was used so far.
  public var calls: [Call] { locked.withLock { $0 } }

  /// Forgets how the scheduler was used.
  public func forgetCalls() { locked.withLock { $0 = [] } }

  /// The time, without a note that somebody looked.
  public var time: VirtualTime { clock.now }

  /// How many actions are scheduled.
  public var pendingCount: Int { clock.pendingCount }

  private func record(_ call: Call) { locked.withLock { $0.append(call) } }

  // MARK: Letting time pass

  /// Lets the time pass, and runs everything that is due on the way.
  public func advance(by stride: VirtualTime.Stride = .nanoseconds(0)) { clock.advance(by: stride) }

  /// Lets the time pass until `time`, and runs everything that is due on the way.
  public func advance(to time: VirtualTime) { clock.advance(to: time) }

  /// Runs what is due first, at the moment when it is due. Returns false if nothing is scheduled.
  @discardableResult
  public func runNext() -> Bool { clock.runNext() }

  /// Runs everything, until nothing is scheduled any more. With a repeated action that is not cancelled this
  /// never ends.
  public func run() { clock.run() }

  // MARK: Scheduling

  /// The time, with a note that somebody looked.
  public var now: VirtualTime {
    record(.now)
    return clock.now
  }

  /// No tolerance at all, with a note that somebody looked.
  public var minimumTolerance: VirtualTime.Stride {
    record(.minimumTolerance)
    return clock.minimumTolerance
  }

  /// Writes the call down, and schedules the action for the present moment.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    record(.schedule(options: options))
    clock.schedule(action)
  }

  /// Writes the call down, and schedules the action for `date`.
  public func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    record(.scheduleAfter(date, tolerance: tolerance, options: options))
    clock.schedule(after: date, tolerance: tolerance, action)
  }

  /// Writes the call down, and schedules the repeated action. Its cancellation is written down too.
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
