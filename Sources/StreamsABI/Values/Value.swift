import CStreams

/// A value as it flows through a stream: the same 24 bytes as C's `streams_value`.
///
/// The owner is a counted reference here and an opaque pointer in C, so that a value can be passed between the two by its
/// address. A value in a stream always owns its storage; only a value that has just been passed in may be borrowed.
struct Value {
  /// The kind and, in the upper half, the size. One word: reading a word right after writing its halves would stall.
  private var header: UInt64
  var bits: UInt64
  var owner: AnyObject?

  static var null: Value { Value(kind: STREAMS_VALUE_NULL.rawValue, size: 0, bits: 0, owner: nil) }

  @inline(__always)
  init(kind: UInt32, size: UInt32, bits: UInt64, owner: AnyObject?) {
    header = UInt64(size) << 32 | UInt64(kind)
    self.bits = bits
    self.owner = owner
  }

  @inline(__always)
  var kind: UInt32 { UInt32(truncatingIfNeeded: header) }

  @inline(__always)
  var size: UInt32 { UInt32(truncatingIfNeeded: header >> 32) }

  @inline(__always)
  init(_ integer: Int64) {
    self.init(
      kind: STREAMS_VALUE_INT64.rawValue, size: 0, bits: UInt64(bitPattern: integer), owner: nil)
  }

  @inline(__always)
  init(_ real: Double) {
    self.init(kind: STREAMS_VALUE_DOUBLE.rawValue, size: 0, bits: real.bitPattern, owner: nil)
  }

  init(_ boolean: Bool) {
    self.init(kind: STREAMS_VALUE_BOOL.rawValue, size: 0, bits: boolean ? 1 : 0, owner: nil)
  }

  /// A copy of text or bytes, according to `kind`.
  init(_ kind: streams_value_kind, copying memory: UnsafeRawBufferPointer) throws(BadValue) {
    guard let storage = ByteStorage.copy(memory) else { throw .outOfMemory }
    self.init(kind: kind.rawValue, size: UInt32(memory.count), bits: storage.address, owner: storage)
  }

  /// A list whose depth is known to be within the limit.
  init(_ list: ListStorage) {
    self.init(
      kind: STREAMS_VALUE_LIST.rawValue, size: UInt32(list.shape.count), bits: list.address, owner: list)
  }

  /// A list of values that came from a stream. Throws if it would be nested too deep.
  static func list(_ items: [Value]) throws(StreamError) -> Value {
    try list(items.count) { items[$0] }.get()
  }

  /// A list of values that come from streams. It fails if it would be nested too deep.
  @inline(__always)
  static func list(_ count: Int, _ item: (Int) -> Value) -> Result<Value, StreamError> {
    guard count <= Int(UInt32.max), let list = ListStorage.with(capacity: count) else {
      for index in 0..<count { _ = item(index) }
      return .failure(.noMemoryForList)
    }
    list.fill(count, item)
    return Value.of(list)
  }

  /// The list as a value, unless it is nested too deep.
  @inline(__always)
  static func of(_ list: ListStorage) -> Result<Value, StreamError> {
    if list.shape.depth <= maximumDepth { return .success(Value(list)) }
    return .failure(
      StreamError(status: STREAMS_LIMIT, "lists are nested more than \(maximumDepth) deep"))
  }

  /// A list of two values that come from streams.
  static func pair(_ first: Value, _ second: Value) -> Result<Value, StreamError> {
    list(2) { $0 == 0 ? first : second }
  }

  init(_ object: ForeignObject) {
    self.init(
      kind: STREAMS_VALUE_OBJECT.rawValue, size: 0, bits: UInt64(UInt(bitPattern: object.pointer)),
      owner: object)
  }

  var boolean: Bool { bits & 0xff != 0 }
  var integer: Int64 { Int64(bitPattern: bits) }
  var real: Double { Double(bitPattern: bits) }

  /// The memory of a string or of bytes.
  var memory: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: UInt(bits)), count: Int(size))
  }

  /// The items of a list.
  var items: UnsafeBufferPointer<Value> {
    UnsafeBufferPointer(start: UnsafePointer(bitPattern: UInt(bits)), count: Int(size))
  }

  /// The shape of a list.
  @inline(__always)
  var shape: ListShape? {
    guard kind == STREAMS_VALUE_LIST.rawValue, let owner else { return nil }
    return unsafeDowncast(owner, to: ListStorage.self).shape
  }

  var object: ForeignObject? { owner as? ForeignObject }
}

// MARK: - Conversion between the two types

extension UnsafePointer where Pointee == streams_value {
  @inline(__always)
  var asValue: UnsafePointer<Value> { UnsafeRawPointer(self).assumingMemoryBound(to: Value.self) }
}

extension UnsafePointer where Pointee == Value {
  @inline(__always)
  var asC: UnsafePointer<streams_value> {
    UnsafeRawPointer(self).assumingMemoryBound(to: streams_value.self)
  }
}

extension UnsafeMutablePointer where Pointee == Value {
  @inline(__always)
  var asC: UnsafeMutablePointer<streams_value> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: streams_value.self)
  }
}

extension UnsafeMutablePointer where Pointee == streams_value {
  /// Overwrites a place in C's memory, whatever it contains, with a value that C then owns.
  func store(_ value: consuming Value) {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: Value.self).initialize(to: value)
  }

  /// Takes ownership of the value in C's memory, which is null afterwards.
  func take() -> Value {
    let value = UnsafeMutableRawPointer(self).assumingMemoryBound(to: Value.self).move()
    initialize(to: streams_value())
    return value
  }
}

extension StreamError {
  static var noMemoryForList: StreamError {
    StreamError(status: STREAMS_OUT_OF_MEMORY, "a list \(BadValue.outOfMemory.message)")
  }
}
