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
  // A thread cancelled here would never release the context.
  let cancellation = streams_hold_cancellation()
  defer { streams_let_cancellation(cancellation) }
  return run.caller.whileAwaited { call.run(publisher, subscriber, timeout, run) }
}

@_cdecl("streams_catch_up") @implementation
public func streams_catch_up() -> streams_status {
  guard Trampoline.hasWork else { return STREAMS_OK }
  guard Call("streams_catch_up").hasStack else { return streams_last_status() }
  Trampoline.catchUpBelow()
  return STREAMS_OK
}

extension Call {
  fileprivate func run(
    _ publisher: OpaquePointer!, _ subscriber: UnsafePointer<streams_subscriber>!,
    _ timeout: streams_nanoseconds, _ run: Run
  ) -> streams_status {
    let begun = MonotonicTime(nanoseconds: Int(streams_clock_now()))
    // Not retained here: a stream whose last reference is released is over too.
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
    defer { UserCallback.releasing { subscriberToEnd.destroy?(subscriberToEnd.context) } }
    guard isRunning else { return streams_last_status() }
    if Trampoline.hasWork && !streams_stack_is_low() { Trampoline.catchUpBelow() }
    if run.wait(until: begun.advanced(by: .nanoseconds(Int(timeout)))) {
      return run.isAbandoned
        ? fail(STREAMS_TERMINATED, "the publisher has released the subscriber without an end")
        : STREAMS_OK
    }
    stream?.cancel()
    run.finish()
    run.wait(until: MonotonicTime(nanoseconds: .max))
    if run.isComplete { return STREAMS_OK }
    return fail(STREAMS_TIMED_OUT, "the stream has not ended within \(timeout) nanoseconds")
  }
}
