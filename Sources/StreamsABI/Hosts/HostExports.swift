import CStreams
import Streams

@_cdecl("streams_host_register") @implementation
public func streams_host_register(
  _ table: UnsafePointer<streams_host>!, _ host: UnsafeMutablePointer<UInt32>!
) -> streams_status {
  let call = Call("streams_host_register")
  guard call.isPresent(host, "host") else { return streams_last_status() }
  host.pointee = 0
  guard
    let copy = call.options(table, "table", minimum: MemoryLayout<streams_host>.size, empty: streams_host())
  else { return streams_last_status() }
  guard let name = call.text(copy.name, "table.name") else { return streams_last_status() }
  if let missing = copy.missing { return call.fail(STREAMS_NULL_ARGUMENT, "table.\(missing) is NULL") }
  guard let registered = Host.register(copy, name: name) else {
    return call.fail(STREAMS_LIMIT, "there are too many hosts")
  }
  if registered.id == 1 { HostRuntime().install() }
  _ = registered.entered {
    for callable in [copy.escaped, copy.to_demand, copy.from_publisher, copy.thread_begins] {
      callable.map(registered.retain)
    }
  }
  host.pointee = registered.id
  return STREAMS_OK
}

@_cdecl("streams_host_retire") @implementation
public func streams_host_retire(_ host: UInt32) -> streams_status {
  let call = Call("streams_host_retire")
  guard let host = Host.find(host)?.takeUnretainedValue() else {
    return call.fail(STREAMS_INVALID_ARGUMENT, "host is \(host), which is the number of no host")
  }
  host.retire()
  return STREAMS_OK
}

@_cdecl("streams_host_values") @implementation
public func streams_host_values(
  _ host: UInt32, _ objects: UnsafePointer<UnsafeMutableRawPointer?>!, _ count: Int,
  _ values: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_host_values")
  guard call.isPlausible(count, values != nil, "values") else { return streams_last_status() }
  for index in 0..<count { (values + index).initialize(to: streams_value()) }
  guard let host = call.host(host) else { return streams_last_status() }
  return call.withObjects(host, objects, count) { objects in
    for index in 0..<count { (values + index).store(host.value(retaining: objects[index]!)) }
    return STREAMS_OK
  }
}

@_cdecl("streams_host_numbers") @implementation
public func streams_host_numbers(
  _ host: UInt32, _ object: UnsafeMutableRawPointer!, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_host_numbers")
  guard let out = call.required(out, "out") else { return streams_last_status() }
  out.initialize(to: streams_value())
  guard let array = call.numbers(of: object, host) else { return streams_last_status() }
  out.store(array)
  return STREAMS_OK
}

@_cdecl("streams_host_send_numbers") @implementation
public func streams_host_send_numbers(
  _ subject: OpaquePointer!, _ host: UInt32, _ object: UnsafeMutableRawPointer!
) -> streams_status {
  let call = Call("streams_host_send_numbers")
  return call.with(UnsafeRawPointer(subject), "subject", Kind.subject) { subject in
    guard call.hasStack else { return STREAMS_LIMIT }
    guard let array = call.numbers(of: object, host) else { return streams_last_status() }
    return withUnsafePointer(to: array) { call.send(subject, numbers: $0.asC, "object") }
  }
}

@_cdecl("streams_host_object") @implementation
public func streams_host_object(
  _ host: UInt32, _ value: UnsafePointer<streams_value>!
) -> UnsafeMutableRawPointer! {
  let call = Call("streams_host_object")
  guard let host = call.host(host), let value = call.adopt(value, "value") else { return nil }
  let made = host.entered { () -> Result<UnsafeMutableRawPointer, ConversionFailure> in
    withUnsafePointer(to: value) { value in Result { () throws(ConversionFailure) in try host.object(value) }
    }
    .mapError { failure in
      _ = call.fail(failure.status, host.error(failure).text)
      return failure
    }
  }
  guard let made else { return call.refuse(host).map { UnsafeMutableRawPointer($0) } }
  return try? made.get()
}

@_cdecl("streams_host_send") @implementation
public func streams_host_send(
  _ subject: OpaquePointer!, _ host: UInt32, _ object: UnsafeMutableRawPointer!
) -> streams_status {
  let call = Call("streams_host_send")
  return call.with(UnsafeRawPointer(subject), "subject", Kind.subject) { subject in
    guard call.hasStack else { return STREAMS_LIMIT }
    guard let host = call.host(host) else { return streams_last_status() }
    guard let object else { return call.fail(STREAMS_NULL_ARGUMENT, "object is NULL") }
    let status = host.entered {
      host.withValue(borrowing: object) { call.send(subject, UnsafeBufferPointer(start: $0, count: 1)) }
    }
    return status ?? call.retired(host)
  }
}

@_cdecl("streams_host_send_objects") @implementation
public func streams_host_send_objects(
  _ subject: OpaquePointer!, _ host: UInt32, _ objects: UnsafePointer<UnsafeMutableRawPointer?>!, _ count: Int
) -> streams_status {
  let call = Call("streams_host_send_objects")
  return call.with(UnsafeRawPointer(subject), "subject", Kind.subject) { subject in
    guard call.hasStack else { return STREAMS_LIMIT }
    guard let host = call.host(host) else { return streams_last_status() }
    return call.withObjectValues(host, objects, count) { call.send(subject, $0) }
  }
}

@_cdecl("streams_host_emit") @implementation
public func streams_host_emit(
  _ emitter: OpaquePointer!, _ host: UInt32, _ objects: UnsafePointer<UnsafeMutableRawPointer?>!,
  _ count: Int,
  _ taken: UnsafeMutablePointer<Int>!
) -> streams_status {
  let call = Call("streams_host_emit")
  taken?.pointee = 0
  return call.with(UnsafeRawPointer(emitter), "emitter", Kind.emitter) { emitter in
    guard call.hasStack else { return STREAMS_LIMIT }
    guard let host = call.host(host) else { return streams_last_status() }
    return call.withObjectValues(host, objects, count) { call.status(of: emitter.send($0), taken) }
  }
}

@_cdecl("streams_host_publisher") @implementation
public func streams_host_publisher(_ host: UInt32, _ iterable: UnsafeMutableRawPointer!) -> OpaquePointer! {
  let call = Call("streams_host_publisher")
  guard let host = call.host(host), let iterable = call.required(iterable, "iterable") else { return nil }
  return host.entered { call.publish(HostPublisher(iterable: Callable(host, iterable))) } ?? call.refuse(host)
}

extension Call {
  func retired(_ host: Host) -> streams_status {
    fail(STREAMS_TERMINATED, "the host \(host.name) is retired")
  }

  /// The numbers in the memory of an object, or nil with the last error set.
  fileprivate func numbers(of object: UnsafeMutableRawPointer?, _ host: UInt32) -> Value? {
    guard let host = self.host(host), let object = required(object, "object") else { return nil }
    guard let found = host.entered({ host.numbers(of: object) }) else {
      _ = retired(host)
      return nil
    }
    if found == nil {
      _ = fail(STREAMS_INVALID_VALUE, "object has no integers of 64 bits, nor doubles, in a row")
    }
    return found
  }

  /// Runs `body` with an array of objects, none of them NULL, and the host's lock held.
  fileprivate func withObjects(
    _ host: Host, _ objects: UnsafePointer<UnsafeMutableRawPointer?>?, _ count: Int,
    _ body: (UnsafeBufferPointer<UnsafeMutableRawPointer?>) -> streams_status
  ) -> streams_status {
    guard isPlausible(count, objects != nil, "objects") else { return streams_last_status() }
    let array = UnsafeBufferPointer(start: objects, count: count)
    if let missing = array.firstIndex(of: nil) {
      return fail(STREAMS_NULL_ARGUMENT, "objects[\(missing)] is NULL")
    }
    return host.entered { body(array) } ?? retired(host)
  }

  /// Runs `body` with an array of objects as values, and the host's lock held.
  fileprivate func withObjectValues(
    _ host: Host, _ objects: UnsafePointer<UnsafeMutableRawPointer?>?, _ count: Int,
    _ body: (UnsafeBufferPointer<Value>) -> streams_status
  ) -> streams_status {
    withObjects(host, objects, count) { objects in
      guard hasRoom(for: count, "objects") else { return STREAMS_OUT_OF_MEMORY }
      let values = objects.map { host.value(retaining: $0!) }
      return values.withUnsafeBufferPointer(body)
    }
  }
}

extension streams_host {
  /// The name of a required function that is not set.
  fileprivate var missing: String? {
    let required: [(String, Bool)] = [
      ("null_object", null_object != nil), ("enter", enter != nil), ("leave", leave != nil),
      ("retain", retain != nil), ("release", release != nil),
      ("call", call != nil), ("iterate", iterate != nil), ("next", next != nil),
      ("report_error", report_error != nil), ("is_true", is_true != nil), ("equals", equals != nil),
      ("describe", describe != nil), ("text", text != nil), ("to_int64", to_int64 != nil),
      ("from_bool", from_bool != nil), ("from_int64", from_int64 != nil), ("from_double", from_double != nil),
      ("from_text", from_text != nil), ("from_bytes", from_bytes != nil), ("list_create", list_create != nil),
      ("list_set", list_set != nil),
    ]
    if let missing = required.first(where: { !$0.1 }) { return missing.0 }
    if (buffer == nil) != (release_buffer == nil) { return buffer == nil ? "buffer" : "release_buffer" }
    if (depth_limit == nil) != (set_depth_limit == nil) {
      return depth_limit == nil ? "depth_limit" : "set_depth_limit"
    }
    if (suspend == nil) != (resume == nil) { return suspend == nil ? "suspend" : "resume" }
    if suspend != nil && holds == nil { return "holds" }
    if current_context != nil {
      let needed = [
        ("known", known != nil), ("copy_context", copy_context != nil), ("weak", weak != nil),
        ("enter_context", enter_context != nil), ("exit_context", exit_context != nil),
      ]
      if let missing = needed.first(where: { !$0.1 }) { return missing.0 }
    }
    if error_matches != nil, stream_error == nil || escaped == nil {
      return stream_error == nil ? "stream_error" : "escaped"
    }
    if take_error != nil || (fetch_error != nil && normalize_error != nil && attach_trace != nil) {
      return nil
    }
    return "take_error"
  }
}
