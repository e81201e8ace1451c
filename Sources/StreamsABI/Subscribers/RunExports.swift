import CStreams
import Streams
import StreamsSchedulers
import StreamsShims

@_cdecl("streams_run") @implementation
public func streams_run(
  _ publisher: OpaquePointer!, _ subscriber: UnsafePointer<streams_subscriber>!,
  _ timeout: streams_nanoseconds
) -> streams_status {
  let call = Call("streams_run")
  let run = Run()
  // A thread that is gone would never let go of the context.
  let cancellation = streams_hold_cancellation()
  defer { streams_let_cancellation(cancellation) }
  return run.caller.whileAwaited { call.run(publisher, subscriber, timeout, run) }
}

extension Call {
  fileprivate func run(
    _ publisher: OpaquePointer!, _ subscriber: UnsafePointer<streams_subscriber>!,
    _ timeout: streams_nanoseconds, _ run: Run
  ) -> streams_status {
    let begun = MonotonicTime(nanoseconds: Int(streams_clock_now()))
    // Not kept here: a stream that everybody has let go of is over too.
    weak var stream: SubscriptionObject?
    var subscriberToEnd = streams_subscriber()
    var isRunning = false
    Trampoline.through {
      consuming(publisher) { object in
        guard let callbacks = callbacks(subscriber, run) else { return }
        subscriberToEnd = callbacks.callbacks
        guard let object, length(timeout, "timeout") != nil, hasStack else { return }
        let started = SubscriptionObject(callbacks)
        (stream, isRunning) = (started, true)
        object.subscribe(started)
      }
    }
    defer { ForeignCode.letGo { subscriberToEnd.destroy?(subscriberToEnd.context) } }
    guard isRunning else { return streams_last_status() }
    if run.wait(until: begun.advanced(by: .nanoseconds(Int(timeout)))) {
      return run.isAbandoned
        ? fail(STREAMS_TERMINATED, "the publisher has let go of the subscriber without an end")
        : STREAMS_OK
    }
    stream?.cancel()
    run.finish()
    run.wait(until: MonotonicTime(nanoseconds: .max))
    if run.isComplete { return STREAMS_OK }
    return fail(STREAMS_TIMED_OUT, "the stream has not ended within \(timeout) nanoseconds")
  }
}

/// Where a thread waits until a subscriber's callbacks are called no more.
///
/// That they have been released would say so too, but whoever delivers at this moment, perhaps further up this very
/// stack, may keep them for longer.
final class Run: @unchecked Sendable {
  private struct State {
    var calls = 0
    var isOver = false
    var isAbandoned = false
    var isComplete = false
  }

  private let bell = Bell()
  private let state = Lock(State())
  /// Owned by the thread that calls back: it does not wait for one that waits for it here.
  let caller = OwnerWord()

  /// Returns false if there must be no call any more. The end that is told is the end, even if the time passes meanwhile.
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
    if isLast { bell.ring() }
  }

  func finish() {
    state.withLock { $0.isOver = true }
    bell.ring()
  }

  /// Everybody has let go of the callbacks.
  func abandon() {
    state.withLock { $0.isAbandoned = !$0.isOver }
    finish()
  }

  var isAbandoned: Bool { state.withLock { $0.isAbandoned } }
  var isComplete: Bool { state.withLock { $0.isComplete } }

  /// Returns false if the time comes first. A host's lock is given away meanwhile.
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
