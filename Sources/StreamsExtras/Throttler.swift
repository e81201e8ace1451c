public import Streams

/// Runs at most one of the actions that come in each interval of time.
///
/// It is throttle for a program that has no streams. The first action runs at once; of those that come within an interval
/// after it, the latest or the first runs when that is over. Actions may be given on any thread; they run on the
/// scheduler. When the throttler goes, or is cancelled, what waits is forgotten.
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
  ///   - latest: Whether the latest of an interval's actions runs, or else the first.
  public init<S: Scheduler>(for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool = true) {
    actions = ThrottledActions(interval, scheduler, latest: latest)
  }

  /// Has an action run, unless there are too many.
  public func execute(_ action: @escaping () -> Void) { actions.execute(action) }

  /// Forgets the action that waits, and all that come.
  public func cancel() { actions.cancel() }

  deinit { actions.cancel() }
}

/// What a throttler has to do: a value without locks or calls.
struct ThrottlerState<Time: Strideable> where Time.Stride: Comparable {
  enum Step {
    case nothing
    case runSoon
    /// Runs what waits, when the time has come.
    case runAt(Time)
  }

  private enum Phase {
    /// Nothing has run, or that is long ago: what comes runs at once.
    case idle
    /// The scheduler has an action to run at once.
    case running
    /// An action has run. Once somebody waits, the scheduler has been told.
    case resting(until: Time, isAwaited: Bool)
    case cancelled
  }

  let interval: Time.Stride
  let latest: Bool
  private var phase = Phase.idle
  /// What runs at once, and then what waits until the interval is over.
  private var actions = Actions()

  private struct Actions {
    var next: (() -> Void)?
    var waiting: (() -> Void)?
  }

  init(_ interval: Time.Stride, latest: Bool) { (self.interval, self.latest) = (interval, latest) }

  /// Returns also what is to be released.
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

  /// The scheduler has come to what it was told. Returns the action to run and what to do besides.
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

  /// Returns what is to be released.
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
