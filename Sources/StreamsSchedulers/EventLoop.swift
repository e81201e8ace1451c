public import Streams
import StreamsShims

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A scheduler whose actions run when the program runs the loop, on the thread that runs it.
///
/// It corresponds to `RunLoop.main` on Apple's platforms. A program that has nothing else to wait for calls ``run()``. A program
/// with its own loop watches ``descriptor``, which is readable when an action is due, and then calls ``runOnce(timeout:)``:
///
///     let loop = try EventLoop()
///     let cancellable = subject
///       .debounce(for: .milliseconds(300), scheduler: loop)
///       .sink { print($0) }
///     loop.run(until: loop.now.advanced(by: .seconds(1)))
///
/// Actions may be scheduled and cancelled on any thread. One thread runs the loop at a time, and may run it again from within an
/// action. Releasing the last reference to the loop forgets the scheduled actions.
///
/// In the child of a fork the loop goes on with the actions that had been scheduled; the child must register the descriptor again
/// if it watches it.
public final class EventLoop: MonotonicScheduler, @unchecked Sendable {
  /// The loop's time is that of the system's monotonic clock.
  public typealias SchedulerTimeType = MonotonicTime
  /// The loop takes no options.
  public typealias SchedulerOptions = Never

  /// A descriptor that is readable while an action is due and no thread runs the loop. It belongs to the loop: only watch it. It
  /// may be readable without a reason after a cancellation.
  public var descriptor: Int32 {
    change { _ in alarm }
  }

  private let alarm: Int32
  private let state = Lock(EventLoopState(forks: streams_fork_count()))

  /// Makes a loop. Throws when the process has no descriptor left.
  public init() throws(SystemError) {
    alarm = streams_alarm_create()
    if alarm < 0 { throw SystemError(code: errno) }
  }

  deinit { streams_alarm_close(alarm) }

  /// The current moment.
  public var now: MonotonicTime { .systemNow }

  /// How many actions are scheduled.
  public var pendingCount: Int { state.withLock { $0.count } }

  // MARK: Running

  /// Runs the actions that are due. If there are none, waits until there are or until ``stop()``, and runs them. Returns whether
  /// any action has run.
  ///
  /// - Parameter timeout: The longest time to wait. A signal that the program handles ends the wait.
  @discardableResult
  public func runOnce(timeout: MonotonicTime.Stride = .nanoseconds(0)) -> Bool {
    let limit = now.advanced(by: timeout)
    return attend {
      defer { _ = state.withLock { $0.takeStop() } }
      var mayWait = timeout > .nanoseconds(0)
      while !runDue() {
        if !mayWait { return false }
        mayWait = wait(until: limit)
      }
      return true
    }
  }

  /// Runs actions as they become due, until `time` or until ``stop()``. Returns whether it was stopped.
  @discardableResult
  public func run(until time: MonotonicTime) -> Bool {
    attend {
      while true {
        _ = runDue()
        if state.withLock({ $0.takeStop() }) { return true }
        if now >= time { return false }
        _ = wait(until: time)
      }
    }
  }

  /// Runs actions as they become due, until ``stop()``.
  public func run() { _ = run(until: .never) }

  /// Ends the current run after the actions that are due now, or else the next run; ``runOnce(timeout:)`` is one too. Of two
  /// nested runs it ends the inner one. May be called on any thread.
  public func stop() {
    change { $0.stop() }
  }

  private func attend<Result>(_ body: () -> Result) -> Result {
    precondition(enter(), "an event loop is run by one thread at a time")
    defer { leave() }
    return body()
  }

  /// Makes the calling thread the one that runs the loop, unless another thread is. Each call needs a call of `leave()`.
  package func enter() -> Bool { change { $0.enter(OwnerWord.currentThread) } }

  package func leave() { change { $0.leave() } }

  /// Runs the actions that are ready now, and those that are due by then. Returns whether there were any.
  private func runDue() -> Bool {
    var left = state.withLock { $0.readyCount }
    var hasRun = left > 0
    while left > 0, let action = state.withLock({ $0.nextReady() }) {
      action.run()
      left -= 1
    }
    let time = now
    let last = state.withLock { $0.beginTurn(at: time) }
    while let due = state.withLock({ $0.nextDue(by: time, upTo: last) }) {
      due.action.run()
      hasRun = true
    }
    return hasRun
  }

  /// Waits until an action is due, a signal has been handled, or `time` has come. Returns false if it need not wait, or for the
  /// latter two. When it returns true, the action may have been cancelled.
  private func wait(until time: MonotonicTime) -> Bool {
    guard change({ $0.beginWaiting() }) else { return false }
    let wasWoken = streams_alarm_wait(alarm, Int64(time.nanoseconds))
    state.withLock { $0.endWaiting() }
    return wasWoken
  }

  // MARK: Scheduling

  /// Runs the action in the next run of the loop, after all actions that were scheduled this way before.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    change { $0.append(action) }
  }

  /// Runs the action when the loop runs at `time` or later.
  public func schedule(at time: MonotonicTime, _ action: @escaping () -> Void) -> ScheduledAction {
    change { $0.insert(action, at: time) }
  }

  /// Forgets an action that was scheduled for a time, unless it has run or is running.
  public func cancel(_ scheduled: ScheduledAction) {
    let removed = state.withLock { $0.remove(scheduled) }
    withExtendedLifetime(removed) {}
  }

  /// Forgets all actions, ignores later ones, and ends all runs.
  package func close() {
    let forgotten = change { $0.close() }
    withExtendedLifetime(forgotten) {}
  }

  /// Changes the state, and sets the descriptor to the next due time, in order, because both happen under the lock. A thread that
  /// is woken may have to wait for the lock, but finds more to do the later it comes: setting the descriptor outside the lock
  /// doubled the time to pass work between threads that share a processor.
  private func change<Result>(_ body: (inout EventLoopState) -> Result) -> Result {
    let thread = OwnerWord.currentThread
    return state.withLock { state in
      if state.noteForks(streams_fork_count(), thread) { streams_alarm_renew(alarm) }
      let result = body(&state)
      if let time = state.takeAlarm() { streams_alarm_set(alarm, Int64(time.nanoseconds)) }
      return result
    }
  }
}

extension EventLoop: OwnScheduler {
  @usableFromInline package var handover: Handover { .together }
}

/// The system's error when it has no descriptor or thread left for a scheduler.
public struct SystemError: Error, Hashable, Sendable {
  /// The error number, as in `errno`.
  public var code: Int32
}
