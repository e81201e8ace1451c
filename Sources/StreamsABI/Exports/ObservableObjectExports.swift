import CStreams
import Glibc
import Streams

@_cdecl("streams_observable_object_create") @implementation
public func streams_observable_object_create() -> OpaquePointer! {
  Call("streams_observable_object_create").handle(PublishedObject(), Kind.observableObject)
}

@_cdecl("streams_observable_object_add") @implementation
public func streams_observable_object_add(
  _ object: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ initial: UnsafePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_observable_object_add")
  return call.with(UnsafeRawPointer(object), "object", Kind.observableObject) { object in
    guard let initial = call.adopt(initial, "initial"), let name = call.copy(name, "name") else {
      return streams_last_status()
    }
    let value = PublishedValue(name, initial)
    if object.add(value) { return STREAMS_OK }
    return call.fail(
      STREAMS_INVALID_ARGUMENT,
      "object has a published value already that is named \(String(cString: value.name))")
  }
}

@_cdecl("streams_observable_object_get_value") @implementation
public func streams_observable_object_get_value(
  _ object: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_observable_object_get_value")
  guard call.isPresent(out, "out") else { return streams_last_status() }
  out.initialize(to: streams_value())
  return call.withPublished(object, name) { value in
    value.noteReading()
    out.store(value.subject.value)
    return STREAMS_OK
  }
}

@_cdecl("streams_observable_object_set_value") @implementation
public func streams_observable_object_set_value(
  _ object: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_observable_object_set_value")
  return call.withPublished(object, name) { published in
    guard call.hasStack else { return STREAMS_LIMIT }
    guard let adopted = call.adopt(value, "value") else { return streams_last_status() }
    published.subject.send(adopted)
    return STREAMS_OK
  }
}

@_cdecl("streams_observable_object_publisher") @implementation
public func streams_observable_object_publisher(
  _ object: OpaquePointer!, _ name: UnsafePointer<CChar>!
) -> OpaquePointer! {
  let call = Call("streams_observable_object_publisher")
  return call.object(object, "object", Kind.observableObject)
    .flatMap { call.published(name, of: $0) }.flatMap { call.publish($0.subject) }
}

@_cdecl("streams_observable_object_will_change") @implementation
public func streams_observable_object_will_change(_ object: OpaquePointer!) -> OpaquePointer! {
  let call = Call("streams_observable_object_will_change")
  return call.object(object, "object", Kind.observableObject).flatMap { call.publish($0.changes) }
}

@_cdecl("streams_observable_object_send_will_change") @implementation
public func streams_observable_object_send_will_change(_ object: OpaquePointer!) -> streams_status {
  let call = Call("streams_observable_object_send_will_change")
  return call.with(UnsafeRawPointer(object), "object", Kind.observableObject) { object in
    guard call.hasStack else { return STREAMS_LIMIT }
    object.objectWillChange.send()
    return STREAMS_OK
  }
}

@_cdecl("streams_assign_to_published") @implementation
public func streams_assign_to_published(
  _ publisher: OpaquePointer!, _ object: OpaquePointer!, _ name: UnsafePointer<CChar>!
) -> OpaquePointer! {
  let call = Call("streams_assign_to_published")
  return call.run(publisher) { upstream in
    call.object(object, "object", Kind.observableObject).flatMap { object in
      call.published(name, of: object).map { published in
        // The object is not retained here, and nothing else that is kept leads to it.
        let whileAlive = upstream.prefix(untilOutputFrom: object.ended.prefix(1)).eraseToAnyPublisher()
        return { [weak object] in
          whileAlive.assigned { if object != nil { published.subject.send($0) } }
        }
      }
    }
  }
}

extension Call {
  @inline(__always)
  fileprivate func withPublished(
    _ object: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ body: (PublishedValue) -> streams_status
  ) -> streams_status {
    with(UnsafeRawPointer(object), "object", Kind.observableObject) { object in
      published(name, of: object).map(body) ?? streams_last_status()
    }
  }

  /// An object's value, or nil with the last error set.
  @inline(__always)
  func published(_ name: UnsafePointer<CChar>?, of object: PublishedObject) -> PublishedValue? {
    if let name, let value = object.value(named: name) { return value }
    refuse(name: name)
    return nil
  }

  @inline(never)
  private func refuse(name: UnsafePointer<CChar>?) {
    guard let name = text(name, "name") else { return }
    _ = fail(STREAMS_INVALID_ARGUMENT, "object has no published value that is named \(name)")
  }
}
