import CStreams
import StreamsShims

/// The finalizers of the first hosts, one for each: a host calls its own with an owner that is being freed.
private let finalizers: [streams_finalizer_fn] = [
  { finalize(1, $0) }, { finalize(2, $0) }, { finalize(3, $0) }, { finalize(4, $0) },
  { finalize(5, $0) }, { finalize(6, $0) }, { finalize(7, $0) }, { finalize(8, $0) },
]

@_cdecl("streams_host_owner_finalizer") @implementation
public func streams_host_owner_finalizer(_ host: UInt32, _ offset: Int) -> streams_finalizer_fn! {
  let call = Call("streams_host_owner_finalizer")
  guard let host = call.host(host) else { return nil }
  guard offset != 0 else {
    _ = call.fail(STREAMS_INVALID_ARGUMENT, "offset is 0, where an object counts its references")
    return nil
  }
  return call.method(of: finalizers, host, offset) { streams_expect_losses(host.line, offset) }
}

/// The caller holds the host's lock.
private func finalize(_ id: UInt32, _ owner: UnsafeMutableRawPointer?) {
  guard let owner, let host = Host.find(id) else { return }
  host._withUnsafeGuaranteedRef { streams_lose_owner($0.line, owner) }
}
