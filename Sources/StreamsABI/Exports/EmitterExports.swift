import CStreams
import Streams
import StreamsCallbacks

@_cdecl("streams_emitter_send") @implementation
public func streams_emitter_send(
  _ emitter: OpaquePointer!, _ value: UnsafePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_emitter_send")
  return call.with(UnsafeRawPointer(emitter), "emitter", Kind.emitter) { emitter in
    guard call.hasStack else { return STREAMS_LIMIT }
    guard let value else { return call.fail(STREAMS_NULL_ARGUMENT, "value is NULL") }
    return call.withReadyValues(value, 1, "value") { call.status(of: emitter.send($0), nil) }
  }
}

@_cdecl("streams_emitter_send_values") @implementation
public func streams_emitter_send_values(
  _ emitter: OpaquePointer!, _ values: UnsafePointer<streams_value>!, _ count: Int,
  _ taken: UnsafeMutablePointer<Int>!
) -> streams_status {
  let call = Call("streams_emitter_send_values")
  taken?.pointee = 0
  return call.with(UnsafeRawPointer(emitter), "emitter", Kind.emitter) { emitter in
    guard call.hasStack else { return STREAMS_LIMIT }
    return call.withReadyValues(values, count, "values") { call.status(of: emitter.send($0), taken) }
  }
}

@_cdecl("streams_emitter_finish") @implementation
public func streams_emitter_finish(_ emitter: OpaquePointer!) -> streams_status {
  let call = Call("streams_emitter_finish")
  return call.with(UnsafeRawPointer(emitter), "emitter", Kind.emitter) { emitter in
    guard call.hasStack else { return STREAMS_LIMIT }
    return emitter.send(completion: .finished) ? STREAMS_OK : call.refuseTerminated()
  }
}

@_cdecl("streams_emitter_fail") @implementation
public func streams_emitter_fail(_ emitter: OpaquePointer!, _ error: OpaquePointer!) -> streams_status {
  let call = Call("streams_emitter_fail")
  return call.with(UnsafeRawPointer(emitter), "emitter", Kind.emitter) { emitter in
    guard call.hasStack else { return STREAMS_LIMIT }
    guard let failure = call.object(error, "error", Kind.error) else { return streams_last_status() }
    return emitter.send(completion: .failure(failure)) ? STREAMS_OK : call.refuseTerminated()
  }
}

@_cdecl("streams_emitter_demand") @implementation
public func streams_emitter_demand(_ emitter: OpaquePointer!) -> UInt64 {
  Call("streams_emitter_demand").object(emitter, "emitter", Kind.emitter)?.emitter.demand.c ?? 0
}

@_cdecl("streams_emitter_refusals") @implementation
public func streams_emitter_refusals(_ emitter: OpaquePointer!) -> UInt64 {
  Call("streams_emitter_refusals").object(emitter, "emitter", Kind.emitter)?.emitter.refusals ?? 0
}

@_cdecl("streams_emitter_wake") @implementation
public func streams_emitter_wake(_ emitter: OpaquePointer!) -> streams_status {
  let call = Call("streams_emitter_wake")
  return call.with(UnsafeRawPointer(emitter), "emitter", Kind.emitter) { emitter in
    guard call.hasStack else { return STREAMS_LIMIT }
    return emitter.emitter.wake() ? STREAMS_OK : call.refuseTerminated()
  }
}

extension Call {
  fileprivate func refuseTerminated() -> streams_status {
    fail(STREAMS_TERMINATED, "the emitter's stream has ended or was cancelled")
  }

  /// The status for an emitter's outcome.
  func status(
    of outcome: Emitter<Value, StreamError>.Outcome, _ taken: UnsafeMutablePointer<Int>?
  ) -> streams_status {
    switch outcome {
    case .sent(let count):
      taken?.pointee = count
      return STREAMS_OK
    case .demandExceeded(let count):
      taken?.pointee = count
      return fail(STREAMS_DEMAND_EXCEEDED, "the demand is used up: \(count) of the values were taken")
    case .terminated(let count):
      taken?.pointee = count
      return refuseTerminated()
    }
  }
}
