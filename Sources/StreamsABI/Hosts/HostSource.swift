import CStreams

@_cdecl("streams_host_source") @implementation
public func streams_host_source(
  _ host: UInt32, _ open: UnsafeMutableRawPointer!, _ produce: UnsafeMutableRawPointer!,
  _ close: UnsafeMutableRawPointer!, _ out: UnsafeMutablePointer<streams_source>!
) -> streams_status {
  let call = Call("streams_host_source")
  guard call.empties(out, streams_source()),
    let functions = call.callables(host, (open, "open"), (produce, "produce"), (close, "close"))
  else { return streams_last_status() }
  out.pointee.context = Unmanaged.passRetained(HostFunctions(functions)).toOpaque()
  out.pointee.open = { context, emitter, state in
    HostFunctions.of(context).takeUnretainedValue().open(emitter, state!)
  }
  out.pointee.produce = { state, _, most in
    HostSubscription.of(state).takeUnretainedValue().call(1) { host throws(ConversionFailure) in
      try host.number(Int64(clamping: most))
    }
  }
  out.pointee.close = { HostSubscription.of($0).takeRetainedValue().close() }
  out.pointee.destroy = { HostFunctions.of($0).release() }
  return STREAMS_OK
}
