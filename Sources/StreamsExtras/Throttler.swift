public import Streams

/// Runs at most one action in each interval of time.
///
/// It is throttle for a program that has no streams. The first action runs immediately; of the actions that come within an
/// interval after it, the latest or the first runs when the interval is over. Any thread may give actions; they run on the
/// scheduler. When the throttler is released or cancelled, it forgets the action that waits.
///
///     let save = Throttler(for: .seconds(10), scheduler: queue, latest: true)
///     document.onChange = { save.execute { document.write() } }
public final class Throttler: Cancellable, Sendable {
  private let actions: any Throttling

  /// Makes a throttler.
  ///
  /// - Parameters:
  ///   - interval: The time from one action to the next.
  ///   - scheduler: The scheduler that measures the time and runs actions.
  ///   - latest: Whether the latest of an interval's actions runs, rather than the first.
  public init<S: Scheduler>(for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool = true) {
    actions = ThrottledActions(interval, scheduler, latest: latest)
  }

  /// Runs an action, unless its interval has had one.
  public func execute(_ action: @escaping () -> Void) { actions.execute(action) }

  /// Forgets the action that waits, and ignores further ones.
  public func cancel() { actions.cancel() }

  deinit { actions.cancel() }
}

/// The state of a throttler: a value without locks or calls, which returns what to do.
struct ThrottlerState<Time: Strideable> where Time.Stride: Comparable {
  enum Step {
    case nothing
    case runSoon
    /// Run the waiting action at this time.
    case runAt(Time)
  }

  private enum Phase {
    /// No action has run within the last interval: the next one runs immediately.
    case idle
    /// The scheduler has an action to run immediately.
    case running
    /// An action has run. If another one waits, the scheduler has been given the time.
    case resting(until: Time, isAwaited: Bool)
    case cancelled
  }

  let interval: Time.Stride
  let latest: Bool
  private var phase = Phase.idle
  /// The action to run immediately, and the one that waits until the interval is over.
  private var actions = Actions()

  private struct Actions {
    var next: (() -> Void)?
    var waiting: (() -> Void)?
  }

  init(_ interval: Time.Stride, latest: Bool) { (self.interval, self.latest) = (interval, latest) }

  /// Takes an action. Returns the next step, and an action for the caller to release.
  mutating func execute(_ action: @escaping () -> Void, at now: Time) -> (Step, released: (() -> Void)?) {
    switch phase {
    case .cancelled: return (.nothing, action)
    case .running: return (.nothing, wait(action))
    case .resting(let end, let isAwaited) where isAwaited || now < end:
      phase = .resting(until: end, isAwaited: true)
      return (isAwaited ? .nothing : .runAt(end), wait(action))
    case .idle, .resting:
      phase = .running
      actions.next = action
      return (.runSoon, nil)
    }
  }

  private mutating func wait(_ action: @escaping () -> Void) -> (() -> Void)? {
    if !latest, actions.waiting != nil { return action }
    defer { actions.waiting = action }
    return actions.waiting
  }

  /// The scheduler runs what it was given. Returns the action to run and the next step.
  mutating func run(at now: Time) -> (action: (() -> Void)?, Step) {
    if case .cancelled = phase { return (nil, .nothing) }
    let action = actions.next ?? actions.waiting
    if actions.next == nil { actions.waiting = nil }
    actions.next = nil
    let end = now.advanced(by: interval)
    let isAwaited = actions.waiting != nil
    phase = .resting(until: end, isAwaited: isAwaited)
    return (action, isAwaited ? .runAt(end) : .nothing)
  }

  /// Returns the actions for the caller to release.
  mutating func cancel() -> [() -> Void] {
    phase = .cancelled
    defer { actions = Actions() }
    return [actions.next, actions.waiting].compactMap { $0 }
  }
}

/// A throttler on a scheduler of any type.
private protocol Throttling: AnyObject, Sendable {
  func execute(_ action: @escaping () -> Void)
  func cancel()
}

private final class ThrottledActions<S: Scheduler>: Throttling, @unchecked Sendable {
  private let scheduler: S
  private let state: Lock<ThrottlerState<S.SchedulerTimeType>>

  init(_ interval: S.SchedulerTimeType.Stride, _ scheduler: S, latest: Bool) {
    self.scheduler = scheduler
    state = Lock(ThrottlerState(interval, latest: latest))
  }

  func execute(_ action: @escaping () -> Void) {
    let now = scheduler.now
    let (step, released) = state.withLock { $0.execute(action, at: now) }
    withExtendedLifetime(released) {}
    take(step)
  }

  private func take(_ step: ThrottlerState<S.SchedulerTimeType>.Step) {
    switch step {
    case .nothing: break
    case .runSoon: scheduler.schedule { [weak self] in self?.run() }
    case .runAt(let time): scheduler.schedule(after: time) { [weak self] in self?.run() }
    }
  }

  private func run() {
    let now = scheduler.now
    let (action, step) = state.withLock { $0.run(at: now) }
    take(step)
    action?()
  }

  func cancel() {
    let released = state.withLock { $0.cancel() }
    withExtendedLifetime(released) {}
  }
}
