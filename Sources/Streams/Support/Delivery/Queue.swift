/// A first-in, first-out queue that keeps its memory: in steady state it allocates nothing.
@frozen
@usableFromInline
package struct Queue<Element> {
  /// A ring. Its size is a power of two, or zero.
  @usableFromInline var ring: ContiguousArray<Element?> = []
  @usableFromInline var head = 0
  @usableFromInline package private(set) var count = 0

  @inlinable @inline(__always)
  package init() {}

  @inlinable @inline(__always)
  package var isEmpty: Bool { count == 0 }

  /// How many elements it has memory for.
  var capacity: Int { ring.count }

  /// The element `offset` places after the first. There must be one.
  @inlinable @inline(__always)
  subscript(offset: Int) -> Element { ring[(head &+ offset) & (ring.count &- 1)].unsafelyUnwrapped }

  /// The element that was appended last. It can be replaced.
  @inlinable
  var last: Element? {
    get { isEmpty ? nil : self[count &- 1] }
    set { ring[(head &+ count &- 1) & (ring.count &- 1)] = newValue }
  }

  @inlinable @inline(__always)
  package mutating func append(_ element: Element) {
    if count == ring.count { grow() }
    ring[(head &+ count) & (ring.count &- 1)] = element
    count &+= 1
  }

  @inlinable @inline(__always)
  package mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let first = ring[head].take()
    head = (head &+ 1) & (ring.count &- 1)
    count &-= 1
    return first
  }

  /// Takes the elements out, in order, and frees the memory.
  @usableFromInline
  package mutating func removeAll() -> [Element] {
    let elements = (0..<count).compactMap { ring[(head + $0) & (ring.count - 1)] }
    self = Queue()
    return elements
  }

  @usableFromInline @inline(never)
  mutating func grow() {
    var larger = ContiguousArray<Element?>(repeating: nil, count: Swift.max(4, ring.count * 2))
    for index in 0..<count {
      larger[index] = ring[(head + index) & (ring.count - 1)].take()
    }
    ring = larger
    head = 0
  }
}
