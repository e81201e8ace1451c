import Synchronization

/// A subject's conduits in the order in which they subscribed: a block of memory that holds references.
///
/// The gate's owner reads the list while other threads append to it under the subject's lock. Emptying or moving a
/// place needs both the lock and the gate, with no delivery under way.
@frozen
@usableFromInline
struct ConduitList {
  /// A word that counts the places in use, a word for the capacity, then the places.
  @usableFromInline let memory: UnsafeMutableRawPointer

  @inlinable @inline(__always)
  init(memory: UnsafeMutableRawPointer) { self.memory = memory }

  init(capacity: Int) {
    memory = .allocate(byteCount: (2 + capacity) * Self.stride, alignment: Self.stride)
    memory.initializeMemory(as: Atomic<Int>.self, to: Atomic(0))
    (memory + Self.stride).initializeMemory(as: Int.self, to: capacity)
    places.initialize(repeating: nil, count: capacity)
  }

  /// Frees the memory without releasing the conduits.
  func deallocate() { memory.deallocate() }

  @inlinable @inline(__always)
  static var stride: Int { MemoryLayout<Int>.stride }

  @inlinable @inline(__always)
  var published: UnsafeMutablePointer<Atomic<Int>> { memory.assumingMemoryBound(to: Atomic<Int>.self) }

  @inlinable @inline(__always)
  var places: UnsafeMutablePointer<Unmanaged<Conduit>?> {
    (memory + 2 * Self.stride).assumingMemoryBound(to: Unmanaged<Conduit>?.self)
  }

  /// The number of places in use, empty ones among them.
  @inlinable @inline(__always)
  var count: Int { published.pointee.load(ordering: .acquiring) }

  var capacity: Int { (memory + Self.stride).assumingMemoryBound(to: Int.self).pointee }

  /// Appends a reference if there is room. Under the lock.
  func append(_ reference: Unmanaged<Conduit>) -> Bool {
    let count = published.pointee.load(ordering: .relaxed)
    guard count < capacity else { return false }
    places[count] = reference
    reference._withUnsafeGuaranteedRef { $0.position.value = Int32(count) }
    published.pointee.store(count + 1, ordering: .releasing)
    return true
  }

  /// A list with the same references and room for as many again. Under the lock; this list is then out of date.
  func grown(by emptyCount: Int) -> ConduitList {
    let list = ConduitList(capacity: max(4, (count - emptyCount) * 2))
    forEach { _ = list.append($0) }
    return list
  }

  /// Empties a place and returns what was there. Under the lock and the gate.
  func empty(_ position: Int) -> Unmanaged<Conduit>? {
    defer { places[position] = nil }
    return places[position]
  }

  /// Closes the gaps. Under the lock and the gate.
  func compact() {
    let old = count
    published.pointee.store(0, ordering: .relaxed)
    for index in 0..<old {
      guard let reference = empty(index) else { continue }
      _ = append(reference)
    }
  }

  /// Calls `body` with each reference that was in the list when the call began.
  @inlinable @inline(__always)
  func forEach(_ body: (Unmanaged<Conduit>) -> Void) {
    var place = places
    let end = place + count
    while place != end {
      if let reference = place.pointee { body(reference) }
      place += 1
    }
  }
}
