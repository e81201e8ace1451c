import Streams

/// The actions of one serial queue. Guarded by its pool's lock.
final class QueueWork: @unchecked Sendable {
  enum Step {
    case action(() -> Void)
    /// An action whose time has come. It may still be cancelled.
    case due(ScheduledAction)
  }

  fileprivate var steps = Queue<Step>()
  /// The actions that it was given for a time. At most about half of them have run or been cancelled.
  private(set) fileprivate var noted: ContiguousArray<ScheduledAction> = []
  /// How many of these still wait.
  fileprivate var waiting = 0
  /// Whether it waits for a thread, or has one.
  fileprivate var isScheduled = false
  fileprivate var isClosed = false

  var notedCount: Int { noted.count }

  fileprivate func note(_ scheduled: ScheduledAction, if waits: (ScheduledAction) -> Bool) {
    if noted.count >= 2 * waiting + 16 { noted.removeAll { !waits($0) } }
    noted.append(scheduled)
    waiting += 1
  }

  fileprivate func takeNoted() -> ContiguousArray<ScheduledAction> { exchange(&noted, with: []) }
}

/// The work of a pool's queues, and the state of its threads.
///
/// One of the idle threads keeps the time; the others sleep until there is work for them.
struct QueuePoolState {
  typealias Action = () -> Void
  struct Timed {
    var queue: QueueWork
    var action: Action
  }

  /// What a thread does next.
  enum Task {
    case run(QueueWork, steps: Int)
    /// Sleep until the first due time changes or has come.
    case keepTime(until: MonotonicTime)
    /// Sleep until there is work.
    case wait
    case end
  }

  /// The thread to wake.
  enum Sleeper {
    case timekeeper
    case follower
  }

  private var runnable = Queue<QueueWork>()
  private var timers = TimerQueue<Timed>()
  private var hasTimekeeper = false
  private var followers = 0
  private var isClosed = false

  /// How many actions wait for their time.
  var timerCount: Int { timers.count }

  // MARK: Threads

  /// What a thread does next, and which thread it must wake for other work.
  mutating func next(at time: MonotonicTime) -> (task: Task, wakes: Sleeper?) {
    moveDue(by: time)
    if let queue = runnable.popFirst() {
      let isMissed = !runnable.isEmpty || timers.nextTime != nil && !hasTimekeeper
      return (.run(queue, steps: queue.steps.count), isMissed ? sleeper : nil)
    }
    if isClosed { return (.end, sleeper) }
    if hasTimekeeper {
      followers += 1
      return (.wait, nil)
    }
    hasTimekeeper = true
    return (.keepTime(until: timers.nextTime ?? .never), nil)
  }

  mutating func stopKeepingTime() { hasTimekeeper = false }
  mutating func stopWaiting() { followers -= 1 }

  private mutating func moveDue(by time: MonotonicTime) {
    while let due = timers.expireFirst(by: time) {
      if let queue = timers[due]?.queue { append(.due(due), to: queue) }
    }
  }

  /// The next action of the thread's queue; nil for a cancelled one.
  mutating func nextAction(of queue: QueueWork) -> Action? {
    switch queue.steps.popFirst() {
    case .action(let action): action
    case .due(let due): remove(due)?.action
    case nil: nil
    }
  }

  /// Takes a queue back from a thread.
  mutating func giveBack(_ queue: QueueWork) {
    queue.isScheduled = !queue.steps.isEmpty
    if queue.isScheduled { runnable.append(queue) }
  }

  // MARK: Queues

  mutating func append(_ action: @escaping Action, to queue: QueueWork) -> Sleeper? {
    if queue.isClosed { return nil }
    append(.action(action), to: queue)
    return runnable.isEmpty ? nil : sleeper
  }

  private mutating func append(_ step: QueueWork.Step, to queue: QueueWork) {
    queue.steps.append(step)
    if exchange(&queue.isScheduled, with: true) { return }
    runnable.append(queue)
  }

  mutating func insert(
    _ action: @escaping Action, at time: MonotonicTime, to queue: QueueWork
  ) -> (ScheduledAction, Sleeper?) {
    if queue.isClosed { return (ScheduledAction(number: .max), nil) }
    let isFirst = timers.nextTime.map { time < $0 } ?? true
    let scheduled = timers.insert(Timed(queue: queue, action: action), at: time)
    queue.note(scheduled) { timers.contains($0) }
    return (scheduled, isFirst ? hasTimekeeper ? .timekeeper : sleeper : nil)
  }

  mutating func remove(_ scheduled: ScheduledAction) -> Timed? {
    let timed = timers.remove(scheduled)
    timed?.queue.waiting -= 1
    return timed
  }

  /// Forgets and returns a queue's timed actions, or all its actions. The queue ignores later ones.
  mutating func close(_ queue: QueueWork, keepsReady: Bool) -> ([Timed], Queue<QueueWork.Step>) {
    queue.isClosed = true
    // Without a search through the timers of other queues, which a pool may have in great number.
    let forgotten = queue.takeNoted().compactMap { remove($0) }
    return (forgotten, keepsReady ? Queue() : exchange(&queue.steps, with: Queue()))
  }

  /// Ends the threads once there is no more work. Returns the first thread to wake for that.
  mutating func close() -> Sleeper? {
    isClosed = true
    return sleeper
  }

  /// A thread that can be woken, if there is one.
  private var sleeper: Sleeper? { followers > 0 ? .follower : hasTimekeeper ? .timekeeper : nil }
}
