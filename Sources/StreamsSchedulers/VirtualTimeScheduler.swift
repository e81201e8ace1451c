import Streams

/// The time of a ``VirtualTimeScheduler``, counted like that of the other schedulers.
public typealias VirtualTime = MonotonicTime

/// A scheduler whose time advances only when the program advances it.
///
/// Actions run in the order of their due times, and those of one moment in the order in which they were scheduled, on the thread
/// that advances the time. While an action runs, `now` is its due time.
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
    /// Whether the time will never advance again.
    var isClosed = false

    mutating func insert(
      _ action: @escaping () -> Void, at time: VirtualTime, first: Bool = false
    ) -> ScheduledAction {
      if isClosed { return ScheduledAction(number: .max) }
      return actions.insert(Work(run: action), at: Swift.max(now, time), first: first)
    }

    mutating func next(by limit: VirtualTime) -> Actions.Due? {
      guard let due = actions.popFirst(by: limit) else { return nil }
      // Another thread may have advanced the time further.
      now = Swift.max(now, due.time)
      return due
    }
  }

  private let state: Lock<State>

  /// Makes a scheduler whose time begins at `now`.
  public init(now: VirtualTime = .zero) { state = Lock(State(now: now)) }

  /// The current moment of the virtual time; while an action runs, its due time.
  public var now: VirtualTime { state.withLock { $0.now } }

  /// How many actions are scheduled.
  public var pendingCount: Int { state.withLock { $0.actions.count } }

  // MARK: Advancing the time

  /// Advances the time, and runs all actions that become due.
  public func advance(by stride: VirtualTime.Stride = .nanoseconds(0)) {
    advance(to: now.advanced(by: stride))
  }

  /// Advances the time to `time`, and runs all actions that become due. A time in the past counts as now.
  ///
  /// An action may advance the time further than that; then this call still runs no action that is due after `time`.
  public func advance(to time: VirtualTime) {
    _ = advance(to: time, atMost: .max)
  }

  /// Advances the time to `time`, but stops after `count` actions at one moment that were scheduled during it. Returns false if
  /// it stopped so.
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

  /// Runs the action that is due first, at its due time. Returns false if nothing is scheduled.
  @discardableResult
  public func runNext() -> Bool {
    BatchProgress.deliverGatheredIfAny()
    guard let due = state.withLock({ $0.next(by: VirtualTime(nanoseconds: .max)) }) else { return false }
    due.action.run()
    return true
  }

  /// Runs all actions until nothing is scheduled any more. With a repeated action that is not cancelled this never ends.
  public func run() {
    while runNext() {}
  }

  // MARK: Scheduling

  /// Schedules the action for the current moment; it runs when the time is advanced.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    BatchProgress.deliverGatheredIfAny()
    state.withLock { _ = $0.insert(action, at: $0.now) }
  }

  /// Schedules the action for `time`; if that is in the past, it is due immediately.
  public func schedule(at time: VirtualTime, _ action: @escaping () -> Void) -> ScheduledAction {
    BatchProgress.deliverGatheredIfAny()
    return state.withLock { $0.insert(action, at: time) }
  }

  /// Schedules an action before all that are due at the same moment.
  package func scheduleFirst(at time: VirtualTime, _ action: @escaping () -> Void) {
    BatchProgress.deliverGatheredIfAny()
    state.withLock { _ = $0.insert(action, at: time, first: true) }
  }

  /// Forgets a scheduled action, unless it has run.
  public func cancel(_ scheduled: ScheduledAction) {
    let removed = state.withLock { $0.actions.remove(scheduled) }
    withExtendedLifetime(removed) {}
  }

  /// Forgets all actions, and ignores later ones.
  package func close() {
    let forgotten = state.withLock { state in
      state.isClosed = true
      return exchange(&state.actions, with: Actions())
    }
    withExtendedLifetime(forgotten) {}
  }
}

/// Tests can count the actions that operators schedule in virtual time, one by one.
extension VirtualTimeScheduler: OwnScheduler {
  @usableFromInline package var handover: Handover { .oneByOne }
}
