import CStreams
import Streams

@_cdecl("streams_current_value_subject_create") @implementation
public func streams_current_value_subject_create(_ initial: UnsafePointer<streams_value>!) -> OpaquePointer! {
  let call = Call("streams_current_value_subject_create")
  return call.adopt(initial, "initial").flatMap {
    call.handle(made: SubjectObject(CurrentValueSubject($0), by: call.function))
  }
}

@_cdecl("streams_current_value_subject_get_value") @implementation
public func streams_current_value_subject_get_value(
  _ subject: OpaquePointer!, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_current_value_subject_get_value")
  guard call.isPresent(out, "out") else { return streams_last_status() }
  out.initialize(to: streams_value())
  return call.withCurrentValue(subject) { object, current in
    object.noteReading()
    out.store(current.get())
    return STREAMS_OK
  }
}

@_cdecl("streams_current_value_subject_set_value") @implementation
public func streams_current_value_subject_set_value(
  _ subject: OpaquePointer!, _ value: UnsafePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_current_value_subject_set_value")
  return call.withCurrentValue(subject) { _, current in
    guard call.hasStack else { return STREAMS_LIMIT }
    guard let adopted = call.adopt(value, "value") else { return streams_last_status() }
    current.set(adopted)
    return STREAMS_OK
  }
}

@_cdecl("streams_assign") @implementation
public func streams_assign(_ publisher: OpaquePointer!, _ subject: OpaquePointer!) -> OpaquePointer! {
  let call = Call("streams_assign")
  return call.run(publisher) { upstream in
    call.object(subject, "subject", Kind.subject).flatMap { call.currentValue(of: $0) }.map { current in
      { upstream.assigned { current.set($0) } }
    }
  }
}

@_cdecl("streams_subscribe") @implementation
public func streams_subscribe(_ publisher: OpaquePointer!, _ subject: OpaquePointer!) -> OpaquePointer! {
  let call = Call("streams_subscribe")
  return call.run(publisher) { upstream in
    call.object(subject, "subject", Kind.subject).map { target in { target.subscribe(upstream) } }
  }
}

extension ValuePublisher {
  /// Calls `set` with each value; the completion is ignored.
  func assigned(_ set: @escaping (Value) -> Void) -> any Cancellable {
    let sink = Subscribers.Sink<Value, StreamError>(receiveCompletion: { _ in }, receiveValue: set)
    subscribe(sink)
    return sink
  }
}

extension Call {
  @inline(__always)
  func withCurrentValue(
    _ subject: OpaquePointer?, _ body: (SubjectObject, SubjectObject.CurrentValue) -> streams_status
  ) -> streams_status {
    with(UnsafeRawPointer(subject), "subject", Kind.subject) { object in
      guard let current = currentValue(of: object) else { return STREAMS_WRONG_KIND }
      return body(object, current)
    }
  }

  /// The current value of a subject, or nil with the last error set.
  @inline(__always)
  func currentValue(of subject: SubjectObject) -> SubjectObject.CurrentValue? {
    if subject.currentValue == nil { _ = fail(STREAMS_WRONG_KIND, "subject is not a current-value subject") }
    return subject.currentValue
  }

  /// Consumes a publisher, starts what `make` makes of it, and returns a handle that cancels it when released. If there is no
  /// handle left, cancels immediately.
  ///
  /// Subjects that feed each other, or themselves, nest without any callback in between.
  func run(
    _ publisher: OpaquePointer?, _ make: (ValuePublisher) -> (() -> any Cancellable)?
  ) -> OpaquePointer? {
    Trampoline.through {
      consuming(publisher) { upstream in
        guard let upstream, let start = make(StackChecked(upstream.publisher).eraseToAnyPublisher()), hasStack
        else { return nil }
        return handle(WrappedCancellable(start))
      }
    }
  }
}
