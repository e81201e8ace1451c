import CStreams
import Streams

/// Gathers values in a list, which grows as they come, because there may be fewer than its limit.
struct ListGatherer: Gatherer {
  private let limit: Int
  private var capacity = 0
  private var list: ListStorage?
  /// The place of the next item.
  private var next: UnsafeMutablePointer<Value>?
  /// Whether there was no memory for a value.
  private var isExhausted = false

  init(limit: Int) { self.limit = limit }

  var isEmpty: Bool { list == nil && !isExhausted }

  var elements: [Value] { list.map { Array($0.items) } ?? [] }

  @inline(__always)
  mutating func append(_ value: UnsafePointer<Value>) -> Bool {
    if capacity == count, !grow() { return true }
    // The list stays alive here, so its reference need not be counted.
    let count = Unmanaged.passUnretained(list.unsafelyUnwrapped)._withUnsafeGuaranteedRef { list in
      list.append(copyOf: value, at: next.unsafelyUnwrapped)
      return list.shape.count
    }
    next = next.unsafelyUnwrapped + 1
    return count >= limit
  }

  private var count: Int {
    @inline(__always) get { list?.shape.count ?? 0 }
  }

  @inline(never)
  private mutating func grow() -> Bool {
    let larger = min(limit, max(16, 2 * capacity))
    guard let grown = ListStorage.with(capacity: larger) else {
      isExhausted = true
      return false
    }
    if let list { grown.append(itemsOf: list) }
    (list, capacity, next) = (grown, larger, grown.next)
    return true
  }

  consuming func result() throws(StreamError) -> Value {
    guard let list, !isExhausted else { throw .noMemoryForList }
    return try Value.of(list).get()
  }
}
