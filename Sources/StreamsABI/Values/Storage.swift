import CStreams
import Glibc
import StreamsShims

/// Memory whose size a caller decides. It comes from where failure can be seen: Swift's own allocation ends the process.
enum Storage {
  /// What is at most this large is in one allocation with its header.
  private static let largestInline = 960
  /// The reference count and the type of an object.
  private static let objectHeader = 16

  /// Makes the storage of `size` bytes behind a `header`, or returns nil if there is no memory for it.
  ///
  /// The memory of the object is there before the runtime asks for it.
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

/// The counted memory of a string or of bytes.
final class ByteStorage: ManagedBuffer<UnsafeMutableRawPointer?, UInt8> {
  /// Room for so many bytes; nil if there is no memory for them.
  static func with(size: Int) -> ByteStorage? {
    Storage.allocate(size, behind: UnsafeMutableRawPointer?.self) { inline, apart in
      unsafeDowncast(ByteStorage.create(minimumCapacity: inline) { _ in apart }, to: ByteStorage.self)
    }
  }

  /// A copy of `source`, with a NUL behind it if it is to be terminated; nil if there is no memory for it.
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

/// How many items a list has so far, and how many lists are nested in each other, itself included. The depth is bounded,
/// for releasing a list releases the lists in it, one call in the other.
struct ListShape {
  var count = 0
  var depth = 1
  /// How many items the lists in it have, and those in them. Lists may share their items: it can be any number, and stays
  /// at the greatest.
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

/// The counted memory of a list.
final class ListStorage: ManagedBuffer<ListShape, Value> {
  /// Room for `capacity` items; nil if there is no memory for them.
  static func with(capacity: Int) -> ListStorage? {
    Storage.allocate(capacity * MemoryLayout<Value>.stride, behind: ListShape.self) { _, apart in
      let inline = apart == nil ? capacity : 0
      let list = ListStorage.create(minimumCapacity: inline) { _ in ListShape(apart: apart) }
      return unsafeDowncast(list, to: ListStorage.self)
    }
  }

  /// Not `header`, each use of which is checked for being exclusive.
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

  /// The same for an item that somebody else has, if it is known where the next one belongs. A number has no owner.
  @inline(__always)
  func append(copyOf item: UnsafePointer<Value>, at next: UnsafeMutablePointer<Value>) {
    guard _fastPath(item.asC.pointee.owner == nil) else { return append(item.pointee) }
    streams_copy_plain(next, item)
    shape.count += 1
  }

  /// Where the next item belongs.
  var next: UnsafeMutablePointer<Value> { start + shape.count }

  /// Adds so many items to a list that has none, and has room for them.
  @inline(__always)
  func fill(_ count: Int, _ item: (Int) -> Value) {
    let start = start
    for index in 0..<count {
      let item = item(index)
      if let inner = item.shape { shape.add(inner) }
      (start + index).initialize(to: item)
    }
    shape.count = count
  }

  /// Takes over the items of another list, for which there must be room.
  func append(itemsOf other: ListStorage) {
    (start + shape.count).moveInitialize(from: other.start, count: other.shape.count)
    let apart = other.shape.apart
    shape.add(itemsOf: other.shape)
    other.shape = ListShape(apart: apart)
  }

  deinit {
    // Here the compiler knows what the items are; the runtime would look it up for each.
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
  /// As an array of them describes itself.
  var description: String { Value(list).description }
}
