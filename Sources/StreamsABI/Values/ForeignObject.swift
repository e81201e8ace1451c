import CStreams
import Streams

/// A pointer of the caller, carried as a value. Subclasses know how to count, compare and describe it.
class ForeignObject {
  /// Changes only in a box with a single reference.
  private let place: Cell<UnsafeMutableRawPointer?>

  init(pointer: UnsafeMutableRawPointer?) { place = Cell(pointer) }

  @inline(__always)
  final var pointer: UnsafeMutableRawPointer? {
    get { place.value }
    set { place.value = newValue }
  }

  /// Whether the two are equal. Throws if user's code fails.
  func equals(_ other: ForeignObject) throws(StreamError) -> Bool { pointer == other.pointer }

  /// A hash: equal objects have the same. Throws if user's code fails.
  func hashed() throws(StreamError) -> Int { 0 }

  /// Below 0 if it comes before another one, above 0 if after it; throws if the two have no order.
  func compared(to other: ForeignObject) throws(StreamError) -> Int {
    guard try equals(other) else { throw .withoutOrder }
    return 0
  }

  func describe() -> String { "object" }
}

/// An object that a `streams_object_type` describes.
final class TypedObject: ForeignObject {
  let type: UnsafePointer<streams_object_type>

  init(type: UnsafePointer<streams_object_type>, pointer: UnsafeMutableRawPointer?) {
    self.type = type
    super.init(pointer: pointer)
    UserCallback.run { type.pointee.retain?(pointer) }
  }

  deinit {
    guard let release = type.pointee.release else { return }
    // The release may release the next object.
    Trampoline.run((pointer, release)) { pointer, release in UserCallback.releasing { release(pointer) } }
  }

  override func equals(_ other: ForeignObject) throws(StreamError) -> Bool {
    guard let other = other as? TypedObject, other.type == type else { return false }
    guard let equals = type.pointee.equals else { return pointer == other.pointer }
    return UserCallback.run { equals(pointer, other.pointer) }
  }

  override func hashed() throws(StreamError) -> Int {
    type.pointee.equals == nil ? Int(bitPattern: pointer) : 0
  }

  override func describe() -> String {
    guard let describe = type.pointee.describe else { return super.describe() }
    var capacity = 128
    while true {
      let needed = withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) {
        buffer -> (length: Int, text: String?) in
        let length = UserCallback.run { describe(pointer, buffer.baseAddress, capacity) }
        guard length < capacity else { return (length, nil) }
        return (length, String(decoding: UnsafeRawBufferPointer(buffer).prefix(length), as: UTF8.self))
      }
      if let text = needed.text { return text }
      // A `describe` that keeps asking for more is not followed beyond this.
      guard needed.length < 1 << 24 else { return super.describe() }
      capacity = max(needed.length + 1, capacity * 2)
    }
  }
}
