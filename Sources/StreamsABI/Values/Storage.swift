import CStreams
import Glibc
import StreamsShims

/// Memory whose size a caller decides. Its allocation may fail with an error: Swift's own allocation ends the process.
enum Storage {
  /// Storage up to this size is allocated together with its header.
  private static let largestInline = 960
  /// The size of an object's reference count and type.
  private static let objectHeader = 16

  /// Makes storage of `size` bytes after a `header`, or returns nil if there is no memory for it.
  ///
  /// It ensures that there is memory for the object before the runtime allocates it.
  fileprivate static func allocate<Header, Owner>(
    _ size: Int, behind header: Header.Type,
    _ make: (_ inline: Int, _ apart: UnsafeMutableRawPointer?) -> Owner
  ) -> Owner? {
    let isInline = size <= largestInline
    let (inline, apart) = isInline ? (size, nil) : (0, malloc(size))
    guard isInline || apart != nil, streams_make_room(objectHeader + MemoryLayout<Header>.size + inline)
    else {
      free(apart)
      return nil
    }
    return make(inline, apart)
  }
}

/// The reference-counted memory of a string or of bytes.
final class ByteStorage: ManagedBuffer<UnsafeMutableRawPointer?, UInt8> {
  /// Storage of that many bytes; nil if there is no memory for it.
  static func with(size: Int) -> ByteStorage? {
    Storage.allocate(size, behind: UnsafeMutableRawPointer?.self) { inline, apart in
      unsafeDowncast(ByteStorage.create(minimumCapacity: inline) { _ in apart }, to: ByteStorage.self)
    }
  }

  /// A copy of `source`, with a terminating NUL if `terminated`; nil if there is no memory for it.
  static func copy(_ source: UnsafeRawBufferPointer, terminated: Bool = false) -> ByteStorage? {
    let storage = with(size: source.count + (terminated ? 1 : 0))
    if let storage, let base = source.baseAddress { memcpy(storage.start, base, source.count) }
    if let storage, terminated { storage.start.storeBytes(of: 0, toByteOffset: source.count, as: UInt8.self) }
    return storage
  }

  var start: UnsafeMutableRawPointer {
    withUnsafeMutablePointers { $0.pointee ?? UnsafeMutableRawPointer($1) }
  }

  var address: UInt64 { UInt64(UInt(bitPattern: start)) }

  deinit { free(withUnsafeMutablePointerToHeader { $0.pointee }) }
}

/// The number of a list's items so far, and the depth of its nesting, including itself. The depth is limited, because releasing a
/// list releases the lists in it recursively.
struct ListShape {
  var count = 0
  var depth = 1
  /// The number of items in all nested lists. Lists may share their items, so it can be any number; it is capped.
  var nested = 0
  fileprivate var apart: UnsafeMutableRawPointer?
}

extension ListShape {
  fileprivate mutating func add(_ inner: ListShape) {
    depth = max(depth, 1 + inner.depth)
    nested = min(nested + inner.count + inner.nested, Int.max / 4)
  }

  fileprivate mutating func add(itemsOf other: ListShape) {
    count += other.count
    depth = max(depth, other.depth)
    nested = min(nested + other.nested, Int.max / 4)
  }
}

/// The reference-counted memory of a list.
final class ListStorage: ManagedBuffer<ListShape, Value> {
  /// Storage for `capacity` items; nil if there is no memory for it.
  static func with(capacity: Int) -> ListStorage? {
    Storage.allocate(capacity * MemoryLayout<Value>.stride, behind: ListShape.self) { _, apart in
      let inline = apart == nil ? capacity : 0
      let list = ListStorage.create(minimumCapacity: inline) { _ in ListShape(apart: apart) }
      return unsafeDowncast(list, to: ListStorage.self)
    }
  }

  /// Not `header`, because each use of that is checked for exclusivity.
  @inline(__always)
  private(set) var shape: ListShape {
    get { withUnsafeMutablePointerToHeader { $0.pointee } }
    set { withUnsafeMutablePointerToHeader { $0.pointee = newValue } }
  }

  @inline(__always)
  private var start: UnsafeMutablePointer<Value> {
    withUnsafeMutablePointers { $0.pointee.apart?.assumingMemoryBound(to: Value.self) ?? $1 }
  }

  var address: UInt64 { UInt64(UInt(bitPattern: start)) }

  var items: UnsafeBufferPointer<Value> { UnsafeBufferPointer(start: start, count: shape.count) }

  /// Adds an item, for which there must be room.
  @inline(__always)
  func append(_ item: consuming Value) {
    if let inner = item.shape { shape.add(inner) }
    (start + shape.count).initialize(to: item)
    shape.count += 1
  }

  /// Adds a copy of an item at `next`, the place of the next one. There must be room. A number has no owner to retain.
  @inline(__always)
  func append(copyOf item: UnsafePointer<Value>, at next: UnsafeMutablePointer<Value>) {
    guard _fastPath(item.asC.pointee.owner == nil) else { return append(item.pointee) }
    streams_copy_plain(next, item)
    shape.count += 1
  }

  /// The place of the next item.
  var next: UnsafeMutablePointer<Value> { start + shape.count }

  /// Stores that many items in a list with room for them, which is empty or whose items have no owners. Returns whether these have
  /// none either.
  @inline(__always) @discardableResult
  func fill(_ count: Int, _ item: (Int) -> Value) -> Bool {
    let start = start
    var isPlain = true
    for index in 0..<count {
      let item = item(index)
      if item.owner != nil {
        isPlain = false
        if let inner = item.shape { shape.add(inner) }
      }
      (start + index).initialize(to: item)
    }
    shape.count = count
    return isPlain
  }

  /// Stores copies of values without owners, in a list that has as many of these already. Returns false at one that has an owner;
  /// those before it are stored.
  @inline(__always)
  func fill(copying items: UnsafeBufferPointer<Value>) -> Bool {
    let start = start
    for index in 0..<items.count {
      let item = items.baseAddress.unsafelyUnwrapped + index
      guard _fastPath(item.asC.pointee.owner == nil) else { return false }
      streams_copy_plain(start + index, item)
    }
    return true
  }

  /// The list as a value that keeps nothing alive.
  @inline(__always)
  var borrowed: streams_value {
    var value = streams_value()
    value.kind = STREAMS_VALUE_LIST.rawValue
    value.size = UInt32(truncatingIfNeeded: shape.count)
    value.as.bits = address
    value.owner = Unmanaged.passUnretained(self).toOpaque()
    return value
  }

  /// Moves the items of another list to this one, which must have room for them.
  func append(itemsOf other: ListStorage) {
    (start + shape.count).moveInitialize(from: other.start, count: other.shape.count)
    let apart = other.shape.apart
    shape.add(itemsOf: other.shape)
    other.shape = ListShape(apart: apart)
  }

  deinit {
    // Here the compiler knows the items' type, which the runtime would look up for each.
    let start = start
    for index in 0..<shape.count { (start + index).asC.destroyOwned() }
    if let apart = shape.apart { free(apart) }
  }
}

/// The items of a list, to be published.
struct StoredValues: Sequence {
  let list: ListStorage

  struct Iterator: IteratorProtocol {
    fileprivate let list: ListStorage
    fileprivate var index = 0

    @inline(__always)
    mutating func next() -> Value? {
      let items = list.items
      guard index < items.count else { return nil }
      defer { index += 1 }
      return items[index]
    }
  }

  func makeIterator() -> Iterator { Iterator(list: list) }
}

extension StoredValues: CustomStringConvertible {
  /// The description that an array of them has.
  var description: String { Value(list).description }
}
