import CStreams
import Streams
import StreamsSchedulers
import StreamsShims
import Synchronization

@_cdecl("streams_run") @implementation
public func streams_run(
  _ publisher: OpaquePointer!, _ subscriber: UnsafePointer<streams_subscriber>!,
  _ timeout: streams_nanoseconds
) -> streams_status {
  let call = Call("streams_run")
  let begun = MonotonicTime(nanoseconds: Int(streams_clock_now()))
  let end = RunEnd()
  var stream: SubscriptionObject?
  Trampoline.through {
    call.consuming(publisher) { object in
      guard let callbacks = call.callbacks(subscriber, end), let object,
        call.length(timeout, "timeout") != nil,
        call.hasStack
      else { return }
      let started = SubscriptionObject(callbacks)
      stream = started
      object.publisher.subscribe(CSubscriber(started, initialDemand: callbacks.callbacks.demand))
    }
  }
  guard let stream else { return streams_last_status() }
  if end.wait(until: begun.advanced(by: .nanoseconds(Int(timeout)))) { return STREAMS_OK }
  stream.cancel()
  end.wait(until: MonotonicTime(nanoseconds: .max))
  return call.fail(STREAMS_TIMED_OUT, "the stream has not ended within \(timeout) nanoseconds")
}

/// Where a thread waits for a subscriber to be done with.
final class RunEnd: @unchecked Sendable {
  private let bell = Bell()
  private let isReached = Atomic(false)

  func reach() {
    isReached.store(true, ordering: .releasing)
    bell.ring()
  }

  /// Returns false if the time comes first. A host's lock is given away meanwhile.
  @discardableResult
  func wait(until time: MonotonicTime) -> Bool {
    let givenAway = streams_waiting_begins()
    defer { streams_waiting_ends(givenAway) }
    while true {
      let count = bell.count
      if isReached.load(ordering: .acquiring) { return true }
      guard streams_clock_now() < Int64(time.nanoseconds) else { return false }
      bell.sleep(since: count, until: time)
    }
  }
}
