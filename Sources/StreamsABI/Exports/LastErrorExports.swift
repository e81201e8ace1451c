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

@_cdecl("streams_clear_last_error") @implementation
public func streams_clear_last_error() { LastError.clear() }
