import CStreams
import Streams

@_cdecl("streams_sink") @implementation
public func streams_sink(
  _ publisher: OpaquePointer!, _ subscriber: UnsafePointer<streams_subscriber>!
) -> OpaquePointer! {
  let call = Call("streams_sink")
  return Trampoline.through { call.consuming(publisher) { call.sink($0, subscriber) } }
}

@_cdecl("streams_cancel") @implementation
public func streams_cancel(_ cancellable: OpaquePointer!) -> streams_status {
  let call = Call("streams_cancel")
  return call.with(UnsafeRawPointer(cancellable), "cancellable", Kind.cancellable) {
    guard call.hasStack else { return STREAMS_LIMIT }
    $0.cancel()
    return STREAMS_OK
  }
}

@_cdecl("streams_subscription_request") @implementation
public func streams_subscription_request(_ subscription: OpaquePointer!, _ demand: UInt64) -> streams_status {
  let call = Call("streams_subscription_request")
  return call.with(UnsafeRawPointer(subscription), "subscription", Kind.subscription) { subscription in
    guard demand > 0 else { return call.fail(STREAMS_ZERO_DEMAND, "demand is 0; request at least one value") }
    guard !subscription.isWatched else {
      return call.fail(
        STREAMS_PROTOCOL_VIOLATION,
        "subscription was lent by streams_handle_events: it can be cancelled, but only its subscriber can request"
      )
    }
    guard call.hasStack else { return STREAMS_LIMIT }
    subscription.request(Subscribers.Demand(c: demand))
    return STREAMS_OK
  }
}

@_cdecl("streams_subscription_cancel") @implementation
public func streams_subscription_cancel(_ subscription: OpaquePointer!) -> streams_status {
  let call = Call("streams_subscription_cancel")
  return call.with(UnsafeRawPointer(subscription), "subscription", Kind.subscription) {
    guard call.hasStack else { return STREAMS_LIMIT }
    $0.cancel()
    return STREAMS_OK
  }
}

@_cdecl("streams_dropped") @implementation
public func streams_dropped(_ handle: UnsafeRawPointer?) -> UInt64 {
  let call = Call("streams_dropped")
  let count: Int? =
    switch streams_handle_kind(handle) {
    case STREAMS_KIND_SUBJECT: call.object(OpaquePointer(handle), "handle", Kind.subject)?.dropped
    case STREAMS_KIND_SUBSCRIPTION: call.object(OpaquePointer(handle), "handle", Kind.subscription)?.dropped
    default: call.object(OpaquePointer(handle), "handle", Kind.cancellable)?.dropped
    }
  return UInt64(count ?? 0)
}

extension Call {
  func sink(
    _ publisher: PublisherObject?, _ subscriber: UnsafePointer<streams_subscriber>?
  ) -> OpaquePointer? {
    guard let callbacks = callbacks(subscriber), let publisher, hasStack else { return nil }
    let stream = SubscriptionObject(callbacks)
    return run(stream) {
      guard let runtime = ForeignRuntime.current else {
        return stream.counting { publisher.subscribe(stream) }
      }
      runtime.subscribing(callbacks) { stream.counting { publisher.subscribe(stream) } }
    }
  }

  /// A subscriber's callbacks, or nil with the last error set.
  func callbacks(
    _ subscriber: UnsafePointer<streams_subscriber>?, _ run: Run? = nil
  ) -> SubscriberCallbacks? {
    let size = MemoryLayout<streams_subscriber>.size
    guard
      let copy = options(subscriber, "subscriber", minimum: size, empty: streams_subscriber())
    else { return nil }
    if copy.on_value != nil || copy.on_values != nil {
      if let run { return AwaitedCallbacks(copy, run) }
      return ForeignRuntime.current?.callbacks(of: copy) ?? SubscriberCallbacks(copy)
    }
    withExtendedLifetime(SubscriberCallbacks(copy)) {}
    _ = fail(STREAMS_NULL_ARGUMENT, "subscriber has neither on_value nor on_values")
    return nil
  }

  /// Sets the last error and returns no handle.
  func null(_ status: streams_status, _ message: @autoclosure () -> String) -> OpaquePointer? {
    _ = fail(status, message())
    return nil
  }

  /// Makes a handle that cancels when released, and then calls `start`: a stream may call back, and be cancelled, before it has
  /// started completely. Without a handle nothing is started.
  func run(_ cancellable: CancellableObject, _ start: () -> Void) -> OpaquePointer? {
    guard let handle = handle(cancellable) else { return nil }
    start()
    return handle
  }

  /// A handle that cancels when released; cancels immediately if there is no handle left.
  func handle(_ cancellable: CancellableObject) -> OpaquePointer? {
    if let handle = handle(cancellable, Kind.cancellable) { return handle }
    cancellable.cancel()
    return nil
  }
}
