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
