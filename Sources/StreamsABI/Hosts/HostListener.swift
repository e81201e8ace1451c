import CStreams
import Streams
import StreamsShims

extension UnsafeMutablePointer<streams_listener> {
  /// The receiver of a subscriber whose values go to a host function one by one.
  @inline(__always)
  var receiver: Unmanaged<HostReceiver>? { pointee.receiver.map { .fromOpaque($0) } }

  /// Passes a value to the function, by the fast path if possible. Returns its demand.
  @inline(__always)
  func receive(_ value: UnsafePointer<Value>, _ host: UnsafeMutablePointer<streams_host_line>) -> UInt64 {
    // Until it is certain that this thread holds the host's lock, another one may be counting its calls.
    guard var notification = host.notification(value), streams_calls_left(host) > 0 else {
      return receiveInFull(value)
    }
    host.pointee.calls += 1
    let more = streams_notify(host, &notification, self, nil) ? 0 : afterCallback(&notification)
    streams_end_notification(host, &notification)
    return more
  }

  @inline(never)
  private func receiveInFull(_ value: UnsafePointer<Value>) -> UInt64 {
    receiver.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.receive(value) }
  }

  /// A function's demand where `streams_notify` cannot determine it.
  @inline(never)
  func afterCallback(_ notification: UnsafeMutablePointer<streams_notification>) -> UInt64 {
    receiver.unsafelyUnwrapped._withUnsafeGuaranteedRef { receiver in
      guard notification.pointee.was_called else {
        return receiver.receive(notification.pointee.value.assumingMemoryBound(to: Value.self))
      }
      let result = notification.pointee.result
      return result == receiver.host.table.null_object ? 0 : receiver.demand(of: result)
    }
  }
}

extension UnsafeMutablePointer<streams_host_line> {
  /// A value to deliver, if it is an object of the host and this thread holds the host's lock: then the fast path applies.
  @inline(__always)
  func notification(_ value: UnsafePointer<Value>) -> streams_notification? {
    let host = Unmanaged<Host>.fromOpaque(pointee.runtime)
    guard let object = host._withUnsafeGuaranteedRef({ $0.ownObject(value) }), streams_can_notify(self)
    else { return nil }
    return streams_notification(
      object: object, value: value, pending_error: streams_pending_error(), kept: nil, nulls: 0,
      was_called: false, result: nil)
  }
}
