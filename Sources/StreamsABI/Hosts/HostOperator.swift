import CStreams

@_cdecl("streams_host_operator") @implementation
public func streams_host_operator(
  _ host: UInt32, _ open: UnsafeMutableRawPointer!, _ on_value: UnsafeMutableRawPointer!,
  _ on_completion: UnsafeMutableRawPointer!, _ close: UnsafeMutableRawPointer!,
  _ out: UnsafeMutablePointer<streams_operator>!
) -> streams_status {
  let call = Call("streams_host_operator")
  guard call.empties(out, streams_operator()),
    let functions = call.callables(
      host, (open, "open"), (on_value, "on_value"), (on_completion, "on_completion"), (close, "close"))
  else { return streams_last_status() }
  out.pointee.context = Unmanaged.passRetained(HostFunctions(functions)).toOpaque()
  out.pointee.open = { context, emitter, state in
    HostFunctions.of(context).takeUnretainedValue().open(emitter, state!)
  }
  out.pointee.on_value = { state, _, value in
    HostSubscription.of(state).takeUnretainedValue().call(1) { host throws(ConversionFailure) in
      try host.object(value!.asValue)
    }
  }
  out.pointee.on_completion = { state, _, error in
    HostSubscription.of(state).takeUnretainedValue().call(2) { host throws(ConversionFailure) in
      if let error { return try host.number(Int64(Int(bitPattern: error))) }
      host.retain(host.table.null_object)
      return host.table.null_object
    }
  }
  out.pointee.close = { HostSubscription.of($0).takeRetainedValue().close() }
  out.pointee.destroy = { HostFunctions.of($0).release() }
  return STREAMS_OK
}
