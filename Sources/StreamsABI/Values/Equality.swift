import CStreams
import Glibc

extension Value {
  /// Whether two values are equal: kind, then content. Throws if user's code fails or lists are nested too deep.
  @inline(__always)
  func equals(_ other: Value) throws(StreamError) -> Bool {
    if kind == STREAMS_VALUE_INT64.rawValue, kind == other.kind { return integer == other.integer }
    return try equalsSlowly(other)
  }

  /// `equals` without the fast path for the most frequent kind.
  @inline(never)
  private func equalsSlowly(_ other: Value) throws(StreamError) -> Bool {
    var lists = ComparedLists()
    return try equals(other, depth: 0, &lists)
  }

  private func equals(
    _ other: Value, depth: Int, _ lists: inout ComparedLists
  ) throws(StreamError) -> Bool {
    guard kind == other.kind else { return false }
    switch streams_value_kind(rawValue: kind) {
    case STREAMS_VALUE_NULL: return true
    case STREAMS_VALUE_BOOL: return boolean == other.boolean
    case STREAMS_VALUE_INT64: return integer == other.integer
    case STREAMS_VALUE_DOUBLE: return real == other.real
    case STREAMS_VALUE_STRING, STREAMS_VALUE_BYTES:
      guard size == other.size else { return false }
      return size == 0 || memcmp(memory.baseAddress!, other.memory.baseAddress!, Int(size)) == 0
    case STREAMS_VALUE_INT64S: return integers.elementsEqual(other.integers)
    case STREAMS_VALUE_DOUBLES: return reals.elementsEqual(other.reals)
    case STREAMS_VALUE_LIST: return try listEquals(other, depth: depth + 1, &lists)
    default:
      guard let object, let otherObject = other.object else { return false }
      return try object.equals(otherObject)
    }
  }

  private func listEquals(
    _ other: Value, depth: Int, _ lists: inout ComparedLists
  ) throws(StreamError) -> Bool {
    guard depth <= maximumDepth else {
      throw StreamError(status: STREAMS_LIMIT, "lists are nested more than \(maximumDepth) deep")
    }
    guard size == other.size else { return false }
    if lists.areKnownToBeEqual(items, other.items) { return true }
    for index in 0..<Int(size) {
      guard try items[index].equals(other.items[index], depth: depth, &lists) else { return false }
    }
    lists.areEqual(items, other.items)
    return true
  }
}

/// The lists that one comparison has found equal.
///
/// Lists may share their items; without this, comparing two small values of that kind could take forever. Ordinary values have
/// few lists, for which nothing is stored.
struct ComparedLists {
  /// A slice of a list may begin at the list's address, so the count is compared too.
  private struct Pair: Hashable {
    let first, second: UnsafePointer<Value>?
    let count: Int

    init(_ first: Items, _ second: Items) {
      (self.first, self.second, count) = (first.baseAddress, second.baseAddress, first.count)
    }
  }

  private static let few = 256
  private var count = 0
  private var equal: Set<Pair> = []

  typealias Items = UnsafeBufferPointer<Value>

  func areKnownToBeEqual(_ first: Items, _ second: Items) -> Bool {
    count >= Self.few && equal.contains(Pair(first, second))
  }

  mutating func areEqual(_ first: Items, _ second: Items) {
    count += 1
    if count >= Self.few { equal.insert(Pair(first, second)) }
  }
}
