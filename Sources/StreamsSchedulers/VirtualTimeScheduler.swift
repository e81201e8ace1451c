public import Streams

/// A scheduler whose time passes only when it is told to.
///
/// Actions run in the order in which they are due, those that are due at the same moment in the order in
/// which they were scheduled, on the thread that lets the time pass. While an action runs, `now` is the
/// moment it was due.
///
///     let scheduler = VirtualTimeScheduler()
///     let ticket = subject.debounce(for: .seconds(1), scheduler: scheduler).sink { print($0) }
///     subject.send("a")
///     scheduler.advance(by: .seconds(1))  // a
public final class VirtualTimeScheduler: Scheduler, @unchecked Sendable {
  /// The scheduler's time is virtual.
  public typealias SchedulerTimeType = VirtualTime
  /// The scheduler takes no options.
  public typealias SchedulerOptions = Never

  struct Entry {
    var time: VirtualTime
    /// Numbers the entries in the order in which they were scheduled.
    var number: Int
    var action: () -> Void

    func isDue(before other: Entry) -> Bool { (time, number) < (other.time, other.number) }
  }

  struct State {
    var now: VirtualTime
    var count = 0
    /// Sorted, what is due first last.
    var entries: [Entry] = []
    /// Whether time will never pass again.
    var isClosed = false

    mutating func insert(
      _ action: @escaping () -> Void, at time: VirtualTime, first: Bool = false
    ) -> Int {
      count += 1
      let entry = Entry(time: Swift.max(now, time), number: first ? -count : count, action: action)
      if isClosed { return entry.number }
      var low = 0
      var high = entries.count
      while low < high {
        let middle = (low + high) / 2
        if entry.isDue(before: entries[middle]) { low = middle + 1 } else { high = middle }
      }
      entries.insert(entry, at: low)
      return entry.number
    }

    mutating func next(until limit: VirtualTime?) -> Entry? {
      guard let entry = entries.last, limit.map({ entry.time <= $0 }) ?? true else { return nil }
      // Another thread may have let more time pass meanwhile.
      now = Swift.max(now, entry.time)
      return entries.removeLast()
    }
  }

  private let state: Lock<State>

  /// Makes a scheduler whose time begins at `now`.
  public init(now: VirtualTime = .zero) { state = Lock(State(now: now)) }

  /// The present moment of the virtual time; of the action that runs, the moment it was due.
  public var now: VirtualTime { state.withLock { $0.now } }
  /// No tolerance at all: virtual time is exact.
  public var minimumTolerance: VirtualTime.Stride { .nanoseconds(0) }

  /// How many actions are scheduled.
  public var pendingCount: Int { state.withLock { $0.entries.count } }

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
    let limit = Swift.max(time, now)
    var (moment, known) = state.withLock { ($0.now, $0.count) }
    var left = count
    while let entry = state.withLock({ $0.next(until: limit) }) {
      if entry.time > moment { (moment, known, left) = (entry.time, state.withLock { $0.count }, count) }
      entry.action()
      if entry.number > known { left -= 1 }
      if left <= 0 { return false }
    }
    state.withLock { $0.now = Swift.max($0.now, time) }
    return true
  }

  /// Runs what is due first, at the moment when it is due. Returns false if nothing is scheduled.
  @discardableResult
  public func runNext() -> Bool {
    guard let entry = state.withLock({ $0.next(until: nil) }) else { return false }
    entry.action()
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
    state.withLock { _ = $0.insert(action, at: $0.now) }
  }

  /// Schedules the action for `date`; one in the past is due at once.
  public func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    state.withLock { _ = $0.insert(action, at: date) }
  }

  /// Schedules a repeated action. An interval that is not positive is the shortest one, a nanosecond.
  public func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(self, interval: Swift.max(interval, .nanoseconds(1)), action)
    repetition.schedule(at: date)
    return AnyCancellable { repetition.cancel() }
  }

  /// Schedules an action. Returns its number, for ``remove(_:)``.
  package func insert(at time: VirtualTime, _ action: @escaping () -> Void) -> Int {
    state.withLock { $0.insert(action, at: time) }
  }

  /// Schedules an action ahead of all that are due at the same moment.
  package func insertFirst(at time: VirtualTime, _ action: @escaping () -> Void) {
    state.withLock { _ = $0.insert(action, at: time, first: true) }
  }

  /// Forgets all actions, also those that come later.
  package func close() {
    let forgotten = state.withLock { state in
      state.isClosed = true
      defer { state.entries = [] }
      return state.entries
    }
    withExtendedLifetime(forgotten) {}
  }

  /// Forgets a scheduled action, unless it has run.
  package func remove(_ number: Int) {
    let removed: Entry? = state.withLock { state in
      guard let index = state.entries.firstIndex(where: { $0.number == number }) else { return nil }
      return state.entries.remove(at: index)
    }
    withExtendedLifetime(removed) {}
  }
}

/// An action that schedules itself again until it is cancelled.
private final class Repetition {
  private struct State {
    var action: (() -> Void)?
    var number: Int?
  }

  private let scheduler: VirtualTimeScheduler
  private let interval: VirtualTime.Stride
  private let state: Lock<State>

  init(_ scheduler: VirtualTimeScheduler, interval: VirtualTime.Stride, _ action: @escaping () -> Void) {
    self.scheduler = scheduler
    self.interval = interval
    state = Lock(State(action: action))
  }

  func schedule(at time: VirtualTime) {
    let number = scheduler.insert(at: time) { self.run(at: time) }
    let isCancelled = state.withLock { state in
      state.number = number
      return state.action == nil
    }
    if isCancelled { scheduler.remove(number) }
  }

  private func run(at time: VirtualTime) {
    guard let action = state.withLock({ $0.action }) else { return }
    action()
    let next = time.advanced(by: interval)
    // At the end of time there is no next one.
    if next > time, state.withLock({ $0.action != nil }) { schedule(at: next) } else { cancel() }
  }

  func cancel() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    if let number = old.number { scheduler.remove(number) }
  }
}
