import Streams
import StreamsSchedulers
import StreamsShims

/// Lets a thread wait until a subscriber's callbacks will not be called any more.
///
/// Their release would show that too, but a thread that is just delivering, or a frame further up this stack, may keep them
/// longer.
final class Run: @unchecked Sendable {
  private struct State {
    var calls = 0
    var isOver = false
    var isAbandoned = false
    var isComplete = false
  }

  private let bell = EventCount()
  private let state = Lock(State())
  /// Owned by the thread that calls back. It must not wait for a thread that waits for it here.
  let caller = OwnerWord()

  /// Returns false if there must be no further call. The end counts once its delivery has begun, even if the time runs out then.
  func enter(toEnd isEnd: Bool) -> Bool {
    state.withLock { state in
      guard !state.isOver else { return false }
      state.calls += 1
      if state.calls == 1 { _ = caller.take(OwnerWord.currentThread) }
      state.isComplete = isEnd
      return true
    }
  }

  func leave() {
    let isLast = state.withLock { state in
      state.calls -= 1
      if state.calls == 0 { _ = caller.release() }
      return state.isOver && state.calls == 0
    }
    if isLast { bell.signal() }
  }

  func finish() {
    state.withLock { $0.isOver = true }
    bell.signal()
  }

  /// The callbacks have been released.
  func abandon() {
    state.withLock { $0.isAbandoned = !$0.isOver }
    finish()
  }

  var isAbandoned: Bool { state.withLock { $0.isAbandoned } }
  var isComplete: Bool { state.withLock { $0.isComplete } }

  /// Returns false if the time runs out first. A host's lock is released during the wait.
  @discardableResult
  func wait(until time: MonotonicTime) -> Bool {
    let givenAway = streams_waiting_begins()
    defer { streams_waiting_ends(givenAway) }
    while true {
      let count = bell.count
      if state.withLock({ $0.isOver && $0.calls == 0 }) { return true }
      guard streams_clock_now() < Int64(time.nanoseconds) else { return false }
      bell.sleep(since: count, until: time)
    }
  }
}
