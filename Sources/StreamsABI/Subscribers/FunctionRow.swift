import CStreams
import Streams
import StreamsShims

/// C functions that follow each other in a subject's list of subscribers.
enum FunctionRow {
  /// From this number on it is faster to notify them together than one by one.
  static var fewest: UInt8 { 4 }

  /// Calls one function after the other: after each it is known whether an error is pending.
  static let tell:
    @convention(c) (
      UnsafeMutablePointer<streams_listener>?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?, Int,
      UnsafeRawPointer?
    ) -> Int = { first, places, count, value in
      // None if the first one's stream has already ended.
      guard let first, let tell = streams_tell_of(first), streams_pending_error() == 0 else { return 0 }
      let value = value.unsafelyUnwrapped.assumingMemoryBound(to: streams_value.self)
      var row = Row(places.unsafelyUnwrapped, count)
      var next: UnsafeMutablePointer<streams_listener>? = first
      while let listener = next, row.isOpen, streams_tell_of(listener) == tell {
        let subscriber = UnsafeRawPointer(listener).assumingMemoryBound(to: streams_subscriber.self)
        let more = subscriber.pointee.on_value.unsafelyUnwrapped(subscriber.pointee.context, value)
        if !_fastPath(more | streams_pending_error() == 0) { afterCallback(more, row) }
        row.drop(1)
        next = row.receiver?.assumingMemoryBound(to: streams_listener.self)
      }
      return count - row.count
    }

  /// Handles the answer of a row's first subscriber. It has unlimited demand, which cannot increase.
  @inline(never)
  private static func afterCallback(_ more: UInt64, _ row: Row) {
    guard more == STREAMS_FAIL else { return UserCallback.forget(since: 0) }
    do throws(StreamError) {
      try UserCallback.check(STREAMS_CALLBACK_FAILED, since: 0, "STREAMS_FAIL")
    } catch {
      unsafeDowncast(row.subscriber, to: SubscriptionObject.self).fail(error)
    }
    if streams_pending_error() != 0 { UserCallback.forget(since: 0) }
  }
}
