import CStreams
import Glibc

/// The counted memory of strings, bytes and lists, in one allocation with its header.
enum Storage {
  static func bytes(_ source: UnsafeRawBufferPointer) -> ByteStorage {
    let storage = unsafeDowncast(
      ByteStorage.create(minimumCapacity: max(source.count, 1)) { _ in () }, to: ByteStorage.self)
    storage.withUnsafeMutablePointerToElements { elements in
      if let base = source.baseAddress { memcpy(elements, base, source.count) }
    }
    return storage
  }

  static func list(_ items: [Value]) -> ListStorage {
    let shape = ListShape(count: items.count, depth: 1 + (items.lazy.map(\.depth).max() ?? 0))
    let storage = unsafeDowncast(
      ListStorage.create(minimumCapacity: max(items.count, 1)) { _ in shape }, to: ListStorage.self)
    storage.withUnsafeMutablePointerToElements { elements in
      for (index, item) in items.enumerated() { (elements + index).initialize(to: item) }
    }
    return storage
  }

  /// Whether there is memory for a copy of this size. Allocation in Swift traps instead of failing, so what could
  /// be too large is tried first.
  static func canHold(_ size: Int) -> Bool {
    guard size >= 1 << 20 else { return true }
    guard let probe = malloc(size + 64) else { return false }
    free(probe)
    return true
  }
}

final class ByteStorage: ManagedBuffer<Void, UInt8> {
  var address: UInt64 { withUnsafeMutablePointerToElements { UInt64(UInt(bitPattern: $0)) } }
}

/// How many items a list has, and how many lists are nested in each other, itself included. The depth is bounded, for
/// letting go of a list lets go of the lists in it, one call in the other.
struct ListShape {
  var count: Int
  var depth: Int
}

final class ListStorage: ManagedBuffer<ListShape, Value> {
  var address: UInt64 { withUnsafeMutablePointerToElements { UInt64(UInt(bitPattern: $0)) } }

  deinit {
    _ = withUnsafeMutablePointers { $1.deinitialize(count: $0.pointee.count) }
  }
}
