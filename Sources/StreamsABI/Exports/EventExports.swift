import CStreams
import Streams
import StreamsExtras

@_cdecl("streams_materialize") @implementation
public func streams_materialize(_ publisher: OpaquePointer!) -> OpaquePointer! {
  Call("streams_materialize").attach(publisher) {
    StackChecked($0.materialize().setFailureType(to: StreamError.self).map(Value.event).succeeding())
  }
}

@_cdecl("streams_dematerialize") @implementation
public func streams_dematerialize(_ publisher: OpaquePointer!) -> OpaquePointer! {
  Call("streams_dematerialize").attach(publisher) {
    $0.tryCompactMap { try $0.asEvent() }.streamErrors().doingWhatEventsSay()
  }
}

@_cdecl("streams_event") @implementation
public func streams_event(
  _ value: UnsafePointer<streams_value>!, _ error: OpaquePointer!, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_event")
  guard call.isPresent(out, "out") else { return streams_last_status() }
  guard UnsafePointer(out) != value else {
    return call.fail(STREAMS_INVALID_ARGUMENT, "value and out are the same")
  }
  out.initialize(to: streams_value())
  guard let event = call.event(value, error) else { return streams_last_status() }
  switch Value.event(event) {
  case .success(let made):
    out.store(made)
    return STREAMS_OK
  case .failure(let error):
    return call.fail(streams_status(rawValue: UInt32(error.code)), "value \(error.text)")
  }
}

extension Call {
  fileprivate func event(
    _ value: UnsafePointer<streams_value>?, _ error: OpaquePointer?
  ) -> Event<Value, StreamError>? {
    if error != nil { return object(error, "error", Kind.error).map { .failure($0) } }
    return value == nil ? .finished : adopt(value, "value").map { .value($0) }
  }
}
