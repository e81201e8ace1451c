import Dispatch
import Foundation
import Streams

/// The actions that `RunLoop.main` is given.
///
/// On Apple's platforms every main function that waits runs the main run loop. Here an asynchronous main function, and that of
/// Swift Testing, serves only the main queue; the loop, when it runs, serves the queue too. So both are notified of an action,
/// and the first to get to it runs it.
final class MainRunLoop: @unchecked Sendable {
  static let shared = MainRunLoop()

  private struct State {
    var actions = Queue<Action>()
    /// Whether the loop, or the queue, has been notified and has not run yet. A loop that never runs is notified once.
    var isLoopTold = false
    var isQueueTold = false
  }

  private let state = Lock(State())

  func schedule(_ action: Action) {
    let (tellsLoop, tellsQueue) = state.withLock { state in
      state.actions.append(action)
      return (!exchange(&state.isLoopTold, with: true), !exchange(&state.isQueueTold, with: true))
    }
    // The loop serves the queue only if no block of the queue runs the loop.
    if tellsLoop { RunLoop.main.performAwake { self.run { $0.isLoopTold = false } } }
    if tellsQueue { DispatchQueue.main.async { self.runOnQueue() } }
  }

  /// Within a run of the loop, leaves the actions to the loop: an action that itself runs the loop then gets everything that the
  /// loop does, as on Apple's platforms.
  private func runOnQueue() {
    let run = { @Sendable in self.run { $0.isQueueTold = false } }
    if Thread.isMainThread, RunLoop.main.currentMode != nil {
      RunLoop.main.perform(run)
    } else {
      run()
    }
  }

  /// Runs the present actions. Actions that they add come after the other work of the loop or the queue.
  private func run(_ begin: (inout State) -> Void) {
    let count = state.withLock { state in
      begin(&state)
      return state.actions.count
    }
    for _ in 0..<count { state.withLock { $0.actions.popFirst() }?.run() }
  }
}

/// A timer of the main run loop that fires whether the loop or the main queue is served.
///
/// It keeps time on its own queue, and gives the loop an action when it fires.
final class MainTimer: Cancellable, @unchecked Sendable {
  private struct State {
    var action: Action?
    /// Whether it has fired and its action has not returned. Until then it does not fire again, like Foundation's timers.
    var isFiring = false
  }

  private static let clock = DispatchQueue(label: "RunLoop.main", qos: .userInteractive)

  private let source = DispatchSource.makeTimerSource(queue: clock)
  private let repeats: Bool
  private let state: Lock<State>

  init(after date: Date, interval: TimeInterval, repeats: Bool, tolerance: TimeInterval, _ action: Action) {
    self.repeats = repeats
    state = Lock(State(action: action))
    source.setEventHandler { self.fire() }
    let delay = Self.length(date.timeIntervalSinceNow, least: 0)
    // The shortest interval of Foundation's timers.
    let repeating = repeats ? Self.length(interval, least: 1e-4) : .never
    source.schedule(deadline: .now() + delay, repeating: repeating, leeway: Self.length(tolerance, least: 0))
    source.activate()
  }

  /// A length as a `DispatchTimeInterval`, of at most a century.
  private static func length(_ seconds: TimeInterval, least: TimeInterval) -> DispatchTimeInterval {
    .nanoseconds(Int(Swift.min(Swift.max(least, seconds), 3e9) * 1e9))
  }

  private func fire() {
    guard !state.withLock({ exchange(&$0.isFiring, with: true) }) else { return }
    MainRunLoop.shared.schedule(Action { self.run() })
  }

  private func run() {
    let action = state.withLock { $0.action }
    if !repeats { cancel() }
    action?.run()
    state.withLock { $0.isFiring = false }
  }

  func cancel() {
    source.cancel()
    let dropped = state.withLock { $0.action.take() }
    withExtendedLifetime(dropped) {}
  }
}
