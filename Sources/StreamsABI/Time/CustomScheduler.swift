import CStreams
import Streams
import StreamsSchedulers

/// A scheduler written in C; `destroy` follows when no stream uses it any more.
final class CustomScheduler: MonotonicScheduler, Closable, @unchecked Sendable {
  typealias SchedulerTimeType = MonotonicTime
  typealias SchedulerOptions = Never

  private struct State {
    var actions: [UInt: ActionObject] = [:]
    var isClosed = false
  }

  private let callbacks: streams_custom_scheduler
  private let state = Lock(State())

  init(_ callbacks: streams_custom_scheduler) { self.callbacks = callbacks }

  deinit { UserCallback.releasing { callbacks.destroy?(callbacks.context) } }

  var now: MonotonicTime {
    var time: streams_nanoseconds = 0
    // A time can be 0: so the caller must check the last error.
    UserCallback.releasing { time = callbacks.now(callbacks.context) }
    return MonotonicTime(nanoseconds: Int(time))
  }

  func schedule(options: Never?, _ action: @escaping () -> Void) { schedule(action, rejection: nil) }

  /// Without a handle the scheduler could not run the action later, and it would be lost.
  func schedule(_ action: @escaping () -> Void, rejection: Rejection?) {
    if place(action, at: now, rejection) == nil { action() }
  }

  func schedule(at time: MonotonicTime, _ action: @escaping () -> Void) -> ScheduledAction {
    schedule(at: time, action, rejection: nil)
  }

  /// A timer for which there is no handle never runs: running it early would be wrong, and a timer that is made again each time
  /// would never end.
  func schedule(
    at time: MonotonicTime, _ action: @escaping () -> Void, rejection: Rejection?
  ) -> ScheduledAction {
    if let placed = place(action, at: time, rejection) { return placed }
    rejection?.occur(StreamError(status: STREAMS_LIMIT, "there is no handle left for an action"))
    return ScheduledAction(number: .max)
  }

  /// Gives the scheduler an action to run. Returns nil if there is no handle for it.
  private func place(
    _ action: @escaping () -> Void, at time: MonotonicTime, _ rejection: Rejection?
  ) -> ScheduledAction? {
    let object = ActionObject(action, of: self, rejection)
    guard let token = HandleTable.insert(object, kind: Kind.action.code, isLent: true) else { return nil }
    object.token = token
    object.beginScheduling()
    let isClosed = state.withLock { state in
      if !state.isClosed { state.actions[token.bits] = object }
      return state.isClosed
    }
    if isClosed {
      HandleTable.takeBack(token)
    } else {
      UserCallback.run { callbacks.schedule(callbacks.context, Int64(time.nanoseconds), token.handle) }
      if object.endScheduling() { sayCancelled(object) }
    }
    return ScheduledAction(number: UInt64(token.bits))
  }

  func cancel(_ scheduled: ScheduledAction) {
    guard let object = forget(UInt(scheduled.number)) else { return }
    cancel(object)
  }

  func close() {
    let actions = state.withLock { state in
      state.isClosed = true
      return exchange(&state.actions, with: [:])
    }
    for object in actions.values { cancel(object) }
  }

  private func cancel(_ object: ActionObject) {
    guard let cancelled = object.cancel() else { return }
    if cancelled.isToBeSaid { sayCancelled(object) }
    withExtendedLifetime(cancelled.action) {}
  }

  private func sayCancelled(_ object: ActionObject) {
    guard let token = object.token else { return }
    if let cancel = callbacks.cancel { UserCallback.run { cancel(callbacks.context, token.handle) } }
    HandleTable.takeBack(token)
  }

  fileprivate func forget(_ bits: UInt) -> ActionObject? {
    state.withLock { $0.actions.removeValue(forKey: bits) }
  }
}

/// An action for a C scheduler, until it has run or been cancelled.
final class ActionObject {
  private struct State {
    var action: (() -> Void)?
    /// The thread that is in the callback that schedules it, or 0.
    var schedulingThread: UInt32 = 0
    /// Whether it was cancelled during that: the C scheduler is notified once it has the action.
    var isCancelled = false
  }

  private let state: Lock<State>
  private let scheduler: CustomScheduler
  /// Notified when the action will not run; nil if no stream waits for it.
  private let rejection: Rejection?
  /// Set once, before other threads can see the object.
  var token: Token?

  init(_ action: @escaping () -> Void, of scheduler: CustomScheduler, _ rejection: Rejection?) {
    state = Lock(State(action: action))
    self.scheduler = scheduler
    self.rejection = rejection
  }

  func beginScheduling() { state.withLock { $0.schedulingThread = OwnerWord.currentThread } }

  /// Returns whether it was cancelled during the callback: then the scheduler must be notified now.
  func endScheduling() -> Bool {
    state.withLock { state in
      state.schedulingThread = 0
      return exchange(&state.isCancelled, with: false)
    }
  }

  /// Whether the callback that schedules it runs further up this stack.
  var isBeingScheduled: Bool { state.withLock { $0.schedulingThread == OwnerWord.currentThread } }

  /// Takes the action, for the one caller that runs or rejects it, and makes the handle stale.
  private func take() -> (() -> Void)? {
    guard let action = state.withLock({ $0.action.take() }), let token else { return nil }
    _ = scheduler.forget(token.bits)
    HandleTable.takeBack(token)
    return action
  }

  /// Takes the action, for the one caller that releases it, and tells whether to notify the C scheduler.
  func cancel() -> (action: () -> Void, isToBeSaid: Bool)? {
    state.withLock { state in
      guard let action = state.action.take() else { return nil }
      state.isCancelled = state.schedulingThread != 0
      return (action, !state.isCancelled)
    }
  }

  /// Runs the action. Returns false if it has run or been cancelled.
  func run() -> Bool {
    guard let action = take() else { return false }
    action()
    return true
  }

  /// Whether a stream is notified when it is rejected.
  var isAwaited: Bool { rejection != nil }

  /// Releases the action, and reports the rejection. Returns false if it has run or been cancelled.
  func reject(_ error: StreamError) -> Bool {
    guard let action = take() else { return false }
    withExtendedLifetime(action) {}
    rejection?.occur(error)
    return true
  }
}

extension Kind {
  static let action = HandleKind<ActionObject>(STREAMS_KIND_ACTION)
}
