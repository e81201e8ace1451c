import Streams

/// The time of a ``VirtualTimeScheduler``, which is counted as that of the other schedulers.
public typealias VirtualTime = MonotonicTime

/// A scheduler whose time passes only when it is told to.
///
/// Actions run in the order in which they are due, those that are due at the same moment in the order in
/// which they were scheduled, on the thread that lets the time pass. While an action runs, `now` is the
/// moment it was due.
///
///     let scheduler = VirtualTimeScheduler()
///     let cancellable = subject.debounce(for: .seconds(1), scheduler: scheduler).sink { print($0) }
///     subject.send("a")
///     scheduler.advance(by: .seconds(1))  // a
public final class VirtualTimeScheduler: MonotonicScheduler, @unchecked Sendable {
  /// The scheduler's time is virtual.
  public typealias SchedulerTimeType = VirtualTime
  /// The scheduler takes no options.
  public typealias SchedulerOptions = Never

  private typealias Actions = TimerQueue<Work>

  private struct State {
    var now: VirtualTime
    var actions = Actions()
    /// Whether time will never pass again.
    var isClosed = false

    mutating func insert(
      _ action: @escaping () -> Void, at time: VirtualTime, first: Bool = false
    ) -> ScheduledAction {
      if isClosed { return ScheduledAction(number: .max) }
      return actions.insert(Work(run: action), at: Swift.max(now, time), first: first)
    }

    mutating func next(by limit: VirtualTime) -> Actions.Due? {
      guard let due = actions.popFirst(by: limit) else { return nil }
      // Another thread may have let more time pass meanwhile.
      now = Swift.max(now, due.time)
      return due
    }
  }

  private let state: Lock<State>

  /// Makes a scheduler whose time begins at `now`.
  public init(now: VirtualTime = .zero) { state = Lock(State(now: now)) }

  /// The present moment of the virtual time; of the action that runs, the moment it was due.
  public var now: VirtualTime { state.withLock { $0.now } }

  /// How many actions are scheduled.
  public var pendingCount: Int { state.withLock { $0.actions.count } }

  // MARK: Letting time pass

  /// Lets the time pass, and runs everything that is due on the way.
  public func advance(by stride: VirtualTime.Stride = .nanoseconds(0)) {
    advance(to: now.advanced(by: stride))
  }

  /// Lets the time pass until `time`, and runs everything that is due on the way. A time in the past is now.
  ///
  /// An action may let more time pass than that. What is scheduled for later than `time` after it has returned is not
  /// run.
  public func advance(to time: VirtualTime) {
    _ = advance(to: time, atMost: .max)
  }

  /// The same, unless `count` actions run at one moment that were scheduled in it: then it stops there. Returns whether
  /// it has not.
  package func advance(to time: VirtualTime, atMost count: Int) -> Bool {
    BatchProgress.deliverGatheredIfAny()
    let limit = Swift.max(time, now)
    var (moment, known) = state.withLock { ($0.now, $0.actions.lastOrder) }
    var left = count
    while let due = state.withLock({ $0.next(by: limit) }) {
      if due.time > moment {
        (moment, known, left) = (due.time, state.withLock { $0.actions.lastOrder }, count)
      }
      due.action.run()
      if due.order > known { left -= 1 }
      if left <= 0 { return false }
    }
    state.withLock { $0.now = Swift.max($0.now, time) }
    return true
  }

  /// Runs what is due first, at the moment when it is due. Returns false if nothing is scheduled.
  @discardableResult
  public func runNext() -> Bool {
    BatchProgress.deliverGatheredIfAny()
    guard let due = state.withLock({ $0.next(by: VirtualTime(nanoseconds: .max)) }) else { return false }
    due.action.run()
    return true
  }

  /// Runs everything, until nothing is scheduled any more. With a repeated action that is not cancelled this
  /// never ends.
  public func run() {
    while runNext() {}
  }

  // MARK: Scheduling

  /// Schedules the action for the present moment; it runs when the time is let pass.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    BatchProgress.deliverGatheredIfAny()
    state.withLock { _ = $0.insert(action, at: $0.now) }
  }

  /// Schedules the action for `time`; one in the past is due at once.
  public func schedule(at time: VirtualTime, _ action: @escaping () -> Void) -> ScheduledAction {
    BatchProgress.deliverGatheredIfAny()
    return state.withLock { $0.insert(action, at: time) }
  }

  /// Schedules an action ahead of all that are due at the same moment.
  package func scheduleFirst(at time: VirtualTime, _ action: @escaping () -> Void) {
    BatchProgress.deliverGatheredIfAny()
    state.withLock { _ = $0.insert(action, at: time, first: true) }
  }

  /// Forgets a scheduled action, unless it has run.
  public func cancel(_ scheduled: ScheduledAction) {
    let removed = state.withLock { $0.actions.remove(scheduled) }
    withExtendedLifetime(removed) {}
  }

  /// Forgets all actions, also those that come later.
  package func close() {
    let forgotten = state.withLock { state in
      state.isClosed = true
      return exchange(&state.actions, with: Actions())
    }
    withExtendedLifetime(forgotten) {}
  }
}

/// What operators do with virtual time can be counted, action by action.
extension VirtualTimeScheduler: OwnScheduler {
  @usableFromInline package var handover: Handover { .oneByOne }
}
