import CStreams

@_cdecl("streams_host_subscriber") @implementation
public func streams_host_subscriber(
  _ host: UInt32, _ callables: UnsafePointer<streams_host_callables>!, _ demand: UInt64,
  _ out: UnsafeMutablePointer<streams_subscriber>!
) -> streams_status {
  let call = Call("streams_host_subscriber")
  guard call.isPresent(out, "out") else { return streams_last_status() }
  out.initialize(to: .empty)
  guard let host = call.host(host), let functions = call.callables(callables, of: host) else {
    return streams_last_status()
  }
  guard functions.on_value != nil || functions.on_values != nil else {
    return call.fail(STREAMS_NULL_ARGUMENT, "callables has neither on_value nor on_values")
  }
  guard functions.on_values != nil || (functions.on_int64s == nil && functions.on_doubles == nil) else {
    return call.fail(STREAMS_NULL_ARGUMENT, "callables has on_int64s or on_doubles and no on_values")
  }
  guard let receiver = host.entered({ HostReceiver(host, functions) }) else {
    _ = call.refuse(host)
    return streams_last_status()
  }
  out.pointee.context = Unmanaged.passRetained(receiver).toOpaque()
  out.pointee.demand = demand
  out.pointee.on_subscription = { receiverOf($0).receive(subscription: $1, keeping: true) }
  if functions.on_values != nil {
    out.pointee.on_values = { receiverOf($0).receive(UnsafeBufferPointer(start: $1!.asValue, count: $2)) }
    if functions.on_int64s != nil && functions.on_doubles != nil {
      out.pointee.on_numbers = { receiverOf($0).receive(numbers: $1!.asValue) }
    }
  } else {
    out.pointee.on_value = HostReceiver.onValue
  }
  out.pointee.on_completion = { receiverOf($0).receive(completion: $1) }
  out.pointee.destroy = { Unmanaged<HostReceiver>.fromOpaque($0!).release() }
  return STREAMS_OK
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
  out.pointee.destroy = { Unmanaged<HostReceiver>.fromOpaque($0!).release() }
  return STREAMS_OK
}

@inline(__always)
private func receiverOf(_ context: UnsafeMutableRawPointer?) -> HostReceiver {
  Unmanaged<HostReceiver>.fromOpaque(context!).takeUnretainedValue()
}

extension Call {
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
  /// As `STREAMS_SUBSCRIBER_INIT`.
  fileprivate static var empty: streams_subscriber {
    var subscriber = streams_subscriber()
    subscriber.size = MemoryLayout<streams_subscriber>.size
    subscriber.demand = UInt64.max
    return subscriber
  }
}
