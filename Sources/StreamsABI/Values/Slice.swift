import CStreams
import Glibc

/// A program's memory, as the owner of a value.
final class ForeignMemory {
  private let context: UnsafeMutableRawPointer?
  private let destroy: streams_destroy_fn?

  init(_ context: UnsafeMutableRawPointer?, _ destroy: streams_destroy_fn?) {
    self.context = context
    self.destroy = destroy
  }

  deinit {
    guard let destroy else { return }
    // The release may release the next object.
    Trampoline.run((context, destroy)) { context, destroy in UserCallback.releasing { destroy(context) } }
  }
}

extension Value {
  /// The size in bytes of an item of a string, of bytes, of a list or of an array.
  private var stride: Int? {
    switch streams_value_kind(rawValue: kind) {
    case STREAMS_VALUE_STRING, STREAMS_VALUE_BYTES: 1
    case STREAMS_VALUE_LIST: MemoryLayout<Value>.stride
    case STREAMS_VALUE_INT64S, STREAMS_VALUE_DOUBLES: 8
    default: nil
    }
  }

  /// A part of a string, of bytes, of a list or of an array. It shares the storage if the value owns any, and is copied
  /// otherwise.
  static func slicing(
    _ value: UnsafePointer<streams_value>, _ offset: Int, _ length: Int
  ) throws(BadValue) -> Value {
    let whole = value.asValue
    let kind = streams_value_kind(rawValue: whole.pointee.kind)
    guard let stride = whole.pointee.stride else {
      throw BadValue(status: STREAMS_INVALID_VALUE, message: "is not a string, bytes, a list or an array")
    }
    let size = Int(whole.pointee.size)
    guard offset >= 0, length >= 0, offset <= size, length <= size - offset else {
      throw BadValue(
        status: STREAMS_INVALID_ARGUMENT,
        message:
          "has the size \(size): nothing of \(UInt(bitPattern: length)) from \(UInt(bitPattern: offset)) on")
    }
    let bits = whole.pointee.bits == 0 ? 0 : whole.pointee.bits + UInt64(offset * stride)
    guard isReady(whole) else {
      var part = value.pointee
      (part.size, part.as.bits) = (UInt32(length), bits)
      return try adopting(&part)
    }
    if kind == STREAMS_VALUE_STRING { try checkEnds(of: whole.pointee.memory, offset, offset + length) }
    return Value(kind: kind.rawValue, size: UInt32(length), bits: bits, owner: whole.pointee.owner)
  }

  /// Throws if an end is within a character.
  private static func checkEnds(of text: UnsafeRawBufferPointer, _ ends: Int...) throws(BadValue) {
    for end in ends where end < text.count && text[end] & 0xc0 == 0x80 {
      throw BadValue(status: STREAMS_INVALID_UTF8, message: "has a character across index \(end)")
    }
  }

  /// A copy of a string with a terminating NUL, for C functions.
  func terminated() throws(BadValue) -> Value {
    guard kind == STREAMS_VALUE_STRING.rawValue else {
      throw BadValue(status: STREAMS_INVALID_VALUE, message: "is not a string")
    }
    guard !memory.contains(0) else {
      throw BadValue(
        status: STREAMS_INVALID_VALUE, message: "contains a NUL, where a string of C's would end")
    }
    guard let storage = ByteStorage.copy(memory, terminated: true) else { throw .outOfMemory }
    return Value(kind: kind, size: size, bits: storage.address, owner: storage)
  }
}
