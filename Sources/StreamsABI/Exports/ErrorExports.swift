import CStreams
import Glibc

@_cdecl("streams_error_create") @implementation
public func streams_error_create(
  _ code: Int64, _ domain: UnsafePointer<CChar>!, _ message: UnsafePointer<CChar>!,
  _ object: UnsafePointer<streams_value>!
) -> OpaquePointer! {
  let call = Call("streams_error_create")
  var carried: Value?
  if let object {
    guard let value = call.adopt(object, "object") else { return nil }
    carried = value
  }
  guard let domain = call.copy(domain, "domain") else { return nil }
  guard let message = call.copy(message, "message") else {
    free(domain)
    return nil
  }
  return call.handle(
    StreamError(code: code, domain: domain, message: message, carrying: carried.map(CarriedValue.init)),
    Kind.error)
}

@_cdecl("streams_error_code") @implementation
public func streams_error_code(_ error: OpaquePointer!) -> Int64 {
  Call("streams_error_code").object(error, "error", Kind.error)?.code ?? 0
}

@_cdecl("streams_error_number") @implementation
public func streams_error_number(_ error: OpaquePointer!) -> UInt64 {
  Call("streams_error_number").object(error, "error", Kind.error)?.number ?? 0
}

@_cdecl("streams_error_domain") @implementation
public func streams_error_domain(_ error: OpaquePointer!) -> UnsafePointer<CChar>! {
  let error = Call("streams_error_domain").object(error, "error", Kind.error)
  return error.map { UnsafePointer($0.domain) } ?? ThreadState.empty
}

@_cdecl("streams_error_message") @implementation
public func streams_error_message(_ error: OpaquePointer!) -> UnsafePointer<CChar>! {
  let error = Call("streams_error_message").object(error, "error", Kind.error)
  return error.map { UnsafePointer($0.message) } ?? ThreadState.empty
}

@_cdecl("streams_error_object") @implementation
public func streams_error_object(_ error: OpaquePointer!) -> UnsafePointer<streams_value>! {
  Call("streams_error_object").object(error, "error", Kind.error)?.object.map { UnsafePointer($0).asC }
}

@_cdecl("streams_callback_fail") @implementation
public func streams_callback_fail(_ error: OpaquePointer!) -> streams_status {
  Call("streams_callback_fail").with(UnsafeRawPointer(error), "error", Kind.error) { error in
    ThreadState.current.callbackError = error
    return STREAMS_CALLBACK_FAILED
  }
}
