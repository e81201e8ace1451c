import CStreams
import Streams

@_cdecl("streams_replace_nil") @implementation
public func streams_replace_nil(
  _ publisher: OpaquePointer!, _ value: UnsafePointer<streams_value>!
) -> OpaquePointer! {
  let call = Call("streams_replace_nil")
  return call.attach(publisher) { upstream in
    call.adopt(value, "value").map { replacement in
      upstream.map { $0.kind == STREAMS_VALUE_NULL.rawValue ? nil : $0 }.replaceNil(with: replacement)
    }
  }
}

@_cdecl("streams_replace_empty") @implementation
public func streams_replace_empty(
  _ publisher: OpaquePointer!, _ value: UnsafePointer<streams_value>!
) -> OpaquePointer! {
  let call = Call("streams_replace_empty")
  return call.attach(publisher) { upstream in
    call.adopt(value, "value").map { upstream.replaceEmpty(with: $0).strict() }
  }
}

@_cdecl("streams_replace_error") @implementation
public func streams_replace_error(
  _ publisher: OpaquePointer!, _ value: UnsafePointer<streams_value>!
) -> OpaquePointer! {
  let call = Call("streams_replace_error")
  return call.attach(publisher) { upstream in
    call.adopt(value, "value").map { upstream.replaceError(with: $0).setFailureType(to: StreamError.self) }
  }
}
