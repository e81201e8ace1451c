public import Streams

/// A scheduler that runs its actions one after another, on its own thread or on a pool's threads.
///
///     let background = try SerialQueue()
///     let cancellable = file
///       .subscribe(on: background)
///       .receive(on: loop)
///       .sink { show($0) }
///
/// Actions may be scheduled and cancelled on any thread. When the last reference to the queue is released, actions without a time
/// still run; actions that wait for their time are forgotten.
///
/// In the child of a fork a queue has no thread, and forgets the actions that it is given: make another.
public final class SerialQueue: MonotonicScheduler {
  /// The queue's time is that of the system's monotonic clock.
  public typealias SchedulerTimeType = MonotonicTime
  /// The queue takes no options.
  public typealias SchedulerOptions = Never

  private let pool: QueuePool
  private let work = QueueWork()

  /// Makes a queue with its own thread. Throws when the system has no thread left.
  public convenience init() throws(SystemError) { self.init(on: try QueuePool(threads: 1)) }

  init(on pool: QueuePool) { self.pool = pool }

  deinit { forget(keepsReady: true) }

  /// The current moment.
  public var now: MonotonicTime { .systemNow }

  /// Runs the action after all actions that were scheduled this way before.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    if pool.core.isOfParent { return }
    pool.core.change { ((), $0.append(action, to: work)) }
  }

  /// Runs the action at `time`, or as soon after it as the actions before it have run.
  public func schedule(at time: MonotonicTime, _ action: @escaping () -> Void) -> ScheduledAction {
    if pool.core.isOfParent { return ScheduledAction(number: .max) }
    return pool.core.change { $0.insert(action, at: time, to: work) }
  }

  /// Forgets an action that was scheduled for a time, unless it has run or is running.
  public func cancel(_ scheduled: ScheduledAction) {
    if pool.core.isOfParent { return }
    let removed = pool.core.withState { $0.remove(scheduled) }
    withExtendedLifetime(removed) {}
  }

  /// The number of forks when its threads began. The child of a later fork does not have them.
  package var forks: UInt32 { pool.core.forks }

  /// Forgets all actions, and ignores later ones.
  package func close() { forget(keepsReady: false) }

  private func forget(keepsReady: Bool) {
    if pool.core.isOfParent {
      _ = Unmanaged.passRetained(work)
      return
    }
    let forgotten = pool.core.withState { $0.close(work, keepsReady: keepsReady) }
    withExtendedLifetime(forgotten) {}
  }
}

extension SerialQueue: OwnScheduler {
  @usableFromInline package var handover: Handover { .together }
}
