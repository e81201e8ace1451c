import CStreams
import StreamsShims

/// Why a value from C is invalid.
struct BadValue: Error {
  let status: streams_status
  let message: String

  static let outOfMemory = BadValue(status: STREAMS_OUT_OF_MEMORY, message: "does not fit into memory")
}

/// The greatest depth of nested lists.
let maximumDepth = 64

/// The greatest number of a value kind.
let lastKind = STREAMS_VALUE_DOUBLES.rawValue

extension Value {
  /// A C value as one that owns its storage: a borrowed one is copied, an owned one retained.
  static func adopting(_ value: UnsafePointer<streams_value>) throws(BadValue) -> Value {
    try adopting(value.asValue, depth: 0)
  }

  /// True if a C value can be used as it is, without a copy.
  @inline(__always)
  static func isReady(_ value: UnsafePointer<Value>) -> Bool {
    if _fastPath(streams_is_plain(0, value, 0)) { return true }
    let kind = value.pointee.kind
    let isOwned = UnsafeRawPointer(value).load(fromByteOffset: 16, as: UInt.self) != 0
    return kind <= STREAMS_VALUE_DOUBLE.rawValue ? !isOwned : isOwned && kind <= lastKind
  }

  private static func adopting(_ value: UnsafePointer<Value>, depth: Int) throws(BadValue) -> Value {
    if isReady(value) { return value.pointee }
    // Read field by field: the owner of a malformed value must not be retained.
    let kind = value.pointee.kind
    let size = value.pointee.size
    let bits = value.pointee.bits
    switch streams_value_kind(rawValue: kind) {
    case STREAMS_VALUE_STRING:
      let memory = try memory(bits, Int(size))
      try checkUTF8(memory)
      return try Value(STREAMS_VALUE_STRING, copying: memory)
    case STREAMS_VALUE_BYTES:
      return try Value(STREAMS_VALUE_BYTES, copying: memory(bits, Int(size)))
    case STREAMS_VALUE_LIST:
      return Value(try items(bits, size, depth: depth + 1))
    case STREAMS_VALUE_INT64S, STREAMS_VALUE_DOUBLES:
      guard let storage = ByteStorage.copy(try memory(bits, 8 * Int(size))) else { throw .outOfMemory }
      return Value(kind: kind, size: size, bits: storage.address, owner: storage)
    case STREAMS_VALUE_OBJECT:
      throw BadValue(status: STREAMS_INVALID_VALUE, message: "is an object that was not made by the library")
    case _ where kind <= STREAMS_VALUE_DOUBLE.rawValue:
      throw BadValue(status: STREAMS_INVALID_VALUE, message: "is a number or null and has an owner")
    default:
      throw BadValue(status: STREAMS_INVALID_VALUE, message: "has the kind \(kind), which no value has")
    }
  }

  private static func memory(_ bits: UInt64, _ size: Int) throws(BadValue) -> UnsafeRawBufferPointer {
    let pointer = UnsafeRawPointer(bitPattern: UInt(bits))
    if pointer == nil && size > 0 {
      throw BadValue(status: STREAMS_INVALID_VALUE, message: "has a size and points to NULL")
    }
    return UnsafeRawBufferPointer(start: pointer, count: pointer == nil ? 0 : size)
  }

  private static var tooDeep: BadValue {
    BadValue(status: STREAMS_LIMIT, message: "is nested more than \(maximumDepth) lists deep")
  }

  private static func items(_ bits: UInt64, _ size: UInt32, depth: Int) throws(BadValue) -> ListStorage {
    guard depth <= maximumDepth else { throw tooDeep }
    let base = UnsafePointer<Value>(bitPattern: UInt(bits))
    if base == nil && size > 0 {
      throw BadValue(status: STREAMS_INVALID_VALUE, message: "has a size and points to NULL")
    }
    guard let items = ListStorage.with(capacity: Int(size)) else { throw .outOfMemory }
    for index in 0..<Int(size) {
      let item = try adopting(base! + index, depth: depth)
      guard depth + (item.shape?.depth ?? 0) <= maximumDepth else { throw tooDeep }
      items.append(item)
    }
    return items
  }

  static func checkUTF8(_ memory: UnsafeRawBufferPointer) throws(BadValue) {
    guard UTF8Check.isValid(memory) else {
      throw BadValue(status: STREAMS_INVALID_UTF8, message: "is not well-formed UTF-8")
    }
  }

  /// Adopted C values. The error names the first invalid one.
  static func adopting(
    _ values: UnsafePointer<streams_value>?, count: Int
  ) throws(BadValue) -> ListStorage {
    guard let adopted = ListStorage.with(capacity: count) else { throw .outOfMemory }
    for index in 0..<count {
      do {
        adopted.append(try adopting(values! + index))
      } catch {
        if error.status == STREAMS_OUT_OF_MEMORY { throw error }
        throw BadValue(status: error.status, message: "has, at index \(index), a value that \(error.message)")
      }
    }
    return adopted
  }
}

enum UTF8Check {
  static func isValid(_ memory: UnsafeRawBufferPointer) -> Bool {
    (try? UTF8Span(validating: memory.assumingMemoryBound(to: UInt8.self).span)) != nil
  }
}
