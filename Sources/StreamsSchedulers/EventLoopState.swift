import Streams

/// The actions of an event loop, the thread that runs it, and the time for its descriptor.
struct EventLoopState {
  private var ready = Queue<Work>()
  private var timers = TimerQueue<Work>()
  /// When the last turn began.
  private var turn = MonotonicTime.zero

  /// The thread that runs the loop; 0 if none does.
  private var thread: UInt32 = 0
  /// How many runs of that thread are nested.
  private var depth = 0
  private var isWaiting = false
  private var isStopped = false
  private var isClosed = false

  /// When the descriptor becomes readable, as last set.
  private var alarm = MonotonicTime.never
  /// The number of forks when it was set.
  private var forks: UInt32

  init(forks: UInt32) { self.forks = forks }

  var count: Int { ready.count + timers.count }
  var readyCount: Int { ready.count }

  // MARK: The running thread

  /// In the child of a fork: the thread that ran the loop does not exist, unless it is the one that has forked. Returns whether
  /// the descriptor is shared with the parent.
  mutating func noteForks(_ forks: UInt32, _ thread: UInt32) -> Bool {
    guard forks != self.forks else { return false }
    self.forks = forks
    alarm = .never
    isWaiting = false
    if self.thread != thread { (self.thread, depth) = (0, 0) }
    return true
  }

  mutating func enter(_ thread: UInt32) -> Bool {
    guard self.thread == 0 || self.thread == thread else { return false }
    self.thread = thread
    depth += 1
    return true
  }

  mutating func leave() {
    depth -= 1
    if depth == 0 { thread = 0 }
  }

  /// Returns false if an action is ready already.
  mutating func beginWaiting() -> Bool {
    isWaiting = ready.isEmpty && !isStopped && !isClosed
    return isWaiting
  }

  mutating func endWaiting() { isWaiting = false }

  mutating func stop() { isStopped = true }

  /// Whether the run must end.
  mutating func takeStop() -> Bool { exchange(&isStopped, with: false) || isClosed }

  // MARK: Actions

  mutating func append(_ action: @escaping () -> Void) {
    if !isClosed { ready.append(Work(run: action)) }
  }

  /// A time in the past becomes that of the current turn, so that actions that are already due come before.
  mutating func insert(_ action: @escaping () -> Void, at time: MonotonicTime) -> ScheduledAction {
    if isClosed { return ScheduledAction(number: .max) }
    return timers.insert(Work(run: action), at: Swift.max(time, turn))
  }

  mutating func remove(_ scheduled: ScheduledAction) -> Work? { timers.remove(scheduled) }

  mutating func nextReady() -> Work? { ready.popFirst() }

  /// Begins a turn with the actions due by a time. Returns the order of the last one: actions that come later wait for another
  /// turn.
  mutating func beginTurn(at time: MonotonicTime) -> Int32 {
    turn = Swift.max(turn, time)
    return timers.lastOrder
  }

  mutating func nextDue(by time: MonotonicTime, upTo order: Int32 = .max) -> TimerQueue<Work>.Due? {
    timers.popFirst(by: time, upTo: order)
  }

  /// Returns the forgotten actions.
  mutating func close() -> (Queue<Work>, TimerQueue<Work>) {
    isClosed = true
    return (exchange(&ready, with: Queue()), exchange(&timers, with: TimerQueue()))
  }

  // MARK: The descriptor

  /// When the descriptor must become readable, if that has changed; nil while a thread runs the loop without waiting, because
  /// that thread looks by itself before it waits.
  mutating func takeAlarm() -> MonotonicTime? {
    guard thread == 0 || isWaiting else { return nil }
    let isEnding = isWaiting && (isStopped || isClosed)
    let next = !ready.isEmpty || isEnding ? .zero : timers.nextTime ?? .never
    return exchange(&alarm, with: next) == next ? nil : next
  }
}
