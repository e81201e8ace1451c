import CStreams

/// Why a value cannot become a host object.
enum ConversionFailure: Error {
  /// An object that is not this host's.
  case foreign
  /// A list whose nested lists have too many items.
  case tooLarge
  /// The host has raised an error, which is pending.
  case raised

  /// The status that a call returns for it.
  var status: streams_status {
    switch self {
    case .foreign: STREAMS_INVALID_VALUE
    case .tooLarge: STREAMS_LIMIT
    case .raised: STREAMS_CALLBACK_FAILED
    }
  }
}

extension Host {
  /// A host object for a value: the one that it holds, or a new one. Always a new reference. Must be called with the lock held.
  @inline(__always)
  func object(_ value: UnsafePointer<Value>) throws(ConversionFailure) -> UnsafeMutableRawPointer {
    switch streams_value_kind(rawValue: value.pointee.kind) {
    case STREAMS_VALUE_OBJECT:
      guard let object = ownObject(value) else { return try newObject(of: value.pointee.object) }
      retain(object)
      return object
    case STREAMS_VALUE_INT64:
      guard let number = table.from_int64(value.pointee.integer) else { throw .raised }
      return number
    default: return try newObject(value.pointee)
    }
  }

  /// The object that a value holds, borrowed, if it is this host's.
  @inline(__always)
  func ownObject(_ value: UnsafePointer<Value>) -> UnsafeMutableRawPointer? {
    guard value.asC.pointee.kind == STREAMS_VALUE_OBJECT.rawValue, let owner = value.asC.pointee.owner
    else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(owner)._withUnsafeGuaranteedRef { owner in
      guard ObjectIdentifier(type(of: owner)) == boxType else { return nil }
      let box = unsafeDowncast(owner, to: HostObject.self)
      return box.host === self ? box.pointer : nil
    }
  }

  /// A host object for a publisher that is carried as a value.
  private func newObject(of object: ForeignObject?) throws(ConversionFailure) -> UnsafeMutableRawPointer {
    guard let make = table.from_publisher, let stream = object as? StreamObject else { throw .foreign }
    guard let handle = Call("streams_host_object").handle(stream.publisher, Kind.publisher) else {
      throw .tooLarge
    }
    do throws(ConversionFailure) {
      return try newObject(of: handle, stream.key, make)
    } catch {
      streams_release(UnsafeRawPointer(handle))
      throw error
    }
  }

  private func newObject(
    of handle: OpaquePointer, _ key: Value?, _ make: UnsafeMutableRawPointer
  ) throws(ConversionFailure) -> UnsafeMutableRawPointer {
    guard let number = number(of: handle) else { throw .raised }
    defer { release(number) }
    let made: UnsafeMutableRawPointer?
    if let key {
      let object = try withUnsafePointer(to: key) { pointer throws(ConversionFailure) in
        try self.object(pointer)
      }
      defer { release(object) }
      made = call(make, number, object)
    } else {
      made = call(make, number)
    }
    guard let made else { throw .raised }
    return made
  }

  private func newObject(_ value: Value) throws(ConversionFailure) -> UnsafeMutableRawPointer {
    let made: UnsafeMutableRawPointer?
    switch streams_value_kind(rawValue: value.kind) {
    case STREAMS_VALUE_NULL:
      table.retain(table.null_object)
      made = table.null_object
    case STREAMS_VALUE_BOOL: made = table.from_bool(value.boolean ? 1 : 0)
    case STREAMS_VALUE_INT64: made = table.from_int64(value.integer)
    case STREAMS_VALUE_DOUBLE: made = table.from_double(value.real)
    case STREAMS_VALUE_STRING:
      made = table.from_text(
        value.memory.bindMemory(to: CChar.self).baseAddress, value.memory.count)
    case STREAMS_VALUE_BYTES:
      made = table.from_bytes(value.memory.bindMemory(to: CChar.self).baseAddress, value.memory.count)
    case STREAMS_VALUE_INT64S, STREAMS_VALUE_DOUBLES:
      var numbers = value.numbers.makeIterator()
      return try list(Int(value.size)) { _ throws(ConversionFailure) in try newObject(numbers.next()!) }
    default:
      guard value.shape?.nested ?? 0 <= Self.nestedItems else { throw .tooLarge }
      return try list(value.items)
    }
    guard let made else { throw .raised }
    return made
  }

  /// The greatest number of items in nested lists that become host objects.
  private static let nestedItems = 1 << 26

  /// A new host list of values. Must be called with the lock held.
  func list(_ values: UnsafeBufferPointer<Value>) throws(ConversionFailure) -> UnsafeMutableRawPointer {
    try list(values.count) { index throws(ConversionFailure) in try object(values.baseAddress! + index) }
  }

  @inline(__always)
  private func list(
    _ count: Int, _ item: (Int) throws(ConversionFailure) -> UnsafeMutableRawPointer
  ) throws(ConversionFailure) -> UnsafeMutableRawPointer {
    guard let list = table.list_create(count) else { throw .raised }
    for index in 0..<count {
      do throws(ConversionFailure) {
        guard table.list_set(list, index, try item(index)) == 0 else { throw ConversionFailure.raised }
      } catch {
        release(list)
        throw error
      }
    }
    return list
  }

  /// The error of a stream after a failed conversion. Must be called with the lock held.
  func error(_ failure: ConversionFailure) -> StreamError {
    switch failure {
    case .raised: takeError()
    case .foreign:
      StreamError(status: STREAMS_INVALID_VALUE, "the value is an object that does not belong to \(name)")
    case .tooLarge:
      StreamError(
        status: STREAMS_LIMIT, "the value has more than \(Self.nestedItems) items in nested lists")
    }
  }
}
