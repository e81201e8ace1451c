import CStreams
import Streams
import StreamsShims

/// Callbacks that pass values to a host's function one by one.
final class HostCallbacks: SubscriberCallbacks {
  /// What each delivery reads, in this object's memory.
  private let storage = Cell(streams_listener())

  init(_ callbacks: streams_subscriber, _ receiver: Unmanaged<HostReceiver>) {
    super.init(callbacks)
    storage.value.receiver = receiver.toOpaque()
    storage.value.callbacks = Unmanaged.passUnretained(self).toOpaque()
    storage.value.notify = Self.notify
    receiver._withUnsafeGuaranteedRef { $0.describe(to: &storage.value) }
  }

  private var listener: UnsafeMutablePointer<streams_listener> { storage.address }

  private var host: Unmanaged<Host>? {
    listener.receiver.map { $0._withUnsafeGuaranteedRef { .passUnretained($0.host) } }
  }

  override func callingOften(_ body: () -> Void) -> Bool {
    guard let host else { return super.callingOften(body) }
    return host._withUnsafeGuaranteedRef { $0.entered(body) } != nil
  }

  override var isGone: Bool { host?._withUnsafeGuaranteedRef { $0.retired } == true }

  override func delivery() -> ((UnsafeBufferPointer<Value>) -> Subscribers.Demand)? {
    goesToHost ? { self.receiveByHost($0) } : nil
  }

  override func deactivate() {
    super.deactivate()
    streams_deactivate(listener)
  }

  /// Whether values go directly to a host's function.
  private var goesToHost: Bool { streams_listening_host(listener) != nil }

  override func listen(for stream: SubscriptionObject, to subscription: any Subscription) {
    if goesToHost { SliceReceiver.install(listener, for: stream, in: subscription) }
  }

  /// Passes values to a host's function, a single one by the fast path.
  @inline(__always)
  private func receiveByHost(_ batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard batch.isSingle, let host = streams_listening_host(listener) else { return receiveInFull(batch) }
    let before = streams_pending_error()
    let more = listener.receive(batch.baseAddress.unsafelyUnwrapped, host)
    return more == 0 && streams_pending_error() == before ? .none : afterCallback(more, since: before)
  }

  /// Notifies listeners of one host: it checks the lock, and finds the value's object, only once.
  static let notify:
    @convention(c) (
      UnsafeMutablePointer<streams_listener>?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?, Int,
      UnsafeRawPointer?
    ) -> Int = { first, places, count, value in
      let value = value.unsafelyUnwrapped.assumingMemoryBound(to: Value.self)
      guard let first, let host = streams_listening_host(first), var notification = host.notification(value)
      else { return 0 }
      let most = min(count, Int(streams_calls_left(host)))
      guard most > 0 else { return 0 }
      var slice = ConduitSlice(places.unsafelyUnwrapped, most)
      let notify = streams_notify_function(first)
      var next: UnsafeMutablePointer<streams_listener>? = first
      while let listener = next, slice.isOpen, streams_notify_function(listener) == notify,
        streams_listening_host(listener) == host
      {
        slice.drop(1)
        // With many listeners, the next one is not in the cache: it is fetched while this one is notified.
        next = slice.receiver?.assumingMemoryBound(to: streams_listener.self)
        streams_fetch(next)
        slice.fetchSecond()
        if !streams_notify(host, &notification, listener, next) {
          afterCallback(&notification, listener, host)
        }
      }
      streams_end_notification(host, &notification)
      let notified = most - slice.count
      host.pointee.calls &+= UInt32(notified)
      return notified
    }

  /// The demand of a listener that was notified with others. All listeners here have unlimited demand: it cannot increase.
  @inline(never)
  private static func afterCallback(
    _ notification: UnsafeMutablePointer<streams_notification>,
    _ listener: UnsafeMutablePointer<streams_listener>,
    _ host: UnsafeMutablePointer<streams_host_line>
  ) {
    let more = listener.afterCallback(notification)
    Unmanaged<HostCallbacks>.fromOpaque(listener.pointee.callbacks)._withUnsafeGuaranteedRef {
      _ = $0.afterCallback(more, since: notification.pointee.pending_error)
    }
    // The next listener starts anew, because its function may be another.
    streams_end_notification(host, notification)
    notification.pointee.pending_error = streams_pending_error()
  }
}

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
