import CStreams
import Streams
import StreamsShims

/// C functions that follow each other in a subject's list of subscribers.
enum FunctionSlice {
  /// From this number on it is faster to notify them together than one by one.
  static var fewest: UInt8 { 4 }

  /// Calls one function after the other: after each it is known whether an error is pending.
  static let notify:
    @convention(c) (
      UnsafeMutablePointer<streams_listener>?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?, Int,
      UnsafeRawPointer?
    ) -> Int = { first, places, count, value in
      // None if the first one's stream has already ended.
      guard let first, let notify = streams_notify_function(first), streams_pending_error() == 0 else {
        return 0
      }
      let value = value.unsafelyUnwrapped.assumingMemoryBound(to: streams_value.self)
      var slice = ConduitSlice(places.unsafelyUnwrapped, count)
      var next: UnsafeMutablePointer<streams_listener>? = first
      while let listener = next, slice.isOpen, streams_notify_function(listener) == notify {
        let subscriber = UnsafeRawPointer(listener).assumingMemoryBound(to: streams_subscriber.self)
        let more = subscriber.pointee.on_value.unsafelyUnwrapped(subscriber.pointee.context, value)
        if !_fastPath(more | streams_pending_error() == 0) { afterCallback(more, slice) }
        slice.drop(1)
        next = slice.receiver?.assumingMemoryBound(to: streams_listener.self)
      }
      return count - slice.count
    }

  /// Handles the answer of a slice's first subscriber. It has unlimited demand, which cannot increase.
  @inline(never)
  private static func afterCallback(_ more: UInt64, _ slice: ConduitSlice) {
    guard more == STREAMS_FAIL else { return UserCallback.forget(since: 0) }
    do throws(StreamError) {
      try UserCallback.check(STREAMS_CALLBACK_FAILED, since: 0, "STREAMS_FAIL")
    } catch {
      unsafeDowncast(slice.subscriber, to: SubscriptionObject.self).fail(error)
    }
    if streams_pending_error() != 0 { UserCallback.forget(since: 0) }
  }
}
