public import Streams
import StreamsShims

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A scheduler whose actions run when, and on the thread where, a program says so.
///
/// It is for programs what `RunLoop.main` is on Apple's platforms. One that has nothing else to wait for calls
/// ``run()``. One with a loop of its own watches ``descriptor``, which can be read from when something is due, and then
/// calls ``runOnce(timeout:)``:
///
///     let loop = try EventLoop()
///     let cancellable = subject
///       .debounce(for: .milliseconds(300), scheduler: loop)
///       .sink { print($0) }
///     loop.run(until: loop.now.advanced(by: .seconds(1)))
///
/// Actions may be scheduled and cancelled on any thread. One thread runs the loop at a time, and may run it again from
/// within an action. What is scheduled when the last reference to the loop goes is forgotten.
///
/// In the child of a fork the loop goes on by itself, with what had been scheduled; whoever watches its descriptor there
/// has to watch it anew.
public final class EventLoop: MonotonicScheduler, @unchecked Sendable {
  /// The loop's time is that of the system's monotonic clock.
  public typealias SchedulerTimeType = MonotonicTime
  /// The loop takes no options.
  public typealias SchedulerOptions = Never

  /// A descriptor that can be read from while something is due and nobody runs the loop. It is to be watched only, and
  /// belongs to the loop. It may be readable for nothing where something was cancelled.
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

  /// The present moment.
  public var now: MonotonicTime { .systemNow }

  /// How many actions are scheduled.
  public var pendingCount: Int { state.withLock { $0.count } }

  // MARK: Running

  /// Runs what is due; if that is nothing, waits until something is or until ``stop()``, and runs that. Returns whether
  /// anything has run.
  ///
  /// - Parameter timeout: How long to wait at most. A signal that the program handles ends the wait.
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

  /// Ends the run that is under way, after what is due just now, or else the next one; ``runOnce(timeout:)`` is one too.
  /// Of two that are nested it ends the inner one. Any thread may do that.
  public func stop() {
    change { $0.stop() }
  }

  private func attend<Result>(_ body: () -> Result) -> Result {
    precondition(enter(), "an event loop is run by one thread at a time")
    defer { leave() }
    return body()
  }

  /// Makes the calling thread the one that runs the loop, unless another does. It has to leave as often as it enters.
  package func enter() -> Bool { change { $0.enter(OwnerWord.currentThread) } }

  package func leave() { change { $0.leave() } }

  /// Runs what is ready now, and what is due by then. Returns whether that was anything.
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

  /// Waits until something is due, a signal has been handled, or `time` has come. Returns false if it need not, or if it
  /// is one of the latter two; else what was due may have been cancelled.
  private func wait(until time: MonotonicTime) -> Bool {
    guard change({ $0.beginWaiting() }) else { return false }
    let wasWoken = streams_alarm_wait(alarm, Int64(time.nanoseconds))
    state.withLock { $0.endWaiting() }
    return wasWoken
  }

  // MARK: Scheduling

  /// Runs the action when the loop is run next, after all that were scheduled so before.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    change { $0.append(action) }
  }

  /// Runs the action when the loop is run at `time` or after that.
  public func schedule(at time: MonotonicTime, _ action: @escaping () -> Void) -> ScheduledAction {
    change { $0.insert(action, at: time) }
  }

  /// Forgets an action that was scheduled for a time, unless it has run or is running.
  public func cancel(_ scheduled: ScheduledAction) {
    let removed = state.withLock { $0.remove(scheduled) }
    withExtendedLifetime(removed) {}
  }

  /// Forgets all actions, also those that come later, and ends all runs.
  package func close() {
    let forgotten = change { $0.close() }
    withExtendedLifetime(forgotten) {}
  }

  /// Changes what there is to do, and sets the descriptor to when it is due. That is done under the lock, in the order in
  /// which it changes. Who is woken may wait for the lock, and finds more the later it comes: without the lock, a
  /// hand-over between threads that share a processor took twice as long.
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

/// What the system has said when it had no descriptor or thread for a scheduler.
public struct SystemError: Error, Hashable, Sendable {
  /// The number, as in `errno`.
  public var code: Int32
}
