import CStreams
import StreamsShims

@_cdecl("streams_last_status") @implementation
public func streams_last_status() -> streams_status { LastError.status }

@_cdecl("streams_last_function") @implementation
public func streams_last_function() -> UnsafePointer<CChar>! { LastError.function }

@_cdecl("streams_last_message") @implementation
public func streams_last_message() -> UnsafePointer<CChar>! { LastError.message }

@_cdecl("streams_last_error") @implementation
public func streams_last_error() -> OpaquePointer! {
  guard streams_exhausted() == nil, let error = ThreadState.existing?.error else { return nil }
  return HandleTable.insert(error, kind: Kind.error.code, isLent: false)?.handle
}

@_cdecl("streams_set_last_error") @implementation
public func streams_set_last_error(
  _ status: streams_status, _ function: UnsafePointer<CChar>!, _ message: UnsafePointer<CChar>!
) -> streams_status {
  let call = Call("streams_set_last_error")
  guard let function, let message else {
    return call.fail(STREAMS_NULL_ARGUMENT, "\(function == nil ? "function" : "message") is NULL")
  }
  guard Int32(bitPattern: status.rawValue) > 0 else {
    return call.fail(
      STREAMS_INVALID_ARGUMENT, "status is \(Int32(bitPattern: status.rawValue)), which is not a failure")
  }
  LastError.set(status, copying: function, message)
  return status
}

@_cdecl("streams_clear_last_error") @implementation
public func streams_clear_last_error() { LastError.clear() }
