import CStreams

@_cdecl("streams_host_subscriber") @implementation
public func streams_host_subscriber(
  _ host: UInt32, _ callables: UnsafePointer<streams_host_callables>!, _ demand: UInt64,
  _ out: UnsafeMutablePointer<streams_subscriber>!
) -> streams_status {
  let call = Call("streams_host_subscriber")
  guard call.isPresent(out, "out") else { return streams_last_status() }
  let subscriber = call.subscriber(host, callables, demand)
  out.initialize(to: subscriber ?? .empty)
  return subscriber == nil ? streams_last_status() : STREAMS_OK
}

@_cdecl("streams_host_sink") @implementation
public func streams_host_sink(
  _ publisher: OpaquePointer!, _ host: UInt32, _ demand: UInt64, _ on_value: UnsafeMutableRawPointer!,
  _ on_completion: UnsafeMutableRawPointer!, _ owner: UnsafeMutableRawPointer!,
  _ call_value: streams_call_value_fn!
) -> OpaquePointer! {
  let call = Call("streams_host_sink")
  var functions = streams_host_callables()
  functions.size = MemoryLayout<streams_host_callables>.size
  (functions.on_value, functions.on_completion) = (on_value, on_completion)
  (functions.owner, functions.call_value) = (owner, call_value)
  return Trampoline.through {
    call.consuming(publisher) { publisher in
      guard let publisher, var subscriber = call.subscriber(host, &functions, demand) else { return nil }
      return call.sink(publisher, &subscriber)
    }
  }
}

@_cdecl("streams_host_event_handlers") @implementation
public func streams_host_event_handlers(
  _ host: UInt32, _ callables: UnsafePointer<streams_host_callables>!,
  _ out: UnsafeMutablePointer<streams_event_handlers>!
) -> streams_status {
  let call = Call("streams_host_event_handlers")
  guard call.empties(out, streams_event_handlers()), let host = call.host(host),
    let functions = call.callables(callables, of: host)
  else { return streams_last_status() }
  guard let receiver = host.entered({ HostReceiver(host, functions) }) else {
    _ = call.refuse(host)
    return streams_last_status()
  }
  out.pointee.context = Unmanaged.passRetained(receiver).toOpaque()
  if functions.on_subscription != nil {
    out.pointee.on_subscription = { receiverOf($0).receive(subscription: $1, keeping: false) }
  }
  if functions.on_value != nil { out.pointee.on_value = { receiverOf($0).watch($1!.asValue) } }
  if functions.on_completion != nil { out.pointee.on_completion = { receiverOf($0).receive(completion: $1) } }
  if functions.on_cancel != nil { out.pointee.on_cancel = { receiverOf($0).receiveCancel() } }
  if functions.on_request != nil { out.pointee.on_request = { receiverOf($0).receive(request: $1) } }
  out.pointee.destroy = HostReceiver.onDestroy
  return STREAMS_OK
}

@inline(__always)
private func receiverOf(_ context: UnsafeMutableRawPointer?) -> HostReceiver {
  Unmanaged<HostReceiver>.fromOpaque(context!).takeUnretainedValue()
}

extension Call {
  /// A subscriber that calls host functions, or nil with the last error set.
  fileprivate func subscriber(
    _ host: UInt32, _ callables: UnsafePointer<streams_host_callables>?, _ demand: UInt64
  ) -> streams_subscriber? {
    guard let host = self.host(host), let functions = self.callables(callables, of: host) else { return nil }
    guard functions.on_value != nil || functions.on_values != nil else {
      _ = fail(STREAMS_NULL_ARGUMENT, "callables has neither on_value nor on_values")
      return nil
    }
    guard functions.on_values != nil || (functions.on_int64s == nil && functions.on_doubles == nil) else {
      _ = fail(STREAMS_NULL_ARGUMENT, "callables has on_int64s or on_doubles and no on_values")
      return nil
    }
    guard let receiver = host.entered({ HostReceiver(host, functions) }) else {
      _ = refuse(host)
      return nil
    }
    return .calling(receiver, functions, demand)
  }

  fileprivate func callables(
    _ callables: UnsafePointer<streams_host_callables>?, of host: Host
  ) -> streams_host_callables? {
    let functions = options(
      callables, "callables", minimum: MemoryLayout<streams_host_callables>.size,
      empty: streams_host_callables())
    guard let functions else { return nil }
    if functions.owner != nil, host.table.list_replace == nil || host.table.target == nil {
      _ = fail(
        STREAMS_INVALID_ARGUMENT, "callables has an owner, and the host has no list_replace or no target")
      return nil
    }
    return functions
  }
}

extension streams_subscriber {
  /// Takes ownership of a reference to the receiver.
  fileprivate static func calling(
    _ receiver: HostReceiver, _ functions: streams_host_callables, _ demand: UInt64
  ) -> streams_subscriber {
    var subscriber = Self.empty
    subscriber.context = Unmanaged.passRetained(receiver).toOpaque()
    subscriber.demand = demand
    subscriber.on_subscription = { receiverOf($0).receive(subscription: $1, keeping: true) }
    if functions.on_values != nil {
      subscriber.on_values = { receiverOf($0).receive(UnsafeBufferPointer(start: $1!.asValue, count: $2)) }
      if functions.on_int64s != nil && functions.on_doubles != nil {
        subscriber.on_numbers = { receiverOf($0).receive(numbers: $1!.asValue) }
      }
    } else {
      subscriber.on_value = HostReceiver.onValue
    }
    subscriber.on_completion = { receiverOf($0).receive(completion: $1) }
    subscriber.destroy = HostReceiver.onDestroy
    return subscriber
  }

  /// The value of `STREAMS_SUBSCRIBER_INIT`.
  fileprivate static var empty: streams_subscriber {
    var subscriber = streams_subscriber()
    subscriber.size = MemoryLayout<streams_subscriber>.size
    subscriber.demand = UInt64.max
    return subscriber
  }
}
