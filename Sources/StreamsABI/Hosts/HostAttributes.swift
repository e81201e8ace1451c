import CStreams
import StreamsProperty
import StreamsShims

// The getters of the first hosts, one for each, as with the send methods.
private let getters: [streams_method_fn] = [
  { getter(1, $0, $1) }, { getter(2, $0, $1) }, { getter(3, $0, $1) }, { getter(4, $0, $1) },
  { getter(5, $0, $1) }, { getter(6, $0, $1) }, { getter(7, $0, $1) }, { getter(8, $0, $1) },
]
private let setters: [streams_setter_fn] = [
  { setter(1, $0, $1, $2) }, { setter(2, $0, $1, $2) }, { setter(3, $0, $1, $2) }, { setter(4, $0, $1, $2) },
  { setter(5, $0, $1, $2) }, { setter(6, $0, $1, $2) }, { setter(7, $0, $1, $2) }, { setter(8, $0, $1, $2) },
]

@_cdecl("streams_host_value_getter") @implementation
public func streams_host_value_getter(
  _ host: UInt32, _ raise: UnsafeMutableRawPointer!, _ offset: Int
) -> streams_method_fn! {
  Call("streams_host_value_getter").method(of: getters, host, raise, offset)
}

@_cdecl("streams_host_value_setter") @implementation
public func streams_host_value_setter(
  _ host: UInt32, _ raise: UnsafeMutableRawPointer!, _ offset: Int
) -> streams_setter_fn! {
  Call("streams_host_value_setter").method(of: setters, host, raise, offset)
}

@inline(__always)
private func getter(
  _ id: UInt32, _ object: UnsafeMutableRawPointer?, _ attribute: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
  guard let host = Host.find(id), let object else { return nil }
  return host._withUnsafeGuaranteedRef { $0.value(of: object, attribute) }
}

@inline(__always)
private func setter(
  _ id: UInt32, _ object: UnsafeMutableRawPointer?, _ new: UnsafeMutableRawPointer?,
  _ attribute: UnsafeMutableRawPointer?
) -> Int32 {
  guard let host = Host.find(id), let object else { return -1 }
  return host._withUnsafeGuaranteedRef { $0.set(new, of: object, attribute) }
}

extension Call {
  /// Reads the value behind a handle.
  @inline(__always)
  fileprivate func read(
    _ handle: OpaquePointer?, _ attribute: UnsafeMutableRawPointer?, _ body: (Value) -> streams_status
  ) -> streams_status {
    switch Token(UnsafeRawPointer(handle))?.kind {
    case Kind.observableObject.code:
      with(UnsafeRawPointer(handle), "object", Kind.observableObject) { object in
        guard let name = self.name(attribute) else { return streams_last_status() }
        guard let published = object.value(named: name) else {
          return fail(STREAMS_INVALID_ARGUMENT, "the object has no \(String(cString: name)) yet")
        }
        published.noteReading()
        return body(published.subject.value)
      }
    case Kind.property.code:
      with(UnsafeRawPointer(handle), "property", Kind.property) { object in
        object.noteReading()
        return with(object.property.value, body)
      }
    case Kind.binding.code:
      with(UnsafeRawPointer(handle), "binding", Kind.binding) { object in
        guard hasStack else { return STREAMS_LIMIT }
        object.noteReading()
        return with(object.binding.wrappedValue, body)
      }
    case nil: refuse(attribute)
    default:
      withCurrentValue(handle) { object, current in
        object.noteReading()
        return body(current.get())
      }
    }
  }

  /// Writes the value behind a handle, and may leave another value in `new`. An observable object without the value gets it.
  @inline(__always)
  fileprivate func write(
    _ new: inout Value, to handle: OpaquePointer?, _ attribute: UnsafeMutableRawPointer?, of host: Host
  ) -> streams_status {
    switch Token(UnsafeRawPointer(handle))?.kind {
    case Kind.observableObject.code:
      with(UnsafeRawPointer(handle), "object", Kind.observableObject) { object in
        guard let name = self.name(attribute) else { return streams_last_status() }
        guard let published = object.find(name) else { return add(new, to: object, name) }
        if published._withUnsafeGuaranteedRef({ $0.subject.exchange(&new) }) {
          host.release(&new)
        }
        return STREAMS_OK
      }
    case Kind.binding.code:
      with(UnsafeRawPointer(handle), "binding", Kind.binding) { set($0, to: new) }
    case nil: refuse(attribute)
    default:
      withCurrentValue(handle) { _, current in
        current.set(new)
        return STREAMS_OK
      }
    }
  }

  @inline(__always)
  private func name(_ attribute: UnsafeMutableRawPointer?) -> UnsafePointer<CChar>? {
    let name = attribute?.assumingMemoryBound(to: streams_host_attribute.self).pointee.name
    if name == nil { _ = fail(STREAMS_NULL_ARGUMENT, "closure names no value") }
    return name
  }

  /// Reports a missing handle.
  private func refuse(_ attribute: UnsafeMutableRawPointer?) -> streams_status {
    let name = attribute?.assumingMemoryBound(to: streams_host_attribute.self).pointee.name
    return fail(STREAMS_NULL_HANDLE, "\(name.map { String(cString: $0) } ?? "the handle") is NULL")
  }

  /// Another thread may have added it first.
  private func add(
    _ new: Value, to object: PublishedObject, _ name: UnsafePointer<CChar>
  ) -> streams_status {
    guard let copy = self.copy(name, "name") else { return streams_last_status() }
    if !object.add(PublishedValue(copy, new)) { object.value(named: name)?.subject.send(new) }
    return STREAMS_OK
  }
}

// All of these must be called with the host's lock held.
extension Host {
  @inline(__always)
  fileprivate func value(
    of object: UnsafeMutableRawPointer, _ attribute: UnsafeMutableRawPointer?
  ) -> UnsafeMutableRawPointer? {
    guard let number = handleNumber(in: object) else { return nil }
    let call = Call("streams_host_value_getter")
    var found: UnsafeMutableRawPointer?
    var status = STREAMS_OK
    let hasEscaped = calledByHost {
      status = call.read(OpaquePointer(bitPattern: Int(number)), attribute) {
        makeObject(of: $0, &found, call)
      }
    }
    guard hasEscaped || status != STREAMS_OK else { return found }
    if let found { release(found) }
    return raise(status)
  }

  /// Makes an object of a value. If it fails without another error, the host has an error pending.
  @inline(__always)
  private func makeObject(
    of value: Value, _ object: inout UnsafeMutableRawPointer?, _ call: Call
  ) -> streams_status {
    withUnsafePointer(to: value) { value in
      do throws(ConversionFailure) {
        object = try self.object(value)
        return STREAMS_OK
      } catch {
        if case .raised = error { return STREAMS_OK }
        return call.fail(error.status, "the value cannot be an object of \(name)")
      }
    }
  }

  @inline(__always)
  fileprivate func set(
    _ new: UnsafeMutableRawPointer?, of object: UnsafeMutableRawPointer, _ attribute: UnsafeMutableRawPointer?
  ) -> Int32 {
    guard let number = handleNumber(in: object) else { return -1 }
    if let new, let absent = attribute?.assumingMemoryBound(to: streams_host_attribute.self).pointee.absent,
      new == absent
    {
      return 0
    }
    let call = Call("streams_host_value_setter")
    var status = STREAMS_OK
    let hasEscaped = calledByHost {
      guard !retired else {
        status = call.retired(self)
        return
      }
      guard let new else {
        status = call.fail(STREAMS_NULL_ARGUMENT, "a value cannot be deleted")
        return
      }
      guard call.hasStack else {
        status = STREAMS_LIMIT
        return
      }
      var value = value(retaining: new)
      status = call.write(&value, to: OpaquePointer(bitPattern: Int(number)), attribute, of: self)
    }
    guard hasEscaped || status != STREAMS_OK else { return 0 }
    guard let result = raise(status) else { return -1 }
    release(result)
    return 0
  }
}
