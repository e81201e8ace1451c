import CStreams

/// The memory of a host's object, which the object keeps in place.
final class HostMemory {
  let host: Host
  private var buffer: streams_host_buffer

  /// Takes ownership of the memory. Must be called with the lock held.
  fileprivate init(_ host: Host, _ buffer: streams_host_buffer) {
    self.host = host
    self.buffer = buffer
  }

  deinit {
    UserCallback.releasing {
      _ = host.entered { host.calling { host.table.release_buffer!(&buffer) } }
    }
  }

  /// The object, as a new reference, or the part of it that begins at an address; nil if it cannot have parts. Must be called
  /// with the lock held.
  fileprivate func object(_ address: UInt64, _ count: Int) -> UnsafeMutableRawPointer?? {
    guard let object = buffer.object else { return nil }
    let offset = Int(address - UInt64(UInt(bitPattern: buffer.memory))) / 8
    if offset == 0, count == buffer.length / 8 {
      host.retain(object)
      return object
    }
    guard let part = host.table.part else { return nil }
    return .some(host.calling { part(object, offset, offset + count) })
  }
}

extension Host {
  /// An array in the memory of an object; nil, with no error pending, if its numbers are not contiguous. Must be called with the
  /// lock held.
  func numbers(of object: UnsafeMutableRawPointer) -> Value? {
    guard let fill = table.buffer, let release = table.release_buffer else { return nil }
    var buffer = streams_host_buffer()
    guard calling({ fill(object, &buffer, STREAMS_HOST_NUMBERS) }) == 0 else {
      _ = takePendingError()
      return nil
    }
    let address = UInt64(UInt(bitPattern: buffer.memory))
    guard buffer.dimensions == 1, buffer.item_size == 8, Value.isAligned(address),
      let kind = kind(ofFormat: buffer.format), buffer.length / 8 <= Int(UInt32.max)
    else {
      calling { release(&buffer) }
      return nil
    }
    return Value(
      kind: kind.rawValue, size: UInt32(buffer.length / 8), bits: address, owner: HostMemory(self, buffer))
  }

  private func kind(ofFormat format: UnsafePointer<CChar>?) -> streams_value_kind? {
    guard var format else { return nil }
    if "@=<".utf8.contains(UInt8(bitPattern: format.pointee)) { format += 1 }
    guard format.pointee != 0, format[1] == 0 else { return nil }
    switch UnicodeScalar(UInt8(bitPattern: format.pointee)) {
    case "q", "l": return STREAMS_VALUE_INT64S
    case "d": return STREAMS_VALUE_DOUBLES
    default: return nil
    }
  }

  /// The object whose memory an array is in, or the array's part of it, as a new reference; nil if the object is not this host's.
  /// Must be called with the lock held.
  func ownMemory(_ array: Value) throws(ConversionFailure) -> UnsafeMutableRawPointer? {
    guard let memory = array.owner as? HostMemory, memory.host === self,
      let object = memory.object(array.bits, Int(array.size))
    else { return nil }
    guard let object else { throw .raised }
    return object
  }

  /// An array as an object: the one whose memory it is in, or else a bytes object. A new reference. Needs the lock.
  func packed(_ array: Value) throws(ConversionFailure) -> UnsafeMutableRawPointer {
    if let own = try ownMemory(array) { return own }
    let numbers = UnsafeRawBufferPointer(array.integers)
    guard let bytes = table.from_bytes(numbers.bindMemory(to: CChar.self).baseAddress, numbers.count) else {
      throw .raised
    }
    return bytes
  }

  /// The result of a batch function, as an array or a list; nil with an error pending. Releases the object. Must be called with
  /// the lock held.
  func batch(releasing object: UnsafeMutableRawPointer) -> Result<Value, StreamError>? {
    defer { release(object) }
    if let numbers = numbers(of: object) { return .success(numbers) }
    guard let iterator = calling({ table.iterate(object) }) else { return nil }
    defer { release(iterator) }
    var items: [Value] = []
    while let item = next(iterator) { items.append(value(taking: item)) }
    if let error = takePendingError() { return .failure(error) }
    return Value.list(items.count) { items[$0] }
  }
}
