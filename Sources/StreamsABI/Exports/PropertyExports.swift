import CStreams
import Streams
import StreamsProperty

@_cdecl("streams_property_create") @implementation
public func streams_property_create(_ value: UnsafePointer<streams_value>!) -> OpaquePointer! {
  let call = Call("streams_property_create")
  return call.adopt(value, "value").flatMap { call.handle(Property(Outcome.success($0))) }
}

@_cdecl("streams_property_of_subject") @implementation
public func streams_property_of_subject(_ subject: OpaquePointer!) -> OpaquePointer! {
  let call = Call("streams_property_of_subject")
  return Trampoline.through {
    guard let subject = call.object(subject, "subject", Kind.subject),
      let current = call.currentValue(of: subject), call.hasStack
    else { return nil }
    return call.handle(subject.property(current))
  }
}

@_cdecl("streams_property_of_publisher") @implementation
public func streams_property_of_publisher(
  _ initial: UnsafePointer<streams_value>!, _ then: OpaquePointer!
) -> OpaquePointer! {
  let call = Call("streams_property_of_publisher")
  return Trampoline.through {
    call.consuming(then, "then") { then in
      guard let initial = call.adopt(initial, "initial"), let then, call.hasStack else { return nil }
      let upstream = StackChecked(then.publisher).eraseToAnyPublisher()
      return call.handle(
        Property(initial: .success(initial), then: upstream.outcomes, substitute: .endless))
    }
  }
}

@_cdecl("streams_property_get_value") @implementation
public func streams_property_get_value(
  _ property: OpaquePointer!, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_property_get_value")
  guard call.isPresent(out, "out") else { return streams_last_status() }
  out.initialize(to: streams_value())
  return call.with(UnsafeRawPointer(property), "property", Kind.property) { object in
    object.noteReading()
    return call.store(object.property.value, out)
  }
}

@_cdecl("streams_property_all_values") @implementation
public func streams_property_all_values(_ property: OpaquePointer!) -> OpaquePointer! {
  let call = Call("streams_property_all_values")
  return call.object(property, "property", Kind.property)
    .flatMap { call.publish($0.property.allValues.values) }
}

@_cdecl("streams_property_subsequent_values") @implementation
public func streams_property_subsequent_values(_ property: OpaquePointer!) -> OpaquePointer! {
  let call = Call("streams_property_subsequent_values")
  return call.object(property, "property", Kind.property)
    .flatMap { call.publish($0.property.subsequentValues.values) }
}

extension SubjectObject {
  /// A property that follows the subject.
  fileprivate func property(_ current: CurrentValue) -> Property<Outcome> {
    Property(
      initial: .success(current.get()), then: publisher.publisher.outcomes, substitute: .endless)
  }
}

extension Call {
  func handle(_ property: Property<Outcome>) -> OpaquePointer? {
    handle(PropertyObject(property), Kind.property)
  }

  /// Stores the value for a caller, or reports why it could not be made.
  func store(_ outcome: Outcome, _ out: UnsafeMutablePointer<streams_value>) -> streams_status {
    with(outcome) { value in
      out.store(value)
      return STREAMS_OK
    }
  }

  /// Runs `body` with the value, or reports why it could not be made.
  @inline(__always)
  func with(_ outcome: Outcome, _ body: (Value) -> streams_status) -> streams_status {
    switch outcome {
    case .success(let value): body(value)
    case .failure(let error): fail(error)
    }
  }
}
