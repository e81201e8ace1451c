import CStreams
import Streams
import StreamsExtras
import StreamsShims

@_cdecl("streams_passthrough_subject_create") @implementation
public func streams_passthrough_subject_create() -> OpaquePointer! {
  let call = Call("streams_passthrough_subject_create")
  return call.handle(made: SubjectObject(PassthroughSubject(), by: call.function))
}

@_cdecl("streams_replay_subject_create") @implementation
public func streams_replay_subject_create(_ buffer_size: UInt64) -> OpaquePointer! {
  let call = Call("streams_replay_subject_create")
  let subject = ReplaySubject<Value, StreamError>(bufferSize: replayed(buffer_size))
  return call.handle(made: SubjectObject(subject, by: call.function))
}

/// How many values a replay keeps.
func replayed(_ size: UInt64) -> Int { Subscribers.Demand(c: size).max ?? .max }

@_cdecl("streams_subject_send") @implementation
public func streams_subject_send(
  _ subject: OpaquePointer!, _ value: UnsafePointer<streams_value>!
) -> streams_status {
  // Written out, because this call is the measure of the library's speed.
  if streams_stack_is_low() { return sendSlowly(subject, value) }
  guard let value, Value.isReady(value.asValue), let token = Token(UnsafeRawPointer(subject)),
    token.kind == Kind.subject.code, let slot = HandleTable.slot(of: token)
  else { return sendSlowly(subject, value) }
  let batch = UnsafeBufferPointer(start: value.asValue, count: 1)
  var isAcquired = false
  guard !Trampoline.hasOne, let subject = beginSendingBiased(token, slot, &isAcquired) else {
    return isAcquired ? send(slot, batch) : sendInTurn(token, batch)
  }
  Trampoline.first {
    subject._withUnsafeGuaranteedRef { $0.deliver(batch) }
    endSendingBiased(subject, slot)
  }
  return STREAMS_OK
}

/// In one step, for the thread that the library is biased to: acquires the subject and, if it keeps no values, enters its
/// serializer. Returns nil where that does not work so simply, and tells whether the subject is acquired.
@inline(__always)
private func beginSendingBiased(
  _ token: Token, _ slot: UnsafeMutablePointer<Slot>, _ isAcquired: inout Bool
) -> Unmanaged<Broadcast<Value, StreamError>>? {
  guard streams_bias_acquire_at_once() else { return nil }
  defer { streams_bias_release() }
  isAcquired = HandleTable.acquireBiased(slot, token)
  guard isAcquired, let address = UnsafeRawPointer(bitPattern: slot.pointee.link) else { return nil }
  let subject = Unmanaged<Broadcast<Value, StreamError>>.fromOpaque(address)
  return subject._withUnsafeGuaranteedRef { $0.beginSendingBiased() } ? subject : nil
}

@inline(__always)
private func endSendingBiased(
  _ subject: Unmanaged<Broadcast<Value, StreamError>>, _ slot: UnsafeMutablePointer<Slot>
) {
  guard streams_bias_acquire_at_once() else { return endSending(subject, slot) }
  let isLeft = subject._withUnsafeGuaranteedRef { $0.endSendingBiased() }
  let isReleased = isLeft && HandleTable.releaseBiased(slot)
  streams_bias_release()
  if !isReleased { endSending(isLeft ? nil : subject, slot) }
}

@inline(never)
private func endSending(
  _ subject: Unmanaged<Broadcast<Value, StreamError>>?, _ slot: UnsafeMutablePointer<Slot>
) {
  subject?._withUnsafeGuaranteedRef { $0.endSending() }
  HandleTable.release(slot)
}

/// Sends a value that owns its storage, on any thread and to any kind of subject.
@inline(never)
private func sendInTurn(_ token: Token, _ batch: UnsafeBufferPointer<Value>) -> streams_status {
  guard let slot = HandleTable.acquire(token) else {
    return Call("streams_subject_send").refuse(token, "subject")
  }
  return send(slot, batch)
}

/// Sends to a subject that is already acquired, and releases it afterwards.
@inline(never)
private func send(_ slot: UnsafeMutablePointer<Slot>, _ batch: UnsafeBufferPointer<Value>) -> streams_status {
  let isSent = Trampoline.enter {
    let isSent = Unmanaged<SubjectObject>.fromOpaque(slot.pointee.object.unsafelyUnwrapped)
      ._withUnsafeGuaranteedRef { $0.send(batch) }
    HandleTable.release(slot)
    return isSent
  }
  return isSent ? STREAMS_OK : Call("streams_subject_send").refuseCompleted()
}

/// Sends a value that must be copied first, or reports what is wrong.
@inline(never)
private func sendSlowly(
  _ subject: OpaquePointer?, _ value: UnsafePointer<streams_value>?
) -> streams_status {
  let call = Call("streams_subject_send")
  return call.with(UnsafeRawPointer(subject), "subject", Kind.subject) { subject in
    guard call.hasStack else { return STREAMS_LIMIT }
    guard let adopted = call.adopt(value, "value") else { return streams_last_status() }
    return withUnsafePointer(to: adopted) { call.send(subject, UnsafeBufferPointer(start: $0, count: 1)) }
  }
}

@_cdecl("streams_subject_send_values") @implementation
public func streams_subject_send_values(
  _ subject: OpaquePointer!, _ values: UnsafePointer<streams_value>!, _ count: Int
) -> streams_status {
  let call = Call("streams_subject_send_values")
  return call.with(UnsafeRawPointer(subject), "subject", Kind.subject) { subject in
    guard call.hasStack else { return STREAMS_LIMIT }
    return call.withReadyValues(values, count, "values") { call.send(subject, $0) }
  }
}

@_cdecl("streams_subject_send_int64s") @implementation
public func streams_subject_send_int64s(
  _ subject: OpaquePointer!, _ values: UnsafePointer<Int64>!, _ count: Int
) -> streams_status {
  Call("streams_subject_send_int64s").sendNumbers(subject, values, count, STREAMS_VALUE_INT64S)
}

@_cdecl("streams_subject_send_doubles") @implementation
public func streams_subject_send_doubles(
  _ subject: OpaquePointer!, _ values: UnsafePointer<Double>!, _ count: Int
) -> streams_status {
  Call("streams_subject_send_doubles").sendNumbers(subject, values, count, STREAMS_VALUE_DOUBLES)
}

@_cdecl("streams_subject_send_numbers") @implementation
public func streams_subject_send_numbers(
  _ subject: OpaquePointer!, _ numbers: UnsafePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_subject_send_numbers")
  return call.with(UnsafeRawPointer(subject), "subject", Kind.subject) { subject in
    guard call.hasStack else { return STREAMS_LIMIT }
    return call.send(subject, numbers: numbers, "numbers")
  }
}

@_cdecl("streams_subject_send_completion") @implementation
public func streams_subject_send_completion(
  _ subject: OpaquePointer!, _ error: OpaquePointer!
) -> streams_status {
  let call = Call("streams_subject_send_completion")
  return call.with(UnsafeRawPointer(subject), "subject", Kind.subject) { subject in
    guard call.hasStack else { return STREAMS_LIMIT }
    var completion = Subscribers.Completion<StreamError>.finished
    if error != nil {
      guard let failure = call.object(error, "error", Kind.error) else { return streams_last_status() }
      completion = .failure(failure)
    }
    return subject.complete(completion) ? STREAMS_OK : call.refuseCompleted()
  }
}

@_cdecl("streams_subject_publisher") @implementation
public func streams_subject_publisher(_ subject: OpaquePointer!) -> OpaquePointer! {
  let call = Call("streams_subject_publisher")
  return call.object(subject, "subject", Kind.subject)
    .flatMap { call.handle($0.publisher, Kind.publisher) }
}

extension Call {
  /// Makes a handle for a new subject.
  func handle(made subject: SubjectObject) -> OpaquePointer? {
    let subject = Trace.isOff ? subject : subject.traced(by: function)
    let shortcut = subject.broadcast.map { UnsafeRawPointer($0.toOpaque()) }
    return handle(subject, Kind.subject, usedBy: shortcut)
  }

  @inline(never)
  fileprivate func refuseCompleted() -> streams_status {
    fail(STREAMS_TERMINATED, "subject has completed")
  }

  @inline(__always)
  func send(_ subject: SubjectObject, _ batch: UnsafeBufferPointer<Value>) -> streams_status {
    let isSent = batch.isEmpty ? !subject.isCompleted : subject.send(batch)
    return isSent ? STREAMS_OK : refuseCompleted()
  }

  fileprivate func sendNumbers(
    _ subject: OpaquePointer?, _ numbers: UnsafeRawPointer?, _ count: Int, _ kind: streams_value_kind
  ) -> streams_status {
    with(UnsafeRawPointer(subject), "subject", Kind.subject) { subject in
      guard hasStack else { return STREAMS_LIMIT }
      guard let array = array(numbers, count, kind) else { return streams_last_status() }
      return withUnsafePointer(to: array) { send(subject, numbers: $0.asC, "values") }
    }
  }

  func send(
    _ subject: SubjectObject, numbers: UnsafePointer<streams_value>?, _ argument: StaticString
  ) -> streams_status {
    guard let array = self.numbers(numbers, argument) else { return streams_last_status() }
    let isSent = array.size == 0 ? !subject.isCompleted : subject.sendPiece(Numbers(array))
    return isSent ? STREAMS_OK : refuseCompleted()
  }
}
