import CStreams
import Glibc

@_cdecl("streams_value_copy") @implementation
public func streams_value_copy(
  _ value: UnsafePointer<streams_value>!, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  Call("streams_value_copy").fill(out, from: value) { value throws(BadValue) in try Value.adopting(value) }
}

@_cdecl("streams_value_destroy") @implementation
public func streams_value_destroy(_ value: UnsafeMutablePointer<streams_value>!) -> streams_status {
  let call = Call("streams_value_destroy")
  guard let value else { return call.fail(STREAMS_NULL_ARGUMENT, "value is NULL") }
  guard value.pointee.kind <= lastKind else {
    return call.fail(STREAMS_INVALID_VALUE, "value has the kind \(value.pointee.kind), which no value has")
  }
  if value.pointee.kind <= STREAMS_VALUE_DOUBLE.rawValue {
    // A number owns nothing, whatever its owner field says.
    value.initialize(to: streams_value())
  } else {
    _ = value.take()
  }
  return STREAMS_OK
}

@_cdecl("streams_value_describe") @implementation
public func streams_value_describe(
  _ value: UnsafePointer<streams_value>!, _ buffer: UnsafeMutablePointer<CChar>!, _ capacity: Int,
  _ needed: UnsafeMutablePointer<Int>!
) -> streams_status {
  let call = Call("streams_value_describe")
  return call.fill(buffer, capacity, needed) { write in
    guard let value = call.adopt(value, "value") else { return streams_last_status() }
    value.describe(to: write)
    return STREAMS_OK
  }
}

extension Call {
  /// Writes text into a buffer as `snprintf` does, in pieces of whole characters.
  func fill(
    _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ needed: UnsafeMutablePointer<Int>?,
    _ describe: ((UnsafeRawBufferPointer) -> Void) -> streams_status
  ) -> streams_status {
    if buffer == nil && (capacity != 0 || needed == nil) {
      return fail(STREAMS_NULL_ARGUMENT, "buffer is NULL")
    }
    // A capacity beyond Int.max is negative here, and always large enough.
    var room = capacity < 0 ? Int.max : max(capacity - 1, 0)
    var written = 0
    var length = 0
    let status = describe { piece in
      length += piece.count
      var fitting = min(piece.count, room)
      if fitting < piece.count {
        while fitting > 0, piece[fitting] & 0xc0 == 0x80 { fitting -= 1 }
        // Nothing after it may follow, even if it is shorter than this character.
        room = fitting
      }
      if fitting > 0, let buffer { memcpy(buffer + written, piece.baseAddress!, fitting) }
      written += fitting
      room -= fitting
    }
    guard status == STREAMS_OK else { return status }
    needed?.pointee = length
    if capacity != 0 { buffer?[written] = 0 }
    return STREAMS_OK
  }
}

@_cdecl("streams_value_string") @implementation
public func streams_value_string(
  _ text: UnsafePointer<CChar>!, _ length: Int, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  Call("streams_value_string").make(text.map { UnsafeRawPointer($0) }, length, "text", out) { memory in
    streams_text_n(memory.bindMemory(to: CChar.self).baseAddress, memory.count)
  }
}

@_cdecl("streams_value_bytes") @implementation
public func streams_value_bytes(
  _ bytes: UnsafeRawPointer!, _ length: Int, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  Call("streams_value_bytes").make(bytes, length, "bytes", out) { memory in
    streams_bytes(memory.baseAddress, memory.count)
  }
}

@_cdecl("streams_value_string_nocopy") @implementation
public func streams_value_string_nocopy(
  _ text: UnsafePointer<CChar>!, _ length: Int, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let owner = ForeignMemory(context, destroy)
  return Call("streams_value_string_nocopy").keep(
    STREAMS_VALUE_STRING, text.map { UnsafeRawPointer($0) }, length, "text", owner, out)
}

@_cdecl("streams_value_bytes_nocopy") @implementation
public func streams_value_bytes_nocopy(
  _ bytes: UnsafeRawPointer!, _ length: Int, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let owner = ForeignMemory(context, destroy)
  return Call("streams_value_bytes_nocopy").keep(STREAMS_VALUE_BYTES, bytes, length, "bytes", owner, out)
}

@_cdecl("streams_value_slice") @implementation
public func streams_value_slice(
  _ value: UnsafePointer<streams_value>!, _ offset: Int, _ length: Int,
  _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  Call("streams_value_slice").fill(out, from: value) { value throws(BadValue) in
    try Value.slicing(value, offset, length)
  }
}

@_cdecl("streams_value_c_string") @implementation
public func streams_value_c_string(
  _ value: UnsafePointer<streams_value>!, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  Call("streams_value_c_string").fill(out, from: value) { value throws(BadValue) in
    try Value.adopting(value).terminated()
  }
}

@_cdecl("streams_value_int64s_nocopy") @implementation
public func streams_value_int64s_nocopy(
  _ integers: UnsafePointer<Int64>!, _ count: Int, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let owner = ForeignMemory(context, destroy)
  return Call("streams_value_int64s_nocopy").keep(
    STREAMS_VALUE_INT64S, integers, count, "integers", owner, out)
}

@_cdecl("streams_value_doubles_nocopy") @implementation
public func streams_value_doubles_nocopy(
  _ reals: UnsafePointer<Double>!, _ count: Int, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let owner = ForeignMemory(context, destroy)
  return Call("streams_value_doubles_nocopy").keep(
    STREAMS_VALUE_DOUBLES, reals, count, "reals", owner, out)
}

@_cdecl("streams_value_list") @implementation
public func streams_value_list(
  _ values: UnsafePointer<streams_value>!, _ count: Int, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  Call("streams_value_list").make(values.map { UnsafeRawPointer($0) }, count, "values", out) { _ in
    streams_list(values, count)
  }
}

@_cdecl("streams_value_object") @implementation
public func streams_value_object(
  _ type: UnsafePointer<streams_object_type>!, _ object: UnsafeMutableRawPointer!,
  _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_value_object")
  guard let out else { return call.fail(STREAMS_NULL_ARGUMENT, "out is NULL") }
  out.initialize(to: streams_value())
  guard let type else { return call.fail(STREAMS_NULL_ARGUMENT, "type is NULL") }
  guard type.pointee.size == MemoryLayout<streams_object_type>.size else {
    return call.fail(STREAMS_INVALID_SIZE, "type has the unknown size \(type.pointee.size)")
  }
  out.store(Value(TypedObject(type: type, pointer: object)))
  return STREAMS_OK
}

@_cdecl("streams_value_object_type") @implementation
public func streams_value_object_type(
  _ value: UnsafePointer<streams_value>!
) -> UnsafePointer<streams_object_type>! {
  guard let value, value.pointee.kind == STREAMS_VALUE_OBJECT.rawValue else { return nil }
  return (value.asValue.pointee.owner as? TypedObject)?.type
}

extension Call {
  /// Stores an owned copy of a borrowed value of this memory in `out`, or null.
  fileprivate func make(
    _ memory: UnsafeRawPointer?, _ count: Int, _ argument: StaticString,
    _ out: UnsafeMutablePointer<streams_value>?, _ borrowed: (UnsafeRawBufferPointer) -> streams_value
  ) -> streams_status {
    guard let out else { return fail(STREAMS_NULL_ARGUMENT, "out is NULL") }
    out.initialize(to: streams_value())
    guard isPlausible(count, memory != nil, argument) else { return streams_last_status() }
    var value = borrowed(UnsafeRawBufferPointer(start: memory, count: memory == nil ? 0 : count))
    return store(adopt(&value, argument), out)
  }

  /// Stores a value of this memory, which its owner releases, in `out`, or null.
  fileprivate func keep(
    _ kind: streams_value_kind, _ memory: UnsafeRawPointer?, _ length: Int, _ argument: StaticString,
    _ owner: ForeignMemory, _ out: UnsafeMutablePointer<streams_value>?
  ) -> streams_status {
    guard let out else { return fail(STREAMS_NULL_ARGUMENT, "out is NULL") }
    out.initialize(to: streams_value())
    guard isPlausible(length, memory != nil, argument) else { return streams_last_status() }
    let address = UInt64(UInt(bitPattern: memory))
    let size = memory == nil ? 0 : length
    if kind == STREAMS_VALUE_STRING, !UTF8Check.isValid(UnsafeRawBufferPointer(start: memory, count: size)) {
      return fail(STREAMS_INVALID_UTF8, "\(argument) is not well-formed UTF-8")
    }
    let value = Value(kind: kind.rawValue, size: UInt32(size), bits: address, owner: owner)
    if value.isArray, !Value.isAligned(address) {
      return fail(
        STREAMS_INVALID_ARGUMENT, "\(argument) is not a multiple of 8, as the addresses of numbers are")
    }
    out.store(value)
    return STREAMS_OK
  }

  /// Stores the value that is made of another in `out`, or null. The two must not be the same.
  fileprivate func fill(
    _ out: UnsafeMutablePointer<streams_value>?, from value: UnsafePointer<streams_value>?,
    _ make: (UnsafePointer<streams_value>) throws(BadValue) -> Value
  ) -> streams_status {
    guard let out else { return fail(STREAMS_NULL_ARGUMENT, "out is NULL") }
    guard UnsafePointer(out) != value else {
      return fail(STREAMS_INVALID_ARGUMENT, "value and out are the same")
    }
    out.initialize(to: streams_value())
    guard let value else { return fail(STREAMS_NULL_ARGUMENT, "value is NULL") }
    do throws(BadValue) {
      out.store(try make(value))
      return STREAMS_OK
    } catch {
      return refuse(error, "value")
    }
  }

  /// Stores a value in `out`, or null, and returns the status of the failure that was already reported.
  fileprivate func store(_ value: Value?, _ out: UnsafeMutablePointer<streams_value>) -> streams_status {
    out.store(value ?? .null)
    return value == nil ? streams_last_status() : STREAMS_OK
  }
}
