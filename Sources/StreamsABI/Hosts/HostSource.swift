import CStreams
import Streams

/// The host functions that are a source, as the context of a C source.
private final class HostSource {
  let host: Host
  let open: Callable
  let produce: Callable
  let close: Callable

  init(_ functions: [Callable]) {
    host = functions[0].host
    (open, produce, close) = (functions[0], functions[1], functions[2])
  }

  func begin(
    _ emitter: OpaquePointer?, _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> streams_status {
    host.enteredToCall {
      guard let object = open.call(number: Int64(Int(bitPattern: emitter))) else {
        return STREAMS_CALLBACK_FAILED
      }
      state.pointee = Unmanaged.passRetained(HostSubscription(self, object)).toOpaque()
      return STREAMS_OK
    }
  }
}

/// One subscription to a source: what its `open` returned, as the state of a C source.
private final class HostSubscription {
  private let source: HostSource
  private let object: UnsafeMutableRawPointer

  /// Takes over a reference to the object.
  init(_ source: HostSource, _ object: UnsafeMutableRawPointer) {
    self.source = source
    self.object = object
  }

  deinit { source.host.letGo(object) }

  func produce(_ most: UInt64) -> streams_status {
    let host = source.host
    return host.enteredToCall {
      guard let number = host.table.from_int64(Int64(clamping: most)) else { return host.failCallback() }
      defer { host.release(number) }
      guard let result = host.call(source.produce.function, object, number) else {
        return host.failCallback()
      }
      host.release(result)
      return STREAMS_OK
    }
  }

  func close() {
    let host = source.host
    _ = host.entered { source.close.callReporting(object) }
  }
}

extension Host {
  /// Runs `body` with the lock held, or fails as a callback of a retired host does.
  func enteredToCall(_ body: () -> streams_status) -> streams_status {
    if let status = entered(body) { return status }
    ThreadState.current.callbackError = retiredError
    return STREAMS_TERMINATED
  }
}

@_cdecl("streams_host_source") @implementation
public func streams_host_source(
  _ host: UInt32, _ open: UnsafeMutableRawPointer!, _ produce: UnsafeMutableRawPointer!,
  _ close: UnsafeMutableRawPointer!, _ out: UnsafeMutablePointer<streams_source>!
) -> streams_status {
  let call = Call("streams_host_source")
  guard call.empties(out, streams_source()),
    let functions = call.callables(host, (open, "open"), (produce, "produce"), (close, "close"))
  else { return streams_last_status() }
  out.pointee.context = Unmanaged.passRetained(HostSource(functions)).toOpaque()
  out.pointee.open = { context, emitter, state in
    Unmanaged<HostSource>.fromOpaque(context!).takeUnretainedValue().begin(emitter, state!)
  }
  out.pointee.produce = { state, _, most in subscription(state).takeUnretainedValue().produce(most) }
  out.pointee.close = { state in subscription(state).takeRetainedValue().close() }
  out.pointee.destroy = { Unmanaged<HostSource>.fromOpaque($0!).release() }
  return STREAMS_OK
}

private func subscription(_ state: UnsafeMutableRawPointer?) -> Unmanaged<HostSubscription> {
  .fromOpaque(state!)
}
